// SPDX-License-Identifier: Apache-2.0
//
// A virtual disk with a page cache: real bytes in 4 KiB pages, each clean or dirty, in files whose
// directory entries are themselves durable or not. Calls see their own writes at once; what
// survives a crash or a power failure is decided when it happens.
//
// Calls are logged with their completion time until that time has passed, so a crash that falls
// inside a step undoes the calls that had not completed ("every point between two writes can be a
// crash point").
//
// Owns: all bytes of one node. Called by: DiskAccess (through Context::disk), World for faults.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/bytes.h"
#include "sim/base/result.h"
#include "sim/base/time.h"
#include "sim/disk/disk_costs.h"
#include "sim/disk/disk_faults.h"
#include "sim/disk/disk_types.h"
#include "sim/disk/file_tree.h"
#include "sim/disk/undo_log.h"

namespace klab::sim {

/// Paths are absolute, '/'-separated, without '.' or '..'; "/" exists from the start.
class Disk {
  public:
    // --- calls of the process; `done` is the time at which the call completes.

    /// Opens a file. Errors: not_found, not_a_file.
    [[nodiscard]] DiskResult<FileId> open(std::string_view path) const;
    /// Opens a file, making an empty one (entry not durable) when absent. Errors: not_a_file,
    /// not_a_directory (parent missing).
    [[nodiscard]] DiskResult<FileId> create(std::string_view path, Time done);
    /// Adds bytes at the end. Errors: not_found (file removed).
    [[nodiscard]] DiskResult<Done> append(FileId file, ByteView bytes, Time done);
    /// Overwrites from `position`, growing the file when needed (a gap reads as zeros).
    [[nodiscard]] DiskResult<Done> write_at(FileId file,
                                            std::uint64_t position,
                                            ByteView bytes,
                                            Time done);
    /// Cuts the file, or grows it with a hole. The next sync of any file or directory makes the cut
    /// durable too (ext4 and XFS commit their journal in order).
    [[nodiscard]] DiskResult<Done> truncate(FileId file, std::uint64_t size, Time done);
    /// Up to `length` bytes from `position`; shorter at the end of the file.
    [[nodiscard]] DiskResult<Bytes> read(FileId file,
                                         std::uint64_t position,
                                         std::uint64_t length) const;
    /// The same into `out`, without allocation. Returns how many bytes there were.
    [[nodiscard]] DiskResult<std::uint64_t> read_into(FileId file,
                                                      std::uint64_t position,
                                                      std::span<std::uint8_t> out) const;
    [[nodiscard]] DiskResult<std::uint64_t> size(FileId file) const;
    /// Is a part of the file not in memory? Then a read of a process asks load() what it costs.
    [[nodiscard]] bool is_cold(FileId file) const;
    /// These bytes come into memory. Returns what had to be fetched from the device.
    ReadMiss load(FileId file, std::uint64_t position, std::uint64_t length);
    /// Makes content and size durable (not the directory entry). Returns pages written.
    [[nodiscard]] DiskResult<std::uint64_t> sync(FileId file, Time done);
    /// Pages that sync would write: what its cost depends on.
    [[nodiscard]] DiskResult<std::uint64_t> dirty_pages(FileId file) const;
    /// Makes the entries of a directory durable: creations, removals and renames in it, and its own
    /// entry in each directory above it (journaling file systems commit those with it).
    [[nodiscard]] DiskResult<Done> sync_directory(std::string_view path, Time done);
    /// Has this directory entries that sync_directory would make durable?
    [[nodiscard]] bool has_unsynced_names(std::string_view path) const;
    /// Makes a directory and its missing parents.
    [[nodiscard]] DiskResult<Done> make_directories(std::string_view path, Time done);
    /// Replaces an existing file at `to`. Works on directories too. Errors: not_found,
    /// not_a_directory (parent of `to` missing), already_exists (`to` is a directory, or lies
    /// inside `from`, or is a file where a directory is moved).
    [[nodiscard]] DiskResult<Done> rename(std::string_view from, std::string_view to, Time done);
    /// Removes a file, or a directory with all in it. Errors: not_found.
    [[nodiscard]] DiskResult<Done> remove(std::string_view path, Time done);
    [[nodiscard]] bool exists(std::string_view path) const;
    [[nodiscard]] bool is_directory(std::string_view path) const;
    /// Names (not paths) in a directory, sorted. Errors: not_a_directory.
    [[nodiscard]] DiskResult<std::vector<std::string>> list(std::string_view path) const;

    // --- faults and inspection

    /// Calls made so far that may change the disk, failed ones included; an event remembers it, so
    /// that a crash can fall right after the event. A crash takes it back with the calls it undoes.
    [[nodiscard]] std::uint64_t calls() const { return calls_; }

    /// Forgets how to undo calls completed by `now`.
    void settle(Time now);

    /// The process dies: undoes calls that were not completed at `now`. With `keep_calls` the cut
    /// is by call number instead of time (calls not yet settled). `torn` keeps the first half of
    /// the first undone call, when it is a write. Kept is always a prefix of the calls: lanes
    /// overlap, so by time that is everything up to the last call complete at `now`.
    void crash(Time now, std::optional<std::uint64_t> keep_calls, bool torn);

    /// After crash(): drops dirty pages and undurable entries as told (power_off.cc has the rules).
    DiskLoss power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices);

    // Faults of the device refuse or slow calls of a process; DiskAccess asks before each call. The
    // calls above know nothing of them, so that tests and exports read a broken disk too.

    void add_fault(DiskFault fault) { faults_.add(std::move(fault)); }

    [[nodiscard]] bool has_faults() const { return !faults_.empty(); }

    /// A call at `now` on a path, or on an open file; a fault for a number of calls counts it.
    [[nodiscard]] DiskVerdict meet_faults(DiskUse use, std::string_view path, Time now);
    [[nodiscard]] DiskVerdict meet_faults(DiskUse use, FileId file, Time now);

    /// Changes one bit of a file at rest, for good. Requires: the file exists, position < size.
    void flip_bit(FileId file, std::uint64_t position, std::uint32_t bit);

    /// A name is not there any more, for good; a directory goes with all in it. Requires: no
    /// process runs. Errors: not_found.
    [[nodiscard]] DiskResult<Done> lose_entry(std::string_view path);

    /// Puts a new, empty device in place of the old. Returns the bytes it held.
    std::uint64_t wipe();

    /// Bytes of all files, and bytes in dirty pages.
    [[nodiscard]] std::uint64_t bytes_total() const;
    [[nodiscard]] std::uint64_t bytes_dirty() const;

    /// Room that the files take: whole pages, holes left out. O(files).
    [[nodiscard]] std::uint64_t bytes_stored() const;

    /// All files with their paths, sorted by path (for export and --check full).
    [[nodiscard]] std::vector<std::pair<std::string, FileId>> files() const;

    /// Where an open file is now; empty when it was removed.
    [[nodiscard]] std::string path_of(FileId file) const;

    friend bool operator==(const Disk& a, const Disk& b) {
        return a.tree_ == b.tree_ && a.undo_ == b.undo_ && a.calls_ == b.calls_ &&
               a.faults_ == b.faults_;
    }

  private:
    [[nodiscard]] DiskVerdict meet(DiskUse use, std::string_view path, Time now);
    template <typename Call>
    auto change_names(Time done, Call&& call);
    void commit_cuts();

    FileTree tree_;
    UndoLog undo_;
    std::uint64_t calls_ = 0;
    DiskFaults faults_;
    std::vector<FileId> cut_files_;  // where to look for cuts to commit: those and maybe more
};

}  // namespace klab::sim
