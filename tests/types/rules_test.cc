// SPDX-License-Identifier: Apache-2.0
#include "model/types/rules.h"

#include <concepts>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/features.h"

namespace klab::types {
namespace {

static_assert(std::regular<Rules>);

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using What = RulesError::What;

TEST(Rules, DefaultIsTheNewestVersion) {
    // A test that writes `Rules{}` means the version a scenario gets that names none.
    EXPECT_EQ(Rules{}, rules_of(kDefaultVersion));
}

TEST(Rules, DifferBetweenVersions) {
    // The two rows that the purpose of the table stands on.
    const Rules old_rules = make_rules("3.6").value();
    const Rules new_rules = make_rules("4.1").value();
    EXPECT_FALSE(old_rules.hw_held_below_min_isr);
    EXPECT_TRUE(new_rules.hw_held_below_min_isr);
    EXPECT_FALSE(old_rules.unclean_obeyed_in_kraft);
    EXPECT_TRUE(new_rules.unclean_obeyed_in_kraft);
    EXPECT_EQ(old_rules.version, KafkaVersion::k3_6);
    EXPECT_EQ(new_rules.version, KafkaVersion::k4_1);
}

TEST(Rules, UnmodelledFeaturesAreOffInEveryVersion) {
    // A rule that no code obeys must not read as if it held.
    for (const VersionInfo& version : all_versions()) {
        const Rules rules = rules_of(version.version);
        for (const FeatureInfo& feature : all_features()) {
            if (feature.modelled) {
                EXPECT_EQ(value_in(feature.feature, rules),
                          value_in(feature.feature, version.version));
            } else {
                EXPECT_EQ(value_in(feature.feature, rules), allowed_values(feature).front());
            }
        }
    }
}

TEST(Rules, OverridesChangeOneFeature) {
    // "What does this one rule change?" needs everything else equal.
    const Rules rules = make_rules("4.1", {{"log.truncation", "high-watermark"}}).value();
    Rules expected = rules_of(KafkaVersion::k4_1);
    expected.log_truncation = LogTruncation::kHighWatermark;
    EXPECT_EQ(rules, expected);
    EXPECT_NE(rules, rules_of(KafkaVersion::k4_1));
}

TEST(Rules, MutantsAreBitsOfTheirOwn) {
    // Switching one on must not switch on another.
    for (const MutantInfo& row : all_mutants()) {
        const Rules rules = make_rules("4.1", {}, {std::string(row.name)}).value();
        for (const MutantInfo& other : all_mutants()) {
            EXPECT_EQ(rules.mutated(other.mutant), other.mutant == row.mutant) << row.name;
        }
    }
    const Rules two = make_rules("4.1", {}, {"truncation-skipped", "ack-before-append"}).value();
    EXPECT_TRUE(two.mutated(Mutant::kTruncationSkipped));
    EXPECT_TRUE(two.mutated(Mutant::kAckBeforeAppend));
    EXPECT_FALSE(two.mutated(Mutant::kHwGateSkipped));
}

TEST(Rules, ReportsEveryMistakeAtOnce) {
    // The user of a scenario file wants all errors of it, each with what would have been right.
    const auto made = make_rules(
        "3.5",
        {{"elr", "true"}, {"hw.held-below-min-isr", "yes"}, {"log.trunkation", "high-watermark"}},
        {"no-such-mutant"});
    ASSERT_FALSE(made.ok());
    const auto& errors = made.error();
    ASSERT_EQ(errors.size(), 4U);
    EXPECT_EQ(errors[0].what, What::kUnknownVersion);
    EXPECT_THAT(errors[0].allowed, ElementsAre("3.6", "3.7", "3.8", "3.9", "4.0", "4.1"));
    EXPECT_EQ(errors[1].what, What::kUnknownFeatureValue);
    EXPECT_THAT(errors[1].allowed, ElementsAre("false", "true"));
    EXPECT_EQ(errors[2].what, What::kUnknownFeature);
    EXPECT_THAT(errors[2].allowed, Contains("log.truncation"));
    EXPECT_EQ(errors[3].what, What::kUnknownMutant);
    EXPECT_THAT(errors[3].allowed, Contains("truncation-skipped"));
    for (const RulesError& error : errors) {
        EXPECT_THAT(to_text(error), HasSubstr(error.name));
    }
}

TEST(Rules, EligibleLeaderReplicasNeedMetadataThatHoldThem) {
    EXPECT_TRUE(make_rules("4.1", {}).value().elr);
    EXPECT_FALSE(make_rules("4.1", {{"elr", "false"}}).value().elr);
    EXPECT_FALSE(make_rules("4.0", {}).value().elr);
    EXPECT_TRUE(make_rules("4.0", {{"elr", "true"}}).value().elr);
    const auto made = make_rules("3.9", {{"elr", "true"}});
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().front().what, What::kFeatureNeedsVersion);
    EXPECT_THAT(made.error().front().allowed, ElementsAre("4.0", "4.1"));
}

}  // namespace
}  // namespace klab::types
