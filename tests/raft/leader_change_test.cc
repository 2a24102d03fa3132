// SPDX-License-Identifier: Apache-2.0
//
// The control record that begins an epoch.
#include "model/raft/leader_change.h"

#include <gtest/gtest.h>

#include "model/storage/record.h"
#include "model/storage/record_batch_builder.h"
#include "tests/storage/hex.h"

namespace klab::raft {
namespace {

const LeaderChangeMessage kMessage{
    types::BrokerId(3001), {types::BrokerId(3001)}, {types::BrokerId(3001)}};

Bytes batch() {
    return build_leader_change(types::Offset(5), types::LeaderEpoch(2), 1'000, kMessage);
}

TEST(LeaderChange, IsAControlBatchOfItsEpoch) {
    const Bytes bytes = batch();
    const storage::RecordBatchView view(bytes);
    EXPECT_TRUE(view.is_control());
    EXPECT_TRUE(view.has_valid_crc());
    EXPECT_EQ(view.base_offset(), types::Offset(5));
    EXPECT_EQ(view.leader_epoch(), types::LeaderEpoch(2));
    EXPECT_EQ(view.attributes(), 0x20);
    EXPECT_EQ(view.producer_id(), std::nullopt);
    EXPECT_EQ(parse_leader_change(view), kMessage);
}

TEST(LeaderChange, HasTheBytesOfTheSchema) {
    const Bytes bytes = batch();
    storage::RecordIterator records{storage::RecordBatchView(bytes)};
    const auto record = records.next();
    ASSERT_TRUE(record);
    EXPECT_EQ(storage::to_hex(*record->key), "00000002");
    // Version, leader, voters (one, no tags), granting voters (one, no tags), no tags.
    EXPECT_EQ(storage::to_hex(*record->value),
              "0000"
              "00000bb9"
              "02"
              "00000bb9"
              "00"
              "02"
              "00000bb9"
              "00"
              "00");
}

TEST(LeaderChange, IsNotReadFromOtherBatches) {
    storage::RecordBatchBuilder data;
    storage::RecordInput record;
    record.timestamp = 0;
    data.append(record);
    const Bytes bytes = data.build();
    EXPECT_EQ(parse_leader_change(storage::RecordBatchView(bytes)), std::nullopt);
}

}  // namespace
}  // namespace klab::raft
