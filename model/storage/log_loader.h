// SPDX-License-Identifier: Apache-2.0
//
// LogLoader: from the files of a partition directory to an open Log.
//
//     1. tidy up     .deleted and .cleaned files go; of an unfinished swap either the new segments
//                    win (all .cleaned were renamed to .swap) or the old ones
//     2. open        each segment; an index file without its .log goes; a segment without its
//                    .index is recovered
//     3. recover     after an unclean stop: segments from the recovery point on are checked batch
//                    by batch; from the first bad byte on everything goes, later segments too
//                    (a segment that is too wide for its indexes is split; then again from 2)
//     4. producers   from the newest snapshot and the batches behind it
//
// Owns: nothing; builds one Log. Called by: Log::open.
// Kafka: LogLoader. KIP-101.
#pragma once

#include <optional>
#include <set>
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
    using Outcome = std::optional<AppendError>;

    // 1
    [[nodiscard]] Outcome list_files();
    [[nodiscard]] Outcome drop_unfinished();
    [[nodiscard]] Outcome finish_swaps();
    // 2
    [[nodiscard]] Outcome load_epochs();
    [[nodiscard]] Outcome open_segments();
    [[nodiscard]] Outcome drop_orphans();
    // 2 and 3
    [[nodiscard]] Outcome load_segments();
    [[nodiscard]] Outcome split_overflowed();
    // 3
    [[nodiscard]] Outcome recover_segments();
    [[nodiscard]] Outcome drop_if_below_log_start();
    [[nodiscard]] Outcome ensure_segment();
    // 4
    [[nodiscard]] Outcome place_marks();
    [[nodiscard]] Outcome load_producers();

    [[nodiscard]] Outcome recover_segment(LogSegment& segment, std::size_t known);
    [[nodiscard]] Outcome drop_segments_from(std::size_t first);
    [[nodiscard]] Outcome remove_file(const std::string& name);

    [[nodiscard]] SegmentPlace place(types::Offset base) const { return {log_.directory(), base}; }

    DiskPort disk_;
    const LogOptions& options_;
    Log log_;
    RecoveryFact fact_;
    std::set<std::string> names_;       // files in the directory
    std::vector<LogSegment> segments_;  // ascending
    EpochCache epochs_;
    std::optional<LogSegment> overflowed_;  // too wide: it is to be split
    bool was_epoch_changed_ = false;
    bool has_rebuilt_ = false;  // no segment was left: the log starts empty
};

}  // namespace klab::storage
