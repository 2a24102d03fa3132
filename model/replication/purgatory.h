// SPDX-License-Identifier: Apache-2.0
//
// Purgatory: requests that wait. A produce with acks=all waits for the high watermark, a fetch that
// found nothing waits for records, a deletion of records waits for the low watermark. Each
// partition lists who waits for it (Partition::parked_*), so that a change looks at those only; a
// list may still name requests that are over.
//
//     park_* ---> parked ---try_complete_* (a partition changed)---> answered
//                    \-----timer kDelayedOperation(number)--------> answered with what there is
//
// Owns: the parked requests and their numbers. Volatile.
// Called by: delayed_produce.cc, delayed_fetch.cc, delayed_delete_records.cc.
// Kafka: DelayedOperationPurgatory, DelayedProduce, DelayedFetch, DelayedDeleteRecords.
// Simplified: entries of finished requests leave the lists when next met, not by a purge interval.
#pragma once

#include <cstdint>
#include <vector>

#include "model/protocol/delete_records.h"
#include "model/protocol/produce.h"
#include "model/replication/replication_types.h"
#include "sim/base/cow_map.h"

namespace klab::replication {

/// One partition of a parked produce.
struct ParkedProducePart {
    PartitionKey key;
    std::int64_t trace_name = 0;              ///< the partition, for events
    protocol::ProducePartitionResult result;  ///< as it will be answered, once not pending
    types::Offset base_offset;                ///< of the batch
    types::Offset last_offset;                ///< of the batch; the HW must pass it
    bool pending = false;                     ///< not decided yet
    sim::EventId because;                     ///< its log.appended

    friend bool operator==(const ParkedProducePart&, const ParkedProducePart&) = default;
};

struct ParkedProduce {
    RequestHandle from;
    std::vector<ParkedProducePart> parts;  ///< in the order of the request
    std::uint32_t pending = 0;             ///< parts that still wait

    friend bool operator==(const ParkedProduce&, const ParkedProduce&) = default;
};

struct ParkedFetch {
    RequestHandle from;
    sim::MessageRef request;  ///< a FetchRequest

    friend bool operator==(const ParkedFetch&, const ParkedFetch&) = default;
};

/// One partition of a parked DeleteRecords request.
struct ParkedDeletionPart {
    PartitionKey key;
    std::int64_t trace_name = 0;                    ///< the partition, for events
    protocol::DeleteRecordsPartitionResult result;  ///< as it would be answered now
    types::Offset required;                         ///< the low watermark must reach it
    bool pending = false;                           ///< not decided yet
    sim::EventId because;                           ///< its log.start_raised

    friend bool operator==(const ParkedDeletionPart&, const ParkedDeletionPart&) = default;
};

struct ParkedDeletion {
    RequestHandle from;
    std::vector<ParkedDeletionPart> parts;  ///< in the order of the request
    std::uint32_t pending = 0;              ///< parts that still wait

    friend bool operator==(const ParkedDeletion&, const ParkedDeletion&) = default;
};

class Purgatory {
  public:
    /// Numbers are unique over all kinds; they name the expiry timer.
    [[nodiscard]] std::uint64_t park(ParkedProduce produce);
    [[nodiscard]] std::uint64_t park(ParkedFetch fetch);
    [[nodiscard]] std::uint64_t park(ParkedDeletion deletion);

    [[nodiscard]] ParkedProduce* produce_for_write(std::uint64_t number) {
        return produces_.find_for_write(number);
    }

    [[nodiscard]] const ParkedProduce* produce(std::uint64_t number) const {
        return produces_.find(number);
    }

    [[nodiscard]] const ParkedFetch* fetch(std::uint64_t number) const {
        return fetches_.find(number);
    }

    [[nodiscard]] ParkedDeletion* deletion_for_write(std::uint64_t number) {
        return deletions_.find_for_write(number);
    }

    [[nodiscard]] const ParkedDeletion* deletion(std::uint64_t number) const {
        return deletions_.find(number);
    }

    /// Says whether it was parked.
    bool remove_produce(std::uint64_t number) { return produces_.erase(number); }

    bool remove_fetch(std::uint64_t number) { return fetches_.erase(number); }

    bool remove_deletion(std::uint64_t number) { return deletions_.erase(number); }

    [[nodiscard]] std::uint64_t produces() const { return produces_.size(); }

    [[nodiscard]] std::uint64_t fetches() const { return fetches_.size(); }

    [[nodiscard]] std::uint64_t deletions() const { return deletions_.size(); }

    friend bool operator==(const Purgatory&, const Purgatory&) = default;

  private:
    std::uint64_t next_ = 1;
    CowMap<std::uint64_t, ParkedProduce> produces_;
    CowMap<std::uint64_t, ParkedFetch> fetches_;
    CowMap<std::uint64_t, ParkedDeletion> deletions_;
};

}  // namespace klab::replication
