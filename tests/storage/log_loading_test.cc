// SPDX-License-Identifier: Apache-2.0
//
// Opening a log whose index, snapshot and left-over files are not what they should be: rows L4 to
// L8, L10 to L13, L15, L16, L18, L25 and L26 of Kafka's own cases (LogLoaderTest, UnifiedLogTest).
// The other L rows are in log_recovery_test.cc, log_split_test.cc and log_producers_test.cc.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/storage/transaction_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerId;

using Offsets = std::set<std::int64_t>;

class LogLoading : public TransactionTest {
  protected:
    [[nodiscard]] std::string path(std::int64_t base, std::string_view kind) const {
        return SegmentPlace{"/data/t-0", Offset(base)}.path(kind);
    }

    void remove(std::int64_t base, std::string_view kind) {
        const auto removed = disk_.remove(path(base, kind), {});
        ASSERT_TRUE(removed || removed.error() == sim::DiskError::not_found);
    }

    void remove_all(std::string_view ending) {
        const auto names = disk_.list("/data/t-0");
        for (const std::string& name : *names) {
            if (name.ends_with(ending)) {
                ASSERT_TRUE(disk_.remove("/data/t-0/" + name, {}).ok());
            }
        }
    }

    [[nodiscard]] bool exists(std::int64_t base, std::string_view kind) const {
        return disk_.exists(path(base, kind));
    }

    [[nodiscard]] std::uint64_t size(std::int64_t base, std::string_view kind) const {
        return disk_.size(disk_.open(path(base, kind)).value()).value();
    }

    /// Offsets of the snapshot files.
    [[nodiscard]] Offsets snapshots() const {
        Offsets out;
        const auto names = disk_.list("/data/t-0");
        for (const std::string& name : *names) {
            if (const auto offset = parse_offset_file_name(name, kSnapshotSuffix)) {
                out.insert(offset->value());
            }
        }
        return out;
    }

    void close() { ASSERT_FALSE(log_.close(port())); }

    /// 200 records ten milliseconds apart, several segments, an index entry a batch; closed.
    void write_200() {
        options_.config.segment_bytes = 4 * kOne;
        options_.config.index_interval_bytes = 1;
        open();
        for (std::int64_t i = 0; i < 200; ++i) {
            ASSERT_TRUE(lead(batch_of({"test"}, now_ms_ + 10 * i)).ok());
        }
        close();
    }

    void expect_200() {
        EXPECT_EQ(end(), 200);
        EXPECT_GT(log_.segments().front().index().entries(), 0U);
        EXPECT_GT(log_.segments().front().time_index().entries(), 0U);
        for (std::int64_t i = 0; i < 200; ++i) {
            const auto info = read(i, 100);
            ASSERT_TRUE(info.ok());
            EXPECT_EQ(info->place.offset, Offset(i));
            const auto found = log_.find_by_time(port(), now_ms_ + 10 * i);
            ASSERT_TRUE(found.ok() && found->has_value());
            EXPECT_EQ((*found)->offset, Offset(i));
        }
    }

    /// As many one-record segments, and an empty one behind them.
    void write_segments(int count) {
        open();
        for (int i = 0; i < count; ++i) {
            append_one();
            ASSERT_FALSE(log_.roll(port()));
        }
    }

    /// Text in the place of everything in the segment.
    void damage(std::int64_t base) {
        ASSERT_TRUE(disk_.truncate(file(base), 0, {}).ok());
        ASSERT_TRUE(disk_.append(file(base), view_of(std::string_view("corruptRecord")), {}).ok());
    }
};

TEST_F(LogLoading, L4_IndexesThatAreGoneAreMadeAnew) {
    write_200();
    remove_all(".index");
    remove_all(".timeindex");
    reopen_unclean();
    expect_200();
}

TEST_F(LogLoading, L4_AfterACleanStopToo) {
    write_200();
    remove_all(".index");
    options_.was_clean_shutdown = true;
    open();
    expect_200();
    EXPECT_EQ(log_.recovery_point(), Offset(200));
}

TEST_F(LogLoading, L4_TimeIndexAloneStaysEmptyBelowTheRecoveryPoint) {
    // Its absence is no reason to check the segment: it is made with nothing in it.
    write_200();
    remove_all(".timeindex");
    options_.recovery_point = Offset(201);
    reopen_unclean();
    const std::vector<LogSegment> all = log_.segments();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        EXPECT_EQ(all[i].time_index().entries(), 0U);
        EXPECT_EQ(size(all[i].base_offset().value(), kTimeIndexSuffix), 0U);
    }
}

TEST_F(LogLoading, L5_IndexesOfNonsenseAreMadeAnew) {
    write_200();
    for (const LogSegment& segment : log_.segments()) {
        for (const std::string_view kind : {kIndexSuffix, kTimeIndexSuffix}) {
            const auto index = disk_.open(path(segment.base_offset().value(), kind));
            ASSERT_TRUE(disk_.truncate(*index, 0, {}).ok());
            ASSERT_TRUE(disk_.append(*index, view_of(std::string_view("  ")), {}).ok());
        }
    }
    reopen_unclean();
    expect_200();
}

TEST_F(LogLoading, L6_IndexesWithoutALogAreRemoved) {
    ASSERT_TRUE(disk_.make_directories("/data/t-0", {}).ok());
    for (const std::string_view kind : {kIndexSuffix, kTimeIndexSuffix, kTxnIndexSuffix}) {
        ASSERT_TRUE(disk_.create(path(5, kind), {}).ok());
        ASSERT_TRUE(disk_.create(path(0, kind), {}).ok());
    }
    options_.config.segment_index_bytes = 1000;
    open();
    EXPECT_EQ(size(0, kIndexSuffix), 1000U) << "the segment at 0 has made its own";
    EXPECT_EQ(size(0, kTimeIndexSuffix), 996U);
    EXPECT_FALSE(exists(5, kIndexSuffix));
    EXPECT_FALSE(exists(5, kTimeIndexSuffix));
    EXPECT_FALSE(exists(5, kTxnIndexSuffix));
    append_many(10);
    EXPECT_EQ(end(), 10);
}

TEST_F(LogLoading, L7_FilesOfTheSegmentThatIsLeft) {
    write_segments(5);
    damage(1);
    close();
    options_.log_start = Offset(4);
    reopen_unclean();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{4}));
    EXPECT_EQ(log_.log_start_offset(), Offset(4));
    EXPECT_EQ(end(), 4);
    EXPECT_TRUE(exists(4, kLogSuffix));
    EXPECT_TRUE(exists(4, kIndexSuffix));
    EXPECT_TRUE(exists(4, kTimeIndexSuffix));
}

TEST_F(LogLoading, L8_SnapshotsOfNewSegmentsOutliveTheOldOnesDeletion) {
    write_segments(9);
    EXPECT_EQ(snapshots(), (Offsets{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    damage(1);
    close();
    options_.log_start = Offset(4);
    reopen_unclean();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{4}));
    EXPECT_EQ(end(), 4);
    const Offsets after = snapshots();
    EXPECT_TRUE(std::all_of(after.begin(), after.end(), [](std::int64_t o) { return o > 4; }));
    for (int i = 0; i < 5; ++i) {
        append_one();
        ASSERT_FALSE(log_.roll(port()));
    }
    EXPECT_EQ(snapshots(), (Offsets{5, 6, 7, 8, 9}));
    now_ms_ += options_.config.file_delete_delay_ms;
    ASSERT_FALSE(log_.remove_deleted_files(port()));
    EXPECT_EQ(snapshots(), (Offsets{5, 6, 7, 8, 9}));
    const auto names = disk_.list("/data/t-0");
    EXPECT_TRUE(std::none_of(names->begin(), names->end(), [](const std::string& name) {
        return name.ends_with(kDeletedSuffix);
    }));
}

/// 101 records, snapshots removed.
class LostSnapshots : public LogLoading {
  protected:
    void write_101() {
        options_.config.segment_bytes = 640;
        open();
        append_many(101);
        close();
        remove_all(".snapshot");
        last_bases_ = bases();
        ASSERT_GE(last_bases_.size(), 3U);
    }

    [[nodiscard]] Offsets last_three() const {
        return {last_bases_[last_bases_.size() - 2], last_bases_.back(), 101};
    }

    std::vector<std::int64_t> last_bases_;
};

TEST_F(LostSnapshots, L10_CleanStart) {
    write_101();
    options_.was_clean_shutdown = true;
    open();
    EXPECT_EQ(snapshots(), last_three());
}

TEST_F(LostSnapshots, L11_UncleanStartWithEverythingDurable) {
    write_101();
    options_.recovery_point = Offset(101);
    reopen_unclean();
    EXPECT_EQ(snapshots(), last_three());
}

TEST_F(LostSnapshots, L11_UncleanStartWithNothingDurable) {
    write_101();
    reopen_unclean();
    Offsets expected(last_bases_.begin() + 1, last_bases_.end());
    expected.insert(101);
    EXPECT_EQ(snapshots(), expected) << "one after each segment that was checked";
}

TEST_F(LogLoading, L12_StraySnapshotInsideTheLog) {
    open();
    for (const bool rolls : {true, true, false, false}) {
        append_one();
        if (rolls) {
            ASSERT_FALSE(log_.roll(port()));
        }
    }
    close();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(snapshots(), (Offsets{1, 2, 4}));
    ASSERT_TRUE(disk_.create(path(3, kSnapshotSuffix), {}).ok());
    reopen_unclean();
    EXPECT_EQ(snapshots(), (Offsets{1, 2, 4}));
}

TEST_F(LogLoading, L13_SnapshotBehindTheLogEnd) {
    ASSERT_TRUE(disk_.make_directories("/data/t-0", {}).ok());
    ASSERT_TRUE(disk_.create(path(42, kSnapshotSuffix), {}).ok());
    open();
    EXPECT_EQ(end(), 0);
    EXPECT_EQ(snapshots(), Offsets{});
}

class LostTransactionIndex : public LogLoading {
  protected:
    void write() {
        options_.config.segment_bytes = 640;
        open();
        write_u41();
        ASSERT_GT(bases().size(), 2U);
    }

    void reopen_with_larger_segments() {
        options_.config.segment_bytes = 5120;
        reopen_unclean();
    }
};

TEST_F(LostTransactionIndex, L15_OfEverySegment) {
    write();
    close();
    remove_all(".index");
    remove_all(".txnindex");
    reopen_with_larger_segments();
    EXPECT_EQ(aborted(), aborted_in_u41());
}

TEST_F(LostTransactionIndex, L16_OfTheLastSegment) {
    for (const bool has_snapshots : {true, false}) {
        disk_ = {};
        options_ = {};
        options_.partition = {"t", 0};
        options_.config.timestamp_after_max_ms = std::nullopt;
        sequences_.clear();
        write();
        close();
        if (!has_snapshots) {
            remove_all(".snapshot");
        }
        const std::int64_t last = bases().back();
        remove(last, kIndexSuffix);
        remove(last, kTxnIndexSuffix);
        options_.recovery_point = Offset(last);
        reopen_with_larger_segments();
        EXPECT_EQ(aborted(), aborted_in_u41()) << has_snapshots;
    }
}

TEST_F(LostTransactionIndex, IndexOfNonsenseIsMadeAnewAfterACleanStopToo) {
    // The only index file whose content is looked at.
    write();
    close();
    std::int64_t damaged = -1;
    for (const LogSegment& segment : log_.segments()) {
        if (!segment.txn_index().entries().empty()) {
            damaged = segment.base_offset().value();
        }
    }
    ASSERT_GT(damaged, 0);
    const auto index = disk_.open(path(damaged, kTxnIndexSuffix));
    ASSERT_TRUE(disk_.write_at(*index, 0, Bytes(34, 0), {}).ok());
    options_.was_clean_shutdown = true;
    open();
    EXPECT_EQ(aborted(), aborted_in_u41());
}

TEST_F(LogLoading, L18_CoordinatorEpochThatWentBack) {
    // The producer expired in between, so the leader could not know (KAFKA-9144).
    open();
    const auto marker = [&](std::int32_t coordinator_epoch) {
        return lead_marker(marker_of(ControlType::kAbort, 1, 0, coordinator_epoch, now_ms_)).ok();
    };
    ASSERT_TRUE(marker(5));
    now_ms_ += options_.config.producer_id_expiration_ms;
    EXPECT_EQ(log_.remove_expired_producers(now_ms_, options_.config.producer_id_expiration_ms),
              1U);
    ASSERT_TRUE(marker(4));
    close();
    reopen_unclean();
    const ProducerEntry* entry = log_.producers().find(ProducerId(1));
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->last_timestamp(), now_ms_);
    EXPECT_EQ(entry->coordinator_epoch(), 4);
}

TEST_F(LogLoading, L25_LogStartIsAtLeastTheFirstBase) {
    options_.config.retention_ms = std::nullopt;
    write_segments(9);
    log_.set_high_watermark(Offset(9));
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(5)).ok());
    ASSERT_TRUE(log_.delete_old_segments(port()).ok());
    EXPECT_EQ(bases().front(), 5);
    options_.log_start = Offset(0);  // the checkpoint was not written since
    reopen_clean();
    EXPECT_EQ(log_.log_start_offset(), Offset(5));
}

TEST_F(LogLoading, L26_IndexOfAnEmptyActiveSegment) {
    options_.config.segment_bytes = 700;
    options_.config.index_interval_bytes = 300;
    options_.config.segment_index_bytes = 4096;
    open();
    append_many(100);
    ASSERT_FALSE(log_.roll(port()));
    ASSERT_FALSE(log_.flush(port()));
    EXPECT_FALSE(exists(100, kIndexSuffix));
    options_.recovery_point = Offset(100);
    reopen_unclean();
    EXPECT_EQ(log_.recovery_point(), Offset(100));
    EXPECT_EQ(end(), 100);
    EXPECT_EQ(log_.active_segment().time_index().entries(), 0U);
    EXPECT_TRUE(exists(100, kIndexSuffix));
    append_many(100);
    EXPECT_EQ(end(), 200);
}

TEST_F(LogLoading, OpenedThenCut) {
    options_.config.segment_bytes = 5 * kOne;
    open();
    append_many(100);
    close();
    reopen_unclean();
    truncate(3);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(end(), 3);
}

}  // namespace
}  // namespace klab::storage
