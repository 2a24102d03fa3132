// SPDX-License-Identifier: Apache-2.0
//
// How to take back disk calls that may not have completed when a process dies. One record for each
// call whose completion time has not passed; hot calls (append, small overwrite, sync) record only
// what they changed, calls on names keep the whole tree of before (shared, so it costs little).
//
// A crash keeps a prefix of the calls, so that no call is kept that saw one that is gone:
// everything up to the last call that was complete. Lanes of a node overlap in time, so completion
// times are not always in the order of calls.
//
// Owns: the records. Called by: Disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/cow.h"
#include "sim/base/time.h"
#include "sim/disk/file_tree.h"
#include "sim/disk/inode.h"

namespace klab::sim {

struct AppendRecord {
    FileId file;
    Inode::AppendUndo undo;

    friend bool operator==(const AppendRecord&, const AppendRecord&) = default;
};

struct OverwriteRecord {
    FileId file;
    Inode::OverwriteUndo undo;

    friend bool operator==(const OverwriteRecord&, const OverwriteRecord&) = default;
};

/// Any write or truncation: the file as it was. `length` bytes at `position` were written.
struct FileRecord {
    FileId file;
    Cow<Inode> before;
    std::uint64_t position = 0;
    std::uint64_t length = 0;  // 0: not a write

    friend bool operator==(const FileRecord&, const FileRecord&) = default;
};

struct SyncRecord {
    FileId file;
    Inode::SyncUndo undo;

    friend bool operator==(const SyncRecord&, const SyncRecord&) = default;
};

/// A call on names: the tree as it was.
struct TreeRecord {
    FileTree before;

    friend bool operator==(const TreeRecord&, const TreeRecord&) = default;
};

using UndoAction = std::variant<AppendRecord, OverwriteRecord, FileRecord, SyncRecord, TreeRecord>;

struct UndoRecord {
    Time done;               // when the call completes
    std::uint64_t call = 0;  // its number, from 1
    UndoAction action;

    friend bool operator==(const UndoRecord&, const UndoRecord&) = default;
};

class UndoLog {
  public:
    void push(UndoRecord record);

    /// Forgets the calls that no crash at `now` or later would undo.
    void settle(Time now) {
        if (!records_.empty() && earliest_ <= now) {
            forget(now);
        }
    }

    /// Undoes the calls that are not kept, newest first, and forgets all. With `keep_calls`, calls
    /// up to that number are kept, otherwise those up to the last one complete at `now`. `torn`:
    /// the first half of the first undone call stays, when it is a write. Returns the number of the
    /// last call kept, if any was undone.
    std::optional<std::uint64_t> crash(FileTree& tree,
                                       Time now,
                                       std::optional<std::uint64_t> keep_calls,
                                       bool torn);

    void clear();

    [[nodiscard]] std::size_t size() const { return records_.size(); }

    friend bool operator==(const UndoLog&, const UndoLog&) = default;

  private:
    void forget(Time now);
    /// How many records, from the first, belong to calls complete at `now` or before such a call.
    [[nodiscard]] std::size_t settled_at(Time now) const;

    std::vector<UndoRecord> records_;  // ascending by call
    Time earliest_;                    // least `done` of the records; 0 without records
};

}  // namespace klab::sim
