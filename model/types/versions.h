// SPDX-License-Identifier: Apache-2.0
//
// The Kafka versions a scenario can choose ("kafka": "4.1"). A version is a row: a release number,
// the metadata.version a new cluster of it gets, and (features.h) which rule holds for each
// feature. No code asks for a version: it asks `Rules` for the feature.
//
// Called by: rules.h, settings.h (defaults that changed), scenario files, `klab explain`, `klab
// version`. Kafka: MetadataVersion (latest production level of each release).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace klab::types {

/// A release of Kafka as people write it: 3.9. Also names releases that are not rows ("since 2.5").
struct Release {
    std::int32_t major = 0;
    std::int32_t minor = 0;

    friend constexpr bool operator==(Release, Release) = default;
    friend constexpr auto operator<=>(Release, Release) = default;
};

/// "3.9".
[[nodiscard]] std::string to_text(Release release);

/// A row of the table; later versions compare greater.
enum class KafkaVersion : std::uint8_t { k3_6, k3_7, k3_8, k3_9, k4_0, k4_1 };

inline constexpr std::size_t kVersionCount = 6;

/// The version a scenario gets that names none.
inline constexpr KafkaVersion kDefaultVersion = KafkaVersion::k4_1;

struct VersionInfo {
    KafkaVersion version;
    std::string_view name;  ///< "3.9"
    Release release;
    std::int16_t metadata_level;        ///< metadata.version of a new cluster, as a feature level
    std::string_view metadata_version;  ///< the same by name: "3.9-IV0"
    std::string_view meaning;           ///< what a reader of klab should know about it
};

/// Every row, oldest first.
[[nodiscard]] std::span<const VersionInfo> all_versions();

[[nodiscard]] const VersionInfo& info(KafkaVersion version);

/// Only names of rows: "3.9" is one, "3.9.1" and "3" are not.
[[nodiscard]] std::optional<KafkaVersion> find_version(std::string_view name);

}  // namespace klab::types
