// SPDX-License-Identifier: Apache-2.0
//
// The history oracle: compares what clients were told with what a reader to the end would find, and
// names the anomalies as the public history checkers do. It never looks at how brokers got there.
//
//     anomaly              meaning                                                       breaks
//     lost-write           acknowledged, and nowhere in the final log                    ACK
//     duplicate            in the final log more often than it was sent                  DUP
//     reordered            its first copy stands behind a record sent later              ORD
//     vanished             a consumer read it, and it is nowhere in the final log        VANISH
//     inconsistent-offset  a consumer read it at another offset than where it is         VANISH
//     read-above-hw        a consumer read a record that was not committed               VANISH
//     skipped-on-poll      a consumer went past a committed record without reading it    SKIP
//     nonmonotonic-poll    a consumer read backwards without a reset                     SKIP
//     unseen               acknowledged, readable, passed by every consumer, read by none SKIP
//     unexpected-write     refused for sure, and in the log all the same                 DUP
//
// The final log of a partition is that of its leader. When no leader runs at the end, a record
// counts as lost only if it is in no log of the ISR, because any member may lead next. Lost,
// duplicate, reordered and vanished look at the whole final log, also above the high watermark;
// skipped and unseen only below it.
//
// Called by: checker.cc. Source: Jepsen's checker for Kafka-like logs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/check/check_table.h"
#include "model/check/cluster_sight.h"
#include "model/check/findings.h"
#include "model/check/history.h"
#include "model/check/white_box.h"

namespace klab::check {

enum class AnomalyKind : std::uint8_t {
    kLostWrite,
    kDuplicate,
    kReordered,
    kVanished,
    kInconsistentOffset,
    kReadAboveHw,
    kSkippedOnPoll,
    kNonmonotonicPoll,
    kUnseen,
    kUnexpectedWrite,
};

/// "lost-write"
[[nodiscard]] std::string_view name_of(AnomalyKind kind);

/// The word of the catalogue that it breaks.
[[nodiscard]] CheckId check_of(AnomalyKind kind);

/// All anomalies of one kind, client and partition.
struct Anomaly {
    AnomalyKind kind = AnomalyKind::kLostWrite;
    std::string client;
    std::int64_t partition = sim::kAbsent;  ///< as events name it
    std::uint64_t count = 0;
    bool allowed = false;
    std::string why;                    ///< why it is allowed
    std::string detail;                 ///< a sentence with the first cases
    std::vector<std::int64_t> records;  ///< numbers of the first records, at most 10

    friend bool operator==(const Anomaly&, const Anomaly&) = default;
};

/// How many anomalies of each kind a client has.
struct ClientVerdict {
    std::uint64_t lost_acked = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t reordered = 0;
    std::uint64_t vanished = 0;  ///< of a consumer: that it read; of a producer: that it sent
    std::uint64_t skipped = 0;
    std::uint64_t unseen = 0;

    friend bool operator==(const ClientVerdict&, const ClientVerdict&) = default;
};

struct HistoryVerdict {
    std::map<std::string, ClientVerdict, std::less<>> clients;
    std::vector<Anomaly> anomalies;                   ///< by client, partition, kind
    std::map<std::int64_t, std::uint64_t> lost_weak;  ///< lost with acks=0 or 1, by partition
    std::uint64_t acked = 0;                          ///< records looked at for loss
    std::uint64_t copies = 0;                         ///< records found in final logs
    std::uint64_t reads = 0;                          ///< records read by consumers

    /// Zeros for an unknown client.
    [[nodiscard]] ClientVerdict of(std::string_view client) const;

    friend bool operator==(const HistoryVerdict&, const HistoryVerdict&) = default;
};

/// Judges the history against the logs of this instant. `white_box` only says which losses the run
/// allows. Reads every final log: O(n log n) in records.
[[nodiscard]] HistoryVerdict judge(const History& history,
                                   const ClusterSight& sight,
                                   const WhiteBox& white_box);

}  // namespace klab::check
