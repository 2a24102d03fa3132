// SPDX-License-Identifier: Apache-2.0
//
// A recorded run as tables (CSV, RFC 4180, UTF-8, one header line), for notebooks and spreadsheets:
// all events, the messages with what became of them, and the replicas each time they changed. Times
// are nanoseconds since the scenario's time 0; an absent value is an empty cell.
//
// Called by: export, output_folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/event_text.h"

namespace klab::cli {

struct TraceTable {
    std::string name;  ///< of the file, without ".csv"
    std::string csv;
};

/// id, time_ns, node, kind, causes, fields (as JSON).
[[nodiscard]] std::string events_table(const EventText& events);

/// message, from, to, api, reply, bytes, sent_ns, ended_ns, outcome (received, lost, under way) and
/// reason.
[[nodiscard]] std::string messages_table(const EventText& events);

/// event, time_ns, partition, broker, role, leader_epoch, log_end_offset, high_watermark, isr: one
/// row for each change of a replica. The ISR is that of a leader.
[[nodiscard]] std::string replicas_table(const EventText& events);

/// All tables: "events", "messages", "replicas".
[[nodiscard]] std::vector<TraceTable> trace_tables(const EventText& events);

}  // namespace klab::cli
