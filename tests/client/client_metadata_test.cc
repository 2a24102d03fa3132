// SPDX-License-Identifier: Apache-2.0
//
// What a client keeps of metadata, and when it asks again. Kafka: MetadataTest; KIP-320, KIP-951.
#include <vector>

#include <gtest/gtest.h>

#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

using types::ErrorCode;

const types::TopicPartition kPartition{"t", 0};

Completion answer_of(const protocol::MetadataTopic& topic) {
    protocol::MetadataResponse response;
    response.topics.push_back(topic);
    Completion completion;
    completion.token = kMetadataToken;
    completion.response = sim::make_message(response);
    return completion;
}

protocol::MetadataTopic topic_with(std::optional<std::int32_t> leader,
                                   std::int32_t epoch,
                                   std::uint64_t id = 1,
                                   std::int32_t partitions = 1) {
    protocol::MetadataTopic topic;
    topic.name = "t";
    topic.topic_id = {7, id};
    for (std::int32_t p = 0; p < partitions; ++p) {
        protocol::MetadataPartition partition;
        partition.partition = p;
        partition.leader_epoch = types::LeaderEpoch(epoch);
        if (leader) {
            partition.leader = types::BrokerId(*leader);
        } else {
            partition.error = ErrorCode::kLeaderNotAvailable;
        }
        topic.partitions.push_back(partition);
    }
    return topic;
}

CachedPartition led_by(std::int32_t leader, std::int32_t epoch) {
    return {types::BrokerId(leader), types::LeaderEpoch(epoch)};
}

class ClientMetadataTest : public testing::Test {
  protected:
    void take(const Completion& completion) {
        rig_.with_context([&](sim::Context& ctx) { metadata_.on_completion(ctx, completion); });
    }

    [[nodiscard]] std::optional<Duration> wait() {
        std::optional<Duration> left;
        rig_.with_context([&](sim::Context& ctx) { left = metadata_.wait(ctx); });
        return left;
    }

    [[nodiscard]] bool hint(std::int32_t leader, std::int32_t epoch) {
        bool news = false;
        rig_.with_context([&](sim::Context& ctx) {
            news = metadata_.apply_hint(
                ctx, kPartition, types::BrokerId(leader), types::LeaderEpoch(epoch));
        });
        return news;
    }

    [[nodiscard]] CachedPartition cached() const { return *metadata_.partition(kPartition); }

    ClientRig rig_{producer_spec(sends(0))};
    ClientMetadata metadata_{ClientMetadata::Options{}};
};

TEST_F(ClientMetadataTest, AnOlderLeaderEpochIsIgnored) {
    take(answer_of(topic_with(1, 5)));
    take(answer_of(topic_with(2, 4)));
    EXPECT_EQ(cached(), led_by(1, 5));
    take(answer_of(topic_with(2, 6)));
    EXPECT_EQ(cached(), led_by(2, 6));
}

TEST_F(ClientMetadataTest, TheSameEpochIsTaken) {
    // Metadata.updateLatestMetadata: at least the same epoch. A leader that went offline and came
    // back shows so.
    take(answer_of(topic_with(1, 5)));
    take(answer_of(topic_with(std::nullopt, 5)));
    EXPECT_EQ(cached().leader, std::nullopt);
    take(answer_of(topic_with(1, 5)));
    EXPECT_EQ(cached(), led_by(1, 5));
}

TEST_F(ClientMetadataTest, ATopicMadeAnewMayBeginAtAnOlderEpoch) {
    take(answer_of(topic_with(1, 5, 1)));
    take(answer_of(topic_with(2, 0, 2)));
    EXPECT_EQ(cached(), led_by(2, 0));
    EXPECT_EQ(metadata_.topic("t")->id, (types::Uuid{7, 2}));
}

TEST_F(ClientMetadataTest, AHintCountsOnlyWhenItIsNewer) {
    EXPECT_FALSE(hint(2, 9));  // of a topic that it does not know
    take(answer_of(topic_with(1, 5)));
    EXPECT_FALSE(hint(2, 5));
    EXPECT_FALSE(hint(2, 4));
    EXPECT_EQ(cached(), led_by(1, 5));
    EXPECT_TRUE(hint(2, 6));
    EXPECT_EQ(cached(), led_by(2, 6));
    take(answer_of(topic_with(1, 5)));  // a broker that lags behind
    EXPECT_EQ(cached(), led_by(2, 6));
}

TEST_F(ClientMetadataTest, ANewTopicIsAskedForAtOnce) {
    EXPECT_EQ(wait(), std::nullopt);  // nothing to ask for
    take(answer_of(topic_with(1, 0)));
    EXPECT_GT(*wait(), seconds(299));
    metadata_.add_topic("t");
    EXPECT_GT(*wait(), seconds(299));
    metadata_.add_topic("u");
    EXPECT_EQ(wait(), Duration{});
}

TEST_F(ClientMetadataTest, RefreshesWhenItIsOld) {
    take(answer_of(topic_with(1, 0)));
    rig_.run(seconds(299));
    EXPECT_LE(*wait(), seconds(1));
    rig_.run(seconds(1));
    EXPECT_EQ(wait(), Duration{});
}

TEST_F(ClientMetadataTest, ARequestedUpdateWaitsForTheBackoffOnly) {
    take(answer_of(topic_with(1, 0)));
    rig_.run(milliseconds(10));
    metadata_.request_update();
    EXPECT_GT(*wait(), milliseconds(80));
    EXPECT_LE(*wait(), milliseconds(100));
    rig_.run(milliseconds(100));
    EXPECT_EQ(wait(), Duration{});
}

TEST_F(ClientMetadataTest, FailuresBackOff) {
    const Completion lost{types::BrokerId(1), kMetadataToken, 3, {}, ErrorCode::kNetworkException};
    take(answer_of(topic_with(1, 0)));
    metadata_.request_update();
    std::vector<std::int64_t> pauses;
    for (int i = 0; i < 5; ++i) {
        take(lost);
        pauses.push_back((*wait()).to_ms());
        rig_.run(seconds(2));
    }
    EXPECT_EQ(pauses, (std::vector<std::int64_t>{80, 160, 320, 640, 800}));
}

TEST_F(ClientMetadataTest, AnswersWithoutNewsBackOff) {
    // KIP-580, KAFKA-14793: somebody waits for a leader and the answers say nothing new.
    take(answer_of(topic_with(std::nullopt, 0)));
    std::vector<std::int64_t> pauses;
    for (int i = 0; i < 4; ++i) {
        rig_.run(seconds(2));
        EXPECT_EQ(wait(), Duration{});  // LEADER_NOT_AVAILABLE keeps the request standing
        take(answer_of(topic_with(std::nullopt, 0)));
        pauses.push_back((*wait()).to_ms());
    }
    EXPECT_EQ(pauses, (std::vector<std::int64_t>{80, 160, 320, 640}));
    rig_.run(seconds(2));
    take(answer_of(topic_with(1, 1)));
    EXPECT_GT(*wait(), seconds(299));
}

TEST_F(ClientMetadataTest, ARetriableTopicErrorKeepsTheRequestStanding) {
    protocol::MetadataTopic unknown;
    unknown.name = "t";
    unknown.error = ErrorCode::kUnknownTopicOrPartition;
    take(answer_of(unknown));
    EXPECT_EQ(metadata_.topic("t"), nullptr);
    EXPECT_EQ(metadata_.topic_error("t"), ErrorCode::kUnknownTopicOrPartition);
    EXPECT_LE(*wait(), milliseconds(120));
    protocol::MetadataTopic forbidden;
    forbidden.name = "t";
    forbidden.error = ErrorCode::kTopicAuthorizationFailed;
    take(answer_of(forbidden));
    EXPECT_EQ(metadata_.topic_error("t"), ErrorCode::kTopicAuthorizationFailed);
    EXPECT_GT(*wait(), seconds(299));
}

TEST_F(ClientMetadataTest, ATopicThatIsUnknownNowIsForgotten) {
    // Metadata.handleMetadataResponse: topics of the answer are not kept from the old snapshot.
    take(answer_of(topic_with(1, 5)));
    protocol::MetadataTopic unknown;
    unknown.name = "t";
    unknown.error = ErrorCode::kUnknownTopicOrPartition;
    take(answer_of(unknown));
    EXPECT_EQ(metadata_.partition(kPartition), nullptr);
    // With its id gone, any topic of that name counts as another one: its epochs begin anew.
    take(answer_of(topic_with(2, 4)));
    EXPECT_EQ(cached(), led_by(2, 4));
}

TEST_F(ClientMetadataTest, PartitionsThatAppearAreKnown) {
    take(answer_of(topic_with(1, 0, 1, 1)));
    EXPECT_EQ(metadata_.partition({"t", 1}), nullptr);
    EXPECT_EQ(metadata_.partition({"t", -1}), nullptr);
    take(answer_of(topic_with(1, 0, 1, 2)));
    EXPECT_NE(metadata_.partition({"t", 1}), nullptr);
}

}  // namespace
}  // namespace klab::client
