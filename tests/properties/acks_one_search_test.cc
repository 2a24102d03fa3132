// SPDX-License-Identifier: Apache-2.0
//
// Under acks=1 the search finds a loss, shrinks it, and writes it as a scenario file that plays
// again.
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/properties/generated_scenario.h"

namespace klab::tests {
namespace {

const std::vector<std::string> kExpectLoss{R"({ "that": "lost_acked(p1) >= 1" })"};

bool loses(const Plan& plan) {
    return play(to_scenario(plan, kExpectLoss)).verdict == scenario::Verdict::kPass;
}

std::optional<Plan> find_loss(int attempts) {
    for (int number = 1; number <= attempts; ++number) {
        Plan plan = drawn_plan(static_cast<std::uint64_t>(number), 4);
        plan.acks = "1";
        plan.idempotence = false;
        if (loses(plan)) {
            return plan;
        }
    }
    return std::nullopt;
}

TEST(AcksOneSearch, FindsShrinksAndWritesALoss) {
    // acks=1 is no promise of durability: one broker in trouble at a time is enough.
    const std::optional<Plan> found = find_loss(60);
    ASSERT_TRUE(found.has_value()) << "no loss in 60 plans";
    const Plan small = shrink_plan(*found, loses);
    EXPECT_LE(small.steps.size(), 2U);
    for (std::size_t i = 0; i < small.steps.size(); ++i) {
        Plan without = small;
        without.steps.erase(without.steps.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(loses(without)) << "step " << i << " is not needed";
    }
    const std::filesystem::path path =
        std::filesystem::path(KLAB_BINARY_DIR) / "counterexample-acks1.json";
    std::ofstream(path) << to_scenario(small, kExpectLoss);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(play(text.str()).verdict, scenario::Verdict::kPass);
    Plan safe = small;
    safe.acks = "all";
    safe.idempotence = true;
    EXPECT_EQ(play(to_scenario(safe, safe_expectations(safe))).verdict, scenario::Verdict::kPass);
}

}  // namespace
}  // namespace klab::tests
