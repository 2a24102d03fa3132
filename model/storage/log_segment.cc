// SPDX-License-Identifier: Apache-2.0
//
// See log_segment.h.
#include "model/storage/log_segment.h"

#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"

namespace klab::storage {

std::uint32_t LogSegment::position_of(std::size_t batch) const {
    return batch == batches.size() ? size : batches.at(batch).position;
}

void LogSegment::note(const RecordBatchView& batch) {
    if (batches.empty() && batch.max_timestamp() >= 0) {
        first_timestamp = batch.max_timestamp();
    }
    batches.append({batch.last_offset(), size});
    size += static_cast<std::uint32_t>(batch.size());
}

std::string segment_path(std::string_view directory, types::Offset base_offset) {
    return join_path(directory, segment_file_name(base_offset));
}

Result<LogSegment, AppendError> create_segment(DiskPort disk,
                                               std::string_view directory,
                                               types::Offset base_offset) {
    const auto file = disk.create(segment_path(directory, base_offset));
    if (!file) {
        return Error{AppendError::kStorage};
    }
    const auto size = disk.size(*file);
    if (!size || (*size > 0 && !disk.truncate(*file, 0))) {
        return Error{AppendError::kStorage};
    }
    LogSegment segment;
    segment.base_offset = base_offset;
    segment.file = *file;
    segment.created_ms = disk.now_ms();
    return segment;
}

std::optional<AppendError> remove_segment(DiskPort disk,
                                          std::string_view directory,
                                          types::Offset base_offset) {
    return disk.remove(segment_path(directory, base_offset)) ? std::nullopt
                                                             : std::optional(AppendError::kStorage);
}

std::optional<AppendError> truncate_segment(DiskPort disk,
                                            LogSegment& segment,
                                            std::size_t batches) {
    const std::uint32_t size = segment.position_of(batches);
    if (size == segment.size) {
        return std::nullopt;
    }
    if (!disk.truncate(segment.file, size)) {
        return AppendError::kStorage;
    }
    segment.size = size;
    segment.batches.truncate(batches);
    if (batches == 0) {
        segment.first_timestamp.reset();
        segment.created_ms = disk.now_ms();
    }
    return std::nullopt;
}

}  // namespace klab::storage
