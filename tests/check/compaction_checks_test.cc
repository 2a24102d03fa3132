// SPDX-License-Identifier: Apache-2.0
//
// The checks of a compacted topic: what a cleaning may take out of a log, and what it may not.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/types/kafka_events.h"
#include "tests/check/check_rig.h"

namespace klab::check {
namespace {

constexpr std::int32_t kProducer = 4;

/// log.compacted on a broker: below `end` its log may have gaps.
void compacts(CheckRig& rig, std::int32_t broker, std::int64_t end) {
    rig.emit(types::events::kLogCompacted, broker - 1, {rig.partition(), 0, end, 1, 100, 50});
}

/// Four records are written; then b3 comes back with an empty disk.
void write_and_wipe(CheckRig& rig) {
    rig.cluster();
    for (std::int64_t n = 0; n < 4; ++n) {
        rig.write(n);
    }
    rig.crash(3);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.wipe(3);
    rig.boot(3);
    rig.recovers(3, 0, 0);
    rig.follows(3, 1, 0, 1, 0, 0);
}

TEST(CompactionChecks, ACopyOfACleanedLogAgrees) {
    CheckRig rig;
    write_and_wipe(rig);
    compacts(rig, 1, 3);
    rig.appends(3, 1, 1, 0, false, 77);  // offset 0 is gone, offset 1 is a thinner batch
    rig.appends(3, 2, 2, 0, false);
    rig.appends(3, 3, 3, 0, false);
    rig.raises(3, 0, 4, false, 4, 0, -1);
    EXPECT_EQ(rig.unexcused(), "");
    EXPECT_EQ(rig.excused(CheckId::kP4), 0U);
}

TEST(CompactionChecks, WithoutACleaningTheSameIsADifference) {
    CheckRig rig;
    write_and_wipe(rig);
    rig.appends(3, 0, 0, 0, false, 77);
    rig.raises(3, 0, 1, false, 1, 0, -1);
    // Allowed only because b3 had lost its disk.
    EXPECT_EQ(rig.excused(CheckId::kP4), 1U);
}

TEST(CompactionChecks, ABatchOfAnotherEpochIsADifferenceStill) {
    CheckRig rig;
    write_and_wipe(rig);
    compacts(rig, 1, 3);
    rig.appends(3, 0, 0, 5, false);
    rig.raises(3, 0, 1, false, 1, 0, -1);
    // Allowed only because b3 had lost its disk.
    EXPECT_EQ(rig.excused(CheckId::kP4), 1U);
}

TEST(CompactionChecks, TheFullScanLooksForWhatMustStay) {
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 4; ++n) {
        rig.write(n);
    }
    const auto scan = [&rig](std::vector<std::int64_t> offsets) {
        CheckRig copy = rig;
        std::vector<BatchOnDisk> kept;
        for (const BatchOnDisk& batch : rig.sight.disks[1]) {
            if (std::ranges::find(offsets, batch.base) != offsets.end()) {
                kept.push_back(batch);
            }
        }
        copy.sight.disks[1] = kept;
        return copy.checker.full_scan(copy.sight).size();
    };
    compacts(rig, 1, 3);
    EXPECT_EQ(scan({0, 1, 2, 3}), 0U);
    EXPECT_EQ(scan({1, 3}), 0U);
    EXPECT_EQ(scan({1, 2}), 1U) << "offset 3 lies above what was cleaned";
}

/// Record `n` with this key, acknowledged at offset `n`.
void put(CheckRig& rig, std::int64_t n, const std::string& key) {
    bool added = false;
    const std::int64_t name = rig.sight.interner.text(key, added);
    rig.emit(types::events::kRecordSent, kProducer, {n, rig.partition(), name});
    rig.acked(n, n);
}

/// The final log of the leader: record `n` at offset `n`.
void keep(CheckRig& rig, std::int64_t n, const std::string& key) {
    rig.sight.names[1].push_back({n, types::RecordName{"p1", n}, key});
    rig.sight.replicas[1].high_watermark = types::Offset(n + 1);
}

TEST(CompactionOracle, ARecordWhoseKeyHasALaterOneMayBeGone) {
    CheckRig rig;
    rig.cluster();
    put(rig, 0, "a");
    put(rig, 1, "b");
    put(rig, 2, "a");
    compacts(rig, 1, 2);
    keep(rig, 1, "b");
    keep(rig, 2, "a");
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 0U);
}

TEST(CompactionOracle, TheLastRecordOfAKeyMayNot) {
    CheckRig rig;
    rig.cluster();
    put(rig, 0, "a");
    put(rig, 1, "b");
    put(rig, 2, "a");
    compacts(rig, 1, 3);
    keep(rig, 1, "b");
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 2U) << "both values of a";
}

TEST(CompactionOracle, WhatNobodyCleanedMustBeThere) {
    CheckRig rig;
    rig.cluster();
    put(rig, 0, "a");
    put(rig, 1, "a");
    keep(rig, 1, "a");
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 1U);
}

TEST(CompactionOracle, ATombstoneTakesItsKeyAndItselfAway) {
    CheckRig rig(
        [](types::ModelData& data) { data.cluster.clients.front().send.tombstones = {1}; });
    rig.cluster();
    put(rig, 0, "a");
    put(rig, 1, "a");
    put(rig, 2, "b");
    compacts(rig, 1, 2);
    keep(rig, 2, "b");
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 0U);
}

TEST(CompactionOracle, TheTableOfAConsumer) {
    CheckRig rig(
        [](types::ModelData& data) { data.cluster.clients.front().send.tombstones = {2}; });
    rig.cluster();
    put(rig, 0, "a");
    put(rig, 1, "b");
    put(rig, 2, "a");
    rig.polled(0, 0, 0, 3);
    rig.polled(1, 1, 0, 3);
    EXPECT_EQ(rig.checker.history().table_size("c1"), 2);
    rig.polled(2, 2, 0, 3);
    EXPECT_EQ(rig.checker.history().table_size("c1"), 1);
    EXPECT_EQ(rig.checker.history().table_size("nobody"), 0);
}

}  // namespace
}  // namespace klab::check
