// SPDX-License-Identifier: Apache-2.0
//
// See deferred_deletion.h.
#include "model/storage/deferred_deletion.h"

#include <algorithm>

#include "model/storage/file_names.h"

namespace klab::storage {

std::optional<AppendError> DeferredDeletion::rename(DiskPort disk,
                                                    std::string_view path,
                                                    std::int64_t delay_ms) {
    if (!disk.exists(path)) {
        return std::nullopt;
    }
    std::string renamed = std::string(path) + std::string(kDeletedSuffix);
    if (!disk.rename(path, renamed)) {
        return AppendError::kStorage;
    }
    files_.write().push_back({std::move(renamed), disk.monotonic_ms() + delay_ms});
    return std::nullopt;
}

std::optional<std::int64_t> DeferredDeletion::next_due_ms() const {
    const auto next =
        std::min_element(files_->begin(), files_->end(), [](const Renamed& a, const Renamed& b) {
            return a.due_ms < b.due_ms;
        });
    return next == files_->end() ? std::nullopt : std::optional(next->due_ms);
}

std::optional<AppendError> DeferredDeletion::remove_due(DiskPort disk) {
    const std::int64_t now = disk.monotonic_ms();
    std::vector<Renamed> later;
    bool failed = false;
    for (const Renamed& file : *files_) {
        if (file.due_ms > now) {
            later.push_back(file);
        } else if (const auto removed = disk.remove(file.path); !removed) {
            failed |= removed.error() != sim::DiskError::not_found;
        }
    }
    if (later.size() != files_->size()) {
        files_.write() = std::move(later);
    }
    return failed ? std::optional(AppendError::kStorage) : std::nullopt;
}

}  // namespace klab::storage
