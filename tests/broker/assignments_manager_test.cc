// SPDX-License-Identifier: Apache-2.0
//
// When a broker tells the controller where its replicas are. After AssignmentsManagerTest and
// AssignmentsManagerDeadlineFunctionTest.
#include "model/broker/assignments_manager.h"

#include <gtest/gtest.h>

#include "tests/broker/broker_rig.h"

namespace klab::broker {
namespace {

using protocol::AssignReplicasToDirsRequest;
using protocol::AssignReplicasToDirsResponse;
using types::ErrorCode;

constexpr types::Uuid kTopic{1, 2};
constexpr types::Uuid kFirstDir{7, 1};
constexpr types::Uuid kSecondDir{7, 2};

/// Broker 1 with a topic of four partitions, three of them placed here.
metadata::MetadataImage image() {
    metadata::MetadataImage made;
    metadata::BrokerRegistration self;
    self.id = types::BrokerId(1);
    self.epoch = types::BrokerEpoch(50);
    made.brokers.insert_or_assign(self.id, Cow<metadata::BrokerRegistration>(self));
    metadata::TopicImage topic;
    topic.name = "t";
    topic.id = kTopic;
    for (const std::int32_t index : {0, 1, 2, 3}) {
        metadata::PartitionRegistration partition;
        partition.replicas = {types::BrokerId(index == 3 ? 2 : 1)};
        topic.partitions.insert_or_assign(index, metadata::PartitionRef(partition));
    }
    made.topic_ids.insert_or_assign("t", kTopic);
    made.topics.insert_or_assign(kTopic, Cow<metadata::TopicImage>(topic));
    return made;
}

class Assignments : public testing::Test {
  protected:
    Assignments() {
        rig_.with_parts([](Parts& parts, sim::Context&) { parts.image = image(); });
    }

    void assign(std::int32_t partition, const types::Uuid& directory) {
        rig_.with_parts([&](Parts& parts, sim::Context& ctx) {
            parts.assignments.on_assignment(ctx, {directory, kTopic, partition});
        });
    }

    [[nodiscard]] std::vector<AssignReplicasToDirsRequest> sent() const {
        return rig_.heard_of<AssignReplicasToDirsRequest>("k1");
    }

    void answer(ErrorCode error, std::vector<ErrorCode> each = {}) {
        AssignReplicasToDirsResponse response;
        response.error = error;
        for (std::size_t i = 0; i < each.size(); ++i) {
            response.replicas.push_back({sent().back().replicas[i], each[i]});
        }
        rig_.reply("k1", response);
        rig_.run(milliseconds(5));
    }

    [[nodiscard]] std::size_t pending() const { return rig_.parts().assignments.pending(); }

    BrokerRig rig_;
};

TEST_F(Assignments, GoOutTogetherAMomentAfterTheFirst) {
    assign(0, kFirstDir);
    rig_.run(milliseconds(60));
    assign(1, kSecondDir);
    EXPECT_TRUE(sent().empty());
    rig_.run(milliseconds(60));
    ASSERT_EQ(sent().size(), 1U);
    EXPECT_EQ(sent()[0].broker_epoch, types::BrokerEpoch(50));
    EXPECT_EQ(sent()[0].replicas,
              (std::vector<protocol::DirectoryAssignment>{{kFirstDir, kTopic, 0},
                                                          {kSecondDir, kTopic, 1}}));
    EXPECT_EQ(pending(), 2U);
    answer(ErrorCode::kNone, {ErrorCode::kNone, ErrorCode::kNone});
    EXPECT_EQ(pending(), 0U);
}

TEST_F(Assignments, OneRequestIsOutAtATime) {
    assign(0, kFirstDir);
    rig_.run(milliseconds(150));
    assign(1, kFirstDir);
    rig_.run(milliseconds(500));
    EXPECT_EQ(sent().size(), 1U);
    answer(ErrorCode::kNone, {ErrorCode::kNone});
    rig_.run(milliseconds(120));
    ASSERT_EQ(sent().size(), 2U);
    EXPECT_EQ(sent()[1].replicas.size(), 1U);
}

TEST_F(Assignments, TheNewestOfAReplicaCounts) {
    assign(0, kFirstDir);
    assign(0, kSecondDir);
    rig_.run(milliseconds(150));
    ASSERT_EQ(sent().size(), 1U);
    EXPECT_EQ(sent()[0].replicas,
              (std::vector<protocol::DirectoryAssignment>{{kSecondDir, kTopic, 0}}));
}

TEST_F(Assignments, ReplicasThatAreNotHereAnyMoreAreDropped) {
    assign(3, kFirstDir);  // of broker 2
    assign(9, kFirstDir);  // there is no such partition
    rig_.run(seconds(1));
    EXPECT_TRUE(sent().empty());
    EXPECT_EQ(pending(), 0U);
}

TEST_F(Assignments, ARefusedReplicaIsTriedAgainAlone) {
    assign(0, kFirstDir);
    assign(1, kFirstDir);
    rig_.run(milliseconds(150));
    answer(ErrorCode::kNone, {ErrorCode::kNone, ErrorCode::kUnknownServerError});
    EXPECT_EQ(pending(), 1U);
    rig_.run(milliseconds(120));
    ASSERT_EQ(sent().size(), 2U);
    EXPECT_EQ(sent()[1].replicas,
              (std::vector<protocol::DirectoryAssignment>{{kFirstDir, kTopic, 1}}));
}

TEST_F(Assignments, PausesGrowWhileRequestsFail) {
    assign(0, kFirstDir);
    rig_.run(milliseconds(150));
    for (const std::int64_t pause : {200, 400, 800}) {
        const std::size_t before = sent().size();
        answer(ErrorCode::kStaleBrokerEpoch);
        rig_.run(milliseconds(pause - 20));
        EXPECT_EQ(sent().size(), before) << pause;
        rig_.run(milliseconds(40));
        EXPECT_EQ(sent().size(), before + 1) << pause;
    }
    answer(ErrorCode::kNone, {ErrorCode::kNone});
    EXPECT_EQ(pending(), 0U);
}

}  // namespace
}  // namespace klab::broker
