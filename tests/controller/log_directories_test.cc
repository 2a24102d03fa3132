// SPDX-License-Identifier: Apache-2.0
//
// What the controller knows of log directories: where replicas are, which directories failed
// (KIP-858). After ReplicationControlManagerTest.testHandleAssignReplicasToDirs and
// testHandleDirectoryFailure.
#include <gtest/gtest.h>

#include "model/controller/replica_directories.h"
#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

using protocol::AssignReplicasToDirsRequest;
using protocol::AssignReplicasToDirsResponse;

types::Uuid dir(int broker, int number) {
    return {3000 + static_cast<std::uint64_t>(broker), static_cast<std::uint64_t>(number)};
}

/// Brokers 1 to 3 with two directories each, unfenced; t-0 on all of them, t-1 led by 2.
class LogDirectories : public testing::Test {
  protected:
    LogDirectories() {
        for (const int id : {1, 2, 3}) {
            lab_.register_broker(id, 100 + id, {dir(id, 1), dir(id, 2)});
        }
        lab_.unfence({1, 2, 3});
        lab_.create("t", {ids({1, 2, 3}), ids({2, 3, 1})});
    }

    AssignReplicasToDirsResponse assign(int broker_id, int partition, const types::Uuid& to) {
        AssignReplicasToDirsRequest request;
        request.broker_id = broker(broker_id);
        request.broker_epoch = lab_.epoch_of(broker_id);
        request.replicas.push_back({to, lab_.id_of("t", partition).topic_id, partition});
        return assign(request);
    }

    AssignReplicasToDirsResponse assign(const AssignReplicasToDirsRequest& request) {
        const auto decision = decide_assign_replicas(lab_.view(), request);
        lab_.write(decision.records);
        return decision.result;
    }

    void report_offline(int id, std::vector<types::Uuid> offline) {
        protocol::BrokerHeartbeatRequest request = lab_.heartbeat_of(id);
        request.offline_log_dirs = std::move(offline);
        EXPECT_EQ(lab_.heartbeat(request).response.error, ErrorCode::kNone);
    }

    ControllerLab lab_;
};

TEST_F(LogDirectories, ABrokerWithSeveralChoosesByItself) {
    EXPECT_EQ(lab_.partition("t").directories,
              std::vector<types::Uuid>(3, metadata::kDirectoryUnassigned));
}

TEST_F(LogDirectories, AnAssignmentChangesOneReplicaAndNoLeaderEpoch) {
    const auto before = lab_.partition("t");
    const auto answer = assign(2, 0, dir(2, 1));
    ASSERT_EQ(answer.replicas.size(), 1U);
    EXPECT_EQ(answer.replicas[0].error, ErrorCode::kNone);
    const auto& after = lab_.partition("t");
    EXPECT_EQ(after.directory_of(broker(2)), dir(2, 1));
    EXPECT_EQ(after.directory_of(broker(1)), metadata::kDirectoryUnassigned);
    EXPECT_EQ(after.leader_epoch, before.leader_epoch);
    EXPECT_EQ(after.partition_epoch, before.partition_epoch.next());
    EXPECT_EQ(lab_.state.partitions.in_directory(dir(2, 1)),
              (std::vector<TopicIdPartition>{lab_.id_of("t", 0)}));
}

TEST_F(LogDirectories, WhatIsKnownAlreadyMakesNoRecord) {
    assign(2, 0, dir(2, 1));
    const auto epoch = lab_.partition("t").partition_epoch;
    EXPECT_EQ(assign(2, 0, dir(2, 1)).replicas[0].error, ErrorCode::kNone);
    EXPECT_EQ(lab_.partition("t").partition_epoch, epoch);
}

TEST_F(LogDirectories, AssignmentsOfOthersAreRefused) {
    AssignReplicasToDirsRequest request;
    request.broker_id = broker(1);
    request.broker_epoch = lab_.epoch_of(1);
    request.replicas = {{dir(1, 1), {9, 9}, 0}, {dir(1, 1), lab_.id_of("t", 0).topic_id, 7}};
    auto answer = assign(request);
    EXPECT_EQ(answer.replicas[0].error, ErrorCode::kUnknownTopicId);
    EXPECT_EQ(answer.replicas[1].error, ErrorCode::kUnknownTopicOrPartition);
    lab_.create("u", {ids({2, 3})});
    request.replicas = {{dir(1, 1), lab_.id_of("u", 0).topic_id, 0}};
    EXPECT_EQ(assign(request).replicas[0].error, ErrorCode::kNotLeaderOrFollower);
    request.broker_epoch = types::BrokerEpoch(7);
    answer = assign(request);
    EXPECT_EQ(answer.error, ErrorCode::kStaleBrokerEpoch);
    EXPECT_TRUE(answer.replicas.empty());
}

TEST_F(LogDirectories, AFailedDirectoryCostsItsReplicasTheirPlaces) {
    assign(1, 0, dir(1, 1));
    assign(1, 1, dir(1, 2));
    report_offline(1, {dir(1, 1)});
    EXPECT_EQ(lab_.partition("t", 0).leader, broker(2));
    EXPECT_EQ(lab_.partition("t", 0).isr, ids({2, 3}));
    EXPECT_EQ(lab_.partition("t", 1).isr, ids({2, 3, 1})) << "it lies in the other directory";
    EXPECT_EQ(lab_.state.image.broker(broker(1))->log_dirs, std::vector<types::Uuid>{dir(1, 2)});
    EXPECT_TRUE(lab_.state.is_active(broker(1))) << "the broker itself goes on";
}

TEST_F(LogDirectories, ASecondReportOfTheSameIsNoNews) {
    assign(1, 0, dir(1, 1));
    report_offline(1, {dir(1, 1)});
    report_offline(1, {dir(1, 1)});
    EXPECT_TRUE(lab_.last_records.empty());
}

TEST_F(LogDirectories, AReplicaInAFailedDirectoryIsNotElected) {
    assign(2, 0, dir(2, 1));
    report_offline(2, {dir(2, 1)});
    lab_.fence({1});
    EXPECT_EQ(lab_.partition("t").leader, broker(3)) << "2 comes first and cannot";
    lab_.fence({3});
    EXPECT_EQ(lab_.partition("t").leader, std::nullopt);
}

TEST_F(LogDirectories, AssignedToAFailedDirectoryItIsLostAtOnce) {
    // The directory failed between the creation of the replica and the word of where it is.
    report_offline(1, {dir(1, 1)});
    EXPECT_EQ(lab_.partition("t").leader, broker(1)) << "nobody knows where its replica is";
    assign(1, 0, dir(1, 1));
    EXPECT_EQ(lab_.partition("t").leader, broker(2));
    EXPECT_EQ(lab_.partition("t").isr, ids({2, 3}));
}

TEST_F(LogDirectories, BeforeMetadataVersion37NothingIsKnown) {
    lab_.write({metadata::FeatureLevelRecord{std::string(metadata::kMetadataVersionFeature), 14}});
    const auto before = lab_.partition("t");
    report_offline(1, {dir(1, 1)});
    EXPECT_EQ(lab_.partition("t"), before);
    AssignReplicasToDirsRequest request;
    request.broker_id = broker(1);
    request.broker_epoch = lab_.epoch_of(1);
    EXPECT_EQ(assign(request).error, ErrorCode::kUnsupportedVersion);
}

TEST_F(LogDirectories, RegistrationsWithoutDirectoriesSayNothing) {
    // KAFKA-16162: registered under an old metadata.version; its replicas may lead.
    metadata::BrokerRegistration broker;
    EXPECT_TRUE(broker.has_online_dir(dir(1, 1)));
    broker.log_dirs = {dir(1, 2)};
    EXPECT_FALSE(broker.has_online_dir(dir(1, 1)));
    EXPECT_TRUE(broker.has_online_dir(dir(1, 2)));
    EXPECT_TRUE(broker.has_online_dir(metadata::kDirectoryUnassigned));
    EXPECT_TRUE(broker.has_online_dir(metadata::kDirectoryMigrating));
    EXPECT_FALSE(broker.has_online_dir(metadata::kDirectoryLost));
}

}  // namespace
}  // namespace klab::controller
