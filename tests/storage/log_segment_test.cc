// SPDX-License-Identifier: Apache-2.0
//
// One segment: rows S1 to S14 and S19 to S21 of Kafka's own cases (LogSegmentTest), and when it
// gets index entries. Its recovery is segment_recovery_test.cc.
#include "model/storage/log_segment.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/segment_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;

constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();

TEST_F(SegmentTest, S1_OffsetsThatDoNotFit) {
    // Kafka throws; klab asks before it appends. A segment below 0 cannot be made at all.
    const std::pair<std::int64_t, std::int64_t> rows[] = {{0, -2147483648},
                                                          {0, 2147483648},
                                                          {1, 0},
                                                          {100, 10},
                                                          {2147483648, 0},
                                                          {2147483648, 4294967296}};
    for (const auto& [base, largest] : rows) {
        make(base);
        EXPECT_FALSE(segment_.can_hold(Offset(largest))) << base << " " << largest;
        EXPECT_TRUE(segment_.can_hold(Offset(base + kMax32)));
    }
}

TEST_F(SegmentTest, S2_NothingInAnEmptySegment) {
    make(40);
    EXPECT_EQ(read_from(40), -1);
}

TEST_F(SegmentTest, S3_ReadBeforeTheFirstOffset) {
    make(40);
    append_at(50, {"hello", "there", "little", "bee"});
    EXPECT_EQ(read_from(41), 50);
}

TEST_F(SegmentTest, S4_ReadBehindTheLastOffset) {
    make(40);
    append_at(50, {"hello", "there"});
    EXPECT_EQ(read_from(52), -1);
}

TEST_F(SegmentTest, S5_ReadInAGap) {
    make(40);
    append_at(50, {"hello", "there"});
    append_at(60, {"alpha", "beta"});
    EXPECT_EQ(read_from(55), 60);
}

TEST_F(SegmentTest, S7_CutAfterEachPairKeepsTheFirst) {
    make(40);
    for (std::int64_t i = 0; i < 30; ++i) {
        append_at(40 + i, {"hello"});
        append_at(41 + i, {"hello"});
        truncate(41 + i);
        EXPECT_EQ(read_from(40 + i), 40 + i);
        EXPECT_EQ(next_offset(), 41 + i);
    }
}

TEST_F(SegmentTest, S8_AnEmptySegmentIsMadeYoungAndRoomyByACut) {
    // A follower that cuts to an empty segment must not roll it because its index looks full.
    make(0);
    close();
    reopen();
    EXPECT_EQ(segment_.index().entries(), 0U);
    EXPECT_TRUE(segment_.index().is_full()) << "trimmed to nothing";
    now_ms_ += 500;
    truncate(57);
    EXPECT_EQ(segment_.created_ms(), now_ms_);
    EXPECT_FALSE(segment_.index().is_full());
    EXPECT_FALSE(segment_.time_index().is_full());

    const Bytes bytes = placed(batch_of({"a"}, kNoTimestamp), 100, 0);
    const std::vector<RecordBatchView> batches{RecordBatchView(bytes)};
    const IncomingBatches next = incoming_of(bytes, batches);
    EXPECT_FALSE(segment_.should_roll(next, config_, now_ms_));
    now_ms_ += config_.segment_ms + 1;
    EXPECT_FALSE(segment_.should_roll(next, config_, now_ms_)) << "it is empty";
    IncomingBatches far = next;
    far.last_offset = Offset(kMax32 + 200);
    EXPECT_TRUE(segment_.should_roll(far, config_, now_ms_));
}

TEST_F(SegmentTest, S9_LargestTimestampAndEndAreReadAgainAfterACut) {
    config_.index_interval_bytes =
        2 * static_cast<std::int32_t>(records_at(40, {"hello"}).size()) - 1;
    make(40);
    for (std::int64_t offset = 40; offset < 70; ++offset) {
        append_at(offset, {"hello"});
    }
    EXPECT_EQ(next_offset(), 70);
    EXPECT_EQ(segment_.time_index().entries(), 14U);
    truncate(41);
    EXPECT_EQ(segment_.time_index().entries(), 0U);
    EXPECT_EQ(segment_.largest_timestamp(), 400);
    EXPECT_EQ(next_offset(), 41);
}

TEST_F(SegmentTest, S10_CutToNothingStartsAnew) {
    make(40);
    append_at(40, {"hello", "there"});
    now_ms_ += 500;
    EXPECT_EQ(now_ms_ - segment_.created_ms(), 500);
    truncate(0);
    EXPECT_EQ(now_ms_ - segment_.created_ms(), 0);
    EXPECT_EQ(segment_.size(), 0U);
    EXPECT_EQ(segment_.first_timestamp(), std::nullopt);
    EXPECT_EQ(read_from(0), -1);
    append_at(40, {"hello", "there"});
    EXPECT_EQ(next_offset(), 42);
}

TEST_F(SegmentTest, S11_OffsetOfATimestamp) {
    make(40);
    for (std::int64_t offset = 40; offset < 50; ++offset) {
        append_at(offset, {fmt::format("msg{}", offset)});
    }
    EXPECT_EQ(segment_.largest_timestamp(), 490);
    EXPECT_EQ(find_time(420), 42);
    EXPECT_EQ(find_time(421), 43);
    EXPECT_EQ(find_time(430), 43);
    EXPECT_EQ(find_time(431), 44);
    EXPECT_EQ(find_time(491), -1);
    EXPECT_EQ(find_time(401), 41);
    EXPECT_EQ(find_time(399), 40);
}

TEST_F(SegmentTest, S12_NextOffset) {
    make(40);
    EXPECT_EQ(next_offset(), 40);
    append_at(50, {"hello", "there", "you"});
    EXPECT_EQ(next_offset(), 53);
}

TEST_F(SegmentTest, S19_PreallocatedFileIsCutAtTheClose) {
    constexpr std::uint64_t kSize = 512ULL * 1024 * 1024;
    config_.preallocate = true;
    config_.segment_bytes = kSize;
    make(40);
    append_at(50, {"hello", "there"});
    append_at(52, {"alpha", "beta"});
    const std::uint32_t data = segment_.size();
    EXPECT_EQ(file_size(kLogSuffix), kSize);
    EXPECT_EQ(read_from(52), 52);
    close();
    EXPECT_EQ(file_size(kLogSuffix), data);
    reopen();
    EXPECT_EQ(segment_.size(), data);
    EXPECT_EQ(batch_offsets(), (std::vector<std::int64_t>{50, 52}));
    EXPECT_EQ(file_size(kLogSuffix), data) << "a segment that is opened is not preallocated again";
}

TEST_F(SegmentTest, S19_PreallocatedFileAfterACrash) {
    config_.preallocate = true;
    config_.segment_bytes = 1 << 20;
    make(40);
    append_at(50, {"hello", "there"});
    const std::uint32_t data = segment_.size();
    reopen();
    EXPECT_EQ(segment_.size(), 1U << 20) << "zeros behind the data";
    EXPECT_EQ(recover(), (1U << 20) - data);
    EXPECT_EQ(segment_.size(), data);
    EXPECT_EQ(next_offset(), 52);
}

TEST_F(SegmentTest, S20_CutAtAnOffsetNobodyHas) {
    make(40);
    append_at(40, {"hello"});
    append_at(43, {"there"});
    truncate(41);
    EXPECT_EQ(batch_offsets(), (std::vector<std::int64_t>{40}));
    EXPECT_EQ(next_offset(), 41);
}

TEST_F(SegmentTest, S21_TimestampOfTheFirstBatch) {
    make(1);
    EXPECT_EQ(segment_.first_timestamp(), std::nullopt);
    append(placed(batch_of({"one"}, 1000), 1, 0));
    append(placed(batch_of({"two"}, 2000), 2, 0));
    EXPECT_EQ(segment_.first_timestamp(), 1000);
}

/// The entries of its offset index: relative offset and position.
std::vector<std::pair<std::int64_t, std::int32_t>> entries_of(const LogSegment& segment,
                                                              DiskPort disk) {
    std::vector<std::pair<std::int64_t, std::int32_t>> out;
    for (std::uint32_t i = 0; i < segment.index().entries(); ++i) {
        const OffsetIndexEntry entry = segment.index().entry(disk, i).value();
        out.emplace_back(entry.offset - segment.base_offset(), entry.position);
    }
    return out;
}

using Entries = std::vector<std::pair<std::int64_t, std::int32_t>>;

/// A batch of exactly `size` bytes.
Bytes batch_of_size(std::int64_t offset, std::size_t size) {
    for (std::size_t value = size - 80; value < size; ++value) {
        Bytes bytes = records_at(offset, {std::string(value, 'v')});
        if (bytes.size() == size) {
            return bytes;
        }
    }
    // Some sizes fall between two lengths of a varint: none of the rows below.
    return {};
}

class IndexGrowth : public SegmentTest {
  protected:
    Entries grow(std::size_t batch_size, std::int64_t batches, std::int64_t batches_an_append = 1) {
        make(0);
        for (std::int64_t offset = 0; offset < batches; offset += batches_an_append) {
            Bytes bytes;
            for (std::int64_t i = 0; i < batches_an_append; ++i) {
                const Bytes one = batch_size == 72 ? records_at(offset + i, {"test"})
                                                   : batch_of_size(offset + i, batch_size);
                EXPECT_EQ(one.size(), batch_size);
                bytes.insert(bytes.end(), one.begin(), one.end());
            }
            append(bytes);
        }
        return entries_of(segment_, port());
    }
};

TEST_F(IndexGrowth, T10_5_OneBatchAnAppend) {
    // The table "index growth": an entry once more than 4096 bytes lie behind the last one.
    EXPECT_EQ(grow(72, 200), (Entries{{57, 4104}, {114, 8208}, {171, 12312}}));
    EXPECT_EQ(grow(500, 30), (Entries{{9, 4500}, {18, 9000}, {27, 13500}}));
    EXPECT_EQ(grow(1024, 21), (Entries{{5, 5120}, {10, 10240}, {15, 15360}, {20, 20480}}));
    EXPECT_EQ(grow(4096, 6), (Entries{{2, 8192}, {4, 16384}}));
    EXPECT_EQ(grow(4097, 4), (Entries{{1, 4097}, {2, 8194}, {3, 12291}}));
}

TEST_F(IndexGrowth, T10_5_TenBatchesAnAppend) {
    EXPECT_EQ(grow(1024, 20, 10), (Entries{{5, 5120}, {10, 10240}, {15, 15360}}));
    config_.indexes_each_batch = false;
    EXPECT_EQ(grow(1024, 40, 10), (Entries{{19, 10240}, {29, 20480}, {39, 30720}}))
        << "4.0.0: the last offset of the append, and where the append begins";
}

}  // namespace
}  // namespace klab::storage
