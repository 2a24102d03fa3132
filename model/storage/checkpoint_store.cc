// SPDX-License-Identifier: Apache-2.0
//
// See checkpoint_store.h.
#include "model/storage/checkpoint_store.h"

#include <limits>

#include "model/storage/file_names.h"

namespace klab::storage {

std::string join_path(std::string_view directory, std::string_view name) {
    std::string path;
    path.reserve(directory.size() + 1 + name.size());
    path += directory;
    if (!path.ends_with('/')) {
        path += '/';
    }
    path += name;
    return path;
}

std::string_view parent_directory(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return {};
    }
    return path.substr(0, slash == 0 ? 1 : slash);
}

std::optional<AppendError> replace_file(DiskPort disk,
                                        std::string_view directory,
                                        std::string_view name,
                                        ByteView content) {
    const std::string path = join_path(directory, name);
    const std::string temporary = path + std::string(kTemporarySuffix);
    const auto file = disk.create(temporary);
    if (!file) {
        return AppendError::kStorage;
    }
    // A crash may have left an older temporary file behind.
    if (!disk.truncate(*file, 0) || !disk.append(*file, content) || !disk.sync(*file)) {
        return AppendError::kStorage;
    }
    if (!disk.rename(temporary, path) || !disk.sync_directory(directory)) {
        return AppendError::kStorage;
    }
    return std::nullopt;
}

Result<std::optional<Bytes>, AppendError> read_file(DiskPort disk, std::string_view path) {
    const auto file = disk.open(path);
    if (!file) {
        if (file.error() == sim::DiskError::not_found) {
            return std::optional<Bytes>();
        }
        return Error{AppendError::kStorage};
    }
    auto content = disk.read(*file, 0, std::numeric_limits<std::uint64_t>::max());
    if (!content) {
        return Error{AppendError::kStorage};
    }
    return std::optional<Bytes>(std::move(content).value());
}

}  // namespace klab::storage
