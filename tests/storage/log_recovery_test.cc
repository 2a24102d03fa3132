// SPDX-License-Identifier: Apache-2.0
//
// Opening a log from the bytes on disk: rows L1 to L17 of Kafka's own cases that need no index or
// snapshot files, the damage table, and the log directory around it.
#include <gtest/gtest.h>

#include "model/storage/checkpoint_store.h"
#include "model/storage/log_dir.h"
#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;

class LogRecovery : public LogTest {
  protected:
    void overwrite(std::int64_t base, std::uint64_t position, const Bytes& bytes) {
        ASSERT_TRUE(disk_.write_at(file(base), position, bytes, {}).ok());
    }

    void add_garbage(std::int64_t base, std::size_t size) {
        ASSERT_TRUE(disk_.append(file(base), Bytes(size, 0xA5), {}).ok());
    }
};

TEST_F(LogRecovery, NewLogIsMadeWithOneEmptySegment) {
    open();
    EXPECT_TRUE(fact_.is_new);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0}));
    EXPECT_TRUE(disk_.exists("/data/t-0/00000000000000000000.log"));
}

TEST_F(LogRecovery, L1_CleanReopen) {
    open();
    append_many(100);
    reopen_clean();
    EXPECT_EQ(end(), 100);
    EXPECT_EQ(log_.recovery_point(), Offset(100));
    EXPECT_EQ(fact_.bytes_dropped, 0U);
    EXPECT_FALSE(fact_.is_new);
}

TEST_F(LogRecovery, L2_RecoveryPointIsNotAdvancedByRecovery) {
    options_.config.segment_bytes = 7 * kOne;
    open();
    append_many(100);
    const auto before = bases();
    options_.recovery_point = Offset(100);
    reopen_unclean();
    EXPECT_EQ(end(), 100);
    EXPECT_EQ(log_.recovery_point(), Offset(100));
    options_.recovery_point = Offset(10);
    reopen_unclean();
    EXPECT_EQ(end(), 100);
    EXPECT_EQ(bases(), before);
    EXPECT_EQ(log_.recovery_point(), Offset(10));
    ASSERT_FALSE(log_.flush(port()));
    EXPECT_EQ(log_.recovery_point(), Offset(100));
}

TEST_F(LogRecovery, L2_RecoveryPointAboveTheLogEndIsCapped) {
    open();
    append_many(3);
    options_.recovery_point = Offset(50);
    reopen_unclean();
    EXPECT_EQ(log_.recovery_point(), Offset(3));
}

TEST_F(LogRecovery, L3_GarbageAfterTheLastBatch) {
    open();
    append_many(60);
    add_garbage(0, 90);
    options_.recovery_point = Offset(50);
    reopen_unclean();
    EXPECT_EQ(end(), 60);
    EXPECT_EQ(fact_.bytes_dropped, 90U);
    EXPECT_EQ(disk_.size(file(0)).value(), 60U * kOne);
    append_one();
    EXPECT_EQ(values().size(), 61U);
}

TEST_F(LogRecovery, L7_DamageInTheFirstSegmentOfALogThatStartsLater) {
    options_.config.segment_bytes = kOne;
    open();
    append_many(6);
    overwrite(1, 0, Bytes(kOne, 'x'));
    options_.log_start = Offset(4);
    reopen_unclean();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{4}));
    EXPECT_EQ(log_.log_start_offset(), Offset(4));
    EXPECT_EQ(end(), 4);
}

TEST_F(LogRecovery, L9_EmptyDirectoryStartsAtTheCheckpoint) {
    options_.log_start = Offset(500);
    open();
    EXPECT_EQ(log_.log_start_offset(), Offset(500));
    EXPECT_EQ(end(), 500);
    EXPECT_EQ(log_.high_watermark(), Offset(500));
}

TEST_F(LogRecovery, L14_EpochsAreRebuiltFromTheBatches) {
    open();
    append_one(1);
    append_many(2, 2);
    append_one(3);
    const Bytes cut = encode_epoch_checkpoint({{LeaderEpoch(1), Offset(0)}});
    ASSERT_FALSE(replace_file(port(), "/data/t-0", kLeaderEpochCheckpoint, cut));
    reopen_unclean();
    EXPECT_EQ(epochs(),
              (std::vector<std::pair<std::int32_t, std::int64_t>>{{1, 0}, {2, 1}, {3, 3}}));
}

TEST_F(LogRecovery, L14_EpochsBeyondTheLogEndAreForgotten) {
    open();
    append_one(1);
    ASSERT_FALSE(log_.assign_epoch_start(port(), LeaderEpoch(9)));
    reopen_unclean();
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{1, 0}}));
    // On disk as well, as Kafka's background task does a moment later.
    const auto stored = read_file(port(), "/data/t-0/leader-epoch-checkpoint");
    ASSERT_TRUE(stored.ok() && stored->has_value());
    EXPECT_EQ(*parse_epoch_checkpoint(**stored), log_.epochs().entries());
}

TEST_F(LogRecovery, L17_ProducersOfTheRecordsThatAreLeft) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"a"})).ok());
    ASSERT_TRUE(lead(idempotent_batch_of(2, 0, 0, {"b"})).ok());
    options_.log_start = Offset(1);
    reopen_unclean();
    EXPECT_EQ(log_.producers().size(), 2U);
}

TEST_F(LogRecovery, RetryAfterARestartIsStillADuplicate) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"a", "b"})).ok());
    reopen_unclean();
    const auto again = lead(idempotent_batch_of(1, 0, 0, {"a", "b"}));
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->is_duplicate);
    EXPECT_EQ(again->batch.base_offset, Offset(0));
}

TEST_F(LogRecovery, HighWatermarkIsClampedIntoTheLog) {
    open();
    append_many(5);
    options_.high_watermark = Offset(3);
    reopen_unclean();
    EXPECT_EQ(log_.high_watermark(), Offset(3));
    EXPECT_EQ(fact_.high_watermark, Offset(3));
    options_.high_watermark = Offset(99);
    reopen_unclean();
    EXPECT_EQ(log_.high_watermark(), Offset(5));
}

TEST_F(LogRecovery, Damage_LastBatchCutShort) {
    open();
    append_many(3);
    ASSERT_TRUE(disk_.truncate(file(0), 3 * kOne - 1, {}).ok());
    reopen_unclean();
    EXPECT_EQ(end(), 2);
    EXPECT_EQ(fact_.bytes_dropped, static_cast<std::uint64_t>(kOne - 1));
}

TEST_F(LogRecovery, Damage_BitFlipLosesTheBatchAndAllAfterIt) {
    options_.config.segment_bytes = 3 * kOne;
    open();
    append_many(9);
    overwrite(3, kOne + 70, {0xFF});
    reopen_unclean();
    EXPECT_EQ(end(), 4);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 3}));
    EXPECT_EQ(fact_.bytes_dropped, 2U * kOne + 3U * kOne);
}

TEST_F(LogRecovery, Damage_LengthFieldTooLarge) {
    open();
    append_many(3);
    overwrite(0, kOne + 8, {0x7F});
    reopen_unclean();
    EXPECT_EQ(end(), 1);
}

TEST_F(LogRecovery, Damage_ZeroFilledRegion) {
    open();
    append_many(4);
    overwrite(0, 2 * kOne, Bytes(2 * kOne, 0));
    reopen_unclean();
    EXPECT_EQ(end(), 2);
}

TEST_F(LogRecovery, Damage_OffsetsGoingBackEmptyTheSegment) {
    // The base offset lies outside the checksum; an index entry that goes back shows it.
    options_.config.index_interval_bytes = 1;
    open();
    append_many(3);
    overwrite(0, 2 * kOne + 7, {0});
    reopen_unclean();
    EXPECT_EQ(end(), 0);
}

TEST_F(LogRecovery, Damage_OffsetsGoingBackBetweenIndexEntriesAreNotNoticed) {
    open();
    append_many(3);
    overwrite(0, 2 * kOne + 7, {0});
    reopen_unclean();
    EXPECT_EQ(end(), 1) << "the offset behind the last batch";
    EXPECT_EQ(fact_.bytes_dropped, 0U);
}

TEST_F(LogRecovery, Damage_BelowTheRecoveryPointIsNotNoticed) {
    options_.config.segment_bytes = 3 * kOne;
    open();
    append_many(7);
    overwrite(0, kOne + 70, {0xFF});
    options_.recovery_point = Offset(6);
    reopen_unclean();
    EXPECT_EQ(end(), 7);
    EXPECT_FALSE(list_batches(log_, disk_)[1].is_crc_valid) << "it surfaces at a reader's check";
}

TEST_F(LogRecovery, SecondRecoveryChangesNothing) {
    options_.config.segment_bytes = 3 * kOne;
    open();
    append_many(8);
    add_garbage(6, 30);
    reopen_unclean();
    const Log once = log_;
    const sim::Disk disk = disk_;
    reopen_unclean();
    EXPECT_EQ(log_, once);
    EXPECT_EQ(fact_.bytes_dropped, 0U);
    EXPECT_EQ(disk_.bytes_total(), disk.bytes_total());
}

TEST_F(LogRecovery, UnreadableEpochCheckpointIsAStorageError) {
    open();
    ASSERT_FALSE(replace_file(port(), "/data/t-0", kLeaderEpochCheckpoint, view_of("nonsense")));
    EXPECT_EQ(Log::open(port(), options_).error(), AppendError::kStorage);
}

TEST_F(LogRecovery, LeftOversOfADeletionAreRemoved) {
    open();
    ASSERT_TRUE(disk_.create("/data/t-0/00000000000000000009.log.deleted", {}).ok());
    reopen_unclean();
    EXPECT_FALSE(disk_.exists("/data/t-0/00000000000000000009.log.deleted"));
}

class LogDirectory : public LogTest {
  protected:
    FoundLogDir look() {
        EXPECT_FALSE(prepare_log_dir(port(), "/data"));
        auto found = open_log_dir(port(), "/data");
        EXPECT_TRUE(found.ok());
        return found.value();
    }
};

TEST_F(LogDirectory, FreshDirectoryIsMadeAndUnclean) {
    const FoundLogDir found = look();
    EXPECT_FALSE(found.was_clean_shutdown);
    EXPECT_TRUE(found.logs.empty());
    EXPECT_TRUE(disk_.is_directory("/data"));
    EXPECT_TRUE(disk_.exists("/data/.lock"));
}

TEST_F(LogDirectory, L27_MarkerIsSeenOnceAndRemovedBeforeLoading) {
    look();
    ASSERT_FALSE(write_clean_shutdown_marker(port(), "/data", types::BrokerEpoch(3)));
    const auto content = read_file(port(), "/data/.kafka_cleanshutdown");
    EXPECT_EQ(text_of(**content), "{\"version\":0,\"brokerEpoch\":3}");
    const FoundLogDir found = look();
    EXPECT_TRUE(found.was_clean_shutdown);
    EXPECT_EQ(found.broker_epoch, types::BrokerEpoch(3));
    EXPECT_FALSE(look().was_clean_shutdown);
}

TEST_F(LogDirectory, CheckpointsComeBackPerPartition) {
    open();
    ASSERT_FALSE(write_high_watermarks(port(), "/data", {{{"t", 0}, Offset(5)}}));
    ASSERT_FALSE(write_recovery_points(port(), "/data", {{{"t", 0}, Offset(4)}}));
    ASSERT_FALSE(write_log_starts(port(), "/data", {{{"other", 0}, Offset(3)}}));
    const FoundLogDir found = look();
    ASSERT_EQ(found.logs.size(), 1U);
    EXPECT_EQ(found.logs[0],
              (FoundLog{{"t", 0}, LogKind::kCurrent, "t-0", Offset(4), Offset(0), Offset(5)}));
}

TEST_F(LogDirectory, UnreadableCheckpoints) {
    // Recovery points only save work; a high watermark that cannot be read stops the directory.
    open();
    ASSERT_FALSE(replace_file(port(), "/data", kRecoveryPointCheckpoint, view_of("7\n")));
    EXPECT_EQ(look().logs[0].recovery_point, Offset(0));
    ASSERT_FALSE(replace_file(port(), "/data", kReplicationOffsetCheckpoint, view_of("7\n")));
    EXPECT_EQ(open_log_dir(port(), "/data").error(), LogDirError::kOffline);
}

TEST_F(LogDirectory, ForeignDirectoryStopsTheStart) {
    ASSERT_TRUE(disk_.make_directories("/data/nonsense", {}).ok());
    EXPECT_EQ(open_log_dir(port(), "/data").error(), LogDirError::kForeignName);
}

TEST_F(LogDirectory, LogsPutAsideAreFoundAsWhatTheyAre) {
    const std::string unique(32, 'a');
    for (const char* kind : {"-delete", "-stray", "-future"}) {
        ASSERT_TRUE(disk_.make_directories("/data/t-1." + unique + kind, {}).ok());
    }
    ASSERT_TRUE(disk_.make_directories("/data/remote-log-index-cache", {}).ok());
    std::vector<LogKind> kinds;
    for (const FoundLog& log : look().logs) {
        EXPECT_EQ(log.partition, (types::TopicPartition{"t", 1}));
        kinds.push_back(log.kind);
    }
    EXPECT_EQ(kinds, (std::vector<LogKind>{LogKind::kDeleted, LogKind::kFuture, LogKind::kStray}));
}

TEST_F(LogDirectory, TheEpochOfTheMarkerIsReadWithoutTakingIt) {
    look();
    EXPECT_EQ(read_clean_shutdown_epoch(port(), "/data"), std::nullopt);
    ASSERT_FALSE(write_clean_shutdown_marker(port(), "/data", types::BrokerEpoch(3)));
    EXPECT_EQ(read_clean_shutdown_epoch(port(), "/data"), types::BrokerEpoch(3));
    EXPECT_TRUE(look().was_clean_shutdown) << "it is still there";
}

TEST_F(LogDirectory, TheControllersLogIsNotAPartition) {
    ASSERT_TRUE(disk_.make_directories("/data/__cluster_metadata-0", {}).ok());
    EXPECT_TRUE(look().logs.empty());
}

TEST_F(LogDirectory, CheckpointSurvivesAPowerFailureAtAnyCall) {
    // Old or new content, never a mixture: that is what the temporary file and the syncs are for.
    struct Nothing final : sim::PowerOffChoices {
        bool keep_page() override { return false; }

        std::uint32_t sectors_kept() override { return 0; }
    };

    look();
    ASSERT_FALSE(write_high_watermarks(port(), "/data", {{{"t", 0}, Offset(1)}}));
    disk_.settle({});
    const sim::Disk before = disk_;
    ASSERT_FALSE(write_high_watermarks(port(), "/data", {{{"t", 0}, Offset(2)}}));
    const std::uint64_t last = disk_.calls();
    bool has_old = false;
    bool has_new = false;
    for (std::uint64_t keep = before.calls(); keep <= last; ++keep) {
        sim::Disk disk = before;
        ASSERT_FALSE(write_high_watermarks(DiskPort(disk), "/data", {{{"t", 0}, Offset(2)}}));
        disk.crash({}, keep, false);
        Nothing choices;
        disk.power_off(sim::PowerOffKeep::synced, false, choices);
        const auto content = read_file(DiskPort(disk), "/data/replication-offset-checkpoint");
        ASSERT_TRUE(content.ok() && content->has_value()) << keep;
        const auto entries = parse_offset_checkpoint(**content);
        ASSERT_TRUE(entries.ok() && entries->size() == 1) << keep;
        has_old |= entries->front().offset == Offset(1);
        has_new |= entries->front().offset == Offset(2);
    }
    EXPECT_TRUE(has_old);
    EXPECT_TRUE(has_new);
}

}  // namespace
}  // namespace klab::storage
