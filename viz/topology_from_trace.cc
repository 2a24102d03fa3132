// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `topology`. See topology_from_trace.h.
#include "viz/topology_from_trace.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/types/kafka_events.h"
#include "viz/cluster_replay.h"

namespace klab::viz {

namespace {

namespace kafka = types::events;

/// Who talks to whom about which partitions, by names.
using Talk = std::map<std::pair<std::string, std::string>, std::set<std::string>>;

/// "t-0, t-1" or "5 partitions".
std::string partitions_text(const std::set<std::string>& names) {
    if (names.size() > 3) {
        return fmt::format("{} partitions", names.size());
    }
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

void add_links(TopologyPicture& picture, const Talk& talk, LinkKind kind) {
    for (const auto& [ends, names] : talk) {
        picture.links.push_back({ends.first, ends.second, kind, partitions_text(names)});
    }
}

class TopologyExtract {
  public:
    TopologyExtract(const TraceView& view, Time at) : view_(view), at_(at), replay_(view) {
        replay_.advance_to(at);
        for (const auto& [key, state] : replay_.partitions()) {
            order_.push_back(key);
        }
        const std::vector<PartitionKey> all = view.partitions();
        std::sort(order_.begin(), order_.end(), [&all](PartitionKey a, PartitionKey b) {
            return std::find(all.begin(), all.end(), a) < std::find(all.begin(), all.end(), b);
        });
    }

    TopologyPicture make() {
        TopologyPicture picture;
        picture.head = view_.head("cluster", at_, at_);
        picture.head.hidden = {"heartbeats"};
        picture.metadata_offset = replay_.metadata_end_offset();
        for (const PictureNode& node : view_.nodes()) {
            switch (node.kind) {
                case PictureNodeKind::kBroker:
                    picture.brokers.push_back(make_broker(node));
                    break;
                case PictureNodeKind::kController:
                    picture.controllers.push_back(make_controller(node));
                    break;
                case PictureNodeKind::kClient:
                    picture.clients.push_back({node.name, node.text});
                    break;
            }
        }
        add_links(picture, fetches(), LinkKind::kFetch);
        add_links(picture, client_talk(true), LinkKind::kProduce);
        add_links(picture, client_talk(false), LinkKind::kConsume);
        add_cuts(picture);
        drop_idle_clients(picture);
        return picture;
    }

  private:
    [[nodiscard]] TopologyBroker make_broker(const PictureNode& node) const {
        TopologyBroker broker;
        broker.name = node.name;
        broker.rack = node.rack;
        broker.broker_epoch = replay_.node(node.node).broker_epoch;
        broker.state = replay_.node_state(node.node);
        const std::int32_t id = node.broker_id.value_or(0);
        for (const PartitionKey key : order_) {
            const ReplayPartition& partition = replay_.partitions().at(key);
            if (std::find(partition.replicas.begin(), partition.replicas.end(), id) ==
                partition.replicas.end()) {
                continue;
            }
            TopologyReplica replica;
            replica.partition = view_.partition_name(key);
            replica.state = replay_.replica_state(partition, id);
            const auto log = partition.logs.find(node.node);
            if (log != partition.logs.end()) {
                replica.log_end_offset = log->second.log_end_offset;
                replica.high_watermark = log->second.high_watermark;
            }
            broker.replicas.push_back(std::move(replica));
        }
        return broker;
    }

    [[nodiscard]] TopologyController make_controller(const PictureNode& node) const {
        TopologyController controller;
        controller.name = node.name;
        controller.state = replay_.node_state(node.node);
        std::size_t voters = 0;
        for (const PictureNode& other : view_.nodes()) {
            voters += other.kind == PictureNodeKind::kController ? 1 : 0;
        }
        controller.is_leader = voters == 1 && controller.state == NodeState::kUp;
        controller.term = replay_.quorum_epoch();
        return controller;
    }

    [[nodiscard]] Talk fetches() const {
        Talk talk;
        for (const PartitionKey key : order_) {
            for (const auto& [node, log] : replay_.partitions().at(key).logs) {
                if (log.following && replay_.node(node).is_running) {
                    talk[{view_.node_name(node), view_.broker_name(*log.following)}].insert(
                        view_.partition_name(key));
                }
            }
        }
        return talk;
    }

    /// Producers (or consumers) and the leaders they last knew of partitions that they used.
    [[nodiscard]] Talk client_talk(bool producers) const {
        std::map<std::pair<sim::NodeId, PartitionKey>, std::int64_t> known;
        std::set<std::pair<sim::NodeId, PartitionKey>> used;
        const sim::Recording& recording = view_.input().recording;
        for (std::uint64_t i = 0; i < recording.size(); ++i) {
            const sim::Event& event = recording.at(i);
            if (view_.time(event) > at_ || !event.node) {
                continue;
            }
            if (event.kind == kafka::kLeaderLearned) {
                known[{*event.node, view_.number(event, "partition")}] =
                    view_.number(event, "leader");
            } else if (event.kind == (producers ? kafka::kRecordSent : kafka::kRecordPolled)) {
                used.insert({*event.node, view_.number(event, "partition")});
            }
        }
        Talk talk;
        for (const auto& [node, partition] : used) {
            const auto leader = known.find({node, partition});
            if (leader != known.end() && leader->second != sim::kAbsent) {
                talk[{view_.node_name(node), view_.broker_name(leader->second)}].insert(
                    view_.partition_name(partition));
            }
        }
        return talk;
    }

    void add_cuts(TopologyPicture& picture) const {
        for (const auto& [from, to] : replay_.cuts()) {
            const bool both = replay_.cuts().count({to, from}) != 0;
            if (both && to < from) {
                continue;
            }
            picture.links.push_back({view_.node_name(from),
                                     view_.node_name(to),
                                     LinkKind::kCut,
                                     both ? "" : "one way"});
        }
    }

    /// The operator who creates topics is no part of the picture unless something is drawn to it.
    static void drop_idle_clients(TopologyPicture& picture) {
        const auto is_idle = [&picture](const TopologyClient& client) {
            return client.text == "admin" && std::none_of(picture.links.begin(),
                                                          picture.links.end(),
                                                          [&client](const TopologyLink& link) {
                                                              return link.from == client.name ||
                                                                     link.to == client.name;
                                                          });
        };
        picture.clients.erase(
            std::remove_if(picture.clients.begin(), picture.clients.end(), is_idle),
            picture.clients.end());
    }

    const TraceView& view_;
    Time at_;
    ClusterReplay replay_;
    std::vector<PartitionKey> order_;
};

}  // namespace

TopologyPicture topology_from_trace(const TraceView& view, Time at) {
    return TopologyExtract(view, at).make();
}

}  // namespace klab::viz
