// SPDX-License-Identifier: Apache-2.0
//
// See time_index.h.
#include "model/storage/time_index.h"

#include <array>

namespace klab::storage {

Result<TimeIndexEntry, AppendError> TimeIndex::entry(DiskView disk, std::uint32_t index) const {
    std::array<std::uint8_t, TimeIndexEntry::kBytes> bytes{};
    if (const auto error = file_.read(disk, index, bytes)) {
        return Error{*error};
    }
    return decode_time_index_entry(bytes, base_);
}

Result<TimeIndexEntry, AppendError> TimeIndex::lookup(DiskView disk, std::int64_t timestamp) const {
    const auto floor =
        find_floor_entry(entries(), TimeIndexEntry::kBytes, [&](std::uint32_t index) -> EntryOrder {
            const auto one = entry(disk, index);
            return one ? EntryOrder(one->timestamp <=> timestamp) : Error{one.error()};
        });
    if (!floor) {
        return Error{floor.error()};
    }
    return *floor ? entry(disk, **floor) : TimeIndexEntry{-1, base_};
}

std::optional<AppendError> TimeIndex::open_existing(DiskPort disk, std::string_view path) {
    if (const auto error = file_.open_existing(disk, path)) {
        return error;
    }
    return load_last(disk);
}

std::optional<AppendError> TimeIndex::load_last(DiskView disk) {
    last_ = {-1, base_};
    if (entries() == 0) {
        return std::nullopt;
    }
    const auto last = entry(disk, entries() - 1);
    if (!last) {
        return last.error();
    }
    last_ = *last;
    return std::nullopt;
}

std::optional<AppendError> TimeIndex::maybe_append(DiskPort disk,
                                                   const TimeIndexEntry& entry,
                                                   LastSlot last_slot) {
    if (last_slot == LastSlot::kReserved && is_full()) {
        return AppendError::kIndexFull;
    }
    if (entries() > 0 && entry.offset < last_.offset) {
        return AppendError::kInvalidOffset;
    }
    if (entries() > 0 && entry.timestamp < last_.timestamp) {
        return AppendError::kInvalidTimestamp;
    }
    if (entry.timestamp <= last_.timestamp) {
        return std::nullopt;
    }
    Bytes bytes;
    encode(bytes, entry, base_);
    if (const auto error = file_.append(disk, bytes)) {
        return error;
    }
    last_ = entry;
    return std::nullopt;
}

std::optional<AppendError> TimeIndex::truncate_to(DiskView disk, types::Offset offset) {
    const auto floor =
        find_floor_entry(entries(), TimeIndexEntry::kBytes, [&](std::uint32_t index) -> EntryOrder {
            const auto one = entry(disk, index);
            if (!one) {
                return Error{one.error()};
            }
            return one->offset < offset ? std::strong_ordering::less
                                        : std::strong_ordering::greater;
        });
    if (!floor) {
        return floor.error();
    }
    file_.cut(*floor ? **floor + 1 : 0);
    return load_last(disk);
}

}  // namespace klab::storage
