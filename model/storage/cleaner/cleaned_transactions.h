// SPDX-License-Identifier: Apache-2.0
//
// CleanedTransactions: which transactions are open while the cleaner walks a log, and what that
// means for the batch it stands at. Fed with the aborted transactions of the segments it is about
// to read and then with every batch in order.
//
//     batch                                          answer: may its records go?
//     data, of an aborted transaction                yes; "its data was seen" is remembered
//     data, of another transaction, or of none       no
//     ABORT, data of the transaction was seen        no; its entry stays in the .txnindex
//     ABORT, none was seen                           yes
//     COMMIT, some batch of the transaction seen     no
//     COMMIT, none seen                              yes
//     empty control batch (cleaned before)           yes
//     other control batches                          no
//
// "Seen" counts empty batches too: a marker goes only after the last trace of its data.
//
// Owns: the open transactions (volatile, one cleaning). Called by: offset_map_builder.cc,
// cleaner_filter.cc, the cleaning pass (adding, taking the kept entries).
// Kafka: CleanedTransactionMetadata. KIP-98, KIP-534.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "model/storage/index_entries.h"
#include "model/storage/record_batch.h"
#include "sim/base/result.h"

namespace klab::storage::cleaner {

class CleanedTransactions {
  public:
    /// Aborted transactions of the part that is read next, in any order. One that lies across
    /// segments may be told several times.
    void add_aborted(std::span<const AbortedTransaction> aborted);

    /// The next batch was read. Says whether its records may be dropped (see above).
    /// Errors: what keeps the record of a control batch from being read.
    [[nodiscard]] Result<bool, BatchError> on_batch(const RecordBatchView& batch);

    /// The aborted transactions of markers that stay, in order of the markers: the entries of the
    /// .txnindex of the output. Those since the last call.
    [[nodiscard]] std::vector<AbortedTransaction> take_kept() { return std::exchange(kept_, {}); }

    friend bool operator==(const CleanedTransactions&, const CleanedTransactions&) = default;

  private:
    struct OpenAbort {
        AbortedTransaction transaction;
        bool was_data_seen = false;

        friend bool operator==(const OpenAbort&, const OpenAbort&) = default;
    };

    [[nodiscard]] bool on_data(const RecordBatchView& batch);
    [[nodiscard]] Result<bool, BatchError> on_control(const RecordBatchView& batch);
    [[nodiscard]] bool on_abort_marker(types::ProducerId producer);
    void begin_up_to(types::Offset offset);

    std::multimap<types::Offset, AbortedTransaction> expected_;  // by first offset: not begun yet
    std::map<types::ProducerId, OpenAbort> open_aborts_;
    std::set<types::ProducerId> open_commits_;
    std::vector<AbortedTransaction> kept_;
};

}  // namespace klab::storage::cleaner
