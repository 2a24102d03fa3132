// SPDX-License-Identifier: Apache-2.0
//
// See explain.h. Every fact comes from the tables; this file only puts them into sentences.
#include "model/types/explain.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/types/error_code.h"
#include "model/types/features.h"
#include "model/types/mutants.h"
#include "model/types/settings.h"
#include "model/types/versions.h"

namespace klab::types {

namespace {

constexpr std::size_t kWidth = 96;

/// The text in lines of at most kWidth characters, each behind `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent) {
    std::string out;
    std::string line(indent, ' ');
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const bool first = line.size() == indent;
        if (!first && line.size() + 1 + word.size() > kWidth) {
            out += line + '\n';
            line.assign(indent, ' ');
        } else if (!first) {
            line += ' ';
        }
        line += word;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out + line + '\n';
}

std::string_view next_step(Refresh refresh) {
    switch (refresh) {
        case Refresh::kNothing:
            return "A client may send the same request again.";
        case Refresh::kMetadata:
            return "A client may send the request again, after it has refreshed its metadata.";
        case Refresh::kCoordinator:
            return "A client may send the request again, after it has looked up its coordinator.";
    }
    return {};
}

std::string about(const ErrorInfo& error) {
    std::string out = fmt::format("{}: error code {}\n", error.name, to_wire(error.code));
    out += wrapped(error.meaning, 2);
    if (error.retriable) {
        out += wrapped(next_step(error.refresh), 2);
    } else if (error.code != ErrorCode::kNone) {
        out += wrapped("Sending the same request again does not help.", 2);
    }
    return out;
}

std::string_view support_text(Support support) {
    switch (support) {
        case Support::kKnown:
            return "klab knows this setting, but its model does not act on it (yet).";
        case Support::kModelled:
            return "klab's model acts on this setting.";
        case Support::kManaged:
            return "klab gives it a value itself; a scenario cannot set it.";
    }
    return {};
}

std::string shown_value(std::string_view value, Unit unit) {
    if (value == "null") {
        return "no value";
    }
    if (value.empty()) {
        return "empty";
    }
    if (value == "9223372036854775807") {
        return "9223372036854775807 (never)";
    }
    const std::string_view unit_name = to_text(unit);
    return unit_name.empty() ? std::string(value) : fmt::format("{} {}", value, unit_name);
}

std::string about(const Setting& setting, Where where) {
    std::string out =
        fmt::format("{}: setting of {}, {}\n", setting.name, to_text(where), to_text(setting.kind));
    out += wrapped(setting.meaning, 2);
    std::string facts = fmt::format("Default: {}", shown_value(setting.default_text, setting.unit));
    if (setting.old_default) {
        facts += fmt::format(" ({} before {})",
                             shown_value(setting.old_default->text, setting.unit),
                             to_text(setting.old_default->before));
    }
    facts += fmt::format(". Takes {}.", allowed_text(setting, kDefaultVersion));
    if (setting.old_min) {
        facts += fmt::format(
            " Before {} from {} on.", to_text(setting.old_min->before), setting.old_min->min);
    }
    out += wrapped(facts, 2);
    if (!setting.broker_name.empty()) {
        out += wrapped(
            fmt::format("A topic without it takes the broker's {}.", setting.broker_name), 2);
    }
    if (setting.since) {
        out += wrapped(fmt::format("Since Kafka {}.", to_text(*setting.since)), 2);
    }
    if (setting.until) {
        out += wrapped(fmt::format("No longer in Kafka {}.", to_text(*setting.until)), 2);
    }
    return out + wrapped(support_text(setting.support), 2);
}

std::string about(const FeatureInfo& feature) {
    std::string out = fmt::format("{}: feature ({})\n", feature.name, feature.source);
    out += wrapped(feature.meaning, 2);
    out += wrapped(fmt::format("Values: {}.", fmt::join(allowed_values(feature), ", ")), 2);
    std::string by_version = "In Kafka";
    for (const VersionInfo& version : all_versions()) {
        const bool last = version.version == all_versions().back().version;
        by_version += fmt::format(" {}: {}{}",
                                  version.name,
                                  value_in(feature.feature, version.version),
                                  last ? "." : ",");
    }
    out += wrapped(by_version, 2);
    if (!feature.modelled) {
        out += wrapped(fmt::format("klab does not model it yet: every run has {}.",
                                   allowed_values(feature).front()),
                       2);
    }
    return out;
}

std::string about(const MutantInfo& mutant) {
    std::string out = fmt::format("{}: mutant, a deliberately wrong rule\n", mutant.name);
    out += wrapped(mutant.wrong, 2);
    out += wrapped(fmt::format("Should be caught by: {}.", mutant.caught_by), 2);
    return out + wrapped(fmt::format("The right rule: {}.", mutant.source), 2);
}

std::string about(const VersionInfo& version) {
    std::string out = fmt::format("Kafka {}: metadata.version {} (level {})\n",
                                  version.name,
                                  version.metadata_version,
                                  version.metadata_level);
    out += wrapped(version.meaning, 2);
    out += "  Its rules:\n";
    for (const FeatureInfo& feature : all_features()) {
        out += fmt::format("    {:<30} {}{}\n",
                           feature.name,
                           value_in(feature.feature, version.version),
                           feature.modelled ? "" : "  (not modelled yet)");
    }
    return out;
}

/// Names of settings, each with the places that have it, in text.
class NamesWithPlaces {
  public:
    void add(std::string_view name, Where where) { places_[std::string(name)].push_back(where); }

    [[nodiscard]] bool empty() const { return places_.empty(); }

    /// "acks (producer), retry.backoff.max.ms (admin, consumer, producer)".
    [[nodiscard]] std::string text() const {
        std::vector<std::string> parts;
        for (const auto& [name, places] : places_) {
            std::vector<std::string_view> words;
            for (const Where where : places) {
                words.push_back(to_text(where));
            }
            parts.push_back(fmt::format("{} ({})", name, fmt::join(words, ", ")));
        }
        return fmt::format("{}", fmt::join(parts, ", "));
    }

  private:
    std::map<std::string, std::vector<Where>> places_;
};

struct ChangedSettings {
    NamesWithPlaces added;
    NamesWithPlaces removed;
    std::string defaults;
};

ChangedSettings changed_settings(KafkaVersion from, KafkaVersion to) {
    ChangedSettings changed;
    for (const Where where : all_places()) {
        for (const Setting& setting : settings_of(where)) {
            const bool before = exists_in(setting, from);
            const bool after = exists_in(setting, to);
            if (!before && after) {
                changed.added.add(setting.name, where);
            } else if (before && !after) {
                changed.removed.add(setting.name, where);
            } else if (default_in(setting, from) != default_in(setting, to)) {
                changed.defaults +=
                    fmt::format("    {:<50} {} -> {}\n",
                                fmt::format("{} ({})", setting.name, to_text(where)),
                                shown_value(default_in(setting, from), Unit::kNone),
                                shown_value(default_in(setting, to), Unit::kNone));
            }
        }
    }
    return changed;
}

std::string about(const VersionInfo& from, const VersionInfo& to) {
    std::string out = fmt::format("Kafka {} -> {}: what differs\n", from.name, to.name);
    const std::vector<FeatureDifference> rules = differences(from.version, to.version);
    out += rules.empty() ? "  Rules: nothing that klab knows.\n" : "  Rules:\n";
    for (const FeatureDifference& difference : rules) {
        const FeatureInfo& feature = info(difference.feature);
        out += fmt::format("    {}: {} -> {}  ({}){}\n",
                           feature.name,
                           difference.from,
                           difference.to,
                           feature.source,
                           feature.modelled ? "" : "  not modelled yet");
        out += wrapped(feature.meaning, 6);
    }
    const ChangedSettings settings = changed_settings(from.version, to.version);
    if (!settings.defaults.empty()) {
        out += "  Defaults:\n" + settings.defaults;
    }
    if (!settings.added.empty()) {
        out += "  New settings:\n" + wrapped(settings.added.text(), 4);
    }
    if (!settings.removed.empty()) {
        out += "  Settings that are gone:\n" + wrapped(settings.removed.text(), 4);
    }
    return out;
}

/// "19", "-1", or a name in any case.
std::optional<ErrorCode> error_of(std::string_view word) {
    std::int16_t number = 0;
    const char* end = word.data() + word.size();
    const auto [stop, failed] = std::from_chars(word.data(), end, number);
    if (failed == std::errc{} && stop == end) {
        const ErrorCode code = error_from_wire(number);
        return to_wire(code) == number ? std::optional(code) : std::nullopt;
    }
    std::string upper(word);
    for (char& c : upper) {
        if (c >= 'a' && c <= 'z') {
            c = static_cast<char>(c - 'a' + 'A');
        }
    }
    return find_error(upper);
}

std::optional<std::string> explain_range(std::string_view word) {
    const std::size_t dots = word.find("..");
    if (dots == std::string_view::npos) {
        return std::nullopt;
    }
    const std::optional<KafkaVersion> from = find_version(word.substr(0, dots));
    const std::optional<KafkaVersion> to = find_version(word.substr(dots + 2));
    if (!from || !to) {
        return std::nullopt;
    }
    return about(info(*from), info(*to));
}

}  // namespace

std::optional<std::string> explain(std::string_view word) {
    if (std::optional<std::string> range = explain_range(word)) {
        return range;
    }
    std::vector<std::string> paragraphs;
    if (const std::optional<ErrorCode> code = error_of(word)) {
        paragraphs.push_back(about(info(*code)));
    }
    for (const Where where : all_places()) {
        if (const Setting* setting = find_setting(word, where)) {
            paragraphs.push_back(about(*setting, where));
        }
    }
    if (const std::optional<KafkaVersion> version = find_version(word)) {
        paragraphs.push_back(about(info(*version)));
    }
    if (const std::optional<Feature> feature = find_feature(word)) {
        paragraphs.push_back(about(info(*feature)));
    }
    if (const std::optional<Mutant> mutant = find_mutant(word)) {
        paragraphs.push_back(about(info(*mutant)));
    }
    if (paragraphs.empty()) {
        return std::nullopt;
    }
    return fmt::format("{}", fmt::join(paragraphs, "\n"));
}

std::vector<std::string> explainable_words() {
    std::set<std::string> words;
    for (const ErrorInfo& error : all_errors()) {
        words.emplace(error.name);
    }
    for (const Where where : all_places()) {
        for (const Setting& setting : settings_of(where)) {
            words.emplace(setting.name);
        }
    }
    for (const VersionInfo& version : all_versions()) {
        words.emplace(version.name);
    }
    for (const FeatureInfo& feature : all_features()) {
        words.emplace(feature.name);
    }
    for (const MutantInfo& mutant : all_mutants()) {
        words.emplace(mutant.name);
    }
    return {words.begin(), words.end()};
}

}  // namespace klab::types
