// SPDX-License-Identifier: Apache-2.0
//
// The log cleaner of a broker, from the scenario file to the log: threads, retention of compacted
// topics, and what stops a cleaning.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "model/kafka_world/cluster_view.h"
#include "model/storage/checkpoint_file.h"
#include "model/types/kafka_events.h"
#include "tests/scenario/played_scenario.h"

namespace klab::scenario {
namespace {

/// One broker, a compacted topic with segments of 5 s, a record of one of two keys each second.
constexpr const char* kFile = R"j({
    "klab": 1, "title": "a cleaner", "kafka": "4.1", "seed": 3, "limit": "5min",
    "cluster": {"brokers": 1, "network": {"latency": ["1ms", "3ms"]},
                "config": {"log.cleaner.backoff.ms": 1000BROKER}},
    "topics": [{"name": "t", "partitions": 1, "replicas": 1,
                "config": {"cleanup.policy": "POLICY", "segment.ms": 5000,
                           "min.cleanable.dirty.ratio": RATIOTOPIC}}],
    "clients": [
        {"producer": "p1", "topic": "t",
         "send": {"count": 60, "every": "1s", "keys": ["a", "b"], "to": "t-0"}},
        {"admin": "ops"}],
    "timeline": [STEPS
        {"id": "done", "when": {"client": "p1", "acked": 60}, "within": "2min",
         "do": {"end": true}}],
    "expect": [EXPECT]})j";

struct Parts {
    std::string broker = {};
    std::string topic = {};
    std::string policy = "compact";
    std::string ratio = "0";
    std::string steps = {};
    std::string expect = {};
};

void expect_pass(const Parts& parts) {
    std::string file = replaced(kFile, "BROKER", parts.broker);
    file = replaced(file, "TOPIC", parts.topic);
    file = replaced(file, "POLICY", parts.policy);
    file = replaced(file, "RATIO", parts.ratio);
    file = replaced(file, "STEPS", parts.steps);
    const RunResult result = played(replaced(file, "EXPECT", parts.expect));
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(EngineCleaner, TwoKeysStayTwoRecordsAndTheActiveSegment) {
    expect_pass({.expect = R"j({"that": "records(t-0) <= 8"}, {"that": "leo(t-0) == 60"},
                               {"that": "count(log.cleaned) >= 5"},
                               {"that": "lost_acked(p1) == 0"})j"});
}

TEST(EngineCleaner, DisabledItCleansNothing) {
    expect_pass({.broker = R"j(, "log.cleaner.enable": false)j",
                 .expect = R"j({"that": "records(t-0) == 60"},
                               {"that": "count(cleaner.started) == 0"})j"});
}

TEST(EngineCleaner, ARatioThatIsNotReachedMeansNoCleaning) {
    expect_pass({.topic = R"j(, "min.compaction.lag.ms": 300000)j",
                 .expect = R"j({"that": "records(t-0) == 60"},
                               {"that": "count(cleaner.started) == 0"})j"});
}

TEST(EngineCleaner, TheLagLimitForcesACleaning) {
    expect_pass({.topic = R"j(, "max.compaction.lag.ms": 20000)j",
                 .ratio = "1",
                 .expect = R"j({"that": "records(t-0) < 60"},
                               {"that": "count(log.cleaned) >= 1"})j"});
}

TEST(EngineCleaner, ThreadsShareTheLogs) {
    expect_pass({.broker = R"j(, "log.cleaner.threads": 2)j",
                 .expect = R"j({"that": "records(t-0) <= 8"}, {"that": "lost_acked(p1) == 0"})j"});
}

TEST(EngineCleaner, ASlowCleanerIsSlowAndRight) {
    expect_pass({.broker = R"j(, "log.cleaner.io.max.bytes.per.second": 100,
                               "log.cleaner.io.buffer.size": 200)j",
                 .expect = R"j({"that": "records(t-0) < 60"}, {"that": "lost_acked(p1) == 0"})j"});
}

TEST(EngineCleaner, ACompactedTopicWithRetentionLosesOldSegments) {
    // The cleaner applies retention to compacted logs; the retention task leaves them alone. With a
    // ratio that is never reached nothing is compacted: a cleaned segment is as young as its last
    // record and would not go.
    expect_pass({.topic = R"j(, "retention.ms": 20000)j",
                 .policy = "compact,delete",
                 .ratio = "1",
                 .expect = R"j({"that": "log_start(t-0) >= 25"},
                               {"that": "count(log.segment_deleted) >= 1"},
                               {"that": "lost_acked(p1) == 0"})j"});
}

TEST(EngineCleaner, AnotherPolicyEndsTheCompaction) {
    expect_pass({.steps = R"j({"id": "change", "when": {"client": "p1", "acked": 30},
                               "do": {"alter_config": {"topic": "t",
                                      "config": {"cleanup.policy": "delete"}}}},)j",
                 .expect = R"j({"that": "records(t-0) >= 30"}, {"that": "records(t-0) <= 40"})j"});
}

TEST(EngineCleaner, AfterARestartItGoesOnWhereItWas) {
    expect_pass({.steps = R"j({"id": "crash", "when": {"event": "cleaner.started", "nth": 3},
                               "do": {"crash": "b1"}},
                              {"id": "back", "when": {"after": "crash", "delay": "2s"},
                               "do": {"restart": "b1"}},)j",
                 .expect = R"j({"that": "records(t-0) <= 8"}, {"that": "lost_acked(p1) == 0"},
                               {"that": "count(log.cleaned) >= 5"})j"});
}

/// The only line of b1's cleaner-offset-checkpoint, or nothing.
std::optional<std::int64_t> checkpoint_of(const world::KafkaWorld& world) {
    const sim::Kernel& kernel = world.kernel();
    const sim::Disk& disk = kernel.slot(*kernel.find_node("b1")).disk;
    const auto file = disk.open("/data/cleaner-offset-checkpoint");
    if (!file) {
        return std::nullopt;
    }
    const auto content = disk.read(*file, 0, *disk.size(*file));
    const auto lines = storage::parse_offset_checkpoint(*content);
    return lines && lines->size() == 1U ? std::optional(lines->front().offset.value())
                                        : std::nullopt;
}

TEST(EngineCleaner, M3_TheFileIsRewrittenWhereNothingIsCleaned) {
    // It is compacted for 20 s. From then on nothing is dirty enough, and retention takes what the
    // checkpoint points to.
    std::string text = replaced(kFile, "BROKER", "");
    text = replaced(text, "TOPIC", "");
    text = replaced(text, "POLICY", "compact");
    text = replaced(text, "RATIO", "0");
    text = replaced(text, "EXPECT", "");
    text = replaced(text, "STEPS", R"j({"id": "change", "when": {"client": "p1", "acked": 20},
        "do": {"alter_config": {"topic": "t", "config": {"cleanup.policy": "compact,delete",
               "min.cleanable.dirty.ratio": 1, "retention.ms": 5000}}}},)j");
    RunOptions options;
    options.keep_recording = true;
    Play play(scenario_of(text), options);
    std::uint64_t seen = 0;
    std::int64_t started = 0;
    std::int64_t started_before = 0;
    std::optional<std::int64_t> before;
    std::size_t resets = 0;
    while (play.step()) {
        const sim::Recording& recording = play.director().recording();
        for (; seen < recording.size(); ++seen) {
            started += recording.at(seen).kind == types::events::kCleanerStarted ? 1 : 0;
        }
        const std::optional<std::int64_t> now = checkpoint_of(play.world());
        if (now == before) {
            continue;
        }
        if (before && started == started_before) {
            ++resets;
            const auto* replica = world::replica(play.world(), {"t", 0}, types::BrokerId(1));
            ASSERT_NE(replica, nullptr);
            EXPECT_EQ(now, replica->log.log_start_offset().value());
            EXPECT_GT(*now, *before);
        }
        before = now;
        started_before = started;
    }
    EXPECT_GE(resets, 3U) << "one for each segment that retention takes";
    EXPECT_GE(started, 2);
}

}  // namespace
}  // namespace klab::scenario
