// SPDX-License-Identifier: Apache-2.0
//
// The parts of the cleaner on plain data: size of the map, buffer (rows C39 and C40), throttle,
// grouping (rows C32 and C33).
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/cleaner/io_buffer.h"
#include "model/storage/cleaner/io_throttle.h"
#include "model/storage/cleaner/offset_map.h"
#include "model/storage/cleaner/segment_grouping.h"
#include "tests/storage/hex.h"
#include "tests/storage/log_builder.h"
#include "tests/storage/record_batch_vectors.h"

namespace klab::storage::cleaner {
namespace {

using types::Offset;

constexpr std::int64_t kOffsetsOfASegment = std::numeric_limits<std::int32_t>::max();

TEST(OffsetMapSize, OfTheDefaults) {
    // 128 MiB are 5,592,405 slots; nine tenths of them are used.
    EXPECT_EQ(offset_map_size({}), (OffsetMapSize{5592405, 5033164}));
    EXPECT_EQ(offset_map_size({134217728, 4, 900'000'000}), (OffsetMapSize{1398101, 1258290}));
    EXPECT_EQ(offset_map_size({2400, 1, 750'000'000}), (OffsetMapSize{100, 75}));
    EXPECT_EQ(offset_map_size({std::numeric_limits<std::int64_t>::max(), 1, 1'000'000'000}).slots,
              89478485U);
}

TEST(OffsetMap, KnowsTheLastOffsetOfEachKey) {
    OffsetMap map({10, 3});
    EXPECT_EQ(map.latest_offset(), std::nullopt);
    map.put(view_of("a"), Offset(1));
    map.put(view_of("b"), Offset(2));
    map.put(view_of("a"), Offset(5));
    EXPECT_EQ(map.size(), 2U);
    EXPECT_EQ(map.find(view_of("a")), Offset(5));
    EXPECT_EQ(map.find(view_of("c")), std::nullopt);
    EXPECT_EQ(map.latest_offset(), Offset(5));
    EXPECT_FALSE(map.is_full());
    map.put(view_of(""), Offset(6));
    EXPECT_TRUE(map.is_full());
    map.note_latest(Offset(9));
    EXPECT_EQ(map.latest_offset(), Offset(9));
}

TEST(OffsetMap, EqualBytesAreOneKeyHoweverLong) {
    // 1,000 keys that differ in one place of many, in both orders.
    OffsetMap map({2000, 2000});
    for (int i = 0; i < 1000; ++i) {
        map.put(view_of(std::string(50, 'k') + std::to_string(i)), Offset(i));
    }
    EXPECT_EQ(map.size(), 1000U);
    for (int i = 999; i >= 0; --i) {
        EXPECT_EQ(map.find(view_of(std::string(50, 'k') + std::to_string(i))), Offset(i));
    }
}

/// A batch of `size` bytes in a segment, and what the buffer shows of it.
std::optional<CleaningError> grow_for(IoBuffer& buffer,
                                      const Bytes& batch,
                                      std::uint64_t bytes_left,
                                      std::int64_t topic_max) {
    const std::size_t seen = std::min<std::size_t>(buffer.size(), batch.size());
    return buffer.grow({ByteView(batch).first(seen), bytes_left, topic_max});
}

TEST(IoBufferRows, C39_GrowsToTheBatchBeyondEveryLimit) {
    // The topic allows half of what the batch has: its limit was lowered.
    const Bytes batch = batch_of({std::string(1'000'000, 'v')});
    IoBuffer buffer({2 * 1024, 1, 1024});
    EXPECT_EQ(buffer.size(), 1024U);
    std::vector<std::uint64_t> sizes;
    while (buffer.size() < batch.size()) {
        ASSERT_EQ(grow_for(buffer, batch, batch.size(), 524'288), std::nullopt);
        sizes.push_back(buffer.size());
    }
    EXPECT_EQ(sizes,
              (std::vector<std::uint64_t>{
                  2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, batch.size()}));
    buffer.restore();
    EXPECT_EQ(buffer.size(), 1024U);
}

TEST(IoBufferRows, C40_ABatchBeyondTheEndOfItsFileIsCorrupt) {
    const Bytes batch = batch_of({std::string(1'000'000, 'v')});
    IoBuffer buffer({2 * 1024, 1, 1024});
    EXPECT_EQ(grow_for(buffer, batch, 1024, 1024), CleaningError::kCorruptRecord);
}

TEST(IoBufferRows, C40_ABrokenMagicIsCorrupt) {
    Bytes batch = batch_of({std::string(1'000'000, 'v')});
    batch[BatchField::kMagic] = 0xFF;
    IoBuffer buffer({2 * 1024, 1, 1024});
    EXPECT_EQ(grow_for(buffer, batch, batch.size(), 1024), CleaningError::kCorruptRecord);
}

TEST(IoBuffer, RestOfAHeaderIsCorrupt) {
    // A file that ends in a few bytes: they never become a batch.
    IoBuffer buffer({2 * 1024, 1, 1024});
    EXPECT_EQ(buffer.grow({ByteView(from_hex(vectors::kB9)).first(10), 10, 1024}),
              CleaningError::kCorruptRecord);
}

TEST(IoBuffer, ThreadsShareTheMemory) {
    EXPECT_EQ(IoBuffer(IoBufferSettings{}).size(), 262144U);
    EXPECT_EQ(IoBuffer({524288, 4, 1048588}).size(), 65536U);
    IoBuffer smallest({0, 1, 1048588});
    EXPECT_EQ(smallest.size(), 1U);
}

TEST(IoThrottle, RestsUntilTheAverageFits) {
    IoThrottle throttle(1000, Time{});
    EXPECT_EQ(throttle.note(500, Time{} + milliseconds(300)), Duration{}) << "period not over";
    EXPECT_EQ(throttle.note(500, Time{} + milliseconds(400)), milliseconds(600));
    // The new period begins after the rest.
    EXPECT_EQ(throttle.note(100, Time{} + milliseconds(1301)), Duration{}) << "below the rate";
    EXPECT_EQ(throttle.note(2000, Time{} + milliseconds(1302)), Duration{}) << "a new period";
    EXPECT_EQ(throttle.note(0, Time{} + milliseconds(1901)), milliseconds(1400));
}

TEST(IoThrottle, WithoutALimitNeverRests) {
    IoThrottle throttle;
    EXPECT_EQ(throttle.note(std::uint64_t{1} << 40, Time{} + seconds(1)), Duration{});
}

std::vector<SegmentExtent> ten_segments() {
    std::vector<SegmentExtent> segments;
    for (std::int64_t i = 0; i < 10; ++i) {
        segments.push_back({Offset(i * 4), 300, 24, 36});
    }
    return segments;
}

std::vector<std::size_t> sizes_of(const std::vector<SegmentExtent>& segments,
                                  const GroupLimits& limits) {
    std::vector<std::size_t> sizes;
    for (const auto& group : group_segments(segments, limits)) {
        sizes.push_back(group.size());
    }
    return sizes;
}

TEST(SegmentGroupingRows, C32_BySizeAndByIndex) {
    const auto segments = ten_segments();
    constexpr std::uint64_t kMuch = std::numeric_limits<std::int32_t>::max();
    const Offset end(40);
    using Sizes = std::vector<std::size_t>;
    EXPECT_EQ(sizes_of(segments, {kMuch, kMuch, end}), (Sizes{10}));
    EXPECT_EQ(sizes_of(segments, {1, kMuch, end}), Sizes(10, 1));
    EXPECT_EQ(sizes_of(segments, {kMuch, 1, end}), Sizes(10, 1));
    EXPECT_EQ(sizes_of(segments, {3 * 300 + 1, kMuch, end}), (Sizes{3, 3, 3, 1}));
    EXPECT_EQ(sizes_of(segments, {kMuch, 3 * 36 + 1, end}), (Sizes{3, 3, 3, 1}));
    EXPECT_EQ(sizes_of({}, {kMuch, kMuch, end}), Sizes{});
}

TEST(SegmentGroupingRows, C33_OffsetsOfAGroupSpanLessThanTwoBillion) {
    const std::vector<SegmentExtent> segments = {{Offset(0), 300, 8, 12}, {Offset(5), 300, 8, 12}};
    using Sizes = std::vector<std::size_t>;
    EXPECT_EQ(sizes_of(segments, {1000, 1000, Offset(kOffsetsOfASegment + 1)}), (Sizes{2}));
    EXPECT_EQ(sizes_of(segments, {1000, 1000, Offset(kOffsetsOfASegment + 2)}), (Sizes{1, 1}));
}

TEST(SegmentGrouping, AnEmptySegmentIsNotMeasured) {
    const std::vector<SegmentExtent> segments = {
        {Offset(0), 300, 8, 12}, {Offset(5), 0, 0, 0}, {Offset(kOffsetsOfASegment + 10), 1, 0, 0}};
    using Sizes = std::vector<std::size_t>;
    EXPECT_EQ(sizes_of(segments, {1000, 1000, Offset(kOffsetsOfASegment + 11)}), (Sizes{2, 1}));
}

}  // namespace
}  // namespace klab::storage::cleaner
