// SPDX-License-Identifier: Apache-2.0
//
// DeleteRecords: what a leader refuses, when it answers, what followers make of it. Kafka:
// Partition.deleteRecordsOnLeader, lowWatermarkIfLeader, DelayedDeleteRecords, KIP-107
// (DeleteRecordsRequestTest, ReplicaManagerTest, PlaintextAdminIntegrationTest have the cases).
#include "model/protocol/delete_records.h"

#include <gtest/gtest.h>

#include "model/replication/low_watermark.h"
#include "tests/replication/replica_rig.h"

namespace klab::replication {
namespace {

using protocol::DeleteRecordsPartitionResult;
using types::ErrorCode;
using types::Offset;

constexpr std::int32_t kTimeoutMs = 2'000;

class DeleteRecords : public ::testing::Test {
  protected:
    ReplicaRig rig{3};
    std::int32_t next = 1'000;

    void lead(std::initializer_list<std::int32_t> replicas,
              std::initializer_list<std::int32_t> isr) {
        rig.publish({1}, partition_of(replicas, isr, 1, 1, 1));
    }

    /// Asks broker 1 to delete records of some partitions of `topic`; returns the request's number.
    std::int32_t ask(std::vector<std::pair<std::int32_t, std::optional<std::int64_t>>> wanted,
                     const std::string& topic = "t") {
        protocol::DeleteRecordsRequest request;
        request.timeout_ms = kTimeoutMs;
        for (const auto& [partition, offset] : wanted) {
            request.partitions.push_back(
                {{topic, partition}, offset ? std::optional(Offset(*offset)) : std::nullopt});
        }
        const std::int32_t number = next++;
        rig.run_on(1, [&](RigNode& node, sim::Context& ctx) {
            Answers out;
            node.manager.delete_records(ctx, node.view(), {{}, number, ctx.cause()}, request, out);
            node.answers.insert(node.answers.end(), out.begin(), out.end());
        });
        return number;
    }

    std::optional<DeleteRecordsPartitionResult> deleted(std::int32_t number,
                                                        std::size_t place = 0) const {
        const auto answer = rig.answer(1, number);
        return answer ? std::optional(
                            answer->response.as<protocol::DeleteRecordsResponse>().partitions.at(
                                place))
                      : std::nullopt;
    }

    /// A follower's fetch that tells its own log start.
    void follower_fetches(std::int32_t follower,
                          std::int64_t offset,
                          std::int64_t log_start,
                          std::int32_t partition = 0) {
        protocol::FetchRequest request = replica_fetch(follower, offset);
        request.partitions[0].partition = partition;
        request.partitions[0].log_start_offset = Offset(log_start);
        rig.fetch(1, request);
    }

    Offset log_start() const { return rig.partition(1).log.log_start_offset(); }

    std::uint64_t parked() const { return rig.node(1).manager.purgatory().deletions(); }
};

TEST_F(DeleteRecords, ALoneLeaderAnswersAtOnce) {
    // There is nobody to wait for: the own log start is the low watermark.
    lead({1}, {1});
    rig.produce(1, {"a", "b", "c"});
    const auto result = deleted(ask({{0, 2}}));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->error, ErrorCode::kNone);
    EXPECT_EQ(result->low_watermark, Offset(2));
    EXPECT_EQ(log_start(), Offset(2));
    const auto raised = rig.events(types::events::kLogStartRaised, 1);
    ASSERT_EQ(raised.size(), 1U);
    EXPECT_EQ(rig.world().kernel().interner().text_of(raised[0].fields[3]),
              "client delete records request");
    const auto completed = rig.events(types::events::kDeleteRecordsCompleted, 1);
    ASSERT_EQ(completed.size(), 1U);
    EXPECT_EQ(completed[0].fields[1], 2);
    EXPECT_EQ(completed[0].fields[2], 2);
}

TEST_F(DeleteRecords, ReadsBelowTheLogStartAreOutOfRange) {
    lead({1}, {1});
    rig.produce(1, {"a", "b", "c"});
    ask({{0, 2}});
    EXPECT_EQ(rig.fetched(1, rig.fetch(1, consumer_fetch(1)))->error, ErrorCode::kOffsetOutOfRange);
    EXPECT_EQ(rig.fetched(1, rig.fetch(1, consumer_fetch(2)))->error, ErrorCode::kNone);
}

TEST_F(DeleteRecords, WithoutAnOffsetItIsTheHighWatermark) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b", "c"});
    follower_fetches(2, 2, 0);  // high watermark 2, log end 3
    const std::int32_t request = ask({{0, std::nullopt}});
    EXPECT_EQ(log_start(), Offset(2));
    follower_fetches(2, 3, 2);
    EXPECT_EQ(deleted(request)->low_watermark, Offset(2));
}

TEST_F(DeleteRecords, OffsetsOutsideAreRefused) {
    // Above the high watermark, though inside the log; and below 0.
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b", "c"});
    follower_fetches(2, 2, 0);
    EXPECT_EQ(deleted(ask({{0, 3}}))->error, ErrorCode::kOffsetOutOfRange);
    EXPECT_EQ(deleted(ask({{0, -2}}))->error, ErrorCode::kOffsetOutOfRange);
    EXPECT_EQ(deleted(ask({{0, -2}}))->low_watermark, std::nullopt);
    EXPECT_EQ(log_start(), Offset(0));
}

TEST_F(DeleteRecords, TheLogStartNeverFalls) {
    lead({1}, {1});
    rig.produce(1, {"a", "b", "c"});
    ask({{0, 2}});
    const auto result = deleted(ask({{0, 1}}));
    EXPECT_EQ(result->error, ErrorCode::kNone) << "what was asked for holds already";
    EXPECT_EQ(result->low_watermark, Offset(2));
    EXPECT_EQ(rig.events(types::events::kLogStartRaised).size(), 1U);
}

TEST_F(DeleteRecords, OnlyALeaderDeletes) {
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 1, 1));
    EXPECT_EQ(deleted(ask({{0, 0}}))->error, ErrorCode::kNotLeaderOrFollower);
    rig.publish({1}, partition_of({2, 3}, {2, 3}, 2, 2, 2));
    EXPECT_EQ(deleted(ask({{0, 0}}))->error, ErrorCode::kNotLeaderOrFollower) << "hosted elsewhere";
    EXPECT_EQ(deleted(ask({{7, 0}}))->error, ErrorCode::kUnknownTopicOrPartition);
    EXPECT_EQ(deleted(ask({{0, 0}}, "u"))->error, ErrorCode::kUnknownTopicOrPartition);
}

TEST(DeleteRecordsPolicy, ACompactedLogRefuses) {
    // Partition.deleteRecordsOnLeader: log.config.delete
    ReplicaRig rig(1,
                   types::rules_of(types::kDefaultVersion),
                   types::SettingMap{{"log.cleanup.policy", "compact"}});
    rig.publish({1}, partition_of({1}, {1}, 1));
    rig.produce(1, {"a"});
    ErrorCode error = ErrorCode::kNone;
    rig.run_on(1, [&](RigNode& node, sim::Context& ctx) {
        Answers out;
        node.manager.delete_records(
            ctx, node.view(), {}, protocol::DeleteRecordsRequest{{{{"t", 0}, Offset(1)}}}, out);
        error = out.at(0).response.as<protocol::DeleteRecordsResponse>().partitions.at(0).error;
    });
    EXPECT_EQ(error, ErrorCode::kPolicyViolation);
    EXPECT_EQ(rig.partition(1).log.log_start_offset(), Offset(0));
}

TEST_F(DeleteRecords, WaitsUntilEveryLiveReplicaHasFollowed) {
    // Broker 3 is in no ISR and counts all the same.
    lead({1, 2, 3}, {1, 2});
    rig.produce(1, {"a", "b", "c"});
    follower_fetches(2, 3, 0);
    follower_fetches(3, 3, 0);
    const std::int32_t request = ask({{0, 2}});
    EXPECT_EQ(log_start(), Offset(2)) << "the own log start rises at once";
    EXPECT_FALSE(deleted(request));
    follower_fetches(2, 3, 2);
    EXPECT_FALSE(deleted(request));
    follower_fetches(3, 3, 1);
    EXPECT_FALSE(deleted(request)) << "not far enough";
    follower_fetches(3, 3, 2);
    ASSERT_TRUE(deleted(request));
    EXPECT_EQ(deleted(request)->error, ErrorCode::kNone);
    EXPECT_EQ(deleted(request)->low_watermark, Offset(2));
    EXPECT_EQ(parked(), 0U);
}

TEST_F(DeleteRecords, ADeadReplicaDoesNotCount) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b"});
    follower_fetches(2, 2, 0);
    rig.change_registration(
        1, 2, [](metadata::BrokerRegistration& broker) { broker.fenced = true; });
    EXPECT_EQ(deleted(ask({{0, 2}}))->low_watermark, Offset(2));
}

TEST_F(DeleteRecords, TheDeathOfAReplicaWakesNobody) {
    // The low watermark is looked at around a fetch: it rose before, not by it.
    lead({1, 2, 3}, {1, 2, 3});
    rig.produce(1, {"a", "b"});
    follower_fetches(2, 2, 0);
    follower_fetches(3, 2, 0);
    const std::int32_t request = ask({{0, 2}});
    follower_fetches(2, 2, 2);
    rig.change_registration(
        1, 3, [](metadata::BrokerRegistration& broker) { broker.fenced = true; });
    EXPECT_FALSE(deleted(request));
    follower_fetches(2, 2, 2);
    EXPECT_FALSE(deleted(request));
    rig.produce(1, {"c"});
    follower_fetches(2, 3, 2);  // the ISR still has broker 3: no new high watermark
    EXPECT_FALSE(deleted(request));
    rig.run(milliseconds(kTimeoutMs + 1));
    EXPECT_EQ(deleted(request)->error, ErrorCode::kRequestTimedOut);
}

TEST_F(DeleteRecords, AReplicaThatHasNotFetchedYetIsWaitedFor) {
    lead({1, 2}, {1, 2});
    EXPECT_EQ(low_watermark(rig.partition(1), rig.node(1).image), std::nullopt);
    const std::int32_t request = ask({{0, 0}});
    EXPECT_FALSE(deleted(request)) << "0 is not below 0, but nobody knows its log start";
    follower_fetches(2, 0, 0);
    EXPECT_EQ(deleted(request)->low_watermark, Offset(0));
}

TEST_F(DeleteRecords, TimesOutAndStaysDeleted) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b"});
    follower_fetches(2, 2, 0);
    const std::int32_t request = ask({{0, 2}});
    rig.run(milliseconds(kTimeoutMs - 1));
    EXPECT_FALSE(deleted(request));
    rig.run(milliseconds(2));
    ASSERT_TRUE(deleted(request));
    EXPECT_EQ(deleted(request)->error, ErrorCode::kRequestTimedOut);
    EXPECT_EQ(deleted(request)->low_watermark, Offset(0)) << "as it was when the request came";
    EXPECT_EQ(log_start(), Offset(2));
    EXPECT_EQ(parked(), 0U);
    follower_fetches(2, 2, 2);  // the list of the partition still names it
    EXPECT_TRUE(rig.partition(1).parked_deletions.empty());
}

TEST_F(DeleteRecords, LosingLeadershipAnswers) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b"});
    follower_fetches(2, 2, 0);
    const std::int32_t request = ask({{0, 2}});
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 2, 2));
    EXPECT_EQ(deleted(request)->error, ErrorCode::kNotLeaderOrFollower);
    EXPECT_EQ(deleted(request)->low_watermark, std::nullopt);
}

TEST_F(DeleteRecords, ADeletedTopicAnswers) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b"});
    follower_fetches(2, 2, 0);
    const std::int32_t request = ask({{0, 2}});
    rig.publish_deletion(1);
    EXPECT_EQ(deleted(request)->error, ErrorCode::kUnknownTopicOrPartition);
}

TEST_F(DeleteRecords, OneAnswerForAllPartitions) {
    // One is done at once, one fails at once, one waits: the answer waits with it.
    lead({1}, {1});
    rig.publish_partition(1, 1, partition_of({1, 2}, {1, 2}, 1, 1, 1));
    rig.produce(1, {"a", "b"});
    const std::int32_t request = ask({{0, 2}, {9, 0}, {1, 0}});
    EXPECT_FALSE(deleted(request));
    EXPECT_EQ(log_start(), Offset(2));
    follower_fetches(2, 0, 0, 1);
    ASSERT_TRUE(deleted(request));
    EXPECT_EQ(deleted(request, 0)->error, ErrorCode::kNone);
    EXPECT_EQ(deleted(request, 0)->low_watermark, Offset(2));
    EXPECT_EQ(deleted(request, 1)->error, ErrorCode::kUnknownTopicOrPartition);
    EXPECT_EQ(deleted(request, 2)->error, ErrorCode::kNone);
    EXPECT_EQ(deleted(request, 2)->low_watermark, Offset(0));
}

TEST(DeleteRecordsBetweenBrokers, AFollowerHearsOfItWithItsNextAnswer) {
    // A raised log start wakes no parked fetch: the follower hears of it when that one is over,
    // and tells its own log start with the fetch after that.
    ReplicaRig rig(2);
    rig.publish({1, 2}, partition_of({1, 2}, {1, 2}, 1));
    rig.produce(1, {"a", "b", "c"});
    rig.run(milliseconds(50));
    ASSERT_EQ(rig.end(2), 3);
    rig.run(seconds(2));
    rig.run_on(1, [](RigNode& node, sim::Context& ctx) {
        Answers out;
        node.manager.delete_records(ctx,
                                    node.view(),
                                    {{}, 77, ctx.cause()},
                                    protocol::DeleteRecordsRequest{{{{"t", 0}, Offset(2)}}},
                                    out);
        EXPECT_TRUE(out.empty());
    });
    EXPECT_EQ(rig.partition(2).log.log_start_offset(), Offset(0));
    rig.run(milliseconds(550));
    EXPECT_EQ(rig.partition(2).log.log_start_offset(), Offset(2));
    const auto answer = rig.answer(1, 77);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->response.as<protocol::DeleteRecordsResponse>().partitions[0].low_watermark,
              Offset(2));
    const auto raised = rig.events(types::events::kLogStartRaised, 2);
    ASSERT_EQ(raised.size(), 1U);
    EXPECT_EQ(rig.world().kernel().interner().text_of(raised[0].fields[3]),
              "leader offset increment");
}

}  // namespace
}  // namespace klab::replication
