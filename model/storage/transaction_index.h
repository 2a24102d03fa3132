// SPDX-License-Identifier: Apache-2.0
//
// TransactionIndex: the aborted transactions whose marker lies in one segment, so that a
// read_committed consumer can skip their records. A plain file; made at the first abort.
//
// Owns: its entries in memory (the file holds the same).
// Called by: log_segment.cc, segment_recovery.cc, transaction_search.cc.
// Kafka: TransactionIndex, AbortedTxn. KIP-98.
// Simplified: Kafka reads the file at each search, this value keeps the entries.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/disk_port.h"
#include "model/storage/index_entries.h"
#include "sim/base/cow.h"

namespace klab::storage {

/// What a search in one segment found.
struct AbortedSearch {
    std::vector<AbortedTransaction> found;
    bool is_complete = false;  ///< nothing in later segments can reach below the upper bound

    friend bool operator==(const AbortedSearch&, const AbortedSearch&) = default;
};

class TransactionIndex {
  public:
    [[nodiscard]] const std::vector<AbortedTransaction>& entries() const { return *entries_; }

    /// Opens the file if there is one; bytes after the last whole entry are left alone.
    /// Errors: kStorage, kCorruptIndex (an entry of an unknown version, or one that ends below
    /// `base`).
    [[nodiscard]] std::optional<AppendError> open_existing(DiskPort disk,
                                                           std::string_view path,
                                                           types::Offset base);

    /// Makes the file when it is the first entry. Errors: kInvalidOffset (last offset not above the
    /// one before), kStorage.
    [[nodiscard]] std::optional<AppendError> append(DiskPort disk,
                                                    std::string_view path,
                                                    const AbortedTransaction& entry);

    /// Drops entries from the first one on that ends at or above `offset`. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> truncate_to(DiskPort disk, types::Offset offset);

    /// Drops all entries. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> reset(DiskPort disk);

    /// The transactions that overlap [from, below).
    [[nodiscard]] AbortedSearch collect(types::Offset from, types::Offset below) const;

    [[nodiscard]] std::optional<AppendError> sync(DiskPort disk) const;

    friend bool operator==(const TransactionIndex&, const TransactionIndex&) = default;

  private:
    [[nodiscard]] std::optional<AppendError> keep(DiskPort disk, std::size_t entries);

    std::optional<sim::FileId> file_;
    Cow<std::vector<AbortedTransaction>> entries_;
    std::optional<types::Offset>
        last_offset_;  // of an entry added or kept since the file was opened
};

}  // namespace klab::storage
