// SPDX-License-Identifier: Apache-2.0
//
// Rows TC20 to TC28 of the vectors: reassignments started, listed, taken back and completed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/controller/broker_unregistration.h"
#include "model/controller/leader_elections.h"
#include "model/controller/reassignment.h"
#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReassignmentRows : public ::testing::Test {
  protected:
    void SetUp() override {
        lab.register_brokers({0, 1, 2, 3, 4});
        lab.unfence({0, 1, 2, 3, 4});
    }

    static protocol::ReassignedPartition to(const std::string& topic,
                                            int index,
                                            std::initializer_list<int> replicas) {
        return {{topic, index}, ids(replicas)};
    }

    static protocol::ReassignedPartition back(const std::string& topic, int index) {
        return {{topic, index}, std::nullopt};
    }

    std::vector<ErrorCode> alter(const std::vector<protocol::ReassignedPartition>& partitions,
                                 bool may_change_replication_factor = true) {
        const auto decision =
            decide_alter_reassignments(lab.view(), {may_change_replication_factor, partitions});
        lab.last_records = decision.records;
        lab.write(decision.records);
        std::vector<ErrorCode> errors;
        for (const protocol::NamedResult& result : decision.result.partitions) {
            errors.push_back(result.error);
        }
        return errors;
    }

    [[nodiscard]] std::vector<protocol::OngoingReassignment> ongoing() const {
        return list_reassignments(lab.state.image, {}).partitions;
    }

    const PartitionRegistration& part(const std::string& topic, int index = 0) {
        return lab.partition(topic, index);
    }

    ErrorCode propose(int sender,
                      const std::string& topic,
                      int index,
                      std::initializer_list<int> isr) {
        const auto response = lab.alter(lab.proposal(sender, topic, index, isr));
        return response.error != ErrorCode::kNone ? response.error
                                                  : response.partitions.front().error;
    }

    void start_tc20() {
        lab.create("foo", {ids({1, 2, 3}), ids({3, 2, 1})});
        lab.create("bar", {ids({1, 2, 3})});
        EXPECT_THAT(
            alter({to("foo", 0, {3, 2, 1}), to("foo", 1, {0, 2, 1}), to("foo", 2, {0, 2, 1})}),
            ElementsAre(ErrorCode::kNone, ErrorCode::kNone, ErrorCode::kUnknownTopicOrPartition));
    }

    ControllerLab lab;
};

TEST_F(ReassignmentRows, TC20_AReorderIsDoneAtOnceAMoveIsListed) {
    start_tc20();
    EXPECT_EQ(part("foo", 0).replicas, ids({3, 2, 1}));
    EXPECT_EQ(part("foo", 0).leader_epoch, types::LeaderEpoch(0));
    ASSERT_EQ(ongoing().size(), 1U);
    const protocol::OngoingReassignment expected{{"foo", 1}, ids({0, 2, 1, 3}), ids({0}), ids({3})};
    EXPECT_EQ(ongoing().front(), expected);
}

TEST_F(ReassignmentRows, TC21_OnlyAMoveUnderWayIsTakenBack) {
    start_tc20();
    EXPECT_THAT(alter({back("foo", 0), back("foo", 1), back("foo", 2), back("bar", 0)}),
                ElementsAre(ErrorCode::kNoReassignmentInProgress,
                            ErrorCode::kNone,
                            ErrorCode::kUnknownTopicOrPartition,
                            ErrorCode::kNoReassignmentInProgress));
    ASSERT_EQ(lab.last_records.size(), 1U);
    const auto& record = std::get<metadata::PartitionChangeRecord>(lab.last_records.front());
    EXPECT_EQ(record.replicas, ids({2, 1, 3}));
    EXPECT_EQ(record.leader, metadata::LeaderChange{broker(3)});
    EXPECT_EQ(record.adding_replicas, BrokerIds{});
    EXPECT_EQ(record.removing_replicas, BrokerIds{});
    EXPECT_EQ(record.isr, std::nullopt);
    EXPECT_THAT(ongoing(), IsEmpty());
}

TEST_F(ReassignmentRows, TC22_TheLeaderThatGoesLearnsThatAnotherWasElected) {
    start_tc20();
    EXPECT_EQ(propose(3, "foo", 1, {3, 0, 2, 1}), ErrorCode::kNewLeaderElected);
    EXPECT_EQ(part("foo", 1).replicas, ids({0, 2, 1}));
    EXPECT_EQ(part("foo", 1).isr, ids({0, 2, 1}));
    EXPECT_EQ(part("foo", 1).leader, broker(0));
    EXPECT_THAT(ongoing(), IsEmpty());
}

TEST_F(ReassignmentRows, TC23_TheReplicationFactorMayBeKept) {
    lab.create("foo", {ids({0, 1, 2})});
    EXPECT_THAT(alter({to("foo", 0, {0, 1})}, false),
                ElementsAre(ErrorCode::kInvalidReplicationFactor));
    EXPECT_THAT(alter({to("foo", 0, {0, 1, 2, 3})}, false),
                ElementsAre(ErrorCode::kInvalidReplicationFactor));
    EXPECT_THAT(lab.last_records, IsEmpty());
    EXPECT_THAT(alter({to("foo", 0, {1, 2, 3})}, false), ElementsAre(ErrorCode::kNone));
    EXPECT_THAT(alter({to("foo", 0, {0, 2, 3})}, false), ElementsAre(ErrorCode::kNone));
    EXPECT_THAT(alter({to("foo", 0, {0, 2})}, false),
                ElementsAre(ErrorCode::kInvalidReplicationFactor));
}

TEST_F(ReassignmentRows, TC24_DroppingReplicasWhenTheRestIsInSyncIsDoneAtOnce) {
    lab.create("foo", {ids({1, 2, 3, 4})});
    lab.fence({3});
    EXPECT_EQ(part("foo").isr, ids({1, 2, 4}));
    EXPECT_EQ(part("foo").partition_epoch, types::PartitionEpoch(1));
    EXPECT_THAT(alter({to("foo", 0, {1, 2, 4})}), ElementsAre(ErrorCode::kNone));
    EXPECT_EQ(part("foo").replicas, ids({1, 2, 4}));
    EXPECT_EQ(part("foo").leader_epoch, types::LeaderEpoch(1));
    EXPECT_EQ(part("foo").partition_epoch, types::PartitionEpoch(2));
    EXPECT_THAT(ongoing(), IsEmpty());
}

TEST_F(ReassignmentRows, TC25_ANewOrderWithAReplicaOutOfSync) {
    lab.create("foo", {ids({0, 1, 2, 3})});
    lab.fence({3});
    EXPECT_THAT(alter({to("foo", 0, {1, 2, 3, 0})}), ElementsAre(ErrorCode::kNone));
    EXPECT_EQ(part("foo").replicas, ids({1, 2, 3, 0}));
    EXPECT_EQ(part("foo").isr, ids({0, 1, 2}));
    EXPECT_EQ(part("foo").leader, broker(0));
    EXPECT_EQ(part("foo").leader_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(part("foo").partition_epoch, types::PartitionEpoch(2));
}

TEST_F(ReassignmentRows, TC26_TargetsThatCannotBe) {
    lab.create("foo", {ids({1, 2, 3})});
    EXPECT_THAT(alter({to("foo", 0, {5, 6, 7}), to("foo", 0, {}), to("foo", 0, {1, 1})}),
                ElementsAre(ErrorCode::kInvalidReplicaAssignment,
                            ErrorCode::kInvalidReplicaAssignment,
                            ErrorCode::kInvalidReplicaAssignment));
    EXPECT_THAT(lab.last_records, IsEmpty());
}

TEST_F(ReassignmentRows, TC27_ItWaitsForEveryReplicaAndCanBeTakenBack) {
    lab.create("bar", {ids({4, 3, 2})});
    lab.fence({3});
    EXPECT_THAT(alter({to("bar", 0, {1, 2, 3, 4, 0})}), ElementsAre(ErrorCode::kNone));
    EXPECT_EQ(part("bar").adding_replicas, ids({0, 1}));
    EXPECT_EQ(part("bar").leader_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(part("bar").partition_epoch, types::PartitionEpoch(2));
    const ControllerState before = lab.state;

    EXPECT_EQ(propose(4, "bar", 0, {4, 1, 2, 0}), ErrorCode::kNone);
    EXPECT_EQ(part("bar").partition_epoch, types::PartitionEpoch(3));
    EXPECT_EQ(ongoing().size(), 1U);  // 3 is missing

    lab.state = before;
    EXPECT_THAT(alter({back("bar", 0)}), ElementsAre(ErrorCode::kNone));
    EXPECT_EQ(part("bar").replicas, ids({2, 3, 4}));
    EXPECT_EQ(part("bar").isr, ids({4, 2}));
    EXPECT_EQ(part("bar").leader, broker(4));
    EXPECT_EQ(part("bar").leader_epoch, types::LeaderEpoch(1));
    EXPECT_EQ(part("bar").partition_epoch, types::PartitionEpoch(3));
}

TEST_F(ReassignmentRows, TC28_OneMoveReplacesAnother) {
    lab.register_brokers({5});
    lab.unfence({5});
    lab.create("foo", {ids({0, 1})});
    alter({to("foo", 0, {2, 3})});
    EXPECT_EQ(part("foo").adding_replicas, ids({2, 3}));
    EXPECT_EQ(part("foo").removing_replicas, ids({0, 1}));
    EXPECT_EQ(propose(0, "foo", 0, {0, 1, 2}), ErrorCode::kNone);
    protocol::ElectLeadersRequest elect;
    elect.partitions = {{"foo", 0}};
    lab.write(decide_elect_leaders(lab.view(), elect).records);
    EXPECT_EQ(part("foo").leader, broker(2));

    EXPECT_THAT(alter({to("foo", 0, {4, 5})}), ElementsAre(ErrorCode::kNone));
    EXPECT_EQ(part("foo").replicas, ids({4, 5, 0, 1, 2, 3}));
    EXPECT_EQ(part("foo").adding_replicas, ids({4, 5}));
    EXPECT_EQ(part("foo").removing_replicas, ids({0, 1, 2, 3}));
    EXPECT_EQ(part("foo").leader, broker(2));
    EXPECT_EQ(propose(2, "foo", 0, {0, 1, 2, 3, 4, 5}), ErrorCode::kNewLeaderElected);
    EXPECT_EQ(part("foo").leader, broker(4));
    EXPECT_EQ(part("foo").replicas, ids({4, 5}));
}

// When nobody of the old replicas is in sync, taking a move back is an unclean election.
TEST_F(ReassignmentRows, TakenBackUncleanlyOnlyWhereTheTopicAllowsIt) {
    lab.create("foo", {ids({0, 1})});
    alter({to("foo", 0, {2, 3})});
    EXPECT_EQ(propose(0, "foo", 0, {0, 1, 2}), ErrorCode::kNone);
    lab.fence({0, 1});
    EXPECT_EQ(part("foo").isr, ids({2}));
    EXPECT_THAT(alter({back("foo", 0)}), ElementsAre(ErrorCode::kInvalidReplicaAssignment));
    lab.set_topic_config("foo", "unclean.leader.election.enable", "true");
    lab.unfence({1});
    EXPECT_THAT(alter({back("foo", 0)}), ElementsAre(ErrorCode::kNone));
    EXPECT_EQ(part("foo").replicas, ids({0, 1}));
    EXPECT_EQ(part("foo").recovery, metadata::LeaderRecoveryState::kRecovering);
    EXPECT_EQ(part("foo").leader, broker(1));
}

// A new replica on a broker with one directory is placed there; the others keep theirs.
TEST_F(ReassignmentRows, DirectoriesMoveWithTheirReplicas) {
    lab.create("foo", {ids({0, 1})});
    alter({to("foo", 0, {2, 0})});
    ASSERT_EQ(part("foo").directories.size(), 3U);
    EXPECT_EQ(part("foo").directory_of(broker(2)), (types::Uuid{2000, 2}));
    EXPECT_EQ(part("foo").directory_of(broker(0)), (types::Uuid{2000, 0}));
    EXPECT_EQ(part("foo").directory_of(broker(1)), (types::Uuid{2000, 1}));
}

TEST_F(ReassignmentRows, AnUnregisteredBrokerLeavesTheIsrsAndCannotComeBack) {
    lab.create("foo", {ids({0, 1})});
    const auto decision = decide_unregister_broker(lab.view(), {broker(0)});
    EXPECT_EQ(decision.result.result.error, ErrorCode::kNone);
    lab.write(decision.records);
    EXPECT_EQ(part("foo").isr, ids({1}));
    EXPECT_EQ(part("foo").leader, broker(1));
    EXPECT_EQ(part("foo").replicas, ids({0, 1}));
    EXPECT_EQ(lab.state.image.broker(broker(0)), nullptr);
    EXPECT_EQ(decide_unregister_broker(lab.view(), {broker(0)}).result.result.error,
              ErrorCode::kBrokerIdNotRegistered);
}

}  // namespace
}  // namespace klab::controller
