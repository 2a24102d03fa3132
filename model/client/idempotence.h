// SPDX-License-Identifier: Apache-2.0
//
// Idempotence: producer id, epoch and sequence numbers, so that the broker can tell a repeated
// batch from a new one and refuse a batch whose predecessor is missing.
//
//     no id -(InitProducerId)-> id, epoch 0
//     a batch gets the next sequence of its partition when it is drained first, and keeps it
//     something was lost for good -> local epoch bump: sequences of that partition begin at 0 again
//
// Owns: id, epoch, sequences and batches in flight of each partition (volatile: a new process is a
// new producer).
// Called by: producer.cc, sender.cc, record_accumulator.cc (may_drain).
// Kafka: TransactionManager (the part without transactions), TxnPartitionMap; KIP-98, KIP-185,
// KIP-360. Simplified: orderings compare plain integers, as Kafka's do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/client/producer_batch.h"
#include "model/types/error_code.h"

namespace klab::client {

/// New stamps after an epoch bump, by partition: old base sequence to new one.
using RewrittenSequences = std::map<std::int32_t, std::map<std::int32_t, storage::ProducerStamp>>;

class Idempotence {
  public:
    Idempotence() = default;

    /// @param bumps_epoch false: clients before KIP-360
    explicit Idempotence(bool enabled, bool bumps_epoch = true)
        : enabled_(enabled), bumps_epoch_(bumps_epoch) {}

    [[nodiscard]] bool enabled() const { return enabled_; }

    /// Enabled and without an id: InitProducerId must be sent before anything is drained.
    [[nodiscard]] bool needs_id() const { return enabled_ && !id_; }

    void set_id(types::ProducerId id, types::ProducerEpoch epoch);

    [[nodiscard]] std::optional<types::ProducerId> id() const { return id_; }

    [[nodiscard]] types::ProducerEpoch epoch() const { return epoch_; }

    /// The stop rules of a drain: an id is there; a new batch waits while older ones of its
    /// partition carry a stale epoch or while a sequence is unresolved; a repeated batch goes only
    /// when it is the first in flight of its partition.
    [[nodiscard]] bool may_drain(const ProducerBatch& batch) const;

    /// Gives a drained batch its stamp if it has none yet. Requires: may_drain(batch).
    void stamp(ProducerBatch& batch);

    /// The batch is in the log, at `base_offset` if the broker said so.
    void on_acked(const ProducerBatch& batch, std::optional<types::Offset> base_offset);

    /// The same of a batch that had expired on the wire: its records have failed, but it still says
    /// which sequence is next.
    void on_late_ack(const ProducerBatch& batch, std::optional<types::Offset> base_offset);

    /// May this batch be tried again after `error`? May ask for an epoch bump.
    /// @param log_start as in the response, for UNKNOWN_PRODUCER_ID
    [[nodiscard]] bool can_retry(const ProducerBatch& batch,
                                 types::ErrorCode error,
                                 std::optional<types::Offset> log_start);

    /// The batch failed for good. `definite`: a broker refused it and retries are left, so it is
    /// surely not in the log.
    void on_failed(const ProducerBatch& batch, types::ErrorCode error, bool definite);

    /// The batch expired after at least one retry: nobody knows whether it is in the log.
    void on_expired_in_retry(const ProducerBatch& batch);

    /// A batch is replaced by smaller ones that carry consecutive sequences inside its range.
    void on_split(const ProducerBatch& batch, std::vector<ProducerBatch>& parts);

    /// Settles unresolved partitions without batches in flight: all acknowledged, or a bump.
    void resolve_sequences();

    /// Bumps the epoch if that was asked for; the answer says which batches get which stamp.
    /// At epoch 32767 the id is given up instead (needs_id()).
    [[nodiscard]] RewrittenSequences bump_epoch_if_needed();

    [[nodiscard]] std::int32_t next_sequence(std::int32_t partition) const;
    [[nodiscard]] std::optional<std::int32_t> last_acked_sequence(std::int32_t partition) const;

    [[nodiscard]] bool is_unresolved(std::int32_t partition) const {
        return unresolved_.contains(partition);
    }

    friend bool operator==(const Idempotence&, const Idempotence&) = default;

  private:
    struct InFlight {
        std::int32_t base = 0;
        std::int32_t count = 0;

        friend bool operator==(const InFlight&, const InFlight&) = default;
        friend auto operator<=>(const InFlight&, const InFlight&) = default;
    };

    struct Entry {
        types::ProducerEpoch epoch;  // the one its sequences belong to
        std::int32_t next_sequence = 0;
        std::optional<std::int32_t> last_acked;
        std::optional<types::Offset> last_acked_offset;
        std::set<InFlight> in_flight;  // sent or waiting to be sent again, by sequence

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    void request_bump(std::int32_t partition);
    void forget(const ProducerBatch& batch);

    bool enabled_ = false;
    bool bumps_epoch_ = true;
    std::optional<types::ProducerId> id_;
    types::ProducerEpoch epoch_;
    std::map<std::int32_t, Entry> partitions_;
    std::map<std::int32_t, std::int32_t> unresolved_;  // partition -> sequence after the lost batch
    std::set<std::int32_t> rewrite_;                   // partitions whose sequences begin anew
    bool bump_required_ = false;
};

}  // namespace klab::client
