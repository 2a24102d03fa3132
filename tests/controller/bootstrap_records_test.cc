// SPDX-License-Identifier: Apache-2.0
//
// Records of activation: rows TH18 and TH19 of reference table 8.9.
#include "model/controller/bootstrap_records.h"

#include <gtest/gtest.h>

namespace klab::controller {
namespace {

using metadata::AbortTransactionRecord;
using metadata::BeginTransactionRecord;
using metadata::EndTransactionRecord;
using metadata::FeatureLevelRecord;
using metadata::MetadataRecord;

TEST(BootstrapRecords, BeginAnEmptyLogInATransaction) {
    const auto records =
        activation_records({.bootstrap_level = 27, .metadata_level = std::nullopt});
    const std::vector<MetadataRecord> expected{BeginTransactionRecord{"Bootstrap records"},
                                               FeatureLevelRecord{"metadata.version", 27},
                                               EndTransactionRecord{}};
    EXPECT_EQ(records, expected);
}

TEST(BootstrapRecords, EligibleLeaderReplicasBringOneMinIsrForAll) {
    const auto records = activation_records(
        {.bootstrap_level = 27, .metadata_level = std::nullopt, .elr_min_isr = 2});
    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), 5U);
    EXPECT_EQ((*records)[2],
              MetadataRecord(FeatureLevelRecord{"eligible.leader.replicas.version", 1}));
    EXPECT_EQ((*records)[3],
              MetadataRecord(metadata::ConfigRecord{
                  {metadata::ConfigResourceKind::kBroker, ""}, "min.insync.replicas", "2"}));
}

TEST(BootstrapRecords, BeginAnOldLogWithoutOne) {
    const std::vector<MetadataRecord> expected{FeatureLevelRecord{"metadata.version", 12}};
    EXPECT_EQ(activation_records({.bootstrap_level = 12, .metadata_level = std::nullopt}),
              expected);
}

TEST(BootstrapRecords, TH18_BeginAgainAfterAnAbortedBootstrap) {
    const auto records = activation_records(
        {.bootstrap_level = 13, .metadata_level = std::nullopt, .transaction_open = true});
    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), 4U);
    EXPECT_TRUE(std::holds_alternative<AbortTransactionRecord>(records->front()));
    EXPECT_TRUE(std::holds_alternative<BeginTransactionRecord>((*records)[1]));
    EXPECT_TRUE(std::holds_alternative<EndTransactionRecord>(records->back()));
}

TEST(BootstrapRecords, TH19_AbortAnOpenTransactionOrGiveUp) {
    const auto records = activation_records({27, 13, true});
    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), 1U);
    EXPECT_TRUE(std::holds_alternative<AbortTransactionRecord>(records->front()));
    EXPECT_EQ(activation_records({27, 12, true}), std::nullopt);
}

TEST(BootstrapRecords, WriteNothingToALogInOrder) {
    const auto records = activation_records({27, 27, false});
    ASSERT_TRUE(records);
    EXPECT_TRUE(records->empty());
}

}  // namespace
}  // namespace klab::controller
