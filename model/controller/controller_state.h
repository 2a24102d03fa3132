// SPDX-License-Identifier: Apache-2.0
//
// ControllerState: what the rules of the controller decide on. It changes in one way only, by
// replaying records, and runs ahead of the commit point on the active controller. The parts that
// only an active controller has (heartbeats, contact times) sit beside the replayed ones.
//
// Owns: the image, and everything derived from it.
// Called by: controller_node.cc (replay), every decide_ function (reading).
// Kafka: the TimelineHashMaps of ReplicationControlManager, ClusterControlManager,
// ConfigurationControlManager, ProducerIdControlManager.
#pragma once

#include <set>
#include <string>

#include "model/controller/broker_heartbeats.h"
#include "model/controller/contact_times.h"
#include "model/controller/partition_index.h"
#include "model/metadata/image_replay.h"
#include "model/types/controller_config.h"
#include "model/types/rules.h"

namespace klab::controller {

struct ControllerState {
    metadata::MetadataImage image;
    PartitionIndex partitions;
    /// Offset of each broker's RegisterBroker record: a broker is caught up once it has replayed
    /// it.
    CowMap<types::BrokerId, types::Offset> register_record_offsets;
    /// Topics whose names contain '.' or '_', under the name with every '.' turned into '_'.
    CowMap<std::string, std::set<std::string>> colliding_names;

    /// Offset that the next record will get.
    types::Offset next_write_offset;

    // Active controller only, volatile.
    BrokerHeartbeats heartbeats;
    ContactTimes contacts;

    /// Applies one record and keeps the derived parts up to date. Returns what it changed.
    /// Errors: as metadata::apply; then nothing has changed.
    [[nodiscard]] Result<metadata::MetadataDelta, metadata::ReplayError> replay(
        types::Offset offset, const metadata::MetadataRecord& record);

    /// Becomes the state of an image that was loaded as a whole.
    void adopt(const metadata::MetadataImage& loaded,
               const CowMap<types::BrokerId, types::Offset>& registered_at);

    /// Begins to track heartbeats: every unfenced broker counts as heard of now.
    void activate(Time now);

    /// Registered, not fenced, not shutting down.
    [[nodiscard]] bool is_active(types::BrokerId broker) const;

    /// Is the log directory online in which this broker has its replica of the partition?
    [[nodiscard]] bool has_replica_online(const metadata::PartitionRegistration& partition,
                                          types::BrokerId broker) const;

    /// Both: the broker may lead the partition.
    [[nodiscard]] bool may_lead(const metadata::PartitionRegistration& partition,
                                types::BrokerId broker) const {
        return is_active(broker) && has_replica_online(partition, broker);
    }

    friend bool operator==(const ControllerState&, const ControllerState&) = default;

  private:
    void follow(const metadata::MetadataDelta& delta);
};

/// What a decide_ function may look at. Pure: same view and request, same decision.
struct ControllerView {
    const ControllerState& state;
    const types::Rules& rules;
    const types::ControllerConfig& config;
    Time now;  ///< monotonic

    /// Level of metadata.version. Requires: the cluster is bootstrapped.
    [[nodiscard]] std::int16_t metadata_level() const;
};

}  // namespace klab::controller
