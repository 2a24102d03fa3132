// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/scenario_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "model/check/check_table.h"
#include "scenarios/cli/engine_tables.h"
#include "scenarios/run/json_reader.h"
#include "scenarios/run/text_rules.h"

namespace klab::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceBegin = "{\"klab_trace\":";

bool is_scenario_name(const fs::path& path) {
    const std::string name = path.filename().string();
    constexpr std::string_view kSchemaEnd = ".schema.json";
    const bool is_schema =
        name.size() >= kSchemaEnd.size() &&
        name.compare(name.size() - kSchemaEnd.size(), kSchemaEnd.size(), kSchemaEnd) == 0;
    return path.extension() == ".json" && !is_schema;
}

std::vector<std::string> files_below(const fs::path& folder) {
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator walk(
        folder, fs::directory_options::skip_permission_denied, error);
    while (!error && walk != fs::recursive_directory_iterator()) {
        if (walk->is_regular_file(error) && is_scenario_name(walk->path())) {
            files.push_back(walk->path().string());
        }
        walk.increment(error);
    }
    std::sort(files.begin(), files.end());
    return files;
}

scenario::LoadOptions load_options(const Chosen& chosen, const ScenarioOptions& options) {
    scenario::LoadOptions out;
    if (!chosen.variant.empty()) {
        out.variant = chosen.variant;
    }
    out.sets = options.sets;
    out.choices_path = options.choices;
    out.seed = options.seed;
    return out;
}

/// Nothing when the file cannot be read, or its first line is longer than a scenario may be.
std::optional<std::string> first_line(const std::string& path) {
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    if (!fs::is_regular_file(path, error) || !file) {
        return std::nullopt;
    }
    std::string line;
    for (char c = 0; line.size() <= scenario::kFileBytesMax && file.get(c) && c != '\n';) {
        line += c;
    }
    return line.size() > scenario::kFileBytesMax ? std::nullopt : std::optional(std::move(line));
}

/// The scenario inside a recorded trace, as text; nothing when the file is no trace.
std::optional<std::string> scenario_of_trace(const std::string& path) {
    const std::optional<std::string> line = first_line(path);
    if (!line || !line->starts_with(kTraceBegin)) {
        return std::nullopt;
    }
    const scenario::SourceText head(path, *line);
    scenario::Findings findings;
    const std::optional<scenario::Json> json = scenario::read_json(head, 0, findings);
    const scenario::Json* inner = json ? json->find("scenario_file") : nullptr;
    if (inner == nullptr) {
        return std::nullopt;
    }
    return scenario::to_json_text(*inner);
}

bool may_be_trace(const std::string& path) { return fs::path(path).extension() == ".jsonl"; }

/// A path or pointer as a shell takes it.
std::string shell_word(const std::string& word) {
    constexpr std::string_view kSafe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
    if (!word.empty() && word.find_first_not_of(kSafe) == std::string::npos) {
        return word;
    }
    std::string out = "'";
    for (const char c : word) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + "'";
}

std::vector<std::string> invariant_ids() {
    std::vector<std::string> ids;
    for (const check::CheckInfo& row : check::all_checks()) {
        ids.emplace_back(row.id);
    }
    return ids;
}

}  // namespace

const scenario::KafkaVocabulary& vocabulary() {
    static const scenario::KafkaVocabulary kWords(invariant_ids(), choice_sites());
    return kWords;
}

std::vector<std::string> expand_paths(const std::vector<std::string>& paths) {
    std::vector<std::string> out;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            out.push_back(path);
            continue;
        }
        for (std::string& file : files_below(path)) {
            out.push_back(std::move(file));
        }
    }
    return out;
}

scenario::LoadedScenario load(const Chosen& chosen, const ScenarioOptions& options) {
    const scenario::LoadOptions changes = load_options(chosen, options);
    if (may_be_trace(chosen.path)) {
        if (std::optional<std::string> text = scenario_of_trace(chosen.path)) {
            return scenario::load_scenario_text(
                chosen.path, std::move(*text), changes, vocabulary());
        }
    }
    return scenario::load_scenario(chosen.path, changes, vocabulary());
}

std::vector<Chosen> choose(const std::string& path,
                           const ScenarioOptions& options,
                           bool all_variants) {
    std::vector<Chosen> out{{path, options.variant.value_or("")}};
    if (!all_variants) {
        return out;
    }
    const scenario::LoadedScenario loaded = load(out.front(), options);
    if (loaded.scenario) {
        for (const scenario::VariantSpec& variant : loaded.scenario->variants) {
            out.push_back({path, variant.name.value});
        }
    }
    return out;
}

bool report_problems(const scenario::LoadedScenario& loaded, bool quiet, Terminal& terminal) {
    const scenario::DiagnosticList& list = loaded.diagnostics;
    if (list.errors > 0 || (list.warnings > 0 && !quiet)) {
        terminal.message(scenario::render(list));
    }
    return loaded.scenario.has_value();
}

std::optional<Duration> parse_time_option(const std::string& option,
                                          const std::string& text,
                                          Terminal& terminal) {
    const scenario::TimeText time = scenario::parse_duration(text);
    if (!time.duration) {
        terminal.message(fmt::format(
            "klab: {} takes a time with a unit, for example 9.5s or 200ms, not \"{}\"\n",
            option,
            text));
    }
    return time.duration;
}

std::optional<std::string> library_folder() {
    std::error_code error;
    for (const char* folder : {KLAB_SCENARIO_SOURCE_DIR, KLAB_SCENARIO_INSTALL_DIR}) {
        if (fs::is_directory(fs::path(folder) / "lessons", error)) {
            return folder;
        }
    }
    // Installed under another prefix: bin/klab and share/klab/scenarios lie side by side.
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path moved = program.parent_path().parent_path() / "share/klab/scenarios";
    if (!error && fs::is_directory(moved / "lessons", error)) {
        return moved.string();
    }
    return std::nullopt;
}

std::string short_path(const std::string& path) {
    std::error_code error;
    const fs::path here = fs::current_path(error);
    if (error) {
        return path;
    }
    const fs::path relative = fs::path(path).lexically_relative(here);
    const bool below = !relative.empty() && *relative.begin() != "..";
    return below ? relative.string() : path;
}

std::string rerun_arguments(const std::string& path,
                            const std::string& variant,
                            const ScenarioOptions& options) {
    std::string out = shell_word(path);
    if (!variant.empty()) {
        out += " --variant " + shell_word(variant);
    }
    for (const std::string& set : options.sets) {
        out += " --set " + shell_word(set);
    }
    if (options.choices) {
        out += " --choices " + shell_word(*options.choices);
    }
    if (options.seed) {
        out += fmt::format(" --seed {}", *options.seed);
    }
    return out;
}

}  // namespace klab::cli
