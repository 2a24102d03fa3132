// SPDX-License-Identifier: Apache-2.0
//
// P4 log matching below the high watermark, P5 committed content is stable.
//
// Called by: white_box.cc, high_watermark_rules.cc. TLA LogMatching, KIP-101
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// The replica raised its high watermark to `to`: does it hold what others committed below it?
void check_own_log(const RuleContext& ctx, const PartitionTrack& p, const ReplicaTrack& r);

/// Replica `broker` was found to differ at `offset`, below its high watermark.
void report_differing(const RuleContext& ctx,
                      const PartitionTrack& p,
                      types::BrokerId broker,
                      std::int64_t offset);

/// A leader appended `batch`: does it take the place of a record that was committed once?
void check_replacement(const RuleContext& ctx, PartitionTrack& p, const Batch& batch);

}  // namespace klab::check
