// SPDX-License-Identifier: Apache-2.0
//
// Which records of a compacted topic may be missing in the end: a cleaning drops a record once a
// later one has its key, and a record without value (a tombstone) drops itself in the end. The last
// value of a key must be there.
//
// Called by: history_verdict.cc. Source: Kafka's documentation, Design, Log compaction; KIP-58.
#pragma once

#include <cstdint>

#include "model/check/final_log.h"
#include "model/check/history.h"

namespace klab::check {

/// A record that somebody saw.
struct SeenRecord {
    std::int64_t partition = 0;
    std::int64_t offset = 0;
    std::int64_t key = -1;  ///< as events name it, -1 without
};

/// May a cleaning have dropped it? Some log of the partition was cleaned below `cleaned`.
[[nodiscard]] bool may_be_compacted(const History& history,
                                    const FinalLog& log,
                                    std::int64_t cleaned,
                                    const SeenRecord& record);

}  // namespace klab::check
