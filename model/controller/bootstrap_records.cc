// SPDX-License-Identifier: Apache-2.0
//
// See bootstrap_records.h.
#include "model/controller/bootstrap_records.h"

#include <fmt/format.h>

namespace klab::controller {

std::optional<std::vector<metadata::MetadataRecord>> activation_records(
    const ActivationInput& input) {
    std::vector<metadata::MetadataRecord> records;
    const std::int16_t level = input.metadata_level.value_or(input.bootstrap_level);
    const bool has_transactions = level >= kLevelTransactions;
    if (input.transaction_open) {
        if (!has_transactions) {
            return std::nullopt;
        }
        records.emplace_back(metadata::AbortTransactionRecord{"Controller failover"});
    }
    if (input.metadata_level) {
        return records;
    }
    if (has_transactions) {
        records.emplace_back(metadata::BeginTransactionRecord{"Bootstrap records"});
    }
    records.emplace_back(metadata::FeatureLevelRecord{
        std::string(metadata::kMetadataVersionFeature), input.bootstrap_level});
    if (input.elr_min_isr) {
        records.emplace_back(metadata::FeatureLevelRecord{std::string(metadata::kElrFeature), 1});
        records.emplace_back(metadata::ConfigRecord{{metadata::ConfigResourceKind::kBroker, ""},
                                                    "min.insync.replicas",
                                                    fmt::format("{}", *input.elr_min_isr)});
    }
    if (has_transactions) {
        records.emplace_back(metadata::EndTransactionRecord{});
    }
    return records;
}

}  // namespace klab::controller
