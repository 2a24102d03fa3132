// SPDX-License-Identifier: Apache-2.0
//
// How a row of the settings tables is written: a constructor for its kind and unit, then only what
// differs from the usual, then the meaning. Each table is of one place, sorted by name.
//
// Called by: settings_<place>.cc (rows), settings.cc (the functions at the end).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/types/settings.h"

namespace klab::types::detail {

/// A row under construction; says() completes it.
class Row {
  public:
    constexpr Row(std::string_view name,
                  SettingKind kind,
                  Unit unit,
                  std::string_view default_text) {
        setting_.name = name;
        setting_.kind = kind;
        setting_.unit = unit;
        setting_.default_text = default_text;
    }

    constexpr Row at_least(std::int64_t min) const {
        Row row = *this;
        row.setting_.min = min;
        return row;
    }

    constexpr Row at_most(std::int64_t max) const {
        Row row = *this;
        row.setting_.max = max;
        return row;
    }

    /// KIP-1030 raised some minimums: before this release another one held.
    constexpr Row at_least_before(Release release, std::int64_t min) const {
        Row row = *this;
        row.setting_.old_min = OldMin{release, min};
        return row;
    }

    constexpr Row one_of(std::string_view values) const {
        Row row = *this;
        row.setting_.values = values;
        return row;
    }

    constexpr Row used() const {
        Row row = *this;
        row.setting_.support = Support::kModelled;
        return row;
    }

    constexpr Row managed() const {
        Row row = *this;
        row.setting_.support = Support::kManaged;
        return row;
    }

    constexpr Row since(Release release) const {
        Row row = *this;
        row.setting_.since = release;
        return row;
    }

    constexpr Row until(Release release) const {
        Row row = *this;
        row.setting_.until = release;
        return row;
    }

    constexpr Row was_before(Release release, std::string_view text) const {
        Row row = *this;
        row.setting_.old_default = {release, text};
        return row;
    }

    constexpr Row like(std::string_view broker_name) const {
        Row row = *this;
        row.setting_.broker_name = broker_name;
        return row;
    }

    constexpr Setting says(std::string_view meaning) const {
        Setting setting = setting_;
        setting.meaning = meaning;
        return setting;
    }

  private:
    Setting setting_;
};

constexpr Row int_ms(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kInt, Unit::kMilliseconds, default_text};
}

constexpr Row long_ms(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kLong, Unit::kMilliseconds, default_text};
}

constexpr Row int_seconds(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kInt, Unit::kSeconds, default_text};
}

constexpr Row long_seconds(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kLong, Unit::kSeconds, default_text};
}

constexpr Row int_minutes(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kInt, Unit::kMinutes, default_text};
}

constexpr Row int_hours(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kInt, Unit::kHours, default_text};
}

constexpr Row int_bytes(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kInt, Unit::kBytes, default_text};
}

constexpr Row long_bytes(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kLong, Unit::kBytes, default_text};
}

constexpr Row int_count(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kInt, Unit::kNone, default_text};
}

constexpr Row long_count(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kLong, Unit::kNone, default_text};
}

constexpr Row flag(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kBoolean, Unit::kNone, default_text};
}

constexpr Row real(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kDouble, Unit::kNone, default_text};
}

constexpr Row choice(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kEnum, Unit::kNone, default_text};
}

constexpr Row list(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kList, Unit::kNone, default_text};
}

constexpr Row text(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kString, Unit::kNone, default_text};
}

constexpr Row java_class(std::string_view name, std::string_view default_text) {
    return {name, SettingKind::kClass, Unit::kNone, default_text};
}

// The tables, one a place.
std::span<const Setting> admin_settings();
std::span<const Setting> broker_settings();
std::span<const Setting> consumer_settings();
std::span<const Setting> controller_settings();
std::span<const Setting> producer_settings();
std::span<const Setting> topic_settings();

}  // namespace klab::types::detail
