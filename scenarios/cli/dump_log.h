// SPDX-License-Identifier: Apache-2.0
//
// A file of record batches (a segment's .log, a snapshot of the metadata log), batch by batch: only
// one batch is in memory. Messages of formats 0 and 1, from before 0.11, are shown too. Damage is
// told and passed over as far as the lengths allow.
//
// Called by: dump_files.
// Kafka: kafka-dump-log (DumpLogSegments).
#pragma once

#include <string>

#include "scenarios/cli/dump_item.h"

namespace klab::cli {

/// Larger batches are named and not read; Kafka's default limit is 1 MiB.
inline constexpr std::uint64_t kBatchBytesMax = 64U << 20U;

/// @param name as it is shown
/// @param is_metadata the records are those of __cluster_metadata
/// @return false when the sink stopped it. Unreadable files are an item.
bool dump_log(const std::string& path,
              const std::string& name,
              bool is_metadata,
              const DumpOptions& options,
              const DumpSink& sink);

}  // namespace klab::cli
