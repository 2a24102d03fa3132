// SPDX-License-Identifier: Apache-2.0
//
// What to say about a text that is no time: the usual slips get the right text suggested.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/run/format_check.h"
#include "scenarios/run/text_rules.h"

namespace klab::scenario {

namespace {

std::string subject_of(std::string_view field) {
    return field.empty() ? std::string("this") : fmt::format("\"{}\"", field);
}

Finding error(std::string message, Span where, std::string label) {
    Finding out;
    out.code = "S016";
    out.message = std::move(message);
    out.where = where;
    out.label = std::move(label);
    return out;
}

/// Units that people write, and the one they mean. Empty: klab has none as small.
std::string_view usual_unit(std::string_view unit) {
    struct Alias {
        std::string_view written;
        std::string_view meant;
    };

    static constexpr Alias kAliases[] = {
        {"sec", "s"},       {"secs", "s"},    {"second", "s"},  {"seconds", "s"}, {"S", "s"},
        {"msec", "ms"},     {"msecs", "ms"},  {"millis", "ms"}, {"MS", "ms"},     {"Ms", "ms"},
        {"usec", "us"},     {"micros", "us"}, {"m", "min"},     {"mins", "min"},  {"minute", "min"},
        {"minutes", "min"}, {"hour", "h"},    {"hours", "h"},   {"hr", "h"},      {"H", "h"},
        {"us", "us"},       {"ms", "ms"},     {"s", "s"},       {"min", "min"},   {"h", "h"},
        {"\xC2\xB5s", "us"}};
    while (!unit.empty() && unit.front() == ' ') {
        unit.remove_prefix(1);
    }
    for (const Alias& alias : kAliases) {
        if (alias.written == unit) {
            return alias.meant;
        }
    }
    return "";
}

}  // namespace

Finding time_finding(const Json& value, std::string_view field, bool sign_allowed) {
    const TimeText time = sign_allowed ? parse_shift(value.text) : parse_duration(value.text);
    Finding finding = error(fmt::format("{} needs a time with a unit", subject_of(field)),
                            value.where,
                            "for example \"20ms\"");
    finding.help.push_back("a time is a number and a unit (us, ms, s, min, h) in quotes");
    const bool bare = !value.is(JsonKind::kText);
    const std::string written = bare ? value.text : quote_json(value.text);
    std::string meant;
    switch (time.problem) {
        case TimeProblem::kNoUnit:
            meant = quote_json(value.text + "ms");
            break;
        case TimeProblem::kUnknownUnit: {
            const std::string number = value.text.substr(0, value.text.size() - time.unit.size());
            finding.message = fmt::format("{} has the unit \"{}\"", subject_of(field), time.unit);
            finding.label = "the units are us, ms, s, min, h";
            if (const std::string_view unit = usual_unit(time.unit); !unit.empty()) {
                meant = quote_json(number + std::string(unit));
            }
            break;
        }
        case TimeProblem::kNegative:
            finding.message = fmt::format("{} cannot be negative", subject_of(field));
            finding.label = "time only goes forward";
            break;
        case TimeProblem::kTooFine:
            finding.message = fmt::format("{} is finer than a nanosecond", subject_of(field));
            finding.label = "rounding would hide what happens";
            break;
        case TimeProblem::kTooLong:
            finding.message = fmt::format("{} is longer than ten years", subject_of(field));
            finding.label = "at most ten years";
            break;
        case TimeProblem::kNoNumber:
            break;
    }
    if (!meant.empty()) {
        finding.label = fmt::format("did you mean {}?", meant);
        finding.suggestions.push_back({written, meant});
    }
    return finding;
}

}  // namespace klab::scenario
