// SPDX-License-Identifier: Apache-2.0
//
// LogSegment: one .log file of a partition and what is known of it in memory.
//
// Owns: nothing; log.cc, log_append.cc, log_truncate.cc and log_loader.cc write the fields.
// Called by: log.h and the files behind it.
// Kafka: LogSegment, FileRecords.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/storage/append_error.h"
#include "model/storage/batch_index.h"
#include "model/storage/disk_port.h"
#include "model/storage/record_batch.h"
#include "model/types/kafka_ids.h"
#include "sim/base/result.h"
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
    std::int64_t created_ms = 0;  ///< wall clock at creation, opening or emptying

    /// Position of the batch with this number; the size for the number after the last.
    [[nodiscard]] std::uint32_t position_of(std::size_t batch) const;

    /// Says that `batch` now follows at the end of the file.
    void note(const RecordBatchView& batch);

    friend bool operator==(const LogSegment&, const LogSegment&) = default;
};

/// "/data/orders-7/00000000000000000000.log".
[[nodiscard]] std::string segment_path(std::string_view directory, types::Offset base_offset);

/// Makes the empty file of a new segment; one that was left over is emptied. Errors: kStorage.
[[nodiscard]] Result<LogSegment, AppendError> create_segment(DiskPort disk,
                                                             std::string_view directory,
                                                             types::Offset base_offset);

/// Removes a segment's file. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> remove_segment(DiskPort disk,
                                                        std::string_view directory,
                                                        types::Offset base_offset);

/// Keeps the first `batches` batches. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> truncate_segment(DiskPort disk,
                                                          LogSegment& segment,
                                                          std::size_t batches);

}  // namespace klab::storage
