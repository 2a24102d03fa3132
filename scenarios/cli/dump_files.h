// SPDX-License-Identifier: Apache-2.0
//
// The files of a Kafka data directory by their names: which reader each gets. What is none of
// Kafka's is named with its size.
//
// Called by: disk_command.
#pragma once

#include <string>
#include <vector>

#include "scenarios/cli/dump_item.h"

namespace klab::cli {

/// All regular files below `path` (or the file itself), sorted; links are not followed.
/// @param problem set when a folder could not be read: the listing is not complete then
[[nodiscard]] std::vector<std::string> files_below(const std::string& path, std::string& problem);

/// @param name as it is shown
/// @return false when the sink stopped it
bool dump_file(const std::string& path,
               const std::string& name,
               const DumpOptions& options,
               const DumpSink& sink);

}  // namespace klab::cli
