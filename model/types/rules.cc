// SPDX-License-Identifier: Apache-2.0
//
// Version + overrides + mutants -> Rules. See rules.h.
#include "model/types/rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/types/features.h"

namespace klab::types {

namespace {

/// Partition records hold ELRs from this metadata.version on (4.0-IV1).
constexpr std::int16_t kLevelElr = 23;

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& row : table) {
        names.emplace_back(row.name);
    }
    return names;
}

void apply_override(Rules& rules,
                    const std::string& name,
                    const std::string& value,
                    std::vector<RulesError>& errors) {
    const std::optional<Feature> feature = find_feature(name);
    if (!feature) {
        errors.push_back(
            {RulesError::What::kUnknownFeature, name, value, names_of(all_features())});
        return;
    }
    std::vector<std::string> allowed = allowed_values(info(*feature));
    if (std::ranges::find(allowed, value) == allowed.end()) {
        errors.push_back({RulesError::What::kUnknownFeatureValue, name, value, std::move(allowed)});
        return;
    }
    if (info(*feature).modelled) {
        set_feature(rules, *feature, value);
    } else if (value != allowed.front()) {
        errors.push_back({RulesError::What::kFeatureNotModelled, name, value, {allowed.front()}});
    }
}

void apply_mutant(Rules& rules, const std::string& name, std::vector<RulesError>& errors) {
    const std::optional<Mutant> mutant = find_mutant(name);
    if (!mutant) {
        errors.push_back({RulesError::What::kUnknownMutant, name, {}, names_of(all_mutants())});
        return;
    }
    rules.mutants |= 1U << static_cast<std::uint32_t>(*mutant);
}

}  // namespace

std::string to_text(const RulesError& error) {
    const std::string allowed = fmt::format("{}", fmt::join(error.allowed, ", "));
    switch (error.what) {
        case RulesError::What::kUnknownVersion:
            return fmt::format(
                "there are no rules for Kafka {}; versions: {}", error.name, allowed);
        case RulesError::What::kUnknownFeature:
            return fmt::format("there is no feature {}; features: {}", error.name, allowed);
        case RulesError::What::kFeatureNotModelled:
            return fmt::format(
                "feature {} is known, but klab cannot run it with {} yet", error.name, error.given);
        case RulesError::What::kUnknownFeatureValue:
            return fmt::format(
                "{} is not a value of feature {}; values: {}", error.given, error.name, allowed);
        case RulesError::What::kFeatureNeedsVersion:
            return fmt::format("feature {} cannot be {} in this version; versions: {}",
                               error.name,
                               error.given,
                               allowed);
        case RulesError::What::kUnknownMutant:
            return fmt::format("there is no mutant {}; mutants: {}", error.name, allowed);
    }
    return {};
}

Rules rules_of(KafkaVersion version) {
    Rules rules;
    rules.version = version;
    for (const FeatureInfo& row : all_features()) {
        if (row.modelled) {
            set_feature(rules, row.feature, value_in(row.feature, version));
        }
    }
    return rules;
}

Result<Rules, std::vector<RulesError>> make_rules(
    std::string_view version,
    const std::map<std::string, std::string>& features,
    const std::vector<std::string>& mutants) {
    std::vector<RulesError> errors;
    const std::optional<KafkaVersion> row = find_version(version);
    if (!row) {
        errors.push_back({RulesError::What::kUnknownVersion,
                          std::string(version),
                          {},
                          names_of(all_versions())});
    }
    Rules rules = rules_of(row.value_or(kDefaultVersion));
    for (const auto& [name, value] : features) {
        apply_override(rules, name, value, errors);
    }
    if (rules.elr && row && info(*row).metadata_level < kLevelElr) {
        RulesError error{RulesError::What::kFeatureNeedsVersion, "elr", "true", {}};
        for (const VersionInfo& one : all_versions()) {
            if (one.metadata_level >= kLevelElr) {
                error.allowed.emplace_back(one.name);
            }
        }
        errors.push_back(std::move(error));
    }
    for (const std::string& name : mutants) {
        apply_mutant(rules, name, errors);
    }
    if (!errors.empty()) {
        return Error{std::move(errors)};
    }
    return rules;
}

}  // namespace klab::types
