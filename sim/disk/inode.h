// SPDX-License-Identifier: Apache-2.0
//
// One file without its name: pages as the process sees them, and what would be left of them if the
// power failed now.
//
// A page is *dirty* when what the process sees is not what lies on the platter:
//   - a page below the durable end is dirty when `replaced_` holds its durable version;
//   - a page beyond the durable end is dirty because it exists.
// So an append-only file remembers at most one old page, however long it is.
//
// After a power failure nothing is in memory, until it is read or written (cold_pages.h).
//
// Owns: pages, size, durable versions, which pages are cold. Called by: Disk (calls), UndoLog
// (undo), FileTree (names).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/bytes.h"
#include "sim/base/cow.h"
#include "sim/disk/cold_pages.h"
#include "sim/disk/disk_types.h"
#include "sim/disk/numbered_table.h"

namespace klab::sim {

/// Up to 4096 bytes; bytes beyond the stored ones read as zero and compare as zero.
struct Page {
    Bytes bytes;

    friend bool operator==(const Page& a, const Page& b);
};

/// Whether a file or directory can be reached by name now, and would be after a power failure.
struct Naming {
    bool current = true;
    bool durable = false;

    friend bool operator==(const Naming&, const Naming&) = default;
};

class Inode {
  public:
    /// A dirty page below the durable end, with the version on the platter (none: a hole, zeros).
    struct Replaced {
        std::uint64_t page = 0;
        std::optional<Cow<Page>> durable;

        friend bool operator==(const Replaced&, const Replaced&) = default;
    };

    /// What undoes an append.
    struct AppendUndo {
        std::uint64_t old_size = 0;
        bool page_existed = false;  // the page that holds the old end
        bool page_dirtied = false;  // it was clean before

        friend bool operator==(const AppendUndo&, const AppendUndo&) = default;
    };

    static constexpr std::uint64_t kSmallBytesMax = 16;

    /// What undoes an overwrite of at most 16 bytes inside one page (an index entry).
    struct OverwriteUndo {
        std::uint64_t position = 0;
        std::array<std::uint8_t, kSmallBytesMax> old_bytes{};
        std::uint8_t length = 0;
        bool page_existed = false;
        bool page_dirtied = false;

        friend bool operator==(const OverwriteUndo&, const OverwriteUndo&) = default;
    };

    /// What undoes a sync.
    struct SyncUndo {
        std::uint64_t durable_size = 0;
        std::vector<Replaced> replaced;
        std::optional<std::uint64_t> cut;

        friend bool operator==(const SyncUndo&, const SyncUndo&) = default;
    };

    // --- questions

    [[nodiscard]] std::uint64_t size() const { return size_; }

    [[nodiscard]] std::uint64_t durable_size() const { return durable_size_; }

    /// Up to `length` bytes from `position`; shorter at the end.
    [[nodiscard]] Bytes read(std::uint64_t position, std::uint64_t length) const;

    /// The same without allocation, into `out`. Returns how many bytes there were.
    std::uint64_t read_into(std::uint64_t position, std::span<std::uint8_t> out) const;

    /// Pages that a sync would write.
    [[nodiscard]] std::uint64_t dirty_pages() const;
    [[nodiscard]] std::uint64_t dirty_bytes() const;

    /// Pages that hold something; a hole takes no room.
    [[nodiscard]] std::uint64_t stored_pages() const { return pages_.count_from(0); }

    /// Nothing would change if the power failed now.
    [[nodiscard]] bool is_clean() const { return dirty_pages() == 0 && size_ == durable_size_; }

    /// Was the file cut below its durable end, and the platter has not seen it?
    [[nodiscard]] bool has_cut() const { return cut_.has_value(); }

    /// May append() be used? No after a truncation below the durable end: then write() must.
    [[nodiscard]] bool can_append() const { return size_ >= durable_size_; }

    /// May overwrite_small() be used for `length` bytes at `position`?
    [[nodiscard]] bool can_overwrite_small(std::uint64_t position, std::uint64_t length) const;

    /// Is a part of it not in memory, since a power failure?
    [[nodiscard]] bool is_cold() const { return cold_.has_value(); }

    /// These bytes are read by a process: what is not in memory comes from the device.
    ReadMiss load(std::uint64_t position, std::uint64_t length);

    // --- changes

    /// Requires: can_append(), some bytes. No allocation but for a new page.
    AppendUndo append(ByteView bytes);

    /// Cuts the last append back to its first `keep` bytes. Requires: it is the last change.
    void undo_append(const AppendUndo& undo, std::uint64_t keep);

    /// Requires: can_overwrite_small().
    OverwriteUndo overwrite_small(std::uint64_t position, ByteView bytes);

    /// Puts the old bytes back, all but the first `keep` of them. Requires: it is the last change.
    void undo_overwrite(const OverwriteUndo& undo, std::uint64_t keep);

    /// Overwrites from `position`; grows the file when needed, a gap reads as zeros.
    void write(std::uint64_t position, ByteView bytes);

    /// Changes one bit, dirtying nothing. Requires: position < size().
    void flip_bit(std::uint64_t position, std::uint32_t bit);

    /// Cuts the file, or grows it with a hole.
    void resize(std::uint64_t size);

    /// Makes content and size durable.
    SyncUndo sync();
    void undo_sync(SyncUndo undo);

    /// Makes the cut durable, without the content: what the journal of a file system does.
    void commit_cut();

    /// The power fails: each dirty page ends as its current or its durable version. Returns the
    /// bytes lost. Choices are asked for in the order: truncation, then pages by position.
    std::uint64_t power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices);

    Naming naming;

    friend bool operator==(const Inode&, const Inode&) = default;

  private:
    struct PageForWrite {
        Bytes* bytes = nullptr;
        bool existed = false;
        bool dirtied = false;
    };

    [[nodiscard]] std::uint64_t durable_pages() const;
    /// Bytes of the file that lie in this page.
    [[nodiscard]] std::uint64_t page_length(std::uint64_t page) const;
    [[nodiscard]] std::vector<Replaced>::iterator replaced_at(std::uint64_t page);
    [[nodiscard]] PageForWrite page_for_write(std::uint64_t page);
    /// Remembers the durable version before the page changes; says whether it was clean.
    bool dirty(std::uint64_t page);
    /// Gives the page its durable version back and forgets it. Requires: it is in replaced_.
    void restore(std::uint64_t page);
    /// Drops pages, and bytes of the last page, at `size` and above. Knows nothing of durability.
    void drop_from(std::uint64_t size);
    /// One dirty page at a power failure: keeps `sectors` of it, the rest is its durable version.
    /// Returns the bytes lost.
    std::uint64_t keep_sectors(std::uint64_t page,
                               const std::optional<Cow<Page>>& durable,
                               std::uint32_t sectors);

    std::uint64_t size_ = 0;
    std::uint64_t durable_size_ = 0;
    NumberedTable<Cow<Page>>
        pages_;  // as seen now; none at or beyond size_; a missing one is zeros
    std::vector<Replaced> replaced_;      // ascending by page, all below durable_pages()
    std::optional<std::uint64_t> cut_;    // lowest size since the last sync, if below durable_size_
    std::optional<Cow<ColdPages>> cold_;  // nothing: all of it is in memory
};

}  // namespace klab::sim
