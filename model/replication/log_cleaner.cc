// SPDX-License-Identifier: Apache-2.0
//
// See log_cleaner.h.
#include "model/replication/log_cleaner.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "model/replication/data_plane.h"
#include "model/replication/log_background.h"
#include "model/storage/cleaner/cleaner_checkpoint.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"

namespace klab::replication {

namespace cleaner = storage::cleaner;

using cleaner::CleaningAction;
using cleaner::CleaningError;
using types::TimerKind;

namespace {

sim::TimerKey timer_of(std::uint32_t thread) {
    return {.timer = static_cast<std::uint32_t>(TimerKind::kLogCleaner), .a = thread, .b = 0};
}

cleaner::CleanerLimits limits_of(const DataPlane& plane) {
    const types::BrokerConfig& config = plane.options.config;
    return {.map = cleaner::offset_map_size({config.cleaner.dedupe_buffer_size,
                                             config.cleaner.threads,
                                             config.cleaner.load_factor_billionths}),
            .io = {config.cleaner.io_buffer_size,
                   config.cleaner.threads,
                   config.topic_defaults.max_message_bytes},
            .rules = plane.around.rules};
}

/// The log directory that a log lies in: each has a checkpoint of its own.
std::string directory_of(const storage::Log& log) {
    return log.directory().substr(0, log.directory().rfind('/'));
}

/// Reads cleaner-offset-checkpoint, changes it and writes it, without the lines of logs that are
/// not here any more. A failure takes the log directory offline, here as everywhere.
template <typename Change>
void update_checkpoints(DataPlane& plane, const std::string& log_dir, const Change& change) {
    auto checkpoints = cleaner::read_cleaner_checkpoints(plane.ctx, log_dir);
    if (!checkpoints) {
        return;
    }
    cleaner::drop_strangers(*checkpoints, [&](const types::TopicPartition& name) {
        const auto key = plane.key_of(name);
        return key && plane.hosted.contains(*key);
    });
    if (change(*checkpoints)) {
        static_cast<void>(cleaner::write_cleaner_checkpoints(plane.ctx, log_dir, *checkpoints));
    }
}

/// Lines of several directories; a partition lies in one.
cleaner::CleanerCheckpoints read_all(DataPlane& plane, const std::set<std::string>& log_dirs) {
    cleaner::CleanerCheckpoints all;
    for (const std::string& log_dir : log_dirs) {
        // One that cannot be read has gone offline, and the logs in it with it.
        if (auto lines = cleaner::read_cleaner_checkpoints(plane.ctx, log_dir)) {
            all.merge(*lines);
        }
    }
    return all;
}

void emit_compacted(DataPlane& plane,
                    const Partition& partition,
                    const cleaner::SwappedGroup& group) {
    plane.ctx.emit(types::events::kLogCompacted,
                   {partition.trace_name,
                    group.base_offset.value(),
                    group.end.value(),
                    group.segments,
                    static_cast<std::int64_t>(group.bytes_before),
                    static_cast<std::int64_t>(group.bytes_after)});
}

}  // namespace

// --- threads

void LogCleaner::start(sim::Context& ctx, const ReplicationOptions& options) {
    const types::CleanerConfig& config = options.config.cleaner;
    if (!config.enable) {
        return;
    }
    throttle_ = cleaner::IoThrottle(config.io_max_bytes_per_second, ctx.monotonic());
    threads_.write().resize(static_cast<std::size_t>(config.threads));
    for (std::uint32_t thread = 0; thread < threads_->size(); ++thread) {
        ctx.set_timer(timer_of(thread), Duration{}, options.lanes.cleaner(thread));
    }
}

void LogCleaner::stop(sim::Context& ctx) {
    for (std::uint32_t thread = 0; thread < threads_->size(); ++thread) {
        ctx.cancel_timer(timer_of(thread));
    }
    threads_ = {};
}

void LogCleaner::go_on(DataPlane& plane, std::uint32_t thread, Duration after) const {
    plane.ctx.set_timer(timer_of(thread), after, plane.options.lanes.cleaner(thread));
}

std::size_t LogCleaner::threads_running() const {
    return static_cast<std::size_t>(
        std::ranges::count(*threads_, false, [](const Thread& t) { return t.has_ended; }));
}

void LogCleaner::on_timer(DataPlane& plane, std::uint32_t thread) {
    if (thread >= threads_->size()) {
        return;  // the threads have been stopped
    }
    const bool was_working = (*threads_)[thread].key.has_value();
    if (!was_working && !begin_next(plane, thread)) {
        delete_old_segments(plane);
        go_on(plane, thread, types::duration_of_ms(plane.options.config.cleaner.backoff_ms));
        return;
    }
    const Duration rest = work(plane, thread);
    if (!(*threads_)[thread].has_ended) {
        go_on(plane, thread, rest);
    }
}

bool LogCleaner::begin_next(DataPlane& plane, std::uint32_t thread) {
    std::vector<cleaner::LogSight> logs;
    std::set<std::string> log_dirs;
    plane.hosted.for_each([&](const PartitionKey&, const Cow<Partition>& partition) {
        if (partition->log.config().is_compacted && states_->is_free(partition->name)) {
            logs.push_back(cleaner::sight_of(partition->log));
            log_dirs.insert(directory_of(partition->log));
        }
    });
    if (logs.empty()) {
        return false;
    }
    std::ranges::sort(logs, {}, &cleaner::LogSight::partition);
    const std::int64_t now_ms = plane.ctx.now().to_ms();
    const cleaner::LogChoice choice = cleaner::choose_log(logs, read_all(plane, log_dirs), now_ms);
    for (const storage::OffsetCheckpointEntry& reset : choice.resets) {
        const storage::Log& log = plane.find(*plane.key_of(reset.partition))->log;
        update_checkpoints(plane, directory_of(log), [&](cleaner::CleanerCheckpoints& lines) {
            lines.insert_or_assign(reset.partition, reset.offset);
            return true;
        });
    }
    if (!choice.chosen) {
        return false;
    }
    const cleaner::LogToClean& target = *choice.chosen;
    Thread& worker = threads_.write()[thread];
    worker.key = plane.key_of(target.partition);
    states_.write().apply(target.partition, CleaningAction::kStart);
    plane.ctx.emit(types::events::kCleanerStarted,
                   {plane.find(*worker.key)->trace_name,
                    target.first_dirty.value(),
                    target.first_uncleanable.value(),
                    static_cast<std::int64_t>(target.clean_bytes),
                    static_cast<std::int64_t>(target.cleanable_bytes)});
    worker.pass = cleaner::CleaningPass(target, limits_of(plane), now_ms);
    return true;
}

/// One piece. Returns how long the thread rests then.
Duration LogCleaner::work(DataPlane& plane, std::uint32_t thread) {
    Thread& worker = threads_.write()[thread];
    Partition& partition = *plane.find_for_write(*worker.key);
    const auto piece = worker.pass.advance(plane.ctx, partition.log);
    if (!piece) {
        fail(plane, worker, piece.error());
        return piece.error() == CleaningError::kOffsetOverflow
                   ? Duration{}
                   : types::duration_of_ms(plane.options.config.cleaner.backoff_ms);
    }
    if (piece->swapped) {
        emit_compacted(plane, partition, *piece->swapped);
        note_log_work(plane.ctx, plane.options, partition.log);
    }
    if (piece->is_done) {
        finish(plane, worker);
        delete_old_segments(plane);
        return {};
    }
    const Duration after_read = throttle_.note(piece->bytes_read, plane.ctx.monotonic());
    return after_read + throttle_.note(piece->bytes_written, plane.ctx.monotonic() + after_read);
}

void LogCleaner::finish(DataPlane& plane, Thread& thread) {
    const cleaner::CleaningPass pass = thread.pass;
    const std::int64_t name = plane.find(*thread.key)->trace_name;
    release(plane, thread, pass.end_offset());
    plane.ctx.emit(types::events::kLogCleaned,
                   {name,
                    pass.target().first_dirty.value(),
                    pass.end_offset().value(),
                    static_cast<std::int64_t>(pass.stats().records_read),
                    static_cast<std::int64_t>(pass.stats().records_written)});
}

void LogCleaner::fail(DataPlane& plane, Thread& thread, CleaningError error) {
    const types::TopicPartition name = thread.pass.target().partition;
    const std::int64_t trace_name = plane.find(*thread.key)->trace_name;
    const types::Offset dirty_from = thread.pass.target().first_dirty;
    if (error == CleaningError::kStorage) {
        return;  // the log directory is offline; whoever runs the step learns it from there
    }
    release(plane, thread, dirty_from);
    const std::int64_t reason = plane.ctx.text(cleaner::to_text(error));
    if (error == CleaningError::kOffsetOverflow) {
        plane.ctx.emit(types::events::kCleanerAborted, {trace_name, reason});
        return;
    }
    const bool ends = !plane.around.rules.cleaner_survives_bad_logs;
    thread.has_ended = ends;
    if (!ends) {
        states_.write().mark_uncleanable(name);
    }
    plane.ctx.emit(types::events::kCleanerFailed, {trace_name, reason, ends ? 1 : 0});
}

/// The thread lets go of its log, which is dirty from there on.
void LogCleaner::release(DataPlane& plane, Thread& thread, types::Offset dirty_from) {
    const types::TopicPartition name = thread.pass.target().partition;
    const storage::Log& log = plane.find(*thread.key)->log;
    update_checkpoints(plane, directory_of(log), [&](cleaner::CleanerCheckpoints& lines) {
        lines.insert_or_assign(name, dirty_from);
        return true;
    });
    states_.write().apply(name, CleaningAction::kDone);
    thread.key.reset();
    thread.pass = {};
}

void LogCleaner::delete_old_segments(DataPlane& plane) {
    std::vector<PartitionKey> keys;
    plane.hosted.for_each([&](const PartitionKey& key, const Cow<Partition>& partition) {
        if (partition->log.config().is_compacted && states_->is_free(partition->name)) {
            keys.push_back(key);
        }
    });
    for (const PartitionKey& key : keys) {
        replication::delete_old_segments(plane, key);
    }
}

// --- keeping out of the way

void LogCleaner::pause(DataPlane& plane, const Partition& partition, std::string_view reason) {
    const auto phase = states_->state_of(partition.name).phase;
    states_.write().apply(partition.name, CleaningAction::kAbortAndPause);
    if (phase != cleaner::CleaningPhase::kInProgress) {
        return;
    }
    for (Thread& thread : threads_.write()) {
        if (thread.key != partition.key) {
            continue;
        }
        // A failure takes the log directory offline, here as everywhere.
        static_cast<void>(thread.pass.give_up(plane.ctx, partition.log));
        thread.key.reset();
        thread.pass = {};
    }
    states_.write().apply(partition.name, CleaningAction::kDone);
    const std::int64_t why = plane.ctx.text(reason);
    plane.ctx.emit(types::events::kCleanerAborted, {partition.trace_name, why});
}

void LogCleaner::resume(const Partition& partition) {
    states_.write().apply(partition.name, CleaningAction::kResume);
}

void LogCleaner::after_cut(DataPlane& plane, const Partition& partition) {
    if (!partition.log.config().is_compacted) {
        return;
    }
    const types::Offset base = partition.log.active_segment().base_offset();
    update_checkpoints(plane, directory_of(partition.log), [&](cleaner::CleanerCheckpoints& lines) {
        return cleaner::truncate_checkpoint(lines, partition.name, base);
    });
}

void LogCleaner::give_up(DataPlane& plane, const Partition& partition, std::string_view reason) {
    pause(plane, partition, reason);
    resume(partition);
}

void LogCleaner::forget(DataPlane& plane, const Partition& partition) {
    give_up(plane, partition, "the partition goes");
    update_checkpoints(plane, directory_of(partition.log), [&](cleaner::CleanerCheckpoints& lines) {
        return lines.erase(partition.name) > 0;
    });
    states_.write().forget(partition.name);
}

void LogCleaner::lose(const Partition& partition) {
    for (std::size_t i = 0; i < threads_->size(); ++i) {
        if ((*threads_)[i].key == partition.key) {
            threads_.write()[i].key.reset();
            threads_.write()[i].pass = {};
        }
    }
    if (states_->state_of(partition.name) != cleaner::CleaningState{} ||
        states_->is_uncleanable(partition.name)) {
        states_.write().forget(partition.name);
    }
}

}  // namespace klab::replication
