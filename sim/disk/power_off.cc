// SPDX-License-Identifier: Apache-2.0
//
// The power fails: what of names, pages and sizes is still there when it comes back.
//
//   names   each group of changes joined by renames stays or goes (directories from the root down)
//   pages   each dirty page of a file that still has a name ends as its current or its durable
//           version; torn: its first sectors are current, the rest durable
//   size    a file that had grown ends with its last surviving page, but not below its durable
//   size;
//           a file that had been cut below its durable size keeps the cut or loses it, as one
//           choice, unless a later sync of any file has committed the cut
//
// Afterwards everything is clean: what survived is what lies on the platter. Nothing of it is in
// memory.
//
// Called by: Disk::power_off.
// Simplified: no time-driven write-back, so that without a sync nothing is safe (Linux writes pages
// back after about 30 s); sectors of a page arrive in order.
#include <algorithm>
#include <set>

#include "sim/base/assert.h"
#include "sim/disk/directory.h"
#include "sim/disk/file_tree.h"
#include "sim/disk/inode.h"

namespace klab::sim {

namespace {

bool survives(PowerOffKeep keep, PowerOffChoices& choices) {
    switch (keep) {
        case PowerOffKeep::synced:
            return false;
        case PowerOffKeep::all:
            return true;
        case PowerOffKeep::random:
            return choices.keep_page();
    }
    KLAB_ASSERT(false, "unknown keep");
}

std::uint32_t surviving_sectors(PowerOffKeep keep, bool torn, PowerOffChoices& choices) {
    if (!survives(keep, choices)) {
        return 0;
    }
    return torn ? std::min(choices.sectors_kept(), kSectorsPerPage) : kSectorsPerPage;
}

}  // namespace

std::uint64_t Inode::keep_sectors(std::uint64_t page,
                                  const std::optional<Cow<Page>>& durable,
                                  std::uint32_t sectors) {
    const Cow<Page>* now = pages_.find(page);
    const std::uint64_t length = now == nullptr ? 0 : page_length(page);
    if (sectors == kSectorsPerPage) {
        return 0;
    }
    const std::uint64_t kept = std::uint64_t{sectors} * kSectorBytes;
    if (kept == 0) {
        if (durable.has_value()) {
            pages_.put(page, *durable);
        } else {
            pages_.erase(page);
        }
        return length;
    }
    Bytes mixed = durable.has_value() ? (*durable)->bytes : Bytes();
    mixed.resize(std::max(mixed.size(), kept));
    std::fill_n(mixed.begin(), kept, std::uint8_t{0});
    if (now != nullptr) {
        std::copy_n((*now)->bytes.begin(), std::min(kept, (*now)->bytes.size()), mixed.begin());
    }
    pages_.put(page, Cow<Page>(Page{std::move(mixed)}));
    return length - std::min(length, kept);
}

std::uint64_t Inode::power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices) {
    const bool was_cut = size_ < durable_size_;
    const bool cut_survives = was_cut && survives(keep, choices);
    std::uint64_t lost = 0;
    std::uint64_t end = durable_size_;
    const auto decide = [&](std::uint64_t page, const std::optional<Cow<Page>>& durable) {
        const std::uint32_t sectors = surviving_sectors(keep, torn, choices);
        if (sectors > 0) {
            end = std::max(end, std::min(size_, (page + 1) * kPageBytes));
        }
        lost += keep_sectors(page, durable, sectors);
    };
    const std::vector<std::uint64_t> grown = pages_.numbers_from(durable_pages());
    const std::vector<Replaced> replaced = std::move(replaced_);
    replaced_.clear();
    for (const Replaced& r : replaced) {
        if (r.page * kPageBytes < size_) {
            decide(r.page, r.durable);
        } else if (!cut_survives && r.durable.has_value()) {
            pages_.put(r.page, *r.durable);
        }
    }
    for (const std::uint64_t page : grown) {
        decide(page, std::nullopt);
    }
    if (keep != PowerOffKeep::all && !cut_survives) {
        size_ = end;
    }
    drop_from(size_);
    durable_size_ = size_;
    cut_.reset();
    if (size_ > 0) {
        cold_ = Cow<ColdPages>(ColdPages((size_ + kPageBytes - 1) / kPageBytes));
    }
    return lost;
}

void Directory::power_off(PowerOffKeep keep, PowerOffChoices& choices) {
    for (const std::vector<std::string>& group : groups()) {
        if (survives(keep, choices)) {
            continue;
        }
        for (const std::string& name : group) {
            set_current(name, *replaced_.find(name));
        }
    }
    replaced_.clear();
    renames_.clear();
}

void FileTree::keep_names(DirectoryId id,
                          PowerOffKeep keep,
                          PowerOffChoices& choices,
                          std::vector<FileId>& files,
                          std::vector<DirectoryId>& directories) {
    directories.push_back(id);
    directory_for_write(id).power_off(keep, choices);
    for (const Target& target : directory(id).current_targets()) {
        if (const FileId* file = std::get_if<FileId>(&target)) {
            files.push_back(*file);
        } else {
            keep_names(std::get<DirectoryId>(target), keep, choices, files, directories);
        }
    }
}

DiskLoss FileTree::power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices) {
    std::vector<FileId> named_files;
    std::vector<DirectoryId> named_directories;
    keep_names(DirectoryId(0), keep, choices, named_files, named_directories);
    const std::set<FileId> kept_files(named_files.begin(), named_files.end());
    const std::set<DirectoryId> kept_directories(named_directories.begin(),
                                                 named_directories.end());
    constexpr Naming kDurable{true, true};
    DiskLoss loss;
    for (const std::uint64_t number : directories_->numbers_from(0)) {
        if (!kept_directories.contains(DirectoryId(number))) {
            directories_.write().erase(number);
        } else {
            directory_for_write(DirectoryId(number)).naming = kDurable;
        }
    }
    for (const std::uint64_t number : files_->numbers_from(0)) {
        Inode& inode = files_.write().find_for_write(number)->write();
        const bool had_name = inode.naming.current;  // what was removed cannot be lost
        if (kept_files.contains(FileId(number))) {
            inode.naming = kDurable;
            const std::uint64_t lost = inode.power_off(keep, torn, choices);
            loss.bytes += had_name ? lost : 0;
        } else {
            loss.bytes += had_name ? inode.dirty_bytes() : 0;
            loss.files += had_name ? 1U : 0U;
            files_.write().erase(number);
        }
    }
    return loss;
}

void FileTree::wipe() {
    const std::uint64_t next_file = next_file_;
    const std::uint64_t next_directory = next_directory_;
    *this = FileTree();
    next_file_ = next_file;
    next_directory_ = next_directory;
}

}  // namespace klab::sim
