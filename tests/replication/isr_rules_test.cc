// SPDX-License-Identifier: Apache-2.0
//
// Who may join the ISR, and who must leave it.
#include <gtest/gtest.h>

#include "model/replication/isr_expansion.h"
#include "model/replication/isr_shrink.h"
#include "tests/replication/surroundings_builder.h"

namespace klab::replication {
namespace {

InSyncBar bar(std::int64_t high_watermark, std::int64_t epoch_start) {
    return {types::Offset(high_watermark), types::Offset(epoch_start)};
}

bool joins(const World3& world, std::int64_t end, InSyncBar at) {
    IsrState isr;
    isr.commit(brokers({1, 2}));
    return should_expand_isr(isr, caught_up_follower(3, end, world.wall), at, world.around());
}

TEST(IsrExpansion, NeedsTheHighWatermarkAndTheStartOfTheEpoch) {
    const World3 world;
    EXPECT_TRUE(joins(world, 5, bar(5, 5)));
    EXPECT_TRUE(joins(world, 7, bar(5, 6)));
    EXPECT_FALSE(joins(world, 4, bar(5, 3)));
    EXPECT_FALSE(joins(world, 4, bar(3, 5)));
}

TEST(IsrExpansion, IgnoresTheStartOfTheEpochWithoutKafka7128) {
    World3 world;
    world.rules.isr_join_needs_epoch_start = false;
    EXPECT_TRUE(joins(world, 4, bar(3, 5)));
    EXPECT_FALSE(joins(world, 2, bar(3, 5)));
}

TEST(IsrExpansion, WaitsWhileAChangeIsInFlight) {
    const World3 world;
    IsrState isr;
    isr.commit(brokers({1, 2}));
    isr.propose_shrink(brokers({2}));
    EXPECT_FALSE(
        should_expand_isr(isr, caught_up_follower(3, 5, world.wall), bar(5, 5), world.around()));
}

TEST(IsrExpansion, RefusesFencedStoppingUnknownAndRestartedBrokers) {
    World3 fenced;
    change_broker(fenced.image, 3, [](auto& broker) { broker.fenced = true; });
    EXPECT_FALSE(joins(fenced, 5, bar(5, 5)));
    World3 stopping;
    change_broker(stopping.image, 3, [](auto& broker) { broker.in_controlled_shutdown = true; });
    EXPECT_FALSE(joins(stopping, 5, bar(5, 5)));
    World3 unknown;
    unknown.image.brokers.erase(types::BrokerId(3));
    EXPECT_FALSE(joins(unknown, 5, bar(5, 5)));
    World3 restarted;
    change_broker(restarted.image, 3, [](auto& broker) { broker.epoch = types::BrokerEpoch(200); });
    EXPECT_FALSE(joins(restarted, 5, bar(5, 5)));
    restarted.rules.isr_join_checks_broker_epoch = false;
    EXPECT_TRUE(joins(restarted, 5, bar(5, 5)));
}

TEST(IsrExpansion, NeedsAFetchInThisEpoch) {
    const World3 world;
    IsrState isr;
    isr.commit(brokers({1, 2}));
    EXPECT_FALSE(
        should_expand_isr(isr, Follower{types::BrokerId(3), {}}, bar(0, 0), world.around()));
}

TEST(IsrExpansion, MutantsLetReplicasInThatMustWait) {
    World3 early;
    early.mutate(types::Mutant::kIsrExpandTooEarly);
    EXPECT_TRUE(joins(early, 0, bar(5, 5)));
    World3 below;
    below.mutate(types::Mutant::kExpandBelowHw);
    EXPECT_TRUE(joins(below, 4, bar(5, 3)));
    EXPECT_FALSE(joins(below, 2, bar(5, 3)));
    World3 unchecked;
    unchecked.mutate(types::Mutant::kBrokerEpochUnchecked);
    change_broker(unchecked.image, 3, [](auto& broker) { broker.epoch = types::BrokerEpoch(200); });
    EXPECT_TRUE(joins(unchecked, 5, bar(5, 5)));
}

TEST(IsrShrink, RemovesWhoIsBehindForTooLong) {
    World3 world;
    IsrState isr;
    isr.commit(brokers({1, 2, 3}));
    const std::vector<Follower> followers = {caught_up_follower(2, 10, world.wall),
                                             caught_up_follower(3, 5, world.wall)};
    const auto out_of_sync = [&](std::int64_t ms) {
        world.wall = at_ms(ms);
        return find_out_of_sync(isr, followers, types::Offset(10), world.around());
    };
    EXPECT_TRUE(out_of_sync(30'000).empty());
    EXPECT_EQ(out_of_sync(30'001), brokers({3}));
}

TEST(IsrShrink, RemovesMembersItKnowsNothingOf) {
    const World3 world;
    IsrState isr;
    isr.commit(brokers({1, 2}));
    EXPECT_EQ(find_out_of_sync(isr, {}, types::Offset(0), world.around()), brokers({2}));
}

TEST(IsrShrink, WaitsWhileAChangeIsInFlight) {
    const World3 world;
    IsrState isr;
    isr.commit(brokers({1, 2}));
    isr.propose_expand(types::BrokerId(3));
    EXPECT_TRUE(find_out_of_sync(isr, {}, types::Offset(0), world.around()).empty());
}

}  // namespace
}  // namespace klab::replication
