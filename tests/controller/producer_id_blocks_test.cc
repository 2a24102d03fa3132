// SPDX-License-Identifier: Apache-2.0
//
// Blocks of producer ids.
#include "model/controller/producer_id_blocks.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

TEST(ProducerIdBlocks, NeverOverlap) {
    ControllerLab lab;
    lab.register_brokers({1, 2});
    std::int64_t expected = 0;
    for (const int id : {1, 2, 1}) {
        const auto decision =
            decide_allocate_producer_ids(lab.view(), {broker(id), lab.epoch_of(id)});
        EXPECT_EQ(decision.result.error, ErrorCode::kNone);
        EXPECT_EQ(decision.result.first_id.value(), expected);
        EXPECT_EQ(decision.result.count, 1'000);
        lab.write(decision.records);
        expected += 1'000;
    }
    EXPECT_EQ(lab.state.image.next_producer_id, types::ProducerId(3'000));
}

TEST(ProducerIdBlocks, GoToRegisteredProcessesOnly) {
    ControllerLab lab;
    lab.register_brokers({1});
    const auto stale = decide_allocate_producer_ids(lab.view(), {broker(1), types::BrokerEpoch(5)});
    EXPECT_EQ(stale.result.error, ErrorCode::kStaleBrokerEpoch);
    EXPECT_TRUE(stale.records.empty());
}

TEST(ProducerIdBlocks, EndWithTheLastId) {
    ControllerLab lab;
    lab.register_brokers({1});
    metadata::ProducerIdsRecord used_up;
    used_up.next_producer_id = types::ProducerId(std::numeric_limits<std::int64_t>::max() - 5);
    lab.write({used_up});
    EXPECT_EQ(decide_allocate_producer_ids(lab.view(), {broker(1), lab.epoch_of(1)}).result.error,
              ErrorCode::kUnknownServerError);
}

}  // namespace
}  // namespace klab::controller
