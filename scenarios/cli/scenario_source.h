// SPDX-License-Identifier: Apache-2.0
//
// From what was typed to scenarios: files, folders (every scenario below), recorded traces (their
// first line holds the scenario), and the options that change a scenario before it runs.
//
// Owns: where the library of scenarios is. Called by: every command that takes a FILE.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/cli/terminal.h"
#include "scenarios/run/kafka_vocabulary.h"
#include "scenarios/run/scenario_loader.h"

namespace klab::cli {

/// The options that every command with a FILE shares.
struct ScenarioOptions {
    std::optional<std::string> variant;
    std::optional<std::uint64_t> seed;
    std::vector<std::string> sets;  ///< JSON-POINTER=VALUE
    std::optional<std::string> choices;
    std::optional<std::string> until;  ///< "9.5s"
};

/// One run to be made: a file and one of its variants.
struct Chosen {
    std::string path;
    std::string variant;  ///< "" for the file itself
};

/// Words of the real model.
[[nodiscard]] const scenario::KafkaVocabulary& vocabulary();

/// The files; a folder stands for every scenario below it, in the order of their paths. A path that
/// does not exist stays: loading it says so. Nothing for a folder without scenarios.
[[nodiscard]] std::vector<std::string> expand_paths(const std::vector<std::string>& paths);

/// Loads one run.
[[nodiscard]] scenario::LoadedScenario load(const Chosen& chosen, const ScenarioOptions& options);

/// The runs that `path` stands for: the variant asked for, or with `all_variants` the file and each
/// variant. A file that cannot be read stands for itself.
[[nodiscard]] std::vector<Chosen> choose(const std::string& path,
                                         const ScenarioOptions& options,
                                         bool all_variants);

/// Writes errors and warnings to stderr (warnings only unless `quiet`). True without an error.
bool report_problems(const scenario::LoadedScenario& loaded, bool quiet, Terminal& terminal);

/// The length of time in an option such as --until; says on stderr when it is none.
[[nodiscard]] std::optional<Duration> parse_time_option(const std::string& option,
                                                        const std::string& text,
                                                        Terminal& terminal);

/// The folder that holds lessons/ and catalog/: that of the source tree, or the installed one.
/// Nothing when there is none.
[[nodiscard]] std::optional<std::string> library_folder();

/// The path as seen from the current folder if it lies below, else as it is.
[[nodiscard]] std::string short_path(const std::string& path);

/// The arguments that select this run again: "FILE --variant acks-all --seed 3".
[[nodiscard]] std::string rerun_arguments(const std::string& path,
                                          const std::string& variant,
                                          const ScenarioOptions& options);

}  // namespace klab::cli
