// SPDX-License-Identifier: Apache-2.0
//
// The rows of the event table that tell of logs and their directories. Called by: kafka_events.cc.
#pragma once

#include <vector>

#include "sim/trace/event.h"

namespace klab::types::events {

/// log.appended, log.truncated, log.recovered: the first kinds.
[[nodiscard]] std::vector<sim::EventDef> log_rows();

/// log_dir.failed.
[[nodiscard]] std::vector<sim::EventDef> disk_rows();

/// What follows from a failed directory, and what becomes of logs that are given up.
[[nodiscard]] std::vector<sim::EventDef> directory_rows();

/// What happens to segments, and how offsets are found in them.
[[nodiscard]] std::vector<sim::EventDef> segment_rows();

/// What the log cleaner does.
[[nodiscard]] std::vector<sim::EventDef> cleaner_rows();

/// delete_records.completed.
[[nodiscard]] std::vector<sim::EventDef> deletion_rows();

}  // namespace klab::types::events
