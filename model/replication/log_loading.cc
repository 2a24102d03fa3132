// SPDX-License-Identifier: Apache-2.0
//
// See log_loading.h.
#include "model/replication/log_loading.h"

#include <string>
#include <string_view>
#include <utility>

#include "model/replication/log_events.h"
#include "model/replication/topic_settings.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/log_dir.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"
#include "sim/base/assert.h"

namespace klab::replication {

using storage::AppendError;

namespace {

constexpr std::string_view kPartitionMetadata = "partition.metadata";
constexpr std::string_view kHeader = "version: 0\ntopic_id: ";

/// The value of a character of URL-safe base64.
std::optional<std::uint32_t> base64_value(char c) {
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const std::size_t at = kAlphabet.find(c);
    return at == std::string_view::npos ? std::nullopt
                                        : std::optional(static_cast<std::uint32_t>(at));
}

/// 22 characters carry 132 bits: the last 4 are padding.
std::optional<types::Uuid> parse_uuid(std::string_view text) {
    constexpr std::size_t kCharacters = 22;
    if (text.size() != kCharacters) {
        return std::nullopt;
    }
    types::Uuid id;
    for (std::size_t i = 0; i < kCharacters; ++i) {
        const auto value = base64_value(text[i]);
        if (!value) {
            return std::nullopt;
        }
        const bool is_last = i + 1 == kCharacters;
        const std::uint32_t bits = is_last ? 2 : 6;
        const std::uint64_t added = is_last ? *value >> 4U : *value;
        id.high = (id.high << bits) | (id.low >> (64U - bits));
        id.low = (id.low << bits) | added;
    }
    return id;
}

std::optional<types::Uuid> read_topic_id(sim::Context& ctx, const storage::Log& log) {
    const auto bytes =
        storage::read_file(ctx, storage::join_path(log.directory(), kPartitionMetadata));
    if (!bytes || !*bytes) {
        return std::nullopt;
    }
    return parse_partition_metadata(ByteView(**bytes));
}

storage::LogOptions options_for(const ReplicationOptions& options,
                                const types::Rules& rules,
                                const storage::FoundPartition& found,
                                bool was_clean) {
    storage::LogOptions log;
    log.partition = found.partition;
    log.log_dir = options.log_dir;
    log.config = log_config_of(options.config.topic_defaults, options.config, rules);
    log.was_clean_shutdown = was_clean;
    log.recovery_point = found.recovery_point;
    log.log_start = found.log_start;
    log.high_watermark = found.high_watermark;
    return log;
}

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

template <typename Position>
std::vector<storage::OffsetCheckpointEntry> entries_of(const HostedPartitions& hosted,
                                                       Position position) {
    std::vector<storage::OffsetCheckpointEntry> entries;
    entries.reserve(hosted.size());
    hosted.for_each([&](const PartitionKey&, const Cow<Partition>& partition) {
        entries.push_back({partition->name, position(partition->log)});
    });
    return entries;
}

}  // namespace

Bytes encode_partition_metadata(types::Uuid topic_id) {
    const std::string text = std::string(kHeader) + topic_id.text() + "\n";
    return Bytes(text.begin(), text.end());
}

std::optional<types::Uuid> parse_partition_metadata(ByteView bytes) {
    const std::string text(bytes.begin(), bytes.end());
    if (text.rfind(kHeader, 0) != 0 || text.back() != '\n') {
        return std::nullopt;
    }
    return parse_uuid(
        std::string_view(text).substr(kHeader.size(), text.size() - kHeader.size() - 1));
}

std::optional<AppendError> load_logs(sim::Context& ctx,
                                     const ReplicationOptions& options,
                                     LoadedLogs& loaded) {
    const auto found = storage::open_log_dir(ctx, options.log_dir);
    if (!found) {
        return found.error();
    }
    for (const storage::FoundPartition& partition : found->partitions) {
        auto opened = storage::Log::open(
            ctx, options_for(options, types::rules(ctx), partition, found->was_clean_shutdown));
        if (!opened) {
            return opened.error();
        }
        emit_recovered(ctx, partition.partition, opened->fact);
        LoadedLog log{std::move(opened->log), std::nullopt};
        log.topic_id = read_topic_id(ctx, log.log);
        loaded.insert_or_assign(partition.partition, std::move(log));
    }
    return std::nullopt;
}

Result<storage::Log, AppendError> claim_log(sim::Context& ctx,
                                            const ReplicationOptions& options,
                                            const types::TopicPartition& name,
                                            types::Uuid topic_id,
                                            const storage::LogConfig& config,
                                            LoadedLogs& loaded) {
    if (LoadedLog* found = loaded.find_for_write(name)) {
        LoadedLog log = std::move(*found);
        loaded.erase(name);
        // A power failure can leave a partition without the file; then the name must do.
        if (!log.topic_id || *log.topic_id == topic_id) {
            log.log.set_config(config);
            return std::move(log.log);
        }
        if (const auto failed = log.log.destroy(ctx)) {
            return Error{*failed};
        }
    }
    storage::LogOptions log;
    log.partition = name;
    log.log_dir = options.log_dir;
    log.config = config;
    log.was_clean_shutdown = true;
    auto opened = storage::Log::open(ctx, log);
    if (!opened) {
        return Error{opened.error()};
    }
    const Bytes content = encode_partition_metadata(topic_id);
    if (const auto failed = storage::replace_file(
            ctx, opened->log.directory(), kPartitionMetadata, ByteView(content))) {
        return Error{*failed};
    }
    return std::move(opened->log);
}

void drop_unclaimed(sim::Context& ctx, LoadedLogs& loaded) {
    for (const types::TopicPartition& name : loaded.keys()) {
        // A failure takes the log directory offline; here as everywhere below.
        static_cast<void>(loaded.find_for_write(name)->log.destroy(ctx));
    }
    loaded.clear();
}

void checkpoint_high_watermarks(sim::Context& ctx,
                                const ReplicationOptions& options,
                                const HostedPartitions& hosted) {
    const auto entries =
        entries_of(hosted, [](const storage::Log& log) { return log.high_watermark(); });
    if (entries.empty()) {
        return;  // ReplicaManager.checkpointHighWatermarks: a file for each directory with logs
    }
    if (!storage::write_high_watermarks(ctx, options.log_dir, entries)) {
        ctx.emit(types::events::kCheckpointWritten, {static_cast<std::int64_t>(entries.size())});
    }
}

bool checkpoint_recovery_points(sim::Context& ctx,
                                const ReplicationOptions& options,
                                const HostedPartitions& hosted) {
    const auto points =
        entries_of(hosted, [](const storage::Log& log) { return log.recovery_point(); });
    return !storage::write_recovery_points(ctx, options.log_dir, points);
}

bool checkpoint_log_positions(sim::Context& ctx,
                              const ReplicationOptions& options,
                              const HostedPartitions& hosted) {
    if (!checkpoint_recovery_points(ctx, options, hosted)) {
        return false;
    }
    // A start that the first segment tells anyway is not written.
    std::vector<storage::OffsetCheckpointEntry> starts;
    hosted.for_each([&](const PartitionKey&, const Cow<Partition>& partition) {
        const types::Offset start = partition->log.log_start_offset();
        if (start > partition->log.first_base_offset()) {
            starts.push_back({partition->name, start});
        }
    });
    return !storage::write_log_starts(ctx, options.log_dir, starts);
}

void stop_logs_cleanly(sim::Context& ctx,
                       const ReplicationOptions& options,
                       HostedPartitions& hosted,
                       bool are_loaded,
                       std::optional<types::BrokerEpoch> broker_epoch) {
    checkpoint_high_watermarks(ctx, options, hosted);
    for (const PartitionKey& key : hosted.keys()) {
        if (hosted.find_for_write(key)->write().log.close(ctx)) {
            return;  // LogManager.shutdown: no marker for a directory whose logs did not close
        }
    }
    const bool marks = are_loaded || !types::rules(ctx).shutdown_marker_needs_load;
    if (checkpoint_log_positions(ctx, options, hosted) && marks) {
        static_cast<void>(storage::write_clean_shutdown_marker(ctx, options.log_dir, broker_epoch));
    }
}

}  // namespace klab::replication
