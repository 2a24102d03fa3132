// SPDX-License-Identifier: Apache-2.0
//
// See offset_index.h.
#include "model/storage/offset_index.h"

#include <array>

namespace klab::storage {

namespace {

/// For a search of the last entry strictly below something.
EntryOrder below(bool is_below) {
    return is_below ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace

Result<OffsetIndexEntry, AppendError> OffsetIndex::entry(DiskView disk, std::uint32_t index) const {
    std::array<std::uint8_t, OffsetIndexEntry::kBytes> bytes{};
    if (const auto error = file_.read(disk, index, bytes)) {
        return Error{*error};
    }
    return decode_offset_index_entry(bytes, base_);
}

Result<OffsetIndexEntry, AppendError> OffsetIndex::lookup(
    DiskView disk, types::Offset target, std::vector<IndexComparison>* seen) const {
    const auto found = find_floor_entry(
        entries(), OffsetIndexEntry::kBytes, [&](std::uint32_t index) -> EntryOrder {
            const auto one = entry(disk, index);
            if (!one) {
                return Error{one.error()};
            }
            if (seen != nullptr) {
                seen->push_back({index, *one, one->offset <= target});
            }
            return one->offset <=> target;
        });
    if (!found) {
        return Error{found.error()};
    }
    return *found ? entry(disk, **found) : OffsetIndexEntry{base_, 0};
}

Result<std::optional<OffsetIndexEntry>, AppendError> OffsetIndex::first_at(
    DiskView disk, std::int64_t position) const {
    const auto before = find_floor_entry(
        entries(), OffsetIndexEntry::kBytes, [&](std::uint32_t index) -> EntryOrder {
            const auto one = entry(disk, index);
            return one ? below(one->position < position) : Error{one.error()};
        });
    if (!before) {
        return Error{before.error()};
    }
    const std::uint32_t next = *before ? **before + 1 : 0;
    if (next == entries()) {
        return std::optional<OffsetIndexEntry>();
    }
    const auto found = entry(disk, next);
    return found ? Result<std::optional<OffsetIndexEntry>, AppendError>(std::optional(*found))
                 : Error{found.error()};
}

std::optional<AppendError> OffsetIndex::open_existing(DiskPort disk, std::string_view path) {
    if (const auto error = file_.open_existing(disk, path)) {
        return error;
    }
    return load_last(disk);
}

std::optional<AppendError> OffsetIndex::load_last(DiskView disk) {
    last_offset_ = base_;
    if (entries() == 0) {
        return std::nullopt;
    }
    const auto last = entry(disk, entries() - 1);
    if (!last) {
        return last.error();
    }
    last_offset_ = last->offset;
    return std::nullopt;
}

std::optional<AppendError> OffsetIndex::append(DiskPort disk, const OffsetIndexEntry& entry) {
    if (entries() > 0 && entry.offset <= last_offset_) {
        return AppendError::kInvalidOffset;
    }
    Bytes bytes;
    encode(bytes, entry, base_);
    if (const auto error = file_.append(disk, bytes)) {
        return error;
    }
    last_offset_ = entry.offset;
    return std::nullopt;
}

std::optional<AppendError> OffsetIndex::truncate_to(DiskView disk, types::Offset offset) {
    const auto floor = find_floor_entry(
        entries(), OffsetIndexEntry::kBytes, [&](std::uint32_t index) -> EntryOrder {
            const auto one = entry(disk, index);
            return one ? below(one->offset < offset) : Error{one.error()};
        });
    if (!floor) {
        return floor.error();
    }
    file_.cut(*floor ? **floor + 1 : 0);
    return load_last(disk);
}

}  // namespace klab::storage
