// SPDX-License-Identifier: Apache-2.0
//
// The picture `log`: the logs of all replicas of one partition, offset by offset. It shows what
// divergence is: the same offset with another epoch or value, how far each replica's log end offset
// (LEO) and high watermark (HW) are, and which records a truncation cut away.
// Owns: nothing. Called by: draw. Filled by: log_from_trace.
// Kafka: UnifiedLog.truncateTo, LeaderEpochFileCache.endOffsetFor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viz/palette.h"
#include "viz/picture_head.h"
#include "viz/scene.h"
#include "viz/text_canvas.h"

namespace klab::viz {

/// What kind of record a cell holds, shown as the letter T, C or A.
enum class LogMarker : std::uint8_t { kNone, kTransactional, kCommit, kAbort };

/// One record of one replica.
struct LogCell {
    std::int64_t offset = 0;
    std::int32_t epoch = 0;  ///< Leader epoch in the batch header.
    std::string value;       ///< Short text of the record, e.g. its value.
    LogMarker marker = LogMarker::kNone;
    std::optional<std::uint64_t> event;  ///< The event that appended (or cut) it.

    friend bool operator==(const LogCell&, const LogCell&) = default;
};

/// The log of one replica.
struct ReplicaLog {
    std::string node;
    ReplicaState state = ReplicaState::kInSync;
    std::optional<std::int32_t> leader_epoch;  ///< Set for a leader.
    std::vector<LogCell> cells;                ///< Records in the log now, ascending offsets.
    std::vector<LogCell> cut;                  ///< Records cut away, ascending offsets.
    std::int64_t log_end_offset = 0;
    std::optional<std::int64_t> log_end_before_cut;
    std::optional<std::int64_t> high_watermark;
    std::string note;  ///< "cut to 8: end of epoch 1"; empty for none.

    friend bool operator==(const ReplicaLog&, const ReplicaLog&) = default;
};

struct LogPicture {
    PictureHead head;
    std::string partition;         ///< "t-0".
    std::vector<ReplicaLog> logs;  ///< In the order of the assignment.
    std::string value_meaning;     ///< What the values in the cells are; empty: nothing to say.
    std::optional<std::int64_t> around;  ///< Offset that must stay visible; default: the lowest HW.

    friend bool operator==(const LogPicture&, const LogPicture&) = default;
};

/// One column of the table: one offset, or a run of folded offsets.
struct LogColumn {
    std::int64_t first = 0;
    std::int64_t count = 1;
    bool equal = true;  ///< For a fold: all replicas hold the same records there.

    [[nodiscard]] bool is_fold() const { return count > 1; }

    friend bool operator==(const LogColumn&, const LogColumn&) = default;
};

/// The columns to show: all offsets if there are at most `limit`; otherwise runs in which all
/// replicas agree are folded, and if that is not enough, whatever is far from `around`.
/// Requires: limit >= 3.
[[nodiscard]] std::vector<LogColumn> fold_columns(const LogPicture& picture, std::int32_t limit);

/// The picture's head, which also says how many offsets these columns fold: "56 offsets (folded)".
[[nodiscard]] PictureHead head_with_folds(const LogPicture& picture,
                                          const std::vector<LogColumn>& columns);

/// True if cut records need a row of their own because the log grew over their offsets again.
[[nodiscard]] bool has_cut_row(const ReplicaLog& log);

/// The cell of that offset, or nullptr.
[[nodiscard]] const LogCell* find_cell(const std::vector<LogCell>& cells, std::int64_t offset);

/// "8", or "10 -> 8" with an arrow if the log was cut.
[[nodiscard]] std::string log_end_text(const ReplicaLog& log);

/// The first offset at which two replicas hold different records, or nullopt.
[[nodiscard]] std::optional<std::int64_t> first_divergence(const LogPicture& picture);

/// The columns of the text for this width.
[[nodiscard]] std::vector<LogColumn> log_text_columns(const LogPicture& picture,
                                                      const TextOptions& options);

/// The picture for dot and SVG; `limit` is the number of columns shown before folding.
[[nodiscard]] Scene log_scene(const LogPicture& picture, std::int32_t limit = 24);

/// The picture for the terminal, without its head.
[[nodiscard]] std::vector<std::string> log_text(const LogPicture& picture,
                                                const TextOptions& options = {});

}  // namespace klab::viz
