// SPDX-License-Identifier: Apache-2.0
//
// The calls of the disk: each counts itself, changes the tree and records how to undo it.
#include "sim/disk/disk.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "sim/base/assert.h"

namespace klab::sim {

std::string_view disk_error_name(DiskError error) {
    switch (error) {
        case DiskError::not_found:
            return "not found";
        case DiskError::already_exists:
            return "already exists";
        case DiskError::not_a_file:
            return "not a file";
        case DiskError::not_a_directory:
            return "not a directory";
        case DiskError::no_space:
            return "no space";
        case DiskError::read_only:
            return "read only";
        case DiskError::io_error:
            return "input/output error";
        case DiskError::device_gone:
            return "device gone";
    }
    KLAB_ASSERT(false, "unknown disk error");
}

// --- calls on one file

DiskResult<FileId> Disk::open(std::string_view path) const {
    const std::optional<Target> target = tree_.find(path);
    if (!target.has_value()) {
        return Error{DiskError::not_found};
    }
    if (const FileId* file = std::get_if<FileId>(&*target)) {
        return *file;
    }
    return Error{DiskError::not_a_file};
}

DiskResult<Done> Disk::append(FileId file, ByteView bytes, Time done) {
    ++calls_;
    Inode* inode = tree_.file_for_write(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    if (bytes.empty()) {
        return Done{};
    }
    if (!inode->can_append()) {
        --calls_;  // counted by write_at
        return write_at(file, inode->size(), bytes, done);
    }
    undo_.push({done, calls_, AppendRecord{file, inode->append(bytes)}});
    return Done{};
}

DiskResult<Done> Disk::write_at(FileId file, std::uint64_t position, ByteView bytes, Time done) {
    ++calls_;
    Inode* inode = tree_.file_for_write(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    if (bytes.empty()) {
        return Done{};
    }
    if (position == inode->size() && inode->can_append()) {
        undo_.push({done, calls_, AppendRecord{file, inode->append(bytes)}});
    } else if (inode->can_overwrite_small(position, bytes.size())) {
        undo_.push({done, calls_, OverwriteRecord{file, inode->overwrite_small(position, bytes)}});
    } else {
        undo_.push({done, calls_, FileRecord{file, tree_.share(file), position, bytes.size()}});
        tree_.file_for_write(file)->write(position, bytes);
    }
    return Done{};
}

DiskResult<Done> Disk::truncate(FileId file, std::uint64_t size, Time done) {
    ++calls_;
    const Inode* inode = tree_.file(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    if (inode->size() != size) {
        undo_.push({done, calls_, FileRecord{file, tree_.share(file), 0, 0}});
        Inode* changed = tree_.file_for_write(file);
        changed->resize(size);
        if (changed->has_cut() && std::ranges::find(cut_files_, file) == cut_files_.end()) {
            cut_files_.push_back(file);
        }
    }
    return Done{};
}

void Disk::commit_cuts() {
    tree_.commit_cuts(cut_files_);
    cut_files_.clear();
}

DiskResult<Bytes> Disk::read(FileId file, std::uint64_t position, std::uint64_t length) const {
    const Inode* inode = tree_.file(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    return inode->read(position, length);
}

DiskResult<std::uint64_t> Disk::read_into(FileId file,
                                          std::uint64_t position,
                                          std::span<std::uint8_t> out) const {
    const Inode* inode = tree_.file(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    return inode->read_into(position, out);
}

bool Disk::is_cold(FileId file) const {
    const Inode* inode = tree_.file(file);
    return inode != nullptr && inode->is_cold();
}

ReadMiss Disk::load(FileId file, std::uint64_t position, std::uint64_t length) {
    Inode* inode = tree_.file_for_write(file);
    return inode == nullptr ? ReadMiss{} : inode->load(position, length);
}

DiskResult<std::uint64_t> Disk::size(FileId file) const {
    const Inode* inode = tree_.file(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    return inode->size();
}

DiskResult<std::uint64_t> Disk::sync(FileId file, Time done) {
    ++calls_;
    const Inode* inode = tree_.file(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    const std::uint64_t pages = inode->dirty_pages();
    if (!cut_files_.empty()) {
        undo_.push({done, calls_, TreeRecord{tree_}});
        static_cast<void>(tree_.file_for_write(file)->sync());
        commit_cuts();
        return pages;
    }
    if (inode->is_clean()) {
        return std::uint64_t{0};
    }
    undo_.push({done, calls_, SyncRecord{file, tree_.file_for_write(file)->sync()}});
    return pages;
}

DiskResult<std::uint64_t> Disk::dirty_pages(FileId file) const {
    const Inode* inode = tree_.file(file);
    if (inode == nullptr) {
        return Error{DiskError::not_found};
    }
    return inode->dirty_pages();
}

// --- calls on names

template <typename Call>
auto Disk::change_names(Time done, Call&& call) {
    ++calls_;
    FileTree before = tree_;
    auto result = call();
    if (result.ok()) {
        undo_.push({done, calls_, TreeRecord{std::move(before)}});
    }
    return result;
}

DiskResult<FileId> Disk::create(std::string_view path, Time done) {
    if (const DiskResult<FileId> existing = open(path)) {
        ++calls_;
        return existing;
    }
    return change_names(done, [&] { return tree_.create(path); });
}

DiskResult<Done> Disk::sync_directory(std::string_view path, Time done) {
    return change_names(done, [&] {
        DiskResult<Done> result = tree_.sync_directory(path);
        if (result.ok()) {
            commit_cuts();
        }
        return result;
    });
}

bool Disk::has_unsynced_names(std::string_view path) const {
    return tree_.has_unsynced_names(path);
}

DiskResult<Done> Disk::make_directories(std::string_view path, Time done) {
    if (is_directory(path)) {
        ++calls_;
        return Done{};
    }
    return change_names(done, [&] { return tree_.make_directories(path); });
}

DiskResult<Done> Disk::rename(std::string_view from, std::string_view to, Time done) {
    return change_names(done, [&] { return tree_.rename(from, to); });
}

DiskResult<Done> Disk::remove(std::string_view path, Time done) {
    return change_names(done, [&] { return tree_.remove(path); });
}

bool Disk::exists(std::string_view path) const { return tree_.find(path).has_value(); }

bool Disk::is_directory(std::string_view path) const {
    const std::optional<Target> target = tree_.find(path);
    return target.has_value() && std::holds_alternative<DirectoryId>(*target);
}

DiskResult<std::vector<std::string>> Disk::list(std::string_view path) const {
    return tree_.list(path);
}

// --- faults and inspection

void Disk::settle(Time now) { undo_.settle(now); }

void Disk::crash(Time now, std::optional<std::uint64_t> keep_calls, bool torn) {
    calls_ = undo_.crash(tree_, now, keep_calls, torn).value_or(calls_);
    if (keep_calls.has_value()) {
        calls_ = std::min(calls_, *keep_calls);  // failed calls in between left no record
    }
    cut_files_ = tree_.cut_files();  // an undone sync has committed nothing
}

DiskLoss Disk::power_off(PowerOffKeep keep, bool torn, PowerOffChoices& choices) {
    undo_.clear();
    cut_files_.clear();
    return tree_.power_off(keep, torn, choices);
}

DiskVerdict Disk::meet(DiskUse use, std::string_view path, Time now) {
    const bool counts = use == DiskUse::kGrow && faults_.has_limit();
    return faults_.meet(use, path, now, counts ? bytes_stored() : 0);
}

DiskVerdict Disk::meet_faults(DiskUse use, std::string_view path, Time now) {
    return meet(use, path, now);
}

DiskVerdict Disk::meet_faults(DiskUse use, FileId file, Time now) {
    // Looking for the path takes long: only when a fault asks for it.
    return meet(use, faults_.names_a_path() ? path_of(file) : std::string(), now);
}

void Disk::flip_bit(FileId file, std::uint64_t position, std::uint32_t bit) {
    tree_.file_for_write(file)->flip_bit(position, bit);
}

DiskResult<Done> Disk::lose_entry(std::string_view path) { return tree_.lose_entry(path); }

std::uint64_t Disk::wipe() {
    faults_ = {};
    const std::uint64_t bytes = bytes_total();
    undo_.clear();
    cut_files_.clear();
    tree_.wipe();
    return bytes;
}

std::uint64_t Disk::bytes_total() const {
    std::uint64_t bytes = 0;
    tree_.for_each_file([&](const Inode& inode) { bytes += inode.size(); });
    return bytes;
}

std::uint64_t Disk::bytes_stored() const {
    std::uint64_t pages = 0;
    tree_.for_each_file([&](const Inode& inode) { pages += inode.stored_pages(); });
    return pages * kPageBytes;
}

std::uint64_t Disk::bytes_dirty() const {
    std::uint64_t bytes = 0;
    tree_.for_each_file([&](const Inode& inode) { bytes += inode.dirty_bytes(); });
    return bytes;
}

std::vector<std::pair<std::string, FileId>> Disk::files() const { return tree_.files(); }

std::string Disk::path_of(FileId file) const {
    for (auto& [path, id] : tree_.files()) {
        if (id == file) {
            return path;
        }
    }
    return {};
}

}  // namespace klab::sim
