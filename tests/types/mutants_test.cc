// SPDX-License-Identifier: Apache-2.0
#include "model/types/mutants.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace klab::types {
namespace {

TEST(Mutants, TableIsIndexedByTheEnumAndSortedByName) {
    // info() indexes the table, and lists of allowed values are printed from it.
    const auto rows = all_mutants();
    ASSERT_EQ(rows.size(), kMutantCount);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(rows[i].mutant), i) << rows[i].name;
        EXPECT_EQ(&info(rows[i].mutant), &rows[i]);
        EXPECT_EQ(find_mutant(rows[i].name), rows[i].mutant);
    }
    EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::less_equal{}, &MutantInfo::name));
    EXPECT_EQ(find_mutant("no-such-mutant"), std::nullopt);
}

TEST(Mutants, EachSaysWhatIsWrongAndWhoCatchesIt) {
    // A mutant that nothing should catch measures nothing.
    for (const MutantInfo& row : all_mutants()) {
        EXPECT_TRUE(row.wrong.ends_with('.')) << row.name;
        EXPECT_FALSE(row.caught_by.empty()) << row.name;
        EXPECT_FALSE(row.source.empty()) << row.name;
    }
}

TEST(Mutants, CoverTheChecksThatTheSpecificationsCallNecessary) {
    // Names that scenario files and the mutant tests rely on.
    for (const char* name : {"ack-before-append",
                             "broker-epoch-unchecked",
                             "cleaner-drops-latest",
                             "epoch-not-fenced",
                             "expand-below-hw",
                             "fenced-in-isr",
                             "fetch-response-unchecked",
                             "follower-state-not-reset",
                             "hw-gate-skipped",
                             "hw-past-lagging-isr-member",
                             "isr-expand-too-early",
                             "maximal-isr-ignored",
                             "partition-epoch-unchecked",
                             "sequence-unchecked",
                             "truncation-skipped"}) {
        EXPECT_TRUE(find_mutant(name).has_value()) << name;
    }
}

}  // namespace
}  // namespace klab::types
