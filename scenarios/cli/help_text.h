// SPDX-License-Identifier: Apache-2.0
//
// The commands of klab in one table, and the help that is made from it.
//
// Called by: command_line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace klab::cli {

struct CommandHelp {
    std::string_view name;
    std::string_view usage;     ///< what follows the name
    std::string_view summary;   ///< one line
    std::string_view examples;  ///< lines, or empty
    bool for_beginners = false;
};

/// In the order of the help.
[[nodiscard]] const std::vector<CommandHelp>& command_table();

/// Nullptr for an unknown command.
[[nodiscard]] const CommandHelp* find_command(std::string_view name);

[[nodiscard]] std::vector<std::string> command_names();

/// What `klab` alone says: two examples and the commands a beginner needs.
[[nodiscard]] std::string short_help();

/// All commands.
[[nodiscard]] std::string full_help();

/// The layout of `klab COMMAND --help`.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_layout();

}  // namespace klab::cli
