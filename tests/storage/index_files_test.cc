// SPDX-License-Identifier: Apache-2.0
//
// The three index files of a segment: rows I1 to I27 of Kafka's own cases (OffsetIndexTest,
// TimeIndexTest, TransactionIndexTest), and the law that their search finds what a scan finds.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/offset_index.h"
#include "model/storage/time_index.h"
#include "model/storage/transaction_index.h"
#include "sim/base/assert.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerId;
using Refusal = std::optional<AppendError>;

constexpr std::string_view kPath = "/00000000000000000045.index";
constexpr std::uint32_t kSlots = 30;

OffsetIndexEntry at(std::int64_t offset, std::int32_t position) {
    return {Offset(offset), position};
}

TimeIndexEntry when(std::int64_t timestamp, std::int64_t offset) {
    return {timestamp, Offset(offset)};
}

class OffsetIndexRows : public testing::Test {
  protected:
    void make(std::int64_t base, std::uint32_t slots = kSlots) {
        index_ = OffsetIndex(Offset(base), slots * OffsetIndexEntry::kBytes);
        ASSERT_FALSE(index_.open(disk_, kPath));
    }

    Refusal add(std::int64_t offset, std::int32_t position) {
        return index_.append(disk_, at(offset, position));
    }

    void cut(std::int64_t offset) { ASSERT_FALSE(index_.truncate_to(disk_, Offset(offset))); }

    OffsetIndexEntry lookup(std::int64_t offset) {
        return index_.lookup(disk_, Offset(offset)).value();
    }

    /// The first entry behind `size` bytes from `position`: its offset, or -1.
    std::int64_t bound(std::int64_t position, std::int64_t size) {
        const auto found = index_.first_at(disk_, position + size).value();
        return found ? found->offset.value() : -1;
    }

    void add_one_to_nine() {
        make(0, 10);
        for (std::int32_t i = 1; i <= 9; ++i) {
            ASSERT_EQ(add(i, i), std::nullopt);
        }
    }

    sim::Disk disk_;
    OffsetIndex index_;
};

TEST_F(OffsetIndexRows, I1_EmptyIndexAnswersItsBase) {
    make(45);
    EXPECT_EQ(lookup(92), at(45, 0));
    EXPECT_EQ(lookup(45), at(45, 0));
}

TEST_F(OffsetIndexRows, I2_FullIndex) {
    make(45);
    for (std::int32_t i = 0; i < 30; ++i) {
        ASSERT_EQ(add(46 + i, i), std::nullopt);
    }
    EXPECT_TRUE(index_.is_full());
    EXPECT_EQ(lookup(45), at(45, 0));
    EXPECT_EQ(lookup(45 + 30), at(75, 29));
}

TEST_F(OffsetIndexRows, I3_NoRoomIsRefused) {
    make(45, 1);
    ASSERT_EQ(add(46, 0), std::nullopt);
    EXPECT_EQ(add(47, 1), AppendError::kIndexFull);
    EXPECT_EQ(index_.entries(), 1U);
}

TEST_F(OffsetIndexRows, I4_OffsetsDoNotGoBack) {
    make(45);
    ASSERT_EQ(add(51, 0), std::nullopt);
    EXPECT_EQ(add(50, 1), AppendError::kInvalidOffset);
    EXPECT_EQ(add(51, 1), AppendError::kInvalidOffset) << "nor repeat";
}

TEST_F(OffsetIndexRows, I5_EntryBehindTheEndIsABug) {
    make(45);
    EXPECT_THROW(static_cast<void>(index_.entry(disk_, 0)), AssertionFailure);
}

TEST_F(OffsetIndexRows, I6_FirstEntryBehindAReadOfSoManyBytes) {
    make(45);
    for (const auto& [offset, position] : {at(45, 0), at(46, 10), at(47, 23), at(48, 37)}) {
        ASSERT_EQ(add(offset.value(), position), std::nullopt);
    }
    EXPECT_EQ(bound(0, 5), 46);
    EXPECT_EQ(bound(0, 10), 46);
    EXPECT_EQ(bound(0, 22), 47);
    EXPECT_EQ(bound(0, 23), 47);
    EXPECT_EQ(bound(10, 24), 48);
}

TEST_F(OffsetIndexRows, I7_NoEntryBehindTheLast) {
    make(45);
    EXPECT_EQ(bound(0, 5), -1);
    for (const auto& [offset, position] : {at(45, 0), at(46, 10), at(47, 23), at(48, 37)}) {
        ASSERT_EQ(add(offset.value(), position), std::nullopt);
    }
    EXPECT_EQ(bound(37, 1), -1);
    EXPECT_EQ(bound(0, 200), -1);
    EXPECT_EQ(bound(10, 200), -1);
}

TEST_F(OffsetIndexRows, I8_CutBehindTheLastEntry) {
    add_one_to_nine();
    cut(12);
    EXPECT_EQ(index_.entries(), 9U);
    EXPECT_EQ(lookup(10), at(9, 9));
}

TEST_F(OffsetIndexRows, I9_CutAtTheLastEntry) {
    add_one_to_nine();
    ASSERT_EQ(add(10, 10), std::nullopt);
    cut(10);
    EXPECT_EQ(index_.last_offset(), Offset(9));
    EXPECT_EQ(lookup(10), at(9, 9));
}

TEST_F(OffsetIndexRows, I10_CutBelowTheLastEntry) {
    add_one_to_nine();
    ASSERT_EQ(add(10, 10), std::nullopt);
    cut(9);
    EXPECT_EQ(index_.last_offset(), Offset(8));
    EXPECT_EQ(lookup(10), at(8, 8));
}

TEST_F(OffsetIndexRows, I11_CutInTheMiddle) {
    add_one_to_nine();
    cut(5);
    EXPECT_EQ(index_.last_offset(), Offset(4));
    EXPECT_EQ(lookup(10), at(4, 4));
    EXPECT_EQ(add(5, 5), std::nullopt) << "and goes on from there";
}

TEST_F(OffsetIndexRows, I12_ReopenedAfterAClose) {
    make(50);
    ASSERT_EQ(add(51, 0), std::nullopt);
    ASSERT_EQ(add(52, 1), std::nullopt);
    ASSERT_FALSE(index_.trim(disk_));
    EXPECT_EQ(disk_.size(disk_.open(kPath).value()).value(), 16U);
    OffsetIndex again(Offset(50), kSlots * OffsetIndexEntry::kBytes);
    ASSERT_FALSE(again.open_existing(disk_, kPath));
    EXPECT_EQ(again.entries(), 2U);
    EXPECT_EQ(again.last_offset(), Offset(52));
    EXPECT_EQ(again.lookup(disk_, Offset(51)).value(), at(51, 0));
}

TEST_F(OffsetIndexRows, I13_FirstEntryMayBeTheBase) {
    make(20);
    ASSERT_EQ(add(20, 0), std::nullopt);
    ASSERT_FALSE(index_.trim(disk_));
    OffsetIndex again(Offset(20), kSlots * OffsetIndexEntry::kBytes);
    ASSERT_FALSE(again.open_existing(disk_, kPath));
    EXPECT_EQ(again.entries(), 1U);
    EXPECT_EQ(again.last_offset(), Offset(20));
}

class TimeIndexRows : public testing::Test {
  protected:
    TimeIndexRows() : index_(Offset(45), kSlots * TimeIndexEntry::kBytes) {
        EXPECT_FALSE(index_.open(disk_, kPath));
    }

    void add_29() {
        for (std::int64_t i = 1; i <= 29; ++i) {
            ASSERT_EQ(index_.maybe_append(disk_, when(10 * i, 45 + 10 * i)), std::nullopt);
        }
    }

    TimeIndexEntry lookup(std::int64_t timestamp) {
        return index_.lookup(disk_, timestamp).value();
    }

    sim::Disk disk_;
    TimeIndex index_;
};

TEST_F(TimeIndexRows, I14_EmptyIndexAnswersItsBase) { EXPECT_EQ(lookup(100), when(-1, 45)); }

TEST_F(TimeIndexRows, I15_FloorOfATimestamp) {
    add_29();
    EXPECT_EQ(lookup(9), when(-1, 45));
    EXPECT_EQ(lookup(25), when(20, 65));
    EXPECT_EQ(lookup(30), when(30, 75));
}

TEST_F(TimeIndexRows, I16_LastSlotIsKeptForTheClose) {
    add_29();
    EXPECT_TRUE(index_.is_full());
    EXPECT_EQ(index_.maybe_append(disk_, when(10000, 1000)), AppendError::kIndexFull);
    EXPECT_EQ(index_.maybe_append(disk_, when(10000, 280), LastSlot::kUsable),
              AppendError::kInvalidOffset);
    EXPECT_EQ(index_.maybe_append(disk_, when(280, 1000), LastSlot::kUsable),
              AppendError::kInvalidTimestamp);
    EXPECT_EQ(index_.maybe_append(disk_, when(10000, 1000), LastSlot::kUsable), std::nullopt);
    EXPECT_EQ(index_.last_entry(), when(10000, 1000));
    EXPECT_EQ(index_.entries(), 30U);
}

TEST_F(TimeIndexRows, I17_CutAtTheFirstEntry) {
    add_29();
    ASSERT_FALSE(index_.truncate_to(disk_, Offset(55)));
    EXPECT_EQ(index_.entries(), 0U);
    EXPECT_EQ(index_.last_entry(), when(-1, 45));
}

TEST_F(TimeIndexRows, I18_ResizingSaysWhetherItDid) {
    add_29();
    constexpr std::uint32_t kSize = kSlots * TimeIndexEntry::kBytes;
    EXPECT_FALSE(index_.resize(disk_, kSize).value());
    EXPECT_TRUE(index_.resize(disk_, kSize / 2).value());
    EXPECT_EQ(index_.file().entries_max(), 15U);
    EXPECT_TRUE(index_.resize(disk_, kSize * 2).value());
    EXPECT_EQ(index_.file().entries_max(), 60U);
}

class TransactionIndexRows : public testing::Test {
  protected:
    static AbortedTransaction aborted(std::int64_t producer,
                                      std::int64_t first,
                                      std::int64_t last,
                                      std::int64_t stable) {
        return {ProducerId(producer), Offset(first), Offset(last), Offset(stable)};
    }

    void add_four() {
        for (const AbortedTransaction& one : four_) {
            ASSERT_EQ(index_.append(disk_, kPath, one), std::nullopt);
        }
    }

    /// Entries [from, to) of the four, and whether later segments need not be asked.
    [[nodiscard]] AbortedSearch some(std::size_t from, std::size_t to, bool complete) const {
        const auto first = four_.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last = four_.begin() + static_cast<std::ptrdiff_t>(to);
        return {{first, last}, complete};
    }

    [[nodiscard]] AbortedSearch collect(std::int64_t from, std::int64_t below) const {
        return index_.collect(Offset(from), Offset(below));
    }

    sim::Disk disk_;
    TransactionIndex index_;
    std::vector<AbortedTransaction> four_{aborted(0, 0, 10, 11),
                                          aborted(1, 5, 15, 13),
                                          aborted(2, 18, 35, 25),
                                          aborted(3, 32, 50, 40)};
};

TEST_F(TransactionIndexRows, I20_EverythingBelowABoundNobodyReached) {
    add_four();
    EXPECT_EQ(collect(0, 100), some(0, 4, false));
}

TEST_F(TransactionIndexRows, I21_CompleteWhenAnLsoReachesTheBound) {
    add_four();
    EXPECT_EQ(collect(0, 32), some(0, 3, true));
}

TEST_F(TransactionIndexRows, I22_AbortMarkerAtTheFirstOffsetAskedFor) {
    add_four();
    EXPECT_EQ(collect(0, 35), some(0, 4, true));
    EXPECT_EQ(collect(10, 35), some(0, 4, true));
}

TEST_F(TransactionIndexRows, I23_AbortMarkerBelowTheFirstOffsetAskedFor) {
    add_four();
    EXPECT_EQ(collect(11, 35), some(1, 4, true));
}

TEST_F(TransactionIndexRows, I24_LastTwo) {
    add_four();
    EXPECT_EQ(collect(20, 41), some(2, 4, false));
}

TEST_F(TransactionIndexRows, I25_MarkersAscend) {
    ASSERT_EQ(index_.append(disk_, kPath, aborted(1, 5, 15, 13)), std::nullopt);
    EXPECT_EQ(index_.append(disk_, kPath, aborted(0, 0, 15, 11)), AppendError::kInvalidOffset);
    EXPECT_EQ(index_.append(disk_, kPath, aborted(0, 0, 10, 11)), AppendError::kInvalidOffset);
}

TEST_F(TransactionIndexRows, I26_CutAndReset) {
    add_four();
    ASSERT_FALSE(index_.truncate_to(disk_, Offset(51)));
    EXPECT_EQ(index_.entries().size(), 4U);
    ASSERT_FALSE(index_.truncate_to(disk_, Offset(50)));
    EXPECT_EQ(index_.entries().size(), 3U);
    EXPECT_EQ(disk_.size(disk_.open(kPath).value()).value(), 3 * AbortedTransaction::kBytes);
    ASSERT_FALSE(index_.reset(disk_));
    EXPECT_EQ(index_.entries().size(), 0U);
    EXPECT_EQ(disk_.size(disk_.open(kPath).value()).value(), 0U);
}

TEST_F(TransactionIndexRows, I27_MarkerBelowTheBaseIsDamage) {
    add_four();
    TransactionIndex again;
    EXPECT_EQ(again.open_existing(disk_, kPath, Offset(100)), AppendError::kCorruptIndex);
}

TEST_F(TransactionIndexRows, TornLastEntryIsLeftAlone) {
    add_four();
    ASSERT_TRUE(disk_.append(disk_.open(kPath).value(), Bytes(33, 1), {}).ok());
    TransactionIndex again;
    ASSERT_FALSE(again.open_existing(disk_, kPath, Offset(0)));
    EXPECT_EQ(again.entries(), four_);
}

RC_GTEST_PROP(IndexLaw, SearchFindsWhatAScanFinds, ()) {
    // More entries than the warm end holds, so that both halves of the search are used.
    const auto count = *rc::gen::element<std::int32_t>(0, 1, 5, 1023, 1024, 1025, 1026, 3000);
    const auto step = *rc::gen::inRange(1, 5);
    sim::Disk disk;
    OffsetIndex index(Offset(100),
                      static_cast<std::uint32_t>(count + 1) * OffsetIndexEntry::kBytes);
    RC_ASSERT(!index.open(disk, kPath));
    for (std::int32_t i = 1; i <= count; ++i) {
        RC_ASSERT(!index.append(disk, at(100 + std::int64_t{i} * step, i * 10)));
    }
    const auto target = *rc::gen::inRange(90, 110 + (count + 1) * step);
    const std::int32_t below = std::clamp((target - 100) / step, 0, count);
    const auto found = index.lookup(disk, Offset(target));
    RC_ASSERT(found.ok());
    RC_ASSERT(*found ==
              (below == 0 ? at(100, 0) : at(100 + std::int64_t{below} * step, below * 10)));
}

}  // namespace
}  // namespace klab::storage
