// SPDX-License-Identifier: Apache-2.0
//
// EpochCache: where in this log each leader epoch began. An ordered list of (epoch, start offset)
// in which both strictly ascend; it answers "where did epoch e end here?", the question by which a
// follower and its leader find the point where their logs part.
//
// Owns: the entries (durable: the log writes them to leader-epoch-checkpoint whenever they change).
// Called by: log.cc; replication asks end_offset_for through Log.
// Kafka: LeaderEpochFileCache. KIP-101, KIP-279.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "model/types/kafka_ids.h"

namespace klab::storage {

struct EpochEntry {
    types::LeaderEpoch epoch;
    types::Offset start_offset;

    friend bool operator==(const EpochEntry&, const EpochEntry&) = default;
};

/// The answer to end_offset_for: nothing in both = undefined.
struct EpochEndOffset {
    std::optional<types::LeaderEpoch> epoch;
    std::optional<types::Offset> end_offset;

    friend bool operator==(const EpochEndOffset&, const EpochEndOffset&) = default;
};

class EpochCache {
  public:
    EpochCache() = default;

    /// From a checkpoint file: each entry is assigned in turn, so that a file with a conflict
    /// loads.
    explicit EpochCache(std::span<const EpochEntry> entries);

    [[nodiscard]] const std::vector<EpochEntry>& entries() const { return entries_; }

    [[nodiscard]] bool empty() const { return entries_.empty(); }

    [[nodiscard]] std::optional<types::LeaderEpoch> latest_epoch() const;

    [[nodiscard]] std::optional<EpochEntry> latest_entry() const;

    [[nodiscard]] std::optional<EpochEntry> earliest_entry() const;

    /// The last entry with an epoch below `epoch`.
    [[nodiscard]] std::optional<EpochEntry> previous_entry(types::LeaderEpoch epoch) const;

    /// The first epoch above `epoch` (any, when none is given).
    [[nodiscard]] std::optional<types::LeaderEpoch> next_epoch(
        std::optional<types::LeaderEpoch> epoch) const;

    /// The epoch under which the record at `offset` was written, as far as this log knows.
    [[nodiscard]] std::optional<types::LeaderEpoch> epoch_for_offset(types::Offset offset) const;

    /// The largest known epoch not above `requested`, and where it ended in this log;
    /// `log_end_offset` when it is still going on. Undefined when nothing was requested, when
    /// `requested` is newer than everything here, or when the cache is empty.
    [[nodiscard]] EpochEndOffset end_offset_for(std::optional<types::LeaderEpoch> requested,
                                                types::Offset log_end_offset) const;

    /// Epoch `epoch` starts at `start_offset`. A repeated epoch keeps its first start; a lower
    /// epoch or start removes the entries it contradicts. True when anything changed. Requires:
    /// neither is negative.
    bool assign(types::LeaderEpoch epoch, types::Offset start_offset);

    /// Drops entries that start at or after `end_offset`. True when anything changed.
    bool truncate_from_end(types::Offset end_offset);

    /// Drops entries that ended at or before `start_offset`; the one that covers it now starts
    /// there. True when anything changed.
    bool truncate_from_start(types::Offset start_offset);

    /// True when there was anything.
    bool clear();

    friend bool operator==(const EpochCache&, const EpochCache&) = default;

  private:
    [[nodiscard]] std::size_t first_above(types::LeaderEpoch epoch) const;

    std::vector<EpochEntry> entries_;
};

}  // namespace klab::storage
