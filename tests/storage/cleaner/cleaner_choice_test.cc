// SPDX-License-Identifier: Apache-2.0
//
// Which part of which log is cleaned, and who may: rows M1 to M11 (LogCleanerManagerTest).
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/storage/cleaner/cleaner_checkpoint.h"
#include "model/storage/cleaner/cleaning_states.h"
#include "model/storage/cleaner/log_choice.h"
#include "sim/disk/disk.h"

namespace klab::storage::cleaner {
namespace {

using types::Offset;
using types::TopicPartition;

constexpr std::int64_t kNow = 1'700'000'000'000;
constexpr std::int64_t kHour = 3'600'000;

/// A log of batches of 100 bytes and one record, `per_segment` to a segment; the active segment is
/// empty.
LogSight sight_of(std::int64_t batches, std::int64_t per_segment, std::int64_t timestamp = kNow) {
    LogSight log;
    log.partition = {"foo", 0};
    log.log_end = Offset(batches);
    log.last_stable = Offset(batches);
    log.policy.min_dirty_ratio_billionths = 50'000'000;
    for (std::int64_t base = 0; base < batches; base += per_segment) {
        const std::int64_t count = std::min(per_segment, batches - base);
        log.segments.push_back(
            {Offset(base), static_cast<std::uint64_t>(count) * 100, timestamp, timestamp});
    }
    log.segments.push_back({Offset(batches), 0, kNow, std::nullopt});
    return log;
}

LogSight named(LogSight log, std::int32_t partition) {
    log.partition = {"wishing-well", partition};
    return log;
}

std::optional<LogToClean> chosen(const std::vector<LogSight>& logs,
                                 const CleanerCheckpoints& checkpoints) {
    return choose_log(logs, checkpoints, kNow).chosen;
}

TEST(CleanableRangeRows, M1_ACheckpointOutsideTheLogStartsAnew) {
    LogSight log = sight_of(20, 5);
    EXPECT_EQ(chosen({log}, {{log.partition, Offset(200)}})->first_dirty, Offset(0));
    log.log_start = Offset(10);
    EXPECT_EQ(chosen({log}, {{log.partition, Offset(0)}})->first_dirty, Offset(10));
}

TEST(CleanableRangeRows, M2_WhichCheckpointsAreValid) {
    LogSight log = sight_of(20, 5);
    log.log_start = Offset(10);
    EXPECT_FALSE(cleanable_offsets(log, Offset(15), kNow).is_checkpoint_invalid);
    log.log_start = Offset(20);
    EXPECT_TRUE(cleanable_offsets(log, Offset(15), kNow).is_checkpoint_invalid);
    EXPECT_TRUE(cleanable_offsets(log, Offset(25), kNow).is_checkpoint_invalid);
    EXPECT_FALSE(cleanable_offsets(log, std::nullopt, kNow).is_checkpoint_invalid);
}

TEST(CleanableRangeRows, M3_AnInvalidCheckpointIsReplacedThoughNothingIsCleaned) {
    LogSight log = sight_of(20, 5);
    log.log_start = Offset(20);
    const LogChoice nothing = choose_log(std::vector{log}, {{log.partition, Offset(15)}}, kNow);
    EXPECT_EQ(nothing.chosen, std::nullopt);
    EXPECT_EQ(nothing.resets, (std::vector<OffsetCheckpointEntry>{{log.partition, Offset(20)}}));

    LogSight dirtier = sight_of(25, 5);
    dirtier.partition = {"foo", 1};
    log.log_start = Offset(15);
    const LogChoice other =
        choose_log(std::vector{log, dirtier},
                   {{log.partition, Offset(10)}, {dirtier.partition, Offset(5)}},
                   kNow);
    EXPECT_EQ(other.chosen->partition, dirtier.partition);
    EXPECT_EQ(other.resets, (std::vector<OffsetCheckpointEntry>{{log.partition, Offset(15)}}));
}

TEST(CleanableRangeRows, M4_UpToTheLastStableOffsetOrTheActiveSegment) {
    LogSight log = sight_of(80, 10);
    log.last_stable = Offset(50);
    EXPECT_EQ(cleanable_offsets(log, Offset(0), kNow).first_uncleanable, Offset(50));
    log.last_stable = Offset(80);
    EXPECT_EQ(cleanable_offsets(log, Offset(0), kNow).first_uncleanable, Offset(80));
    EXPECT_EQ(cleanable_offsets(log, Offset(0), kNow).first_dirty, Offset(0));
}

TEST(CleanableRangeRows, M5_YoungRecordsStay) {
    LogSight log = sight_of(80, 10, kNow);
    log.policy.min_lag_ms = kHour;
    for (std::size_t i = 0; i < 3; ++i) {
        log.segments[i].largest_timestamp = kNow - kHour - 1;
    }
    EXPECT_EQ(cleanable_offsets(log, Offset(0), kNow).first_uncleanable, Offset(30));
    EXPECT_EQ(cleanable_offsets(log, Offset(0), kNow + kHour + 1).first_uncleanable, Offset(80));
    log.segments[2].largest_timestamp = kNow - kHour;
    EXPECT_EQ(cleanable_offsets(log, Offset(0), kNow).first_uncleanable, Offset(30))
        << "exactly as old as the lag is old enough";
}

/// The log of rows M6 and M7: a transaction of three records, then the active segment.
LogSight undecided() {
    LogSight log;
    log.partition = {"foo", 0};
    log.log_end = Offset(3);
    log.last_stable = Offset(0);
    log.policy.min_lag_ms = kHour;
    log.segments = {{Offset(0), 150, kNow, kNow}, {Offset(3), 0, kNow, std::nullopt}};
    return log;
}

TEST(CleanableRangeRows, M6_UndecidedTransactionsAreNotCleaned) {
    EXPECT_EQ(cleanable_offsets(undecided(), Offset(0), kNow + kHour + 1).first_uncleanable,
              Offset(0));
}

TEST(CleanableRangeRows, M7_TheMarkerFreesThemAndWaitsForItsOwnLag) {
    const std::int64_t later = kNow + kHour + 1;
    LogSight log = undecided();
    log.segments.back() = {Offset(3), 78, later, later};
    log.segments.push_back({Offset(4), 0, later, std::nullopt});
    log.log_end = Offset(4);
    log.last_stable = Offset(4);
    EXPECT_EQ(cleanable_offsets(log, Offset(0), later).first_uncleanable, Offset(3));
    EXPECT_EQ(cleanable_offsets(log, Offset(0), later + kHour + 1).first_uncleanable, Offset(4));
}

TEST(LogChoiceRows, M8_TheDirtiestLogThatIsFree) {
    const std::vector<LogSight> logs = {
        named(sight_of(20, 5), 0), named(sight_of(25, 5), 1), named(sight_of(30, 5), 2)};
    CleanerCheckpoints checkpoints;
    for (const LogSight& log : logs) {
        checkpoints[log.partition] = Offset(20);
    }
    EXPECT_EQ(chosen(logs, checkpoints)->partition, logs[2].partition);

    // Uncleanable logs, and those that someone works on, are not shown to the choice.
    CleaningStates states;
    states.mark_uncleanable(logs[2].partition);
    std::vector<LogSight> free_logs = logs;
    std::erase_if(free_logs, [&](const LogSight& log) { return !states.is_free(log.partition); });
    EXPECT_EQ(chosen(free_logs, checkpoints)->partition, logs[1].partition);
    states.apply(logs[1].partition, CleaningAction::kStart);
    std::erase_if(free_logs, [&](const LogSight& log) { return !states.is_free(log.partition); });
    EXPECT_EQ(chosen(free_logs, checkpoints), std::nullopt);
}

TEST(LogChoiceRows, M9_TheActiveSegmentIsNeverDirty) {
    LogSight log;
    log.partition = {"foo", 0};
    log.segments = {{Offset(0), 200, kNow, kNow}};
    log.log_end = Offset(6);
    log.last_stable = Offset(6);
    EXPECT_EQ(chosen({log}, {{log.partition, Offset(3)}}), std::nullopt);
    log.log_start = Offset(2);
    EXPECT_EQ(chosen({log}, {{log.partition, Offset(0)}}), std::nullopt);
}

TEST(LogChoice, CountsCleanAndDirtyBytesBySegment) {
    // LogCleanerTest.testLogToCleanWithUncleanableSection: six segments, two clean, two cleanable.
    LogSight log = sight_of(60, 10);
    log.last_stable = Offset(40);
    const auto chosen_log = chosen({log}, {{log.partition, Offset(20)}});
    ASSERT_TRUE(chosen_log.has_value());
    EXPECT_EQ(chosen_log->clean_bytes, 2000U);
    EXPECT_EQ(chosen_log->cleanable_bytes, 2000U);
    EXPECT_EQ(chosen_log->first_uncleanable, Offset(40));
    EXPECT_TRUE(is_dirtier_than(*chosen_log, 499'999'999));
    EXPECT_FALSE(is_dirtier_than(*chosen_log, 500'000'000)) << "the ratio must be above the limit";
}

TEST(LogChoice, ASegmentThatIsPartlyDirtyCountsOnBothSides) {
    LogSight log = sight_of(20, 10);
    const auto offsets = cleanable_offsets(log, Offset(15), kNow);
    EXPECT_EQ(cleanable_bytes(log, offsets), (CleanableBytes{Offset(20), 2000, 1000}));
}

TEST(LogChoice, TheBoundIsRoundedDownToASegment) {
    LogSight log = sight_of(40, 10);
    log.last_stable = Offset(25);
    const auto offsets = cleanable_offsets(log, Offset(0), kNow);
    EXPECT_EQ(offsets.first_uncleanable, Offset(25));
    EXPECT_EQ(cleanable_bytes(log, offsets), (CleanableBytes{Offset(20), 0, 2000}));
}

TEST(LogChoice, OldRecordsAreCleanedHoweverCleanTheLogIs) {
    // max.compaction.lag.ms (KIP-354): by the first record of a closed dirty segment.
    LogSight log = sight_of(100, 10, kNow - kHour);
    log.policy.min_dirty_ratio_billionths = 900'000'000;
    const CleanerCheckpoints almost_clean = {{log.partition, Offset(90)}};
    EXPECT_EQ(chosen({log}, almost_clean), std::nullopt);
    log.policy.max_lag_ms = kHour - 1;
    const auto overdue = chosen({log}, almost_clean);
    ASSERT_TRUE(overdue.has_value());
    EXPECT_EQ(overdue->delay_ms, 1);
    log.policy.max_lag_ms = kHour;
    EXPECT_EQ(chosen({log}, almost_clean), std::nullopt) << "not yet";
    // Records without a time, or of time 0, are never overdue.
    log.policy.max_lag_ms = 1;
    log.segments[9].first_timestamp = std::nullopt;
    EXPECT_EQ(chosen({log}, almost_clean), std::nullopt);
    log.segments[9].first_timestamp = 0;
    EXPECT_EQ(chosen({log}, almost_clean), std::nullopt);
}

TEST(LogChoice, EqualRatiosGoByName) {
    const std::vector<LogSight> logs = {named(sight_of(20, 10), 0), named(sight_of(40, 10), 1)};
    EXPECT_EQ(chosen(logs, {})->partition, logs[0].partition);
}

RC_GTEST_PROP(LogChoice, RatiosCompareAsExactFractions, ()) {
    const auto part = rc::gen::inRange<std::uint64_t>(0, 1U << 20U);
    LogToClean a;
    LogToClean b;
    a.cleanable_bytes = *part;
    a.clean_bytes = *part;
    b.cleanable_bytes = *part;
    b.clean_bytes = *part;
    RC_PRE(a.total_bytes() > 0 && b.total_bytes() > 0);
    RC_ASSERT(is_dirtier(a, b) ==
              (a.cleanable_bytes * b.total_bytes() > b.cleanable_bytes * a.total_bytes()));
}

TEST(CleanerCheckpointRows, M10_ATruncationLowersTheCheckpoint) {
    const TopicPartition foo{"foo", 0};
    CleanerCheckpoints checkpoints = {{foo, Offset(999)}};
    EXPECT_FALSE(truncate_checkpoint(checkpoints, foo, Offset(1000)));
    EXPECT_EQ(checkpoints.at(foo), Offset(999));
    EXPECT_TRUE(truncate_checkpoint(checkpoints, foo, Offset(1)));
    EXPECT_EQ(checkpoints.at(foo), Offset(1));
    EXPECT_FALSE(truncate_checkpoint(checkpoints, {"bar", 0}, Offset(1)));
}

TEST(CleanerCheckpoint, ReadsWhatWasWritten) {
    sim::Disk disk;
    ASSERT_TRUE(DiskPort(disk).make_directories("/data").ok());
    EXPECT_TRUE(read_cleaner_checkpoints(disk, "/data").value().empty()) << "no file yet";
    CleanerCheckpoints checkpoints = {{{"foo", 0}, Offset(7)}, {{"bar", 3}, Offset(0)}};
    EXPECT_EQ(write_cleaner_checkpoints(disk, "/data", checkpoints), std::nullopt);
    EXPECT_EQ(read_cleaner_checkpoints(disk, "/data").value(), checkpoints);
    drop_strangers(checkpoints, [](const TopicPartition& p) { return p.topic == "foo"; });
    EXPECT_EQ(checkpoints, (CleanerCheckpoints{{{"foo", 0}, Offset(7)}}));
}

TEST(CleanerCheckpoint, AFileThatCannotBeReadIsAFailedDirectory) {
    sim::Disk disk;
    DiskPort port(disk);
    ASSERT_TRUE(port.make_directories("/data").ok());
    const auto file = port.create("/data/cleaner-offset-checkpoint");
    ASSERT_TRUE(file.ok());
    const std::string_view text = "0\none\n";
    const Bytes content(text.begin(), text.end());
    ASSERT_TRUE(port.append(file.value(), content).ok());
    EXPECT_EQ(read_cleaner_checkpoints(disk, "/data").error(), AppendError::kStorage);
}

TEST(CleaningStatesRows, M11_WhoMayLetGo) {
    using enum CleaningAction;
    EXPECT_EQ(next_state({}, kDone), std::nullopt);
    EXPECT_EQ(next_state({CleaningPhase::kPaused, 1}, kDone), std::nullopt);
    EXPECT_EQ(next_state({CleaningPhase::kInProgress, 0}, kDone), CleaningState{});
    EXPECT_EQ(next_state({CleaningPhase::kAborted, 0}, kDone),
              (CleaningState{CleaningPhase::kPaused, 1}));
}

TEST(CleaningStates, FollowTheTable) {
    // Every state, every action; nothing where the table has "-".
    using enum CleaningAction;
    const CleaningState none;
    const CleaningState in_progress{CleaningPhase::kInProgress, 0};
    const CleaningState aborted{CleaningPhase::kAborted, 0};
    const CleaningState once{CleaningPhase::kPaused, 1};
    const CleaningState twice{CleaningPhase::kPaused, 2};
    const std::optional<CleaningState> never;

    struct Row {
        CleaningState from;
        std::optional<CleaningState> start;
        std::optional<CleaningState> abort;
        std::optional<CleaningState> resume;
        std::optional<CleaningState> done;
    };

    for (const Row& row : {Row{none, in_progress, once, never, never},
                           Row{in_progress, never, aborted, never, none},
                           Row{aborted, never, never, never, once},
                           Row{once, never, twice, none, never},
                           Row{twice, never, {{CleaningPhase::kPaused, 3}}, once, never}}) {
        EXPECT_EQ(next_state(row.from, kStart), row.start);
        EXPECT_EQ(next_state(row.from, kAbortAndPause), row.abort);
        EXPECT_EQ(next_state(row.from, kResume), row.resume);
        EXPECT_EQ(next_state(row.from, kDone), row.done);
    }
}

TEST(CleaningStates, TruncationDuringRetentionLeavesNoTrace) {
    // LogCleanerManagerTest.testConcurrentLogCleanupAndLogTruncation.
    CleaningStates states;
    const TopicPartition foo{"foo", 0};
    states.apply(foo, CleaningAction::kAbortAndPause);  // retention
    states.apply(foo, CleaningAction::kAbortAndPause);  // truncation
    EXPECT_FALSE(states.is_free(foo));
    states.apply(foo, CleaningAction::kResume);
    states.apply(foo, CleaningAction::kResume);
    EXPECT_EQ(states, CleaningStates{});
}

TEST(CleaningStates, ForgetWhatIsGone) {
    CleaningStates states;
    const TopicPartition foo{"foo", 0};
    states.mark_uncleanable(foo);
    EXPECT_TRUE(states.is_uncleanable(foo));
    states.forget(foo);
    EXPECT_TRUE(states.is_free(foo));
}

}  // namespace
}  // namespace klab::storage::cleaner
