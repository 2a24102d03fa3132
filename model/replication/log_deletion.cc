// SPDX-License-Identifier: Apache-2.0
//
// See log_deletion.h.
#include "model/replication/log_deletion.h"

#include <algorithm>

#include "model/replication/log_events.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"
#include "model/types/fresh_uuid.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"

namespace klab::replication {

using storage::AppendError;

namespace {

constexpr sim::TimerKey kTimer{static_cast<std::uint32_t>(types::TimerKind::kLogDeletion), 0, 0};

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Arms the timer for the first directory that is due. The task first runs some time after the
/// start, with all the others (log.initial.task.delay.ms).
void arm(DataPlane& plane) {
    const std::vector<DeletedLog>& deleted = plane.directories.deleted;
    if (deleted.empty()) {
        return;
    }
    const Time due = std::max(deleted.front().due, plane.directories.first_deletion);
    plane.ctx.set_timer(kTimer, due - plane.ctx.monotonic(), plane.options.lanes.background);
}

}  // namespace

Result<std::string, AppendError> rename_log(sim::Context& ctx,
                                            const storage::Log& log,
                                            storage::LogKind kind) {
    const std::string unique =
        types::hex_text(types::fresh_uuid(ctx, types::FreshIdKind::kLogName));
    const std::string name = storage::log_directory_name(log.partition(), unique, kind);
    const std::string parent(storage::parent_directory(log.directory()));
    std::string renamed = storage::join_path(parent, name);
    const storage::DiskPort disk = ctx;
    // Utils.atomicMoveWithFallback syncs the parent.
    if (!disk.rename(log.directory(), renamed) || !disk.sync_directory(parent)) {
        return Error{AppendError::kStorage};
    }
    const std::int64_t partition = trace_name_of(ctx, log.partition());
    const std::int64_t to = ctx.text(name);
    ctx.emit(types::events::kLogRenamed, {partition, to});
    return renamed;
}

void delete_log_later(DataPlane& plane, const storage::Log& log) {
    const auto renamed = rename_log(plane.ctx, log, storage::LogKind::kDeleted);
    if (renamed) {
        delete_directory_later(plane, log.partition(), *renamed);
    }
    // Otherwise the log directory goes offline, as everywhere.
}

void delete_directory_later(DataPlane& plane,
                            const types::TopicPartition& name,
                            const std::string& path) {
    const Duration delay =
        types::duration_of_ms(plane.options.config.topic_defaults.file_delete_delay_ms);
    plane.directories.deleted.push_back({name, path, plane.ctx.monotonic() + delay});
    arm(plane);
}

void delete_due_logs(DataPlane& plane) {
    std::vector<DeletedLog> later;
    for (DeletedLog& one : plane.directories.deleted) {
        const LogDirectory* const directory =
            plane.directories.find(storage::parent_directory(one.path));
        if (one.due > plane.ctx.monotonic()) {
            later.push_back(std::move(one));
            continue;
        }
        const storage::DiskPort disk = plane.ctx;
        if (directory != nullptr && directory->online && disk.remove(one.path)) {
            const std::int64_t partition = trace_name_of(plane.ctx, one.name);
            const std::int64_t name = plane.ctx.text(name_in(one.path));
            plane.ctx.emit(types::events::kLogDeleted, {partition, name});
        }
    }
    plane.directories.deleted = std::move(later);
    arm(plane);
}

}  // namespace klab::replication
