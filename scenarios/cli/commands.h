// SPDX-License-Identifier: Apache-2.0
//
// The commands of klab with their arguments as plain data. Each is one file: run_command.cc,
// sweep_command.cc, ...
//
// Called by: command_line, tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/cli/exit_code.h"
#include "scenarios/cli/scenario_source.h"
#include "scenarios/cli/terminal.h"

namespace klab::cli {

/// How much is said: -q, nothing, -v, -vv.
enum class Volume : std::uint8_t { kQuiet, kNormal, kVerbose, kAll };

struct RunArguments {
    std::vector<std::string> paths;
    ScenarioOptions scenario;
    bool all_variants = false;
    bool full_check = false;
    bool json = false;
    std::optional<std::string> out;  ///< folder
    Volume volume = Volume::kNormal;
};

struct DemoArguments {
    std::string out = "klab-demo";
};

struct SweepArguments {
    std::vector<std::string> paths;
    ScenarioOptions scenario;
    bool all_variants = false;
    std::string seeds;          ///< "A..B"
    std::uint32_t threads = 0;  ///< 0: one for each core
    bool json = false;
    Volume volume = Volume::kNormal;
};

struct CheckArguments {
    std::vector<std::string> paths;
    bool json = false;
    Volume volume = Volume::kNormal;
};

struct ListArguments {
    std::vector<std::string> paths;  ///< empty: the library
    bool json = false;
};

struct DrawArguments {
    std::string kind;
    std::string path;
    ScenarioOptions scenario;
    std::optional<std::string> partition;
    std::optional<std::string> at;  ///< time or event
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::string around = "hw";
    std::string axis = "compressed";
    bool show_all = false;
    std::optional<std::string> node;     ///< segments: whose replica
    std::optional<std::int64_t> offset;  ///< segments: what to look for
    std::optional<std::string> format;
    std::optional<std::string> out;
};

struct ExportArguments {
    std::string path;
    ScenarioOptions scenario;
    std::string to = "jsonl";
    std::optional<std::string> out;
};

struct DiskArguments {
    std::string action;  ///< export or dump
    std::string path;    ///< of a scenario, or of a data directory or file
    ScenarioOptions scenario;
    std::optional<std::string> node;
    std::optional<std::string> at;   ///< virtual time; else the end of the run
    std::optional<std::string> out;  ///< folder
    bool json = false;
    Volume volume = Volume::kNormal;
};

struct ExplainArguments {
    std::vector<std::string> words;
    bool json = false;
};

[[nodiscard]] ExitCode run_command(const RunArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode demo_command(const DemoArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode sweep_command(const SweepArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode check_command(const CheckArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode list_command(const ListArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode draw_command(const DrawArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode export_command(const ExportArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode disk_command(const DiskArguments& arguments, Terminal& terminal);
[[nodiscard]] ExitCode explain_command(const ExplainArguments& arguments, Terminal& terminal);

/// `what`: scenario (JSON Schema), results (JSON Schemas of the answers of commands), fields and
/// events (Markdown).
[[nodiscard]] ExitCode schema_command(const std::string& what, Terminal& terminal);
[[nodiscard]] ExitCode version_command(bool json, Terminal& terminal);

}  // namespace klab::cli
