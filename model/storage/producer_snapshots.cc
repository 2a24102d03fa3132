// SPDX-License-Identifier: Apache-2.0
//
// See producer_snapshots.h.
#include "model/storage/producer_snapshots.h"

#include <algorithm>

#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"

namespace klab::storage {

namespace {

std::string path_of(std::string_view directory, types::Offset offset) {
    return join_path(directory, offset_file_name(offset, kSnapshotSuffix));
}

}  // namespace

std::optional<types::Offset> ProducerSnapshots::latest() const {
    return offsets_->empty() ? std::nullopt : std::optional(offsets_->back());
}

std::optional<types::Offset> ProducerSnapshots::oldest() const {
    return offsets_->empty() ? std::nullopt : std::optional(offsets_->front());
}

std::optional<AppendError> ProducerSnapshots::find(DiskView disk, std::string_view directory) {
    const auto names = disk.list(directory);
    if (!names) {
        return AppendError::kStorage;
    }
    std::vector<types::Offset> found;
    for (const std::string& name : *names) {
        if (const auto offset = parse_offset_file_name(name, kSnapshotSuffix)) {
            found.push_back(*offset);
        }
    }
    std::sort(found.begin(), found.end());
    offsets_ = Cow<std::vector<types::Offset>>(std::move(found));
    return std::nullopt;
}

Result<std::optional<types::Offset>, AppendError> ProducerSnapshots::take(
    DiskPort disk, std::string_view directory, const ProducerStates& producers, SnapshotSync sync) {
    const types::Offset offset = producers.map_end_offset();
    if (offset <= last_taken_) {
        return std::optional<types::Offset>();
    }
    const auto file = disk.create(path_of(directory, offset));
    if (!file) {
        return Error{AppendError::kStorage};
    }
    if (!disk.write_at(*file, 0, encode_producer_snapshot(producers.to_snapshot()))) {
        return Error{AppendError::kStorage};
    }
    if (sync == SnapshotSync::kYes && !disk.sync(*file)) {
        return Error{AppendError::kStorage};
    }
    const auto at = std::lower_bound(offsets_->begin(), offsets_->end(), offset);
    if (at == offsets_->end() || *at != offset) {
        const auto place = at - offsets_->begin();
        std::vector<types::Offset>& offsets = offsets_.write();
        offsets.insert(offsets.begin() + place, offset);
    }
    last_taken_ = offset;
    return std::optional(offset);
}

std::optional<AppendError> ProducerSnapshots::flush(DiskPort disk,
                                                    std::string_view directory,
                                                    types::Offset offset) const {
    const auto file = disk.open(path_of(directory, offset));
    if (!file) {
        return file.error() == sim::DiskError::not_found ? std::nullopt
                                                         : std::optional(AppendError::kStorage);
    }
    return disk.sync(*file) ? std::nullopt : std::optional(AppendError::kStorage);
}

std::optional<AppendError> ProducerSnapshots::load_newest(DiskPort disk,
                                                          std::string_view directory,
                                                          types::Offset log_start,
                                                          std::int64_t expiration_ms,
                                                          ProducerStates& producers) {
    while (const auto newest = latest()) {
        const auto bytes = read_file(disk, path_of(directory, *newest));
        if (!bytes) {
            return bytes.error();
        }
        const auto entries =
            *bytes ? parse_producer_snapshot(**bytes) : Error{SnapshotError::kTooShort};
        if (entries) {
            for (const ProducerSnapshotEntry& entry : *entries) {
                const bool is_open = entry.open_transaction && entry.open_transaction->value() >= 0;
                if (is_open || disk.now_ms() - entry.timestamp < expiration_ms) {
                    producers.load(entry);
                }
            }
            last_taken_ = *newest;
            producers.set_map_end_offset(*newest);
            return std::nullopt;
        }
        if (const auto error = remove(disk, directory, *newest)) {
            return error;
        }
    }
    last_taken_ = log_start;
    producers.set_map_end_offset(log_start);
    return std::nullopt;
}

void ProducerSnapshots::forget(types::Offset offset) {
    std::vector<types::Offset>& offsets = offsets_.write();
    offsets.erase(std::remove(offsets.begin(), offsets.end(), offset), offsets.end());
}

std::optional<AppendError> ProducerSnapshots::remove(DiskPort disk,
                                                     std::string_view directory,
                                                     types::Offset offset) {
    forget(offset);
    const auto removed = disk.remove(path_of(directory, offset));
    return removed || removed.error() == sim::DiskError::not_found
               ? std::nullopt
               : std::optional(AppendError::kStorage);
}

std::optional<AppendError> ProducerSnapshots::remove_later(DiskPort disk,
                                                           std::string_view directory,
                                                           types::Offset offset,
                                                           std::int64_t delay_ms,
                                                           DeferredDeletion& deletions) {
    if (!std::binary_search(offsets_->begin(), offsets_->end(), offset)) {
        return std::nullopt;
    }
    forget(offset);
    return deletions.rename(disk, path_of(directory, offset), delay_ms);
}

std::optional<AppendError> ProducerSnapshots::remove_outside(DiskPort disk,
                                                             std::string_view directory,
                                                             types::Offset log_start,
                                                             types::Offset end) {
    const std::vector<types::Offset> before = *offsets_;
    for (const types::Offset offset : before) {
        if (offset > end || offset <= log_start) {
            if (const auto error = remove(disk, directory, offset)) {
                return error;
            }
        }
    }
    return std::nullopt;
}

std::optional<AppendError> ProducerSnapshots::remove_stray(DiskPort disk,
                                                           std::string_view directory,
                                                           std::span<const types::Offset> bases) {
    if (const auto error = find(disk, directory)) {
        return error;
    }
    std::vector<types::Offset> stray;
    for (const types::Offset offset : *offsets_) {
        if (!std::binary_search(bases.begin(), bases.end(), offset)) {
            stray.push_back(offset);
        }
    }
    if (!stray.empty() && (bases.empty() || stray.back() >= bases.back())) {
        stray.pop_back();
    }
    for (const types::Offset offset : stray) {
        if (const auto error = remove(disk, directory, offset)) {
            return error;
        }
    }
    return std::nullopt;
}

std::optional<AppendError> ProducerSnapshots::clear(DiskPort disk, std::string_view directory) {
    const std::vector<types::Offset> before = *offsets_;
    for (const types::Offset offset : before) {
        if (const auto error = remove(disk, directory, offset)) {
            return error;
        }
    }
    last_taken_ = types::Offset(0);
    return std::nullopt;
}

}  // namespace klab::storage
