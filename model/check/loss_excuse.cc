// SPDX-License-Identifier: Apache-2.0
//
// See loss_excuse.h.
#include "model/check/loss_excuse.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

namespace {

/// "As many ISR members of that moment as min.insync.replicas asks for lost their log tail": then
/// acks=all promised nothing more.
Excuse excuse_of_segment(const PartitionTrack& p, const IsrSegment& segment, std::int64_t offset) {
    BrokerIds losers;
    for (const types::BrokerId member : segment.isr) {
        const ReplicaTrack* r = find_replica(p, member);
        if (r != nullptr && r->has_lost(offset)) {
            losers.push_back(member);
        }
    }
    if (losers.size() < segment.min_isr) {
        return std::nullopt;
    }
    return fmt::format("{} of the ISR [{}] lost the end of its log, and min.insync.replicas was {}",
                       broker_names(losers),
                       broker_names(segment.isr),
                       segment.min_isr);
}

/// Every segment that the lost range touches must have the excuse.
Excuse excuse_of_tails(const PartitionTrack& p, std::int64_t from, std::int64_t to) {
    Excuse first;
    for (std::size_t i = 0; i < p.segments.size(); ++i) {
        const bool is_last = i + 1 == p.segments.size();
        const std::int64_t end = is_last ? to : p.segments[i + 1].from;
        const std::int64_t low = std::max(from, p.segments[i].from);
        if (low >= std::min(to, end)) {
            continue;
        }
        Excuse excuse = excuse_of_segment(p, p.segments[i], low);
        if (!excuse) {
            return std::nullopt;
        }
        if (!first) {
            first = std::move(excuse);
        }
    }
    return first;
}

/// KIP-966: without ELR the last member of the ISR is the only one that may lead, whatever is left
/// of its log.
Excuse excuse_of_last_member(const RuleContext& ctx, const PartitionTrack& p, std::int64_t offset) {
    if (ctx.rules.elr || p.control.isr.size() != 1) {
        return std::nullopt;
    }
    const ReplicaTrack* last = find_replica(p, p.control.isr.front());
    if (last == nullptr || !last->has_lost(offset)) {
        return std::nullopt;
    }
    return fmt::format(
        "without ELR b{}, the last member of the ISR, had to lead although it lost "
        "the end of its log",
        last->broker);
}

}  // namespace

Excuse excuse_of_version(const RuleContext& ctx) {
    switch (ctx.rules.log_truncation) {
        case types::LogTruncation::kHighWatermark:
            return "log.truncation = high-watermark: before KIP-101 a follower cuts its log to its "
                   "own high watermark, which may be behind";
        case types::LogTruncation::kLeaderEpoch:
            return std::nullopt;
    }
    return std::nullopt;
}

Excuse excuse_for_loss(const RuleContext& ctx,
                       const PartitionTrack& p,
                       std::int64_t from,
                       std::int64_t to) {
    if (const auto& unclean = p.control.unclean) {
        return fmt::format(
            "unclean election of b{} in leader epoch {}", unclean->leader, unclean->leader_epoch);
    }
    if (Excuse excuse = excuse_of_tails(p, from, to)) {
        return excuse;
    }
    if (Excuse excuse = excuse_of_last_member(ctx, p, from)) {
        return excuse;
    }
    return excuse_of_version(ctx);
}

Excuse excuse_for_replica(const RuleContext& ctx,
                          const PartitionTrack& p,
                          const ReplicaTrack* r,
                          std::int64_t from) {
    if (r != nullptr && r->has_lost(from)) {
        return fmt::format("b{} lost the end of its log and is not found out yet", r->broker);
    }
    if (r != nullptr && r->stale) {
        return p.rebases[*r->stale].excuse;
    }
    if (p.control.unclean) {
        return excuse_for_loss(ctx, p, from, from + 1);
    }
    return excuse_of_version(ctx);
}

}  // namespace klab::check
