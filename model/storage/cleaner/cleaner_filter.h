// SPDX-License-Identifier: Apache-2.0
//
// CleanerFilter: the rules of compaction, which batches and which records of a log stay.
//
// A batch. D = the tracker of transactions says that its records may go; of a control batch only
// if, besides, its delete horizon has come. The first rule that fits:
//
//     1. its producer is active and knows it as its last batch        kRetainEmpty
//        (the last sequence, or with no data left the epoch)
//     2. the offset after it is the upper bound of the cleaning       kRetainEmpty (the log end)
//     3. D                                                            kDelete
//     4. else                                                         kDeleteEmpty
//
// A record stays iff not D and one of:
//
//     its batch is a control batch
//     its offset lies above what the map speaks for
//     it has a key, the map knows no later record of it, and it has a value or its tombstone has
//     not come to its delete horizon
//
// Called by: the cleaning pass. Kafka: Cleaner.cleanInto, shouldRetainRecord. KIP-534.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "model/storage/cleaner/cleaned_transactions.h"
#include "model/storage/cleaner/offset_map.h"
#include "model/storage/cleaner/record_filter.h"
#include "model/types/rules.h"

namespace klab::storage::cleaner {

/// What the cleaner must leave of a producer that may still write.
struct LastRecord {
    std::optional<types::Offset> data_offset;  ///< of its last batch, if one is remembered
    std::optional<types::ProducerEpoch> epoch;

    friend bool operator==(const LastRecord&, const LastRecord&) = default;
};

using ActiveProducers = std::map<types::ProducerId, LastRecord>;

/// What a cleaning judges by.
struct CleanerJudgement {
    const OffsetMap& map;
    const ActiveProducers& producers;
    types::Offset upper_bound;  ///< the first uncleanable offset
    FilterTime time;
    types::Rules rules;
};

class CleanerFilter final : public RecordFilter {
  public:
    /// Requires: what the arguments refer to outlives the filter.
    CleanerFilter(const CleanerJudgement& judgement, CleanedTransactions& transactions)
        : judgement_(judgement), transactions_(&transactions) {}

    [[nodiscard]] Result<BatchVerdict, BatchError> judge(const RecordBatchView& batch) override;

    [[nodiscard]] bool retains(const RecordBatchView& batch, const RecordView& record) override;

    /// Records without a key, which a compacted log should not have. They are dropped.
    [[nodiscard]] std::uint64_t invalid_records() const { return invalid_records_; }

  private:
    [[nodiscard]] bool is_last_of_its_producer(const RecordBatchView& batch) const;
    [[nodiscard]] bool is_current(const RecordBatchView& batch, const RecordView& record);

    CleanerJudgement judgement_;
    CleanedTransactions* transactions_;
    bool discards_records_ = false;  // D of the batch that was judged last
    std::uint64_t invalid_records_ = 0;
};

}  // namespace klab::storage::cleaner
