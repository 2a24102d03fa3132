// SPDX-License-Identifier: Apache-2.0
//
// See dump_files.h.
#include "scenarios/cli/dump_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "model/raft/quorum_state_file.h"
#include "model/storage/file_names.h"
#include "model/storage/meta_properties.h"
#include "scenarios/cli/dump_checkpoints.h"
#include "scenarios/cli/dump_indexes.h"
#include "scenarios/cli/dump_log.h"
#include "scenarios/cli/interrupt.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

namespace fs = std::filesystem;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A snapshot of the metadata log, or what a cluster began with ("bootstrap.checkpoint").
bool dump_metadata_snapshot(const FileDump& dump,
                            const std::string& file,
                            const DumpOptions& options) {
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
    return name == storage::kMetaProperties || name == "partition.metadata" ||
           name == raft::kQuorumStateFile || name == storage::kCleanShutdownMarker;
}

std::string_view kind_of(fs::file_type type) {
    switch (type) {
        case fs::file_type::symlink:
            return "a symbolic link is not followed";
        case fs::file_type::fifo:
            return "a pipe is not read";
        case fs::file_type::socket:
            return "a socket is not read";
        case fs::file_type::block:
        case fs::file_type::character:
            return "a device is not read";
        default:
            return "no file";
    }
}

/// Adds what lies in a folder but its folders, which are added to the list of those.
void list_folder(const std::string& folder,
                 std::vector<std::string>& folders,
                 std::vector<FoundFile>& found) {
    std::error_code error;
    fs::directory_iterator it(folder, error);
    for (; !error && it != fs::directory_iterator() && !interrupted(); it.increment(error)) {
        std::error_code unknown;
        const fs::file_type type = it->symlink_status(unknown).type();
        std::string path = it->path().string();
        if (unknown) {
            found.push_back({std::move(path), unknown.message(), true});
        } else if (type == fs::file_type::directory) {
            folders.push_back(std::move(path));
        } else {
            const bool is_file = type == fs::file_type::regular;
            found.push_back({std::move(path), is_file ? "" : std::string(kind_of(type)), false});
        }
    }
    if (error) {
        found.push_back({folder, error.message(), true});
    }
}

bool is_offset_checkpoint(std::string_view name) {
    return ends_with(name, "-checkpoint") && name != storage::kLeaderEpochCheckpoint;
}

}  // namespace

std::vector<FoundFile> files_below(const std::string& path) {
    std::vector<FoundFile> found;
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        return {{path, "", false}};
    }
    std::vector<std::string> folders{path};
    while (!folders.empty()) {
        const std::string folder = std::move(folders.back());
        folders.pop_back();
        list_folder(folder, folders, found);
    }
    std::sort(found.begin(), found.end(), [](const FoundFile& a, const FoundFile& b) {
        return a.path < b.path;
    });
    return found;
}

bool dump_skipped(const FoundFile& found, const std::string& name, const DumpSink& sink) {
    if (found.is_unreadable) {
        JsonLine json(name, "damage");
        json.add_text("what", "cannot be read: " + found.skipped);
        return sink(
            {fmt::format(
                 "{}  SKIPPED: it cannot be read: {}\n", viz::to_printable(name), found.skipped),
             json.text(),
             true});
    }
    JsonLine json(name, "skipped");
    json.add_text("why", found.skipped);
    return sink({fmt::format("{}  skipped: {}\n", viz::to_printable(name), found.skipped),
                 json.text(),
                 false});
}

bool dump_file(const std::string& path,
               const std::string& name,
               const DumpOptions& options,
               const DumpSink& sink) {
    const FileDump dump{path, name, sink};
    const std::string file = fs::path(path).filename().string();
    const std::string folder = fs::path(path).parent_path().filename().string();
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
