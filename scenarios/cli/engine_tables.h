// SPDX-License-Identifier: Apache-2.0
//
// Tables of the engine that the program shows. They stand behind headers that take long to read, so
// one file reads them for all.
//
// Called by: event_text, scenario_source, explain, trace_docs.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/event.h"

namespace klab::cli {

/// The kernel's rows of the event table and Kafka's.
[[nodiscard]] const sim::EventTable& joined_events();

/// Names of the choice sites that an override may fix.
[[nodiscard]] std::vector<std::string> choice_sites();

}  // namespace klab::cli
