// SPDX-License-Identifier: Apache-2.0
//
// Fetching and handing out of records: one request a broker, what each error does, how much a poll
// returns. Kafka: FetcherTest, FetchCollectorTest.
#include <gtest/gtest.h>

#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

using types::ErrorCode;
namespace events = types::events;

ClientRig reading(types::SettingMap config = {},
                  std::int32_t brokers = 2,
                  Duration work = {},
                  const types::Rules& rules = types::rules_of(types::kDefaultVersion)) {
    config.emplace("auto.offset.reset", "earliest");
    types::ClientSpec spec = consumer_spec(std::move(config));
    spec.work_per_record = work;
    ClientRig rig(spec, brokers, 1, rules);
    rig.start();
    rig.run(milliseconds(200));
    protocol::ListOffsetsPartitionResult zero;
    zero.offset = types::Offset(0);
    rig.answer_list_offsets(1, zero);
    return rig;
}

const protocol::FetchPartition& fetched(const ClientRig& rig, std::int32_t broker = 1) {
    return rig.oldest<protocol::FetchRequest>(broker).partitions.at(0);
}

TEST(ConsumerFetch, AsksWithItsSettings) {
    ClientRig rig = reading({{"fetch.min.bytes", "10"},
                             {"fetch.max.wait.ms", "250"},
                             {"fetch.max.bytes", "5000"},
                             {"max.partition.fetch.bytes", "700"}});
    const auto& request = rig.oldest<protocol::FetchRequest>(1);
    EXPECT_EQ(request.min_bytes, 10);
    EXPECT_EQ(request.max_wait_ms, 250);
    EXPECT_EQ(request.max_bytes, 5000);
    EXPECT_EQ(request.partitions.at(0).max_bytes, 700);
    EXPECT_EQ(request.replica_id, std::nullopt);
    EXPECT_EQ(request.partitions.at(0).topic_id, kRigTopic);
    EXPECT_EQ(request.partitions.at(0).current_leader_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(request.partitions.at(0).last_fetched_epoch, std::nullopt);
}

TEST(ConsumerFetch, GoesOnBehindWhatItGot) {
    ClientRig rig = reading();
    rig.answer_fetch(1, {.leader_epoch = 0, .records = 3});
    EXPECT_EQ(rig.polled(), "0 1 2");
    EXPECT_EQ(rig.position().offset, types::Offset(3));
    EXPECT_EQ(rig.position().offset_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(fetched(rig).fetch_offset, types::Offset(3));
    rig.answer_fetch(1, {.base_offset = 3});
    EXPECT_EQ(rig.polled(), "0 1 2");
    EXPECT_EQ(fetched(rig).fetch_offset, types::Offset(3));
}

TEST(ConsumerFetch, LeavesOutRecordsBelowItsPosition) {
    // A batch comes whole, although the position lies inside it.
    ClientRig rig = reading();
    rig.answer_fetch(1, {.records = 2});
    rig.answer_fetch(1, {.base_offset = 0, .records = 5});
    EXPECT_EQ(rig.polled(), "0 1 2 3 4");
}

TEST(ConsumerFetch, ReadsEveryBatchOfAnAnswer) {
    ClientRig rig = reading();
    rig.answer_fetch(1, {.records = 2, .batches = 3});
    EXPECT_EQ(rig.polled(), "0 1 2 3 4 5");
    EXPECT_EQ(fetched(rig).fetch_offset, types::Offset(6));
}

TEST(ConsumerFetch, ReadsCompressedBatches) {
    for (const types::Codec codec : types::kAllCodecs) {
        ClientRig rig = reading({{"max.poll.records", "3"}});
        rig.answer_fetch(1, {.records = 2, .batches = 2, .codec = codec});
        rig.run(milliseconds(5));
        EXPECT_EQ(rig.polled(), "0 1 2 3") << types::to_text(codec);
    }
}

TEST(ConsumerFetch, ABatchThatCannotBeReadStopsItAfterTheOnesBefore) {
    ClientRig rig = reading();
    rig.answer_fetch(
        1, {.records = 2, .batches = 2, .codec = types::Codec::kGzip, .is_damaged = true});
    rig.run(milliseconds(5));
    EXPECT_EQ(rig.polled(), "0 1");
    EXPECT_TRUE(rig.consumer().has_failed());
    ASSERT_EQ(rig.events(events::kClientFailed).size(), 1U);
    EXPECT_EQ(rig.events(events::kClientFailed)[0].fields[0],
              types::to_wire(ErrorCode::kCorruptMessage));
}

TEST(ConsumerFetch, AWrongChecksumStopsItUnlessNobodyLooks) {
    // CompletedFetch.maybeEnsureValid: the records themselves could be read.
    for (const bool checks : {true, false}) {
        ClientRig rig = reading({{"check.crcs", checks ? "true" : "false"}});
        rig.answer_fetch(1, {.records = 2, .batches = 2, .is_damaged = true});
        rig.run(milliseconds(5));
        EXPECT_EQ(rig.polled(), checks ? "0 1" : "0 1 2 3");
        EXPECT_EQ(rig.consumer().has_failed(), checks);
    }
}

TEST(ConsumerFetch, PollReturnsAtMostMaxPollRecords) {
    ClientRig rig = reading({{"max.poll.records", "2"}}, 2, milliseconds(10));
    rig.answer_fetch(1, {.records = 5});
    EXPECT_EQ(rig.polled(), "0 1");
    // The rest stays buffered: the broker is not asked before it is handed out (4.0).
    EXPECT_EQ(rig.held(1), 0U);
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.polled(), "0 1 2 3");
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.polled(), "0 1 2 3 4");
    EXPECT_EQ(fetched(rig).fetch_offset, types::Offset(5));
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.events(events::kRecordProcessed).size(), 5U);
}

/// Two partitions of broker 1; answers the fetch of both with records of partition 0 only.
ClientRig two_partitions(const types::Rules& rules) {
    types::ClientSpec spec =
        consumer_spec({{"auto.offset.reset", "earliest"}, {"max.poll.records", "1"}}, 2);
    spec.work_per_record = milliseconds(50);
    ClientRig rig(spec, 1, 2, rules);
    rig.start();
    rig.run(milliseconds(20));
    protocol::ListOffsetsResponse zeros;
    for (std::int32_t p = 0; p < 2; ++p) {
        protocol::ListOffsetsPartitionResult zero;
        zero.partition = {"t", p};
        zero.offset = types::Offset(0);
        zeros.partitions.push_back(zero);
    }
    rig.reply<protocol::ListOffsetsRequest>(1, sim::make_message(zeros));
    rig.answer_fetch(1, {.records = 3});
    return rig;
}

TEST(ConsumerFetch, OneRequestNamesAllPartitionsOfABroker) {
    types::ClientSpec spec = consumer_spec({{"auto.offset.reset", "earliest"}}, 3);
    ClientRig rig(spec, 1, 3);
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.held(1), 1U);
    EXPECT_EQ(rig.oldest<protocol::ListOffsetsRequest>(1).partitions.size(), 3U);
}

TEST(ConsumerFetch, LeavesOutABrokerWithBufferedDataSince40) {
    types::Rules rules = types::rules_of(types::kDefaultVersion);
    rules.consumer_skips_buffered_nodes = true;
    ClientRig rig = two_partitions(rules);
    EXPECT_EQ(rig.polled(), "0");
    EXPECT_EQ(rig.held(1), 0U);
}

TEST(ConsumerFetch, AsksForTheOtherPartitionsBefore40) {
    types::Rules rules = types::rules_of(types::kDefaultVersion);
    rules.consumer_skips_buffered_nodes = false;
    ClientRig rig = two_partitions(rules);
    EXPECT_EQ(rig.polled(), "0");
    ASSERT_EQ(rig.held(1), 1U);
    EXPECT_EQ(rig.oldest<protocol::FetchRequest>(1).partitions.size(), 1U);
    EXPECT_EQ(fetched(rig).partition, 1);
}

TEST(ConsumerFetch, AnErrorOfTheLeaderIsAskedAgainAfterMetadata) {
    for (const ErrorCode error : {ErrorCode::kNotLeaderOrFollower,
                                  ErrorCode::kFencedLeaderEpoch,
                                  ErrorCode::kReplicaNotAvailable,
                                  ErrorCode::kKafkaStorageError,
                                  ErrorCode::kOffsetNotAvailable,
                                  ErrorCode::kUnknownTopicOrPartition,
                                  ErrorCode::kUnknownTopicId,
                                  ErrorCode::kInconsistentTopicId}) {
        ClientRig rig = reading();
        const std::size_t asked = rig.broker_state(1).metadata_asked.size();
        rig.answer_fetch(1, {.error = error});
        EXPECT_EQ(
            rig.broker_state(1).metadata_asked.size() + rig.broker_state(2).metadata_asked.size(),
            asked + 1)
            << types::name(error);
        rig.run(milliseconds(110));
        EXPECT_EQ(rig.held(1), 1U);
        EXPECT_FALSE(rig.consumer().has_failed());
    }
}

TEST(ConsumerFetch, AnEpochTheBrokerDoesNotKnowYetIsAskedAgainWithoutMetadata) {
    for (const ErrorCode error : {ErrorCode::kUnknownLeaderEpoch, ErrorCode::kUnknownServerError}) {
        ClientRig rig = reading();
        const std::size_t asked = rig.broker_state(1).metadata_asked.size();
        rig.answer_fetch(1, {.error = error});
        rig.run(milliseconds(110));
        EXPECT_EQ(rig.broker_state(1).metadata_asked.size(), asked);
        EXPECT_EQ(rig.held(1), 1U);
    }
}

TEST(ConsumerFetch, ErrorsOfTheApplicationStopIt) {
    for (const ErrorCode error :
         {ErrorCode::kTopicAuthorizationFailed, ErrorCode::kCorruptMessage}) {
        ClientRig rig = reading();
        rig.answer_fetch(1, {.error = error});
        rig.run(seconds(1));
        EXPECT_TRUE(rig.consumer().has_failed());
        EXPECT_EQ(rig.held(1), 0U);
        ASSERT_EQ(rig.events(events::kClientFailed).size(), 1U);
        EXPECT_EQ(rig.events(events::kClientFailed)[0].fields[0], types::to_wire(error));
    }
}

TEST(ConsumerFetch, FollowsAHintAtOnce) {
    // KIP-951: the new leader is in the error. Without metadata, within a round trip.
    ClientRig rig = reading();
    rig.hold_metadata(true);
    rig.answer_fetch(1, {.error = ErrorCode::kNotLeaderOrFollower, .hint = RigLeader{2, 1}});
    rig.run(milliseconds(3));
    EXPECT_EQ(rig.count_held<protocol::FetchRequest>(2), 1U);
}

TEST(ConsumerFetch, AfterADisconnectItFetchesAgain) {
    ClientRig rig = reading({}, 1);
    rig.answer_fetch(1, {.records = 2});
    rig.restart(1);
    rig.run(milliseconds(300));
    EXPECT_EQ(rig.count_held<protocol::FetchRequest>(1), 1U);
    EXPECT_EQ(fetched(rig).fetch_offset, types::Offset(2));
    EXPECT_EQ(rig.polled(), "0 1");
}

TEST(ConsumerFetch, AnAnswerThatIsLateIsFetchedAgain) {
    ClientRig rig = reading({{"request.timeout.ms", "1000"}}, 1);
    rig.run(milliseconds(1010));
    EXPECT_EQ(rig.held(1), 0U);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.count_held<protocol::FetchRequest>(1), 1U);
}

TEST(FetchPosition, GoesOnlyWhereTheTableSays) {
    using S = FetchState;
    const std::vector<S> all = {
        S::kInitializing, S::kFetching, S::kAwaitReset, S::kAwaitValidation};
    for (const S from : all) {
        EXPECT_FALSE(is_valid_transition(from, S::kInitializing));
        EXPECT_TRUE(is_valid_transition(from, S::kFetching));
        EXPECT_TRUE(is_valid_transition(from, S::kAwaitReset));
        EXPECT_EQ(is_valid_transition(from, S::kAwaitValidation), from != S::kAwaitReset);
    }
}

}  // namespace
}  // namespace klab::client
