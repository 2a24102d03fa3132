// SPDX-License-Identifier: Apache-2.0
//
// Blocks of producer ids. Kafka: RPCProducerIdManager, ProducerIdsBlock (PRODUCER_ID_BLOCK_SIZE is
// 1000).
#include "model/broker/producer_id_manager.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace klab::broker {
namespace {

using protocol::AllocateProducerIdsResponse;
using types::ErrorCode;

AllocateProducerIdsResponse block_from(std::int64_t first, std::int32_t count = 1000) {
    return {ErrorCode::kNone, types::ProducerId(first), count};
}

/// A manager with one block of 1000 ids from `first`.
ProducerIdManager with_block(std::int64_t first) {
    ProducerIdManager manager;
    EXPECT_TRUE(manager.start_request_if_needed());
    manager.on_block(block_from(first));
    return manager;
}

void take_many(ProducerIdManager& manager, int count) {
    for (int i = 0; i < count; ++i) {
        ASSERT_TRUE(manager.take().has_value());
    }
}

TEST(ProducerIdManager, HasNoIdBeforeItsFirstBlock) {
    // COORDINATOR_LOAD_IN_PROGRESS for the client, which tries again.
    ProducerIdManager manager;
    EXPECT_EQ(manager.take(), std::nullopt);
    EXPECT_TRUE(manager.start_request_if_needed());
    EXPECT_FALSE(manager.start_request_if_needed()) << "one request at a time";
    EXPECT_EQ(manager.take(), std::nullopt);
}

TEST(ProducerIdManager, GivesTheIdsOfItsBlockInOrder) {
    ProducerIdManager manager = with_block(3000);
    for (std::int64_t id = 3000; id < 4000; ++id) {
        ASSERT_EQ(manager.take(), types::ProducerId(id));
    }
    EXPECT_EQ(manager.take(), std::nullopt);
}

TEST(ProducerIdManager, AsksForTheNextBlockWithTheIdAtNinetyPercent) {
    // prefetchTarget = first + 0.9 * size: id 900 of block 0, the 901st.
    ProducerIdManager manager = with_block(0);
    take_many(manager, 900);
    EXPECT_FALSE(manager.start_request_if_needed());
    EXPECT_EQ(manager.take(), types::ProducerId(900));
    EXPECT_TRUE(manager.start_request_if_needed());
}

TEST(ProducerIdManager, GoesOnWithTheOldBlockUntilItIsUsedUp) {
    ProducerIdManager manager = with_block(0);
    take_many(manager, 901);
    ASSERT_TRUE(manager.start_request_if_needed());
    manager.on_block(block_from(5000));
    for (std::int64_t id = 901; id < 1000; ++id) {
        ASSERT_EQ(manager.take(), types::ProducerId(id));
    }
    EXPECT_EQ(manager.take(), types::ProducerId(5000));
    EXPECT_FALSE(manager.start_request_if_needed()) << "the new block is fresh";
}

TEST(ProducerIdManager, KeepsOneBlockAhead) {
    // With a block in hand and one waiting there is nothing to ask for.
    ProducerIdManager manager = with_block(0);
    take_many(manager, 901);
    ASSERT_TRUE(manager.start_request_if_needed());
    EXPECT_FALSE(manager.start_request_if_needed());
    manager.on_block(block_from(1000));
    EXPECT_FALSE(manager.start_request_if_needed());
}

TEST(ProducerIdManager, AsksAgainAfterAFailure) {
    for (const std::optional<AllocateProducerIdsResponse>& failure :
         {std::optional<AllocateProducerIdsResponse>{},
          std::optional(AllocateProducerIdsResponse{
              ErrorCode::kStaleBrokerEpoch, types::ProducerId(0), 0})}) {
        ProducerIdManager manager;
        ASSERT_TRUE(manager.start_request_if_needed());
        manager.on_block(failure);
        EXPECT_EQ(manager.take(), std::nullopt);
        EXPECT_TRUE(manager.start_request_if_needed());
        manager.on_block(block_from(0));
        EXPECT_EQ(manager.take(), types::ProducerId(0));
    }
}

RC_GTEST_PROP(ProducerIdManager, NeverGivesAnIdTwice, ()) {
    // Two brokers and a controller that gives disjoint blocks, answers in any order.
    ProducerIdManager managers[2];
    bool asked[2] = {false, false};
    std::int64_t next_block = 0;
    std::set<std::int64_t> given;
    const auto turns = *rc::gen::container<std::vector<int>>(4000, rc::gen::inRange(0, 40));
    for (const int turn : turns) {
        const auto who = static_cast<std::size_t>(turn % 2);
        asked[who] = managers[who].start_request_if_needed() || asked[who];
        if (turn < 2 && asked[who]) {
            managers[who].on_block(block_from(next_block, 20));
            next_block += 20;
            asked[who] = false;
        } else if (const auto id = managers[who].take()) {
            RC_ASSERT(given.insert(id->value()).second);
        }
    }
    RC_ASSERT(given.size() > 100U);
}

}  // namespace
}  // namespace klab::broker
