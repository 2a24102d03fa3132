// SPDX-License-Identifier: Apache-2.0
//
// Routing of events to tracks and rules. See white_box.h.
#include "model/check/white_box.h"

#include <algorithm>

#include "model/check/acked_loss.h"
#include "model/check/high_watermark_rules.h"
#include "model/check/read_rules.h"
#include "model/types/api_key.h"
#include "model/types/consumer_config.h"
#include "model/types/kafka_events.h"
#include "sim/trace/kernel_events.h"

namespace klab::check {

namespace events = types::events;
namespace kernel = sim::events;

namespace {

constexpr std::int64_t kAcksAll = -1;

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

bool is_node_event(sim::EventKind kind) { return kind.value() < sim::kFirstModelEventKind; }

/// The field that names the partition, by kind; -1 for kinds without one.
std::int64_t partition_of(const sim::Event& event) {
    const bool record_first = event.kind == events::kRecordSent ||
                              event.kind == events::kRecordAcked ||
                              event.kind == events::kRecordFailed;
    return event.fields[record_first ? 1 : 0];
}

/// What a process knew of a replica is gone; what is on the disk stays.
void close(ReplicaTrack& r) {
    r.open = false;
    r.offline = false;
    r.role = TrackedRole::kNone;
    r.high_watermark.reset();
    r.leader_epoch = -1;
    r.partition_epoch = -1;
    r.proposing = false;
    r.min_isr_seen = 0;
    r.appended_last = -1;
    r.sequences.clear();
}

}  // namespace

WhiteBox::WhiteBox(const types::ModelData& data, const sim::KindSet& noted)
    : rules_(data.rules), noted_(noted) {
    add_wanted(own_);
    for (const types::BrokerSpec& spec : data.cluster.brokers) {
        if (spec.node.value() >= brokers_.size()) {
            brokers_.resize(spec.node.value() + 1);
        }
        brokers_[spec.node.value()].id = spec.id;
    }
    for (const types::ClientSpec& spec : data.cluster.clients) {
        if (spec.kind != types::ClientSpec::Kind::kConsumer) {
            continue;
        }
        const auto config = types::make_consumer_config(rules_.version, spec.config);
        if (config && config->auto_offset_reset == types::OffsetReset::kLatest) {
            latest_readers_.push_back(spec.node);
        }
    }
}

void WhiteBox::add_wanted(sim::KindSet& kinds) {
    for (const sim::EventKind kind :
         {kernel::kNodeBooted,         kernel::kNodeCrashed,      kernel::kNodePoweredOff,
          kernel::kNodeExited,         kernel::kDiskWiped,        kernel::kBitRotted,
          kernel::kDiskRefused,        events::kLogAppended,      events::kLogTruncated,
          events::kLogRecovered,       events::kLeaderStarted,    events::kFollowerStarted,
          events::kReplicaStopped,     events::kHwAdvanced,       events::kHwMovedBack,
          events::kIsrProposed,        events::kIsrExpanded,      events::kIsrShrunk,
          events::kIsrRefused,         events::kProduceWaiting,   events::kProduceCompleted,
          events::kMetadataPublished,  events::kMetadataAppended, events::kMetadataCommitted,
          events::kBrokerRegistered,   events::kBrokerUnfenced,   events::kBrokerFenced,
          events::kBrokerShuttingDown, events::kTopicDeleted,     events::kPartitionChanged,
          events::kRecordAcked,        events::kRecordPolled,     events::kPositionReset,
          events::kAdminAnswered,      events::kLogCompacted,     events::kReplicaWentOffline,
          events::kLogRenamed}) {
        kinds.add(kind);
    }
}

PartitionTrack& WhiteBox::track_for_write(std::int64_t partition) {
    PartitionTrack& p = partitions_.at_or_insert(partition).write();
    p.name = partition;
    return p;
}

const PartitionTrack* WhiteBox::track(std::int64_t partition) const {
    const Cow<PartitionTrack>* found = partitions_.find(partition);
    return found == nullptr ? nullptr : &found->read();
}

std::optional<types::BrokerId> WhiteBox::broker_at(std::optional<sim::NodeId> node) const {
    if (!node || node->value() >= brokers_.size()) {
        return std::nullopt;
    }
    return brokers_[node->value()].id;
}

void WhiteBox::observe(const ClusterSight& sight,
                       std::span<const sim::Event> events,
                       Findings& findings) {
    Touched touched;
    for (const sim::Event& event : events) {
        if (noted_.contains(event.kind)) {
            findings.note(event);
        }
        if (!own_.contains(event.kind)) {
            continue;
        }
        on_event({rules_, event, sight, brokers_, findings}, touched);
    }
    if (touched.brokers || !touched.partitions.empty()) {
        end_step(sight, events.back(), touched, findings);
    }
}

void WhiteBox::on_event(const RuleContext& ctx, Touched& touched) {
    const sim::EventKind kind = ctx.event.kind;
    if (is_node_event(kind)) {
        on_node_event(ctx);
        return;
    }
    if (kind == events::kBrokerRegistered || kind == events::kBrokerUnfenced ||
        kind == events::kBrokerFenced || kind == events::kBrokerShuttingDown) {
        touched.brokers = true;
        on_broker_event(ctx);
        return;
    }
    if (kind == events::kMetadataPublished || kind == events::kMetadataAppended ||
        kind == events::kMetadataCommitted) {
        on_metadata_event(ctx);
        return;
    }
    if (kind == events::kTopicDeleted) {
        on_topic_deleted(ctx);
        return;
    }
    if (kind == events::kAdminAnswered) {
        if (ctx.event.fields[0] == static_cast<std::int64_t>(types::ApiKey::kElectLeaders)) {
            unclean_unasked_.clear();  // an operator asked for elections
        }
        return;
    }
    if (kind.value() >= events::kLogAppended.value() && partition_of(ctx.event) >= 0) {
        on_partition_event(ctx, touched);
    }
}

void WhiteBox::on_partition_event(const RuleContext& ctx, Touched& touched) {
    const sim::EventKind kind = ctx.event.kind;
    PartitionTrack& p = track_for_write(partition_of(ctx.event));
    if (kind == events::kLogCompacted) {
        p.cleaned = std::max(p.cleaned, ctx.event.fields[2]);
        return;
    }
    if (kind == events::kPartitionChanged) {
        on_partition_changed(ctx, p, touched);
        return;
    }
    if (kind == events::kRecordAcked || kind == events::kRecordPolled ||
        kind == events::kPositionReset) {
        on_client_event(ctx, p);
        return;
    }
    const auto broker = broker_at(ctx.event.node);
    if (!broker) {
        return;
    }
    const auto doomed = std::ranges::find(p.doomed, *broker, &Doomed::broker);
    if (doomed != p.doomed.end()) {
        const bool starts = kind == events::kLeaderStarted || kind == events::kFollowerStarted;
        const bool reborn =
            starts && find_broker(brokers_, *broker)->incarnation > doomed->incarnation;
        if (reborn || kind == events::kReplicaStopped) {
            p.doomed.erase(doomed);
        }
        if (!reborn) {
            return;  // still the partition of a deleted topic
        }
    }
    if (kind == events::kLeaderStarted || kind == events::kFollowerStarted) {
        on_role_event(ctx, p, *broker);
        return;
    }
    if (kind == events::kReplicaStopped) {
        std::erase_if(p.replicas, [&](const ReplicaTrack& r) { return r.broker == *broker; });
        return;
    }
    if (kind == events::kReplicaWentOffline) {
        ReplicaTrack& lost = replica_for(p, *broker);
        close(lost);
        lost.offline = true;
        return;
    }
    if (kind == events::kLogRenamed && find_replica(p, *broker) == nullptr) {
        return;  // the log of a replica that was stopped before
    }
    if (kind == events::kHwAdvanced) {
        check_advance(ctx,
                      p,
                      *broker,
                      {.to = ctx.event.fields[2],
                       .as_leader = ctx.event.fields[3] == 1,
                       .log_end = ctx.event.fields[4],
                       .isr_size = ctx.event.fields[6]});
        return;
    }
    ReplicaTrack& r = replica_for(p, *broker);
    if (kind == events::kIsrProposed || kind == events::kIsrExpanded ||
        kind == events::kIsrShrunk || kind == events::kIsrRefused) {
        touched.partitions.push_back(p.name);
        on_isr_event(ctx, p, r);
    } else if (kind == events::kProduceWaiting || kind == events::kProduceCompleted) {
        on_produce_event(ctx, p, r);
    } else {
        on_log_event(ctx, p, r);
    }
}

void WhiteBox::on_node_event(const RuleContext& ctx) {
    const auto broker = broker_at(ctx.event.node);
    if (!broker) {
        return;
    }
    BrokerTrack& track = brokers_[ctx.event.node->value()];
    track.has_rot = ctx.event.kind == kernel::kBitRotted ||
                    (track.has_rot && ctx.event.kind != kernel::kDiskWiped);
    track.was_refused = track.was_refused || ctx.event.kind == kernel::kDiskRefused;
    if (ctx.event.kind == kernel::kBitRotted || ctx.event.kind == kernel::kDiskRefused) {
        return;
    }
    const bool booted = ctx.event.kind == kernel::kNodeBooted;
    const bool wiped = ctx.event.kind == kernel::kDiskWiped;
    if (!wiped) {
        track.running = booted;
        track.without_power =
            !booted && (track.without_power || ctx.event.kind == kernel::kNodePoweredOff);
        track.registered = false;
        track.incarnation += booted ? 1U : 0U;
    }
    for (const std::int64_t name : partitions_.keys()) {
        const PartitionTrack& known = partitions_.find(name)->read();
        if (find_replica(known, *broker) == nullptr) {
            continue;
        }
        PartitionTrack& p = track_for_write(name);
        ReplicaTrack& r = *find_replica(p, *broker);
        if (wiped) {
            lose_tail(p, r, 0, ctx.event.id);
            continue;
        }
        close(r);
    }
}

void WhiteBox::on_client_event(const RuleContext& ctx, PartitionTrack& p) {
    const auto& f = ctx.event.fields;
    if (ctx.event.kind == events::kRecordAcked) {
        if (f[3] == kAcksAll && f[2] >= 0) {
            check_acked(ctx, p, f[2]);
        }
    } else if (ctx.event.kind == events::kRecordPolled) {
        check_read(ctx,
                   p,
                   {.offset = f[1],
                    .epoch = narrow(f[2]),
                    .producer = narrow(f[3]),
                    .record = f[4],
                    .high_watermark = f[5]});
    } else if (ctx.event.node &&
               std::ranges::find(latest_readers_, *ctx.event.node) != latest_readers_.end()) {
        if (ctx.sight.text(f[3]) != "truncation") {
            check_latest(ctx, p, f[2]);
        }
    }
}

void WhiteBox::on_topic_deleted(const RuleContext& ctx) {
    for (const std::int64_t name : partitions_.keys()) {
        if (sim::unpack_name(name) != ctx.event.fields[0]) {
            continue;
        }
        const PartitionTrack& old = partitions_.find(name)->read();
        PartitionTrack fresh;
        fresh.name = name;
        fresh.doomed = old.doomed;
        for (const ReplicaTrack& r : old.replicas) {
            const BrokerTrack* broker = find_broker(brokers_, r.broker);
            fresh.doomed.push_back({r.broker, broker == nullptr ? 0 : broker->incarnation});
        }
        partitions_.insert_or_assign(name, Cow<PartitionTrack>(std::move(fresh)));
    }
}

}  // namespace klab::check
