// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/did_you_mean.h"

#include <gtest/gtest.h>

namespace klab::scenario {
namespace {

TEST(EditDistance, CountsInsertDeleteReplaceAndSwapAsOne) {
    EXPECT_EQ(edit_distance("acked", "acked"), 0U);
    EXPECT_EQ(edit_distance("acked", "aked"), 1U);
    EXPECT_EQ(edit_distance("acked", "akced"), 1U);
    EXPECT_EQ(edit_distance("acked", "asked"), 1U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, ComparesLongWordsByTheirBeginningOnly) {
    // A hostile file may hold a key of many megabytes; the cost must not grow with it.
    const std::string huge(10'000'000, 'a');
    EXPECT_EQ(edit_distance(huge, huge + "b"), 0U);
}

TEST(NearestWord, FindsTheMisspeltWord) {
    const std::vector<std::string> words = {"acked", "processed", "error"};
    EXPECT_EQ(nearest_word("akced", words), "acked");
    EXPECT_EQ(nearest_word("procesed", words), "processed");
    EXPECT_EQ(nearest_word("Error", words), "error");
}

TEST(NearestWord, SeesThroughSeparatorsAndCase) {
    EXPECT_EQ(nearest_word("min_insync_replicas", {"min.insync.replicas"}), "min.insync.replicas");
    EXPECT_EQ(nearest_word("powerOff", {"power_off"}), "power_off");
}

TEST(NearestWord, KeepsSilentWhenNothingIsNear) {
    EXPECT_EQ(nearest_word("banana", {"acked", "processed"}), std::nullopt);
    EXPECT_EQ(nearest_word("x", {"acked"}), std::nullopt);
    EXPECT_EQ(nearest_word("acked", {}), std::nullopt);
}

}  // namespace
}  // namespace klab::scenario
