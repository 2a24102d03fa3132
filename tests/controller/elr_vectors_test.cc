// SPDX-License-Identifier: Apache-2.0
//
// Eligible leader replicas through the rules around the builder: rows TC14-TC19 of reference table
// 8.8, TC38, and TH13, TH15 of 8.9.
#include <gtest/gtest.h>

#include "model/controller/config_changes.h"
#include "model/controller/decided_topic_settings.h"
#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

class Elr : public testing::Test {
  protected:
    void begin(int min_isr, std::initializer_list<int> replicas) {
        lab.rules.elr = true;
        lab.register_brokers({0, 1, 2, 3});
        lab.unfence({0, 1, 2, 3});
        lab.create("foo", {ids(replicas)});
        lab.set_topic_config("foo", "min.insync.replicas", std::to_string(min_isr));
    }

    void shut_down_cleanly(int id) {
        auto request = lab.heartbeat_of(id);
        request.want_fence = true;
        request.want_shut_down = true;
        ASSERT_TRUE(lab.heartbeat(request).response.should_shut_down);
    }

    /// A new process registers; `clean`: it knows its predecessor's broker epoch.
    std::size_t register_again(int id, bool clean) {
        protocol::BrokerRegistrationRequest request;
        request.broker_id = broker(id);
        request.cluster_id = {3, 3};
        request.incarnation_id = {4, ++incarnations};
        request.log_dirs = {types::Uuid{2000, static_cast<std::uint64_t>(id)}};
        request.previous_broker_epoch = clean ? lab.epoch_of(id) : types::BrokerEpoch(10);
        lab.now = lab.now + seconds(5);  // the old session is over
        const auto decision = decide_registration(lab.view(), request, {3, 3}, "host");
        EXPECT_EQ(decision.result.response.error, ErrorCode::kNone);
        EXPECT_EQ(decision.result.clean, clean);
        lab.write(decision.records);
        return decision.records.size();
    }

    const PartitionRegistration& foo() { return lab.partition("foo"); }

    ControllerLab lab;
    std::uint64_t incarnations = 0;
};

TEST_F(Elr, TC14_FollowsTheSizeOfTheIsr) {
    begin(2, {0, 1, 2});
    lab.alter(lab.proposal(0, "foo", 0, {0}));
    EXPECT_EQ(foo().elr, ids({1, 2}));
    EXPECT_TRUE(foo().last_known_elr.empty());
    lab.alter(lab.proposal(0, "foo", 0, {0, 1}));
    EXPECT_TRUE(foo().elr.empty());
}

TEST_F(Elr, TC15_LetsTheIsrBecomeEmpty) {
    begin(3, {0, 1, 2});
    lab.fence({1, 2});
    EXPECT_EQ(foo().elr, ids({1, 2}));
    shut_down_cleanly(0);
    EXPECT_TRUE(foo().isr.empty());
    EXPECT_EQ(foo().elr, ids({0, 1, 2}));
    EXPECT_EQ(foo().last_known_elr, ids({0}));
    EXPECT_EQ(foo().leader, std::nullopt);
}

TEST_F(Elr, TC16_KeepsTheElrWhenBrokersComeBack) {
    begin(3, {0, 1, 2, 3});
    lab.fence({2, 3});
    EXPECT_EQ(foo().elr, ids({3}));
    lab.fence({1, 2, 3});
    EXPECT_EQ(foo().elr, ids({1, 3}));
    lab.unfence({1, 2, 3});
    EXPECT_EQ(foo().elr, ids({1, 3}));
    EXPECT_EQ(foo().isr, ids({0}));
}

TEST_F(Elr, TC17_ElectsFromTheElrWhenTheIsrIsGone) {
    begin(3, {0, 1, 2, 3});
    lab.fence({1, 2, 3});
    EXPECT_EQ(foo().elr, ids({2, 3}));
    lab.unfence({2});
    lab.fence({0, 1});
    EXPECT_EQ(foo().leader, broker(2));
    EXPECT_EQ(foo().isr, ids({2}));
    EXPECT_EQ(foo().elr, ids({0, 3}));
    EXPECT_TRUE(foo().last_known_elr.empty());
}

TEST_F(Elr, TC18_TakesUncleanShutdownsOut) {
    begin(3, {0, 1, 2, 3});
    lab.fence({1, 2, 3});
    register_again(3, false);
    EXPECT_EQ(foo().elr, ids({2}));
    register_again(0, false);
    EXPECT_EQ(foo().elr, ids({2}));
    EXPECT_EQ(foo().last_known_elr, ids({0}));
    EXPECT_TRUE(foo().isr.empty());
}

TEST_F(Elr, TC19_NeverAsksForMoreThanThereAre) {
    begin(5, {0, 1, 2});
    EXPECT_EQ(effective_min_isr(lab.view(), *lab.state.image.topic("foo")), 3);
    lab.set_topic_config("foo", "min.insync.replicas", "2");
    EXPECT_EQ(effective_min_isr(lab.view(), *lab.state.image.topic("foo")), 2);
}

TEST_F(Elr, TC38_AnotherMinIsrEmptiesIt) {
    begin(3, {0, 1, 2});
    lab.create("bar", {ids({0, 1, 2})});
    lab.fence({1, 2});
    EXPECT_EQ(foo().elr, ids({1, 2}));
    EXPECT_TRUE(lab.partition("bar").elr.empty());
    const types::PartitionEpoch bar_epoch = lab.partition("bar").partition_epoch;
    const types::PartitionEpoch foo_epoch = foo().partition_epoch;
    const auto set = [&](const protocol::ConfigTarget& target, std::optional<std::string> value) {
        const auto decision =
            decide_alter_configs(lab.view(), {target, {{"min.insync.replicas", std::move(value)}}});
        lab.write(decision.records);
        return decision.result.result.error;
    };
    using Kind = protocol::ConfigTarget::Kind;
    EXPECT_EQ(set({Kind::kTopic, "foo"}, "2"), ErrorCode::kNone);
    EXPECT_TRUE(foo().elr.empty());
    EXPECT_EQ(foo().partition_epoch, foo_epoch.next());
    EXPECT_EQ(set({Kind::kCluster, ""}, "2"), ErrorCode::kNone);
    EXPECT_EQ(lab.partition("bar").partition_epoch, bar_epoch);
    EXPECT_EQ(set({Kind::kCluster, ""}, std::nullopt), ErrorCode::kInvalidConfig);
    EXPECT_EQ(set({Kind::kBroker, "1"}, "2"), ErrorCode::kInvalidConfig);
}

TEST_F(Elr, TH13_CleansUpOnlyAfterAnUncleanShutdown) {
    begin(2, {0, 1});
    shut_down_cleanly(0);
    EXPECT_EQ(foo().elr, ids({0}));
    EXPECT_EQ(register_again(0, true), 1U);
    EXPECT_EQ(foo().elr, ids({0}));
    EXPECT_EQ(register_again(0, false), 2U);
    EXPECT_TRUE(foo().elr.empty());
}

TEST_F(Elr, TH15_ComesBackFromTheLossOfAll) {
    begin(2, {0, 1, 2});
    lab.fence({0, 1, 2, 3});
    EXPECT_TRUE(foo().isr.empty());
    EXPECT_EQ(foo().leader, std::nullopt);
    EXPECT_EQ(foo().elr.size(), 2U);
    ASSERT_EQ(foo().last_known_elr.size(), 1U);
    const int last = foo().last_known_elr.front().value();
    register_again(last, false);
    EXPECT_FALSE(metadata::contains(foo().elr, broker(last)));
    EXPECT_EQ(foo().last_known_elr, ids({last}));
    ASSERT_EQ(foo().elr.size(), 1U);
    const int other = foo().elr.front().value();
    register_again(other, true);
    EXPECT_EQ(foo().elr, ids({other}));
    lab.unfence({other});
    EXPECT_EQ(foo().leader, broker(other));
    EXPECT_EQ(foo().isr, ids({other}));
    EXPECT_TRUE(foo().elr.empty());
    EXPECT_TRUE(foo().last_known_elr.empty());
}

}  // namespace
}  // namespace klab::controller
