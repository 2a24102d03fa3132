// SPDX-License-Identifier: Apache-2.0
//
// The engine from outside: a file goes in, a result comes out.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/run/seed_sweep.h"
#include "tests/scenario/played_scenario.h"

namespace klab::scenario {
namespace {

TEST(Engine, TheLessonLosesExactlyThreeAcknowledgedRecords) {
    // The first example of the format, as a whole: verdict, values, order of steps.
    const RunResult result = played(lesson_text());
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
    ASSERT_EQ(result.expect.size(), 4U);
    EXPECT_EQ(result.expect[1].value, Value(std::int64_t{3}));
    EXPECT_EQ(result.answers.at("how-many"), Value(std::int64_t{7}));
    EXPECT_LT(*step_of(result, "cut-off").fired_at, *step_of(result, "crash-leader").fired_at);
    EXPECT_GT(*step_of(result, "come-back").fired_at, seconds(9)) << "after the session timeout";
}

TEST(Engine, TheVariantWithAcksAllLosesNothing) {
    LoadOptions options;
    options.variant = "acks-all";
    const RunResult result = played(lesson_text(), options);
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
    EXPECT_EQ(result.expect[0].value, Value(std::int64_t{0}));
    EXPECT_EQ(*step_of(result, "crash-leader").fired_at - *step_of(result, "cut-off").fired_at,
              seconds(4))
        << "delays are exact";
}

TEST(Engine, TheQuestionWithChangesIsAnsweredByItsOwnRun) {
    LoadOptions options;
    options.question = "acks-all";
    const auto scenario = scenario_of(lesson_text(), options);
    const RunResult result = run_scenario(scenario, RunOptions{}, "test.json", "");
    EXPECT_EQ(result.verdict, Verdict::kPass) << "the file's expectations do not apply";
}

TEST(Engine, TheSameRunTwiceHasTheSameHashAndAnotherSeedAnother) {
    const RunResult one = played(lesson_text());
    EXPECT_EQ(played(lesson_text()).trace_hash, one.trace_hash);
    LoadOptions options;
    options.seed = 8;
    const RunResult other = played(lesson_text(), options);
    EXPECT_NE(other.trace_hash, one.trace_hash);
    EXPECT_EQ(other.verdict, Verdict::kPass);
}

TEST(Engine, KeepingARecordingChangesNothing) {
    RunOptions keep;
    keep.keep_recording = true;
    const auto scenario = scenario_of(lesson_text());
    RunResult with = run_scenario(scenario, keep, "x", "");
    RunResult without = run_scenario(scenario, RunOptions{}, "x", "");
    with.wall_time_ns = without.wall_time_ns = 0;
    EXPECT_EQ(with, without);
}

TEST(Engine, AForkGoesOnLikeTheOriginal) {
    const auto scenario = scenario_of(lesson_text());
    Play original(scenario, RunOptions{});
    for (int i = 0; i < 700 && original.step(); ++i) {
    }
    Play fork = original;
    original.finish();
    fork.finish();
    EXPECT_EQ(fork.result("x", "").trace_hash, original.result("x", "").trace_hash);
    EXPECT_EQ(fork.world(), original.world());
    EXPECT_EQ(fork.director(), original.director());
}

TEST(Engine, AnOverrideFixesOneDecision) {
    const std::string file = cluster_file(
        R"("timeline": [{"id": "e", "when": {"client": "p1", "acked": 12}, "do": {"end": true}}])");
    const RunResult plain = played(file);
    LoadOptions options;
    options.sets = {
        R"(/overrides=[{"site": "net.latency", "node": "p1->b1", "n": 9, "pick": 31}])"};
    EXPECT_NE(played(file, options).trace_hash, plain.trace_hash);
    options.sets = {
        R"(/overrides=[{"site": "net.latency", "node": "p1->b1", "n": 999999, "pick": 31}])"};
    EXPECT_EQ(played(file, options).trace_hash, plain.trace_hash) << "a decision never taken";
}

TEST(Engine, TheJsonFormHasTheFieldsOfTheCommandLinePage) {
    const auto json = nlohmann::json::parse(to_json(played(lesson_text())));
    EXPECT_EQ(json.at("klab_result"), 1);
    for (const char* field : {"scenario",
                              "title",
                              "variant",
                              "seed",
                              "verdict",
                              "virtual_time_ns",
                              "events",
                              "trace_hash",
                              "expect",
                              "violations",
                              "anomalies",
                              "stats",
                              "wall_time_ns"}) {
        EXPECT_TRUE(json.contains(field)) << field;
    }
    EXPECT_EQ(json.at("trace_hash").get<std::string>().size(), 32U);
    for (const char* field : {"that", "held", "value", "event", "why"}) {
        EXPECT_TRUE(json.at("expect").at(0).contains(field)) << field;
    }
    EXPECT_EQ(json.at("verdict"), "pass");
    EXPECT_EQ(json.at("expect").at(1).at("value"), 3);
}

TEST(Engine, AProducerAtFullAcksBreaksNothing) {
    const RunResult result = played(cluster_file(
        R"("timeline": [{"id": "e", "when": {"all": [{"client": "c1", "processed": 12},
                                                    {"client": "p1", "acked": 12}]},
                         "do": {"end": true}}],
           "expect": [{"that": "acked(p1) == 12"}, {"that": "lost_acked(p1) == 0"},
                      {"that": "sent(p1) == 12"}, {"that": "failed(p1) == 0"},
                      {"that": "duplicates(p1) == 0"}, {"that": "reordered(p1) == 0"},
                      {"that": "hw(t-0) == 12"}, {"that": "isr(t-0) == [b1, b2, b3]"},
                      {"that": "controller() == k1"}, {"that": "unavailable(t-0) == 0s"}])"));
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
    EXPECT_TRUE(result.anomalies.empty());
}

TEST(Sweep, JudgesEverySeedAndCountsDistinctRuns) {
    SweepOptions options;
    options.first_seed = 1;
    options.last_seed = 6;
    options.threads = 2;
    std::uint64_t calls = 0;
    options.progress = [&](std::uint64_t) {
        ++calls;
        return true;
    };
    const SweepSummary summary = sweep(*scenario_of(lesson_text()), options);
    EXPECT_EQ(summary.runs, 6U);
    EXPECT_EQ(summary.passed, 6U);
    EXPECT_EQ(summary.distinct_hashes, 6U);
    EXPECT_EQ(calls, 6U);
    EXPECT_FALSE(summary.stopped);
}

TEST(Sweep, KeepsWhatDidNotPassInOrderOfSeeds) {
    Scenario scenario =
        *scenario_of(replaced(lesson_text(), "lost_acked(p1) == 3", "lost_acked(p1) == 4"));
    SweepOptions options;
    options.first_seed = 3;
    options.last_seed = 5;
    options.threads = 3;
    const SweepSummary summary = sweep(scenario, options);
    ASSERT_EQ(summary.not_passed.size(), 3U);
    EXPECT_EQ(summary.not_passed[0].seed, 3U);
    EXPECT_EQ(summary.not_passed[2].seed, 5U);
    EXPECT_EQ(summary.not_passed[0].verdict, Verdict::kFail);
}

TEST(Sweep, StopsWhenToldTo) {
    SweepOptions options;
    options.last_seed = 1000;
    options.progress = [](std::uint64_t done) { return done < 2; };
    const SweepSummary summary = sweep(*scenario_of(lesson_text()), options);
    EXPECT_TRUE(summary.stopped);
    EXPECT_EQ(summary.runs, 2U);
}

}  // namespace
}  // namespace klab::scenario
