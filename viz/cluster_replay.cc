// SPDX-License-Identifier: Apache-2.0
//
// Rebuilding the state of the cluster from events. See cluster_replay.h.
#include "viz/cluster_replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/types/kafka_events.h"
#include "sim/trace/kernel_events.h"

namespace klab::viz {

namespace kernel = sim::events;
namespace kafka = types::events;

namespace {

std::optional<std::int32_t> to_broker(std::int64_t field) {
    return field == sim::kAbsent ? std::nullopt : std::optional(static_cast<std::int32_t>(field));
}

bool holds(const std::vector<std::int32_t>& list, std::int32_t broker) {
    return std::find(list.begin(), list.end(), broker) != list.end();
}

}  // namespace

void ClusterReplay::advance_to(Time at) {
    const sim::Recording& recording = view_.input().recording;
    while (next_ < recording.size() && view_.time(recording.at(next_)) <= at) {
        apply(recording.at(next_));
        ++next_;
    }
}

void ClusterReplay::apply(const sim::Event& event) {
    apply_node(event);
    apply_link(event);
    apply_log(event);
    apply_role(event);
    apply_controller(event);
}

void ClusterReplay::apply_node(const sim::Event& event) {
    if (!event.node) {
        return;
    }
    const sim::NodeId id = *event.node;
    if (event.kind == kernel::kNodeBooted) {
        nodes_[id].is_running = true;
        nodes_[id].is_paused = false;
    } else if (event.kind == kernel::kNodeCrashed || event.kind == kernel::kNodePoweredOff ||
               event.kind == kernel::kNodeExited) {
        nodes_[id].is_running = false;
        nodes_[id].is_paused = false;
        for (auto& [key, partition] : partitions_) {
            const auto log = partition.logs.find(id);
            if (log != partition.logs.end()) {
                log->second.leading_epoch.reset();
                log->second.following.reset();
            }
        }
    } else if (event.kind == kernel::kNodePaused) {
        nodes_[id].is_paused = true;
    } else if (event.kind == kernel::kNodeResumed) {
        nodes_[id].is_paused = false;
    } else if (event.kind == kernel::kDiskWiped) {
        for (auto& [key, partition] : partitions_) {
            partition.logs.erase(id);
        }
    }
}

void ClusterReplay::apply_link(const sim::Event& event) {
    if (event.kind != kernel::kLinkCut && event.kind != kernel::kLinkHealed) {
        return;
    }
    const std::optional<sim::NodeId> from = view_.node(event, "from");
    const std::optional<sim::NodeId> to = view_.node(event, "to");
    if (!from || !to) {
        return;
    }
    if (event.kind == kernel::kLinkCut) {
        cuts_.insert({*from, *to});
    } else {
        cuts_.erase({*from, *to});
    }
}

ReplayReplica& ClusterReplay::log_of(const sim::Event& event) {
    return partitions_[view_.number(event, "partition")].logs[event.node.value_or(sim::NodeId(0))];
}

void ClusterReplay::cut_from(ReplayReplica& log, std::int64_t offset, sim::EventId event) const {
    for (auto record = log.records.lower_bound(offset); record != log.records.end();) {
        record->second.event = event;
        log.cut.insert_or_assign(record->first, record->second);
        record = log.records.erase(record);
    }
}

void ClusterReplay::apply_log(const sim::Event& event) {
    if (event.kind == kafka::kLogAppended) {
        ReplayReplica& log = log_of(event);
        const std::int64_t last = view_.number(event, "last_offset");
        const ReplayRecord record{static_cast<std::int32_t>(view_.number(event, "leader_epoch")),
                                  view_.number(event, "crc"),
                                  event.id};
        for (std::int64_t offset = view_.number(event, "base_offset"); offset <= last; ++offset) {
            log.records.insert_or_assign(offset, record);
        }
        log.log_end_offset = last + 1;
    } else if (event.kind == kafka::kLogTruncated) {
        ReplayReplica& log = log_of(event);
        const std::int64_t from = view_.number(event, "from");
        const std::int64_t to = view_.number(event, "to");
        if (from > to) {
            cut_from(log, to, event.id);
            log.log_end_before_cut = from;
            log.note = fmt::format("cut to {}: {}", to, view_.text(event, "reason"));
        }
        log.log_end_offset = to;
    } else if (event.kind == kafka::kLogRecovered) {
        ReplayReplica& log = log_of(event);
        const std::int64_t end = view_.number(event, "log_end_offset");
        if (log.log_end_offset > end) {
            log.log_end_before_cut = log.log_end_offset;
            log.note = fmt::format("records from {} on were not on disk after the restart", end);
            cut_from(log, end, event.id);
        }
        log.log_end_offset = end;
        log.high_watermark = view_.number(event, "high_watermark");
    } else if (event.kind == kafka::kHwAdvanced || event.kind == kafka::kHwMovedBack) {
        log_of(event).high_watermark = view_.number(event, "to");
    }
}

void ClusterReplay::apply_role(const sim::Event& event) {
    if (event.kind == kafka::kLeaderStarted) {
        ReplayReplica& log = log_of(event);
        log.leading_epoch = static_cast<std::int32_t>(view_.number(event, "leader_epoch"));
        log.following.reset();
        log.high_watermark = view_.number(event, "high_watermark");
    } else if (event.kind == kafka::kFollowerStarted) {
        ReplayReplica& log = log_of(event);
        log.leading_epoch.reset();
        log.following = to_broker(view_.number(event, "leader"));
        log.high_watermark = view_.number(event, "high_watermark");
    } else if (event.kind == kafka::kReplicaWentOffline) {
        ReplayReplica& log = log_of(event);
        log.leading_epoch.reset();
        log.following.reset();
    } else if (event.kind == kafka::kReplicaStopped && event.node) {
        partitions_[view_.number(event, "partition")].logs.erase(*event.node);
    }
}

void ClusterReplay::apply_controller(const sim::Event& event) {
    if (event.kind == kafka::kPartitionChanged) {
        ReplayPartition& partition = partitions_[view_.number(event, "partition")];
        partition.leader = to_broker(view_.number(event, "leader"));
        partition.leader_epoch = static_cast<std::int32_t>(view_.number(event, "leader_epoch"));
        partition.isr = view_.list(event, "isr");
        partition.replicas = view_.list(event, "replicas");
    } else if (event.kind == kafka::kMetadataAppended) {
        metadata_end_offset_ = view_.number(event, "last_offset") + 1;
        quorum_epoch_ = static_cast<std::int32_t>(view_.number(event, "epoch"));
    } else if (event.kind == kafka::kBrokerRegistered || event.kind == kafka::kBrokerFenced ||
               event.kind == kafka::kBrokerUnfenced) {
        const std::optional<sim::NodeId> id = view_.broker_node(view_.number(event, "broker"));
        if (!id) {
            return;
        }
        ReplayNode& node = nodes_[*id];
        node.broker_epoch = view_.number(event, "broker_epoch");
        node.is_registered = true;
        node.is_fenced = event.kind != kafka::kBrokerUnfenced;
        if (event.kind == kafka::kBrokerRegistered) {
            node.was_unfenced = false;
        } else if (event.kind == kafka::kBrokerUnfenced) {
            node.was_unfenced = true;
        }
    }
}

const ReplayNode& ClusterReplay::node(sim::NodeId node) const {
    static const ReplayNode kUnknown{};
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? kUnknown : found->second;
}

NodeState ClusterReplay::node_state(sim::NodeId id) const {
    const ReplayNode& known = node(id);
    if (!known.is_running) {
        return NodeState::kDown;
    }
    if (known.is_paused) {
        return NodeState::kPaused;
    }
    const PictureNode* described = view_.find_node(id);
    if (described == nullptr || described->kind != PictureNodeKind::kBroker) {
        return NodeState::kUp;
    }
    if (known.is_fenced && known.was_unfenced) {
        return NodeState::kFenced;
    }
    return known.is_registered && !known.is_fenced ? NodeState::kUp : NodeState::kStarting;
}

ReplicaState ClusterReplay::replica_state(const ReplayPartition& partition,
                                          std::int32_t broker) const {
    const std::optional<sim::NodeId> id = view_.broker_node(broker);
    const bool offline = !id || !node(*id).is_running || node(*id).is_fenced;
    if (offline) {
        return ReplicaState::kOffline;
    }
    if (partition.leader == broker) {
        return ReplicaState::kLeader;
    }
    return holds(partition.isr, broker) ? ReplicaState::kInSync : ReplicaState::kOutOfSync;
}

}  // namespace klab::viz
