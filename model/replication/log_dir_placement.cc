// SPDX-License-Identifier: Apache-2.0
//
// See log_dir_placement.h.
#include "model/replication/log_dir_placement.h"

#include <algorithm>

#include "model/storage/checkpoint_store.h"

namespace klab::replication {

std::vector<std::string> by_fewest_logs(std::vector<DirectoryLoad> directories) {
    std::ranges::stable_sort(directories, {}, &DirectoryLoad::logs);
    std::vector<std::string> paths;
    paths.reserve(directories.size());
    for (DirectoryLoad& one : directories) {
        paths.push_back(std::move(one.path));
    }
    return paths;
}

std::vector<std::string> directories_for(const DataPlane& plane, const types::Uuid& assigned) {
    if (const LogDirectory* const found = plane.directories.find_online(assigned)) {
        return {found->path};
    }
    std::vector<DirectoryLoad> loads;
    for (const LogDirectory& one : *plane.directories.all) {
        if (one.online) {
            loads.push_back({one.path, 0});
        }
    }
    const auto count = [&](const storage::Log& log) {
        const auto load = std::ranges::find(
            loads, storage::parent_directory(log.directory()), &DirectoryLoad::path);
        if (load != loads.end()) {
            ++load->logs;
        }
    };
    const auto count_loaded = [&](const types::TopicPartition&, const LoadedLog& loaded) {
        count(loaded.log);
    };
    if (loads.size() > 1) {
        plane.hosted.for_each(
            [&](const PartitionKey&, const Cow<Partition>& partition) { count(partition->log); });
        plane.directories.loaded.for_each(count_loaded);
        plane.directories.future.for_each(count_loaded);
    }
    return by_fewest_logs(std::move(loads));
}

}  // namespace klab::replication
