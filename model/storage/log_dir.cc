// SPDX-License-Identifier: Apache-2.0
//
// See log_dir.h.
#include "model/storage/log_dir.h"

#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"

namespace klab::storage {

namespace {

using OffsetsByPartition = std::map<types::TopicPartition, types::Offset>;

/// An offset checkpoint. Errors: kStorage for the disk, or kCorruptRecord for the content.
Result<OffsetsByPartition, AppendError> read_offsets(DiskPort disk,
                                                     const std::string& log_dir,
                                                     std::string_view name) {
    const auto content = read_file(disk, join_path(log_dir, name));
    if (!content) {
        return Error{content.error()};
    }
    OffsetsByPartition offsets;
    if (!*content) {
        return offsets;
    }
    const auto entries = parse_offset_checkpoint(**content);
    if (!entries) {
        return Error{AppendError::kCorruptRecord};
    }
    for (const OffsetCheckpointEntry& entry : *entries) {
        offsets[entry.partition] = entry.offset;
    }
    return offsets;
}

types::Offset offset_in(const OffsetsByPartition& offsets, const types::TopicPartition& partition) {
    const auto it = offsets.find(partition);
    return it == offsets.end() ? types::Offset(0) : it->second;
}

std::optional<AppendError> write_offsets(DiskPort disk,
                                         const std::string& log_dir,
                                         std::string_view name,
                                         const std::vector<OffsetCheckpointEntry>& entries) {
    return replace_file(disk, log_dir, name, encode_offset_checkpoint(entries));
}

/// The number after "brokerEpoch": in the marker's JSON; nothing when it is absent or negative.
std::optional<types::BrokerEpoch> parse_marker(std::string_view text) {
    constexpr std::string_view kField = "\"brokerEpoch\":";
    const std::size_t at = text.find(kField);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = text.substr(at + kField.size());
    std::int64_t value = -1;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && value >= 0 ? std::optional(types::BrokerEpoch(value))
                                              : std::nullopt;
}

/// Notes the marker of a clean shutdown and removes it.
std::optional<AppendError> take_marker(DiskPort disk,
                                       const std::string& log_dir,
                                       FoundLogDir& found) {
    const std::string path = join_path(log_dir, kCleanShutdownMarker);
    const auto content = read_file(disk, path);
    if (!content) {
        return content.error();
    }
    if (*content) {
        found.was_clean_shutdown = true;
        found.broker_epoch = parse_marker(text_of(**content));
        if (!disk.remove(path)) {
            return AppendError::kStorage;
        }
    }
    return std::nullopt;
}

/// Names of the partition directories in order. Errors: kStorage for a directory of another name.
Result<std::vector<types::TopicPartition>, AppendError> list_partitions(
    DiskPort disk, const std::string& log_dir) {
    const auto names = disk.list(log_dir);
    if (!names) {
        return Error{AppendError::kStorage};
    }
    std::vector<types::TopicPartition> partitions;
    for (const std::string& name : *names) {
        if (!disk.list(join_path(log_dir, name)) || name == "__cluster_metadata-0") {
            continue;  // a file, or a log that belongs to the controller
        }
        const auto partition = parse_partition_directory_name(name);
        if (!partition) {
            return Error{AppendError::kStorage};
        }
        partitions.push_back(*partition);
    }
    return partitions;
}

}  // namespace

Result<std::optional<types::BrokerEpoch>, AppendError> read_broker_epoch_of_marker(
    DiskPort disk, const std::string& log_dir) {
    if (!disk.make_directories(log_dir)) {
        return Error{AppendError::kStorage};
    }
    const auto content = read_file(disk, join_path(log_dir, kCleanShutdownMarker));
    if (!content) {
        return Error{content.error()};
    }
    return *content ? parse_marker(text_of(**content)) : std::nullopt;
}

Result<FoundLogDir, AppendError> open_log_dir(DiskPort disk, const std::string& log_dir) {
    if (!disk.make_directories(log_dir)) {
        return Error{AppendError::kStorage};
    }
    FoundLogDir found;
    if (const auto error = take_marker(disk, log_dir, found)) {
        return Error{*error};
    }
    auto recovery_points = read_offsets(disk, log_dir, kRecoveryPointCheckpoint);
    auto log_starts = read_offsets(disk, log_dir, kLogStartOffsetCheckpoint);
    const auto high_watermarks = read_offsets(disk, log_dir, kReplicationOffsetCheckpoint);
    if (!high_watermarks) {
        return Error{AppendError::kStorage};
    }
    const auto partitions = list_partitions(disk, log_dir);
    if (!partitions) {
        return Error{partitions.error()};
    }
    const OffsetsByPartition none;
    for (const types::TopicPartition& partition : *partitions) {
        found.partitions.push_back({partition,
                                    offset_in(recovery_points ? *recovery_points : none, partition),
                                    offset_in(log_starts ? *log_starts : none, partition),
                                    offset_in(*high_watermarks, partition)});
    }
    return found;
}

std::optional<AppendError> write_high_watermarks(
    DiskPort disk, const std::string& log_dir, const std::vector<OffsetCheckpointEntry>& entries) {
    return write_offsets(disk, log_dir, kReplicationOffsetCheckpoint, entries);
}

std::optional<AppendError> write_recovery_points(
    DiskPort disk, const std::string& log_dir, const std::vector<OffsetCheckpointEntry>& entries) {
    return write_offsets(disk, log_dir, kRecoveryPointCheckpoint, entries);
}

std::optional<AppendError> write_log_starts(DiskPort disk,
                                            const std::string& log_dir,
                                            const std::vector<OffsetCheckpointEntry>& entries) {
    return write_offsets(disk, log_dir, kLogStartOffsetCheckpoint, entries);
}

std::optional<AppendError> write_clean_shutdown_marker(
    DiskPort disk, const std::string& log_dir, std::optional<types::BrokerEpoch> broker_epoch) {
    const std::string text = fmt::format("{{\"version\":0,\"brokerEpoch\":{}}}",
                                         broker_epoch ? broker_epoch->value() : -1);
    return replace_file(disk, log_dir, kCleanShutdownMarker, view_of(text));
}

}  // namespace klab::storage
