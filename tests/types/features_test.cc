// SPDX-License-Identifier: Apache-2.0
#include "model/types/features.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace klab::types {
namespace {

TEST(Features, TableIsIndexedByTheEnumAndSortedByName) {
    // info() indexes the table, and lists of allowed values are printed from it.
    const auto rows = all_features();
    ASSERT_EQ(rows.size(), kFeatureCount);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(rows[i].feature), i) << rows[i].name;
        EXPECT_EQ(find_feature(rows[i].name), rows[i].feature);
        EXPECT_FALSE(rows[i].source.empty());
        EXPECT_TRUE(rows[i].meaning.ends_with('.')) << rows[i].name;
    }
    EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::less_equal{}, &FeatureInfo::name));
    EXPECT_EQ(find_feature("log-truncation"), std::nullopt);
}

TEST(Features, EveryVersionHasAnAllowedValue) {
    // A misspelt value in the table would only show when a scenario asks for that version.
    for (const FeatureInfo& row : all_features()) {
        const std::vector<std::string> allowed = allowed_values(row);
        EXPECT_GE(allowed.size(), 2U) << row.name;
        for (const std::string_view value : row.by_version) {
            EXPECT_NE(std::ranges::find(allowed, value), allowed.end()) << row.name << value;
        }
    }
}

TEST(Features, EachModelledOneCanBeSetToEachValueAndReadBack) {
    // Each value must reach a field of its own in Rules and leave the others alone.
    for (const FeatureInfo& row : all_features()) {
        if (!row.modelled) {
            continue;
        }
        for (const std::string& value : allowed_values(row)) {
            Rules rules;
            set_feature(rules, row.feature, value);
            EXPECT_EQ(value_in(row.feature, rules), value) << row.name;
            for (const FeatureInfo& other : all_features()) {
                if (other.feature != row.feature) {
                    EXPECT_EQ(value_in(other.feature, rules), value_in(other.feature, Rules{}))
                        << row.name << " changed " << other.name;
                }
            }
        }
    }
}

TEST(Features, WhatDiffersBetweenVersions) {
    // The differences the reference names for this model, oldest and newest version.
    std::vector<std::string> names;
    for (const FeatureDifference& difference :
         differences(KafkaVersion::k3_6, KafkaVersion::k4_1)) {
        EXPECT_EQ(difference.from, "false");
        EXPECT_EQ(difference.to, "true");
        names.emplace_back(info(difference.feature).name);
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"consumer.skips-buffered-nodes",
                                        "elr",
                                        "fetch.drops-newer-epoch",
                                        "hw.held-below-min-isr",
                                        "index.each-batch",
                                        "leader-hints",
                                        "log-dirs.reported",
                                        "unclean.obeyed-in-kraft"}));
    EXPECT_TRUE(differences(KafkaVersion::k3_7, KafkaVersion::k3_8).empty());
    EXPECT_TRUE(differences(KafkaVersion::k4_1, KafkaVersion::k4_1).empty());
}

TEST(Features, ValuesTurnAtTheReleaseThatChangedThem) {
    // One row per change: the last version before and the first after.
    struct Turn {
        Feature feature;
        KafkaVersion last_without;
        KafkaVersion first_with;
    };

    for (const Turn& turn :
         {Turn{Feature::kHwHeldBelowMinIsr, KafkaVersion::k3_6, KafkaVersion::k3_7},
          Turn{Feature::kLeaderHints, KafkaVersion::k3_6, KafkaVersion::k3_7},
          Turn{Feature::kLogDirsReported, KafkaVersion::k3_6, KafkaVersion::k3_7},
          Turn{Feature::kUncleanObeyedInKraft, KafkaVersion::k3_8, KafkaVersion::k3_9},
          Turn{Feature::kFetchDropsNewerEpoch, KafkaVersion::k3_9, KafkaVersion::k4_0},
          Turn{Feature::kConsumerSkipsBufferedNodes, KafkaVersion::k3_9, KafkaVersion::k4_0},
          Turn{Feature::kElr, KafkaVersion::k4_0, KafkaVersion::k4_1}}) {
        EXPECT_EQ(value_in(turn.feature, turn.last_without), "false") << info(turn.feature).name;
        EXPECT_EQ(value_in(turn.feature, turn.first_with), "true") << info(turn.feature).name;
    }
}

}  // namespace
}  // namespace klab::types
