// SPDX-License-Identifier: Apache-2.0
//
// Paths to files and directories, and the calls that change names.
#include "sim/disk/file_tree.h"

#include <algorithm>
#include <variant>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"

namespace klab::sim {

namespace {

constexpr DirectoryId kRoot{0};

/// Takes the first name off "/a/b/c": returns "a", leaves "/b/c". Empty when nothing is left.
std::string_view take_name(std::string_view& path) {
    if (path.empty() || path == "/") {
        path = {};
        return {};
    }
    KLAB_ASSERT(path.front() == '/', "path '{}' is not absolute", path);
    path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find('/'));
    KLAB_ASSERT(!name.empty(), "empty name in a path");
    path.remove_prefix(name.size());
    return name;
}

}  // namespace

FileTree::FileTree() {
    Directory root;
    root.naming.durable = true;
    directories_.write().put(kRoot.value(), Cow<Directory>(std::move(root)));
}

// --- questions

const Directory& FileTree::directory(DirectoryId id) const {
    const Cow<Directory>* found = directories_->find(id.value());
    KLAB_ASSERT(found != nullptr, "no directory {}", id);
    return **found;
}

Directory& FileTree::directory_for_write(DirectoryId id) {
    Cow<Directory>* found = directories_.write().find_for_write(id.value());
    KLAB_ASSERT(found != nullptr, "no directory {}", id);
    return found->write();
}

std::optional<Target> FileTree::find(std::string_view path) const {
    Target at = kRoot;
    for (std::string_view name = take_name(path); !name.empty(); name = take_name(path)) {
        const DirectoryId* parent = std::get_if<DirectoryId>(&at);
        const Target* next =
            parent == nullptr ? nullptr : directory(*parent).find(std::string(name));
        if (next == nullptr) {
            return std::nullopt;
        }
        at = *next;
    }
    return at;
}

std::optional<DirectoryId> FileTree::find_directory(std::string_view path) const {
    const std::optional<Target> target = find(path);
    if (!target.has_value() || !std::holds_alternative<DirectoryId>(*target)) {
        return std::nullopt;
    }
    return std::get<DirectoryId>(*target);
}

std::optional<FileTree::Place> FileTree::find_place(std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    KLAB_ASSERT(slash != std::string_view::npos, "path '{}' is not absolute", path);
    const std::optional<DirectoryId> parent = find_directory(path.substr(0, slash));
    if (!parent.has_value()) {
        return std::nullopt;
    }
    return Place{*parent, std::string(path.substr(slash + 1))};
}

const Inode* FileTree::file(FileId file) const {
    const Cow<Inode>* inode = files_->find(file.value());
    return inode != nullptr && (*inode)->naming.current ? &**inode : nullptr;
}

DiskResult<std::vector<std::string>> FileTree::list(std::string_view path) const {
    const std::optional<DirectoryId> id = find_directory(path);
    if (!id.has_value()) {
        return Error{DiskError::not_a_directory};
    }
    return directory(*id).names();
}

bool FileTree::has_unsynced_names(std::string_view path) const {
    const std::optional<DirectoryId> id = find_directory(path);
    return id.has_value() && directory(*id).has_changes();
}

void FileTree::add_files(DirectoryId id,
                         const std::string& path,
                         std::vector<std::pair<std::string, FileId>>& files) const {
    for (const std::string& name : directory(id).names()) {
        const std::string child = path + "/" + name;
        const Target target = *directory(id).find(name);
        if (const FileId* file = std::get_if<FileId>(&target)) {
            files.emplace_back(child, *file);
        } else {
            add_files(std::get<DirectoryId>(target), child, files);
        }
    }
}

std::vector<std::pair<std::string, FileId>> FileTree::files() const {
    std::vector<std::pair<std::string, FileId>> files;
    add_files(kRoot, "", files);
    std::sort(files.begin(), files.end());
    return files;
}

// --- changes of one file

Inode* FileTree::file_for_write(FileId file) {
    Cow<Inode>* inode = files_.write().find_for_write(file.value());
    return inode != nullptr && (*inode)->naming.current ? &inode->write() : nullptr;
}

std::vector<FileId> FileTree::cut_files() const {
    std::vector<FileId> cut;
    files_->for_each_from(0, [&](std::uint64_t number, const Cow<Inode>& inode) {
        if (inode->has_cut()) {
            cut.push_back(FileId(number));
        }
    });
    return cut;
}

void FileTree::commit_cuts(const std::vector<FileId>& files) {
    for (const FileId file : files) {
        if (Cow<Inode>* inode = files_.write().find_for_write(file.value())) {
            inode->write().commit_cut();
        }
    }
}

Cow<Inode> FileTree::share(FileId file) const {
    const Cow<Inode>* inode = files_->find(file.value());
    KLAB_ASSERT(inode != nullptr, "no file {}", file);
    return *inode;
}

void FileTree::set_file(FileId file, Cow<Inode> inode) {
    files_.write().put(file.value(), std::move(inode));
}

// --- names that go away

Naming& FileTree::naming_for_write(Target target) {
    if (const DirectoryId* id = std::get_if<DirectoryId>(&target)) {
        return directory_for_write(*id).naming;
    }
    const FileId file = std::get<FileId>(target);
    Cow<Inode>* inode = files_.write().find_for_write(file.value());
    KLAB_ASSERT(inode != nullptr, "no file {}", file);
    return inode->write().naming;
}

void FileTree::clear_current_name(Target target) {
    naming_for_write(target).current = false;
    if (const DirectoryId* id = std::get_if<DirectoryId>(&target)) {
        for (const Target& child : directory(*id).current_targets()) {
            clear_current_name(child);
        }
    }
}

void FileTree::lose_name(Target target) {
    clear_current_name(target);
    if (!naming_for_write(target).durable) {
        free(target);
    }
}

void FileTree::free(Target target) {
    if (const FileId* file = std::get_if<FileId>(&target)) {
        files_.write().erase(file->value());
        return;
    }
    const DirectoryId id = std::get<DirectoryId>(target);
    if (directories_->find(id.value()) == nullptr) {
        return;
    }
    std::vector<Target> below = directory(id).current_targets();
    const std::vector<Target> replaced = directory(id).replaced_targets();
    below.insert(below.end(), replaced.begin(), replaced.end());
    directories_.write().erase(id.value());
    for (const Target& child : below) {
        free(child);
    }
}

void FileTree::apply(const Directory::Committed& committed) {
    for (const Target& target : committed.before) {
        naming_for_write(target).durable = false;
    }
    for (const Target& target : committed.after) {
        naming_for_write(target).durable = true;
    }
    for (const Target& target : committed.before) {
        const Naming naming = naming_for_write(target);
        if (!naming.current && !naming.durable) {
            free(target);
        }
    }
}

// --- calls

DirectoryId FileTree::make_directory(DirectoryId parent, const std::string& name) {
    const DirectoryId id(next_directory_++);
    directories_.write().put(id.value(), Cow<Directory>());
    directory_for_write(parent).put(name, id);
    return id;
}

DiskResult<FileId> FileTree::create(std::string_view path) {
    const std::optional<Place> place = find_place(path);
    if (!place.has_value()) {
        return Error{DiskError::not_a_directory};
    }
    if (place->name.empty()) {
        return Error{DiskError::not_a_file};
    }
    if (const Target* found = directory(place->directory).find(place->name)) {
        if (const FileId* file = std::get_if<FileId>(found)) {
            return *file;
        }
        return Error{DiskError::not_a_file};
    }
    const FileId file(next_file_++);
    files_.write().put(file.value(), Cow<Inode>());
    directory_for_write(place->directory).put(place->name, file);
    return file;
}

DiskResult<Done> FileTree::make_directories(std::string_view path) {
    DirectoryId at = kRoot;
    for (std::string_view part = take_name(path); !part.empty(); part = take_name(path)) {
        const std::string name(part);
        const Target* next = directory(at).find(name);
        if (next == nullptr) {
            at = make_directory(at, name);
        } else if (const DirectoryId* id = std::get_if<DirectoryId>(next)) {
            at = *id;
        } else {
            return Error{DiskError::not_a_directory};
        }
    }
    return Done{};
}

bool FileTree::is_inside(DirectoryId inner, DirectoryId outer) const {
    if (inner == outer) {
        return true;
    }
    for (const Target& child : directory(outer).current_targets()) {
        const DirectoryId* id = std::get_if<DirectoryId>(&child);
        if (id != nullptr && is_inside(inner, *id)) {
            return true;
        }
    }
    return false;
}

DiskResult<Done> FileTree::rename(std::string_view from, std::string_view to) {
    const std::optional<Place> source = find_place(from);
    const Target* found =
        source.has_value() ? directory(source->directory).find(source->name) : nullptr;
    if (found == nullptr) {
        return Error{DiskError::not_found};
    }
    const Target moved = *found;
    const std::optional<Place> place = find_place(to);
    if (!place.has_value()) {
        return Error{DiskError::not_a_directory};
    }
    const DirectoryId* moved_directory = std::get_if<DirectoryId>(&moved);
    if (place->name.empty() ||
        (moved_directory != nullptr && is_inside(place->directory, *moved_directory))) {
        return Error{DiskError::already_exists};
    }
    if (const Target* old = directory(place->directory).find(place->name)) {
        if (*old == moved) {
            return Done{};
        }
        if (moved_directory != nullptr || std::holds_alternative<DirectoryId>(*old)) {
            return Error{DiskError::already_exists};
        }
    }
    const Target* old = directory(place->directory).find(place->name);
    const std::optional<Target> lost = old == nullptr ? std::nullopt : std::optional<Target>(*old);
    if (source->directory == place->directory) {
        directory_for_write(place->directory).rename(source->name, place->name);
    } else {
        directory_for_write(source->directory).erase(source->name);
        directory_for_write(place->directory).put(place->name, moved);
    }
    if (lost.has_value()) {
        lose_name(*lost);
    }
    if (source->directory != place->directory) {
        commit_way_to(to);
        apply(directory_for_write(place->directory).commit());
        apply(directory_for_write(source->directory).commit());
        naming_for_write(moved).durable = true;
    }
    return Done{};
}

DiskResult<Done> FileTree::remove(std::string_view path) {
    const std::optional<Place> place = find_place(path);
    const Target* found =
        place.has_value() ? directory(place->directory).find(place->name) : nullptr;
    if (found == nullptr) {
        return Error{DiskError::not_found};
    }
    const Target target = *found;
    directory_for_write(place->directory).erase(place->name);
    lose_name(target);
    return Done{};
}

DiskResult<Done> FileTree::lose_entry(std::string_view path) {
    const std::optional<Place> place = find_place(path);
    DiskResult<Done> removed = remove(path);
    if (removed && directory(place->directory).has_change(place->name)) {
        apply(directory_for_write(place->directory).commit(place->name));
    }
    return removed;
}

void FileTree::commit_way_to(std::string_view path) {
    DirectoryId at = kRoot;
    for (std::string_view part = take_name(path); !part.empty(); part = take_name(path)) {
        const std::string name(part);
        if (directory(at).has_change(name)) {
            apply(directory_for_write(at).commit(name));
        }
        const Target* next = directory(at).find(name);
        const DirectoryId* id = next == nullptr ? nullptr : std::get_if<DirectoryId>(next);
        if (id == nullptr) {
            return;
        }
        at = *id;
    }
}

DiskResult<Done> FileTree::sync_directory(std::string_view path) {
    const std::optional<DirectoryId> id = find_directory(path);
    if (!id.has_value()) {
        return Error{DiskError::not_a_directory};
    }
    commit_way_to(path);
    if (directory(*id).has_changes()) {
        apply(directory_for_write(*id).commit());
    }
    return Done{};
}

}  // namespace klab::sim
