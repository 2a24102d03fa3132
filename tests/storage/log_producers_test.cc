// SPDX-License-Identifier: Apache-2.0
//
// What a log knows of its producers after cuts and restarts: rows U57 to U59 and L17 of Kafka's own
// cases (UnifiedLogTest, LogLoaderTest), and the law that a snapshot and the batches behind it tell
// what all batches tell.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/producer_rebuild.h"
#include "tests/storage/transaction_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerId;

class LogProducers : public TransactionTest {
  protected:
    /// A batch of producer 1 as compaction leaves it: offsets `base` to `last`, only these records.
    static Bytes compacted(std::int64_t base,
                           std::int64_t last,
                           const std::vector<std::int64_t>& kept) {
        BatchOptions options;
        options.base_offset = Offset(base);
        options.leader_epoch = types::LeaderEpoch(0);
        options.producer = ProducerStamp{ProducerId(1), types::ProducerEpoch(0), 0};
        RecordBatchBuilder builder(options);
        for (const std::int64_t offset : kept) {
            RecordInput record;
            record.timestamp = kTransactionTime;
            record.value = view_of(std::string_view("a"));
            builder.append_at(Offset(offset), record);
        }
        Bytes batch = builder.extend_to(Offset(last)).build();
        set_max_timestamp(batch, TimestampType::kCreateTime, kTransactionTime);
        return batch;
    }

    [[nodiscard]] std::optional<std::int32_t> last_sequence(std::int64_t producer) const {
        const ProducerEntry* entry = log_.producers().find(ProducerId(producer));
        return entry == nullptr ? std::nullopt : entry->last_sequence();
    }
};

TEST_F(LogProducers, U57_BatchWithGapsKeepsItsLastSequence) {
    open();
    ASSERT_TRUE(follow(compacted(23, 26, {23, 25})).ok());
    EXPECT_EQ(last_sequence(1), 3);
    ASSERT_TRUE(follow(placed(batch_of({"e", "f"}, now_ms_), 27, 0)).ok());
    truncate(27);
    EXPECT_EQ(last_sequence(1), 3);
    EXPECT_EQ(log_.producers().size(), 1U);
}

TEST_F(LogProducers, U58_EmptyBatchKeepsItsLastSequence) {
    open();
    ASSERT_TRUE(follow(compacted(23, 24, {})).ok());
    ASSERT_TRUE(follow(placed(batch_of({"e", "f"}, now_ms_), 25, 0)).ok());
    truncate(25);
    EXPECT_EQ(log_.producers().size(), 1U);
    EXPECT_EQ(last_sequence(1), 1);
}

TEST_F(LogProducers, U59_SnapshotsOfATruncatedLog) {
    open();
    ASSERT_TRUE(lead(batch_of({"a"}, now_ms_)).ok());
    ASSERT_TRUE(lead(batch_of({"b"}, now_ms_)).ok());
    ASSERT_FALSE(log_.roll(port()));  // snapshot 2
    ASSERT_TRUE(lead(batch_of({"c"}, now_ms_)).ok());
    ASSERT_FALSE(log_.roll(port()));  // snapshot 3
    EXPECT_EQ(log_.snapshots().latest(), Offset(3));
    truncate(2);
    EXPECT_EQ(log_.snapshots().latest(), Offset(2));
    EXPECT_EQ(log_.producers().map_end_offset(), Offset(2));
    truncate(1);
    EXPECT_EQ(log_.snapshots().latest(), Offset(1));
    EXPECT_EQ(log_.producers().map_end_offset(), Offset(1));
    truncate(0);
    EXPECT_EQ(log_.snapshots().latest(), std::nullopt);
    EXPECT_EQ(log_.producers().map_end_offset(), Offset(0));
}

TEST_F(LogProducers, U59_CutWithoutAnySnapshot) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"a"})).ok());
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 1, {"b"})).ok());
    truncate(1);
    EXPECT_EQ(last_sequence(1), 0);
}

TEST_F(LogProducers, L17_TwoSegmentsTheFirstDeleted) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"a"})).ok());
    ASSERT_FALSE(log_.roll(port()));
    ASSERT_TRUE(lead(idempotent_batch_of(2, 0, 0, {"b"})).ok());
    high_watermark(2);
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(1)).ok());
    ASSERT_TRUE(log_.delete_old_segments(port()).ok());
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{1}));
    EXPECT_EQ(log_.producers().size(), 2U) << "deleting records does not forget their producers";
    options_.log_start = Offset(1);
    reopen_unclean();
    EXPECT_EQ(log_.producers().size(), 1U) << "but a restart reads what is left";
    EXPECT_EQ(last_sequence(2), 0);
}

/// What a rebuild says that starts from the newest of these snapshots.
ProducerStates rebuilt(sim::Disk disk, const Log& log, std::int64_t now_ms) {
    const std::vector<LogSegment> segments = log.segments();
    ProducerStates states;
    ProducerSnapshots snapshots;
    const DiskPort port(disk, Time{} + milliseconds(now_ms));
    RC_ASSERT(!snapshots.find(port, log.directory()));
    const ProducerRebuild rebuild{log.directory(),
                                  segments,
                                  log.log_start_offset(),
                                  log.log_end_offset(),
                                  false,
                                  log.config().producer_id_expiration_ms};
    RC_ASSERT(!rebuild_producers(port, rebuild, states, snapshots));
    return states;
}

RC_GTEST_FIXTURE_PROP(LogProducers, FromAnySnapshotAsFromTheFirstBatch, ()) {
    // A snapshot keeps one batch a producer, so what is compared is what a snapshot would say.
    open();
    const auto steps = *rc::gen::inRange(1, 40);
    for (int i = 0; i < steps; ++i) {
        const auto producer = *rc::gen::inRange(1, 4);
        switch (*rc::gen::inRange(0, 6)) {
            case 0:
                commit(producer);
                break;
            case 1:
                abort(producer);
                break;
            case 2:
                plain(*rc::gen::inRange(1, 3));
                break;
            case 3:
                RC_ASSERT(!log_.roll(port()));
                break;
            default:
                txn(producer, *rc::gen::inRange(1, 4));
                break;
        }
    }
    // The files that rolls have left; any of them may be gone.
    sim::Disk bare = disk_;
    sim::Disk some = disk_;
    for (const Offset offset : log_.snapshots().offsets()) {
        const std::string path = log_.directory() + "/" + offset_file_name(offset, kSnapshotSuffix);
        RC_ASSERT(bare.remove(path, {}).ok());
        if (*rc::gen::inRange(0, 2) == 0) {
            RC_ASSERT(some.remove(path, {}).ok());
        }
    }
    const ProducerStates from_batches = rebuilt(bare, log_, now_ms_);
    const ProducerStates from_snapshot = rebuilt(some, log_, now_ms_);
    RC_ASSERT(from_snapshot.to_snapshot() == from_batches.to_snapshot());
    RC_ASSERT(from_snapshot.first_undecided_offset() == from_batches.first_undecided_offset());
    RC_ASSERT(from_snapshot.map_end_offset() == from_batches.map_end_offset());
    RC_ASSERT(from_batches.to_snapshot() == log_.producers().to_snapshot());
}

}  // namespace
}  // namespace klab::storage
