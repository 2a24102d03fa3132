// SPDX-License-Identifier: Apache-2.0
//
// Kafka's settings: one row for each name and place (broker, topic, producer, ...), with its kind,
// default (also the ones of older releases), range, unit and meaning, and whether klab's model acts
// on it. Settings that Kafka has but klab does not act on are accepted with a warning, unknown ones
// are errors. The typed structs (broker_config.h, ...) are built from these rows.
//
// Owns: names, defaults, ranges. The rows are in settings_<place>.cc, sorted by name.
// Called by: *_config.h, scenario files ("config"), `klab explain`, the generated schema and docs.
// Kafka: the ConfigDef of ServerConfigs, ReplicationConfigs, KRaftConfigs, LogConfig,
// ProducerConfig, ConsumerConfig, AdminClientConfig. Simplified: settings of TLS, SASL, tiered
// storage, quotas, metrics and Streams are not in the table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/types/versions.h"
#include "sim/base/result.h"
#include "sim/base/time.h"

namespace klab::types {

/// Whose setting it is. A name can exist in several places (request.timeout.ms). A broker and a
/// controller of one cluster share one configuration, as they share server.properties in Kafka.
enum class Where : std::uint8_t { kAdmin, kBroker, kConsumer, kController, kProducer, kTopic };

enum class SettingKind : std::uint8_t {
    kBoolean,
    kInt,     ///< 32 bits
    kLong,    ///< 64 bits
    kDouble,  ///< kept as text: the model has no floating point; a range has whole ends
    kEnum,    ///< one of `values`
    kList,    ///< comma separated; each element one of `values` if there are any
    kString,
    kClass,  ///< a Java class in Kafka
};

enum class Unit : std::uint8_t { kNone, kMilliseconds, kSeconds, kMinutes, kHours, kBytes };

/// What klab does with a setting.
enum class Support : std::uint8_t {
    kKnown,     ///< Kafka has it; klab accepts the value and ignores it (a warning)
    kModelled,  ///< the model acts on it
    kManaged,   ///< klab gives it a value itself (node.id, bootstrap.servers): setting it is an
                ///< error
};

/// The default that held before a release.
struct OldDefault {
    Release before;
    std::string_view text;
};

/// The minimum that held before a release.
struct OldMin {
    Release before;
    std::int64_t min = 0;
};

struct Setting {
    std::string_view name;
    SettingKind kind = SettingKind::kString;
    std::string_view default_text;          ///< of the newest version; "null" = no value
    std::optional<OldDefault> old_default;  ///< if older releases had another default
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    std::optional<OldMin> old_min;  ///< if older releases had another minimum
    std::string_view values;        ///< allowed values separated by '|', not for every kind
    Unit unit = Unit::kNone;
    Support support = Support::kKnown;
    std::optional<Release> since;  ///< first release that has it, if that is after 2.0
    std::optional<Release> until;  ///< first release that no longer has it
    std::string_view broker_name;  ///< for kTopic: the broker setting that is its default
    std::string_view meaning;      ///< one sentence in klab's words
};

/// A value read from text. Lists and doubles stay text.
using SettingValue = std::variant<bool, std::int64_t, std::string>;

using SettingMap = std::map<std::string, std::string>;

struct SettingError {
    enum class What : std::uint8_t {
        kUnknown,       ///< no such setting in that place
        kNotInVersion,  ///< the chosen Kafka version does not have it (any more, or yet)
        kManaged,       ///< klab sets it itself
        kWrongKind,     ///< not a number, not a boolean
        kOutOfRange,
        kNotAllowed,  ///< not one of the allowed values
        kConflict,    ///< two settings contradict each other: Kafka's ConfigException
    };

    What what = What::kUnknown;
    std::string name;     ///< the setting
    std::string given;    ///< the value as given
    std::string allowed;  ///< what may stand there, for people; for kConflict the rule

    friend bool operator==(const SettingError&, const SettingError&) = default;
};

using SettingErrors = std::vector<SettingError>;

/// The settings of one place, sorted by name.
[[nodiscard]] std::span<const Setting> settings_of(Where where);

/// Every place that has settings, in the order of the enum.
[[nodiscard]] std::span<const Where> all_places();

/// The row of a name in a place.
[[nodiscard]] const Setting* find_setting(std::string_view name, Where where);

/// The row of a name in the shared configuration of brokers and controllers.
[[nodiscard]] const Setting* find_cluster_setting(std::string_view name);

/// The default in a version: "null" means that there is no value.
[[nodiscard]] std::string_view default_in(const Setting& setting, KafkaVersion version);

/// Does the version have the setting?
[[nodiscard]] bool exists_in(const Setting& setting, KafkaVersion version);

/// Reads a value. Blanks around it are allowed, booleans in any case, as in Kafka.
/// Errors: kWrongKind, kOutOfRange, kNotAllowed.
[[nodiscard]] Result<SettingValue, SettingError> parse_setting(
    const Setting& setting, std::string_view text, KafkaVersion version = kDefaultVersion);

/// parse_setting, and before it: the version has the setting (kNotInVersion), the user may set it
/// (kManaged).
[[nodiscard]] Result<SettingValue, SettingError> check_setting(const Setting& setting,
                                                               std::string_view text,
                                                               KafkaVersion version);

/// "an integer from 1 to 2147483647", "one of all, -1, 0, 1".
[[nodiscard]] std::string allowed_text(const Setting& setting, KafkaVersion version);

/// One sentence for people.
[[nodiscard]] std::string to_text(const SettingError& error);

[[nodiscard]] std::string_view to_text(Where where);
[[nodiscard]] std::string_view to_text(SettingKind kind);

/// "ms", "s", "min", "h", "bytes", or "".
[[nodiscard]] std::string_view to_text(Unit unit);

/// A setting's milliseconds as a length. More than ten years becomes ten years, so that sums of
/// times cannot overflow; less than zero becomes zero.
[[nodiscard]] constexpr Duration duration_of_ms(std::int64_t ms) {
    constexpr std::int64_t kTenYearsMs = 10LL * 365 * 24 * 3600 * 1000;
    return milliseconds(ms < 0 ? 0 : ms > kTenYearsMs ? kTenYearsMs : ms);
}

}  // namespace klab::types
