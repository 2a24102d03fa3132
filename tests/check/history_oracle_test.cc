// SPDX-License-Identifier: Apache-2.0
//
// The history oracle: each anomaly produced on purpose, its excuses, counting and availability.
#include <gtest/gtest.h>

#include "model/types/kafka_events.h"
#include "tests/check/check_rig.h"

namespace klab::check {
namespace {

using types::ErrorCode;

/// The clients of the rig with other settings of the producer.
CheckRig rig_with(const std::string& acks, bool idempotence, int in_flight = 5) {
    return CheckRig([&](types::ModelData& data) {
        types::SettingMap& config = data.cluster.clients.front().config;
        config["acks"] = acks;
        config["enable.idempotence"] = idempotence ? "true" : "false";
        config["max.in.flight.requests.per.connection"] = std::to_string(in_flight);
    });
}

void log_of_leader(CheckRig& rig, std::initializer_list<std::int64_t> records) {
    rig.sight.names[1].clear();
    std::int64_t offset = 0;
    for (const std::int64_t record : records) {
        rig.sight.names[1].push_back({offset++, types::RecordName{"p1", record}});
    }
    rig.sight.replicas[1].high_watermark = types::Offset(offset);
}

const Anomaly* find(const CheckRig& rig, AnomalyKind kind) {
    for (const Anomaly& anomaly : rig.checker.anomalies()) {
        if (anomaly.kind == kind) {
            return &anomaly;
        }
    }
    return nullptr;
}

/// `count` records sent and acknowledged at offsets 0, 1, ..., with no log events behind them.
void send_all(CheckRig& rig, std::int64_t count, std::int32_t acks = -1) {
    rig.cluster();
    for (std::int64_t n = 0; n < count; ++n) {
        rig.sends(n);
        rig.acked(n, n, acks);
    }
}

TEST(HistoryOracle, SilentWhenEverythingIsThere) {
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 5; ++n) {
        rig.write(n);
        rig.polled(n, n, 0, n + 1);
    }
    rig.sight.replicas[1].high_watermark = types::Offset(5);
    rig.checker.finish(rig.sight);
    EXPECT_TRUE(rig.checker.anomalies().empty());
    EXPECT_EQ(rig.unexcused(), "");
    EXPECT_EQ(rig.checker.how_often(CheckId::kAck), 10U) << "5 by the oracle, 5 by P1";
    EXPECT_EQ(rig.checker.history().acked("p1"), 5U);
    EXPECT_EQ(rig.checker.history().polled("c1"), 5U);
}

TEST(HistoryOracle, LostWriteWithAcksAll) {
    CheckRig rig;
    send_all(rig, 4);
    log_of_leader(rig, {0, 1});
    rig.checker.finish(rig.sight);
    const Anomaly* lost = find(rig, AnomalyKind::kLostWrite);
    ASSERT_NE(lost, nullptr);
    EXPECT_EQ(lost->count, 2U);
    EXPECT_EQ(lost->records, (std::vector<std::int64_t>{2, 3}));
    EXPECT_FALSE(lost->allowed);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 2U);
    EXPECT_EQ(rig.broken(CheckId::kAck), 1U);
}

TEST(HistoryOracle, AcksOneMayLoseOnlyWithAnotherLeader) {
    for (const bool failed_over : {false, true}) {
        CheckRig rig = rig_with("1", false);
        send_all(rig, 3, 1);
        if (failed_over) {
            rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
            rig.changed({.leader = 1, .leader_epoch = 2, .partition_epoch = 2, .isr = {1, 2, 3}});
        }
        log_of_leader(rig, {0});
        rig.checker.finish(rig.sight);
        EXPECT_EQ(rig.excused(CheckId::kAck), failed_over ? 1U : 0U);
        EXPECT_EQ(rig.broken(CheckId::kAck), failed_over ? 0U : 1U);
        EXPECT_EQ(rig.checker.how_often(CheckId::kP24), 2U);
        EXPECT_EQ(rig.broken(CheckId::kP24), 0U);
    }
}

TEST(HistoryOracle, AcksOneMayLoseWhatADeposedLeaderTook) {
    // b1 is cut off, goes on as leader of epoch 0 and answers acks=1 after b2 was elected.
    for (const bool deposed_appends : {false, true}) {
        CheckRig rig = rig_with("1", false);
        rig.cluster();
        rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
        rig.sends(0);
        if (deposed_appends) {
            rig.appends(1, 0, 0, 0, true);
        }
        rig.acked(0, 0, 1);
        rig.sight.names[1].clear();
        rig.sight.names[2].clear();
        rig.sight.replicas[2].is_leader = true;
        rig.checker.finish(rig.sight);
        EXPECT_EQ(rig.excused(CheckId::kAck), deposed_appends ? 1U : 0U);
        EXPECT_EQ(rig.broken(CheckId::kAck), deposed_appends ? 0U : 1U);
    }
}

TEST(HistoryOracle, ALossWithAcksOneDoesNotExcuseDivergence) {
    // P24: weak acks explain the loss, not that replicas disagree below their high watermarks.
    CheckRig rig = rig_with("1", false);
    send_all(rig, 1, 1);
    rig.appends(1, 0, 0, 0, true);
    rig.appends(2, 0, 0, 0, false, 999);
    rig.appends(3, 0, 0, 0, false);
    rig.raises(1, 0, 1, true, 1, 0, 3);
    rig.raises(2, 0, 1, false, 1, 0, -1);
    log_of_leader(rig, {});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.broken(CheckId::kP24), 1U);
}

TEST(HistoryOracle, AcksZeroPromisesNothing) {
    CheckRig rig = rig_with("0", false);
    send_all(rig, 2, 0);
    log_of_leader(rig, {});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 2U);
    EXPECT_EQ(rig.excused(CheckId::kAck), 1U);
}

TEST(HistoryOracle, WithoutALeaderTheIsrDecides) {
    // F02 with unclean election off: b3 is down, and everything is on its disk.
    CheckRig rig;
    send_all(rig, 2);
    rig.changed({.leader = -1, .leader_epoch = 1, .partition_epoch = 1, .isr = {3}});
    rig.sight.names[3] = {{0, types::RecordName{"p1", 0}}, {1, types::RecordName{"p1", 1}}};
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").lost_acked, 0U);
}

TEST(HistoryOracle, DuplicatesAndTheirExcuse) {
    for (const bool idempotence : {true, false}) {
        CheckRig rig = rig_with("all", idempotence);
        send_all(rig, 2);
        log_of_leader(rig, {0, 1, 1, 1});
        rig.checker.finish(rig.sight);
        EXPECT_EQ(rig.checker.verdict().of("p1").duplicates, 2U);
        EXPECT_EQ(rig.broken(CheckId::kDup), idempotence ? 1U : 0U);
        EXPECT_EQ(rig.excused(CheckId::kDup), idempotence ? 0U : 1U);
    }
}

TEST(HistoryOracle, ReorderedCountsFirstCopiesOnly) {
    // 0 1 2 1: the second copy of 1 is a duplicate, not a reordering. 2 0 1: 0 and 1 are late.
    CheckRig rig = rig_with("all", false);
    send_all(rig, 3);
    log_of_leader(rig, {0, 1, 2, 1});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("p1").reordered, 0U);
    CheckRig other = rig_with("all", false, 1);
    send_all(other, 3);
    log_of_leader(other, {2, 0, 1});
    other.checker.finish(other.sight);
    EXPECT_EQ(other.checker.verdict().of("p1").reordered, 2U);
    EXPECT_EQ(other.broken(CheckId::kOrd), 1U) << "one request in flight keeps the order";
}

TEST(HistoryOracle, ALeaderWithoutProducerStateMayTakeALaterBatchFirst) {
    // Idempotence: batch 2 (sequence 2) became the first one of a new leader, 0 and 1 came late in
    // the next producer epoch.
    CheckRig rig = rig_with("all", true);
    send_all(rig, 3);
    log_of_leader(rig, {2, 0, 1});
    CheckRig strict = rig;
    strict.checker.finish(strict.sight);
    EXPECT_EQ(strict.broken(CheckId::kOrd), 1U);
    rig.sight.disks[1] = {{.base = 0, .last = 0, .producer_id = 7, .base_sequence = 2},
                          {.base = 1, .last = 2, .producer_id = 7, .base_sequence = 0}};
    rig.sight.disks[1][0].producer_epoch = 0;
    rig.sight.disks[1][1].producer_epoch = 1;
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.broken(CheckId::kOrd), 0U);
    EXPECT_EQ(rig.excused(CheckId::kOrd), 1U);
}

TEST(HistoryOracle, OutcomeOfAFailedSend) {
    // Refused at once is a sure failure; after a retry, or with a timeout, nobody knows.
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 3; ++n) {
        rig.sends(n);
    }
    rig.failed(0, ErrorCode::kNotEnoughReplicas);
    rig.failed(1, ErrorCode::kRequestTimedOut);
    rig.emit(types::events::kBatchRetried,
             4,
             {rig.partition(), 2, 1, types::to_wire(ErrorCode::kNetworkException)});
    rig.failed(2, ErrorCode::kNotEnoughReplicas);
    const ClientHistory& p1 = *rig.checker.history().client("p1");
    EXPECT_EQ(p1.sends[0].outcome, Outcome::kFailed);
    EXPECT_EQ(p1.sends[1].outcome, Outcome::kIndeterminate);
    EXPECT_EQ(p1.sends[2].outcome, Outcome::kIndeterminate);
    log_of_leader(rig, {0, 1, 2});
    rig.checker.finish(rig.sight);
    const Anomaly* unexpected = find(rig, AnomalyKind::kUnexpectedWrite);
    ASSERT_NE(unexpected, nullptr);
    EXPECT_EQ(unexpected->records, (std::vector<std::int64_t>{0}));
}

TEST(HistoryOracle, VanishedAndMovedRecords) {
    CheckRig rig;
    send_all(rig, 3);
    rig.polled(0, 0, 0, 3);
    rig.polled(1, 1, 0, 3);
    rig.polled(2, 2, 0, 3);
    log_of_leader(rig, {0, 2});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("c1").vanished, 1U);
    EXPECT_EQ(rig.checker.verdict().of("p1").vanished, 1U);
    const Anomaly* moved = find(rig, AnomalyKind::kInconsistentOffset);
    ASSERT_NE(moved, nullptr);
    EXPECT_EQ(moved->records, (std::vector<std::int64_t>{2}));
    EXPECT_EQ(rig.broken(CheckId::kVanish), 1U);
}

TEST(HistoryOracle, ReadAboveTheHighWatermark) {
    CheckRig rig;
    send_all(rig, 2);
    rig.polled(0, 0, 0, 1);
    EXPECT_FALSE(rig.checker.history().read_above_high_watermark("c1"));
    rig.polled(1, 1, 0, 1);
    EXPECT_TRUE(rig.checker.history().read_above_high_watermark("c1"));
    log_of_leader(rig, {0, 1});
    rig.checker.finish(rig.sight);
    EXPECT_NE(find(rig, AnomalyKind::kReadAboveHw), nullptr);
}

TEST(HistoryOracle, SkippedIsUnseenWhenNobodyReadIt) {
    // F11: the log was cut and grew again behind the consumer's position.
    CheckRig rig;
    send_all(rig, 4);
    rig.reset(-1, 0, "initial");
    rig.polled(0, 0, 0, 4);
    rig.polled(3, 3, 0, 4);
    log_of_leader(rig, {0, 1, 2, 3});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("c1").skipped, 2U);
    EXPECT_EQ(rig.checker.verdict().of("p1").unseen, 2U);
    EXPECT_EQ(rig.broken(CheckId::kSkip), 1U);
}

TEST(HistoryOracle, ABeginningInTheMiddleSkipsNothing) {
    CheckRig rig;
    send_all(rig, 4);
    rig.reset(-1, 2, "initial");
    rig.polled(2, 2, 0, 4);
    rig.polled(3, 3, 0, 4);
    log_of_leader(rig, {0, 1, 2, 3});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.checker.verdict().of("c1").skipped, 0U);
    EXPECT_EQ(rig.unexcused(), "");
}

TEST(HistoryOracle, ReadingBackwardsNeedsAReset) {
    CheckRig rig;
    send_all(rig, 2);
    rig.polled(1, 1, 0, 2);
    rig.reset(2, 0, "truncation");
    rig.polled(0, 0, 0, 2);
    rig.polled(1, 1, 0, 2);
    log_of_leader(rig, {0, 1});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(find(rig, AnomalyKind::kNonmonotonicPoll), nullptr);
    CheckRig other;
    send_all(other, 2);
    other.polled(1, 1, 0, 2);
    other.polled(0, 0, 0, 2);
    log_of_leader(other, {0, 1});
    other.checker.finish(other.sight);
    EXPECT_NE(find(other, AnomalyKind::kNonmonotonicPoll), nullptr);
}

TEST(HistoryOracle, CountsInWindowsOfEvents) {
    // A window begins after its first event and holds its last one.
    CheckRig rig;
    send_all(rig, 3);
    const History& history = rig.checker.history();
    const ClientHistory& p1 = *history.client("p1");
    const sim::EventId first = p1.acked[0].event;
    const sim::EventId last = p1.acked[2].event;
    EXPECT_EQ(history.acked("p1", Window{first, last}), 2U);
    EXPECT_EQ(history.acked("p1", Window{last, last}), 0U);
    EXPECT_EQ(history.sent("p1", Window{first, last}), 2U);
    EXPECT_EQ(history.acked("nobody"), 0U);
}

TEST(HistoryOracle, ErrorsByCode) {
    CheckRig rig;
    rig.cluster();
    rig.sends(0);
    rig.emit(types::events::kClientFailed,
             4,
             {types::to_wire(ErrorCode::kNotEnoughReplicas), 0, rig.partition()});
    rig.failed(0, ErrorCode::kRequestTimedOut);
    const History& history = rig.checker.history();
    EXPECT_EQ(history.errors("p1"), 2U);
    EXPECT_EQ(history.errors("p1", types::to_wire(ErrorCode::kNotEnoughReplicas)), 1U);
    EXPECT_EQ(history.failed("p1"), 1U);
}

TEST(Availability, AWaitEndsWithTheNextAcknowledgementOnly) {
    CheckRig rig;
    rig.cluster();
    rig.sends(0);
    const Time began = rig.sight.now;
    rig.failed(0, ErrorCode::kNotEnoughReplicas);
    rig.sight.now = began + seconds(7);
    rig.sends(1);
    rig.acked(1, 0);
    const History& history = rig.checker.history();
    const Duration waited = rig.sight.now - began;
    EXPECT_EQ(history.unavailable_total(rig.partition(), rig.sight.now), waited);
    EXPECT_EQ(history.unavailable_longest(rig.partition(), rig.sight.now), waited);
}

TEST(Availability, ShortWaitsAreNotAddedUpAndAnOpenOneCounts) {
    CheckRig rig;
    send_all(rig, 100);
    const History& history = rig.checker.history();
    EXPECT_EQ(history.unavailable_total(rig.partition(), rig.sight.now), Duration{});
    rig.sends(100);
    const Time later = rig.sight.now + seconds(5);
    EXPECT_EQ(history.unavailable_total(rig.partition(), later), seconds(5));
}

TEST(Liveness, JudgedOnlyAfterAQuietTime) {
    CheckRig rig;
    rig.cluster();
    rig.fenced(3);
    CheckRig early = rig;
    early.checker.finish(early.sight);
    EXPECT_EQ(early.broken(CheckId::kLive), 0U);
    EXPECT_EQ(early.checker.how_often(CheckId::kLive), 0U);
    rig.sight.now = rig.sight.now + seconds(40);
    CheckRig broken = rig;
    rig.sight.whole = false;
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.broken(CheckId::kLive), 0U) << "something is still down";
    broken.checker.finish(broken.sight);
    EXPECT_EQ(broken.broken(CheckId::kLive), 1U);
}

TEST(Liveness, AWaitingSendAndAShrunkIsrAreSeen) {
    CheckRig rig;
    rig.cluster();
    rig.sends(0);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.sight.now = rig.sight.now + seconds(40);
    rig.checker.finish(rig.sight);
    ASSERT_EQ(rig.broken(CheckId::kLive), 1U);
    EXPECT_EQ(rig.checker.violations().back().repeats, 1U) << "the wait of the send";
}

TEST(Liveness, ABatchBehindALaterOneMayWaitForItsDeliveryTimeout) {
    // TransactionManager.canRetry sends it again although the leader can never take it.
    const auto broken_after = [](types::ErrorCode error, Duration wait) {
        CheckRig rig;
        rig.cluster();
        rig.sends(0);
        rig.retried(0, error);
        rig.sight.now = rig.sight.now + wait;
        rig.checker.finish(rig.sight);
        return std::pair(rig.broken(CheckId::kLive), rig.excused(CheckId::kLive));
    };
    using Counts = std::pair<std::size_t, std::size_t>;
    constexpr auto kGap = types::ErrorCode::kOutOfOrderSequenceNumber;
    EXPECT_EQ(broken_after(kGap, seconds(40)), Counts(0, 1));
    EXPECT_EQ(broken_after(kGap, seconds(200)), Counts(1, 0)) << "its 120 s are long over";
    EXPECT_EQ(broken_after(types::ErrorCode::kNotLeaderOrFollower, seconds(40)), Counts(1, 0));
}

}  // namespace
}  // namespace klab::check
