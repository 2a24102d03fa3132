// SPDX-License-Identifier: Apache-2.0
//
// A broker as an observer of the metadata log: the fetch loop, when it publishes, what it does when
// the controller fails. Kafka: KafkaRaftClient as observer, MetadataLoader.
#include <gtest/gtest.h>

#include "model/metadata/record_codec.h"
#include "model/protocol/fetch.h"
#include "model/raft/metadata_log.h"
#include "model/storage/record_batch_builder.h"
#include "tests/broker/broker_rig.h"

namespace klab::broker {
namespace {

using protocol::FetchRequest;
using protocol::FetchResponse;
using types::ErrorCode;

constexpr std::int16_t kLevel = 27;

/// One batch of topics "tBASE", "tBASE+1", ... at these offsets.
Bytes topics_at(std::int64_t base, int count, std::int32_t epoch = 1) {
    storage::BatchOptions options;
    options.base_offset = types::Offset(base);
    options.leader_epoch = types::LeaderEpoch(epoch);
    storage::RecordBatchBuilder builder(options);
    for (int i = 0; i < count; ++i) {
        const auto id = static_cast<std::uint64_t>(base + i);
        const Bytes value =
            metadata::encode(metadata::TopicRecord{"t" + std::to_string(id), {7, id + 1}}, kLevel);
        storage::RecordInput input;
        input.timestamp = 0;
        input.value = ByteView(value);
        builder.append(input);
    }
    return builder.build();
}

FetchResponse served(const Bytes& records, std::optional<std::int64_t> high_watermark) {
    protocol::FetchPartitionResult result;
    result.topic_id = raft::kMetadataTopicId;
    if (high_watermark) {
        result.high_watermark = types::Offset(*high_watermark);
    }
    result.records = SharedBytes(records);
    FetchResponse response;
    response.partitions.push_back(std::move(result));
    return response;
}

void start(BrokerRig& rig) {
    rig.with_parts([](Parts& parts, sim::Context& ctx) { parts.follower.start(ctx); });
    rig.run(milliseconds(5));
}

BrokerRig started() {
    BrokerRig rig;
    start(rig);
    return rig;
}

template <typename Response>
void reply(BrokerRig& rig, Response response, Duration then = milliseconds(5)) {
    rig.reply("k1", std::move(response));
    rig.run(then);
}

const MetadataFollower& follower(const BrokerRig& rig) { return rig.parts().follower; }

std::vector<FetchRequest> fetches(const BrokerRig& rig) { return rig.heard_of<FetchRequest>("k1"); }

TEST(MetadataFollower, FetchesTheMetadataLogFromItsStart) {
    BrokerRig rig = started();
    ASSERT_EQ(fetches(rig).size(), 1U);
    const FetchRequest fetch = fetches(rig)[0];
    EXPECT_EQ(fetch.replica_id, types::BrokerId(1));
    EXPECT_EQ(fetch.max_wait_ms, 500);
    ASSERT_EQ(fetch.partitions.size(), 1U);
    EXPECT_EQ(fetch.partitions[0].topic_id, raft::kMetadataTopicId);
    EXPECT_EQ(fetch.partitions[0].fetch_offset, types::Offset(0));
    EXPECT_EQ(fetch.partitions[0].last_fetched_epoch, std::nullopt);
    EXPECT_EQ(follower(rig).last_offset(), std::nullopt);
}

TEST(MetadataFollower, FetchesOnFromItsEndNamingItsLastEpoch) {
    // KIP-595: the leader finds divergence by the epoch of what was fetched last.
    BrokerRig rig = started();
    Bytes two = topics_at(0, 2, 3);
    const Bytes third = topics_at(2, 1, 4);
    two.insert(two.end(), third.begin(), third.end());
    reply(rig, served(two, 3));
    ASSERT_EQ(fetches(rig).size(), 2U);
    EXPECT_EQ(fetches(rig)[1].partitions[0].fetch_offset, types::Offset(3));
    EXPECT_EQ(fetches(rig)[1].partitions[0].last_fetched_epoch, types::LeaderEpoch(4));
    reply(rig, served({}, 3));
    ASSERT_EQ(fetches(rig).size(), 3U);
    EXPECT_EQ(fetches(rig)[2].partitions[0].fetch_offset, types::Offset(3));
    EXPECT_EQ(fetches(rig)[2].partitions[0].last_fetched_epoch, types::LeaderEpoch(4));
}

TEST(MetadataFollower, PublishesNothingUntilItHasReachedTheHighWatermark) {
    // stillNeedToCatchUp: loaded offset < high watermark - 1.
    BrokerRig rig = started();
    reply(rig, served(topics_at(0, 2), 5));
    EXPECT_FALSE(follower(rig).is_publishing());
    EXPECT_EQ(rig.parts().changes, 0U);
    EXPECT_EQ(follower(rig).last_offset(), types::Offset(1));
    reply(rig, served(topics_at(2, 2), 5));
    EXPECT_FALSE(follower(rig).is_publishing());
    reply(rig, served(topics_at(4, 1), 5));
    EXPECT_TRUE(follower(rig).is_publishing());
    EXPECT_EQ(rig.parts().changes, 1U);
    EXPECT_EQ(follower(rig).image().topics.size(), 5U);
}

TEST(MetadataFollower, AnEmptyLogIsNotCaughtUp) {
    BrokerRig rig = started();
    reply(rig, served({}, 0));
    EXPECT_FALSE(follower(rig).is_publishing());
    reply(rig, served({}, std::nullopt));
    EXPECT_FALSE(follower(rig).is_publishing());
    EXPECT_EQ(rig.parts().changes, 0U);
}

TEST(MetadataFollower, AnUnknownHighWatermarkIsNotReached) {
    // A new leader of the quorum knows none until it has committed something of its own.
    BrokerRig rig = started();
    reply(rig, served(topics_at(0, 2), std::nullopt));
    EXPECT_FALSE(follower(rig).is_publishing());
    reply(rig, served({}, 2));
    EXPECT_TRUE(follower(rig).is_publishing());
}

TEST(MetadataFollower, PublishesEveryChangeOnceItDoes) {
    BrokerRig rig = started();
    reply(rig, served(topics_at(0, 1), 1));
    ASSERT_EQ(rig.parts().changes, 1U);
    reply(rig, served(topics_at(1, 1), 9));  // far behind again: it publishes all the same
    EXPECT_EQ(rig.parts().changes, 2U);
    reply(rig, served({}, 9));
    EXPECT_EQ(rig.parts().changes, 2U) << "nothing came, nothing to publish";
}

TEST(MetadataFollower, TriesAgainAfterAnErrorOnTheSameConnection) {
    // controller.quorum.retry.backoff.ms is 20.
    BrokerRig rig = started();
    FetchResponse refused;
    refused.error = ErrorCode::kNotLeaderOrFollower;
    reply(rig, refused, milliseconds(15));
    EXPECT_EQ(fetches(rig).size(), 1U);
    rig.run(milliseconds(10));
    EXPECT_EQ(fetches(rig).size(), 2U);
    FetchResponse in_partition = served({}, 0);
    in_partition.partitions[0].error = ErrorCode::kNotLeaderOrFollower;
    reply(rig, in_partition, milliseconds(30));
    EXPECT_EQ(fetches(rig).size(), 3U);
    EXPECT_EQ(rig.node("k1").puppet.opened.size(), 1U);
}

TEST(MetadataFollower, ConnectsAgainWhenTheControllerComesBack) {
    BrokerRig rig = started();
    reply(rig, served(topics_at(0, 3), 3));
    rig.crash("k1");
    rig.run(seconds(5));
    EXPECT_TRUE(follower(rig).is_publishing());
    rig.boot("k1");
    rig.run(milliseconds(50));
    ASSERT_EQ(fetches(rig).size(), 1U) << "of the new process";
    EXPECT_EQ(fetches(rig)[0].partitions[0].fetch_offset, types::Offset(3));
}

TEST(MetadataFollower, GivesUpASilentControllerAfterTwoSeconds) {
    // controller.quorum.request.timeout.ms
    BrokerRig rig = started();
    rig.run(seconds(7));
    const std::vector<std::int64_t> at = rig.times_of<FetchRequest>("k1");
    ASSERT_EQ(at.size(), 4U);
    for (std::size_t i = 1; i < at.size(); ++i) {
        EXPECT_EQ(at[i] - at[i - 1], 2'000 + 20 + 2) << "timeout, backoff, connecting";
    }
    EXPECT_EQ(rig.node("k1").puppet.ended.size(), 3U);
}

TEST(MetadataFollower, IgnoresAnAnswerToAnEarlierFetch) {
    BrokerRig rig = started();
    const Heard first = rig.heard("k1").front();
    reply(rig, served(topics_at(0, 1), 1));
    rig.say(
        "k1", first.connection, first.correlation, sim::make_message(served(topics_at(0, 1), 1)));
    rig.run(milliseconds(5));
    EXPECT_EQ(fetches(rig).size(), 2U) << "one fetch at a time";
    EXPECT_EQ(follower(rig).last_offset(), types::Offset(0));
}

TEST(MetadataFollower, ARestartedBrokerReadsTheLogAnew) {
    BrokerRig rig = started();
    reply(rig, served(topics_at(0, 3), 3));
    rig.crash("b1");
    rig.boot("b1");
    start(rig);
    EXPECT_EQ(fetches(rig).back().partitions[0].fetch_offset, types::Offset(0));
    EXPECT_FALSE(follower(rig).is_publishing());
}

}  // namespace
}  // namespace klab::broker
