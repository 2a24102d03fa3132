// SPDX-License-Identifier: Apache-2.0
//
// TimeIndex: from a timestamp to an offset of the segment up to which no batch is newer. Entries
// are added together with those of the offset index, and one last at a roll or close, so that the
// last entry of a closed segment is its largest timestamp.
//
// Owns: the last entry (volatile, read from the file when it is opened).
// Called by: log_segment.cc, segment_lookup.cc, segment_recovery.cc.
// Kafka: TimeIndex.
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/index_entries.h"
#include "model/storage/mapped_index.h"

namespace klab::storage {

/// May the last slot be used? It is kept for the entry of a roll or close.
enum class LastSlot : std::uint8_t { kReserved, kUsable };

class TimeIndex {
  public:
    TimeIndex() = default;

    TimeIndex(types::Offset base, std::uint32_t bytes_max)
        : base_(base), last_{-1, base}, file_(TimeIndexEntry::kBytes, bytes_max) {}

    [[nodiscard]] const MappedIndex& file() const { return file_; }

    [[nodiscard]] std::uint32_t entries() const { return file_.entries(); }

    /// (-1, base) when there is none.
    [[nodiscard]] const TimeIndexEntry& last_entry() const { return last_; }

    /// Only the last slot is free. A file that is not made yet has room.
    [[nodiscard]] bool is_full() const { return file_.entries() + 1 >= file_.entries_max(); }

    /// Requires: index < entries(). Errors: kStorage.
    [[nodiscard]] Result<TimeIndexEntry, AppendError> entry(DiskView disk,
                                                            std::uint32_t index) const;

    /// The greatest entry with a timestamp not above `timestamp`; (-1, base) when there is none.
    /// O(log n). Errors: kStorage.
    [[nodiscard]] Result<TimeIndexEntry, AppendError> lookup(DiskView disk,
                                                             std::int64_t timestamp) const;

    /// Makes the file if it is not there. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open(DiskPort disk, std::string_view path) {
        return file_.open(disk, path);
    }

    /// Opens the file if there is one. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open_existing(DiskPort disk, std::string_view path);

    /// Adds the entry if its timestamp is above the last one's. Requires: open. Errors: kIndexFull,
    /// kInvalidOffset, kInvalidTimestamp (below the last one's), kStorage.
    [[nodiscard]] std::optional<AppendError> maybe_append(DiskPort disk,
                                                          const TimeIndexEntry& entry,
                                                          LastSlot last_slot = LastSlot::kReserved);

    /// Drops entries at or above `offset`. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> truncate_to(DiskView disk, types::Offset offset);

    /// Drops all entries.
    void clear() {
        file_.cut(0);
        last_ = {-1, base_};
    }

    [[nodiscard]] std::optional<AppendError> trim(DiskPort disk) { return file_.trim(disk); }

    [[nodiscard]] Result<bool, AppendError> resize(DiskPort disk, std::uint32_t bytes_max) {
        return file_.resize(disk, bytes_max);
    }

    [[nodiscard]] std::optional<AppendError> sync(DiskPort disk) const { return file_.sync(disk); }

    friend bool operator==(const TimeIndex&, const TimeIndex&) = default;

  private:
    [[nodiscard]] std::optional<AppendError> load_last(DiskView disk);

    types::Offset base_;
    TimeIndexEntry last_;
    MappedIndex file_{TimeIndexEntry::kBytes, 0};
};

}  // namespace klab::storage
