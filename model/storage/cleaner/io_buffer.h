// SPDX-License-Identifier: Apache-2.0
//
// IoBuffer: how many bytes of a segment the cleaner reads at a time. A segment is read in pieces of
// this size; a piece ends inside a batch as a rule, and the next one begins with that batch. When
// not even one batch fits, the buffer grows and the same place is read again:
//
//     start         log.cleaner.io.buffer.size / log.cleaner.threads / 2   (one to read, one to
//                                                                            write)
//     each time     twice as large, up to the larger of the topic's max.message.bytes and the
//                   broker's message.max.bytes
//     beyond that   as large as the batch, if the segment has that many bytes left
//
// After each segment it has its first size again.
//
// Called by: the cleaning pass. Kafka: Cleaner.growBuffersOrFail, growBuffers, restoreBuffers.
// Simplified: a buffer of size 0 counts as 1 byte (Kafka's cleaner would turn for ever).
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/cleaner/cleaning_error.h"

namespace klab::storage::cleaner {

struct IoBufferSettings {
    std::int64_t io_buffer_bytes = 524288;     ///< log.cleaner.io.buffer.size
    std::int32_t threads = 1;                  ///< log.cleaner.threads
    std::int64_t message_max_bytes = 1048588;  ///< message.max.bytes of the broker
};

/// What did not fit.
struct IoShortage {
    ByteView chunk;                ///< read from the segment: no whole batch at its start
    std::uint64_t bytes_left = 0;  ///< of the segment, from the start of the chunk on
    std::int64_t topic_max_message_bytes = 0;
};

class IoBuffer {
  public:
    IoBuffer() = default;

    /// Requires: threads > 0.
    explicit IoBuffer(const IoBufferSettings& settings);

    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Errors: kCorruptRecord (the batch says it is longer than the segment, or its header is
    /// broken), kBatchTooLarge.
    [[nodiscard]] std::optional<CleaningError> grow(const IoShortage& shortage);

    void restore() { size_ = first_size_; }

    friend bool operator==(const IoBuffer&, const IoBuffer&) = default;

  private:
    std::uint64_t first_size_ = 262144;
    std::uint64_t size_ = 262144;
    std::uint64_t broker_max_ = 1048588;
};

}  // namespace klab::storage::cleaner
