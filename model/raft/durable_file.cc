// SPDX-License-Identifier: Apache-2.0
//
// See durable_file.h.
#include "model/raft/durable_file.h"

#include "model/storage/byte_io.h"

namespace klab::raft {

sim::DiskResult<sim::Done> replace_file(sim::DiskAccess disk,
                                        const std::string& directory,
                                        std::string_view name,
                                        std::string_view text) {
    const std::string path = directory + "/" + std::string(name);
    const std::string temporary = path + ".tmp";
    const sim::DiskResult<sim::FileId> file = disk.create(temporary);
    if (!file) {
        return Error{file.error()};
    }
    if (const auto emptied = disk.truncate(*file, 0); !emptied) {
        return emptied;
    }
    if (const auto written = disk.append(*file, storage::view_of(text)); !written) {
        return written;
    }
    if (const auto synced = disk.sync(*file); !synced) {
        return synced;
    }
    if (const auto renamed = disk.rename(temporary, path); !renamed) {
        return renamed;
    }
    return disk.sync_directory(directory);
}

sim::DiskResult<sim::Done> make_durable_directories(sim::DiskAccess disk, const std::string& path) {
    if (const auto made = disk.make_directories(path); !made) {
        return made;
    }
    if (const auto synced = disk.sync_directory("/"); !synced) {
        return synced;
    }
    // The entry of each directory lies in its parent.
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        if (const auto synced = disk.sync_directory(path.substr(0, at)); !synced) {
            return synced;
        }
    }
    return sim::Done{};
}

sim::DiskResult<std::string> read_file(sim::DiskAccess disk, const std::string& path) {
    const sim::DiskResult<sim::FileId> file = disk.open(path);
    if (!file) {
        return Error{file.error()};
    }
    const sim::DiskResult<std::uint64_t> size = disk.size(*file);
    if (!size) {
        return Error{size.error()};
    }
    const sim::DiskResult<Bytes> bytes = disk.read(*file, 0, *size);
    if (!bytes) {
        return Error{bytes.error()};
    }
    return std::string(storage::text_of(*bytes));
}

}  // namespace klab::raft
