// SPDX-License-Identifier: Apache-2.0
//
// See segment_swap.h.
#include "model/storage/segment_swap.h"

#include "model/storage/file_names.h"

namespace klab::storage {

std::optional<AppendError> rename_segment(DiskPort disk,
                                          const SegmentPlace& from,
                                          std::string_view to_suffix) {
    const SegmentPlace to{from.directory, from.base_offset, to_suffix};
    for (const std::string_view kind : kSegmentKinds) {
        const std::string path = from.path(kind);
        if (disk.exists(path) && !disk.rename(path, to.path(kind))) {
            return AppendError::kStorage;
        }
    }
    return std::nullopt;
}

std::optional<AppendError> swap_segments(DiskPort disk,
                                         const SegmentSwap& swap,
                                         DeferredDeletion& deletions) {
    for (auto base = swap.fresh.rbegin(); base != swap.fresh.rend(); ++base) {
        if (const auto error =
                rename_segment(disk, {swap.directory, *base, kCleanedSuffix}, kSwapSuffix)) {
            return error;
        }
    }
    for (const types::Offset base : swap.old) {
        if (const auto error =
                LogSegment::remove(disk, {swap.directory, base}, swap.delay_ms, deletions)) {
            return error;
        }
    }
    for (const types::Offset base : swap.fresh) {
        if (const auto error = rename_segment(disk, {swap.directory, base, kSwapSuffix}, {})) {
            return error;
        }
    }
    return disk.sync_directory(swap.directory) ? std::nullopt
                                               : std::optional(AppendError::kStorage);
}

}  // namespace klab::storage
