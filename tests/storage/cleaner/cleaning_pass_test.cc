// SPDX-License-Identifier: Apache-2.0
//
// A cleaning of a log on a disk: the rows of LogCleanerTest that need files, and what a pass does
// with the segments: C33 to C42. That the records are those of the plain rules is
// cleaning_law_test.cc.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "model/storage/segment_swap.h"
#include "tests/storage/cleaner/cleaned_log.h"

namespace klab::storage::cleaner {
namespace {

using types::Offset;
using Texts = std::vector<std::string>;

TEST_F(CleanedLog, KeepsTheLastRecordOfEachKey) {
    put("a", "1");
    put("b", "1");
    roll();
    put("a", "2");
    roll();
    put("b", "2");
    const Cleaned done = clean(0);
    EXPECT_EQ(done.next_dirty, 3);
    EXPECT_EQ(pairs(), (Texts{"1 b=1", "2 a=2", "3 b=2"}));
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 3}));
    EXPECT_EQ(done.stats.records_read, 3U);
    EXPECT_EQ(done.stats.records_written, 2U);
    EXPECT_EQ(done.stats.map_records_read, 3U);
}

TEST_F(CleanedLog, ReadsGoOnAtTheNextRecord) {
    put("a", "1");
    put("a", "2");
    put("b", "1");
    roll();
    clean(0);
    const auto info = read(0);
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(RecordBatchView(*info->records).base_offset(), Offset(1));
}

TEST_F(CleanedLog, SnapshotsOfSegmentsThatAreGoneGoToo) {
    put("a", "1");
    roll();
    put("a", "2");
    roll();
    put("a", "3");
    clean(0);
    EXPECT_EQ(log_.snapshots().offsets(), (std::vector<Offset>{Offset(2)}));
    EXPECT_TRUE(disk_.exists("/data/t-0/00000000000000000001.snapshot.deleted"));
}

TEST_F(CleanedLog, IsTheSameAfterACrash) {
    for (int i = 0; i < 20; ++i) {
        put(std::to_string(i % 3), std::to_string(i));
        if (i % 4 == 3) {
            roll();
        }
    }
    clean(0);
    const Texts before = pairs();
    const auto bases_before = bases();
    reopen_unclean();
    EXPECT_EQ(pairs(), before);
    EXPECT_EQ(bases(), bases_before);
}

TEST_F(CleanedLog, C33_AGroupEndsWhereAnIndexCannotReach) {
    constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();
    put_at(0, "a", "1");
    put_at(kMax32 - 1, "b", "1");
    roll();
    put_at(kMax32 + 1, "c", "1");
    roll();
    put_at(kMax32 + 2, "d", "1");
    clean(0);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, kMax32, kMax32 + 2}));
    EXPECT_EQ(pairs().size(), 4U);
}

TEST_F(CleanedLog, C34_SegmentsThatLieFarApart) {
    // Each begins 2^31 above the one before, so none can be joined; what is left empty can.
    constexpr std::int64_t kStep = std::int64_t{1} << 31;
    for (std::int64_t i = 0; i < 3; ++i) {
        put_at(i * kStep, "a", std::to_string(i));
        roll();
    }
    put("b", "1");
    clean(0);
    EXPECT_EQ(log_.segments().size(), 4U);
    EXPECT_EQ(log_.segments().front().size(), 0U);
    clean(0);
    EXPECT_EQ(log_.segments().size(), 3U);
    EXPECT_EQ(pairs(), (Texts{"4294967296 a=2", "4294967297 b=1"}));
}

/// Two segments of eight keys each: the second half supersedes the first.
class CrashedCleaning : public CleanedLog {
  protected:
    CrashedCleaning() {
        options_.config.file_delete_delay_ms = 1000;
        for (int i = 0; i < 16; ++i) {
            put(std::to_string(i % 8), std::to_string(i));
            if (i % 4 == 3) {
                roll();
            }
        }
        put("end", "0");
        old_ = pairs();
        EXPECT_FALSE(log_.flush(port()));
        options_.recovery_point = log_.recovery_point();
        disk_.settle({});
        uncleaned_ = disk_;
        clean(0);
        new_ = pairs();
    }

    void rename(std::string_view from, std::string_view to) {
        ASSERT_FALSE(rename_segment(port(), {log_.directory(), Offset(0), from}, to));
    }

    void rename_file(const std::string& from, const std::string& to) {
        ASSERT_TRUE(
            disk_.rename(log_.directory() + "/" + from, log_.directory() + "/" + to, {}).ok());
    }

    /// The old files get their names back, or go.
    void with_old(bool comes_back) {
        const auto names = disk_.list(log_.directory());
        for (const std::string& name : *names) {
            if (!name.ends_with(kDeletedSuffix)) {
                continue;
            }
            if (comes_back) {
                rename_file(name, name.substr(0, name.size() - kDeletedSuffix.size()));
            } else {
                ASSERT_TRUE(disk_.remove(log_.directory() + "/" + name, {}).ok());
            }
        }
    }

    void expect_after_restart(const Texts& expected) {
        reopen_unclean();
        EXPECT_EQ(pairs(), expected);
        const auto names = disk_.list(log_.directory());
        for (const std::string& name : *names) {
            EXPECT_FALSE(name.ends_with(kCleanedSuffix) || name.ends_with(kSwapSuffix)) << name;
        }
    }

    Texts old_;
    Texts new_;
    sim::Disk uncleaned_;
};

TEST_F(CrashedCleaning, C35_BeforeAnyRenameTheOldOnesStay) {
    rename({}, kCleanedSuffix);
    with_old(true);
    expect_after_restart(old_);
}

TEST_F(CrashedCleaning, C36_OneFileStillCleanedTheOldOnesStay) {
    // Kafka renames the .log first; the indexes are still .cleaned.
    rename({}, kCleanedSuffix);
    rename_file("00000000000000000000.log.cleaned", "00000000000000000000.log.swap");
    with_old(true);
    expect_after_restart(old_);
}

TEST_F(CrashedCleaning, C37_AllRenamedTheNewOneWins) {
    rename({}, kSwapSuffix);
    with_old(true);
    expect_after_restart(new_);
}

TEST_F(CrashedCleaning, C37_AlsoWhenTheOldOnesAreGone) {
    rename({}, kSwapSuffix);
    with_old(false);
    expect_after_restart(new_);
}

TEST_F(CrashedCleaning, C38_OnlyATimeIndexIsLeftToRename) {
    rename_file("00000000000000000000.timeindex", "00000000000000000000.timeindex.swap");
    expect_after_restart(new_);
}

TEST_F(CrashedCleaning, BetweenAnyTwoDiskCallsItIsTheOldOrTheNew) {
    disk_ = uncleaned_;
    open();
    const std::uint64_t first = disk_.calls();
    clean(0);
    const std::uint64_t last = disk_.calls();
    bool was_old = false;
    bool was_new = false;
    for (std::uint64_t keep = first; keep <= last; ++keep) {
        disk_ = uncleaned_;
        open();
        clean(0);
        disk_.crash({}, keep, false);
        reopen_unclean();
        was_old |= pairs() == old_;
        was_new |= pairs() == new_;
        ASSERT_TRUE(pairs() == old_ || pairs() == new_) << "after call " << keep;
    }
    EXPECT_TRUE(was_old);
    EXPECT_TRUE(was_new);
}

TEST_F(CleanedLog, C39_ABatchLargerThanBufferAndLimit) {
    limits_.io.io_buffer_bytes = 64;
    put("a", std::string(5000, 'x'));
    put("b", std::string(5000, 'y'));
    put("a", "2");
    roll();
    options_.config.max_message_bytes = 100;
    limits_.io.message_max_bytes = 100;
    log_.set_config(options_.config);
    clean(0);
    EXPECT_EQ(pairs(), (Texts{"1 b=" + std::string(5000, 'y'), "2 a=2"}));
}

TEST_F(CleanedLog, C40_ABrokenBatchEndsTheCleaning) {
    put("a", "1");
    put("a", "2");
    roll();
    const std::uint8_t magic = 0xFF;
    ASSERT_TRUE(disk_.write_at(file(0), BatchField::kMagic, {&magic, 1}, {}).ok());
    EXPECT_EQ(failure_of(0), CleaningError::kCorruptRecord);
}

TEST_F(CleanedLog, C40_AFileThatEndsInsideABatch) {
    put("a", "1");
    put("a", "2");
    roll();
    const auto size = disk_.size(file(0));
    ASSERT_TRUE(disk_.truncate(file(0), *size - 10, {}).ok());
    EXPECT_EQ(failure_of(0), CleaningError::kCorruptRecord);
}

TEST_F(CleanedLog, C41_ThePreallocatedOutputIsCut) {
    options_.config.preallocate = true;
    log_.set_config(options_.config);
    put("a", "1");
    put("a", "2");
    roll();
    clean(0);
    const auto size = disk_.size(file(0));
    EXPECT_EQ(*size, log_.segments().front().size());
    EXPECT_LT(*size, 1000U);
}

TEST_F(CleanedLog, C42_RetentionTakesASegmentDuringTheCleaning) {
    put("a", "1");
    roll();
    put("b", "1");
    roll();
    put("c", "1");
    begin(0);
    ASSERT_TRUE(piece());  // the map is begun
    log_.set_high_watermark(log_.log_end_offset());
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(1)).ok());
    const auto deleted = log_.delete_old_segments(port());
    ASSERT_EQ(deleted->size(), 1U);
    finish();
    EXPECT_EQ(log_.segments().size(), 2U);
    EXPECT_EQ(bases().back(), 2);
}

TEST_F(CleanedLog, C42_RetentionTakesASegmentJustBeforeTheSwap) {
    put("a", "1");
    roll();
    put("b", "1");
    roll();
    put("c", "1");
    begin(0);
    // The piece that swaps is found by its effect, and not done yet.
    Log before_log = log_;
    CleaningPass before_pass = pass_;
    sim::Disk before_disk = disk_;
    while (bases().size() == 3U) {
        before_log = log_;
        before_pass = pass_;
        before_disk = disk_;
        ASSERT_TRUE(piece());
    }
    log_ = before_log;
    pass_ = before_pass;
    disk_ = before_disk;
    ASSERT_TRUE(disk_.exists("/data/t-0/00000000000000000000.log.cleaned"));
    log_.set_high_watermark(log_.log_end_offset());
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(1)).ok());
    ASSERT_EQ(log_.delete_old_segments(port())->size(), 1U);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{1, 2}));

    ASSERT_TRUE(piece()) << "the source that is gone is no error";
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 2}));
    finish();
    EXPECT_EQ(log_.segments().size(), 2U);
    // Each source goes once: that of retention, that of the swap.
    const auto names = disk_.list("/data/t-0");
    EXPECT_EQ(std::ranges::count_if(
                  *names, [](const std::string& name) { return name.ends_with(".log.deleted"); }),
              2);
    now_ms_ += options_.config.file_delete_delay_ms + 1;
    EXPECT_FALSE(log_.remove_deleted_files(port()));
    const auto later = disk_.list("/data/t-0");
    EXPECT_TRUE(std::ranges::none_of(
        *later, [](const std::string& name) { return name.ends_with(kDeletedSuffix); }));
    EXPECT_TRUE(disk_.exists("/data/t-0/00000000000000000000.log"));
}

/// The replacement of one segment by another, from outside of a pass.
TEST_F(CleanedLog, C42_ASourceThatIsGoneIsNotPutAsideAgain) {
    put("a", "1");
    roll();
    put("b", "1");
    roll();
    put("c", "1");
    log_.set_high_watermark(log_.log_end_offset());
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(1)).ok());
    ASSERT_EQ(log_.delete_old_segments(port())->size(), 1U);
    // Whatever lies under the name of a segment that the log does not have is not its own.
    ASSERT_TRUE(disk_.create("/data/t-0/00000000000000000000.log", {}).ok());
    const LogSegment fresh = log_.segments().front();
    const SegmentPlace place{log_.directory(), Offset(1)};
    ASSERT_FALSE(rename_segment(port(), place, kCleanedSuffix));
    const std::vector<Offset> sources{Offset(0), Offset(1)};
    ASSERT_FALSE(log_.replace_segments(port(), fresh, sources));
    EXPECT_TRUE(disk_.exists("/data/t-0/00000000000000000000.log"));
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(CleanedLog, APassThatIsGivenUpLeavesNothingBehind) {
    limits_.io.io_buffer_bytes = 100;
    for (int i = 0; i < 10; ++i) {
        put("a", std::to_string(i));
    }
    roll();
    const Texts before = pairs();
    begin(0);
    while (!disk_.exists("/data/t-0/00000000000000000000.log.cleaned")) {
        ASSERT_TRUE(piece());
    }
    ASSERT_FALSE(pass_.give_up(port(), log_));
    EXPECT_EQ(pairs(), before);
    const auto names = disk_.list("/data/t-0");
    for (const std::string& name : *names) {
        EXPECT_FALSE(name.ends_with(kCleanedSuffix)) << name;
    }
}

TEST_F(CleanedLog, TheNewSegmentIsAsOldAsTheLastItWasMadeFrom) {
    put("a", "1");
    roll();
    now_ms_ += 1000;
    put("b", "1");
    roll();
    const std::int64_t modified = log_.segments()[1].modified_ms();
    now_ms_ += 1000;
    clean(0);
    EXPECT_EQ(log_.segments()[0].modified_ms(), modified);
}

}  // namespace
}  // namespace klab::storage::cleaner
