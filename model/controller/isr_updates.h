// SPDX-License-Identifier: Apache-2.0
//
// What an event in a broker's life does to the partitions it has to do with: it leaves their ISRs,
// and leaders are elected anew where they must or can be.
//
// Called by: broker_fencing.cc, controlled_shutdown.cc, broker_registration.cc,
// offline_directories.cc, replica_directories.cc.
// Kafka: ReplicationControlManager.generateLeaderAndIsrUpdates.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"

namespace klab::controller {

/// Which broker the event is about, and what it means for it.
struct IsrUpdateCause {
    std::optional<types::BrokerId> removed = {};  ///< leaves every ISR, may not lead
    std::optional<types::BrokerId> added = {};    ///< may lead although it still counts as fenced
    std::optional<types::BrokerId> unclean_shutdown = {};  ///< may have lost its tail (KIP-966)
};

/// Records and elections of a set of partition changes.
struct IsrUpdates {
    std::vector<metadata::MetadataRecord> records;
    std::vector<ElectionReport> elections;
};

/// One change for each partition that changes at all. Requires: the partitions exist.
[[nodiscard]] IsrUpdates update_isrs(const ControllerView& view,
                                     const IsrUpdateCause& cause,
                                     const std::vector<metadata::TopicIdPartition>& partitions);

/// Adds `more` after what is there.
void add(IsrUpdates& updates, IsrUpdates more);

/// Adds updates to a decision, after what is in it.
template <typename T>
void append(Decision<T>& decision, IsrUpdates updates) {
    for (metadata::MetadataRecord& record : updates.records) {
        decision.records.push_back(std::move(record));
    }
    for (ElectionReport& election : updates.elections) {
        decision.elections.push_back(std::move(election));
    }
}

}  // namespace klab::controller
