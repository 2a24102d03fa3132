// SPDX-License-Identifier: Apache-2.0
//
// All files of a disk and the tree of names that leads to them: the state that disk calls change.
// A regular value; copies share everything until written.
//
// A file lives as long as it has a name now or would have one after a power failure. There are no
// hard links: at most one name of each sort.
//
// Owns: inodes, directories, numbers. Called by: Disk; UndoLog keeps copies.
// Simplified: a rename between two directories makes both durable at once (Kafka has none).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/cow.h"
#include "sim/disk/directory.h"
#include "sim/disk/disk_types.h"
#include "sim/disk/inode.h"
#include "sim/disk/numbered_table.h"

namespace klab::sim {

class FileTree {
  public:
    /// An empty tree: "/" exists and is durable.
    FileTree();

    // --- questions

    /// What the path leads to, if anything.
    [[nodiscard]] std::optional<Target> find(std::string_view path) const;

    /// The file, unless it was removed.
    [[nodiscard]] const Inode* file(FileId file) const;
    [[nodiscard]] DiskResult<std::vector<std::string>> list(std::string_view path) const;

    /// Would sync_directory change anything in this directory? False when there is none.
    [[nodiscard]] bool has_unsynced_names(std::string_view path) const;

    /// All files that have a name, sorted by path.
    [[nodiscard]] std::vector<std::pair<std::string, FileId>> files() const;

    /// Files that were cut and whose cut the platter has not seen, by number.
    [[nodiscard]] std::vector<FileId> cut_files() const;

    /// Calls f(inode) for each file that has a name, by number.
    template <typename F>
    void for_each_file(F&& f) const {
        files_->for_each_from(0, [&](std::uint64_t, const Cow<Inode>& inode) {
            if (inode->naming.current) {
                f(*inode);
            }
        });
    }

    // --- changes of one file

    /// The file, unless it was removed. The pointer dies with the next change.
    [[nodiscard]] Inode* file_for_write(FileId file);

    /// The file as a shared value, and setting it back (undo). Requires: it exists.
    [[nodiscard]] Cow<Inode> share(FileId file) const;
    void set_file(FileId file, Cow<Inode> inode);

    /// Makes the cuts of these files durable, also of those that were removed (the platter still
    /// names them).
    void commit_cuts(const std::vector<FileId>& files);

    // --- changes of names; contracts as in Disk

    [[nodiscard]] DiskResult<FileId> create(std::string_view path);
    [[nodiscard]] DiskResult<Done> make_directories(std::string_view path);
    [[nodiscard]] DiskResult<Done> rename(std::string_view from, std::string_view to);
    [[nodiscard]] DiskResult<Done> remove(std::string_view path);
    [[nodiscard]] DiskResult<Done> sync_directory(std::string_view path);

    // --- faults

    /// Decides names from the root down, then pages by file number. What survives is durable.
    DiskLoss power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices);

    /// Takes a name away, now and on the platter. Errors: not_found.
    [[nodiscard]] DiskResult<Done> lose_entry(std::string_view path);

    /// Removes everything; numbers go on.
    void wipe();

    friend bool operator==(const FileTree&, const FileTree&) = default;

  private:
    /// A path cut in two: the directory part and the last name.
    struct Place {
        DirectoryId directory;
        std::string name;
    };

    [[nodiscard]] std::optional<DirectoryId> find_directory(std::string_view path) const;
    [[nodiscard]] std::optional<Place> find_place(std::string_view path) const;
    [[nodiscard]] const Directory& directory(DirectoryId id) const;
    [[nodiscard]] Directory& directory_for_write(DirectoryId id);
    [[nodiscard]] DirectoryId make_directory(DirectoryId parent, const std::string& name);
    [[nodiscard]] bool is_inside(DirectoryId inner, DirectoryId outer) const;
    [[nodiscard]] Naming& naming_for_write(Target target);

    /// The target has no name any more (with all below it); it dies unless the platter names it.
    void lose_name(Target target);
    void clear_current_name(Target target);
    /// Frees the target and all below it.
    void free(Target target);
    void apply(const Directory::Committed& committed);
    /// Makes the names on the way to this path durable, so that it can be found again.
    void commit_way_to(std::string_view path);

    void keep_names(DirectoryId id,
                    PowerOffKeep keep,
                    PowerOffChoices& choices,
                    std::vector<FileId>& files,
                    std::vector<DirectoryId>& directories);
    void add_files(DirectoryId id,
                   const std::string& path,
                   std::vector<std::pair<std::string, FileId>>& files) const;

    Cow<NumberedTable<Cow<Inode>>> files_;
    Cow<NumberedTable<Cow<Directory>>> directories_;
    std::uint64_t next_file_ = 1;
    std::uint64_t next_directory_ = 1;  // 0 is "/"
};

}  // namespace klab::sim
