// SPDX-License-Identifier: Apache-2.0
//
// The snapshot files of a partition: <offset>.snapshot holds what the log knew of its producers
// after all records below that offset. One is taken at each roll and at a clean stop, so that a
// start need not read the whole log.
//
// Written in place and mostly without fsync: a crash may leave a torn one, its checksum tells.
//
// Owns: which files there are, and the offset of the last one taken or loaded (volatile).
// Called by: producer_rebuild.cc, log_append.cc, log_truncate.cc, log_loader.cc.
// Kafka: ProducerStateManager (snapshots), SnapshotFile.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/deferred_deletion.h"
#include "model/storage/disk_port.h"
#include "model/storage/producer_state.h"
#include "sim/base/cow.h"

namespace klab::storage {

/// Is the new file to be made durable at once?
enum class SnapshotSync : std::uint8_t { kNo, kYes };

class ProducerSnapshots {
  public:
    /// Offsets of the files, ascending.
    [[nodiscard]] const std::vector<types::Offset>& offsets() const { return *offsets_; }

    [[nodiscard]] std::optional<types::Offset> latest() const;
    [[nodiscard]] std::optional<types::Offset> oldest() const;

    /// Looks which files are there. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> find(DiskView disk, std::string_view directory);

    /// Writes the states if they know more than the last snapshot taken or loaded. Returns the
    /// offset of the file, or nothing when none was needed. Errors: kStorage.
    [[nodiscard]] Result<std::optional<types::Offset>, AppendError> take(
        DiskPort disk,
        std::string_view directory,
        const ProducerStates& producers,
        SnapshotSync sync = SnapshotSync::kYes);

    /// Makes the file of this offset durable, if it is still there. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> flush(DiskPort disk,
                                                   std::string_view directory,
                                                   types::Offset offset) const;

    /// Fills `producers`, which are empty, from the newest file that can be read, leaving out
    /// producers that have expired; what cannot be read is removed. Without any the states begin at
    /// `log_start`. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> load_newest(DiskPort disk,
                                                         std::string_view directory,
                                                         types::Offset log_start,
                                                         std::int64_t expiration_ms,
                                                         ProducerStates& producers);

    /// Removes one file. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> remove(DiskPort disk,
                                                    std::string_view directory,
                                                    types::Offset offset);

    /// Takes the file of a deleted segment away, later. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> remove_later(DiskPort disk,
                                                          std::string_view directory,
                                                          types::Offset offset,
                                                          std::int64_t delay_ms,
                                                          DeferredDeletion& deletions);

    /// Removes files whose offset is above `end`, or at or below `log_start`. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> remove_outside(DiskPort disk,
                                                            std::string_view directory,
                                                            types::Offset log_start,
                                                            types::Offset end);

    /// Removes files that belong to no segment, but for the newest of them when it lies at or above
    /// the last segment's base (that of a clean stop). `bases`: ascending. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> remove_stray(DiskPort disk,
                                                          std::string_view directory,
                                                          std::span<const types::Offset> bases);

    /// Removes all files; the states begin anew. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> clear(DiskPort disk, std::string_view directory);

    /// The log start rose to `log_start`: what counts as taken follows.
    void on_log_start(types::Offset log_start) { last_taken_ = latest().value_or(log_start); }

    friend bool operator==(const ProducerSnapshots&, const ProducerSnapshots&) = default;

  private:
    void forget(types::Offset offset);

    Cow<std::vector<types::Offset>> offsets_;
    types::Offset last_taken_;
};

}  // namespace klab::storage
