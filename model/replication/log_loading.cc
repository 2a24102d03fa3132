// SPDX-License-Identifier: Apache-2.0
//
// See log_loading.h.
#include "model/replication/log_loading.h"

#include <string>
#include <utility>

#include "model/replication/log_deletion.h"
#include "model/replication/log_dir_failure.h"
#include "model/replication/log_dir_placement.h"
#include "model/replication/log_events.h"
#include "model/replication/partition_metadata.h"
#include "model/replication/stray_partitions.h"
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

/// Kafka reads topic settings from the image that is being published; the dynamic cluster-wide
/// default is applied only afterwards.
storage::LogConfig config_for(const DataPlane& plane, const std::string& topic) {
    const types::TopicConfig& defaults = plane.options.config.topic_defaults;
    const metadata::ConfigMap& own =
        plane.around.image.configs_of({metadata::ConfigResourceKind::kTopic, topic});
    const auto config = types::make_topic_config(plane.around.rules.version, defaults, own);
    return log_config_of(config ? *config : defaults, plane.options.config, plane.around.rules);
}

class Loading {
  public:
    explicit Loading(DataPlane& plane) : plane_(plane), directories_(plane.directories) {}

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
        const auto found = storage::open_log_dir(plane_.ctx, path);
        if (!found) {
            if (found.error() == storage::LogDirError::kForeignName) {
                return StartError::kForeignLog;
            }
            lose(path);
            return std::nullopt;
        }
        directories_.all.write()[place].had_clean_shutdown = found->was_clean_shutdown;
        for (const storage::FoundLog& log : found->logs) {
            if (const auto error = take(path, found->was_clean_shutdown, log)) {
                return error;
            }
            if (!(*directories_.all)[place].online) {
                return std::nullopt;
            }
        }
        directories_.all.write()[place].all_loaded = true;
        return std::nullopt;
    }

    Outcome take(const std::string& path, bool was_clean, const storage::FoundLog& found) {
        switch (found.kind) {
            case storage::LogKind::kDeleted:
                delete_directory_later(
                    plane_, found.partition, storage::join_path(path, found.name));
                return std::nullopt;
            case storage::LogKind::kStray:
                return std::nullopt;
            case storage::LogKind::kCurrent:
                return load_log(path, was_clean, found, directories_.loaded);
            case storage::LogKind::kFuture:
                return load_log(path, was_clean, found, directories_.future);
        }
        return std::nullopt;
    }

    [[nodiscard]] storage::LogOptions options_for(const std::string& path,
                                                  bool was_clean,
                                                  const storage::FoundLog& found) const {
        storage::LogOptions log;
        log.partition = found.partition;
        log.log_dir = path;
        log.directory_name = found.name;
        log.config = config_for(plane_, found.partition.topic);
        log.was_clean_shutdown = was_clean;
        log.recovery_point = found.recovery_point;
        log.log_start = found.log_start;
        log.high_watermark = found.high_watermark;
        return log;
    }

    Outcome load_log(const std::string& path,
                     bool was_clean,
                     const storage::FoundLog& found,
                     LoadedLogs& into) {
        auto opened = storage::Log::open(plane_.ctx, options_for(path, was_clean, found));
        if (!opened) {
            return fail(path, opened.error());
        }
        const auto topic_id = read_topic_id(plane_.ctx, opened->log);
        if (!topic_id) {
            return fail(path, topic_id.error());
        }
        emit_recovered(plane_.ctx, found.partition, opened->fact);
        if (is_stray(
                plane_.around.image, plane_.around.self, *topic_id, found.partition.partition)) {
            const auto renamed = rename_log(plane_.ctx, opened->log, storage::LogKind::kStray);
            return renamed ? std::nullopt : fail(path, renamed.error());
        }
        if (into.contains(found.partition)) {
            return StartError::kDuplicateLog;
        }
        into.insert_or_assign(found.partition, {std::move(opened->log), *topic_id});
        return std::nullopt;
    }

    /// LogManager.loadLogs: an IOException costs the directory, anything else the start.
    Outcome fail(const std::string& path, AppendError error) {
        if (error != AppendError::kStorage) {
            return StartError::kBadLog;
        }
        lose(path);
        return std::nullopt;
    }

    void lose(const std::string& path) {
        mark_offline(plane_.ctx, plane_.options, directories_, path);
    }

    DataPlane& plane_;
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

std::optional<StartError> load_logs(DataPlane& plane) { return Loading(plane).run(); }

Result<storage::Log, AppendError> claim_log(DataPlane& plane,
                                            const LogClaim& claim,
                                            const storage::LogConfig& config) {
    LoadedLogs& loaded = plane.directories.loaded;
    if (LoadedLog* found = loaded.find_for_write(claim.name)) {
        LoadedLog log = std::move(*found);
        loaded.erase(claim.name);
        // Strays are put aside already, so it is of this very topic.
        log.log.set_config(config);
        return std::move(log.log);
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

}  // namespace klab::replication
