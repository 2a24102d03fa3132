// SPDX-License-Identifier: Apache-2.0
//
// P1 no acknowledged loss, and ANSWER: acks=all waits.
//
// P1 costs nothing while records are acknowledged: each committed batch counts its acknowledged
// records, and only a leader that starts without some of them has to look.
//
// Called by: white_box.cc. Kafka: DelayedProduce, Sender.completeBatch. KIP-966
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// produce.completed with success and acks=all: the batch [base, last] is answered by `r`.
void check_answer(const RuleContext& ctx,
                  PartitionTrack& p,
                  const ReplicaTrack& r,
                  std::int64_t base,
                  std::int64_t last);

/// record.acked with acks=all at `offset`.
void check_acked(const RuleContext& ctx, PartitionTrack& p, std::int64_t offset);

/// Before a rebase at `from`: are acknowledged records among the batches that `leader` lacks?
void check_acked_kept(const RuleContext& ctx,
                      const PartitionTrack& p,
                      const ReplicaTrack& leader,
                      std::int64_t from,
                      const Excuse& excuse);

/// Answers given before their batch was committed: does the leader that starts hold them?
void check_loose_answers(const RuleContext& ctx, PartitionTrack& p, const ReplicaTrack& leader);

}  // namespace klab::check
