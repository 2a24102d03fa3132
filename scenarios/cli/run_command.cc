// SPDX-License-Identifier: Apache-2.0
//
// klab run: plays scenarios and reports. One run is reported in full, several in one line each (a
// run that did not pass in full all the same).
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/output_folder.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/cli/run_report.h"
#include "scenarios/cli/story.h"
#include "scenarios/cli/trace_export.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

/// How the runs of one command ended.
struct Tally {
    std::array<std::size_t, 3> verdicts{};  // by scenario::Verdict
    std::size_t wrong = 0;
    std::size_t bugs = 0;
    ExitCode code = ExitCode::kOk;
};

class Runner {
  public:
    Runner(const RunArguments& arguments, Terminal& terminal, bool single, Tally& tally)
        : arguments_(arguments), terminal_(terminal), single_(single), tally_(tally) {}

    void run(const Chosen& chosen) {
        const scenario::LoadedScenario loaded = load(chosen, arguments_.scenario);
        if (arguments_.json && !loaded.scenario) {
            terminal_.data(fmt::format("{{\"klab_error\":1,\"scenario\":{},\"diagnostics\":{}}}\n",
                                       scenario::quote_json(chosen.path),
                                       one_line(scenario::to_json(loaded.diagnostics))));
        }
        if (!report_problems(loaded, arguments_.volume == Volume::kQuiet, terminal_)) {
            ++tally_.wrong;
            tally_.code = worse(tally_.code, ExitCode::kWrongUse);
            return;
        }
        const std::string again = rerun_arguments(chosen.path, chosen.variant, arguments_.scenario);
        const ExitCode code =
            with_bug_report(again, terminal_, [&] { return play_loaded(chosen, loaded); });
        tally_.bugs += code == ExitCode::kBug ? 1U : 0U;
        tally_.code = worse(tally_.code, code);
    }

  private:
    ExitCode play_loaded(const Chosen& chosen, const scenario::LoadedScenario& loaded) {
        const std::string folder = folder_of(chosen);
        if (arguments_.out) {
            if (FileProblem problem = write_scenario(folder, loaded.json)) {
                return wrong(*problem);
            }
        }
        PlayOptions options;
        options.name = chosen.path;
        options.variant = chosen.variant;
        options.variant_title = loaded.variant_title;
        options.full_check = arguments_.full_check;
        options.keep_recording = arguments_.out.has_value() || wants_story();
        if (arguments_.scenario.until) {
            options.until = parse_time_option("--until", *arguments_.scenario.until, terminal_);
        }
        const RecordedRun run =
            play(std::make_shared<const scenario::Scenario>(*loaded.scenario), options);
        if (arguments_.out) {
            if (FileProblem problem = write_run(folder, run, *loaded.scenario, loaded.json)) {
                return wrong(*problem);
            }
        }
        report(run, *loaded.scenario);
        ++tally_.verdicts[static_cast<std::size_t>(run.result.verdict)];
        return run.interrupted ? ExitCode::kInterrupted
                               : static_cast<ExitCode>(scenario::exit_code(run.result.verdict));
    }

    [[nodiscard]] bool wants_story() const {
        return arguments_.volume >= Volume::kVerbose && !arguments_.json;
    }

    /// The folder itself for one run, a folder below it for each of several.
    [[nodiscard]] std::string folder_of(const Chosen& chosen) const {
        if (!arguments_.out || single_) {
            return arguments_.out.value_or("");
        }
        std::string name = std::filesystem::path(chosen.path).stem().string();
        name += chosen.variant.empty() ? "" : "." + chosen.variant;
        return *arguments_.out + "/" + name;
    }

    ExitCode wrong(const std::string& problem) {
        terminal_.message(fmt::format("klab: {}\n", problem));
        return ExitCode::kWrongUse;
    }

    void report(const RecordedRun& run, const scenario::Scenario& scenario) {
        if (arguments_.json) {
            // One object a line: several runs are JSON lines.
            terminal_.data(one_line(scenario::to_json(run.result)) + "\n");
            return;
        }
        const bool passed = run.result.verdict == scenario::Verdict::kPass;
        const bool in_full = arguments_.volume >= Volume::kVerbose ||
                             (arguments_.volume == Volume::kNormal && (single_ || !passed));
        if (!in_full) {
            std::string name = run.result.scenario;
            name += run.result.variant.empty() ? "" : " [" + run.result.variant + "]";
            terminal_.answer(fmt::format(
                "{}  {}\n", verdict_sign(run.result.verdict, terminal_), viz::to_printable(name)));
            return;
        }
        std::string out = report_head(run, scenario, terminal_);
        if (wants_story()) {
            const EventText events(run.trace);
            const StoryDetail detail =
                arguments_.volume == Volume::kAll ? StoryDetail::kAll : StoryDetail::kFolded;
            out += "\n" + terminal_.tinted(Tone::kBold, "What happened") + "\n" +
                   story_text(tell_story(events, detail), terminal_);
        }
        out += report_body(run.result, terminal_) + "\n" + verdict_line(run.result, terminal_);
        out += next_line(run.result, scenario, arguments_.scenario, terminal_);
        terminal_.answer(out + (single_ ? "" : "\n"));
    }

    const RunArguments& arguments_;
    Terminal& terminal_;
    bool single_;
    Tally& tally_;
};

std::string summary_line(const Tally& tally) {
    const auto count = [&](scenario::Verdict verdict) {
        return tally.verdicts[static_cast<std::size_t>(verdict)];
    };
    std::string out = fmt::format("{} passed, {} failed, {} undecided",
                                  count(scenario::Verdict::kPass),
                                  count(scenario::Verdict::kFail),
                                  count(scenario::Verdict::kUndecided));
    if (tally.wrong > 0) {
        out += fmt::format(", {} could not be read", tally.wrong);
    }
    if (tally.bugs > 0) {
        out += fmt::format(", {} met a bug of klab", tally.bugs);
    }
    return out + "\n";
}

}  // namespace

ExitCode run_command(const RunArguments& arguments, Terminal& terminal) {
    if (arguments.scenario.until &&
        !parse_time_option("--until", *arguments.scenario.until, terminal)) {
        return ExitCode::kWrongUse;
    }
    if (arguments.all_variants && arguments.scenario.variant) {
        terminal.message("klab: --all-variants plays every variant; leave --variant out\n");
        return ExitCode::kWrongUse;
    }
    std::vector<Chosen> runs;
    for (const std::string& path : expand_paths(arguments.paths)) {
        for (Chosen& chosen : choose(path, arguments.scenario, arguments.all_variants)) {
            runs.push_back(std::move(chosen));
        }
    }
    if (runs.empty()) {
        terminal.message(
            "klab: no scenario there (a scenario is a .json file); klab list shows the library\n");
        return ExitCode::kWrongUse;
    }
    Tally tally;
    Runner runner(arguments, terminal, runs.size() == 1, tally);
    for (const Chosen& chosen : runs) {
        if (tally.code == ExitCode::kInterrupted || interrupted()) {
            tally.code = ExitCode::kInterrupted;
            break;
        }
        runner.run(chosen);
    }
    if (runs.size() > 1 && !arguments.json) {
        terminal.answer(summary_line(tally));
    }
    if (arguments.out && !arguments.json && tally.code != ExitCode::kWrongUse) {
        terminal.message(fmt::format("written: {}\n", *arguments.out));
    }
    return tally.code;
}

}  // namespace klab::cli
