// SPDX-License-Identifier: Apache-2.0
//
// What Kafka promises under safe settings, over generated clusters, workloads and fault plans.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/properties/generated_scenario.h"

namespace klab::tests {
namespace {

rc::Gen<PlanStep> any_step(int brokers) {
    return rc::gen::build<PlanStep>(
        rc::gen::set(&PlanStep::fault,
                     rc::gen::map(rc::gen::inRange(0, kPlannedFaults),
                                  [](int n) { return static_cast<PlannedFault>(n); })),
        rc::gen::set(&PlanStep::broker, rc::gen::inRange(1, brokers + 1)),
        rc::gen::set(&PlanStep::delay_ms, rc::gen::inRange(0, 3000)),
        rc::gen::set(&PlanStep::duration_ms, rc::gen::inRange(100, 20'000)));
}

RC_GTEST_PROP(SafeSettings, NothingAcknowledgedIsLostAndOrderHolds, ()) {
    // acks=all, idempotence, min.insync.replicas 2 of 3, unclean off; at most one broker in trouble
    // at a time, the next fault only once every ISR is full.
    Plan plan;
    plan.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    plan.brokers = *rc::gen::inRange(3, 6);
    plan.partitions = *rc::gen::inRange(1, 3);
    plan.records = *rc::gen::inRange(1, 200);
    plan.every_ms = *rc::gen::inRange(5, 200);
    const int count = *rc::gen::inRange(0, 5);
    for (int i = 0; i < count; ++i) {
        plan.steps.push_back(*any_step(plan.brokers));
    }
    const std::string file = to_scenario(plan, safe_expectations(plan));
    RC_LOG() << file;  // before the run, which may end in an assertion
    const scenario::RunResult result = play(file);
    if (result.verdict != scenario::Verdict::kPass) {
        RC_LOG() << to_json(result);
    }
    RC_ASSERT(result.verdict == scenario::Verdict::kPass);
}

RC_GTEST_PROP(SafeSettings, SmallClustersWithoutFaultsLoseNothing, ()) {
    // 1 to 5 brokers, any replication factor that fits: the calm path of every shape.
    Plan plan;
    plan.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    plan.brokers = *rc::gen::inRange(1, 6);
    plan.replicas = *rc::gen::inRange(1, plan.brokers + 1);
    plan.min_isr = *rc::gen::inRange(1, plan.replicas + 1);
    plan.partitions = *rc::gen::inRange(1, 5);
    plan.records = *rc::gen::inRange(1, 300);
    const scenario::RunResult result = play(to_scenario(plan, safe_expectations(plan)));
    RC_ASSERT(result.verdict == scenario::Verdict::kPass);
}

TEST(SafeSettings, ChecksHaveSomethingToCheck) {
    // A property that never looks at anything would pass too.
    Plan plan = drawn_plan(11, 3);
    const scenario::RunResult result = play(to_scenario(plan, safe_expectations(plan)));
    for (const char* check : {"P1", "P4", "P8", "P9", "P10", "P11", "P18", "P20", "ACK", "DUP"}) {
        EXPECT_GT(result.stats.at(std::string("checked.") + check), 0) << check;
    }
}

TEST(SafeSettings, BeyondTheProfileTheRunSaysWhichGuaranteeIsVoid) {
    // All three replicas lose power together: acks=all is not enough, and the run says why. None of
    // them has a claim left, so the last leader is elected uncleanly (KIP-966).
    Plan plan;
    plan.safe_profile = false;
    for (int b = 1; b <= 3; ++b) {
        plan.steps.push_back({PlannedFault::kPowerOff, b, b == 1 ? 1500 : 0, 1});
    }
    const scenario::RunResult result =
        play(to_scenario(plan, {R"({ "that": "lost_acked(p1) >= 1" })"}));
    EXPECT_EQ(result.verdict, scenario::Verdict::kPass) << to_json(result);
    bool told = false;
    for (const scenario::ViolationResult& violation : result.violations) {
        EXPECT_TRUE(violation.allowed) << violation.invariant << ": " << violation.detail;
        told = told || (violation.invariant == "ACK" &&
                        violation.detail.find("unclean election of b1") != std::string::npos);
    }
    EXPECT_TRUE(told) << to_json(result);
}

}  // namespace
}  // namespace klab::tests
