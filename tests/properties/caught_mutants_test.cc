// SPDX-License-Identifier: Apache-2.0
//
// The strength of the checks, measured: each protocol mutant (one wrong rule) must be caught, by a
// shipped scenario or by generated ones, and without the mutant the same runs are clean.
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/types/mutants.h"
#include "scenarios/run/kafka_vocabulary.h"
#include "scenarios/run/scenario_loader.h"
#include "scenarios/run/scenario_run.h"
#include "tests/properties/generated_scenario.h"

namespace klab::tests {
namespace {

bool caught_by_generated(std::string_view mutant, std::uint64_t plans, std::string& how) {
    for (std::uint64_t number = 1; number <= plans; ++number) {
        Plan plan = drawn_plan(number, 5);
        plan.mutant = std::string(mutant);
        plan.safe_profile = number % 2 == 0;
        if (number % 4 == 1) {  // records that arrive although the ISR is too small
            plan.acks = "1";
            plan.idempotence = false;
        }
        const scenario::RunResult result = play(to_scenario(plan, {}));
        for (const scenario::ViolationResult& violation : result.violations) {
            if (!violation.allowed) {
                how = fmt::format("plan {}: {} {}", number, violation.invariant, violation.detail);
                return true;
            }
        }
    }
    return false;
}

bool caught_by_shipped(std::string_view mutant, std::string& how) {
    const scenario::KafkaVocabulary words;
    const std::filesystem::path root = std::filesystem::path(KLAB_SOURCE_DIR) / "scenarios";
    for (const char* file : {"catalog/replication/f01-acks1-leader-crash.json",
                             "catalog/replication/f03-isr-shrunk-to-leader.json",
                             "catalog/replication/f49-rf2-min-isr2.json",
                             "catalog/storage/compacted-topic.json"}) {
        scenario::LoadOptions options;
        options.sets = {"/cluster/mutant=\"" + std::string(mutant) + "\""};
        const auto loaded = scenario::load_scenario((root / file).string(), options, words);
        if (!loaded.scenario) {
            ADD_FAILURE() << render(loaded.diagnostics);
            return false;
        }
        const scenario::RunResult result = scenario::run_scenario(
            std::make_shared<const scenario::Scenario>(*loaded.scenario), {}, file, "");
        for (const scenario::ViolationResult& violation : result.violations) {
            if (!violation.allowed) {
                how = violation.invariant;
                return true;
            }
        }
    }
    return false;
}

class MutantCaught : public testing::TestWithParam<types::Mutant> {};

TEST_P(MutantCaught, ByAnInvariant) {
    const types::MutantInfo& mutant = types::info(GetParam());
    std::string how;
    EXPECT_TRUE(caught_by_shipped(mutant.name, how) || caught_by_generated(mutant.name, 40, how))
        << mutant.name << ": " << mutant.wrong;
    RecordProperty("caught_by", how);
}

std::string test_name(const testing::TestParamInfo<types::Mutant>& info) {
    std::string name(types::info(info.param).name);
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Each,
                         MutantCaught,
                         testing::Values(types::Mutant::kAckBeforeAppend,
                                         types::Mutant::kCleanerDropsLatest,
                                         types::Mutant::kExpandBelowHw,
                                         types::Mutant::kFencedInIsr,
                                         types::Mutant::kHwPastLaggingIsrMember,
                                         types::Mutant::kHwGateSkipped,
                                         types::Mutant::kIsrExpandTooEarly,
                                         types::Mutant::kMaximalIsrIgnored,
                                         types::Mutant::kTruncationSkipped,
                                         types::Mutant::kSequenceUnchecked),
                         test_name);

TEST(Mutants, WithoutOneTheSameRunsAreClean) {
    // No false alarm: what catches mutants is silent about the right protocol.
    std::string how;
    EXPECT_FALSE(caught_by_generated("", 300, how)) << how;
}

}  // namespace
}  // namespace klab::tests
