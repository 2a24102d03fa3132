// SPDX-License-Identifier: Apache-2.0
//
// See produce_rules.h.
#include "model/check/produce_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

namespace {

constexpr std::int64_t kSequences = std::int64_t{1} << 31;  // after the largest comes 0

LastSequence* find_sequence(ReplicaTrack& r, std::int64_t producer_id) {
    const auto found = std::ranges::find(r.sequences, producer_id, &LastSequence::producer_id);
    return found == r.sequences.end() ? nullptr : &*found;
}

/// Did the producer go to another epoch with this batch? Its sequences begin anew then.
bool is_new_epoch(const RuleContext& ctx,
                  const PartitionTrack& p,
                  const ReplicaTrack& r,
                  std::int64_t producer_id) {
    std::optional<std::int32_t> before;
    std::optional<std::int32_t> last;
    for (const BatchOnDisk& batch : ctx.sight.batches(ctx.sight.partition(p.name), r.broker)) {
        if (batch.producer_id == producer_id) {
            before = last;
            last = batch.producer_epoch;
        }
    }
    return before && last && *before != *last;
}

}  // namespace

void check_admission(const RuleContext& ctx,
                     const PartitionTrack& p,
                     ReplicaTrack& r,
                     std::int64_t last) {
    if (r.appended_last != last || !r.is_leader()) {
        return;
    }
    ctx.findings.had(CheckId::kP18);
    const std::size_t min_isr = min_isr_of(ctx, p, r);
    if (r.isr.size() < min_isr) {
        ctx.broken(CheckId::kP18,
                   p,
                   std::nullopt,
                   fmt::format("b{} writes an acks=all batch at {} of {} with the ISR [{}] and "
                               "min.insync.replicas {}",
                               r.broker,
                               r.appended_base,
                               ctx.name(p),
                               broker_names(r.isr),
                               min_isr));
    }
}

void check_sequence(const RuleContext& ctx,
                    const PartitionTrack& p,
                    ReplicaTrack& r,
                    const Batch& batch,
                    std::int64_t producer_id,
                    std::int32_t base_sequence) {
    const std::int64_t last =
        (static_cast<std::int64_t>(base_sequence) + (batch.last - batch.base)) % kSequences;
    LastSequence* known = find_sequence(r, producer_id);
    if (known == nullptr) {
        r.sequences.push_back({producer_id, static_cast<std::int32_t>(last)});
        return;
    }
    if (batch.last < p.cleaned) {
        known->sequence = static_cast<std::int32_t>(last);  // copied; those before may be gone
        return;
    }
    ctx.findings.had(CheckId::kIdempotence);
    const std::int64_t expected = (std::int64_t{known->sequence} + 1) % kSequences;
    if (base_sequence != expected && !is_new_epoch(ctx, p, r, producer_id)) {
        ctx.broken(CheckId::kIdempotence,
                   p,
                   std::nullopt,
                   fmt::format("b{} appends to {} sequence {} of producer {} after {}",
                               r.broker,
                               ctx.name(p),
                               base_sequence,
                               producer_id,
                               known->sequence));
    }
    known->sequence = static_cast<std::int32_t>(last);
}

}  // namespace klab::check
