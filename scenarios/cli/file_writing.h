// SPDX-License-Identifier: Apache-2.0
//
// Files that the program writes: first under another name, then moved into place, so that whatever
// stops the program leaves whole files only.
//
// Called by: output_folder, draw, export, demo.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace klab::cli {

/// Why a file could not be written: "cannot write DIR/x: No space left on device".
using FileProblem = std::optional<std::string>;

/// Writes what `produce` gives to its sink; `produce` returns false when the sink refused.
[[nodiscard]] FileProblem write_file(
    const std::string& path,
    const std::function<bool(const std::function<bool(std::string_view)>& sink)>& produce);

[[nodiscard]] FileProblem write_file(const std::string& path, std::string_view text);

/// Makes the folder and those above it.
[[nodiscard]] FileProblem make_folder(const std::string& path);

}  // namespace klab::cli
