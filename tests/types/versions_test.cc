// SPDX-License-Identifier: Apache-2.0
#include "model/types/versions.h"

#include <gtest/gtest.h>

namespace klab::types {
namespace {

TEST(Versions, TableIsInOrderOfRelease) {
    // Versions compare by their place in the table.
    const auto rows = all_versions();
    ASSERT_EQ(rows.size(), kVersionCount);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(rows[i].version), i);
        EXPECT_EQ(&info(rows[i].version), &rows[i]);
        EXPECT_EQ(find_version(rows[i].name), rows[i].version);
        EXPECT_EQ(to_text(rows[i].release), rows[i].name);
        if (i > 0) {
            EXPECT_LT(rows[i - 1].release, rows[i].release);
            EXPECT_LT(rows[i - 1].metadata_level, rows[i].metadata_level);
        }
    }
    EXPECT_EQ(rows.back().version, kDefaultVersion);
}

TEST(Versions, MetadataVersionOfANewCluster) {
    // The feature level that the first records of a metadata log carry.
    EXPECT_EQ(info(KafkaVersion::k3_6).metadata_level, 14);
    EXPECT_EQ(info(KafkaVersion::k3_7).metadata_level, 19);
    EXPECT_EQ(info(KafkaVersion::k3_8).metadata_level, 20);
    EXPECT_EQ(info(KafkaVersion::k3_9).metadata_level, 21);
    EXPECT_EQ(info(KafkaVersion::k4_0).metadata_level, 25);
    EXPECT_EQ(info(KafkaVersion::k4_1).metadata_level, 27);
}

TEST(Versions, OnlyNamesOfRowsAreVersions) {
    // A patch release or a half name must be an error, not a guess.
    for (const char* name : {"", "3", "3.", "3.5", "3.9.1", "03.9", "4.1 ", "latest"}) {
        EXPECT_EQ(find_version(name), std::nullopt) << name;
    }
}

}  // namespace
}  // namespace klab::types
