// SPDX-License-Identifier: Apache-2.0
//
// See isr_updates.h.
#include "model/controller/isr_updates.h"

#include <iterator>

#include "model/controller/decided_topic_settings.h"
#include "model/controller/partition_change_builder.h"
#include "sim/base/assert.h"

namespace klab::controller {

namespace {

PartitionTarget target_of(const IsrUpdateCause& cause,
                          const metadata::PartitionRegistration& partition) {
    PartitionTarget target;
    target.isr = partition.isr;
    std::erase_if(*target.isr, [&](types::BrokerId broker) {
        return broker == cause.removed || broker == cause.unclean_shutdown;
    });
    if (cause.unclean_shutdown) {
        target.unclean_shutdown.push_back(*cause.unclean_shutdown);
    }
    return target;
}

}  // namespace

IsrUpdates update_isrs(const ControllerView& view,
                       const IsrUpdateCause& cause,
                       const std::vector<metadata::TopicIdPartition>& partitions) {
    IsrUpdates updates;
    for (const metadata::TopicIdPartition& id : partitions) {
        const metadata::TopicImage* topic = view.state.image.topic(id.topic_id);
        KLAB_ASSERT(topic != nullptr, "topic {} is indexed and unknown", id.topic_id.text());
        const metadata::PartitionRegistration* partition = topic->partition(id.partition);
        KLAB_ASSERT(
            partition != nullptr, "{}-{} is indexed and unknown", topic->name, id.partition);
        const AcceptableLeader acceptable = [&view, &cause, partition](types::BrokerId broker) {
            if (broker == cause.removed || broker == cause.unclean_shutdown) {
                return false;
            }
            return (broker == cause.added || view.state.is_active(broker)) &&
                   view.state.has_replica_online(*partition, broker);
        };
        const PartitionChangeInput input{
            id,
            *partition,
            view.rules,
            acceptable,
            unclean_election_enabled(view, *topic) ? ElectionRule::kUnclean : ElectionRule::kOnline,
            effective_min_isr(view, *topic)};
        PartitionChange change = build_partition_change(input, target_of(cause, *partition));
        if (change.record) {
            updates.records.emplace_back(*std::move(change.record));
        }
        if (change.election) {
            updates.elections.push_back(*std::move(change.election));
        }
    }
    return updates;
}

void add(IsrUpdates& updates, IsrUpdates more) {
    updates.records.insert(updates.records.end(),
                           std::make_move_iterator(more.records.begin()),
                           std::make_move_iterator(more.records.end()));
    updates.elections.insert(updates.elections.end(),
                             std::make_move_iterator(more.elections.begin()),
                             std::make_move_iterator(more.elections.end()));
}

}  // namespace klab::controller
