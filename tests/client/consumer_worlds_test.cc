// SPDX-License-Identifier: Apache-2.0
//
// Consumers in a real cluster: where they begin, that they see committed records only, and what a
// new leader means for them (KIP-320).
#include <algorithm>

#include <gtest/gtest.h>

#include "model/types/api_key.h"
#include "tests/client/world_lab.h"

namespace klab::client {
namespace {

using tests::ClusterBuilder;
using types::ErrorCode;
namespace events = types::events;

const std::vector<types::TopicPartition> kAssigned = {{"t", 0}};

std::size_t validations(const WorldLab& lab, const std::string& consumer) {
    const auto sent = lab.events(sim::events::kMessageSent, lab.node(consumer));
    return static_cast<std::size_t>(std::ranges::count_if(sent, [](const sim::Event& event) {
        return event.fields[2] == static_cast<std::int64_t>(types::ApiKey::kOffsetForLeaderEpoch);
    }));
}

TEST(ConsumerWorld, EarliestReadsAllLatestReadsWhatComes) {
    ClusterBuilder builder;
    builder.brokers(3)
        .topic("t", 1, 3)
        .producer("p", "t", plan_of(100, milliseconds(10)), {{"linger.ms", "0"}})
        .consumer("early", kAssigned)
        .consumer("late", kAssigned, {{"auto.offset.reset", "latest"}})
        .consumer("none", kAssigned, {{"auto.offset.reset", "none"}});
    WorldLab lab(builder);
    lab.start("p");
    lab.run(milliseconds(500));
    for (const std::string name : {"early", "late", "none"}) {
        lab.start(name);
    }
    lab.run(seconds(5));
    EXPECT_EQ(lab.polled("early"), numbers_to(100));
    const std::vector<std::int64_t> late = lab.polled("late");
    ASSERT_FALSE(late.empty());
    EXPECT_GE(late.front(), 45);
    EXPECT_LE(late.front(), 55);
    EXPECT_EQ(late.back(), 99);
    EXPECT_EQ(late.size(), static_cast<std::size_t>(100 - late.front()));
    EXPECT_TRUE(lab.polled("none").empty());
    EXPECT_TRUE(lab.consumer("none").has_failed());
    const auto begun = lab.events(events::kPositionReset, lab.node("late"));
    ASSERT_EQ(begun.size(), 1U);
    EXPECT_EQ(begun[0].fields[2], late.front());
}

TEST(ConsumerWorld, SeesNothingAboveTheHighWatermark) {
    // The followers fetch nothing for a while: records are in the leader's log, acknowledged with
    // acks=1, and not committed.
    ClusterBuilder builder;
    builder.brokers(3)
        .topic("t", 1, 3)
        .producer("p", "t", plan_of(100, milliseconds(10)), {{"acks", "1"}, {"linger.ms", "0"}})
        .consumer("c", kAssigned);
    WorldLab lab(builder);
    const std::int32_t leader = lab.leader();
    lab.start("p");
    lab.start("c");
    lab.run(milliseconds(300));
    for (std::int32_t other = 1; other <= 3; ++other) {
        if (other != leader) {
            lab.cut_both(lab.broker_node(leader), lab.broker_node(other));
        }
    }
    lab.run(milliseconds(20));
    const std::size_t seen = lab.polled("c").size();
    lab.run(seconds(2));
    EXPECT_EQ(lab.log(leader), numbers_to(100));
    EXPECT_LE(lab.polled("c").size(), seen + 1);
    EXPECT_LT(lab.polled("c").size(), 40U);
    lab.heal();
    lab.run(seconds(5));
    EXPECT_EQ(lab.polled("c"), numbers_to(100));
    for (const sim::Event& event : lab.events(events::kRecordPolled)) {
        EXPECT_LT(event.fields[1], event.fields[5]);
    }
}

TEST(ConsumerWorld, ValidatesItsPositionUnderANewLeader) {
    ClusterBuilder builder;
    builder.brokers(3)
        .topic("t", 1, 3, 2)
        .producer("p", "t", plan_of(300, milliseconds(20)), {{"linger.ms", "0"}})
        .consumer("c", kAssigned);
    WorldLab lab(builder);
    lab.start("p");
    lab.start("c");
    lab.run(seconds(1));
    EXPECT_EQ(validations(lab, "c"), 0U);
    lab.crash(lab.leader());
    ASSERT_TRUE(lab.run_until([&] { return lab.polled("c").size() == 300; }, seconds(100)));
    EXPECT_EQ(lab.polled("c"), numbers_to(300));
    EXPECT_GE(validations(lab, "c"), 1U);
    EXPECT_EQ(lab.events(events::kPositionReset, lab.node("c")).size(), 1U);
    EXPECT_FALSE(lab.consumer("c").has_failed());
}

TEST(ConsumerWorld, GoesOnAfterTheOnlyBrokerRestarts) {
    ClusterBuilder builder;
    builder.brokers(1)
        .topic("t", 1, 1)
        .producer("p", "t", plan_of(200, milliseconds(20)), {{"linger.ms", "0"}})
        .consumer("c", kAssigned);
    WorldLab lab(builder);
    lab.start("p");
    lab.start("c");
    lab.run(seconds(1));
    lab.crash(1);
    lab.run(seconds(2));
    lab.boot(1);
    ASSERT_TRUE(lab.run_until([&] { return lab.polled("c").size() >= 200; }, seconds(100)));
    EXPECT_EQ(lab.polled("c"), numbers_to(200));
}

/// A consumer has read what only the first leader had; the second one was elected uncleanly.
/// Returns the reset events after the first.
struct Truncation {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::string reason;
    std::size_t second_had = 0;
    std::size_t read = 0;
};

Truncation truncated(WorldLab& lab) {
    const std::int32_t first = lab.leader();
    const std::int32_t second = first == 1 ? 2 : 1;
    lab.start("p");
    lab.start("c");
    lab.run(milliseconds(4500));
    lab.crash(second);
    EXPECT_TRUE(lab.run_until([&] { return lab.isr_size() == 1; }, seconds(30)));
    lab.run(milliseconds(5500));
    Truncation found;
    found.second_had = lab.log(second).size();
    found.read = lab.polled("c").size();
    lab.crash(first);
    lab.boot(second);
    const auto was_reset = [&] {
        return lab.events(events::kPositionReset, lab.node("c")).size() > 1;
    };
    EXPECT_TRUE(lab.run_until(was_reset, seconds(60)));
    const auto resets = lab.events(events::kPositionReset, lab.node("c"));
    if (resets.size() > 1) {
        found.from = resets[1].fields[1];
        found.to = resets[1].fields[2];
        found.reason = lab.reset_reason(resets[1]);
    }
    return found;
}

TEST(ConsumerWorld, NoticesThatWhatItReadIsGone) {
    // The producer has sent all it has, so that the new leader's log stays shorter than the
    // consumer's position until it is noticed by the epoch, not by the offset.
    ClusterBuilder builder;
    builder.brokers(2, {{"unclean.leader.election.enable", "true"}})
        .topic("t", 1, 2)
        .producer("p", "t", plan_of(200, milliseconds(100)), {{"linger.ms", "0"}})
        .consumer("c", kAssigned);
    WorldLab lab(builder);
    const Truncation found = truncated(lab);
    EXPECT_GT(found.read, found.second_had);
    EXPECT_EQ(found.from, static_cast<std::int64_t>(found.read));
    EXPECT_EQ(found.to, static_cast<std::int64_t>(found.second_had));
    EXPECT_EQ(found.reason, "truncation");
    EXPECT_GE(validations(lab, "c"), 1U);
}

}  // namespace
}  // namespace klab::client
