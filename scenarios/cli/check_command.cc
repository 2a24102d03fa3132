// SPDX-License-Identifier: Apache-2.0
//
// klab check: says what is wrong with scenario files, without running them.
#include <fmt/format.h>

#include "scenarios/cli/commands.h"
#include "viz/printable.h"

namespace klab::cli {

ExitCode check_command(const CheckArguments& arguments, Terminal& terminal) {
    const std::vector<std::string> files = expand_paths(arguments.paths);
    if (files.empty()) {
        terminal.message("klab: no scenario there; klab list shows the library\n");
        return ExitCode::kWrongUse;
    }
    std::size_t wrong = 0;
    std::string json;
    for (const std::string& path : files) {
        const scenario::LoadedScenario loaded = load({path, ""}, {});
        wrong += loaded.scenario ? 0U : 1U;
        if (arguments.json) {
            json += fmt::format("{}{{\"file\":{},\"ok\":{},\"diagnostics\":{}}}",
                                json.empty() ? "" : ",",
                                scenario::quote_json(path),
                                loaded.scenario.has_value(),
                                scenario::to_json(loaded.diagnostics));
            continue;
        }
        const bool right = report_problems(loaded, arguments.volume == Volume::kQuiet, terminal);
        if (right && arguments.volume != Volume::kQuiet) {
            terminal.answer(fmt::format(
                "{} {}\n", terminal.tinted(Tone::kGood, "\u2713"), viz::to_printable(path)));
        }
    }
    if (arguments.json) {
        terminal.data(fmt::format("{{\"klab_check\":1,\"files\":[{}]}}\n", json));
    } else if (wrong > 0) {
        terminal.answer(fmt::format(
            "{} of {} file{} wrong\n", wrong, files.size(), files.size() == 1 ? " is" : "s are"));
    } else if (files.size() == 1 && arguments.volume != Volume::kQuiet) {
        terminal.answer(fmt::format(
            "Next: {}\n",
            terminal.tinted(Tone::kBold, "klab run " + rerun_arguments(files.front(), "", {}))));
    }
    return wrong > 0 ? ExitCode::kWrongUse : ExitCode::kOk;
}

}  // namespace klab::cli
