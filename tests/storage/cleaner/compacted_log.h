// SPDX-License-Identifier: Apache-2.0
//
// CompactedLog: a log as plain bytes in memory, and a cleaning of it by the rules of
// model/storage/cleaner without disk and broker: what the rows C1 to C38 are written with.
//
//     CompactedLog log;
//     log.put(1).put(2).put(1).roll();
//     log.clean(0);
//     EXPECT_EQ(log.offsets(), (Offsets{1, 2}));
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/storage/cleaner/cleaner_filter.h"
#include "model/storage/cleaner/offset_map_builder.h"
#include "model/storage/cleaner/segment_grouping.h"
#include "model/storage/producer_state.h"
#include "model/storage/record_batch_builder.h"

namespace klab::storage::cleaner {

using Offsets = std::vector<std::int64_t>;
using Keys = std::vector<std::int32_t>;
using Sequences = std::map<std::int64_t, std::int32_t>;

/// What a cleaning did.
struct Cleaned {
    std::int64_t next_dirty = 0;
    std::uint64_t map_records = 0;  ///< read for the map
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t records_read = 0;
    std::uint64_t records_written = 0;
    std::uint64_t invalid = 0;
};

class CompactedLog {
  public:
    static constexpr std::int64_t kRetentionMs = 86'400'000;
    /// As late as may be with room for one more retention.
    static constexpr std::int64_t kLateMs =
        std::numeric_limits<std::int64_t>::max() - kRetentionMs - 1;

    // --- writing, each call one batch; the value of a record is the text of its key

    CompactedLog& put(std::int32_t key);
    CompactedLog& put_at(std::int64_t offset, std::int32_t key);
    CompactedLog& tombstone(std::int32_t key);
    CompactedLog& unkeyed();
    /// From an idempotent producer of epoch 0; sequences follow one another.
    CompactedLog& produce(std::int64_t producer, const Keys& keys);
    /// As before, in a transaction.
    CompactedLog& transact(std::int64_t producer, const Keys& keys);
    /// As before, with these key bytes.
    CompactedLog& transact_key(std::int64_t producer, const Bytes& key);
    CompactedLog& restart_sequences(std::int64_t producer);
    CompactedLog& commit(std::int64_t producer);
    CompactedLog& abort(std::int64_t producer);
    CompactedLog& roll();
    CompactedLog& roll_at(std::int64_t base);

    // --- cleaning

    CompactedLog& at(std::int64_t now_ms);
    CompactedLog& delete_retention(std::int64_t ms);
    /// Keys that the map takes (usable), and slots.
    CompactedLog& usable(std::uint64_t keys);
    CompactedLog& under(const types::Rules& rules);

    /// One cleaning from `first_dirty` up to the active segment.
    Cleaned clean(std::int64_t first_dirty);
    /// One, and a second one when the horizons that the first one set have passed.
    Cleaned clean_twice(std::int64_t first_dirty, std::int64_t now_ms);
    /// All closed segments into one, with this map.
    Cleaned clean_by(const OffsetMap& map);
    /// The map of [first_dirty, end).
    [[nodiscard]] OffsetMapBuilder build_map(std::int64_t first_dirty, std::int64_t end) const;

    // --- looking

    [[nodiscard]] std::int64_t end() const { return end_; }

    [[nodiscard]] std::int64_t active_base() const { return segments_.back().base; }

    /// Keys of data records with a value, in log order.
    [[nodiscard]] Keys keys() const;
    /// Offsets of records with key and value, markers too.
    [[nodiscard]] Offsets offsets() const;
    [[nodiscard]] Offsets batch_bases() const;
    [[nodiscard]] Offsets batch_ends() const;
    [[nodiscard]] Offsets segment_bases() const;
    [[nodiscard]] std::vector<std::size_t> segment_sizes() const;
    [[nodiscard]] std::vector<SegmentExtent> extents() const;
    /// Last sequence of each producer in the batches that are there.
    [[nodiscard]] Sequences last_sequences() const;
    [[nodiscard]] std::vector<AbortedTransaction> aborted() const;
    /// Where the log believes that this producer's batch of `keys` from `sequence` on is already:
    /// first and last offset, after a rebuild of the producers from the bytes.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> place_of_retry(
        std::int64_t producer, const Keys& keys, std::int32_t sequence) const;
    [[nodiscard]] std::size_t size() const;

    [[nodiscard]] const Bytes& bytes_of_segment(std::size_t number) const {
        return segments_.at(number).bytes;
    }

  private:
    struct Segment {
        std::int64_t base = 0;
        Bytes bytes;
        std::vector<AbortedTransaction> aborted;
    };

    struct Round {
        const OffsetMap* map;
        types::Offset upper_bound;
        CleanedTransactions transactions;
        ActiveProducers producers;
    };

    [[nodiscard]] Bytes batch_of(const BatchOptions& options, const Keys& keys) const;
    [[nodiscard]] BatchOptions options_of(std::int64_t producer,
                                          bool is_transactional,
                                          std::size_t count);
    CompactedLog& append(const Bytes& batch);
    CompactedLog& mark(std::int64_t producer, ControlType type);
    [[nodiscard]] std::vector<AbortedTransaction> aborted_between(std::int64_t from,
                                                                  std::int64_t to) const;
    [[nodiscard]] ActiveProducers active_producers() const;
    [[nodiscard]] std::int64_t last_stable_after(std::int64_t marker) const;
    [[nodiscard]] Segment filtered(std::size_t first,
                                   std::size_t count,
                                   Round& round,
                                   Cleaned& outcome) const;
    void replace(std::size_t first, std::size_t count, Segment by);

    std::vector<Segment> segments_{Segment{}};
    std::int64_t end_ = 0;
    ProducerStates producers_;
    std::map<std::int64_t, std::int32_t> next_sequence_;
    std::int64_t now_ms_ = 1'700'000'000'000;
    std::int64_t retention_ms_ = kRetentionMs;
    OffsetMapSize map_size_{1U << 30U, 1U << 30U};
    types::Rules rules_;
};

}  // namespace klab::storage::cleaner
