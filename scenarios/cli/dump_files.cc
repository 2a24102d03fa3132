// SPDX-License-Identifier: Apache-2.0
//
// See dump_files.h.
#include "scenarios/cli/dump_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "model/storage/checkpoint_file.h"
#include "model/storage/file_names.h"
#include "model/storage/index_entries.h"
#include "model/storage/producer_snapshot.h"
#include "scenarios/cli/dump_log.h"
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

/// One file on its way to the sink.
struct Dump {
    const std::string& path;
    const std::string& name;
    const DumpSink& sink;

    [[nodiscard]] bool line(const std::string& text, const JsonLine& json) const {
        return sink({"  " + text + "\n", json.text(), false});
    }

    [[nodiscard]] bool damage(const std::string& what) const {
        JsonLine json(name, "damage");
        json.add_text("what", what);
        return sink({fmt::format("  DAMAGE: {}\n", what), json.text(), true});
    }
};

/// The whole file; nothing after having said why not.
std::optional<Bytes> read_whole(const Dump& dump, bool& goes_on) {
    std::error_code error;
    const std::uint64_t size = fs::file_size(dump.path, error);
    std::ifstream file(dump.path, std::ios::binary);
    if (error || !file) {
        goes_on = dump.damage(fmt::format("cannot be read: {}", std::strerror(errno)));
        return std::nullopt;
    }
    if (size > kWholeFileMax) {
        goes_on = dump.damage(fmt::format("{} bytes are too many for such a file", size));
        return std::nullopt;
    }
    Bytes bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

/// Number before the suffix of "00000000000000000042.index"; 0 if there is none.
types::Offset base_of(const std::string& path) {
    const std::string stem = fs::path(path).stem().string();
    return storage::parse_segment_file_name(stem + std::string(storage::kLogSuffix))
        .value_or(types::Offset(0));
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

template <typename Entries>
bool wrong_checkpoint(const Dump& dump, const Entries& parsed) {
    const storage::CheckpointError error = parsed.error();
    return dump.damage(fmt::format("line {}: {}", error.line, to_text(error.kind)));
}

bool dump_epochs(const Dump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    const auto parsed = storage::parse_epoch_checkpoint(*bytes);
    if (!parsed) {
        return wrong_checkpoint(dump, parsed);
    }
    for (const storage::EpochEntry& entry : *parsed) {
        JsonLine json(dump.name, "epoch");
        json.add("epoch", std::int64_t{entry.epoch.value()})
            .add("start_offset", entry.start_offset.value());
        if (!dump.line(fmt::format("epoch {} from offset {}", entry.epoch, entry.start_offset),
                       json)) {
            return false;
        }
    }
    return true;
}

bool dump_offsets(const Dump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    const auto parsed = storage::parse_offset_checkpoint(*bytes);
    if (!parsed) {
        return wrong_checkpoint(dump, parsed);
    }
    for (const storage::OffsetCheckpointEntry& entry : *parsed) {
        const std::string partition = entry.partition.text();
        JsonLine json(dump.name, "checkpoint");
        json.add_text("partition", partition).add("offset", entry.offset.value());
        if (!dump.line(fmt::format("{}  {}", viz::to_printable(partition), entry.offset), json)) {
            return false;
        }
    }
    return true;
}

bool dump_snapshot(const Dump& dump) {
    bool goes_on = true;
    const std::optional<Bytes> bytes = read_whole(dump, goes_on);
    if (!bytes) {
        return goes_on;
    }
    const auto parsed = storage::parse_producer_snapshot(*bytes);
    if (!parsed) {
        return dump.damage(std::string(storage::to_text(parsed.error())));
    }
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
    }
    return true;
}

bool dump_text(const Dump& dump) {
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
    return true;
}

/// Reads fixed-size entries; `one` shows an entry and returns false to stop.
template <typename F>
bool for_each_entry(const Dump& dump, std::size_t entry_bytes, F&& one) {
    std::ifstream file(dump.path, std::ios::binary);
    if (!file) {
        return dump.damage(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    Bytes entry(entry_bytes);
    std::int64_t unwritten = 0;
    while (file.read(reinterpret_cast<char*>(entry.data()),
                     static_cast<std::streamsize>(entry_bytes))) {
        if (storage::is_unwritten(entry)) {
            ++unwritten;
            continue;
        }
        if (!one(ByteView(entry))) {
            return false;
        }
    }
    if (unwritten > 0) {
        JsonLine json(dump.name, "unwritten");
        json.add("entries", unwritten);
        if (!dump.line(fmt::format("{} entries of zeros (preallocated)", unwritten), json)) {
            return false;
        }
    }
    const std::streamsize rest = file.gcount();
    return rest == 0 || dump.damage(fmt::format("{} bytes behind the last entry", rest));
}

bool dump_offset_index(const Dump& dump) {
    const types::Offset base = base_of(dump.path);
    return for_each_entry(dump, storage::OffsetIndexEntry::kBytes, [&](ByteView bytes) {
        const auto entry = storage::decode_offset_index_entry(bytes, base);
        JsonLine json(dump.name, "offset_index");
        json.add("offset", entry.offset.value()).add("position", std::int64_t{entry.position});
        return dump.line(fmt::format("offset {} at {}", entry.offset, entry.position), json);
    });
}

bool dump_time_index(const Dump& dump) {
    const types::Offset base = base_of(dump.path);
    return for_each_entry(dump, storage::TimeIndexEntry::kBytes, [&](ByteView bytes) {
        const auto entry = storage::decode_time_index_entry(bytes, base);
        JsonLine json(dump.name, "time_index");
        json.add("timestamp", entry.timestamp).add("offset", entry.offset.value());
        return dump.line(fmt::format("timestamp {} offset {}", entry.timestamp, entry.offset),
                         json);
    });
}

bool dump_transaction_index(const Dump& dump) {
    return for_each_entry(dump, storage::AbortedTransaction::kBytes, [&](ByteView bytes) {
        const auto entry = storage::decode_aborted_transaction(bytes);
        if (!entry) {
            return dump.damage("an entry of an unknown version");
        }
        JsonLine json(dump.name, "aborted");
        json.add("producer_id", entry->producer_id.value())
            .add("first_offset", entry->first_offset.value())
            .add("last_offset", entry->last_offset.value())
            .add("last_stable_offset", entry->last_stable_offset.value());
        return dump.line(fmt::format("producer {} aborted {}..{}  last stable offset {}",
                                     entry->producer_id,
                                     entry->first_offset,
                                     entry->last_offset,
                                     entry->last_stable_offset),
                         json);
    });
}

/// A snapshot of the metadata log, or what a cluster began with ("bootstrap.checkpoint").
bool dump_metadata_snapshot(const Dump& dump, const std::string& file, const DumpOptions& options) {
    if (const auto id = storage::parse_metadata_snapshot_file_name(file)) {
        JsonLine json(dump.name, "snapshot");
        json.add("end_offset", id->end_offset.value())
            .add("epoch", std::int64_t{id->epoch.value()});
        if (!dump.line(
                fmt::format("everything below offset {}, last epoch {}", id->end_offset, id->epoch),
                json)) {
            return false;
        }
    }
    return dump_log(dump.path, dump.name, true, options, dump.sink);
}

bool is_text_file(std::string_view name) {
    return name == "meta.properties" || name == "partition.metadata" || name == "quorum-state" ||
           name == storage::kCleanShutdownMarker;
}

bool is_offset_checkpoint(std::string_view name) {
    return ends_with(name, "-checkpoint") && name != storage::kLeaderEpochCheckpoint;
}

}  // namespace

std::vector<std::string> files_below(const std::string& path, std::string& problem) {
    std::vector<std::string> files;
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        files.push_back(path);
        return files;
    }
    fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error);
    while (!error && it != fs::recursive_directory_iterator()) {
        std::error_code ignored;  // what cannot be looked at is no regular file
        if (it->is_regular_file(ignored) && !it->is_symlink(ignored)) {
            files.push_back(it->path().string());
        }
        it.increment(error);
    }
    problem = error ? error.message() : "";
    std::sort(files.begin(), files.end());
    return files;
}

bool dump_file(const std::string& path,
               const std::string& name,
               const DumpOptions& options,
               const DumpSink& sink) {
    const std::string file = fs::path(path).filename().string();
    const std::string folder = fs::path(path).parent_path().filename().string();
    const Dump dump{path, name, sink};
    JsonLine head(name, "file");
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    head.add("bytes", static_cast<std::int64_t>(error ? 0 : size));
    if (!sink({fmt::format("{}  {} bytes\n", viz::to_printable(name), error ? 0 : size),
               head.text(),
               false})) {
        return false;
    }
    if (ends_with(file, storage::kMetadataSnapshotSuffix)) {
        return dump_metadata_snapshot(dump, file, options);
    }
    if (ends_with(file, ".log")) {
        return dump_log(path, name, folder.rfind("__cluster_metadata", 0) == 0, options, sink);
    }
    if (file == storage::kLeaderEpochCheckpoint) {
        return dump_epochs(dump);
    }
    if (is_offset_checkpoint(file)) {
        return dump_offsets(dump);
    }
    if (ends_with(file, ".index")) {
        return dump_offset_index(dump);
    }
    if (ends_with(file, ".timeindex")) {
        return dump_time_index(dump);
    }
    if (ends_with(file, ".txnindex")) {
        return dump_transaction_index(dump);
    }
    if (ends_with(file, ".snapshot")) {
        return dump_snapshot(dump);
    }
    return !is_text_file(file) || dump_text(dump);
}

}  // namespace klab::cli
