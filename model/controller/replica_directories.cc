// SPDX-License-Identifier: Apache-2.0
//
// See replica_directories.h.
#include "model/controller/replica_directories.h"

#include <utility>
#include <vector>

#include "model/controller/decided_topic_settings.h"
#include "model/controller/heartbeat_decision.h"
#include "model/controller/isr_updates.h"
#include "model/controller/partition_change_builder.h"

namespace klab::controller {

using types::ErrorCode;

namespace {

using Response = protocol::AssignReplicasToDirsResponse;

/// Adds the record for one replica.
ErrorCode assign(const ControllerView& view,
                 types::BrokerId broker,
                 const protocol::DirectoryAssignment& replica,
                 Decision<Response>& decision) {
    const metadata::TopicImage* topic = view.state.image.topic(replica.topic_id);
    if (topic == nullptr) {
        return ErrorCode::kUnknownTopicId;
    }
    const metadata::PartitionRegistration* partition = topic->partition(replica.partition);
    if (partition == nullptr) {
        return ErrorCode::kUnknownTopicOrPartition;
    }
    if (!metadata::contains(partition->replicas, broker)) {
        return ErrorCode::kNotLeaderOrFollower;
    }
    const PartitionChangeInput input{
        {replica.topic_id, replica.partition},
        *partition,
        view.rules,
        [&view, partition](types::BrokerId one) { return view.state.may_lead(*partition, one); },
        ElectionRule::kOnline,
        effective_min_isr(view, *topic)};
    PartitionTarget target;
    target.directories = {ReplicaDirectory{broker, replica.directory}};
    PartitionChange change = build_partition_change(input, target);
    if (change.record) {
        decision.records.emplace_back(*std::move(change.record));
    }
    if (change.election) {
        decision.elections.push_back(*std::move(change.election));
    }
    return ErrorCode::kNone;
}

}  // namespace

Decision<Response> decide_assign_replicas(const ControllerView& view,
                                          const protocol::AssignReplicasToDirsRequest& request) {
    Decision<Response> decision;
    decision.result.error = view.state.image.knows_directories()
                                ? check_broker_epoch(view, request.broker_id, request.broker_epoch)
                                : ErrorCode::kUnsupportedVersion;
    if (decision.result.error != ErrorCode::kNone) {
        return decision;
    }
    const metadata::BrokerRegistration& broker = *view.state.image.broker(request.broker_id);
    std::vector<metadata::TopicIdPartition> lost;
    for (const protocol::DirectoryAssignment& replica : request.replicas) {
        const ErrorCode error = assign(view, request.broker_id, replica, decision);
        if (error == ErrorCode::kNone && !broker.has_online_dir(replica.directory)) {
            lost.push_back({replica.topic_id, replica.partition});
        }
        decision.result.replicas.push_back({replica, error});
    }
    append(decision, update_isrs(view, IsrUpdateCause{.removed = request.broker_id}, lost));
    return decision;
}

}  // namespace klab::controller
