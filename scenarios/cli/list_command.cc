// SPDX-License-Identifier: Apache-2.0
//
// klab list: the scenarios of the library or of a folder, with title, theme and variants.
#include <filesystem>

#include <fmt/format.h>

#include "scenarios/cli/commands.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

/// The folder that a scenario lies in: "04-acks", "replication".
std::string theme_of(const std::string& path) {
    return std::filesystem::path(path).parent_path().filename().string();
}

std::string entry_json(const std::string& path, const scenario::Scenario& scenario) {
    std::string variants;
    for (const scenario::VariantSpec& variant : scenario.variants) {
        variants += fmt::format("{}{{\"name\":{},\"title\":{}}}",
                                variants.empty() ? "" : ",",
                                scenario::quote_json(variant.name.value),
                                scenario::quote_json(variant.title));
    }
    return fmt::format("{{\"file\":{},\"title\":{},\"theme\":{},\"lesson\":{},\"variants\":[{}]}}",
                       scenario::quote_json(path),
                       scenario::quote_json(scenario.title),
                       scenario::quote_json(theme_of(path)),
                       scenario::quote_json(scenario.lesson),
                       variants);
}

std::string entry_text(const std::string& path,
                       const scenario::Scenario& scenario,
                       const Terminal& terminal) {
    std::string out = fmt::format("  {}\n      {}\n",
                                  viz::to_printable(path),
                                  terminal.tinted(Tone::kFaint, viz::to_printable(scenario.title)));
    for (const scenario::VariantSpec& variant : scenario.variants) {
        out += fmt::format("      --variant {}{}\n",
                           variant.name.value,
                           variant.title.empty() ? "" : ": " + viz::to_printable(variant.title));
    }
    return out;
}

}  // namespace

ExitCode list_command(const ListArguments& arguments, Terminal& terminal) {
    std::vector<std::string> paths = arguments.paths;
    if (paths.empty()) {
        const std::optional<std::string> library = library_folder();
        if (!library) {
            terminal.message("klab: the library of scenarios is not where it was built\n");
            return ExitCode::kWrongUse;
        }
        paths.push_back(short_path(*library));
    }
    ExitCode code = ExitCode::kOk;
    std::string theme;
    std::string text;
    std::string json;
    std::string first;
    for (const std::string& path : expand_paths(paths)) {
        const scenario::LoadedScenario loaded = load({path, ""}, {});
        if (!report_problems(loaded, true, terminal)) {
            code = ExitCode::kWrongUse;
            continue;
        }
        first = first.empty() ? path : first;
        json += (json.empty() ? "" : ",") + entry_json(path, *loaded.scenario);
        if (theme_of(path) != theme) {
            theme = theme_of(path);
            text += fmt::format("{}{}\n",
                                text.empty() ? "" : "\n",
                                terminal.tinted(Tone::kBold, viz::to_printable(theme)));
        }
        text += entry_text(path, *loaded.scenario, terminal);
    }
    if (arguments.json) {
        terminal.data(fmt::format("{{\"klab_list\":1,\"scenarios\":[{}]}}\n", json));
        return code;
    }
    if (text.empty() && code == ExitCode::kOk) {
        terminal.message("klab: no scenario there\n");
        return ExitCode::kWrongUse;
    }
    terminal.answer(text);
    if (!first.empty()) {
        terminal.answer(fmt::format(
            "\nNext: {}\n",
            terminal.tinted(Tone::kBold, "klab run " + rerun_arguments(first, "", {}))));
    }
    return code;
}

}  // namespace klab::cli
