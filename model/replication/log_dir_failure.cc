// SPDX-License-Identifier: Apache-2.0
//
// See log_dir_failure.h.
#include "model/replication/log_dir_failure.h"

#include <algorithm>
#include <utility>

#include "model/storage/checkpoint_store.h"
#include "model/types/kafka_events.h"
#include "model/types/log_dirs.h"

namespace klab::replication {

namespace {

using sim::Context;

/// The first call of this step that was refused in a directory, or nullptr.
const Context::DiskFailure* failure_in(const Context& ctx, const std::string& directory) {
    const auto at =
        std::ranges::find_if(ctx.disk_failures(), [&](const Context::DiskFailure& failure) {
            return types::lies_in(failure.path, directory);
        });
    return at == ctx.disk_failures().end() ? nullptr : &*at;
}

/// Does the process halt once this directory has failed?
bool is_vital(const ReplicationOptions& options,
              const LogDirectories& directories,
              const std::string& path) {
    return path == options.config.metadata_log_dir || directories.online_count() == 0;
}

sim::EventId emit_failed(Context& ctx, const std::string& path, std::int64_t remaining) {
    const Context::DiskFailure* const failure = failure_in(ctx, path);
    // Without a refused call the content of a file was at fault.
    const std::int64_t error = ctx.text(
        sim::disk_error_name(failure != nullptr ? failure->error : sim::DiskError::io_error));
    const std::int64_t directory = ctx.text(path);
    const sim::EventId cause = failure != nullptr ? failure->event : ctx.cause();
    return ctx.emit(types::events::kLogDirFailed, {directory, error, remaining}, {cause});
}

void forget_loaded(LoadedLogs& logs, const std::string& path) {
    for (const types::TopicPartition& name : logs.keys()) {
        if (storage::parent_directory(logs.find(name)->log.directory()) == path) {
            logs.erase(name);
        }
    }
}

/// Says that the directory is offline. Requires: it was online, or is no log directory.
sim::EventId take_offline(Context& ctx,
                          const ReplicationOptions& options,
                          LogDirectories& directories,
                          const std::string& path) {
    LogDirFailures& failures = directories.unhandled;
    for (LogDirectory& one : directories.all.write()) {
        if (one.path != path) {
            continue;
        }
        one.online = false;
        if (one.id) {
            failures.failed.push_back(*one.id);
        } else {
            failures.must_halt = true;  // it cannot be named to the controller
        }
    }
    forget_loaded(directories.loaded, path);
    forget_loaded(directories.future, path);
    failures.must_halt = failures.must_halt || is_vital(options, directories, path);
    const auto remaining = static_cast<std::int64_t>(directories.online_count());
    return emit_failed(ctx, path, failures.must_halt ? 0 : remaining);
}

void lose_partitions(DataPlane& plane,
                     FetcherManager& fetchers,
                     const std::string& path,
                     sim::EventId because) {
    const std::int64_t directory = plane.ctx.text(path);
    for (const PartitionKey& key : plane.hosted.keys()) {
        const Partition& partition = *plane.find(key);
        if (storage::parent_directory(partition.log.directory()) != path) {
            continue;
        }
        plane.ctx.emit(
            types::events::kReplicaWentOffline, {partition.trace_name, directory}, {because});
        fetchers.remove(key);
        plane.cleaner.lose(partition);
        Cow<Partition> lost = *plane.hosted.find(key);
        plane.hosted.erase(key);
        lost.write().role = Role::kNone;
        plane.directories.offline_partitions.insert_or_assign(key, std::move(lost));
    }
}

}  // namespace

void mark_offline(Context& ctx,
                  const ReplicationOptions& options,
                  LogDirectories& directories,
                  const std::string& path) {
    const LogDirectory* const found = directories.find(path);
    if (found == nullptr || found->online) {
        take_offline(ctx, options, directories, path);
    }
}

LogDirFailures handle_log_dir_failures(DataPlane& plane, FetcherManager& fetchers) {
    const ReplicationOptions& options = plane.options;
    std::vector<std::string> paths = options.config.log_dirs;
    if (std::ranges::find(paths, options.config.metadata_log_dir) == paths.end()) {
        paths.push_back(options.config.metadata_log_dir);
    }
    for (const std::string& path : paths) {
        const LogDirectory* const found = plane.directories.find(path);
        const bool was_online = found == nullptr || found->online;
        if (was_online && failure_in(plane.ctx, path) != nullptr) {
            const sim::EventId failed = take_offline(plane.ctx, options, plane.directories, path);
            lose_partitions(plane, fetchers, path, failed);
        }
    }
    return std::exchange(plane.directories.unhandled, {});
}

}  // namespace klab::replication
