// SPDX-License-Identifier: Apache-2.0
//
// P21 no cut below the high watermark.
//
// Called by: white_box.cc. Kafka: AbstractFetcherThread.truncateOnFetchResponse. KIP-101, KIP-279
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// log.truncated: the replica cut its log to `to`, with this high watermark before.
void check_cut(const RuleContext& ctx,
               const PartitionTrack& p,
               const ReplicaTrack& r,
               std::int64_t to,
               std::int64_t high_watermark);

}  // namespace klab::check
