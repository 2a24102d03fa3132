// SPDX-License-Identifier: Apache-2.0
//
// P6 consistent read, P7 latest offset never goes back.
//
// Called by: white_box.cc. TLA ConsistentRead, KIP-207
// Simplified: of the answers to ListOffsets only those that move a consumer are seen.
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// record.polled
struct Read {
    std::int64_t offset = 0;
    std::int32_t epoch = -1;
    std::int32_t producer = -1;
    std::int64_t record = -1;
    std::int64_t high_watermark = -1;
};

void check_read(const RuleContext& ctx, PartitionTrack& p, const Read& read);

/// A consumer that resets to the latest offset was sent to `offset`.
void check_latest(const RuleContext& ctx, PartitionTrack& p, std::int64_t offset);

}  // namespace klab::check
