// SPDX-License-Identifier: Apache-2.0
//
// See io_buffer.h.
#include "model/storage/cleaner/io_buffer.h"

#include <algorithm>

namespace klab::storage::cleaner {

namespace {

std::uint64_t unsigned_of(std::int64_t bytes) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
}

/// The size of the batch that begins the chunk, from its header.
std::optional<std::uint64_t> first_batch_size(ByteView chunk) {
    if (chunk.size() <= BatchField::kMagic || !frame_batch(chunk)) {
        return std::nullopt;
    }
    const auto length = load_be<std::int32_t>(chunk.data() + BatchField::kLength);
    return kLogOverhead + unsigned_of(length);
}

}  // namespace

IoBuffer::IoBuffer(const IoBufferSettings& settings)
    : first_size_(
          std::max<std::uint64_t>(unsigned_of(settings.io_buffer_bytes / settings.threads / 2), 1)),
      size_(first_size_),
      broker_max_(unsigned_of(settings.message_max_bytes)) {}

std::optional<CleaningError> IoBuffer::grow(const IoShortage& shortage) {
    std::uint64_t wanted = unsigned_of(shortage.topic_max_message_bytes);
    if (size_ >= wanted) {
        // Batches may be larger than the topic allows: the limit was lowered, or compression made a
        // rebuilt batch longer. Then the header has to say how much is needed.
        const auto batch_size = first_batch_size(shortage.chunk);
        if (!batch_size || *batch_size <= size_ || *batch_size > shortage.bytes_left) {
            return CleaningError::kCorruptRecord;
        }
        wanted = *batch_size;
    }
    const std::uint64_t most = std::max(wanted, broker_max_);
    if (size_ >= most) {
        return CleaningError::kBatchTooLarge;
    }
    size_ = std::min(size_ * 2, most);
    return std::nullopt;
}

}  // namespace klab::storage::cleaner
