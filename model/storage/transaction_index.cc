// SPDX-License-Identifier: Apache-2.0
//
// See transaction_index.h.
#include "model/storage/transaction_index.h"

namespace klab::storage {

std::optional<AppendError> TransactionIndex::open_existing(DiskPort disk,
                                                           std::string_view path,
                                                           types::Offset base) {
    if (!disk.exists(path)) {
        return std::nullopt;
    }
    const auto file = disk.open(path);
    const auto size = file ? disk.size(*file) : Error{file.error()};
    const auto bytes = size ? disk.read(*file, 0, *size) : Error{size.error()};
    if (!bytes) {
        return AppendError::kStorage;
    }
    file_ = *file;
    std::vector<AbortedTransaction>& entries = entries_.write();
    for (std::size_t at = 0; at + AbortedTransaction::kBytes <= bytes->size();
         at += AbortedTransaction::kBytes) {
        const auto entry =
            decode_aborted_transaction(ByteView(*bytes).subspan(at, AbortedTransaction::kBytes));
        if (!entry || entry->last_offset < base) {
            return AppendError::kCorruptIndex;
        }
        entries.push_back(*entry);
    }
    return std::nullopt;
}

std::optional<AppendError> TransactionIndex::append(DiskPort disk,
                                                    std::string_view path,
                                                    const AbortedTransaction& entry) {
    if (last_offset_ && entry.last_offset <= *last_offset_) {
        return AppendError::kInvalidOffset;
    }
    if (!file_) {
        const auto file = disk.create(path);
        if (!file) {
            return AppendError::kStorage;
        }
        file_ = *file;
    }
    Bytes bytes;
    encode(bytes, entry);
    if (!disk.append(*file_, bytes)) {
        return AppendError::kStorage;
    }
    entries_.write().push_back(entry);
    last_offset_ = entry.last_offset;
    return std::nullopt;
}

std::optional<AppendError> TransactionIndex::truncate_to(DiskPort disk, types::Offset offset) {
    std::size_t kept = 0;
    last_offset_.reset();
    while (kept < entries_->size() && (*entries_)[kept].last_offset < offset) {
        last_offset_ = (*entries_)[kept].last_offset;
        ++kept;
    }
    return keep(disk, kept);
}

std::optional<AppendError> TransactionIndex::reset(DiskPort disk) {
    last_offset_.reset();
    if (!file_) {
        return std::nullopt;
    }
    entries_ = Cow<std::vector<AbortedTransaction>>();
    return disk.truncate(*file_, 0) ? std::nullopt : std::optional(AppendError::kStorage);
}

std::optional<AppendError> TransactionIndex::keep(DiskPort disk, std::size_t entries) {
    if (!file_ || entries == entries_->size()) {
        return std::nullopt;
    }
    if (!disk.truncate(*file_, entries * AbortedTransaction::kBytes)) {
        return AppendError::kStorage;
    }
    entries_.write().resize(entries);
    return std::nullopt;
}

AbortedSearch TransactionIndex::collect(types::Offset from, types::Offset below) const {
    AbortedSearch result;
    for (const AbortedTransaction& entry : *entries_) {
        if (entry.last_offset >= from && entry.first_offset < below) {
            result.found.push_back(entry);
        }
        if (entry.last_stable_offset >= below) {
            result.is_complete = true;
            break;
        }
    }
    return result;
}

std::optional<AppendError> TransactionIndex::sync(DiskPort disk) const {
    return !file_ || disk.sync(*file_) ? std::nullopt : std::optional(AppendError::kStorage);
}

}  // namespace klab::storage
