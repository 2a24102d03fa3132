// SPDX-License-Identifier: Apache-2.0
//
// Features: the single rules in which Kafka versions differ, each with its KIP or JIRA, its allowed
// values and its value in every version. A scenario can override one ("features":
// {"log.truncation": "high-watermark"}) to ask what one rule alone changes.
//
// Called by: rules.h (make_rules), scenario files, `klab explain 3.6..4.1`, docs.
// Kafka: the names are klab's own, because Kafka has names only for the features an operator can
// set.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/rules.h"
#include "model/types/versions.h"

namespace klab::types {

/// The order is that of the table, sorted by name.
enum class Feature : std::uint8_t {
    kCleanerSparesMarkers,
    kCleanerSurvivesBadLogs,
    kConsumerSkipsBufferedNodes,
    kElr,
    kFetchDropsNewerEpoch,
    kHwHeldBelowMinIsr,
    kIndexEachBatch,
    kIsrJoinChecksBrokerEpoch,
    kIsrJoinNeedsEpochStart,
    kLeaderEpochBumpOnShrink,
    kLeaderHints,
    kLogDirsReported,
    kLogTruncation,
    kProducerBumpsEpoch,
    kProducerOutlivesRecords,
    kProducerSplitShrinks,
    kShutdownMarkerNeedsLoad,
    kUncleanObeyedInKraft,
};

inline constexpr std::size_t kFeatureCount = 18;

struct FeatureInfo {
    Feature feature;
    std::string_view name;     ///< "hw.held-below-min-isr"
    std::string_view values;   ///< allowed values, separated by '|'
    bool modelled;             ///< false: known, but a run always has the first value
    std::string_view source;   ///< KIP or JIRA
    std::string_view meaning;  ///< what holds when it is on, and what goes wrong when it is off
    std::array<std::string_view, kVersionCount>
        by_version;  ///< Kafka's value, oldest version first
};

/// Every feature, sorted by name.
[[nodiscard]] std::span<const FeatureInfo> all_features();

[[nodiscard]] const FeatureInfo& info(Feature feature);

[[nodiscard]] std::optional<Feature> find_feature(std::string_view name);

/// The allowed values of a feature in table order.
[[nodiscard]] std::vector<std::string> allowed_values(const FeatureInfo& feature);

/// Kafka's value of a feature in a version (also when klab does not model the feature).
[[nodiscard]] std::string_view value_in(Feature feature, KafkaVersion version);

/// The value of a feature in resolved rules, as text.
[[nodiscard]] std::string_view value_in(Feature feature, const Rules& rules);

/// Sets one feature. Requires: `value` is an allowed value of a modelled feature.
void set_feature(Rules& rules, Feature feature, std::string_view value);

/// One feature in which two versions differ in Kafka.
struct FeatureDifference {
    Feature feature = Feature::kCleanerSparesMarkers;
    std::string_view from;
    std::string_view to;
};

/// What differs between two versions, sorted by feature name. Empty if nothing klab knows differs.
[[nodiscard]] std::vector<FeatureDifference> differences(KafkaVersion from, KafkaVersion to);

}  // namespace klab::types
