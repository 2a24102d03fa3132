// SPDX-License-Identifier: Apache-2.0
//
// See new_partition.h.
#include "model/controller/new_partition.h"

#include "model/controller/manual_assignment.h"
#include "sim/base/assert.h"

namespace klab::controller {

types::Uuid default_directory(const ControllerView& view, types::BrokerId broker) {
    const metadata::BrokerRegistration* registration = view.state.image.broker(broker);
    return registration != nullptr && registration->log_dirs.size() == 1
               ? registration->log_dirs.front()
               : metadata::kDirectoryUnassigned;
}

metadata::PartitionRecord make_partition_record(const ControllerView& view,
                                                const types::Uuid& topic_id,
                                                std::int32_t index,
                                                const metadata::BrokerIds& replicas) {
    metadata::PartitionRecord record;
    record.partition_id = index;
    record.topic_id = topic_id;
    record.replicas = replicas;
    record.isr = active_of(view, replicas);
    KLAB_ASSERT(!record.isr.empty(), "partition {} would have no leader", index);
    record.leader = record.isr.front();
    if (view.state.image.knows_directories()) {
        for (const types::BrokerId replica : replicas) {
            record.directories.push_back(default_directory(view, replica));
        }
    }
    return record;
}

}  // namespace klab::controller
