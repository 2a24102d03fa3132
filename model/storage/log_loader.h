// SPDX-License-Identifier: Apache-2.0
//
// LogLoader: from the files of a partition directory to an open Log. After an unclean stop the
// segments from the recovery point on are checked batch by batch, and everything from the first bad
// byte on is cut, with all later segments.
//
// Owns: nothing; builds one Log. Called by: Log::open.
// Kafka: LogLoader, LogSegment.recover, UnifiedLog.rebuildProducerState. KIP-101.
// Simplified: a clean start reads batch headers too, because no index or snapshot file is there to
// tell the log end and the producers; batches of all segments feed the producer state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/storage/log.h"

namespace klab::storage {

class LogLoader {
  public:
    LogLoader(DiskPort disk, const LogOptions& options);

    /// See Log::open. Call once.
    [[nodiscard]] Result<OpenedLog, AppendError> load();

  private:
    [[nodiscard]] std::optional<AppendError> list_segments();
    [[nodiscard]] std::optional<AppendError> load_epochs();
    [[nodiscard]] std::optional<AppendError> load_segments();
    [[nodiscard]] std::optional<AppendError> load_segment(types::Offset base_offset,
                                                          bool is_checked);
    [[nodiscard]] std::optional<AppendError> drop_segments_from(std::size_t first);
    [[nodiscard]] std::optional<AppendError> ensure_segment();
    [[nodiscard]] std::optional<AppendError> finish();
    [[nodiscard]] std::size_t first_to_check() const;

    DiskPort disk_;
    const LogOptions& options_;
    Log log_;
    RecoveryFact fact_;
    std::vector<types::Offset> bases_;  // of the files found, ascending
    std::vector<LogSegment> segments_;  // loaded so far
    EpochCache epochs_;
    bool is_cut_ = false;       // damage was found: later segments go
    bool has_rebuilt_ = false;  // no segment was left: the log starts empty
};

}  // namespace klab::storage
