// SPDX-License-Identifier: Apache-2.0
//
// BatchAccumulator: records that the leader of the metadata log has accepted and not yet appended.
// They wait up to controller.quorum.append.linger.ms so that many small writes share one fsync. The
// records of one append always land in one batch, so they become visible together.
//
// Owns: the open batch and the full ones, and the offsets of accepted records (all volatile: a
// crash loses what was not drained, and nobody was told it was written).
// Called by: quorum_node.cc.
// Kafka: BatchAccumulator, BatchBuilder; KIP-595.
// Simplified: no memory pool, no limit of waiting batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/storage/record_batch_builder.h"
#include "sim/base/bytes.h"

namespace klab::raft {

class BatchAccumulator {
  public:
    BatchAccumulator() = default;

    BatchAccumulator(types::LeaderEpoch epoch, types::Offset next_offset)
        : epoch_(epoch), next_offset_(next_offset) {}

    /// Offset of the next accepted record.
    [[nodiscard]] types::Offset next_offset() const { return next_offset_; }

    [[nodiscard]] bool empty() const { return full_.empty() && (!open_ || open_->empty()); }

    /// Accepts records with these values. Returns the offset of the last one; nothing when they are
    /// larger than a batch may be. Requires: there is at least one.
    [[nodiscard]] std::optional<types::Offset> append(std::span<const Bytes> values,
                                                      std::int64_t timestamp_ms);

    /// Takes everything accepted, as whole batches.
    [[nodiscard]] Bytes drain();

    friend bool operator==(const BatchAccumulator&, const BatchAccumulator&) = default;

  private:
    void close_open_batch();

    types::LeaderEpoch epoch_;
    types::Offset next_offset_;
    Bytes full_;
    std::optional<storage::RecordBatchBuilder> open_;
    std::int64_t open_timestamp_ms_ = 0;
};

}  // namespace klab::raft
