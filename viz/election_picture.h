// SPDX-License-Identifier: Apache-2.0
//
// The picture `election`: how one partition got a new leader, as a column of decisions rather than
// of messages: last heartbeat, fencing, the table of candidates with the reason for the choice, the
// metadata record, who learns of it when, the first append in the new epoch, the truncation of the
// old leader. Time between rows is written, not drawn to scale. Owns: nothing. Called by: draw.
// Filled by: election_from_trace. Kafka: ReplicationControlManager,
// PartitionChangeBuilder.electLeader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "viz/picture_head.h"
#include "viz/scene.h"
#include "viz/text_canvas.h"

namespace klab::viz {

/// What part a node plays, in the order of the columns.
enum class ElectionRole : std::uint8_t { kController, kOldLeader, kCandidate, kClient };

struct ElectionColumn {
    std::string name;
    ElectionRole role = ElectionRole::kCandidate;

    friend bool operator==(const ElectionColumn&, const ElectionColumn&) = default;
};

/// The kinds of decision, in the order in which they usually come.
enum class ElectionStep : std::uint8_t {
    kLastHeartbeat,
    kFault,
    kFenced,
    kCandidates,
    kLeaderRecord,
    kLearned,
    kFirstAppend,
    kTruncated,
    kOther
};

/// An arrow from the column of a row to another column.
struct ElectionArrow {
    std::string to;
    Time at;
    std::string text;  ///< "learns it"; empty for none.
    std::optional<std::uint64_t> event;
    bool is_local = false;  ///< No message of the row's column caused it: a mark without an arrow.

    friend bool operator==(const ElectionArrow&, const ElectionArrow&) = default;
};

/// One replica in the table of candidates.
struct ElectionCandidate {
    std::string replica;
    bool is_alive = false;
    bool is_in_isr = false;
    std::int32_t order = 1;  ///< Position in the assignment, from 1.
    bool is_chosen = false;
    std::string reason;  ///< "not in ISR", "first live ISR member".

    friend bool operator==(const ElectionCandidate&, const ElectionCandidate&) = default;
};

struct ElectionRow {
    ElectionStep step = ElectionStep::kOther;
    Time at;
    std::string text;    ///< "FENCED b1: no heartbeat for 9 s".
    std::string column;  ///< Node at which it happens; empty for none.
    std::vector<ElectionArrow> arrows;
    std::vector<ElectionCandidate> candidates;  ///< Only for kCandidates.
    std::optional<std::uint64_t> event;

    friend bool operator==(const ElectionRow&, const ElectionRow&) = default;
};

struct ElectionPicture {
    PictureHead head;
    std::string partition;  ///< "t-0".
    std::int32_t epoch_before = 0;
    std::int32_t epoch_after = 0;
    std::optional<std::string> old_leader;
    std::optional<std::string> new_leader;  ///< Absent: the partition stayed without a leader.
    std::vector<ElectionColumn> columns;    ///< Controllers, old leader, candidates, clients.
    std::vector<ElectionRow> rows;          ///< Ascending time.

    friend bool operator==(const ElectionPicture&, const ElectionPicture&) = default;
};

/// "t-0: epoch 5 -> 6, leader b1 -> b3" with arrows; "no leader" where there is none.
[[nodiscard]] std::string election_summary(const ElectionPicture& picture);

/// Index of a column by name, or nullopt.
[[nodiscard]] std::optional<std::size_t> column_index(const ElectionPicture& picture,
                                                      const std::string& name);

/// True if an arrow is shown below its row, because it has something to say or arrives later.
[[nodiscard]] bool has_own_line(const ElectionRow& row, const ElectionArrow& arrow);

/// One line of the picture: a row (arrow is null), or an arrow of a row.
struct ElectionLine {
    Time at;
    const ElectionRow* row = nullptr;
    const ElectionArrow* arrow = nullptr;
};

/// Rows and their late arrows in the order of time. Valid while the picture lives.
[[nodiscard]] std::vector<ElectionLine> election_lines(const ElectionPicture& picture);

/// "controller", "old leader", "candidate", "client".
[[nodiscard]] std::string election_role_word(ElectionRole role);

/// The picture for dot and SVG.
[[nodiscard]] Scene election_scene(const ElectionPicture& picture);

/// The picture for the terminal, without its head.
[[nodiscard]] std::vector<std::string> election_text(const ElectionPicture& picture,
                                                     const TextOptions& options = {});

}  // namespace klab::viz
