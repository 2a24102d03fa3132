// SPDX-License-Identifier: Apache-2.0
//
// The three index files of a segment, entry by entry, and what is wrong with them by themselves and
// beside the .log of the same name.
//
// Called by: dump_files.
// Kafka: kafka-dump-log (DumpLogSegments.dumpIndex, dumpTimeIndex, dumpTxnIndex), which compares
// the same.
#pragma once

#include "scenarios/cli/dump_item.h"

namespace klab::cli {

/// Each returns false when the sink or Ctrl-C stopped it.
bool dump_offset_index(const FileDump& dump);
bool dump_time_index(const FileDump& dump);
bool dump_transaction_index(const FileDump& dump);

}  // namespace klab::cli
