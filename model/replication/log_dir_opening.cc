// SPDX-License-Identifier: Apache-2.0
//
// See log_dir_opening.h.
#include "model/replication/log_dir_opening.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/replication/log_dir_failure.h"
#include "model/storage/log_dir.h"
#include "model/storage/meta_properties.h"
#include "model/types/fresh_uuid.h"
#include "model/types/model_data.h"

namespace klab::replication {

using storage::MetaProperties;

namespace {

/// MetaPropertiesEnsemble: what the files say, by directory.
struct Ensemble {
    std::map<std::string, MetaProperties> known;
    std::vector<std::string> unformatted;
};

class Opening {
  public:
    Opening(sim::Context& ctx, const ReplicationOptions& options, LogDirectories& directories)
        : ctx_(ctx), options_(options), directories_(directories) {}

    Result<OpenedLogDirs, StartError> run() {
        for (const auto step : {&Opening::read,
                                &Opening::format,
                                &Opening::verify,
                                &Opening::give_ids,
                                &Opening::lock}) {
            if (const auto error = (this->*step)()) {
                return Error{*error};
            }
        }
        return OpenedLogDirs{previous_epoch()};
    }

  private:
    using Outcome = std::optional<StartError>;

    [[nodiscard]] bool is_metadata(const std::string& path) const {
        return path == options_.config.metadata_log_dir;
    }

    /// A directory that the disk refuses. An error when there is no going on without it.
    Outcome lose(const std::string& path) {
        mark_offline(ctx_, options_, directories_, path);
        if (is_metadata(path)) {
            return StartError::kMetadataDirectory;
        }
        return directories_.online_count() == 0 ? Outcome(StartError::kNoneOnline) : std::nullopt;
    }

    Outcome read() {
        std::vector<std::string> paths = options_.config.log_dirs;
        std::vector<LogDirectory>& all = directories_.all.write();
        all.clear();
        for (const std::string& path : paths) {
            all.push_back({.path = path});
        }
        if (std::ranges::find(paths, options_.config.metadata_log_dir) == paths.end()) {
            paths.push_back(options_.config.metadata_log_dir);
        }
        for (const std::string& path : paths) {
            auto found = storage::read_meta_properties(ctx_, path);
            if (!found) {
                if (const auto error = lose(path)) {
                    return error;
                }
            } else if (*found) {
                ensemble_.known.emplace(path, **std::move(found));
            } else {
                ensemble_.unformatted.push_back(path);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] MetaProperties new_properties() {
        return {types::cluster(ctx_).cluster_id.text(),
                options_.broker.value(),
                types::fresh_uuid(ctx_, types::FreshIdKind::kDirectory)};
    }

    Outcome format() {
        if (!ensemble_.known.empty() && !ensemble_.unformatted.empty()) {
            return StartError::kUnformatted;
        }
        for (const std::string& path : ensemble_.unformatted) {
            const MetaProperties properties = new_properties();
            if (!storage::prepare_log_dir(ctx_, path) &&
                !storage::write_meta_properties(ctx_, path, properties)) {
                ensemble_.known.emplace(path, properties);
            } else if (const auto error = lose(path)) {
                return error;
            }
        }
        return std::nullopt;
    }

    Outcome verify() {
        std::set<types::Uuid> ids;
        const std::string cluster = types::cluster(ctx_).cluster_id.text();
        for (const auto& [path, properties] : ensemble_.known) {
            const auto& id = properties.directory_id;
            if (properties.cluster_id != cluster || properties.node_id != options_.broker.value() ||
                (id && (storage::is_reserved_directory(*id) || !ids.insert(*id).second))) {
                return StartError::kForeignDirectory;
            }
        }
        return std::nullopt;
    }

    /// Directories formatted before KIP-858 get their ids now.
    Outcome give_ids() {
        for (auto& [path, properties] : ensemble_.known) {
            if (!properties.directory_id) {
                properties.directory_id = types::fresh_uuid(ctx_, types::FreshIdKind::kDirectory);
                const bool failed =
                    storage::write_meta_properties(ctx_, path, properties).has_value();
                if (const auto error = failed ? lose(path) : std::nullopt) {
                    return error;
                }
            }
        }
        for (LogDirectory& one : directories_.all.write()) {
            const auto known = ensemble_.known.find(one.path);
            if (one.online && known != ensemble_.known.end()) {
                one.id = known->second.directory_id;
            }
        }
        return std::nullopt;
    }

    Outcome lock() {
        for (const std::string& path : options_.config.log_dirs) {
            if (directories_.find(path)->online && storage::prepare_log_dir(ctx_, path)) {
                if (const auto error = lose(path)) {
                    return error;
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<types::BrokerEpoch> previous_epoch() {
        std::optional<types::BrokerEpoch> common;
        for (const LogDirectory& one : *directories_.all) {
            const auto epoch =
                one.online ? storage::read_clean_shutdown_epoch(ctx_, one.path) : std::nullopt;
            if (!epoch || (common && *common != *epoch)) {
                return std::nullopt;
            }
            common = epoch;
        }
        return common;
    }

    sim::Context& ctx_;
    const ReplicationOptions& options_;
    LogDirectories& directories_;
    Ensemble ensemble_;
};

}  // namespace

Result<OpenedLogDirs, StartError> open_log_directories(sim::Context& ctx,
                                                       const ReplicationOptions& options,
                                                       LogDirectories& directories) {
    auto opened = Opening(ctx, options, directories).run();
    directories.unhandled = {};  // the registration leaves them out
    return opened;
}

}  // namespace klab::replication
