// SPDX-License-Identifier: Apache-2.0
//
// See read_rules.h.
#include "model/check/read_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/check/leader_completeness.h"
#include "model/check/loss_excuse.h"

namespace klab::check {

namespace {

/// Whoever waits longer than this for an answer has given it up: the largest request.timeout.ms
/// that clients have by default.
constexpr Duration kAnswerAge = seconds(30);

/// The excuse of the last loss at or below `offset`; nothing without one.
const Rebase* loss_below(const PartitionTrack& p, std::int64_t offset) {
    for (auto rebase = p.rebases.rbegin(); rebase != p.rebases.rend(); ++rebase) {
        if (rebase->at <= offset) {
            return &*rebase;
        }
    }
    return nullptr;
}

/// The record was committed as the reader saw it.
bool is_committed_content(const PartitionTrack& p, const Read& read) {
    const auto index = committed_index(p, read.offset);
    return index && p.committed[*index].epoch == read.epoch;
}

}  // namespace

void check_read(const RuleContext& ctx, PartitionTrack& p, const Read& read) {
    if (read.offset < 0 || read.offset >= read.high_watermark) {
        return;  // read above the high watermark: the history oracle tells
    }
    if (is_committed_content(p, read)) {
        expose(ctx, p, read.offset + 1);
    }
    const auto at = static_cast<std::size_t>(read.offset);
    while (p.reads.size() <= at) {
        p.reads.push_back({});
    }
    const FirstRead now{read.record, read.producer, read.epoch, true};
    const FirstRead first = p.reads[at];
    if (!first.known) {
        p.reads.write(at) = now;
        return;
    }
    ctx.findings.had(CheckId::kP6);
    if (first == now) {
        return;
    }
    const Rebase* loss = loss_below(p, read.offset);
    ctx.broken(CheckId::kP6,
               p,
               loss != nullptr ? loss->excuse : std::nullopt,
               fmt::format("offset {} of {} was read as record {} of epoch {} and now as record {} "
                           "of epoch {}",
                           read.offset,
                           ctx.name(p),
                           first.record,
                           first.epoch,
                           read.record,
                           read.epoch));
    p.reads.write(at) = now;
}

void check_latest(const RuleContext& ctx, PartitionTrack& p, std::int64_t offset) {
    const auto epoch = ctx.sight.position_epoch(*ctx.event.node, ctx.sight.partition(p.name));
    if (!epoch) {
        return;  // a client that does not use epochs
    }
    // The epoch is the one the client knew when the answer came. Answers older than the last change
    // of leader are not judged.
    const bool sure =
        !p.control.leader_changed || ctx.event.time - p.control.leader_since > kAnswerAge;
    if (p.latest_answer && sure) {
        ctx.findings.had(CheckId::kP7);
        if (epoch->value() >= p.latest_answer->leader_epoch && offset < p.latest_answer->offset) {
            const Rebase* loss = loss_below(p, offset);
            ctx.broken(CheckId::kP7,
                       p,
                       loss != nullptr ? loss->excuse : std::nullopt,
                       fmt::format("the latest offset of {} was {} in leader epoch {} and is {} in "
                                   "{}",
                                   ctx.name(p),
                                   p.latest_answer->offset,
                                   p.latest_answer->leader_epoch,
                                   offset,
                                   *epoch));
            p.latest_answer = LatestAnswer{offset, epoch->value()};
        }
    }
    if (!p.latest_answer || offset >= p.latest_answer->offset) {
        p.latest_answer = LatestAnswer{offset, epoch->value()};
    }
}

}  // namespace klab::check
