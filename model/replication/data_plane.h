// SPDX-License-Identifier: Apache-2.0
//
// DataPlane: everything one step of a broker's data plane works with, by reference. ReplicaManager
// makes one for each input and hands it to the rule files; it never outlives the step.
//
// Owns: nothing. Called by: replica_manager.cc makes it; the handlers of this folder use it.
#pragma once

#include "model/replication/alter_partition_manager.h"
#include "model/replication/log_cleaner.h"
#include "model/replication/log_directories.h"
#include "model/replication/partition.h"
#include "model/replication/purgatory.h"
#include "model/replication/replication_types.h"
#include "model/types/error_code.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"
#include "sim/kernel/context.h"

namespace klab::replication {

/// All partitions of a broker. Each is shared until written, so a fork copies none.
using HostedPartitions = CowMap<PartitionKey, Cow<Partition>>;

struct DataPlane {
    sim::Context& ctx;
    Surroundings around;
    const ReplicationOptions& options;
    LogDirectories& directories;
    HostedPartitions& hosted;
    Purgatory& purgatory;
    AlterPartitionManager& proposals;
    LogCleaner& cleaner;
    Answers& out;

    /// The hosted partition for writing, or nullptr.
    [[nodiscard]] Partition* find_for_write(const PartitionKey& key) const {
        Cow<Partition>* found = hosted.find_for_write(key);
        return found == nullptr ? nullptr : &found->write();
    }

    /// The hosted partition, or nullptr.
    [[nodiscard]] const Partition* find(const PartitionKey& key) const {
        const Cow<Partition>* found = hosted.find(key);
        return found == nullptr ? nullptr : &found->read();
    }

    /// The key of a name, if the topic exists in the metadata of this broker.
    [[nodiscard]] std::optional<PartitionKey> key_of(const types::TopicPartition& name) const;

    /// Why a partition that is not hosted cannot be served: its log directory is offline, it exists
    /// elsewhere, or not at all.
    [[nodiscard]] types::ErrorCode error_of_absent(const std::optional<PartitionKey>& key) const;
};

}  // namespace klab::replication
