// SPDX-License-Identifier: Apache-2.0
//
// See alter_partition_decision.h.
#include "model/controller/alter_partition_decision.h"

#include <algorithm>

#include "model/controller/decided_topic_settings.h"
#include "model/controller/heartbeat_decision.h"
#include "model/controller/partition_change_builder.h"

namespace klab::controller {

namespace {

using metadata::BrokerIds;
using metadata::LeaderRecoveryState;
using metadata::PartitionRegistration;
using types::ErrorCode;

BrokerIds ids_of(const std::vector<protocol::IsrMember>& members) {
    BrokerIds ids;
    for (const protocol::IsrMember& member : members) {
        ids.push_back(member.broker);
    }
    return ids;
}

/// Not empty, no duplicates, all of them replicas.
bool is_valid_isr(const BrokerIds& replicas, const BrokerIds& isr) {
    BrokerIds sorted = isr;
    std::ranges::sort(sorted);
    return !sorted.empty() && std::ranges::adjacent_find(sorted) == sorted.end() &&
           std::ranges::all_of(
               sorted, [&](types::BrokerId id) { return metadata::contains(replicas, id); });
}

bool is_eligible_for_isr(const ControllerView& view, const protocol::IsrMember& member) {
    const metadata::BrokerRegistration* broker = view.state.image.broker(member.broker);
    if (broker == nullptr || !broker->is_active()) {
        return false;
    }
    // Mutant broker-epoch-unchecked: a restarted process passes for its predecessor.
    if (view.rules.mutated(types::Mutant::kBrokerEpochUnchecked)) {
        return true;
    }
    // KIP-903: the replica that the leader saw in sync must still be that process. Before it
    // requests carried no epoch.
    if (!view.rules.isr_join_checks_broker_epoch) {
        return true;
    }
    return !member.epoch || *member.epoch == broker->epoch;
}

ErrorCode check_versions(const ControllerView& view,
                         types::BrokerId sender,
                         const PartitionRegistration& partition,
                         const protocol::AlterPartitionItem& item) {
    // A sender that knows more than this controller: it talks to a deposed one.
    if (item.leader_epoch > partition.leader_epoch ||
        item.partition_epoch > partition.partition_epoch) {
        return ErrorCode::kNotController;
    }
    if (item.leader_epoch < partition.leader_epoch) {
        return ErrorCode::kFencedLeaderEpoch;
    }
    if (partition.leader != sender) {
        return ErrorCode::kInvalidRequest;
    }
    // Mutant partition-epoch-unchecked: a proposal built on an older ISR is taken.
    const bool checked = !view.rules.mutated(types::Mutant::kPartitionEpochUnchecked);
    if (checked && item.partition_epoch < partition.partition_epoch) {
        return ErrorCode::kInvalidUpdateVersion;
    }
    return ErrorCode::kNone;
}

ErrorCode check_isr(const ControllerView& view,
                    const PartitionRegistration& partition,
                    const protocol::AlterPartitionItem& item) {
    const BrokerIds isr = ids_of(item.new_isr);
    if (!is_valid_isr(partition.replicas, isr) || !metadata::contains(isr, *partition.leader)) {
        return ErrorCode::kInvalidRequest;
    }
    // KIP-704: while the leader recovers from an unclean election nobody else is in sync, and no
    // leader goes back to recovering.
    if (item.recovery == LeaderRecoveryState::kRecovering &&
        (isr.size() > 1 || partition.recovery == LeaderRecoveryState::kRecovered)) {
        return ErrorCode::kInvalidRequest;
    }
    const bool all_eligible = std::ranges::all_of(
        item.new_isr,
        [&](const protocol::IsrMember& member) { return is_eligible_for_isr(view, member); });
    return all_eligible ? ErrorCode::kNone : ErrorCode::kIneligibleReplica;
}

protocol::AlterPartitionResult state_of(const PartitionRegistration& partition) {
    protocol::AlterPartitionResult result;
    result.leader = partition.leader;
    result.leader_epoch = partition.leader_epoch;
    result.isr = partition.isr;
    result.recovery = partition.recovery;
    result.partition_epoch = partition.partition_epoch;
    return result;
}

/// Makes the change to one checked partition.
protocol::AlterPartitionResult change_isr(const ControllerView& view,
                                          types::BrokerId sender,
                                          const metadata::TopicImage& topic,
                                          const PartitionRegistration& partition,
                                          const protocol::AlterPartitionItem& item,
                                          Decision<protocol::AlterPartitionResponse>& decision) {
    const PartitionChangeInput input{
        {item.topic_id, item.partition},
        partition,
        view.rules,
        [&view, &partition](types::BrokerId broker) {
            return view.state.may_lead(partition, broker);
        },
        unclean_election_enabled(view, topic) ? ElectionRule::kUnclean : ElectionRule::kOnline,
        effective_min_isr(view, topic)};
    PartitionTarget target;
    target.isr = ids_of(item.new_isr);
    target.recovery = item.recovery;
    PartitionChange change = build_partition_change(input, target);
    if (change.election) {
        decision.elections.push_back(*std::move(change.election));
    }
    if (!change.record) {
        return state_of(partition);
    }
    const PartitionRegistration next = metadata::merge(partition, *change.record);
    const bool moved = change.record->leader && change.record->leader->leader != sender;
    decision.records.emplace_back(*std::move(change.record));
    if (moved) {
        // The change completed a reassignment that the sender has no part in any more: an answer
        // with an error, and a record all the same.
        protocol::AlterPartitionResult result;
        result.error = ErrorCode::kNewLeaderElected;
        return result;
    }
    return state_of(next);
}

protocol::AlterPartitionResult decide_item(const ControllerView& view,
                                           types::BrokerId sender,
                                           const protocol::AlterPartitionItem& item,
                                           Decision<protocol::AlterPartitionResponse>& decision) {
    protocol::AlterPartitionResult result;
    const metadata::TopicImage* topic = view.state.image.topic(item.topic_id);
    if (topic == nullptr) {
        result.error = ErrorCode::kUnknownTopicId;
        return result;
    }
    const PartitionRegistration* partition = topic->partition(item.partition);
    if (partition == nullptr) {
        result.error = ErrorCode::kUnknownTopicOrPartition;
        return result;
    }
    result.error = check_versions(view, sender, *partition, item);
    if (result.error == ErrorCode::kNone) {
        result.error = check_isr(view, *partition, item);
    }
    return result.error == ErrorCode::kNone
               ? change_isr(view, sender, *topic, *partition, item, decision)
               : result;
}

}  // namespace

Decision<protocol::AlterPartitionResponse> decide_alter_partition(
    const ControllerView& view, const protocol::AlterPartitionRequest& request) {
    Decision<protocol::AlterPartitionResponse> decision;
    decision.result.error = check_broker_epoch(view, request.broker_id, request.broker_epoch);
    if (decision.result.error != ErrorCode::kNone) {
        return decision;
    }
    for (const protocol::AlterPartitionItem& item : request.partitions) {
        protocol::AlterPartitionResult result =
            decide_item(view, request.broker_id, item, decision);
        result.topic_id = item.topic_id;
        result.partition = item.partition;
        decision.result.partitions.push_back(std::move(result));
    }
    return decision;
}

}  // namespace klab::controller
