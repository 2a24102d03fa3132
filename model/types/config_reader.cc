// SPDX-License-Identifier: Apache-2.0
//
// See config_reader.h.
#include "model/types/config_reader.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "model/types/decimal.h"
#include "sim/base/assert.h"

namespace klab::types {

namespace {

constexpr std::string_view kNoValue = "null";

}  // namespace

ConfigReader::ConfigReader(std::vector<Where> places,
                           KafkaVersion version,
                           const SettingMap& overrides)
    : places_(std::move(places)), version_(version), given_(overrides) {
    for (const auto& [name, text] : overrides) {
        const Setting* setting = find(name);
        if (setting == nullptr) {
            errors_.push_back(
                {SettingError::What::kUnknown, name, text, std::string(to_text(places_.front()))});
            continue;
        }
        const auto checked = check_setting(*setting, text, version);
        if (checked.ok()) {
            good_.emplace(name, text);
        } else {
            errors_.push_back(checked.error());
        }
    }
}

bool ConfigReader::given(std::string_view name) const { return given_.contains(std::string(name)); }

std::int64_t ConfigReader::integer(std::string_view name) const {
    const std::optional<std::int64_t> number = optional_integer(name);
    KLAB_ASSERT(number.has_value(), "setting {} has no value", name);
    return *number;
}

std::int32_t ConfigReader::count(std::string_view name) const {
    const std::int64_t number = integer(name);
    KLAB_ASSERT(number >= std::numeric_limits<std::int32_t>::min() &&
                    number <= std::numeric_limits<std::int32_t>::max(),
                "setting {} is not a 32-bit number",
                name);
    return static_cast<std::int32_t>(number);
}

bool ConfigReader::flag(std::string_view name) const {
    const std::optional<SettingValue> found = value(name);
    KLAB_ASSERT(found && std::holds_alternative<bool>(*found), "setting {} is no boolean", name);
    return std::get<bool>(*found);
}

std::string ConfigReader::text(std::string_view name) const {
    const std::optional<SettingValue> found = value(name);
    KLAB_ASSERT(
        found && std::holds_alternative<std::string>(*found), "setting {} is no text", name);
    return std::get<std::string>(*found);
}

std::optional<std::string> ConfigReader::optional_text(std::string_view name) const {
    return value(name) ? std::optional(text(name)) : std::nullopt;
}

std::int64_t ConfigReader::billionths(std::string_view name) const {
    const std::optional<std::int64_t> number = billionths_of(text(name));
    KLAB_ASSERT(number.has_value(), "setting {} is no number", name);
    return *number;
}

std::int64_t ConfigReader::pause(std::string_view name) const {
    return std::max<std::int64_t>(1, integer(name));
}

std::optional<std::int64_t> ConfigReader::optional_integer(std::string_view name) const {
    const std::optional<SettingValue> found = value(name);
    if (!found) {
        return std::nullopt;
    }
    KLAB_ASSERT(std::holds_alternative<std::int64_t>(*found), "setting {} is no integer", name);
    return std::get<std::int64_t>(*found);
}

std::optional<std::int64_t> ConfigReader::unless_never(std::string_view name) const {
    const std::optional<std::int64_t> number = optional_integer(name);
    if (number == std::numeric_limits<std::int64_t>::max()) {
        return std::nullopt;
    }
    return number;
}

std::int64_t ConfigReader::reconnect_backoff_max() const {
    const bool constant = given("reconnect.backoff.ms") && !given("reconnect.backoff.max.ms");
    return pause(constant ? "reconnect.backoff.ms" : "reconnect.backoff.max.ms");
}

std::int64_t ConfigReader::retry_backoff_max() const {
    const Setting* setting = find("retry.backoff.max.ms");
    const bool constant = !exists_in(*setting, version_);
    return pause(constant ? "retry.backoff.ms" : "retry.backoff.max.ms");
}

void ConfigReader::conflict(std::string_view name, std::string rule) {
    errors_.push_back({SettingError::What::kConflict,
                       std::string(name),
                       std::string(value_text(name)),
                       std::move(rule)});
}

const Setting* ConfigReader::find(std::string_view name) const {
    for (const Where place : places_) {
        if (const Setting* setting = find_setting(name, place)) {
            return setting;
        }
    }
    return nullptr;
}

std::string_view ConfigReader::value_text(std::string_view name) const {
    const auto good = good_.find(std::string(name));
    if (good != good_.end()) {
        return good->second;
    }
    const Setting* setting = find(name);
    KLAB_ASSERT(setting != nullptr, "no setting {}", name);
    return default_in(*setting, version_);
}

std::optional<SettingValue> ConfigReader::value(std::string_view name) const {
    const std::string_view text = value_text(name);
    if (text == kNoValue) {
        return std::nullopt;
    }
    const Setting* setting = find(name);
    auto parsed = parse_setting(*setting, text, version_);
    KLAB_ASSERT(parsed.ok(), "setting {} = {} cannot be read", name, text);
    return std::move(parsed).value();
}

}  // namespace klab::types
