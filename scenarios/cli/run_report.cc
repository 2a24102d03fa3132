// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/run_report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/cli/story.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

using scenario::RunResult;
using scenario::Verdict;

constexpr std::string_view kHeld = "\u2713";
constexpr std::string_view kBroken = "\u2717";
constexpr std::string_view kCheckedPrefix = "checked.";

/// A paragraph behind `indent` blanks.
std::string paragraph(std::string_view text, std::int32_t indent, const Terminal& terminal) {
    std::string out;
    if (text.empty()) {
        return out;
    }
    for (const std::string& line : viz::wrap_words(text, terminal.width() - indent)) {
        out += fmt::format("{:{}}{}\n", "", indent, line);
    }
    return out;
}

std::string heading(std::string_view text, const Terminal& terminal) {
    return fmt::format("\n{}\n", terminal.tinted(Tone::kBold, text));
}

std::string steps_text(const RunResult& result, const Terminal& terminal) {
    if (result.steps.empty()) {
        return {};
    }
    std::size_t widest = 0;
    for (const scenario::StepResult& step : result.steps) {
        widest = std::max(widest, step.name.size());
    }
    std::string out = heading("Steps", terminal);
    for (const scenario::StepResult& step : result.steps) {
        const std::string when =
            step.fired_at ? fmt::format("fired at {}{}",
                                        clock_text(*step.fired_at),
                                        step.times > 1 ? fmt::format(", {} times", step.times) : "")
                          : terminal.tinted(Tone::kBad, "never fired");
        out += fmt::format("  {:<{}}  {}\n", step.name, widest, when);
    }
    return out;
}

std::string expectation_text(const scenario::ExpectationResult& row, const Terminal& terminal) {
    std::string sign = terminal.tinted(Tone::kNotice, "?");
    std::string found = "its moment never came";
    if (row.held) {
        sign =
            *row.held ? terminal.tinted(Tone::kGood, kHeld) : terminal.tinted(Tone::kBad, kBroken);
        found = scenario::to_text(row.value);
        if (std::holds_alternative<bool>(row.value) || found.empty()) {
            found.clear();
        }
        if (!*row.held) {
            found = "does not hold" + (found.empty() ? "" : ": it is " + found);
            found += row.event ? fmt::format(" (event {})", *row.event) : "";
        } else {
            found.clear();
        }
    }
    std::string out = fmt::format("  {} {}", sign, viz::to_printable(row.that));
    out += found.empty() ? "\n" : "   " + found + "\n";
    return out + paragraph(row.why, 6, terminal);
}

std::string expectations_text(const RunResult& result, const Terminal& terminal) {
    if (result.expect.empty()) {
        return {};
    }
    std::string out = heading("Expectations", terminal);
    for (const scenario::ExpectationResult& row : result.expect) {
        out += expectation_text(row, terminal);
    }
    return out;
}

std::string violations_text(const RunResult& result, const Terminal& terminal) {
    if (result.violations.empty()) {
        return {};
    }
    std::string out = heading("What broke", terminal);
    for (const scenario::ViolationResult& row : result.violations) {
        const bool excused = row.allowed || row.expected;
        std::string why = row.allowed ? "allowed under these settings" : "nothing allows it";
        if (row.expected) {
            why += ", expected by the file";
        }
        out += fmt::format(
            "  {} {} at {}{}: {}\n",
            terminal.tinted(excused ? Tone::kNotice : Tone::kBad, excused ? "!" : kBroken),
            terminal.tinted(Tone::kBold, row.invariant),
            clock_text(row.time),
            row.node.empty() ? "" : " on " + row.node,
            why);
        out += paragraph(row.statement, 6, terminal);
        out += paragraph(row.detail, 6, terminal);
        if (row.repeats > 0) {
            out += fmt::format("      (and {} more like it)\n", row.repeats);
        }
    }
    return out;
}

std::string anomalies_text(const RunResult& result, const Terminal& terminal) {
    if (result.anomalies.empty()) {
        return {};
    }
    std::string out = heading("What clients would notice", terminal);
    for (const scenario::AnomalyResult& row : result.anomalies) {
        std::string detail = row.detail;
        const std::string prefix = row.kind + ": ";
        if (detail.compare(0, prefix.size(), prefix) == 0) {
            detail.erase(0, prefix.size());
        }
        out += fmt::format("  {}\n", terminal.tinted(Tone::kNotice, row.kind));
        out += paragraph(detail, 6, terminal);
    }
    return out;
}

/// How many of the checks had something to look at: a check that never had proves nothing.
std::string checks_text(const RunResult& result) {
    std::size_t checks = 0;
    std::string idle;
    std::int64_t looks = 0;
    for (const auto& [name, number] : result.stats) {
        if (name.compare(0, kCheckedPrefix.size(), kCheckedPrefix) == 0) {
            ++checks;
            looks += number;
            idle +=
                number > 0 ? "" : (idle.empty() ? "" : ", ") + name.substr(kCheckedPrefix.size());
        }
    }
    if (checks == 0) {
        return {};
    }
    return fmt::format("  {} checks looked {} times{}\n",
                       checks,
                       looks,
                       idle.empty() ? "" : "; nothing to look at for " + idle);
}

/// "p1.sent": one line for what stands before the dot.
std::string figures_text(const RunResult& result, const Terminal& terminal) {
    std::string out;
    std::string open_group;
    for (const auto& [name, number] : result.stats) {
        const std::size_t dot = name.find('.');
        const bool is_check = name.compare(0, kCheckedPrefix.size(), kCheckedPrefix) == 0;
        if (dot == std::string::npos || is_check) {
            continue;
        }
        const std::string group = name.substr(0, dot);
        if (group != open_group) {
            out += fmt::format("{}  {}: ", out.empty() ? "" : "\n", group);
        } else {
            out += ", ";
        }
        open_group = group;
        out += fmt::format("{} {}", number, name.substr(dot + 1));
    }
    out += out.empty() ? "" : "\n";
    out += checks_text(result);
    return out.empty() ? out : heading("Figures", terminal) + out;
}

Tone tone_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kPass:
            return Tone::kGood;
        case Verdict::kFail:
            return Tone::kBad;
        case Verdict::kUndecided:
            return Tone::kNotice;
    }
    return Tone::kBad;
}

bool had_election(const scenario::Scenario& scenario, const RunResult& result) {
    for (std::size_t i = 0; i < scenario.timeline.size() && i < result.steps.size(); ++i) {
        for (const scenario::Action& action : scenario.timeline[i].actions) {
            const std::string& verb = action.verb.value;
            if (result.steps[i].fired_at && (verb == "crash" || verb == "power_off")) {
                return true;
            }
        }
    }
    return false;
}

std::size_t held_count(const RunResult& result) {
    std::size_t held = 0;
    for (const scenario::ExpectationResult& row : result.expect) {
        held += row.held.value_or(false) ? 1U : 0U;
    }
    return held;
}

}  // namespace

std::string report_head(const RecordedRun& run,
                        const scenario::Scenario& scenario,
                        const Terminal& terminal) {
    const RunResult& result = run.result;
    std::string out = terminal.tinted(Tone::kBold, viz::to_printable(result.title)) + "\n";
    if (!run.variant_title.empty()) {
        out += fmt::format("variant {}: {}\n",
                           result.variant,
                           terminal.tinted(Tone::kBold, viz::to_printable(run.variant_title)));
    }
    out += fmt::format("{}{}, seed {}, Kafka {} rules\n",
                       viz::to_printable(result.scenario),
                       result.variant.empty() ? "" : ", variant " + result.variant,
                       result.seed,
                       scenario.kafka.value);
    if (!scenario.note.empty() && result.variant.empty()) {  // the note is about the file itself
        out += paragraph(scenario.note, 0, terminal);
    }
    return out;
}

std::string report_body(const RunResult& result, const Terminal& terminal) {
    return steps_text(result, terminal) + expectations_text(result, terminal) +
           violations_text(result, terminal) + anomalies_text(result, terminal) +
           figures_text(result, terminal);
}

std::string verdict_line(const RunResult& result, const Terminal& terminal) {
    std::string word(scenario::name_of(result.verdict));
    std::transform(word.begin(), word.end(), word.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    std::string out = terminal.tinted(tone_of(result.verdict), word);
    out += fmt::format(": {} of {} expectations hold ({} of virtual time, {} events, trace {})\n",
                       held_count(result),
                       result.expect.size(),
                       clock_text(result.virtual_time),
                       result.events,
                       result.trace_hash.substr(0, 12));
    out += paragraph(viz::to_printable(result.why), 2, terminal);
    for (const std::string& note : result.notes) {
        out += paragraph("Note: " + note, 2, terminal);
    }
    return out;
}

std::string verdict_sign(Verdict verdict, const Terminal& terminal) {
    switch (verdict) {
        case Verdict::kPass:
            return terminal.tinted(Tone::kGood, fmt::format("{} pass     ", kHeld));
        case Verdict::kFail:
            return terminal.tinted(Tone::kBad, fmt::format("{} fail     ", kBroken));
        case Verdict::kUndecided:
            return terminal.tinted(Tone::kNotice, "? undecided");
    }
    return {};
}

std::string next_line(const RunResult& result,
                      const scenario::Scenario& scenario,
                      const ScenarioOptions& options,
                      const Terminal& terminal) {
    const std::string same = rerun_arguments(result.scenario, result.variant, options);
    std::string command;
    if (result.verdict != Verdict::kPass) {
        command = fmt::format("klab run {} -v", same);
    } else if (result.variant.empty() && !scenario.variants.empty()) {
        command = fmt::format(
            "klab run {}",
            rerun_arguments(result.scenario, scenario.variants.front().name.value, options));
    } else if (had_election(scenario, result)) {
        command = fmt::format("klab draw election {} --format text", same);
    } else {
        command = fmt::format("klab draw sequence {} --format text", same);
    }
    return fmt::format("Next: {}\n", terminal.tinted(Tone::kBold, command));
}

}  // namespace klab::cli
