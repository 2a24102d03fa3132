// SPDX-License-Identifier: Apache-2.0
//
// Triggers, actions and verdicts of the engine, one rule a test.
#include <gtest/gtest.h>

#include "sim/trace/kernel_events.h"
#include "tests/scenario/played_scenario.h"

namespace klab::scenario {
namespace {

RunResult play_steps(const std::string& steps, const std::string& rest = "") {
    return played(cluster_file("\"timeline\": [" + steps + "]" + rest));
}

const std::string kEnd = R"json({"id": "end", "when": {"at": "2s"}, "do": {"end": true}})json";

TEST(Timeline, AtFiresAtThatInstant) {
    const RunResult result = play_steps(kEnd);
    EXPECT_EQ(*step_of(result, "end").fired_at, seconds(2));
    EXPECT_EQ(result.virtual_time, seconds(2)) << "end means now";
}

TEST(Timeline, AfterCountsItsDelayFromTheFiring) {
    const RunResult result = play_steps(
        R"json({"id": "a", "when": {"client": "p1", "acked": 3}, "do": {"say": "x"}},
           {"id": "b", "when": {"after": "a"}, "do": {"say": "y"}},
           {"id": "c", "when": {"after": "b", "delay": "70ms"}, "do": {"end": true}})json");
    EXPECT_EQ(*step_of(result, "b").fired_at, *step_of(result, "a").fired_at);
    EXPECT_EQ(*step_of(result, "c").fired_at - *step_of(result, "a").fired_at, milliseconds(70));
}

TEST(Timeline, AStepActsInTheInstantOfItsTrigger) {
    // The instant rule: the leader dies after the append and before its answer can leave, so the
    // record is in the log and nothing was acknowledged.
    const RunResult result = play_steps(
        R"json({"id": "crash", "when": {"leader_of": "t-0", "has_appended": 1},
            "do": {"crash": "leader(t-0)"}},
           {"id": "end", "when": {"after": "crash", "delay": "1ms"}, "do": {"end": true}})json",
        R"json(, "expect": [{"that": "acked(p1) == 0"}, {"that": "leo(t-0@b1) >= 1"},
                        {"that": "leo(t-0@b2) == 0"}])json");
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(Timeline, EveryFormOfTriggerFires) {
    const RunResult result = play_steps(
        R"json({"id": "appended", "when": {"leader_of": "t-0", "has_appended": 2}, "do": {"say": "x"}},
           {"id": "fetched", "when": {"replica": "t-0@b3", "has_fetched": 2}, "do": {"say": "x"}},
           {"id": "hw", "when": {"partition": "t-0", "hw": 2}, "do": {"say": "x"}},
           {"id": "isr", "when": {"partition": "t-0", "isr": ["b3", "b1", "b2"]},
            "do": {"say": "x"}},
           {"id": "size", "when": {"partition": "t-0", "isr_size": 3}, "do": {"say": "x"}},
           {"id": "leader", "when": {"partition": "u-0", "leader": "b2"}, "do": {"say": "x"}},
           {"id": "epoch", "when": {"partition": "u-0", "leader_epoch": 0}, "do": {"say": "x"}},
           {"id": "acked", "when": {"client": "p1", "acked": 2}, "do": {"say": "x"}},
           {"id": "processed", "when": {"client": "c1", "processed": 2}, "do": {"say": "x"}},
           {"id": "event", "when": {"event": "record.acked", "where": {"node": "p1"}, "nth": 2},
            "do": {"say": "x"}},
           {"id": "message", "when": {"event": "message.sent", "from": "p1", "to": "leader(t-0)"},
            "do": {"say": "x"}},
           {"id": "any", "when": {"any": [{"at": "29s"}, {"client": "p1", "acked": 2}]},
            "do": {"say": "x"}},
           {"id": "all", "when": {"all": [{"client": "c1", "processed": 2},
                                          {"client": "p1", "acked": 2}]}, "do": {"say": "x"}},)json" +
        kEnd);
    for (const StepResult& step : result.steps) {
        EXPECT_TRUE(step.fired_at) << step.name;
    }
    EXPECT_LT(*step_of(result, "appended").fired_at, *step_of(result, "fetched").fired_at);
    EXPECT_LT(*step_of(result, "fetched").fired_at, *step_of(result, "hw").fired_at);
    EXPECT_LE(*step_of(result, "hw").fired_at, *step_of(result, "acked").fired_at);
    EXPECT_EQ(*step_of(result, "event").fired_at, *step_of(result, "acked").fired_at);
    EXPECT_EQ(*step_of(result, "size").fired_at, Duration{}) << "true from the start";
}

TEST(Timeline, AnErrorOfAClientFires) {
    LoadOptions options;
    options.sets = {"/clients/0/send/every=2s"};  // the ISR has shrunk before the next record
    const RunResult result = played(cluster_file(R"json("timeline": [
           {"id": "down", "when": {"client": "p1", "acked": 1},
            "do": [{"stop": "b2"}, {"stop": "b3"}]},
           {"id": "refused", "when": {"client": "p1", "error": "NOT_ENOUGH_REPLICAS"},
            "within": "20s", "do": {"end": true}}])json"),
                                    options);
    EXPECT_TRUE(step_of(result, "refused").fired_at) << to_json(result);
}

TEST(Timeline, AStepFiresOnceUnlessItRepeats) {
    const RunResult result = play_steps(
        R"json({"id": "once", "when": {"event": "record.acked"}, "do": {"say": "x"}},
           {"id": "thrice", "when": {"event": "record.acked", "nth": 2}, "repeat": 3,
            "do": {"say": "x"}},)json" +
        kEnd);
    EXPECT_EQ(step_of(result, "once").times, 1);
    EXPECT_EQ(step_of(result, "thrice").times, 3) << "every second of twelve, three times";
}

TEST(Timeline, AStepThatNeverFiresWithinItsTimeIsUndecided) {
    const RunResult result = play_steps(
        R"json({"id": "isolate", "when": {"client": "p1", "acked": 9},
            "do": {"partition": [["b1"], ["b2", "b3"]]}},
           {"id": "crash-leader", "when": {"client": "p1", "acked": 12}, "within": "5s",
            "do": {"end": true}})json");
    EXPECT_EQ(result.verdict, Verdict::kUndecided);
    EXPECT_EQ(exit_code(result.verdict), 3);
    EXPECT_NE(result.why.find("step crash-leader never fired within 5s; the nearest: acked "
                              "reached 9 at 0."),
              std::string::npos)
        << result.why;
    EXPECT_EQ(result.virtual_time, *step_of(result, "isolate").fired_at + seconds(5))
        << "within counts from the previous step";
}

TEST(Timeline, TheLimitIsUndecidedIfTheFileHasAnEnd) {
    const RunResult result = played(cluster_file(
        R"json("timeline": [{"id": "e", "when": {"partition": "t-0", "leader_epoch": 7},
                         "do": {"end": true}}])json"));
    EXPECT_EQ(result.verdict, Verdict::kUndecided);
    EXPECT_EQ(result.virtual_time, seconds(30));
    EXPECT_NE(result.why.find("time limit of 30s"), std::string::npos) << result.why;
    EXPECT_NE(result.why.find("leader_epoch reached 0"), std::string::npos) << result.why;
}

TEST(Timeline, TheLimitIsTheEndOfAFileWithoutOne) {
    const RunResult result =
        played(cluster_file(R"json("timeline": [], "expect": [{"that": "acked(p1) == 12"}])json"));
    EXPECT_EQ(result.verdict, Verdict::kPass) << result.why;
}

TEST(Timeline, ARoleThatNobodyHoldsEndsTheRunUndecided) {
    const RunResult result = play_steps(
        R"json({"id": "down", "when": {"at": "1s"}, "do": {"crash": "k1"}},
           {"id": "crash", "when": {"after": "down", "delay": "1s"},
            "do": {"crash": "controller()"}})json");
    EXPECT_EQ(result.verdict, Verdict::kUndecided);
    EXPECT_EQ(result.why, "step crash failed at 2.00 s: there is no active controller");
}

TEST(Timeline, NodesComeBackAndFaultsEnd) {
    const RunResult result = play_steps(
        R"json({"id": "hurt", "when": {"client": "p1", "acked": 2},
            "do": [{"crash": "follower(t-0,1)"}, {"pause": {"node": "follower(t-0,2)", "for": "2s"}},
                   {"slow_link": {"from": "p1", "to": "b1", "by": "5ms", "for": "1s"}},
                   {"skew_clock": {"node": "b1", "by": "-5s"}},
                   {"slow_cpu": {"node": "b1", "for": "1s", "factor": 10}}]},
           {"id": "mend", "when": {"after": "hurt", "delay": "1s"}, "do": {"restart": "b2"}},
           {"id": "end", "when": {"all": [{"partition": "t-0", "isr_size": 3, "hw": 12},
                                          {"client": "p1", "acked": 12}]}, "within": "20s",
            "do": {"end": true}})json",
        R"json(, "expect": [{"that": "lost_acked(p1) == 0"}, {"that": "logs_equal(t-0)"}])json");
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(Timeline, MessageFaultsHitTheNamedMessages) {
    const RunResult result = play_steps(
        R"json({"id": "hold", "when": {"client": "p1", "acked": 2},
            "do": {"hold": {"from": "b2", "to": "b1", "api": "Fetch"}}},
           {"id": "release", "when": {"after": "hold", "delay": "500ms"}, "do": {"release": "all"}},
           {"id": "end", "when": {"client": "p1", "acked": 12}, "within": "20s",
            "do": {"end": true}})json",
        R"json(, "expect": [{"that": "count(fault.hit, fault=hold) == 1"},
                        {"that": "acked(p1, between(hold, release)) <= 3"}])json");
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(Timeline, ACutMayEndByItself) {
    const RunResult result = play_steps(
        R"json({"id": "cut", "when": {"client": "p1", "acked": 2},
            "do": {"cut": {"from": "p1", "to": "b1", "for": "500ms"}}},
           {"id": "end", "when": {"client": "p1", "acked": 12}, "within": "10s",
            "do": {"end": true}})json",
        R"json(, "expect": [{"that": "count(link.healed) == 1"}])json");
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
    EXPECT_GE(*step_of(result, "end").fired_at - *step_of(result, "cut").fired_at,
              milliseconds(500));
}

TEST(Timeline, AnOverrideThatIsNeverUsedIsTold) {
    const std::string file = cluster_file("\"timeline\": [" + kEnd + "]");
    LoadOptions options;
    options.sets = {
        R"(/overrides=[{"site": "net.latency", "node": "p1->b1", "n": 0, "pick": 31},
                       {"site": "net.latency", "node": "p1->b1", "n": 999999, "pick": 31}])"};
    const RunResult result = played(file, options);
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_NE(result.notes[0].find("1 of 2 overrides"), std::string::npos) << result.notes[0];
    EXPECT_TRUE(played(file).notes.empty());
}

TEST(Timeline, AFailedStepIsToldUnderAFailedExpectation) {
    const RunResult result = play_steps(
        R"json({"id": "down", "when": {"at": "1s"}, "do": {"crash": "k1"}},
           {"id": "crash", "when": {"after": "down", "delay": "1s"},
            "do": {"crash": "controller()"}})json",
        R"json(, "expect": [{"that": "acked(p1) <= 3", "at": "always"}])json");
    EXPECT_EQ(result.verdict, Verdict::kFail);
    EXPECT_EQ(result.why, "step crash failed at 2.00 s: there is no active controller");
}

TEST(Timeline, AdminActionsReachTheController) {
    const RunResult result = play_steps(
        R"json({"id": "make", "when": {"at": "1s"},
            "do": [{"create_topic": {"name": "v", "partitions": 2, "replicas": 2}},
                   {"alter_config": {"topic": "t", "config": {"min.insync.replicas": 3}}}]},
           {"id": "made", "when": {"event": "topic.created", "where": {"topic": "v"}},
            "within": "2s", "do": {"delete_topic": "v"}},
           {"id": "gone", "when": {"event": "topic.deleted", "where": {"topic": "v"}},
            "within": "5s", "do": {"end": true}})json",
        R"json(, "expect": [{"that": "count(config.changed, value=3) == 1"}])json");
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(Timeline, DeleteRecordsGoesToTheLeaderAndWaitsForTheFollowers) {
    const std::string parts = R"j("timeline": [
        {"id": "delete", "when": {"client": "p1", "acked": 12},
         "do": {"delete_records": {"partition": "t-0", "before": BEFORE}}},
        {"id": "done", "when": {"event": "admin.answered", "where": {"api": "DeleteRecords"}},
         "do": {"end": true}}],
        "expect": [EXPECT])j";
    const auto with = [&](const std::string& before, const std::string& expect) {
        return played(cluster_file(replaced(replaced(parts, "BEFORE", before), "EXPECT", expect)));
    };
    const auto passes = [](const RunResult& result) {
        EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
    };
    passes(with("5", R"j({"that": "log_start(t-0) == 5"}, {"that": "log_start(t-0@b2) == 5"},
        {"that": "log_start(t-0@b3) == 5"}, {"that": "records(t-0) == 7"},
        {"that": "lost_acked(p1) == 0"},
        {"that": "count(admin.answered, api=DeleteRecords, name=t-0, error=NONE) == 1"})j"));
    passes(with("-1", R"j({"that": "log_start(t-0) == 12"}, {"that": "records(t-0) == 0"})j"));
    passes(with("13", R"j({"that": "log_start(t-0) == 0"},
        {"that": "count(admin.answered, api=DeleteRecords, error=OFFSET_OUT_OF_RANGE) == 1"})j"));
}

TEST(Expectations, AlwaysAndNeverAreBrokenAtTheFirstInstant) {
    const RunResult result =
        play_steps(kEnd,
                   R"json(, "expect": [{"that": "acked(p1) <= 3", "at": "always"},
                        {"that": "acked(p1) >= 4", "at": "never"},
                        {"that": "acked(p1) <= 12", "at": "always"},
                        {"that": "acked(p1) >= 13", "at": "never"}])json");
    EXPECT_EQ(result.verdict, Verdict::kFail);
    EXPECT_EQ(result.expect[0].held, false);
    EXPECT_EQ(result.expect[0].value, Value(std::int64_t{4}));
    EXPECT_EQ(result.expect[1].held, false);
    EXPECT_EQ(result.expect[0].event, result.expect[1].event);
    EXPECT_EQ(result.expect[2].held, true);
    EXPECT_EQ(result.expect[3].held, true);
}

TEST(Expectations, ByATimeMeansTrueBeforeItIsOver) {
    const RunResult result =
        play_steps(kEnd,
                   R"json(, "expect": [{"that": "acked(p1) == 12", "by": "1500ms"},
                        {"that": "acked(p1) == 12", "by": "100ms"}])json");
    EXPECT_EQ(result.expect[0].held, true);
    EXPECT_EQ(result.expect[1].held, false);
    EXPECT_EQ(result.verdict, Verdict::kFail);
}

TEST(Expectations, AtATriggerIsJudgedAtItsInstant) {
    const RunResult result = play_steps(
        kEnd,
        R"json(, "expect": [{"that": "acked(p1) == 8", "at": {"client": "p1", "acked": 8}}])json");
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(Expectations, AMomentThatNeverCameIsUndecided) {
    const RunResult result = play_steps(
        kEnd,
        R"json(, "expect": [{"that": "acked(p1) == 5", "at": {"partition": "t-0", "leader_epoch": 9}}])json");
    EXPECT_EQ(result.verdict, Verdict::kUndecided);
    EXPECT_EQ(result.expect[0].held, std::nullopt);
    EXPECT_NE(result.why.find("never came"), std::string::npos);
}

TEST(Expectations, AFailedExpectationIsExitOneEvenIfTheRunIsUndecided) {
    const RunResult result = played(cluster_file(
        R"json("timeline": [{"id": "e", "when": {"partition": "t-0", "leader_epoch": 7},
                         "do": {"end": true}}],
           "expect": [{"that": "acked(p1) >= 4", "at": "never"}])json"));
    EXPECT_EQ(result.verdict, Verdict::kFail);
}

TEST(Expectations, AViolationThatIsExpectedButDoesNotHappenFails) {
    const RunResult result = play_steps(kEnd, R"json(, "expect": [{"violates": "ACK"}])json");
    EXPECT_EQ(result.verdict, Verdict::kFail);
    EXPECT_EQ(result.expect[0].that, "violates ACK");
    EXPECT_EQ(result.expect[0].held, false);
}

TEST(Expectations, AnUnexpectedViolationFailsTheRun) {
    // The mutant does not wait for the slowest member of the ISR, and b3 is slow.
    const std::string file = cluster_file(
        R"json("timeline": [{"id": "slow", "when": {"at": "0s"},
                             "do": {"slow_link": {"from": "b1", "to": "b3", "by": "50ms"}}},
                            {"id": "end", "when": {"at": "2s"}, "do": {"end": true}}])json");
    EXPECT_EQ(played(file).verdict, Verdict::kPass);
    LoadOptions options;
    options.sets = {"/cluster/mutant=hw-past-lagging-isr-member"};
    const RunResult result = played(file, options);
    EXPECT_EQ(result.verdict, Verdict::kFail) << to_json(result);
    EXPECT_FALSE(result.violations.empty());
}

}  // namespace
}  // namespace klab::scenario
