// SPDX-License-Identifier: Apache-2.0
//
// Looking up and reading settings. See settings.h.
#include "model/types/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "model/types/decimal.h"
#include "model/types/settings_table.h"

namespace klab::types {

namespace {

constexpr std::array<Where, 6> kPlaces = {Where::kAdmin,
                                          Where::kBroker,
                                          Where::kConsumer,
                                          Where::kController,
                                          Where::kProducer,
                                          Where::kTopic};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(trim(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

struct Range {
    std::int64_t min;
    std::int64_t max;
};

/// The range of an integer setting in a version, narrowed by its width.
Range range_of(const Setting& setting, KafkaVersion version) {
    Range range{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    if (setting.kind == SettingKind::kInt) {
        range = {std::numeric_limits<std::int32_t>::min(),
                 std::numeric_limits<std::int32_t>::max()};
    }
    range.min = std::max(range.min, setting.min.value_or(range.min));
    range.max = std::min(range.max, setting.max.value_or(range.max));
    if (setting.old_min && info(version).release < setting.old_min->before) {
        range.min = setting.old_min->min;
    }
    return range;
}

SettingError failure(const Setting& setting,
                     std::string_view given,
                     KafkaVersion version,
                     SettingError::What what) {
    return {what, std::string(setting.name), std::string(given), allowed_text(setting, version)};
}

bool all_allowed(const std::vector<std::string_view>& given, std::string_view values) {
    const std::vector<std::string_view> allowed = split(values, '|');
    return std::ranges::all_of(given, [&](std::string_view one) {
        return std::ranges::find(allowed, one) != allowed.end();
    });
}

Result<SettingValue, SettingError> parse_integer(const Setting& setting,
                                                 std::string_view text,
                                                 KafkaVersion version) {
    std::string_view digits = trim(text);
    if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') {
        digits.remove_prefix(1);
    }
    std::int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc::result_out_of_range && stop == end) {
        return Error{failure(setting, text, version, SettingError::What::kOutOfRange)};
    }
    if (error != std::errc{} || stop != end) {
        return Error{failure(setting, text, version, SettingError::What::kWrongKind)};
    }
    const Range range = range_of(setting, version);
    if (value < range.min || value > range.max) {
        return Error{failure(setting, text, version, SettingError::What::kOutOfRange)};
    }
    const std::string plain = std::to_string(value);
    if (!setting.values.empty() && !all_allowed({plain}, setting.values)) {
        return Error{failure(setting, text, version, SettingError::What::kNotAllowed)};
    }
    return SettingValue{value};
}

Result<SettingValue, SettingError> parse_real(const Setting& setting,
                                              std::string_view text,
                                              KafkaVersion version) {
    const std::optional<std::int64_t> value = billionths_of(trim(text));
    if (!value) {
        return Error{failure(setting, text, version, SettingError::What::kWrongKind)};
    }
    if ((setting.min && *value < *setting.min * kBillion) ||
        (setting.max && *value > *setting.max * kBillion)) {
        return Error{failure(setting, text, version, SettingError::What::kOutOfRange)};
    }
    return SettingValue{std::string(trim(text))};
}

Result<SettingValue, SettingError> parse_words(const Setting& setting,
                                               std::string_view text,
                                               KafkaVersion version) {
    const std::vector<std::string_view> words =
        setting.kind == SettingKind::kList ? split(text, ',') : std::vector{trim(text)};
    if (!setting.values.empty() && !all_allowed(words, setting.values)) {
        return Error{failure(setting, text, version, SettingError::What::kNotAllowed)};
    }
    return SettingValue{fmt::format("{}", fmt::join(words, ","))};
}

}  // namespace

std::span<const Setting> settings_of(Where where) {
    switch (where) {
        case Where::kAdmin:
            return detail::admin_settings();
        case Where::kBroker:
            return detail::broker_settings();
        case Where::kConsumer:
            return detail::consumer_settings();
        case Where::kController:
            return detail::controller_settings();
        case Where::kProducer:
            return detail::producer_settings();
        case Where::kTopic:
            return detail::topic_settings();
    }
    return {};
}

std::span<const Where> all_places() { return kPlaces; }

const Setting* find_setting(std::string_view name, Where where) {
    const std::span<const Setting> rows = settings_of(where);
    const auto row = std::ranges::lower_bound(rows, name, {}, &Setting::name);
    return row != rows.end() && row->name == name ? &*row : nullptr;
}

const Setting* find_cluster_setting(std::string_view name) {
    const Setting* row = find_setting(name, Where::kBroker);
    return row != nullptr ? row : find_setting(name, Where::kController);
}

std::string_view default_in(const Setting& setting, KafkaVersion version) {
    if (setting.old_default && info(version).release < setting.old_default->before) {
        return setting.old_default->text;
    }
    return setting.default_text;
}

bool exists_in(const Setting& setting, KafkaVersion version) {
    const Release release = info(version).release;
    return (!setting.since || *setting.since <= release) &&
           (!setting.until || release < *setting.until);
}

Result<SettingValue, SettingError> parse_setting(const Setting& setting,
                                                 std::string_view text,
                                                 KafkaVersion version) {
    switch (setting.kind) {
        case SettingKind::kBoolean: {
            const std::string word = lower(trim(text));
            if (word != "true" && word != "false") {
                return Error{failure(setting, text, version, SettingError::What::kWrongKind)};
            }
            return SettingValue{word == "true"};
        }
        case SettingKind::kInt:
        case SettingKind::kLong:
            return parse_integer(setting, text, version);
        case SettingKind::kDouble:
            return parse_real(setting, text, version);
        case SettingKind::kEnum:
        case SettingKind::kList:
        case SettingKind::kString:
        case SettingKind::kClass:
            return parse_words(setting, text, version);
    }
    return Error{failure(setting, text, version, SettingError::What::kWrongKind)};
}

Result<SettingValue, SettingError> check_setting(const Setting& setting,
                                                 std::string_view text,
                                                 KafkaVersion version) {
    if (!exists_in(setting, version)) {
        SettingError error = failure(setting, text, version, SettingError::What::kNotInVersion);
        error.allowed = setting.since && info(version).release < *setting.since
                            ? fmt::format("Kafka {} and later", to_text(*setting.since))
                            : fmt::format("Kafka before {}", to_text(*setting.until));
        return Error{std::move(error)};
    }
    if (setting.support == Support::kManaged) {
        SettingError error = failure(setting, text, version, SettingError::What::kManaged);
        error.allowed = "nothing: klab gives it a value";
        return Error{std::move(error)};
    }
    return parse_setting(setting, text, version);
}

std::string allowed_text(const Setting& setting, KafkaVersion version) {
    const std::string values = fmt::format("{}", fmt::join(split(setting.values, '|'), ", "));
    switch (setting.kind) {
        case SettingKind::kBoolean:
            return "true or false";
        case SettingKind::kInt:
        case SettingKind::kLong: {
            if (!values.empty()) {
                return fmt::format("one of {}", values);
            }
            const Range range = range_of(setting, version);
            return fmt::format("an integer from {} to {}", range.min, range.max);
        }
        case SettingKind::kDouble:
            return setting.min && setting.max
                       ? fmt::format("a number from {} to {}", *setting.min, *setting.max)
                       : "a number";
        case SettingKind::kEnum:
            return fmt::format("one of {}", values);
        case SettingKind::kList:
            return values.empty() ? "a list with commas" : fmt::format("a list of {}", values);
        case SettingKind::kString:
            return "a text";
        case SettingKind::kClass:
            return "the name of a class";
    }
    return {};
}

std::string to_text(const SettingError& error) {
    switch (error.what) {
        case SettingError::What::kUnknown:
            return fmt::format("Kafka has no setting {} for {}", error.name, error.allowed);
        case SettingError::What::kNotInVersion:
            return fmt::format("only {} has the setting {}", error.allowed, error.name);
        case SettingError::What::kManaged:
            return fmt::format("{} cannot be set: klab gives it a value itself", error.name);
        case SettingError::What::kWrongKind:
        case SettingError::What::kOutOfRange:
        case SettingError::What::kNotAllowed:
            return fmt::format("{} takes {}, not \"{}\"", error.name, error.allowed, error.given);
        case SettingError::What::kConflict:
            return fmt::format("{} = {}: {}", error.name, error.given, error.allowed);
    }
    return {};
}

std::string_view to_text(Where where) {
    switch (where) {
        case Where::kAdmin:
            return "admin";
        case Where::kBroker:
            return "broker";
        case Where::kConsumer:
            return "consumer";
        case Where::kController:
            return "controller";
        case Where::kProducer:
            return "producer";
        case Where::kTopic:
            return "topic";
    }
    return {};
}

std::string_view to_text(SettingKind kind) {
    switch (kind) {
        case SettingKind::kBoolean:
            return "boolean";
        case SettingKind::kInt:
            return "int";
        case SettingKind::kLong:
            return "long";
        case SettingKind::kDouble:
            return "double";
        case SettingKind::kEnum:
            return "enum";
        case SettingKind::kList:
            return "list";
        case SettingKind::kString:
            return "string";
        case SettingKind::kClass:
            return "class";
    }
    return {};
}

std::string_view to_text(Unit unit) {
    switch (unit) {
        case Unit::kNone:
            return "";
        case Unit::kMilliseconds:
            return "ms";
        case Unit::kSeconds:
            return "s";
        case Unit::kMinutes:
            return "min";
        case Unit::kHours:
            return "h";
        case Unit::kBytes:
            return "bytes";
    }
    return {};
}

}  // namespace klab::types
