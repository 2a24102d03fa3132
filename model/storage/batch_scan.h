// SPDX-License-Identifier: Apache-2.0
//
// BatchScan: the batches of a segment's file one after another with all their bytes, for those who
// read whole segments. The file is read a window at a time into the same memory, so a scan needs no
// more of it for a segment of a gigabyte than for one of a megabyte.
//
// Owns: the window. Called by: segment_recovery.cc, producer_rebuild.cc.
// Kafka: FileRecords.batches, FileLogInputStream.
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/append_error.h"
#include "model/storage/disk_port.h"
#include "model/storage/record_batch.h"

namespace klab::storage {

class BatchScan {
  public:
    /// Holds any batch of the default max.message.bytes; a larger batch gets a larger window.
    static constexpr std::uint32_t kWindowBytes = 1U << 20U;

    /// Scans bytes `from` to `to` of the file. Requires: from <= to.
    BatchScan(DiskView disk, sim::FileId file, std::uint32_t from, std::uint32_t to)
        : disk_(disk), file_(file), position_(from), end_(to) {}

    /// The next batch, whatever its checksum; it lives until the next call. Nothing at the end, at
    /// a torn tail and at damage. Errors: kStorage.
    [[nodiscard]] Result<std::optional<RecordBatchView>, AppendError> next();

    /// Where the batch begins that next() will return.
    [[nodiscard]] std::uint32_t position() const { return position_; }

  private:
    [[nodiscard]] ByteView unread() const;
    /// Reads from position() on. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> read_window(std::uint32_t bytes);

    DiskView disk_;
    sim::FileId file_;
    std::uint32_t position_;
    std::uint32_t end_;
    Bytes window_;
    std::uint32_t window_at_ = 0;  // position of its first byte
    std::uint32_t filled_ = 0;     // bytes of it that were read
    bool has_read_ = false;
};

}  // namespace klab::storage
