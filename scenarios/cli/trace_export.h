// SPDX-License-Identifier: Apache-2.0
//
// A recorded run as JSON lines: one line about the run (with the scenario itself, so that the file
// can be given wherever klab takes a FILE), then one line for each event.
//
// Owns: the trace format, version 1; docs/trace-format.md describes it.
// Called by: export, output_folder.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "scenarios/cli/event_text.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/run/json_tree.h"

namespace klab::cli {

/// Takes the text in pieces; false stops the export (the disk is full).
using Sink = std::function<bool(std::string_view piece)>;

/// The first line. `scenario_file`: the file as it ran, all changes applied.
[[nodiscard]] std::string trace_head(const RecordedRun& run, const scenario::Json& scenario_file);

/// One event as one line of JSON with its line end.
[[nodiscard]] std::string trace_line(const EventText& events, const sim::Event& event);

/// A JSON text on one line, without a line end.
[[nodiscard]] std::string one_line(const std::string& json);

/// The whole trace. False when the sink did not take it.
bool write_trace(const RecordedRun& run, const scenario::Json& scenario_file, const Sink& sink);

/// One value of an event as JSON: numbers, names, lists; null for an absent node or text.
[[nodiscard]] std::string json_field(const EventText& events,
                                     const sim::Event& event,
                                     std::size_t index);

}  // namespace klab::cli
