// SPDX-License-Identifier: Apache-2.0
//
// How a change record alters a partition.
#include "model/metadata/partition_registration.h"

#include <gtest/gtest.h>

namespace klab::metadata {
namespace {

PartitionRegistration three_replicas() {
    PartitionRegistration partition;
    partition.replicas = {types::BrokerId(1), types::BrokerId(2), types::BrokerId(3)};
    partition.directories = {types::Uuid{1, 1}, types::Uuid{2, 2}, types::Uuid{3, 3}};
    partition.isr = partition.replicas;
    partition.leader = types::BrokerId(1);
    partition.leader_epoch = types::LeaderEpoch(4);
    partition.partition_epoch = types::PartitionEpoch(9);
    return partition;
}

TEST(PartitionRegistration, KeepsEverythingButThePartitionEpochOnAnEmptyChange) {
    PartitionRegistration expected = three_replicas();
    expected.partition_epoch = types::PartitionEpoch(10);
    EXPECT_EQ(merge(three_replicas(), PartitionChangeRecord{}), expected);
}

TEST(PartitionRegistration, RaisesTheLeaderEpochEvenForTheSameLeader) {
    PartitionChangeRecord change;
    change.leader = LeaderChange{types::BrokerId(1)};
    const PartitionRegistration next = merge(three_replicas(), change);
    EXPECT_EQ(next.leader, types::BrokerId(1));
    EXPECT_EQ(next.leader_epoch, types::LeaderEpoch(5));
}

TEST(PartitionRegistration, RaisesTheLeaderEpochWhenItLosesItsLeader) {
    PartitionChangeRecord change;
    change.leader = LeaderChange{};
    const PartitionRegistration next = merge(three_replicas(), change);
    EXPECT_EQ(next.leader, std::nullopt);
    EXPECT_EQ(next.leader_epoch, types::LeaderEpoch(5));
}

TEST(PartitionRegistration, KeepsTheLeaderEpochOnAnIsrChange) {
    PartitionChangeRecord change;
    change.isr = BrokerIds{types::BrokerId(1)};
    const PartitionRegistration next = merge(three_replicas(), change);
    EXPECT_EQ(next.isr, BrokerIds{types::BrokerId(1)});
    EXPECT_EQ(next.leader_epoch, types::LeaderEpoch(4));
    EXPECT_EQ(next.partition_epoch, types::PartitionEpoch(10));
}

TEST(PartitionRegistration, CarriesDirectoriesOfReplicasThatStay) {
    PartitionChangeRecord change;
    change.replicas = BrokerIds{types::BrokerId(3), types::BrokerId(4)};
    const PartitionRegistration next = merge(three_replicas(), change);
    EXPECT_EQ(next.directories, (std::vector<types::Uuid>{{3, 3}, kDirectoryUnassigned}));
}

TEST(PartitionRegistration, ComesBackFromItsOwnRecord) {
    PartitionRegistration partition = three_replicas();
    partition.elr = {types::BrokerId(2)};
    EXPECT_EQ(make_partition(to_record(partition, TopicIdPartition{{5, 5}, 0})), partition);
}

TEST(PartitionRegistration, ReadsMissingDirectoriesAsMigrating) {
    PartitionRecord record;
    record.replicas = {types::BrokerId(1), types::BrokerId(2)};
    EXPECT_EQ(make_partition(record).directories,
              (std::vector<types::Uuid>{kDirectoryMigrating, kDirectoryMigrating}));
}

}  // namespace
}  // namespace klab::metadata
