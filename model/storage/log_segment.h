// SPDX-License-Identifier: Apache-2.0
//
// LogSegment: one .log file of a partition and what is known of it in memory.
//
// Owns: nothing; log.cc and log_loader.cc write the fields.
// Called by: log.h.
// Kafka: LogSegment, FileRecords.
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/batch_index.h"
#include "model/types/kafka_ids.h"
#include "sim/disk/disk_types.h"

namespace klab::storage {

struct LogSegment {
    types::Offset base_offset;
    sim::FileId file;
    std::uint32_t size = 0;  ///< bytes of whole batches
    BatchIndex batches;
    /// ms, the first batch's maximum: the age of the segment counts from it (segment.ms). Nothing
    /// while the segment is empty or that batch carries no timestamp.
    std::optional<std::int64_t> first_timestamp;
    std::int64_t created_ms = 0;  ///< wall clock at creation or opening

    friend bool operator==(const LogSegment&, const LogSegment&) = default;
};

}  // namespace klab::storage
