// SPDX-License-Identifier: Apache-2.0
//
// klab draw: a picture of a run, to stdout or a file.
#include <charconv>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/file_writing.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/run/did_you_mean.h"
#include "viz/draw.h"
#include "viz/printable.h"
#include "viz/segments_from_world.h"

namespace klab::cli {

namespace {

std::vector<std::string> words(const std::vector<std::string_view>& views) {
    return {views.begin(), views.end()};
}

/// The format asked for, else the one that the name of the output file says, else text.
std::string format_of(const DrawArguments& arguments) {
    if (arguments.format) {
        return *arguments.format;
    }
    const std::string extension =
        std::filesystem::path(arguments.out.value_or("")).extension().string();
    if (extension == ".gv") {
        return "dot";
    }
    const bool is_text = extension.empty() || extension == ".txt";
    return is_text ? "text" : extension.substr(1);  // x.png is no picture that klab writes
}

std::string unknown_word(std::string_view what,
                         const std::string& word,
                         const std::vector<std::string>& known) {
    const std::optional<std::string> nearest = scenario::nearest_word(word, known);
    return fmt::format("klab: there is no {} \"{}\"{}. There are: {}\n",
                       what,
                       word,
                       nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : "",
                       fmt::join(known, ", "));
}

/// "9.5s", or the number of an event: "#1234".
std::optional<Time> instant(const std::string& text, const RecordedRun& run, Terminal& terminal) {
    if (text[0] == '#') {
        std::uint64_t id = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + 1, end, id);
        if (error != std::errc() || stop != end) {
            terminal.message(fmt::format("klab: {} is no event: #1234\n", viz::to_printable(text)));
            return std::nullopt;
        }
        const sim::Event* event = run.trace.recording.find(sim::EventId(id));
        if (event == nullptr) {
            terminal.message(fmt::format("klab: the run has no event {}\n", id));
            return std::nullopt;
        }
        return Time{(event->time - run.trace.origin).ns};
    }
    const std::optional<Duration> time = parse_time_option("--at", text, terminal);
    if (time && *time > run.trace.end - run.trace.origin) {
        terminal.message(fmt::format("klab: the run ended at {}, before {}\n",
                                     to_text(run.trace.end - run.trace.origin),
                                     to_text(*time)));
        return std::nullopt;
    }
    return time ? std::optional<Time>(Time{time->ns}) : std::nullopt;
}

std::optional<viz::DrawOptions> draw_options(const DrawArguments& arguments,
                                             viz::PictureFormat format,
                                             const RecordedRun& run,
                                             Terminal& terminal) {
    viz::DrawOptions out;
    out.format = format;
    out.partition = arguments.partition;
    out.show_all = arguments.show_all;
    out.around = arguments.around == "divergence" ? viz::LogFocus::kDivergence
                                                  : viz::LogFocus::kHighWatermark;
    out.axis = viz::parse_time_axis(arguments.axis).value_or(viz::TimeAxis::kCompressed);
    out.text.width = terminal.width();
    out.text.charset = terminal.ascii() ? viz::Charset::kAscii : viz::Charset::kUnicode;
    const std::pair<const std::optional<std::string>*, std::optional<Time>*> times[] = {
        {&arguments.at, &out.at}, {&arguments.from, &out.from}, {&arguments.to, &out.to}};
    for (const auto& [text, time] : times) {
        if (*text && arguments.kind != "segments") {
            *time = (*text)->empty() ? std::nullopt : instant(**text, run, terminal);
            if (!*time) {
                return std::nullopt;
            }
        }
    }
    return out;
}

/// How far into the run --at is. An event has to be looked for: the run is played once for that.
/// Nothing, with a message, for an --at that is neither a time nor an event of the run.
std::optional<Duration> until_instant(const DrawArguments& arguments,
                                      const std::shared_ptr<const scenario::Scenario>& scenario,
                                      const PlayOptions& options,
                                      Terminal& terminal) {
    if (!arguments.at->starts_with('#')) {
        return parse_time_option("--at", *arguments.at, terminal);
    }
    const RecordedRun run = play(scenario, options);
    if (run.interrupted) {
        return std::nullopt;
    }
    const std::optional<Time> time = instant(*arguments.at, run, terminal);
    return time ? std::optional(Duration{time->ns}) : std::nullopt;
}

/// The picture segments looks into the world: the run stops at --at, and the lookup is made there.
/// False, with a message, for an --at that is no instant.
bool look_up_at_end(const DrawArguments& arguments,
                    const std::shared_ptr<const scenario::Scenario>& scenario,
                    PlayOptions& options,
                    std::optional<viz::SegmentsPicture>& found,
                    std::optional<std::string>& problem,
                    Terminal& terminal) {
    if (arguments.at) {
        options.until = until_instant(arguments, scenario, options, terminal);
        if (!options.until) {
            return false;
        }
    }
    const std::optional<Duration> until = options.until;
    options.at_end = [&, until](const world::KafkaWorld& world, Duration time, bool reached) {
        if (arguments.at && !reached && time < *until) {
            problem = fmt::format("the run ended at {}, before {}", to_text(time), *arguments.at);
            return;
        }
        auto picture = viz::segments_from_world(
            world, {arguments.partition, arguments.node, arguments.offset});
        if (picture) {
            found = std::move(picture).value();
        } else {
            const viz::NoSegments& error = picture.error();
            problem = error.message + (error.hint.empty() ? "" : "\n  " + error.hint);
        }
    };
    return true;
}

/// An option that this kind of picture has no use for; "" if there is none.
std::string idle_option(const DrawArguments& arguments, viz::PictureKind kind) {
    const bool is_segments = kind == viz::PictureKind::kSegments;
    const std::pair<bool, std::string_view> given[] = {
        {!is_segments && arguments.node.has_value(), "--node"},
        {!is_segments && arguments.offset.has_value(), "--offset"},
        {is_segments && arguments.from.has_value(), "--from"},
        {is_segments && arguments.to.has_value(), "--to"}};
    for (const auto& [is_idle, name] : given) {
        if (is_idle) {
            return std::string(name);
        }
    }
    return {};
}

ExitCode draw_loaded(const DrawArguments& arguments,
                     const scenario::LoadedScenario& loaded,
                     viz::PictureKind kind,
                     viz::PictureFormat format,
                     Terminal& terminal) {
    const auto options = play_options(arguments.path, arguments.scenario, terminal);
    if (!options) {
        return ExitCode::kWrongUse;
    }
    const auto scenario = std::make_shared<const scenario::Scenario>(*loaded.scenario);
    PlayOptions how_far = *options;
    std::optional<viz::SegmentsPicture> segments;
    std::optional<std::string> problem;
    if (kind == viz::PictureKind::kSegments) {
        if (!look_up_at_end(arguments, scenario, how_far, segments, problem, terminal)) {
            return interrupted() ? ExitCode::kInterrupted : ExitCode::kWrongUse;
        }
    }
    RecordedRun run = play(scenario, how_far);
    run.trace.segments = std::move(segments);
    if (problem && !run.interrupted) {
        terminal.message(fmt::format("klab: {}\n", *problem));
        return ExitCode::kWrongUse;
    }
    if (run.interrupted) {
        return ExitCode::kInterrupted;
    }
    const std::optional<viz::DrawOptions> how = draw_options(arguments, format, run, terminal);
    if (!how) {
        return ExitCode::kWrongUse;
    }
    const Result<std::string, viz::DrawError> picture = viz::draw(kind, run.trace, *how);
    if (!picture.ok()) {
        const viz::DrawError& error = picture.error();
        terminal.message(fmt::format(
            "klab: {}\n{}", error.message, error.hint.empty() ? "" : "  " + error.hint + "\n"));
        return ExitCode::kWrongUse;
    }
    if (!arguments.out) {
        terminal.data(*picture);
        return ExitCode::kOk;
    }
    if (FileProblem failed = write_file(*arguments.out, *picture)) {
        terminal.message(fmt::format("klab: {}\n", *failed));
        return ExitCode::kWrongUse;
    }
    terminal.message(fmt::format("written: {}\n", *arguments.out));
    return ExitCode::kOk;
}

}  // namespace

ExitCode draw_command(const DrawArguments& arguments, Terminal& terminal) {
    const std::optional<viz::PictureKind> kind = viz::parse_picture_kind(arguments.kind);
    if (!kind) {
        terminal.message(unknown_word("picture", arguments.kind, words(viz::picture_kind_words())));
        return ExitCode::kWrongUse;
    }
    const std::string format_word = format_of(arguments);
    const std::optional<viz::PictureFormat> format = viz::parse_picture_format(format_word);
    if (!format) {
        terminal.message(unknown_word("format", format_word, words(viz::picture_format_words())));
        return ExitCode::kWrongUse;
    }
    if (const std::string option = idle_option(arguments, *kind); !option.empty()) {
        terminal.message(fmt::format("klab: draw {} takes no {}\n", arguments.kind, option));
        return ExitCode::kWrongUse;
    }
    const Chosen chosen{arguments.path, arguments.scenario.variant.value_or("")};
    const scenario::LoadedScenario loaded = load(chosen, arguments.scenario);
    if (!report_problems(loaded, true, terminal)) {
        return ExitCode::kWrongUse;
    }
    return with_bug_report(
        rerun_arguments(chosen.path, chosen.variant, arguments.scenario), terminal, [&] {
            return draw_loaded(arguments, loaded, *kind, *format, terminal);
        });
}

}  // namespace klab::cli
