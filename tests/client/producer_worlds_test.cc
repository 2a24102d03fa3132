// SPDX-License-Identifier: Apache-2.0
//
// Producers in a real cluster: what acks, retries and idempotence give when a leader dies, an
// answer is lost or data are gone. Kafka: 1.7 to 1.9 of the client rules; KIP-98, KIP-360.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/client/world_lab.h"

namespace klab::client {
namespace {

using tests::ClusterBuilder;
using types::ErrorCode;
namespace events = types::events;

std::size_t acked(const WorldLab& lab) { return lab.events(events::kRecordAcked).size(); }

std::size_t failed(const WorldLab& lab) { return lab.events(events::kRecordFailed).size(); }

TEST(ProducerWorld, AcksAllKeepsEverythingOverALeaderCrash) {
    ClusterBuilder builder;
    builder.brokers(3)
        .topic("t", 1, 3, 2)
        .producer("p", "t", plan_of(200, milliseconds(10)), {{"linger.ms", "0"}});
    WorldLab lab(builder);
    lab.start("p");
    lab.run(milliseconds(500));
    const std::int32_t first = lab.leader();
    lab.crash(first);
    ASSERT_TRUE(lab.run_until([&] { return lab.producer("p").is_done(); }, seconds(100)));
    EXPECT_NE(lab.leader(), first);
    EXPECT_EQ(acked(lab), 200U);
    EXPECT_EQ(lab.log(lab.leader()), numbers_to(200));
    EXPECT_FALSE(lab.events(events::kBatchRetried).empty());
    EXPECT_EQ(lab.producer("p").idempotence().epoch().value(), 0);
}

TEST(ProducerWorld, AcksOneMayLoseWhatOnlyTheLeaderHad) {
    // The followers are cut off; the leader acknowledges and dies.
    ClusterBuilder builder;
    builder.brokers(3).topic("t", 1, 3).producer(
        "p", "t", plan_of(20, milliseconds(10)), {{"acks", "1"}, {"linger.ms", "0"}});
    WorldLab lab(builder);
    const std::int32_t first = lab.leader();
    for (std::int32_t other = 1; other <= 3; ++other) {
        if (other != first) {
            lab.cut_both(lab.broker_node(first), lab.broker_node(other));
        }
    }
    lab.start("p");
    lab.run(seconds(1));
    EXPECT_EQ(acked(lab), 20U);
    EXPECT_EQ(lab.log(first), numbers_to(20));
    lab.crash(first);
    ASSERT_TRUE(
        lab.run_until([&] { return lab.leader() != first && lab.leader() != 0; }, seconds(60)));
    EXPECT_TRUE(lab.log(lab.leader()).empty());
}

TEST(ProducerWorld, AcksNoneHearsOfNothing) {
    ClusterBuilder builder;
    builder.brokers(3).topic("t", 1, 3).producer(
        "p", "t", plan_of(100, milliseconds(10)), {{"acks", "0"}, {"linger.ms", "0"}});
    WorldLab lab(builder);
    lab.start("p");
    lab.run(milliseconds(500));
    lab.cut(lab.node("p"), lab.broker_node(lab.leader()));
    lab.run(milliseconds(300));
    lab.crash(lab.leader());
    lab.heal();
    ASSERT_TRUE(lab.run_until([&] { return lab.producer("p").is_done(); }, seconds(200)));
    EXPECT_EQ(acked(lab), 100U);
    for (const sim::Event& event : lab.events(events::kRecordAcked)) {
        EXPECT_EQ(event.fields[2], sim::kAbsent);
    }
    const std::vector<std::int64_t> log = lab.log(lab.leader());
    EXPECT_LT(log.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(log));
}

/// The record is appended but its answer does not come through; the producer tries again.
std::vector<std::int64_t> log_after_a_lost_answer(bool idempotent) {
    ClusterBuilder builder;
    builder.brokers(1).topic("t", 1, 1).producer(
        "p",
        "t",
        plan_of(3, milliseconds(200)),
        {{"acks", "all"},
         {"enable.idempotence", idempotent ? "true" : "false"},
         {"linger.ms", "0"},
         {"request.timeout.ms", "1000"},
         {"delivery.timeout.ms", "20000"}});
    WorldLab lab(builder);
    lab.start("p");
    lab.run(milliseconds(190));
    EXPECT_EQ(acked(lab), 1U);
    lab.cut(lab.broker_node(1), lab.node("p"));
    lab.run(milliseconds(500));
    EXPECT_EQ(lab.log(1), numbers_to(3));
    EXPECT_EQ(acked(lab), 1U);
    lab.run(milliseconds(700));
    lab.heal();
    EXPECT_TRUE(lab.run_until([&] { return lab.producer("p").is_done(); }, seconds(30)));
    EXPECT_EQ(acked(lab), 3U);
    return lab.log(1);
}

TEST(ProducerWorld, WithoutIdempotenceALostAnswerDuplicates) {
    const std::vector<std::int64_t> log = log_after_a_lost_answer(false);
    EXPECT_EQ(log.size(), 5U);
    EXPECT_EQ(std::ranges::count(log, 1), 2);
    EXPECT_EQ(std::ranges::count(log, 2), 2);
}

TEST(ProducerWorld, WithIdempotenceItDoesNot) {
    EXPECT_EQ(log_after_a_lost_answer(true), numbers_to(3));
}

TEST(ProducerWorld, GivesUpAfterTheDeliveryTimeout) {
    ClusterBuilder builder;
    builder.brokers(1).topic("t", 1, 1).producer(
        "p",
        "t",
        plan_of(10, milliseconds(100)),
        {{"linger.ms", "0"}, {"request.timeout.ms", "1000"}, {"delivery.timeout.ms", "3000"}});
    WorldLab lab(builder);
    lab.start("p");
    lab.run(milliseconds(250));
    EXPECT_EQ(acked(lab), 3U);
    lab.cut_both(lab.node("p"), lab.broker_node(1));
    lab.run(milliseconds(3000));
    EXPECT_EQ(failed(lab), 0U);
    lab.run(milliseconds(1000));
    EXPECT_EQ(failed(lab), 7U);
    for (const sim::Event& event : lab.events(events::kRecordFailed)) {
        EXPECT_EQ(event.fields[2], types::to_wire(ErrorCode::kRequestTimedOut));
    }
}

TEST(ProducerWorld, IsRefusedWhileReplicasAreMissingAndTriesAgain) {
    ClusterBuilder builder;
    builder.brokers(2)
        .topic("t", 1, 2, 2)
        .producer("p", "t", plan_of(100, milliseconds(100)), {{"linger.ms", "0"}});
    WorldLab lab(builder);
    const std::int32_t follower = lab.leader() == 1 ? 2 : 1;
    lab.crash(follower);
    ASSERT_TRUE(lab.run_until([&] { return lab.isr_size() == 1; }, seconds(60)));
    lab.start("p");
    lab.run(seconds(5));
    EXPECT_EQ(acked(lab), 0U);
    EXPECT_TRUE(lab.log(lab.leader()).empty());
    const auto refused = lab.events(events::kProduceRefused);
    ASSERT_FALSE(refused.empty());
    EXPECT_EQ(refused[0].fields[1], types::to_wire(ErrorCode::kNotEnoughReplicas));
    lab.boot(follower);
    ASSERT_TRUE(lab.run_until([&] { return lab.producer("p").is_done(); }, seconds(60)));
    EXPECT_EQ(acked(lab), 100U);
    EXPECT_EQ(lab.log(lab.leader()), numbers_to(100));
    EXPECT_EQ(lab.log(follower), numbers_to(100));
}

TEST(ProducerWorld, WhatWaitsWhenAReplicaDiesIsAcknowledgedOnce) {
    // The five requests in flight were accepted; they wait for the high watermark, time out at the
    // broker, and are recognized when they are sent again.
    ClusterBuilder builder;
    builder.brokers(2)
        .topic("t", 1, 2, 2)
        .producer("p", "t", plan_of(300, milliseconds(100)), {{"linger.ms", "0"}});
    WorldLab lab(builder);
    const std::int32_t follower = lab.leader() == 1 ? 2 : 1;
    lab.start("p");
    lab.run(seconds(1));
    lab.crash(follower);
    ASSERT_TRUE(lab.run_until([&] { return lab.isr_size() == 1; }, seconds(60)));
    const std::size_t before = acked(lab);
    lab.run(seconds(40));
    EXPECT_EQ(acked(lab), before);
    lab.boot(follower);
    ASSERT_TRUE(lab.run_until([&] { return lab.producer("p").is_done(); }, seconds(60)));
    EXPECT_EQ(acked(lab), 300U);
    EXPECT_EQ(lab.log(lab.leader()), numbers_to(300));
    EXPECT_FALSE(lab.events(events::kDuplicateRecognized).empty());
}

TEST(ProducerWorld, AfterAnUncleanElectionItBeginsANewEpoch) {
    // KIP-360: the new leader lacks what was acknowledged, so the next sequence leaves a gap there.
    ClusterBuilder builder;
    builder.brokers(2, {{"unclean.leader.election.enable", "true"}})
        .topic("t", 1, 2)
        .producer("p", "t", plan_of(60, seconds(1)), {{"linger.ms", "0"}});
    WorldLab lab(builder);
    const std::int32_t first = lab.leader();
    const std::int32_t second = first == 1 ? 2 : 1;
    lab.start("p");
    lab.run(milliseconds(4500));
    lab.crash(second);
    ASSERT_TRUE(lab.run_until([&] { return lab.isr_size() == 1; }, seconds(30)));
    lab.run(milliseconds(5500));
    const std::size_t had = lab.log(second).size();
    EXPECT_GT(lab.log(first).size(), had + 3);
    EXPECT_EQ(acked(lab), lab.log(first).size());
    lab.crash(first);
    lab.boot(second);
    ASSERT_TRUE(lab.run_until([&] { return lab.leader() == second; }, seconds(30)));
    const auto grown = [&] { return lab.log(second).size() > had + 3; };
    ASSERT_TRUE(lab.run_until(grown, seconds(30)));
    lab.run(seconds(3));
    EXPECT_EQ(lab.producer("p").idempotence().epoch().value(), 1);
    std::vector<std::int32_t> sequences;
    for (const storage::BatchSight& batch :
         world::batches_of(lab.world(), {"t", 0}, types::BrokerId(second))) {
        if (batch.producer_epoch == types::ProducerEpoch(1)) {
            sequences.push_back(*batch.base_sequence);
        }
    }
    ASSERT_GE(sequences.size(), 2U);
    EXPECT_EQ(sequences.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(sequences));
    EXPECT_EQ(failed(lab), 0U);
    const std::vector<std::int64_t> log = lab.log(second);
    EXPECT_TRUE(std::ranges::is_sorted(log));
    EXPECT_EQ(std::ranges::adjacent_find(log), log.end());
}

}  // namespace
}  // namespace klab::client
