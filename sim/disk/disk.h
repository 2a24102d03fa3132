// SPDX-License-Identifier: Apache-2.0
//
// A virtual disk with a page cache: real bytes in 4 KiB pages, each clean or dirty, in files whose
// directory entries are themselves durable or not. Calls see their own writes at once; what survives
// a crash or a power failure is decided when it happens.
//
// Calls are logged with their completion time until that time has passed, so a crash that falls
// inside a step undoes the calls that had not completed ("every point between two writes can be a
// crash point").
//
// Owns: all bytes of one node. Called by: DiskAccess (through Context::disk), World for faults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/bytes.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"
#include "sim/base/ids.h"
#include "sim/base/result.h"
#include "sim/base/time.h"

namespace klab::sim {

/// An open file (its inode): survives renames, dies with the file. Never reused within a run.
using FileId = Id<struct FileIdTag, std::uint64_t>;

enum class DiskError : std::uint8_t {
    not_found,       ///< no such path
    already_exists,  ///< create_new or rename target rules
    not_a_file,      ///< a directory where a file is needed
    not_a_directory  ///< a file, or nothing, where a directory is needed
};

[[nodiscard]] std::string_view disk_error_name(DiskError error);

/// Empty success value of calls that return nothing.
struct Done {
    friend constexpr bool operator==(Done, Done) = default;
};

template <typename T>
using DiskResult = Result<T, DiskError>;

inline constexpr std::uint32_t kPageBytes = 4096;
inline constexpr std::uint32_t kSectorBytes = 512;

/// What calls cost. One row; a table of devices comes with the disk faults.
struct DeviceCosts {
    Duration call = nanoseconds(300);            ///< any call that stays in memory
    Duration page_cache_per_page = nanoseconds(200);
    Duration sync = microseconds(100);           ///< fsync of a file or directory with dirty data
    Duration sync_per_page = microseconds(8);

    friend bool operator==(const DeviceCosts&, const DeviceCosts&) = default;
};

/// What a power failure leaves of the dirty pages.
enum class PowerOffKeep : std::uint8_t { synced, random, all };

/// How much a power failure destroyed.
struct DiskLoss {
    std::uint64_t bytes = 0;  ///< bytes of dirty pages that did not survive
    std::uint64_t files = 0;  ///< files whose entry did not survive
};

/// Decides during a power failure; both are keyed choices of the caller.
class PowerOffChoices {
  public:
    virtual ~PowerOffChoices() = default;
    /// keep=random: does this dirty page survive?
    [[nodiscard]] virtual bool keep_page() = 0;
    /// Sectors (0..8) of a surviving page that reached the platter when torn.
    [[nodiscard]] virtual std::uint32_t sectors_kept() = 0;
};

/// Paths are absolute, '/'-separated, without '.' or '..'; "/" exists from the start.
class Disk {
  public:
    // --- calls of the process; `now` is the time the call starts, the second of the pair is cost.

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
    [[nodiscard]] DiskResult<Done> truncate(FileId file, std::uint64_t size, Time done);
    /// Up to `length` bytes from `position`; shorter at the end of the file.
    [[nodiscard]] DiskResult<Bytes> read(FileId file,
                                         std::uint64_t position,
                                         std::uint64_t length) const;
    [[nodiscard]] DiskResult<std::uint64_t> size(FileId file) const;
    /// Makes content and size durable (not the directory entry). Returns pages written.
    [[nodiscard]] DiskResult<std::uint64_t> sync(FileId file, Time done);
    /// Makes the entries of a directory durable: creations, removals and renames in it.
    [[nodiscard]] DiskResult<Done> sync_directory(std::string_view path, Time done);
    /// Makes a directory and its missing parents.
    [[nodiscard]] DiskResult<Done> make_directories(std::string_view path, Time done);
    /// Replaces an existing file at `to`. Works on directories too.
    [[nodiscard]] DiskResult<Done> rename(std::string_view from, std::string_view to, Time done);
    /// Removes a file, or a directory with all in it.
    [[nodiscard]] DiskResult<Done> remove(std::string_view path, Time done);
    [[nodiscard]] bool exists(std::string_view path) const;
    [[nodiscard]] bool is_directory(std::string_view path) const;
    /// Names (not paths) in a directory, sorted.
    [[nodiscard]] DiskResult<std::vector<std::string>> list(std::string_view path) const;

    // --- faults and inspection

    /// Calls made so far; an event remembers it, so that a crash can fall right after the event.
    [[nodiscard]] std::uint64_t calls() const { return calls_; }

    /// Forgets how to undo calls completed by `now`.
    void settle(Time now);

    /// The process dies: undoes calls that were not completed at `now`. With `keep_calls` the cut is
    /// by call number instead of time. `torn` keeps the first half of the first undone write.
    void crash(Time now, std::optional<std::uint64_t> keep_calls, bool torn);

    /// After crash(): drops dirty pages and undurable entries as told.
    DiskLoss power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices);

    /// Empties the disk. Returns the bytes it held.
    std::uint64_t wipe();

    /// Bytes of all files, and bytes in dirty pages.
    [[nodiscard]] std::uint64_t bytes_total() const;
    [[nodiscard]] std::uint64_t bytes_dirty() const;

    /// All files with their paths, sorted by path (for export and --check full).
    [[nodiscard]] std::vector<std::pair<std::string, FileId>> files() const;

    friend bool operator==(const Disk&, const Disk&);

  private:
    // Filled in by the implementation (inodes, entries, undo log).
    std::uint64_t calls_ = 0;
};

}  // namespace klab::sim
