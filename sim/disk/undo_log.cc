// SPDX-License-Identifier: Apache-2.0
//
// Taking back disk calls, newest first.
#include "sim/disk/undo_log.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"

namespace klab::sim {

namespace {

Inode& file_of(FileTree& tree, FileId file) {
    Inode* inode = tree.file_for_write(file);
    KLAB_ASSERT(inode != nullptr, "file {} of an undone call is gone", file);
    return *inode;
}

/// The first half of a write, when half of it may stay.
std::uint64_t kept(std::uint64_t length, bool torn) { return torn ? length / 2 : 0; }

void undo_append(FileTree& tree, const AppendRecord& record, bool torn) {
    Inode& inode = file_of(tree, record.file);
    inode.undo_append(record.undo, kept(inode.size() - record.undo.old_size, torn));
}

void undo_file(FileTree& tree, const FileRecord& record, bool torn) {
    const std::uint64_t stays = kept(record.length, torn);
    const Bytes first_half =
        stays == 0 ? Bytes() : file_of(tree, record.file).read(record.position, stays);
    tree.set_file(record.file, record.before);
    if (stays > 0) {
        file_of(tree, record.file).write(record.position, first_half);
    }
}

void undo(FileTree& tree, UndoAction& action, bool torn) {
    std::visit(
        overloaded{[&](const AppendRecord& r) { undo_append(tree, r, torn); },
                   [&](const OverwriteRecord& r) {
                       file_of(tree, r.file).undo_overwrite(r.undo, kept(r.undo.length, torn));
                   },
                   [&](const FileRecord& r) { undo_file(tree, r, torn); },
                   [&](SyncRecord& r) { file_of(tree, r.file).undo_sync(std::move(r.undo)); },
                   [&](TreeRecord& r) { tree = std::move(r.before); }},
        action);
}

}  // namespace

void UndoLog::push(UndoRecord record) {
    if (records_.empty() || record.done < earliest_) {
        earliest_ = record.done;
    }
    records_.push_back(std::move(record));
}

std::size_t UndoLog::settled_at(Time now) const {
    const auto last = std::find_if(
        records_.rbegin(), records_.rend(), [&](const UndoRecord& r) { return r.done <= now; });
    return static_cast<std::size_t>(records_.rend() - last);
}

void UndoLog::forget(Time now) {
    const auto settled = static_cast<std::ptrdiff_t>(settled_at(now));
    records_.erase(records_.begin(), records_.begin() + settled);
    const auto least =
        std::min_element(records_.begin(), records_.end(), [](const auto& a, const auto& b) {
            return a.done < b.done;
        });
    earliest_ = least == records_.end() ? Time{} : least->done;
}

void UndoLog::clear() {
    records_.clear();
    earliest_ = Time{};
}

std::optional<std::uint64_t> UndoLog::crash(FileTree& tree,
                                            Time now,
                                            std::optional<std::uint64_t> keep_calls,
                                            bool torn) {
    std::size_t keep = settled_at(now);
    bool tear = torn;
    if (keep_calls.has_value()) {
        const auto first = std::find_if(records_.begin(), records_.end(), [&](const UndoRecord& r) {
            return r.call > *keep_calls;
        });
        keep = static_cast<std::size_t>(first - records_.begin());
        // The call in progress may have been one that changed nothing and left no record.
        tear = torn && first != records_.end() && first->call == *keep_calls + 1;
    }
    std::optional<std::uint64_t> last_kept;
    for (std::size_t i = records_.size(); i > keep; --i) {
        UndoRecord& record = records_[i - 1];
        last_kept = record.call - 1;
        undo(tree, record.action, tear && i - 1 == keep);
    }
    clear();
    return last_kept;
}

}  // namespace klab::sim
