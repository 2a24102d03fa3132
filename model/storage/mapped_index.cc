// SPDX-License-Identifier: Apache-2.0
//
// See mapped_index.h.
#include "model/storage/mapped_index.h"

#include "sim/base/assert.h"

namespace klab::storage {

std::optional<AppendError> MappedIndex::open(DiskPort disk, std::string_view path) {
    if (file_) {
        return std::nullopt;
    }
    const auto file = disk.create(path);
    if (!file) {
        return AppendError::kStorage;
    }
    file_ = *file;
    if (!disk.truncate(*file_, std::uint64_t{entries_max_} * entry_bytes_)) {
        return AppendError::kStorage;
    }
    return std::nullopt;
}

std::optional<AppendError> MappedIndex::open_existing(DiskPort disk, std::string_view path) {
    if (!disk.exists(path)) {
        return std::nullopt;
    }
    const auto file = disk.open(path);
    const auto size = file ? disk.size(*file) : Error{file.error()};
    if (!size) {
        return AppendError::kStorage;
    }
    file_ = *file;
    entries_ = static_cast<std::uint32_t>(*size / entry_bytes_);
    entries_max_ = entries_;
    return std::nullopt;
}

std::optional<AppendError> MappedIndex::read(DiskView disk,
                                             std::uint32_t index,
                                             std::span<std::uint8_t> out) const {
    KLAB_ASSERT(index < entries_ && out.size() == entry_bytes_, "entry {} of {}", index, entries_);
    const auto read = disk.read_mapped(*file_, std::uint64_t{index} * entry_bytes_, out);
    return read && *read == entry_bytes_ ? std::nullopt : std::optional(AppendError::kStorage);
}

std::optional<AppendError> MappedIndex::append(DiskPort disk, ByteView entry) {
    KLAB_ASSERT(file_.has_value(), "index file is not open");
    KLAB_ASSERT(entry.size() == entry_bytes_, "{} bytes", entry.size());
    if (entries_ >= entries_max_) {
        return AppendError::kIndexFull;
    }
    if (!disk.write_mapped(*file_, std::uint64_t{entries_} * entry_bytes_, entry)) {
        return AppendError::kStorage;
    }
    ++entries_;
    return std::nullopt;
}

std::optional<AppendError> MappedIndex::trim(DiskPort disk) {
    const auto resized = resize(disk, bytes_used());
    return resized ? std::nullopt : std::optional(resized.error());
}

Result<bool, AppendError> MappedIndex::resize(DiskPort disk, std::uint32_t bytes_max) {
    KLAB_ASSERT(file_.has_value(), "index file is not open");
    entries_max_ = bytes_max / entry_bytes_;
    const std::uint64_t length = std::uint64_t{entries_max_} * entry_bytes_;
    const auto before = disk.size(*file_);
    if (!before) {
        return Error{AppendError::kStorage};
    }
    entries_ = std::min(entries_, entries_max_);
    if (*before == length) {
        return false;
    }
    if (!disk.truncate(*file_, length)) {
        return Error{AppendError::kStorage};
    }
    return true;
}

std::optional<AppendError> MappedIndex::sync(DiskPort disk) const {
    return !file_ || disk.sync(*file_) ? std::nullopt : std::optional(AppendError::kStorage);
}

}  // namespace klab::storage
