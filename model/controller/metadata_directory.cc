// SPDX-License-Identifier: Apache-2.0
//
// See metadata_directory.h.
#include "model/controller/metadata_directory.h"

#include "model/raft/durable_file.h"
#include "model/storage/meta_properties.h"
#include "model/types/fresh_uuid.h"

namespace klab::controller {

bool prepare_metadata_directory(sim::Context& ctx,
                                const std::string& directory,
                                types::BrokerId node,
                                const types::Uuid& cluster_id) {
    const auto found = storage::read_meta_properties(ctx, directory);
    if (!found) {
        return false;
    }
    if (*found) {
        return (*found)->node_id == node.value() && (*found)->cluster_id == cluster_id.text();
    }
    if (!raft::make_durable_directories(ctx.disk(), directory)) {
        return false;
    }
    const storage::MetaProperties properties{
        cluster_id.text(), node.value(), types::fresh_uuid(ctx, types::FreshIdKind::kDirectory)};
    return !storage::write_meta_properties(ctx, directory, properties);
}

}  // namespace klab::controller
