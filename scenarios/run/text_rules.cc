// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/text_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace klab::scenario {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t factor;
};

constexpr std::array<Unit, 5> kTimeUnits = {{{"us", 1'000},
                                             {"ms", 1'000'000},
                                             {"s", 1'000'000'000},
                                             {"min", 60'000'000'000},
                                             {"h", 3'600'000'000'000}}};

constexpr std::array<Unit, 3> kBandwidthUnits = {
    {{"KB/s", 1'000}, {"MB/s", 1'000'000}, {"GB/s", 1'000'000'000}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

bool is_topic_character(char c) {
    return is_digit(c) || is_small_letter(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' ||
           c == '-';
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Splits "1.5ms" into whole "1", fraction "5" and unit "ms".
struct NumberAndUnit {
    std::string_view whole;
    std::string_view fraction;
    bool has_point = false;
    std::string_view unit;
};

NumberAndUnit split(std::string_view text) {
    NumberAndUnit out;
    std::size_t i = 0;
    while (i < text.size() && is_digit(text[i])) {
        ++i;
    }
    out.whole = text.substr(0, i);
    if (i < text.size() && text[i] == '.') {
        out.has_point = true;
        const std::size_t begin = ++i;
        while (i < text.size() && is_digit(text[i])) {
            ++i;
        }
        out.fraction = text.substr(begin, i - begin);
    }
    out.unit = text.substr(i);
    return out;
}

bool well_formed(const NumberAndUnit& parts) {
    return !parts.whole.empty() && (!parts.has_point || !parts.fraction.empty());
}

template <std::size_t N>
const Unit* find_unit(const std::array<Unit, N>& units, std::string_view name) {
    for (const Unit& unit : units) {
        if (unit.name == name) {
            return &unit;
        }
    }
    return nullptr;
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 31 && is_small_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return is_small_letter(c) || is_digit(c) || c == '-';
           });
}

bool is_duration(std::string_view text) {
    const NumberAndUnit parts = split(text);
    return well_formed(parts) && find_unit(kTimeUnits, parts.unit) != nullptr;
}

std::string_view without_sign(std::string_view text) {
    const bool sign = !text.empty() && (text.front() == '+' || text.front() == '-');
    return sign ? text.substr(1) : text;
}

bool is_bandwidth(std::string_view text) {
    const NumberAndUnit parts = split(text);
    return !parts.whole.empty() && !parts.has_point &&
           find_unit(kBandwidthUnits, parts.unit) != nullptr;
}

bool is_partition(std::string_view text) {
    const std::size_t dash = text.rfind('-');
    if (dash == std::string_view::npos || dash == 0) {
        return false;
    }
    const std::string_view topic = text.substr(0, dash);
    return std::all_of(topic.begin(), topic.end(), is_topic_character) &&
           all_digits(text.substr(dash + 1));
}

bool is_replica(std::string_view text) {
    const std::size_t at = text.find('@');
    return at != std::string_view::npos && is_partition(text.substr(0, at)) &&
           is_name(text.substr(at + 1));
}

bool is_pointer(std::string_view text) {
    if (text.size() < 2 || text.front() != '/' || text.back() == '/') {
        return false;
    }
    return text.find("//") == std::string_view::npos;
}

/// 0.digits times `factor`; nothing when that is no whole number.
std::optional<std::int64_t> fraction_of(std::string_view digits, std::int64_t factor) {
    while (!digits.empty() && digits.back() == '0') {
        digits.remove_suffix(1);
    }
    std::int64_t result = 0;
    for (const char c : digits) {
        if (factor % 10 != 0) {
            return std::nullopt;
        }
        factor /= 10;
        result += (c - '0') * factor;
    }
    return result;
}

TimeText parse_time(std::string_view text) {
    TimeText out;
    const NumberAndUnit parts = split(text);
    out.unit = std::string(parts.unit);
    if (!well_formed(parts)) {
        const bool sign = !text.empty() && text.front() == '-';
        out.problem = sign ? TimeProblem::kNegative : TimeProblem::kNoNumber;
        return out;
    }
    const Unit* unit = find_unit(kTimeUnits, parts.unit);
    if (unit == nullptr) {
        out.problem = parts.unit.empty() ? TimeProblem::kNoUnit : TimeProblem::kUnknownUnit;
        return out;
    }
    std::int64_t whole = 0;
    for (const char c : parts.whole) {
        whole = whole * 10 + (c - '0');
        if (whole > kDurationMax.ns / unit->factor) {
            out.problem = TimeProblem::kTooLong;
            return out;
        }
    }
    const std::optional<std::int64_t> fraction = fraction_of(parts.fraction, unit->factor);
    if (!fraction) {
        out.problem = TimeProblem::kTooFine;
        return out;
    }
    out.duration = Duration{whole * unit->factor + *fraction};
    return out;
}

}  // namespace

std::string_view pattern_of(TextRule rule) {
    switch (rule) {
        case TextRule::kAny:
            return "";
        case TextRule::kName:
            return "^[a-z][a-z0-9-]{0,30}$";
        case TextRule::kDuration:
            return "^[0-9]+(\\.[0-9]+)?(us|ms|s|min|h)$";
        case TextRule::kShift:
            return "^[+-]?[0-9]+(\\.[0-9]+)?(us|ms|s|min|h)$";
        case TextRule::kBandwidth:
            return "^[0-9]+(KB|MB|GB)/s$";
        case TextRule::kPartition:
            return "^[a-zA-Z0-9._-]+-[0-9]+$";
        case TextRule::kReplica:
            return "^[a-zA-Z0-9._-]+-[0-9]+@[a-z][a-z0-9-]{0,30}$";
        case TextRule::kPointer:
            return "^(/[^/]+)+$";
    }
    return "";
}

bool matches(TextRule rule, std::string_view text) {
    switch (rule) {
        case TextRule::kAny:
            return true;
        case TextRule::kName:
            return is_name(text);
        case TextRule::kDuration:
            return is_duration(text);
        case TextRule::kShift:
            return is_duration(without_sign(text));
        case TextRule::kBandwidth:
            return is_bandwidth(text);
        case TextRule::kPartition:
            return is_partition(text);
        case TextRule::kReplica:
            return is_replica(text);
        case TextRule::kPointer:
            return is_pointer(text);
    }
    return false;
}

std::string to_text(const PartitionName& partition) {
    return fmt::format("{}-{}", partition.topic, partition.partition);
}

std::string to_text(const ReplicaName& replica) {
    return fmt::format("{}@{}", to_text(replica.partition), replica.node);
}

std::optional<PartitionName> parse_partition(std::string_view text) {
    if (!is_partition(text)) {
        return std::nullopt;
    }
    const std::size_t dash = text.rfind('-');
    std::int64_t number = 0;
    for (const char c : text.substr(dash + 1)) {
        number = number * 10 + (c - '0');
        if (number > INT32_MAX) {
            return std::nullopt;
        }
    }
    return PartitionName{std::string(text.substr(0, dash)), static_cast<std::int32_t>(number)};
}

std::optional<ReplicaName> parse_replica(std::string_view text) {
    if (!is_replica(text)) {
        return std::nullopt;
    }
    const std::size_t at = text.find('@');
    std::optional<PartitionName> partition = parse_partition(text.substr(0, at));
    if (!partition) {
        return std::nullopt;
    }
    return ReplicaName{std::move(*partition), std::string(text.substr(at + 1))};
}

TimeText parse_duration(std::string_view text) { return parse_time(text); }

TimeText parse_shift(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    TimeText out = parse_time(without_sign(text));
    if (negative && out.duration) {
        out.duration = Duration{-out.duration->ns};
    }
    return out;
}

std::optional<std::int64_t> parse_bandwidth(std::string_view text) {
    if (!is_bandwidth(text)) {
        return std::nullopt;
    }
    const NumberAndUnit parts = split(text);
    const std::int64_t factor = find_unit(kBandwidthUnits, parts.unit)->factor;
    std::int64_t number = 0;
    for (const char c : parts.whole) {
        number = number * 10 + (c - '0');
        if (number > INT64_MAX / 100 / factor) {
            return std::nullopt;
        }
    }
    return number * factor;
}

}  // namespace klab::scenario
