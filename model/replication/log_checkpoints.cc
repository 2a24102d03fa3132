// SPDX-License-Identifier: Apache-2.0
//
// See log_checkpoints.h.
#include "model/replication/log_checkpoints.h"

#include "model/storage/checkpoint_store.h"
#include "model/storage/log_dir.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"

namespace klab::replication {

namespace {

using Entries = std::vector<storage::OffsetCheckpointEntry>;

/// Calls `visit` for every log in the directory: hosted ones, then those not hosted yet.
template <typename Visit>
void each_log(const LogDirectories& directories,
              const HostedPartitions& hosted,
              std::string_view directory,
              Visit visit) {
    const auto visit_if_there = [&](const storage::Log& log) {
        if (storage::parent_directory(log.directory()) == directory) {
            visit(log);
        }
    };
    hosted.for_each([&](const PartitionKey&, const Cow<Partition>& partition) {
        visit_if_there(partition->log);
    });
    const auto visit_loaded = [&](const types::TopicPartition&, const LoadedLog& loaded) {
        visit_if_there(loaded.log);
    };
    directories.loaded.for_each(visit_loaded);
    directories.future.for_each(visit_loaded);
}

}  // namespace

void checkpoint_high_watermarks(sim::Context& ctx,
                                const LogDirectories& directories,
                                const HostedPartitions& hosted) {
    for (const LogDirectory& one : *directories.all) {
        if (!one.online) {
            continue;
        }
        Entries entries;
        hosted.for_each([&](const PartitionKey&, const Cow<Partition>& partition) {
            if (storage::parent_directory(partition->log.directory()) == one.path) {
                entries.push_back({partition->name, partition->log.high_watermark()});
            }
        });
        if (!entries.empty() && !storage::write_high_watermarks(ctx, one.path, entries)) {
            ctx.emit(types::events::kCheckpointWritten,
                     {static_cast<std::int64_t>(entries.size())});
        }
    }
}

bool checkpoint_recovery_points(sim::Context& ctx,
                                const LogDirectories& directories,
                                const HostedPartitions& hosted,
                                std::string_view directory) {
    Entries points;
    each_log(directories, hosted, directory, [&](const storage::Log& log) {
        points.push_back({log.partition(), log.recovery_point()});
    });
    return !storage::write_recovery_points(ctx, std::string(directory), points);
}

bool checkpoint_log_positions(sim::Context& ctx,
                              const LogDirectories& directories,
                              const HostedPartitions& hosted,
                              std::string_view directory) {
    if (!checkpoint_recovery_points(ctx, directories, hosted, directory)) {
        return false;
    }
    // A start that the first segment tells anyway is not written.
    Entries starts;
    each_log(directories, hosted, directory, [&](const storage::Log& log) {
        if (log.log_start_offset() > log.first_base_offset()) {
            starts.push_back({log.partition(), log.log_start_offset()});
        }
    });
    return !storage::write_log_starts(ctx, std::string(directory), starts);
}

void checkpoint_all_positions(sim::Context& ctx,
                              const LogDirectories& directories,
                              const HostedPartitions& hosted) {
    for (const LogDirectory& one : *directories.all) {
        if (one.online) {
            // A failure takes the directory offline, and the others go on.
            static_cast<void>(checkpoint_log_positions(ctx, directories, hosted, one.path));
        }
    }
}

namespace {

/// Flushes and closes the logs of a directory. Says whether all went well.
bool close_logs(sim::Context& ctx, HostedPartitions& hosted, const std::string& directory) {
    bool all_closed = true;
    for (const PartitionKey& key : hosted.keys()) {
        const storage::Log& log = hosted.find(key)->read().log;
        if (storage::parent_directory(log.directory()) == directory) {
            all_closed = !hosted.find_for_write(key)->write().log.close(ctx) && all_closed;
        }
    }
    return all_closed;
}

}  // namespace

void stop_logs_cleanly(sim::Context& ctx,
                       const LogDirectories& directories,
                       HostedPartitions& hosted,
                       std::optional<types::BrokerEpoch> broker_epoch) {
    checkpoint_high_watermarks(ctx, directories, hosted);
    for (const LogDirectory& one : *directories.all) {
        if (!one.online || !close_logs(ctx, hosted, one.path)) {
            continue;
        }
        const bool is_written = checkpoint_log_positions(ctx, directories, hosted, one.path);
        const bool marks = one.had_clean_shutdown || one.all_loaded ||
                           !types::rules(ctx).shutdown_marker_needs_load;
        if (is_written && marks) {
            static_cast<void>(storage::write_clean_shutdown_marker(ctx, one.path, broker_epoch));
        }
    }
}

}  // namespace klab::replication
