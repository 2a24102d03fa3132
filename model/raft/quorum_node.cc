// SPDX-License-Identifier: Apache-2.0
//
// See quorum_node.h. Serving fetches is quorum_fetch.cc.
#include "model/raft/quorum_node.h"

#include <algorithm>

#include "model/raft/leader_change.h"
#include "model/raft/quorum_state_file.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"
#include "sim/base/assert.h"

namespace klab::raft {

namespace {

sim::TimerKey key_of(types::TimerKind kind) { return {static_cast<std::uint32_t>(kind), 0, 0}; }

types::LeaderEpoch as_leader_epoch(types::QuorumEpoch epoch) {
    return types::LeaderEpoch(epoch.value());
}

}  // namespace

QuorumProgress QuorumNode::start(sim::Context& ctx) {
    auto log = MetadataLog::open(ctx, spec_.log_directory, spec_.segment_bytes);
    if (!log) {
        return {.failed = true};
    }
    log_ = *std::move(log);
    const std::optional<ElectionState> stored = read_quorum_state(ctx.disk(), log_.directory());
    if (ctx.disk_failure() != nullptr) {
        return {.failed = true};  // an epoch that cannot be read is not an epoch of 0
    }
    const std::int32_t stored_epoch = stored ? stored->epoch.value() : 0;
    const std::int32_t log_epoch = log_.last_epoch() ? log_.last_epoch()->value() : 0;
    // Never lead the same epoch twice: what a crash took away must not come back with another
    // content under the same (offset, epoch).
    epoch_ = types::QuorumEpoch(std::max(stored_epoch, log_epoch) + 1);
    return {.failed = !begin_epoch(ctx)};
}

bool QuorumNode::begin_epoch(sim::Context& ctx) {
    ElectionState state;
    state.epoch = epoch_;
    state.leader = spec_.id;
    state.voters = spec_.voters;
    if (!write_quorum_state(ctx.disk(), log_.directory(), state)) {
        return false;
    }
    leader_ = spec_.id;
    epoch_start_ = log_.end_offset();
    LeaderChangeMessage message;
    message.leader = spec_.id;
    message.voters = spec_.voters;
    message.granting_voters = {spec_.id};
    const std::int64_t now_ms = ctx.now().to_ms();
    const Bytes batch = build_leader_change(epoch_start_, as_leader_epoch(epoch_), now_ms, message);
    if (!append_to_log(ctx, batch)) {
        return false;
    }
    accumulator_ = BatchAccumulator(as_leader_epoch(epoch_), log_.end_offset());
    return true;
}

bool QuorumNode::append_to_log(sim::Context& ctx, ByteView batches) {
    const types::Offset base = log_.end_offset();
    const types::LeaderEpoch epoch = as_leader_epoch(epoch_);
    if (log_.append(ctx, types::rules(ctx), epoch, batches) || log_.flush(ctx)) {
        return false;
    }
    ctx.emit(types::events::kMetadataAppended,
             {base.value(), log_.end_offset().value() - 1, epoch_.value()});
    // The lane is busy until the fsync is done; only then does the timer fire.
    flushing_ = true;
    ctx.set_timer(key_of(types::TimerKind::kMetadataFlushed), Duration{}, spec_.lane);
    return true;
}

std::optional<types::Offset> QuorumNode::append(sim::Context& ctx, std::span<const Bytes> values) {
    KLAB_ASSERT(is_leader(), "append to a log that node {} does not lead", spec_.id);
    const bool was_empty = accumulator_.empty();
    const std::optional<types::Offset> last = accumulator_.append(values, ctx.now().to_ms());
    if (last && was_empty) {
        ctx.set_timer(key_of(types::TimerKind::kAppendLinger), spec_.append_linger, spec_.lane);
    }
    return last;
}

QuorumProgress QuorumNode::drain(sim::Context& ctx) {
    if (accumulator_.empty()) {
        return {};
    }
    if (flushing_) {
        // One fsync at a time; the next linger takes what has gathered meanwhile.
        ctx.set_timer(key_of(types::TimerKind::kAppendLinger), Duration{}, spec_.lane);
        return {};
    }
    const Bytes batches = accumulator_.drain();
    return {.failed = !append_to_log(ctx, batches)};
}

QuorumProgress QuorumNode::advance_high_watermark(sim::Context& ctx) {
    flushing_ = false;
    const types::Offset flushed = log_.flushed_offset();
    // The one voter holds everything it has flushed; the epoch start lies below that, so the rule
    // "nothing of an older epoch is committed before something of this one" is kept.
    if (flushed <= epoch_start_ || (high_watermark_ && *high_watermark_ >= flushed)) {
        return {};
    }
    high_watermark_ = flushed;
    ctx.emit(types::events::kMetadataCommitted, {flushed.value() - 1});
    complete_parked_fetches(ctx);
    return {.committed = true};
}

Result<Bytes, types::ErrorCode> QuorumNode::read_committed(sim::Context& ctx,
                                                           types::Offset from,
                                                           std::int32_t bytes_max) const {
    return log_.read(ctx, from, high_watermark_.value_or(types::Offset(0)), bytes_max);
}

QuorumProgress QuorumNode::on_timer(sim::Context& ctx, const sim::TimerKey& key) {
    if (key == key_of(types::TimerKind::kAppendLinger)) {
        return drain(ctx);
    }
    if (key == key_of(types::TimerKind::kMetadataFlushed)) {
        return advance_high_watermark(ctx);
    }
    expire_parked_fetch(ctx, key);
    return {};
}

}  // namespace klab::raft
