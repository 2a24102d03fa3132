// SPDX-License-Identifier: Apache-2.0
//
// See truncation_floor.h.
#include "model/check/truncation_floor.h"

#include <fmt/format.h>

#include "model/check/loss_excuse.h"

namespace klab::check {

void check_cut(const RuleContext& ctx,
               const PartitionTrack& p,
               const ReplicaTrack& r,
               std::int64_t to,
               std::int64_t high_watermark) {
    ctx.findings.had(CheckId::kP21);
    if (to >= high_watermark) {
        return;
    }
    Excuse excuse = excuse_for_replica(ctx, p, &r, to);
    if (!excuse && !p.control.unclean_epochs.empty() &&
        p.control.unclean_epochs.back() >= p.latest_epoch) {
        excuse =
            fmt::format("unclean election in leader epoch {}", p.control.unclean_epochs.back());
    }
    ctx.broken(CheckId::kP21,
               p,
               std::move(excuse),
               fmt::format("b{} cuts {} to {}, below its high watermark {}",
                           r.broker,
                           ctx.name(p),
                           to,
                           high_watermark));
}

}  // namespace klab::check
