// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/dump_checkpoints.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "model/raft/quorum_state_file.h"
#include "model/replication/partition_metadata.h"
#include "model/storage/byte_io.h"
#include "model/storage/checkpoint_file.h"
#include "model/storage/file_names.h"
#include "model/storage/meta_properties.h"
#include "model/storage/producer_snapshot.h"
#include "scenarios/cli/data_file.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

namespace fs = std::filesystem;

/// Text files and snapshots are read whole; larger ones are no such files.
constexpr std::uint64_t kWholeFileMax = 64U << 20U;
constexpr std::size_t kTextShownMax = 4096;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The whole file; nothing after having said why not.
std::optional<Bytes> read_whole(const FileDump& dump, bool& goes_on) {
    DataFile file(dump.path);
    if (file.size() > kWholeFileMax) {
        goes_on = dump.damage(fmt::format("{} bytes are too many for such a file", file.size()));
        return std::nullopt;
    }
    Bytes bytes = file.read(0, file.size());
    if (!file.problem().empty()) {
        goes_on = dump.damage("cannot be read: " + file.problem());
        return std::nullopt;
    }
    return bytes;
}

std::string_view to_text(storage::CheckpointErrorKind kind) {
    switch (kind) {
        case storage::CheckpointErrorKind::kUnknownVersion:
            return "unknown version";
        case storage::CheckpointErrorKind::kMalformedVersion:
            return "the version is no number";
        case storage::CheckpointErrorKind::kMalformedCount:
            return "the number of entries is no number";
        case storage::CheckpointErrorKind::kMalformedEntry:
            return "malformed entry";
        case storage::CheckpointErrorKind::kTooFewEntries:
            return "fewer entries than it says";
        case storage::CheckpointErrorKind::kTooManyEntries:
            return "more entries than it says";
    }
    return "?";
}

/// Is there a line `key=` with something behind it?
bool has_property(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.size() > key.size() + 1 && line.starts_with(key) && line[key.size()] == '=') {
            return true;
        }
    }
    return false;
}

/// Why Kafka cannot read such a file; "" if it can.
std::string what_is_wrong(std::string_view file, std::string_view text) {
    if (file == storage::kMetaProperties) {
        // Version 0 is that of a cluster with ZooKeeper; nothing else has to stand in it.
        const bool is_old =
            text.starts_with("version=0\n") || text.find("\nversion=0\n") != std::string_view::npos;
        if (is_old || storage::parse_meta_properties(text)) {
            return {};
        }
        std::string missing;
        for (const std::string_view key : {"version", "cluster.id", "node.id"}) {
            missing += has_property(text, key) ? "" : fmt::format(" {}", key);
        }
        return missing.empty() ? "a value of it cannot be read" : "it lacks" + missing;
    }
    if (file == "partition.metadata" &&
        !replication::parse_partition_metadata(storage::view_of(text))) {
        return "it does not say a version and a topic id";
    }
    if (file == raft::kQuorumStateFile && !raft::parse_quorum_state(text)) {
        return "that is no quorum state of version 0 or 1";
    }
    return {};
}

template <typename Entries>
bool wrong_checkpoint(const FileDump& dump, const Entries& parsed) {
    const storage::CheckpointError error = parsed.error();
    return dump.damage(fmt::format("line {}: {}", error.line, to_text(error.kind)));
}

}  // namespace

bool dump_epochs(const FileDump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    const auto parsed = storage::parse_epoch_checkpoint(*bytes);
    if (!parsed) {
        return wrong_checkpoint(dump, parsed);
    }
    std::optional<storage::EpochEntry> before;
    for (const storage::EpochEntry& entry : *parsed) {
        JsonLine json(dump.name, "epoch");
        json.add("epoch", std::int64_t{entry.epoch.value()})
            .add("start_offset", entry.start_offset.value());
        if (!dump.line(fmt::format("epoch {} from offset {}", entry.epoch, entry.start_offset),
                       json)) {
            return false;
        }
        const bool rises =
            !before || (before->epoch < entry.epoch && before->start_offset < entry.start_offset);
        if (!rises && !dump.damage(fmt::format("epoch {} from offset {} follows epoch {} from {}",
                                               entry.epoch,
                                               entry.start_offset,
                                               before->epoch,
                                               before->start_offset))) {
            return false;
        }
        before = entry;
    }
    return true;
}

bool dump_offsets(const FileDump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    const auto parsed = storage::parse_offset_checkpoint(*bytes);
    if (!parsed) {
        return wrong_checkpoint(dump, parsed);
    }
    std::set<std::string> seen;
    for (const storage::OffsetCheckpointEntry& entry : *parsed) {
        const std::string partition = entry.partition.text();
        JsonLine json(dump.name, "checkpoint");
        json.add_text("partition", partition).add("offset", entry.offset.value());
        if (!dump.line(fmt::format("{}  {}", viz::to_printable(partition), entry.offset), json)) {
            return false;
        }
        // A replica whose high watermark is not known yet has -1.
        const bool may_be_unknown = ends_with(dump.path, storage::kReplicationOffsetCheckpoint);
        const bool is_offset = entry.offset.value() >= (may_be_unknown ? -1 : 0);
        if ((!is_offset || entry.partition.partition < 0) &&
            !dump.damage(fmt::format("{} has offset {}", partition, entry.offset))) {
            return false;
        }
        if (!seen.insert(partition).second &&
            !dump.damage(fmt::format("{} stands there twice", partition))) {
            return false;
        }
    }
    return true;
}

bool dump_snapshot(const FileDump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    const auto parsed = storage::parse_producer_snapshot(*bytes);
    if (!parsed) {
        return dump.damage(std::string(storage::to_text(parsed.error())));
    }
    std::set<types::ProducerId> seen;
    for (const storage::ProducerSnapshotEntry& entry : *parsed) {
        const std::optional<std::int64_t> open =
            entry.open_transaction ? std::optional(entry.open_transaction->value()) : std::nullopt;
        JsonLine json(dump.name, "producer");
        json.add("producer_id", entry.producer_id.value())
            .add("producer_epoch", std::int64_t{entry.epoch.value()})
            .add("last_sequence", std::int64_t{entry.last_sequence})
            .add("last_offset", entry.last_offset)
            .add("offset_delta", std::int64_t{entry.offset_delta})
            .add("timestamp", entry.timestamp)
            .add("coordinator_epoch", std::int64_t{entry.coordinator_epoch})
            .add("open_transaction", open);
        const std::string transaction =
            open ? fmt::format("  open transaction from {}", *open) : "";
        if (!dump.line(fmt::format("producer {} epoch {}  last sequence {} at offset {}{}",
                                   entry.producer_id,
                                   entry.epoch,
                                   entry.last_sequence,
                                   entry.last_offset,
                                   transaction),
                       json)) {
            return false;
        }
        if (!seen.insert(entry.producer_id).second &&
            !dump.damage(fmt::format("producer {} stands there twice", entry.producer_id))) {
            return false;
        }
    }
    return true;
}

bool dump_text(const FileDump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    std::string_view text = storage::text_of(*bytes).substr(0, kTextShownMax);
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        JsonLine json(dump.name, "line");
        json.add_text("text", line);
        if (!dump.line(viz::to_printable(line), json)) {
            return false;
        }
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    const std::string problem =
        what_is_wrong(fs::path(dump.path).filename().string(), storage::text_of(*bytes));
    return problem.empty() || dump.damage(problem);
}

}  // namespace klab::cli
