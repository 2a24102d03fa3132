// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/record_history.h"

#include <algorithm>
#include <optional>

#include "model/kafka_world/cluster_view.h"
#include "model/types/kafka_events.h"
#include "model/types/record_name.h"

namespace klab::scenario {

namespace {

// Field numbers, as in the table of kafka_events.cc.
constexpr std::size_t kAckedRecord = 0;
constexpr std::size_t kPolledOffset = 1;
constexpr std::size_t kPolledProducer = 3;
constexpr std::size_t kPolledRecord = 4;
constexpr std::size_t kPolledHighWatermark = 5;

/// The broker whose log counts as the partition's.
std::optional<types::BrokerId> judge_of(const world::KafkaWorld& world,
                                        const types::TopicPartition& partition) {
    const metadata::PartitionRegistration* found = world::registration(world, partition);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->leader) {
        return found->leader;
    }
    return found->isr.empty() ? std::nullopt : std::optional<types::BrokerId>(found->isr.front());
}

/// Names of the records in the committed part of a partition's log, in log order.
std::vector<types::RecordName> committed_names(const world::KafkaWorld& world,
                                               const types::TopicPartition& partition) {
    std::vector<types::RecordName> names;
    const std::optional<types::BrokerId> judge = judge_of(world, partition);
    const replication::Partition* log = judge ? world::replica(world, partition, *judge) : nullptr;
    if (log == nullptr) {
        return names;
    }
    const types::Offset end = log->log.high_watermark();
    for (const storage::RecordSight& record :
         world::records_of(world, partition, *judge, types::Offset(0), end)) {
        if (!record.value) {
            continue;
        }
        if (std::optional<types::RecordName> name = types::parse_record_value(*record.value)) {
            names.push_back(std::move(*name));
        }
    }
    return names;
}

std::set<types::RecordName> all_committed(const world::KafkaWorld& world) {
    std::set<types::RecordName> all;
    for (const types::TopicPartition& partition : world::partitions_of(world)) {
        const std::vector<types::RecordName> names = committed_names(world, partition);
        all.insert(names.begin(), names.end());
    }
    return all;
}

}  // namespace

void RecordHistory::want(sim::KindSet& kinds) {
    kinds.add(types::events::kRecordAcked);
    kinds.add(types::events::kRecordPolled);
}

void RecordHistory::add(const sim::Event& event) {
    if (!event.node) {
        return;
    }
    if (event.kind == types::events::kRecordAcked) {
        acked_.write().push_back({*event.node, event.fields[kAckedRecord]});
    } else if (event.kind == types::events::kRecordPolled) {
        polled_.write().push_back(
            {*event.node, event.fields[kPolledProducer], event.fields[kPolledRecord]});
        if (event.fields[kPolledHighWatermark] != sim::kAbsent &&
            event.fields[kPolledOffset] >= event.fields[kPolledHighWatermark]) {
            read_above_.insert(*event.node);
        }
    }
}

std::int64_t RecordHistory::lost_acked(const world::KafkaWorld& world, sim::NodeId producer) const {
    const std::set<types::RecordName> there = all_committed(world);
    const std::string& name = world.kernel().name(producer);
    return std::count_if(acked_->begin(), acked_->end(), [&](const Acked& acked) {
        return acked.producer == producer && there.count({name, acked.record}) == 0;
    });
}

std::int64_t RecordHistory::duplicates(const world::KafkaWorld& world, sim::NodeId producer) const {
    const std::string& name = world.kernel().name(producer);
    std::set<std::int64_t> seen;
    std::int64_t copies = 0;
    for (const types::TopicPartition& partition : world::partitions_of(world)) {
        for (const types::RecordName& record : committed_names(world, partition)) {
            copies += record.client == name && !seen.insert(record.number).second ? 1 : 0;
        }
    }
    return copies;
}

std::int64_t RecordHistory::reordered(const world::KafkaWorld& world, sim::NodeId producer) const {
    const std::string& name = world.kernel().name(producer);
    std::int64_t count = 0;
    for (const types::TopicPartition& partition : world::partitions_of(world)) {
        std::set<std::int64_t> seen;
        for (const types::RecordName& record : committed_names(world, partition)) {
            if (record.client != name || seen.count(record.number) > 0) {
                continue;  // a second copy is a duplicate, not a reordering
            }
            count += !seen.empty() && record.number < *seen.rbegin() ? 1 : 0;
            seen.insert(record.number);
        }
    }
    return count;
}

std::int64_t RecordHistory::vanished(const world::KafkaWorld& world, sim::NodeId client) const {
    const std::set<types::RecordName> there = all_committed(world);
    std::set<types::RecordName> gone;
    for (const Polled& polled : *polled_) {
        const bool named = polled.producer != sim::kAbsent && polled.record != sim::kAbsent;
        const bool concerned = polled.consumer == client ||
                               polled.producer == static_cast<std::int64_t>(client.value());
        if (!named || !concerned) {
            continue;
        }
        const auto writer = sim::NodeId(static_cast<std::uint32_t>(polled.producer));
        types::RecordName name{world.kernel().name(writer), polled.record};
        if (there.count(name) == 0) {
            gone.insert(std::move(name));
        }
    }
    return static_cast<std::int64_t>(gone.size());
}

bool logs_are_equal(const world::KafkaWorld& world, const types::TopicPartition& partition) {
    const metadata::PartitionRegistration* found = world::registration(world, partition);
    if (found == nullptr) {
        return false;
    }
    std::optional<std::vector<storage::BatchSight>> first;
    for (const types::BrokerId broker : found->replicas) {
        if (!world::is_running(world, broker)) {
            continue;
        }
        std::vector<storage::BatchSight> batches = world::batches_of(world, partition, broker);
        for (storage::BatchSight& batch : batches) {
            batch.segment_base = {};  // where segments roll is each replica's own affair
            batch.position = 0;
        }
        if (first && batches != *first) {
            return false;
        }
        first = std::move(batches);
    }
    return first.has_value();
}

}  // namespace klab::scenario
