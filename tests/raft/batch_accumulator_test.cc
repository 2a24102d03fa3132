// SPDX-License-Identifier: Apache-2.0
//
// What gathers between two appends to the metadata log.
#include "model/raft/batch_accumulator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/raft/metadata_log.h"
#include "model/storage/record.h"

namespace klab::raft {
namespace {

std::vector<Bytes> values(std::initializer_list<const char*> texts) {
    std::vector<Bytes> made;
    for (const std::string_view text : texts) {
        made.emplace_back(text.begin(), text.end());
    }
    return made;
}

TEST(BatchAccumulator, PutsSeveralAppendsIntoOneBatch) {
    BatchAccumulator accumulator(types::LeaderEpoch(3), types::Offset(10));
    EXPECT_EQ(accumulator.append(values({"a", "b"}), 100), types::Offset(11));
    EXPECT_EQ(accumulator.append(values({"c"}), 120), types::Offset(12));
    const Bytes bytes = accumulator.drain();
    const storage::RecordBatchView batch(bytes);
    EXPECT_EQ(batch.base_offset(), types::Offset(10));
    EXPECT_EQ(batch.last_offset(), types::Offset(12));
    EXPECT_EQ(batch.leader_epoch(), types::LeaderEpoch(3));
    // One time for all: that of the first append.
    EXPECT_EQ(batch.base_timestamp(), 100);
    EXPECT_EQ(batch.max_timestamp(), 100);
    EXPECT_TRUE(accumulator.empty());
    EXPECT_EQ(accumulator.next_offset(), types::Offset(13));
}

TEST(BatchAccumulator, GivesNothingWhenEmpty) {
    BatchAccumulator accumulator(types::LeaderEpoch(1), types::Offset(0));
    EXPECT_TRUE(accumulator.drain().empty());
}

TEST(BatchAccumulator, RefusesWhatDoesNotFitIntoABatch) {
    BatchAccumulator accumulator(types::LeaderEpoch(1), types::Offset(0));
    const std::vector<Bytes> huge(1, Bytes(static_cast<std::size_t>(kBatchBytesMax)));
    EXPECT_EQ(accumulator.append(huge, 0), std::nullopt);
    EXPECT_TRUE(accumulator.empty());
    EXPECT_EQ(accumulator.next_offset(), types::Offset(0));
}

TEST(BatchAccumulator, NeverSplitsOneAppendOverTwoBatches) {
    BatchAccumulator accumulator(types::LeaderEpoch(1), types::Offset(0));
    const std::vector<Bytes> large(3, Bytes(static_cast<std::size_t>(kBatchBytesMax) / 5));
    ASSERT_TRUE(accumulator.append(large, 0));
    ASSERT_TRUE(accumulator.append(large, 0));
    const Bytes bytes = accumulator.drain();
    storage::BatchIterator it(bytes);
    std::vector<std::int32_t> counts;
    while (const auto batch = it.next()) {
        counts.push_back(batch->records_count());
    }
    EXPECT_EQ(counts, (std::vector<std::int32_t>{3, 3}));
}

RC_GTEST_PROP(BatchAccumulator, LosesNothingAndKeepsTheOrder, ()) {
    BatchAccumulator accumulator(types::LeaderEpoch(1), types::Offset(0));
    std::vector<Bytes> all;
    Bytes drained;
    const int appends = *rc::gen::inRange(1, 20);
    for (int i = 0; i < appends; ++i) {
        auto some =
            *rc::gen::resize(8, rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<Bytes>>()));
        RC_ASSERT(accumulator.append(some, i).has_value());
        all.insert(all.end(), some.begin(), some.end());
        if (*rc::gen::inRange(0, 3) == 0) {
            const Bytes piece = accumulator.drain();
            drained.insert(drained.end(), piece.begin(), piece.end());
        }
    }
    const Bytes rest = accumulator.drain();
    drained.insert(drained.end(), rest.begin(), rest.end());
    std::vector<Bytes> read;
    storage::BatchIterator batches(drained);
    while (const auto batch = batches.next()) {
        RC_ASSERT(batch->has_valid_crc());
        storage::RecordIterator records(*batch);
        while (const auto record = records.next()) {
            RC_ASSERT(record->offset.value() == static_cast<std::int64_t>(read.size()));
            read.emplace_back(record->value->begin(), record->value->end());
        }
    }
    RC_ASSERT(read == all);
}

}  // namespace
}  // namespace klab::raft
