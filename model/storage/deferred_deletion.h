// SPDX-License-Identifier: Apache-2.0
//
// Removing files in two steps: at once they get a name that no loader takes for data, later (after
// file.delete.delay.ms) they go. Whoever still reads them is not disturbed, and a rename is cheap
// where an unlink of a large file is not.
//
//     00000000000000000000.log  ->  00000000000000000000.log.deleted  ->  nothing
//
// Owns: the list of renamed files (volatile: a start removes every .deleted file it finds).
// Called by: log_segment.cc, producer_snapshots.cc, log.cc.
// Kafka: LocalLog.deleteSegmentFiles, LogSegment.changeFileSuffixes, deleteIfExists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/disk_port.h"
#include "sim/base/cow.h"

namespace klab::storage {

class DeferredDeletion {
  public:
    [[nodiscard]] bool empty() const { return files_->empty(); }

    /// Renames the file, if it is there, and notes that it goes `delay_ms` from now.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> rename(DiskPort disk,
                                                    std::string_view path,
                                                    std::int64_t delay_ms);

    /// When the next file is due, on the monotonic clock in ms.
    [[nodiscard]] std::optional<std::int64_t> next_due_ms() const;

    /// Removes what is due. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> remove_due(DiskPort disk);

    friend bool operator==(const DeferredDeletion&, const DeferredDeletion&) = default;

  private:
    struct Renamed {
        std::string path;
        std::int64_t due_ms = 0;

        friend bool operator==(const Renamed&, const Renamed&) = default;
    };

    Cow<std::vector<Renamed>> files_;  // in the order of their renaming
};

}  // namespace klab::storage
