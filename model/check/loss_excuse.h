// SPDX-License-Identifier: Apache-2.0
//
// When may committed records get lost? The ledger of legitimate losses, read off the tracks:
// unclean elections, lost log tails with the ISR and min.insync.replicas under which the records
// were committed, ELR, and the historic truncation rule.
//
// Called by: the rules whose "may break" says so (P1 to P7, P13, P15, P21). KIP-101, KIP-966.
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// Why the loss of the committed records in [from, to) is allowed; nothing when it is not.
/// Requires: from < to.
[[nodiscard]] Excuse excuse_for_loss(const RuleContext& ctx,
                                     const PartitionTrack& p,
                                     std::int64_t from,
                                     std::int64_t to);

/// Why a replica may lack or differ from committed records from `from` on for a while: it lost its
/// log tail, it has not yet cut what a leader replaced, or the loss itself is allowed.
[[nodiscard]] Excuse excuse_for_replica(const RuleContext& ctx,
                                        const PartitionTrack& p,
                                        const ReplicaTrack* r,
                                        std::int64_t from);

/// The excuse of the historic truncation rule, if it is in force.
[[nodiscard]] Excuse excuse_of_version(const RuleContext& ctx);

}  // namespace klab::check
