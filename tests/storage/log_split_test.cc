// SPDX-License-Identifier: Apache-2.0
//
// Segments whose offsets span more than 31 bits: rows L19 to L24 and S22 of Kafka's own cases
// (LogLoaderTest, LogSegmentTest). KAFKA-6264.
#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "model/storage/segment_split.h"
#include "model/storage/segment_swap.h"
#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;

constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();

/// Base of the second new segment: offset 2 * kMax32 still fits the first one.
constexpr std::int64_t kSecond = 2 * kMax32 + 1;
constexpr std::string_view kDirectory = "/data/t-0";

/// Three segments, the second of which is as wide as two.
class OverflowedLog : public LogTest {
  protected:
    OverflowedLog() {
        options_.config.index_interval_bytes = 1;
        options_.config.file_delete_delay_ms = 1000;
        EXPECT_TRUE(disk_.make_directories(kDirectory, {}).ok());
        const Bytes first = sample(0);
        write_segment(0, first);
        Bytes both = sample(kMax32);
        const Bytes second = sample(2 * kMax32);
        both.insert(both.end(), second.begin(), second.end());
        write_segment(kMax32, both);
        write_segment(3 * kMax32, sample(3 * kMax32));
        for (std::int64_t base : {std::int64_t{0}, kMax32, 2 * kMax32, 3 * kMax32}) {
            for (const std::int64_t delta :
                 {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, kMax32 - 1}) {
                keys_.push_back(std::to_string(base + delta));
            }
        }
    }

    /// Batches that reach from `base` almost to `base` + 2^31.
    static Bytes sample(std::int64_t base) {
        Bytes all;
        const std::vector<std::vector<std::int64_t>> batches = {
            {base}, {base + 1, base + 2}, {base + kMax32 - 1}};
        for (const std::vector<std::int64_t>& offsets : batches) {
            std::vector<std::string> values;
            for (const std::int64_t offset : offsets) {
                values.push_back(std::to_string(offset));
            }
            const Bytes one = placed(batch_of(values), offsets.front(), 0);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }

    static std::string path(std::int64_t base,
                            std::string_view kind,
                            std::string_view suffix = {}) {
        return SegmentPlace{kDirectory, Offset(base), suffix}.path(kind);
    }

    void write_segment(std::int64_t base, const Bytes& bytes) {
        const auto log = disk_.create(path(base, kLogSuffix), {});
        ASSERT_TRUE(disk_.append(*log, bytes, {}).ok());
        // With empty indexes, so that it is recovered only where the recovery point says so.
        ASSERT_TRUE(disk_.create(path(base, kIndexSuffix), {}).ok());
        ASSERT_TRUE(disk_.create(path(base, kTimeIndexSuffix), {}).ok());
    }

    /// Splits the wide segment; the files of the old one are still there as .deleted.
    void split() {
        auto segment = LogSegment::open(port(), {kDirectory, Offset(kMax32)}, options_.config);
        ASSERT_TRUE(segment.ok());
        DeferredDeletion deletions;
        const auto bases = split_segment(
            port(), {kDirectory, Offset(kMax32)}, *segment, options_.config, deletions);
        ASSERT_TRUE(bases.ok());
        EXPECT_EQ(*bases, (std::vector<Offset>{Offset(kMax32), Offset(kSecond)}));
    }

    /// As a crash may have left it: back to an earlier name.
    void rename(std::int64_t base, std::string_view suffix) {
        ASSERT_FALSE(rename_segment(port(), {kDirectory, Offset(base)}, suffix));
    }

    /// Old files get their plain names back, or go.
    void with_deleted(bool comes_back) {
        const auto names = disk_.list(kDirectory);
        for (const std::string& name : *names) {
            if (!name.ends_with(kDeletedSuffix)) {
                continue;
            }
            const std::string from = std::string(kDirectory) + "/" + name;
            if (comes_back) {
                const std::string to = from.substr(0, from.size() - kDeletedSuffix.size());
                ASSERT_TRUE(disk_.rename(from, to, {}).ok());
            } else {
                ASSERT_TRUE(disk_.remove(from, {}).ok());
            }
        }
    }

    /// Opens after a crash: all keys, no segment too wide, no file of the split left.
    void recover_and_check() {
        reopen_unclean();
        now_ms_ += options_.config.file_delete_delay_ms + 1;
        ASSERT_FALSE(log_.remove_deleted_files(port()));
        const auto names = disk_.list(kDirectory);
        for (const std::string& name : *names) {
            EXPECT_FALSE(name.ends_with(kDeletedSuffix) || name.ends_with(kCleanedSuffix) ||
                         name.ends_with(kSwapSuffix))
                << name;
        }
        EXPECT_EQ(values(), keys_);
        EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, kMax32, kSecond, 3 * kMax32}));
        for (const BatchSight& batch : list_batches(log_, disk_)) {
            EXPECT_LE(batch.last_offset - batch.segment_base, kMax32);
        }
        // And once more: nothing is left to do.
        const Log once = log_;
        reopen_unclean();
        EXPECT_EQ(values(), keys_);
        EXPECT_EQ(bases().size(), 4U);
    }

    std::vector<std::string> keys_;
};

TEST_F(OverflowedLog, L19_IsSplit) { recover_and_check(); }

TEST_F(OverflowedLog, L19_CleanStartDoesNotLook) {
    // Only the segments that are checked are noticed.
    options_.was_clean_shutdown = true;
    open();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, kMax32, 3 * kMax32}));
}

TEST_F(OverflowedLog, L20_CrashBeforeAnyRename) {
    split();
    rename(kSecond, kCleanedSuffix);
    rename(kMax32, kCleanedSuffix);
    with_deleted(true);
    recover_and_check();
}

TEST_F(OverflowedLog, L21_CrashAfterTheFirstRename) {
    split();
    rename(kSecond, kSwapSuffix);
    rename(kMax32, kCleanedSuffix);
    with_deleted(true);
    recover_and_check();
}

TEST_F(OverflowedLog, L22_CrashBeforeTheOldOneIsTakenAway) {
    split();
    rename(kSecond, kSwapSuffix);
    rename(kMax32, kSwapSuffix);
    with_deleted(true);
    recover_and_check();
}

TEST_F(OverflowedLog, L23_CrashAfterTheOldOneIsGone) {
    split();
    rename(kSecond, kSwapSuffix);
    rename(kMax32, kSwapSuffix);
    with_deleted(false);
    recover_and_check();
}

TEST_F(OverflowedLog, L24_CrashBeforeTheLastRename) {
    split();
    rename(kSecond, kSwapSuffix);
    recover_and_check();
}

TEST_F(OverflowedLog, CrashBetweenAnyTwoDiskCalls) {
    disk_.settle({});
    const sim::Disk before = disk_;
    open();
    const std::uint64_t last = disk_.calls();
    for (std::uint64_t keep = before.calls(); keep <= last; ++keep) {
        disk_ = before;
        open();
        disk_.crash({}, keep, false);
        recover_and_check();
    }
}

TEST_F(OverflowedLog, DamagedOffsetOfABatchIsNoEndlessSplit) {
    // Base offsets lie outside the checksum, so rot in one looks like a segment that is too wide.
    disk_ = {};
    ASSERT_TRUE(disk_.make_directories(kDirectory, {}).ok());
    Bytes bytes = sample(0);
    const std::size_t third =
        bytes.size() - placed(batch_of({std::to_string(kMax32 - 1)}), kMax32 - 1, 0).size();
    for (const std::uint8_t high : {std::uint8_t{0x7F}, std::uint8_t{0x80}}) {
        bytes[third] = high;  // far away, or negative
        disk_ = {};
        ASSERT_TRUE(disk_.make_directories(kDirectory, {}).ok());
        write_segment(0, bytes);
        const auto opened = Log::open(port(), options_);
        if (high == 0x7F) {
            ASSERT_TRUE(opened.ok());
            EXPECT_EQ(opened->log.segments().size(), 2U);
        } else {
            EXPECT_FALSE(opened.ok());
        }
    }
}

TEST(SegmentSplit, S22_CopyStopsBeforeTheFirstOffsetThatDoesNotFit) {
    sim::Disk disk;
    ASSERT_TRUE(disk.make_directories(kDirectory, {}).ok());
    LogConfig config;
    const SegmentPlace from{kDirectory, Offset(0)};
    const auto log = disk.create(from.path(kLogSuffix), {});
    std::uint32_t fits = 0;
    for (const auto& [offset, size] : {std::pair{std::int64_t{0}, 1024},
                                       {std::int64_t{500}, 1024 * 1024 + 1},
                                       {kMax32 + 5, 1024}}) {
        const Bytes one =
            placed(batch_of({std::string(static_cast<std::size_t>(size), 'x')}), offset, 0);
        ASSERT_TRUE(disk.append(*log, one, {}).ok());
        fits += offset <= kMax32 ? static_cast<std::uint32_t>(one.size()) : 0;
    }
    const auto source = LogSegment::open(disk, from, config);
    ASSERT_TRUE(source.ok());
    const SegmentPlace to{kDirectory, Offset(0), kCleanedSuffix};
    auto target = LogSegment::create(disk, to, config);
    ASSERT_TRUE(target.ok());
    const auto taken = append_from(disk, to, *target, *source, 0, config);
    ASSERT_TRUE(taken.ok());
    EXPECT_EQ(*taken, fits);
    EXPECT_EQ(target->size(), fits);
    EXPECT_EQ(append_from(disk, to, *target, *source, fits, config).value(), 0U);
}

}  // namespace
}  // namespace klab::storage
