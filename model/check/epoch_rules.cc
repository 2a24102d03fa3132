// SPDX-License-Identifier: Apache-2.0
//
// See epoch_rules.h.
#include "model/check/epoch_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

void check_author(const RuleContext& ctx,
                  PartitionTrack& p,
                  types::BrokerId broker,
                  std::int32_t leader_epoch) {
    ctx.findings.had(CheckId::kP9);
    for (auto author = p.authors.rbegin(); author != p.authors.rend(); ++author) {
        if (author->first != leader_epoch) {
            continue;
        }
        if (author->second != broker) {
            ctx.broken(CheckId::kP9,
                       p,
                       std::nullopt,
                       fmt::format("b{} appends to {} in leader epoch {}, in which b{} appended "
                                   "before",
                                   broker,
                                   ctx.name(p),
                                   leader_epoch,
                                   author->second));
        }
        return;
    }
    p.authors.emplace_back(leader_epoch, broker);
}

void check_applied_epochs(const RuleContext& ctx,
                          const PartitionTrack& p,
                          ReplicaTrack& r,
                          std::int32_t leader_epoch,
                          std::int32_t partition_epoch) {
    ctx.findings.had(CheckId::kP10);
    if (leader_epoch < r.leader_epoch || partition_epoch < r.partition_epoch) {
        ctx.broken(
            CheckId::kP10,
            p,
            std::nullopt,
            fmt::format("b{} goes from leader epoch {}, partition epoch {} of {} back to {}, "
                        "{}",
                        r.broker,
                        r.leader_epoch,
                        r.partition_epoch,
                        ctx.name(p),
                        leader_epoch,
                        partition_epoch));
    }
    r.leader_epoch = leader_epoch;
    r.partition_epoch = partition_epoch;
}

void check_committed_epochs(const RuleContext& ctx,
                            const PartitionTrack& p,
                            std::int32_t leader_epoch,
                            std::int32_t partition_epoch) {
    if (!p.control.known) {
        return;
    }
    ctx.findings.had(CheckId::kP10);
    if (leader_epoch < p.control.leader_epoch || partition_epoch <= p.control.partition_epoch) {
        ctx.broken(CheckId::kP10,
                   p,
                   std::nullopt,
                   fmt::format("the metadata of {} go from leader epoch {}, partition epoch {} to "
                               "{}, {}",
                               ctx.name(p),
                               p.control.leader_epoch,
                               p.control.partition_epoch,
                               leader_epoch,
                               partition_epoch));
    }
}

}  // namespace klab::check
