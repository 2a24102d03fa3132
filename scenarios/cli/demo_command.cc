// SPDX-License-Identifier: Apache-2.0
//
// klab demo: one lesson told twice, under acks=1 and under acks=all, with pictures of the loss.
#include <memory>

#include <fmt/format.h>

#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/output_folder.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/cli/run_report.h"
#include "scenarios/cli/story.h"
#include "viz/draw.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

constexpr std::string_view kLesson = "lessons/04-acks/acks1-lost.json";
constexpr std::string_view kSafeVariant = "acks-all";

std::string replica_logs(const RecordedRun& run, const Terminal& terminal) {
    viz::DrawOptions options;
    options.format = viz::PictureFormat::kText;
    options.text.width = terminal.width();
    options.text.charset = terminal.ascii() ? viz::Charset::kAscii : viz::Charset::kUnicode;
    const Result<std::string, viz::DrawError> picture =
        viz::draw(viz::PictureKind::kLog, run.trace, options);
    return picture.ok() ? "\n" + *picture : std::string();
}

/// Plays one of the two, tells it, and leaves its files in `folder`.
ExitCode tell(const Chosen& chosen, const std::string& folder, Terminal& terminal) {
    const scenario::LoadedScenario loaded = load(chosen, {});
    if (!report_problems(loaded, false, terminal)) {
        return ExitCode::kWrongUse;
    }
    PlayOptions options;
    options.name = short_path(chosen.path);
    options.variant = chosen.variant;
    options.variant_title = loaded.variant_title;
    const RecordedRun run =
        play(std::make_shared<const scenario::Scenario>(*loaded.scenario), options);
    const EventText events(run.trace);
    std::string out = report_head(run, *loaded.scenario, terminal) + "\n";
    out += story_text(tell_story(events, StoryDetail::kFolded), terminal);
    out += replica_logs(run, terminal);
    out += report_body(run.result, terminal) + "\n" + verdict_line(run.result, terminal);
    terminal.answer(out);
    FileProblem problem = write_scenario(folder, loaded.json);
    if (!problem) {
        problem = write_run(folder, run, *loaded.scenario, loaded.json);
    }
    if (problem) {
        terminal.message(fmt::format("klab: {}\n", *problem));
        return ExitCode::kWrongUse;
    }
    return run.interrupted ? ExitCode::kInterrupted
                           : static_cast<ExitCode>(scenario::exit_code(run.result.verdict));
}

void show_files(const std::string& folder, Terminal& terminal) {
    for (const std::string& name : pictures_in(folder)) {
        if (name.find(".svg") != std::string::npos) {
            terminal.answer(fmt::format("  {}/pictures/{}\n", folder, name));
        }
    }
}

}  // namespace

ExitCode demo_command(const DemoArguments& arguments, Terminal& terminal) {
    const std::optional<std::string> library = library_folder();
    if (!library) {
        terminal.message("klab: the scenarios that belong to klab are not where they were built\n");
        return ExitCode::kWrongUse;
    }
    const std::string path = *library + "/" + std::string(kLesson);
    const std::string rule(static_cast<std::size_t>(terminal.width()), '-');
    ExitCode code = ExitCode::kOk;
    const Chosen both[] = {{path, ""}, {path, std::string(kSafeVariant)}};
    const std::string folders[] = {arguments.out + "/acks-1", arguments.out + "/acks-all"};
    for (std::size_t i = 0; i < 2 && code != ExitCode::kInterrupted; ++i) {
        terminal.answer(i == 0 ? "" : "\n" + terminal.tinted(Tone::kFaint, rule) + "\n");
        const std::string again = rerun_arguments(both[i].path, both[i].variant, {});
        code = worse(code, with_bug_report(again, terminal, [&] {
                         return tell(both[i], folders[i], terminal);
                     }));
    }
    if (code == ExitCode::kOk) {
        terminal.answer("\nPictures (open them in a browser):\n");
        for (const std::string& folder : folders) {
            show_files(folder, terminal);
        }
        terminal.answer(fmt::format(
            "\nThe same records, the same crash: acks=1 lost three of them, acks=all none.\n"
            "Open first: {}/pictures/election.svg, then log.svg\n"
            "Next: {} shows more failures to play\n",
            folders[0],
            terminal.tinted(Tone::kBold, "klab list")));
    }
    return code;
}

}  // namespace klab::cli
