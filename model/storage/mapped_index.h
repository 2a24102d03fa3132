// SPDX-License-Identifier: Apache-2.0
//
// MappedIndex: what the offset index and the time index of a segment share. A file of entries of
// one size, mapped into memory and preallocated while its segment is active, without checksum. The
// number of entries is known in memory only: a file that was not trimmed (a crash) looks full, its
// tail being zeros or old entries, and is believed when it is opened.
//
//     |entry|entry|entry|000000000000000000000000000|
//      <--- entries() -->                            <- entries_max(), file length while active
//
// Owns: the number of entries (volatile; after a clean close it is length / entry size).
// Called by: offset_index.cc, time_index.cc.
// Kafka: AbstractIndex, LazyIndex.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/storage/append_error.h"
#include "model/storage/disk_port.h"
#include "sim/base/result.h"

namespace klab::storage {

/// Entries at the end that a lookup looks at first, in bytes: newer pages are likelier in memory.
inline constexpr std::uint32_t kWarmIndexBytes = 8192;

class MappedIndex {
  public:
    MappedIndex() = default;

    /// Of a file that is not open yet, for entries of `entry_bytes`; a full file has at most
    /// `bytes_max` (segment.index.bytes), rounded down to whole entries.
    MappedIndex(std::uint32_t entry_bytes, std::uint32_t bytes_max)
        : entry_bytes_(entry_bytes), entries_max_(bytes_max / entry_bytes) {}

    [[nodiscard]] bool is_open() const { return file_.has_value(); }

    [[nodiscard]] std::uint32_t entries() const { return entries_; }

    /// Room for so many entries.
    [[nodiscard]] std::uint32_t entries_max() const { return entries_max_; }

    /// Bytes of the entries.
    [[nodiscard]] std::uint32_t bytes_used() const { return entries_ * entry_bytes_; }

    /// Opens the file, or makes it with its full size. Nothing when it is open. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open(DiskPort disk, std::string_view path);

    /// Opens the file if there is one: its length says how many entries it has. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open_existing(DiskPort disk, std::string_view path);

    /// Copies entry `index` into `out`. Requires: index < entries(), out is one entry.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> read(DiskView disk,
                                                  std::uint32_t index,
                                                  std::span<std::uint8_t> out) const;

    /// Requires: open. Errors: kIndexFull, kStorage.
    [[nodiscard]] std::optional<AppendError> append(DiskPort disk, ByteView entry);

    /// Forgets entries from `entries` on; their bytes stay in the file until something is written
    /// over them.
    void cut(std::uint32_t entries) { entries_ = std::min(entries_, entries); }

    /// Cuts the file to its entries (roll, clean close). Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> trim(DiskPort disk);

    /// Gives the file the size of `bytes_max` again (the segment becomes active). Says whether
    /// that was news. Errors: kStorage.
    [[nodiscard]] Result<bool, AppendError> resize(DiskPort disk, std::uint32_t bytes_max);

    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> sync(DiskPort disk) const;

    friend bool operator==(const MappedIndex&, const MappedIndex&) = default;

  private:
    std::optional<sim::FileId> file_;
    std::uint32_t entry_bytes_ = 8;
    std::uint32_t entries_ = 0;
    std::uint32_t entries_max_ = 0;
};

/// How an entry stands to what is searched.
using EntryOrder = Result<std::strong_ordering, AppendError>;

/// The last of `entries` ascending entries that is not greater than what is searched; nothing when
/// all are. `order_of(index)` compares one entry with it; an equal one ends the search. Looks at
/// the warm end first and, if the answer is not there, at the rest: the same answer as a plain
/// binary search, from fewer cold pages.
template <typename Order>
[[nodiscard]] Result<std::optional<std::uint32_t>, AppendError> find_floor_entry(
    std::uint32_t entries, std::uint32_t entry_bytes, Order&& order_of) {
    using Found = std::optional<std::uint32_t>;
    if (entries == 0) {
        return Found();
    }
    std::uint32_t low = 0;
    std::uint32_t high = entries - 1;
    const std::uint32_t warm = kWarmIndexBytes / entry_bytes;
    const std::uint32_t first_hot = high > warm ? high - warm : 0;
    const EntryOrder hot = order_of(first_hot);
    if (!hot) {
        return Error{hot.error()};
    }
    if (*hot < 0) {
        low = first_hot;
    } else {
        const EntryOrder first = first_hot == 0 ? hot : order_of(0);
        if (!first) {
            return Error{first.error()};
        }
        if (*first > 0) {
            return Found();
        }
        high = first_hot;
    }
    while (low < high) {
        const std::uint32_t middle = low + (high - low + 1) / 2;
        const EntryOrder order = order_of(middle);
        if (!order) {
            return Error{order.error()};
        }
        if (*order == 0) {
            return Found(middle);
        }
        (*order < 0 ? low : high) = *order < 0 ? middle : middle - 1;
    }
    return Found(low);
}

}  // namespace klab::storage
