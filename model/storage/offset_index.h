// SPDX-License-Identifier: Apache-2.0
//
// OffsetIndex: from an offset to a place in the segment's .log from which a scan finds it. Sparse:
// an entry is added only after more than index.interval.bytes since the last one.
//
//     .index of segment 368796           .log
//     (368801,  5120) -----------------> batch that starts at byte 5120 and ends at offset 368801
//     (368806, 10240)
//
// Owns: the last indexed offset (volatile, read from the file when it is opened).
// Called by: log_segment.cc, segment_lookup.cc, segment_recovery.cc.
// Kafka: OffsetIndex.
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/index_entries.h"
#include "model/storage/mapped_index.h"

namespace klab::storage {

/// What a lookup compared, in order, for those who draw it.
struct IndexComparison {
    std::uint32_t index = 0;  ///< number of the entry
    OffsetIndexEntry entry;
    bool is_at_or_below = false;  ///< its offset is not above what is searched

    friend bool operator==(const IndexComparison&, const IndexComparison&) = default;
};

class OffsetIndex {
  public:
    OffsetIndex() = default;

    /// Of a segment based at `base`; no file yet. `bytes_max`: segment.index.bytes.
    OffsetIndex(types::Offset base, std::uint32_t bytes_max)
        : base_(base), last_offset_(base), file_(OffsetIndexEntry::kBytes, bytes_max) {}

    [[nodiscard]] const MappedIndex& file() const { return file_; }

    [[nodiscard]] std::uint32_t entries() const { return file_.entries(); }

    /// Offset of the last entry; the base of the segment when there is none.
    [[nodiscard]] types::Offset last_offset() const { return last_offset_; }

    /// No room for another entry. A file that is not made yet has room.
    [[nodiscard]] bool is_full() const { return file_.entries() >= file_.entries_max(); }

    /// Requires: index < entries(). Errors: kStorage.
    [[nodiscard]] Result<OffsetIndexEntry, AppendError> entry(DiskView disk,
                                                              std::uint32_t index) const;

    /// The greatest entry with an offset not above `target`; (base, 0) when there is none. O(log
    /// n). With `seen`, notes every entry it looked at. Errors: kStorage.
    [[nodiscard]] Result<OffsetIndexEntry, AppendError> lookup(
        DiskView disk, types::Offset target, std::vector<IndexComparison>* seen = nullptr) const;

    /// The first entry at or behind byte `position`. Errors: kStorage.
    [[nodiscard]] Result<std::optional<OffsetIndexEntry>, AppendError> first_at(
        DiskView disk, std::int64_t position) const;

    /// Makes the file if it is not there. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open(DiskPort disk, std::string_view path) {
        return file_.open(disk, path);
    }

    /// Opens the file if there is one. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open_existing(DiskPort disk, std::string_view path);

    /// Requires: open. Errors: kIndexFull, kInvalidOffset (not above the last offset), kStorage.
    [[nodiscard]] std::optional<AppendError> append(DiskPort disk, const OffsetIndexEntry& entry);

    /// Drops entries at or above `offset`. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> truncate_to(DiskView disk, types::Offset offset);

    /// Drops all entries.
    void clear() {
        file_.cut(0);
        last_offset_ = base_;
    }

    [[nodiscard]] std::optional<AppendError> trim(DiskPort disk) { return file_.trim(disk); }

    [[nodiscard]] Result<bool, AppendError> resize(DiskPort disk, std::uint32_t bytes_max) {
        return file_.resize(disk, bytes_max);
    }

    [[nodiscard]] std::optional<AppendError> sync(DiskPort disk) const { return file_.sync(disk); }

    friend bool operator==(const OffsetIndex&, const OffsetIndex&) = default;

  private:
    [[nodiscard]] std::optional<AppendError> load_last(DiskView disk);

    types::Offset base_;
    types::Offset last_offset_;
    MappedIndex file_{OffsetIndexEntry::kBytes, 0};
};

}  // namespace klab::storage
