// SPDX-License-Identifier: Apache-2.0
//
// The snapshot files of producers: rows P15 to P20, P24, P27, P28 and P32 of Kafka's own cases
// (ProducerStateManagerTest).
#include "model/storage/producer_snapshots.h"

#include <array>

#include "tests/storage/producer_driver.h"

namespace klab::storage {
namespace {

using types::Offset;

using ProducerSnapshotRows = ProducerDriver;
using Files = std::set<std::int64_t>;

constexpr std::optional<AppendError> kOk = std::nullopt;

TEST_F(ProducerSnapshotRows, P15_ReloadRemovesFilesOutOfRange) {
    for (std::int32_t i = 0; i < 5; ++i) {
        ASSERT_EQ(data(i, i), kOk);
        snapshot();
    }
    EXPECT_EQ(files(), (Files{1, 2, 3, 4, 5}));
    reload(1, 3);
    EXPECT_EQ(snapshots_.oldest(), Offset(2));
    EXPECT_EQ(snapshots_.latest(), Offset(3));
    EXPECT_EQ(files(), (Files{2, 3}));
}

TEST_F(ProducerSnapshotRows, P16_FilesBelowAnOffset) {
    ASSERT_EQ(data(0, 0), kOk);
    ASSERT_EQ(data(1, 1), kOk);
    snapshot();
    EXPECT_EQ(files(), (Files{2}));
    ASSERT_EQ(data(2, 2), kOk);
    snapshot();
    EXPECT_EQ(files(), (Files{2, 3}));
    ASSERT_FALSE(snapshots_.remove_outside(port(), kDirectory, Offset(2), Offset(100)));
    EXPECT_EQ(files(), (Files{3}));
    ASSERT_FALSE(snapshots_.remove_outside(port(), kDirectory, Offset(3), Offset(100)));
    EXPECT_EQ(files(), Files{});
}

TEST_F(ProducerSnapshotRows, P17_NothingNewNeedsNoFile) {
    ASSERT_EQ(data(0, 0), kOk);
    snapshot();
    const auto again = snapshots_.take(port(), kDirectory, states_);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, std::nullopt);
    EXPECT_EQ(files(), (Files{1}));
}

TEST_F(ProducerSnapshotRows, P18_OpenTransactionComesBack) {
    ASSERT_EQ(data(0, 0, true), kOk);
    ASSERT_EQ(data(1, 1, true), kOk);
    snapshot();
    restart();
    reload(0, 3);
    EXPECT_EQ(entry().batches().size(), 1U) << "only the last batch is kept";
    EXPECT_EQ(entry().first_sequence(), 1);
    EXPECT_EQ(entry().last_sequence(), 1);
    EXPECT_EQ(entry().last_offset(), Offset(1));
    EXPECT_EQ(entry().open_transaction(), Offset(0));
    EXPECT_EQ(undecided(), 0);
    EXPECT_EQ(data(2, 2, true), kOk);
}

TEST_F(ProducerSnapshotRows, P19_EndedTransactionStaysEnded) {
    ASSERT_EQ(data(0, 0, true), kOk);
    ASSERT_EQ(data(1, 1, true), kOk);
    ASSERT_EQ(marker(ControlType::kAbort, 2), kOk);
    snapshot();
    restart();
    reload(0, 3);
    EXPECT_EQ(entry().first_sequence(), 1);
    EXPECT_EQ(entry().last_offset(), Offset(1));
    EXPECT_EQ(entry().open_transaction(), std::nullopt);
    EXPECT_EQ(undecided(), -1);
}

TEST_F(ProducerSnapshotRows, P20_DamagedFileIsRemovedAndTheOneBeforeIsUsed) {
    ASSERT_EQ(data(0, 0), kOk);
    snapshot();
    ASSERT_EQ(data(1, 1), kOk);
    snapshot();
    const sim::Disk before = disk_;
    const std::uint64_t size = disk_.size(file(2)).value();
    for (const int damage : {0, 1, 2}) {
        disk_ = before;
        if (damage == 0) {
            ASSERT_TRUE(disk_.truncate(file(2), 0, {}).ok());
        } else if (damage == 1) {
            ASSERT_TRUE(disk_.truncate(file(2), size / 2, {}).ok());
        } else {
            ASSERT_TRUE(disk_.write_at(file(2), 0, Bytes(37, 0), {}).ok());
        }
        restart();
        reload(0, 20);
        EXPECT_EQ(files(), (Files{1})) << damage;
        EXPECT_EQ(entry().last_offset(), Offset(0));
        EXPECT_EQ(states_.map_end_offset(), Offset(1));
    }
}

TEST_F(ProducerSnapshotRows, P21_ExpiredProducersStayOutOfAReload) {
    ASSERT_EQ(data(0, 0), kOk);
    ASSERT_EQ(data(1, 0, true, 2), kOk);
    snapshot();
    now_ms_ += kExpirationMs;
    restart();
    reload(0, 2);
    EXPECT_EQ(states_.find(types::ProducerId(1)), nullptr);
    EXPECT_NE(states_.find(types::ProducerId(2)), nullptr) << "P22: its transaction is open";
}

TEST_F(ProducerSnapshotRows, P24_FirstUnstableOffsetAfterACut) {
    ASSERT_EQ(data(99, 0, true), kOk);
    EXPECT_EQ(unstable(), 99);
    snapshot();
    ASSERT_EQ(marker(ControlType::kCommit, 105), kOk);
    high_watermark(106);
    EXPECT_EQ(unstable(), -1);
    snapshot();
    ASSERT_EQ(data(106, 1), kOk);
    reload(0, 106);
    EXPECT_EQ(unstable(), -1);
    reload(0, 100);
    EXPECT_EQ(unstable(), 99);
}

TEST_F(ProducerSnapshotRows, P27_FileOfACleanStopIsNotStray) {
    for (const std::int64_t offset : {2, 5, 42}) {
        make_file(offset);
    }
    const std::array<Offset, 1> bases{Offset(5)};
    ASSERT_FALSE(snapshots_.remove_stray(port(), kDirectory, bases));
    EXPECT_EQ(files(), (Files{5, 42}));
    EXPECT_EQ(snapshots_.oldest(), Offset(5));
    EXPECT_EQ(snapshots_.latest(), Offset(42));
}

TEST_F(ProducerSnapshotRows, P28_FilesBelowTheLastSegmentAreStray) {
    for (const std::int64_t offset : {2, 5, 42}) {
        make_file(offset);
    }
    const std::array<Offset, 1> bases{Offset(42)};
    ASSERT_FALSE(snapshots_.remove_stray(port(), kDirectory, bases));
    EXPECT_EQ(files(), (Files{42}));
}

TEST_F(ProducerSnapshotRows, P32_StartingAnewRemovesAll) {
    ASSERT_EQ(data(0, 0), kOk);
    ASSERT_EQ(data(1, 1), kOk);
    snapshot();
    ASSERT_EQ(data(2, 2), kOk);
    snapshot();
    EXPECT_EQ(files(), (Files{2, 3}));
    ASSERT_FALSE(snapshots_.clear(port(), kDirectory));
    states_ = {};
    EXPECT_EQ(files(), Files{});
    ASSERT_EQ(data(0, 0), kOk);
    snapshot();
    EXPECT_EQ(files(), (Files{1}));
}

TEST_F(ProducerSnapshotRows, FileThatIsGoneAlreadyIsForgotten) {
    // A recovery that works on the same files may have removed it.
    make_file(5);
    ASSERT_FALSE(snapshots_.find(port(), kDirectory));
    ASSERT_TRUE(disk_.remove("/t-0/00000000000000000005.snapshot", {}).ok());
    DeferredDeletion deletions;
    ASSERT_FALSE(snapshots_.remove_later(port(), kDirectory, Offset(5), 0, deletions));
    EXPECT_TRUE(deletions.empty());
    EXPECT_EQ(snapshots_.latest(), std::nullopt);
}

}  // namespace
}  // namespace klab::storage
