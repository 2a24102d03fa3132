// SPDX-License-Identifier: Apache-2.0
//
// Reads one text as strict JSON into a tree with positions: nlohmann/json's SAX pass over an
// iterator that counts. Refused, each with its place: bytes that are not UTF-8, nesting deeper than
// 64, a key given twice, numbers that do not fit, text that ends too early, more than a million
// values. Nothing recurses, so hostile nesting costs nothing.
//
// Called by: scenario_loader, json_edit (values of --set).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/json_tree.h"
#include "sim/base/result.h"

namespace klab::scenario {

constexpr std::size_t kFileBytesMax = std::size_t{16} * 1024U * 1024U;
constexpr std::size_t kDepthMax = 64;
constexpr std::size_t kValuesMax = 250'000;

/// Parses the text with number `source`. What is wrong goes to `findings`; nothing is returned only
/// when there is no document at all (a duplicate key still gives one).
[[nodiscard]] std::optional<Json> read_json(const SourceText& text,
                                            std::uint32_t source,
                                            Findings& findings);

/// The bytes of a file. Errors: S001 missing or unreadable, S002 not a regular file, S003 larger
/// than kFileBytesMax.
[[nodiscard]] Result<std::string, Diagnostic> read_text_file(const std::string& path);

}  // namespace klab::scenario
