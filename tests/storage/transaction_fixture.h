// SPDX-License-Identifier: Apache-2.0
//
// A log that transactional producers write to: what the tests of transactions share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/storage/log_fixture.h"
#include "tests/storage/transaction_batches.h"

namespace klab::storage {

class TransactionTest : public LogTest {
  protected:
    /// `count` records of a producer in one batch, inside a transaction.
    void txn(std::int64_t producer, int count) {
        keep(transactional_batch_of(producer, 0, sequences_[producer], count));
        sequences_[producer] += count;
    }

    /// `count` records outside of any transaction.
    void plain(int count) {
        keep(batch_of(std::vector<std::string>(static_cast<std::size_t>(count), "p"), now_ms_));
    }

    void commit(std::int64_t producer) { keep(marker_of(ControlType::kCommit, producer, 0)); }

    void abort(std::int64_t producer) { keep(marker_of(ControlType::kAbort, producer, 0)); }

    Result<LeaderAppendInfo, ValidationFailure> lead_marker(const Bytes& marker) {
        return log_.append_as_leader(
            port(), rules_, {marker, types::LeaderEpoch(0), AppendOrigin::kCoordinator});
    }

    void high_watermark(std::int64_t offset) { log_.set_high_watermark(types::Offset(offset)); }

    /// First unstable offset, or -1.
    [[nodiscard]] std::int64_t unstable() const {
        const auto first = log_.first_unstable_offset();
        return first ? first->value() : -1;
    }

    [[nodiscard]] std::int64_t stable() const { return log_.last_stable_offset().value(); }

    /// Aborted transactions of all segments.
    [[nodiscard]] std::vector<AbortedTransaction> aborted() const {
        std::vector<AbortedTransaction> out;
        for (const LogSegment& segment : log_.segments()) {
            const auto& entries = segment.txn_index().entries();
            out.insert(out.end(), entries.begin(), entries.end());
        }
        return out;
    }

    static AbortedTransaction entry(std::int64_t producer,
                                    std::int64_t first,
                                    std::int64_t last,
                                    std::int64_t stable) {
        return {types::ProducerId(producer),
                types::Offset(first),
                types::Offset(last),
                types::Offset(stable)};
    }

    /// The history of row U41: four producers, two aborts, 90 records.
    void write_u41() {
        txn(1, 5);
        plain(3);
        txn(2, 2);
        txn(1, 4);
        txn(3, 3);
        plain(2);
        txn(1, 10);
        abort(1);  // at 29
        txn(2, 6);
        txn(4, 3);
        plain(10);
        txn(3, 9);
        commit(3);  // at 58
        txn(4, 8);
        txn(2, 7);
        abort(2);  // at 74
        plain(10);
        txn(4, 4);
        commit(4);  // at 89
    }

    [[nodiscard]] static std::vector<AbortedTransaction> aborted_in_u41() {
        return {entry(1, 0, 29, 8), entry(2, 8, 74, 36)};
    }

    /// Batches go to the log at once, or are kept for one append of a follower.
    bool collects_ = false;
    Bytes collected_;
    std::map<std::int64_t, std::int32_t> sequences_;  // the next one of each producer

  private:
    void keep(const Bytes& batch) {
        if (collects_) {
            const Bytes one = placed(batch, collected_end_, 0);
            collected_end_ = RecordBatchView(one).next_offset().value();
            collected_.insert(collected_.end(), one.begin(), one.end());
            return;
        }
        const auto done = RecordBatchView(batch).is_control() ? lead_marker(batch) : lead(batch);
        ASSERT_TRUE(done.ok());
    }

    std::int64_t collected_end_ = 0;
};

}  // namespace klab::storage
