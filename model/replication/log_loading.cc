// SPDX-License-Identifier: Apache-2.0
//
// See log_loading.h.
#include "model/replication/log_loading.h"

#include <string>
#include <utility>

#include "model/replication/log_dir_failure.h"
#include "model/replication/log_dir_placement.h"
#include "model/replication/log_events.h"
#include "model/replication/partition_metadata.h"
#include "model/replication/topic_settings.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/log_dir.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"

namespace klab::replication {

using storage::AppendError;

namespace {

void emit_recovered(sim::Context& ctx,
                    const types::TopicPartition& name,
                    const storage::RecoveryFact& fact) {
    const std::int64_t partition = trace_name_of(ctx, name);
    ctx.emit(types::events::kLogRecovered,
             {partition,
              fact.log_end_offset.value(),
              fact.high_watermark.value(),
              static_cast<std::int64_t>(fact.bytes_dropped),
              fact.is_clean ? 1 : 0});
}

class Loading {
  public:
    Loading(sim::Context& ctx, const ReplicationOptions& options, LogDirectories& directories)
        : ctx_(ctx), options_(options), directories_(directories) {}

    std::optional<StartError> run() {
        for (std::size_t i = 0; i < directories_.all->size(); ++i) {
            if (!(*directories_.all)[i].online) {
                continue;
            }
            if (const auto error = load_directory(i)) {
                return error;
            }
        }
        return std::nullopt;
    }

  private:
    using Outcome = std::optional<StartError>;

    Outcome load_directory(std::size_t place) {
        const std::string path = (*directories_.all)[place].path;
        const auto found = storage::open_log_dir(ctx_, path);
        if (!found) {
            if (found.error() == storage::LogDirError::kForeignName) {
                return StartError::kForeignLog;
            }
            mark_offline(ctx_, options_, directories_, path);
            return std::nullopt;
        }
        directories_.all.write()[place].had_clean_shutdown = found->was_clean_shutdown;
        for (const storage::FoundLog& log : found->logs) {
            if (const auto error = load_log(path, found->was_clean_shutdown, log)) {
                return error;
            }
            if (!(*directories_.all)[place].online) {
                return std::nullopt;
            }
        }
        directories_.all.write()[place].all_loaded = true;
        return std::nullopt;
    }

    [[nodiscard]] storage::LogOptions options_for(const std::string& path,
                                                  bool was_clean,
                                                  const storage::FoundLog& found) const {
        storage::LogOptions log;
        log.partition = found.partition;
        log.log_dir = path;
        log.directory_name = found.name;
        log.config =
            log_config_of(options_.config.topic_defaults, options_.config, types::rules(ctx_));
        log.was_clean_shutdown = was_clean;
        log.recovery_point = found.recovery_point;
        log.log_start = found.log_start;
        log.high_watermark = found.high_watermark;
        return log;
    }

    Outcome load_log(const std::string& path, bool was_clean, const storage::FoundLog& found) {
        if (found.kind == storage::LogKind::kDeleted || found.kind == storage::LogKind::kStray) {
            return std::nullopt;
        }
        auto opened = storage::Log::open(ctx_, options_for(path, was_clean, found));
        if (!opened) {
            return fail(path, opened.error());
        }
        auto topic_id = read_topic_id(ctx_, opened->log);
        if (!topic_id) {
            return fail(path, topic_id.error());
        }
        emit_recovered(ctx_, found.partition, opened->fact);
        LoadedLogs& logs =
            found.kind == storage::LogKind::kFuture ? directories_.future : directories_.loaded;
        if (logs.contains(found.partition)) {
            return StartError::kDuplicateLog;
        }
        logs.insert_or_assign(found.partition, {std::move(opened->log), *topic_id});
        return std::nullopt;
    }

    /// LogManager.loadLogs: an IOException costs the directory, anything else the start.
    Outcome fail(const std::string& path, AppendError error) {
        if (error != AppendError::kStorage) {
            return StartError::kBadLog;
        }
        mark_offline(ctx_, options_, directories_, path);
        return std::nullopt;
    }

    sim::Context& ctx_;
    const ReplicationOptions& options_;
    LogDirectories& directories_;
};

bool make_directory(sim::Context& ctx,
                    const std::string& directory,
                    const types::TopicPartition& name) {
    const storage::DiskPort disk = ctx;
    return disk
        .make_directories(storage::join_path(directory, storage::partition_directory_name(name)))
        .ok();
}

/// A fresh log in a directory.
Result<storage::Log, AppendError> make_log(sim::Context& ctx,
                                           const LogClaim& claim,
                                           const storage::LogConfig& config,
                                           const std::string& directory) {
    storage::LogOptions log;
    log.partition = claim.name;
    log.log_dir = directory;
    log.config = config;
    log.was_clean_shutdown = true;
    auto opened = storage::Log::open(ctx, log);
    if (!opened) {
        return Error{opened.error()};
    }
    if (const auto failed = write_topic_id(ctx, opened->log, claim.topic_id)) {
        return Error{*failed};
    }
    return std::move(opened->log);
}

/// Partition.createLogInAssignedDirectoryId: the log may be in a directory that is offline, and a
/// second one must not come into being.
bool may_lie_offline(const DataPlane& plane, const types::Uuid& assigned) {
    return plane.around.rules.log_dirs_reported && plane.directories.has_offline() &&
           assigned != metadata::kDirectoryUnassigned &&
           plane.directories.find_online(assigned) == nullptr;
}

}  // namespace

std::optional<StartError> load_logs(sim::Context& ctx,
                                    const ReplicationOptions& options,
                                    LogDirectories& directories) {
    return Loading(ctx, options, directories).run();
}

Result<storage::Log, AppendError> claim_log(DataPlane& plane,
                                            const LogClaim& claim,
                                            const storage::LogConfig& config) {
    LoadedLogs& loaded = plane.directories.loaded;
    if (LoadedLog* found = loaded.find_for_write(claim.name)) {
        LoadedLog log = std::move(*found);
        loaded.erase(claim.name);
        // A power failure can leave a partition without the file; then the name must do.
        if (!log.topic_id || *log.topic_id == claim.topic_id) {
            log.log.set_config(config);
            return std::move(log.log);
        }
        if (const auto failed = log.log.destroy(plane.ctx)) {
            return Error{*failed};
        }
    }
    if (may_lie_offline(plane, claim.directory)) {
        return Error{AppendError::kStorage};
    }
    const std::vector<std::string> directories = directories_for(plane, claim.directory);
    for (const std::string& directory : directories) {
        // LogManager.createLogDirectory: the next one is tried when this one refuses.
        if (directories.size() == 1 || make_directory(plane.ctx, directory, claim.name)) {
            return make_log(plane.ctx, claim, config, directory);
        }
    }
    return Error{AppendError::kStorage};
}

void drop_unclaimed(sim::Context& ctx, LoadedLogs& loaded) {
    for (const types::TopicPartition& name : loaded.keys()) {
        // A failure takes the log directory offline; here as everywhere below.
        static_cast<void>(loaded.find_for_write(name)->log.destroy(ctx));
    }
    loaded.clear();
}

}  // namespace klab::replication
