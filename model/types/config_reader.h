// SPDX-License-Identifier: Apache-2.0
//
// ConfigReader: reads the values of one configuration (overrides on the defaults of a version) by
// name and collects everything that is wrong with it. The make_*_config functions are written with
// it.
//
// Called by: *_config.cc. Kafka: AbstractConfig.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/types/settings.h"
#include "sim/base/result.h"

namespace klab::types {

class ConfigReader {
  public:
    /// Checks every override at once. A name is looked up in `places`, in that order.
    ConfigReader(std::vector<Where> places, KafkaVersion version, const SettingMap& overrides);

    /// Did the user set it (well or badly)?
    [[nodiscard]] bool given(std::string_view name) const;

    // The value of a setting; its default if it was not set, or set badly.
    // Requires: one of the places has the setting, and it is of that kind.

    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] std::int32_t count(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;

    /// Absent if there is no value ("null").
    [[nodiscard]] std::optional<std::string> optional_text(std::string_view name) const;

    /// A number with a point, in billionths (decimal.h).
    [[nodiscard]] std::int64_t billionths(std::string_view name) const;

    /// A pause or period that must not be 0, lest a run stand still: at least 1.
    [[nodiscard]] std::int64_t pause(std::string_view name) const;

    /// Absent if there is no value ("null").
    [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view name) const;

    /// Absent if there is no value or it is the largest number, which Kafka uses for "never".
    [[nodiscard]] std::optional<std::int64_t> unless_never(std::string_view name) const;

    /// reconnect.backoff.max.ms: setting only reconnect.backoff.ms makes the pauses constant.
    [[nodiscard]] std::int64_t reconnect_backoff_max() const;

    /// retry.backoff.max.ms; versions without it (before 3.7, KIP-580) have constant pauses.
    [[nodiscard]] std::int64_t retry_backoff_max() const;

    /// Reports that the value of a setting breaks a rule between settings.
    void conflict(std::string_view name, std::string rule);

    /// The configuration, or the errors if there are any.
    template <typename Config>
    [[nodiscard]] Result<Config, SettingErrors> finish(Config config) && {
        if (!errors_.empty()) {
            return Error{std::move(errors_)};
        }
        return config;
    }

    [[nodiscard]] KafkaVersion version() const { return version_; }

  private:
    [[nodiscard]] const Setting* find(std::string_view name) const;

    /// The text of the good override or of the default.
    [[nodiscard]] std::string_view value_text(std::string_view name) const;

    /// Nothing for "null".
    [[nodiscard]] std::optional<SettingValue> value(std::string_view name) const;

    std::vector<Where> places_;
    KafkaVersion version_;
    SettingMap given_;  ///< every override
    SettingMap good_;   ///< those that can be read
    SettingErrors errors_;
};

}  // namespace klab::types
