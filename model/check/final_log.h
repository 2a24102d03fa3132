// SPDX-License-Identifier: Apache-2.0
//
// FinalLog: what a reader to the end of a partition would find, by record name.
//
// Called by: history_verdict.cc.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/check/cluster_sight.h"
#include "model/check/history.h"

namespace klab::check {

/// One record in a final log.
struct FinalRecord {
    std::int32_t producer = -1;  ///< node; -1: not a record of a client of this run
    std::int64_t record = -1;
    std::int64_t offset = 0;

    friend bool operator==(const FinalRecord&, const FinalRecord&) = default;
    friend auto operator<=>(const FinalRecord&, const FinalRecord&) = default;
};

struct FinalLog {
    bool has_leader = false;
    std::int64_t high_watermark = 0;    ///< of the leader
    std::int64_t log_start = 0;         ///< what lay below was deleted: retention, DeleteRecords
    std::vector<FinalRecord> in_order;  ///< by offset; of the leader, or of the ISR's first log
    std::vector<FinalRecord> by_name;   ///< sorted; without a leader of all logs of the ISR
    /// Last offset of each key, as events name it.
    std::map<std::int64_t, std::int64_t> newest;

    /// Offsets at which the record stands, as a range of by_name.
    [[nodiscard]] std::pair<std::size_t, std::size_t> copies(std::int32_t producer,
                                                             std::int64_t record) const;

    [[nodiscard]] bool contains(std::int32_t producer, std::int64_t record) const {
        const auto [from, to] = copies(producer, record);
        return from != to;
    }
};

/// Did a leader that knew nothing of the producer take a batch with a sequence above 0 as its
/// first? KIP-360 allows it (ProducerAppendInfo.checkSequence), and with it earlier batches that
/// were on their way to another leader come too late.
[[nodiscard]] bool took_a_later_batch_first(const ClusterSight& sight,
                                            const FinalLog& log,
                                            std::int64_t partition,
                                            std::int32_t producer);

[[nodiscard]] FinalLog read_final_log(const ClusterSight& sight,
                                      const History& history,
                                      std::int64_t partition);

}  // namespace klab::check
