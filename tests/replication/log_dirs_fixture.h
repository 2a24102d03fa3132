// SPDX-License-Identifier: Apache-2.0
//
// A broker with log directories, reduced to its data plane; the test plays the controller and the
// disks. By default /a and /b, and a place of its own for the metadata log.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/replication/log_directories.h"
#include "tests/replication/replica_rig.h"

namespace klab::replication {

using types::ErrorCode;

class LogDirs : public testing::Test {
  protected:
    [[nodiscard]] static types::SettingMap dirs(const std::string& paths) {
        return {{"log.dirs", paths}, {"metadata.log.dir", "/meta"}};
    }

    /// One broker with directories /a and /b; the metadata log has a place of its own.
    ReplicaRig rig_{1, types::rules_of(types::kDefaultVersion), dirs("/a,/b")};

    void publish(std::int32_t index, std::vector<types::Uuid> directories = {}) {
        RigPartition partition = partition_of({1}, {1}, 1);
        partition.directories = std::move(directories);
        rig_.publish_partition(1, index, partition);
    }

    [[nodiscard]] const ReplicaManager& manager() const { return rig_.node(1).manager; }

    [[nodiscard]] const sim::Disk& disk() const {
        return rig_.world().kernel().slot(ReplicaRig::node_id(1)).disk;
    }

    [[nodiscard]] sim::Disk& disk_for_write() {
        return rig_.world().kernel().slot_for_write(ReplicaRig::node_id(1)).disk;
    }

    [[nodiscard]] std::string directory_of(std::int32_t index) const {
        const Partition* found = manager().find(PartitionKey{kRigTopic, index});
        return found == nullptr ? "" : found->log.directory();
    }

    [[nodiscard]] types::Uuid id_of(const std::string& path) const {
        return *manager().directories().find(path)->id;
    }

    void break_disk(const std::string& path,
                    sim::DiskFaultKind kind = sim::DiskFaultKind::kWriteError) {
        disk_for_write().add_fault({.kind = kind, .path = path});
    }

    [[nodiscard]] ErrorCode produce(std::int32_t index) {
        const Bytes batch = storage::batch_of({"x"}, rig_.world().time().to_ms());
        const std::int32_t number = rig_.produce_bytes(1, batch, 1, index);
        return rig_.produced(1, number)->error;
    }

    void stop(std::int64_t broker_epoch) {
        rig_.run_on(1, [&](RigNode& node, sim::Context& ctx) {
            node.manager.shutdown(ctx, types::BrokerEpoch(broker_epoch));
        });
        crash();
    }

    /// The process dies after all its calls of the disk are done.
    void crash() {
        rig_.run(seconds(1));
        rig_.crash(1);
    }

    void copy_file(const std::string& from, const std::string& to) {
        sim::Disk& disk = disk_for_write();
        const sim::FileId source = disk.open(from).value();
        const Bytes bytes = disk.read(source, 0, disk.size(source).value()).value();
        const sim::FileId target = disk.create(to, {}).value();
        ASSERT_TRUE(disk.append(target, bytes, {}).ok());
    }

    /// What a process finds that opens the directories anew.
    [[nodiscard]] Result<OpenedLogDirs, StartError> open_again() {
        Result<OpenedLogDirs, StartError> opened = Error{StartError::kNoneOnline};
        rig_.run_on(1, [&](RigNode& node, sim::Context& ctx) {
            node.manager = ReplicaManager(node.manager.options());
            node.has_published = false;
            opened = node.manager.open_log_dirs(ctx);
        });
        return opened;
    }

    /// The first metadata of a process, with which it loads its logs.
    [[nodiscard]] std::optional<StartError> load() {
        rig_.publish_again(1);
        return rig_.node(1).start_error;
    }
};

}  // namespace klab::replication
