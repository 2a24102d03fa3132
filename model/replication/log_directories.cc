// SPDX-License-Identifier: Apache-2.0
//
// See log_directories.h.
#include "model/replication/log_directories.h"

#include <algorithm>

#include "model/storage/checkpoint_store.h"
#include "sim/base/assert.h"

namespace klab::replication {

const LogDirectory* LogDirectories::find(std::string_view path) const {
    const auto at = std::ranges::find(*all, path, &LogDirectory::path);
    return at == all->end() ? nullptr : &*at;
}

const LogDirectory& LogDirectories::of(const storage::Log& log) const {
    const LogDirectory* const found = find(storage::parent_directory(log.directory()));
    KLAB_ASSERT(found != nullptr, "{} is in none of log.dirs", log.directory());
    return *found;
}

const LogDirectory* LogDirectories::find_online(const types::Uuid& id) const {
    const auto at = std::ranges::find_if(
        *all, [&](const LogDirectory& one) { return one.online && one.id == id; });
    return at == all->end() ? nullptr : &*at;
}

std::size_t LogDirectories::online_count() const {
    return static_cast<std::size_t>(std::ranges::count(*all, true, &LogDirectory::online));
}

std::vector<types::Uuid> LogDirectories::online_ids() const {
    std::vector<types::Uuid> ids;
    for (const LogDirectory& one : *all) {
        if (one.online && one.id) {
            ids.push_back(*one.id);
        }
    }
    std::ranges::sort(ids);
    return ids;
}

}  // namespace klab::replication
