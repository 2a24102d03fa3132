// SPDX-License-Identifier: Apache-2.0
//
// The records of a batch for `klab disk dump`, one after the other: what is shown leaves in pieces,
// so a batch of many millions of records takes no more memory than its own decompressed bytes.
//
// Called by: dump_log.
#pragma once

#include <string>

#include "model/storage/legacy_record.h"
#include "model/storage/record_batch.h"
#include "scenarios/cli/dump_item.h"

namespace klab::cli {

struct RecordsShown {
    std::string problem;  ///< why there are no more; "" when all were shown
    bool goes_on = true;  ///< false when the sink stopped it
};

/// The records as elements of a JSON array, or their lines.
/// @param name of the file
/// @param is_metadata the records are those of __cluster_metadata
[[nodiscard]] RecordsShown dump_records(const storage::RecordBatchView& batch,
                                        const std::string& name,
                                        bool is_metadata,
                                        const DumpOptions& options,
                                        const DumpSink& sink);

/// The same for a message of format 0 or 1.
[[nodiscard]] RecordsShown dump_records(const storage::LegacyMessageView& message,
                                        const std::string& name,
                                        const DumpOptions& options,
                                        const DumpSink& sink);

}  // namespace klab::cli
