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

/// Something below the path that was asked for.
struct FoundFile {
    std::string path;
    std::string skipped;         ///< why it is not read; "" for a regular file
    bool is_unreadable = false;  ///< it should have been read and could not
};

/// All files below `path` (or the file itself), sorted; links are not followed. Folders stand there
/// only when they cannot be read.
[[nodiscard]] std::vector<FoundFile> files_below(const std::string& path);

/// Names what is not read, and why.
/// @return false when the sink stopped it
bool dump_skipped(const FoundFile& found, const std::string& name, const DumpSink& sink);

/// @param name as it is shown
/// @return false when the sink stopped it
bool dump_file(const std::string& path,
               const std::string& name,
               const DumpOptions& options,
               const DumpSink& sink);

}  // namespace klab::cli
