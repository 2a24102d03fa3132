// SPDX-License-Identifier: Apache-2.0
//
// See reassignment.h.
#include "model/controller/reassignment.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/controller/decided_topic_settings.h"
#include "model/controller/manual_assignment.h"
#include "model/controller/new_partition.h"
#include "model/controller/partition_change_builder.h"

namespace klab::controller {

namespace {

using metadata::BrokerIds;
using metadata::PartitionRegistration;
using protocol::NamedResult;
using types::ErrorCode;

/// Ascending.
BrokerIds difference(const BrokerIds& from, const BrokerIds& removed) {
    std::set<types::BrokerId> left(from.begin(), from.end());
    for (const types::BrokerId broker : removed) {
        left.erase(broker);
    }
    return {left.begin(), left.end()};
}

/// In the order of `from`.
BrokerIds without(const BrokerIds& from, const BrokerIds& removed) {
    BrokerIds left;
    std::ranges::copy_if(from, std::back_inserter(left), [&](types::BrokerId broker) {
        return !metadata::contains(removed, broker);
    });
    return left;
}

/// Has the target another number of replicas than the partition has, or will have once the move
/// under way is over? KIP-860.
bool changes_replication_factor(const PartitionRegistration& partition, const BrokerIds& target) {
    return without(partition.replicas, partition.removing_replicas).size() != target.size();
}

struct Place {
    const metadata::TopicImage& topic;
    std::int32_t index;
    const PartitionRegistration& partition;
};

/// Builds the change and adds it to the decision.
void change(const ControllerView& view,
            const Place& at,
            ElectionRule election,
            const PartitionTarget& target,
            Decision<protocol::AlterPartitionReassignmentsResponse>& decision) {
    const PartitionChangeInput input{
        {at.topic.id, at.index},
        at.partition,
        view.rules,
        [&view, &at](types::BrokerId broker) { return view.state.may_lead(at.partition, broker); },
        election,
        effective_min_isr(view, at.topic)};
    PartitionChange made = build_partition_change(input, target);
    if (made.record) {
        decision.records.emplace_back(*std::move(made.record));
    }
    if (made.election) {
        decision.elections.push_back(*std::move(made.election));
    }
}

NamedResult cancel(const ControllerView& view,
                   const Place& at,
                   const std::string& name,
                   Decision<protocol::AlterPartitionReassignmentsResponse>& decision) {
    if (at.partition.adding_replicas.empty() && at.partition.removing_replicas.empty()) {
        return {name, ErrorCode::kNoReassignmentInProgress, "no reassignment is under way"};
    }
    const std::optional<RevertedReassignment> reverted = revert_reassignment(at.partition);
    if (!reverted) {
        return {name, ErrorCode::kInvalidReplicaAssignment, "no replica would be left"};
    }
    const bool unclean_enabled = unclean_election_enabled(view, at.topic);
    if (reverted->unclean && !unclean_enabled) {
        return {name,
                ErrorCode::kInvalidReplicaAssignment,
                "none of the old replicas is in sync: that would be an unclean election"};
    }
    PartitionTarget target;
    target.isr = reverted->isr;
    target.replicas = reverted->replicas;
    target.removing = BrokerIds{};
    target.adding = BrokerIds{};
    change(view,
           at,
           unclean_enabled ? ElectionRule::kUnclean : ElectionRule::kOnline,
           target,
           decision);
    return {name, ErrorCode::kNone, ""};
}

NamedResult start(const ControllerView& view,
                  const Place& at,
                  const std::string& name,
                  const protocol::ReassignedPartition& asked,
                  bool may_change_replication_factor,
                  Decision<protocol::AlterPartitionReassignmentsResponse>& decision) {
    if (auto problem = check_assignment(view, *asked.replicas, std::nullopt)) {
        return {name, ErrorCode::kInvalidReplicaAssignment, *std::move(problem)};
    }
    if (!may_change_replication_factor &&
        changes_replication_factor(at.partition, *asked.replicas)) {
        return {name,
                ErrorCode::kInvalidReplicationFactor,
                fmt::format("{} replicas would be another number", asked.replicas->size())};
    }
    const Reassignment plan = plan_reassignment(at.partition.replicas, *asked.replicas);
    PartitionTarget target;
    target.replicas = plan.replicas;
    // An empty list leaves the one of the reassignment under way in place, as in Kafka.
    if (!plan.removing.empty()) {
        target.removing = plan.removing;
    }
    if (!plan.adding.empty()) {
        target.adding = plan.adding;
    }
    if (view.state.image.knows_directories()) {
        for (const types::BrokerId broker : plan.adding) {
            target.directories.push_back({broker, default_directory(view, broker)});
        }
    }
    change(view, at, ElectionRule::kOnline, target, decision);
    return {name, ErrorCode::kNone, ""};
}

NamedResult alter_one(const ControllerView& view,
                      const protocol::ReassignedPartition& asked,
                      bool may_change_replication_factor,
                      Decision<protocol::AlterPartitionReassignmentsResponse>& decision) {
    const std::string name = asked.partition.text();
    const metadata::TopicImage* topic = view.state.image.topic(asked.partition.topic);
    const PartitionRegistration* partition =
        topic == nullptr ? nullptr : topic->partition(asked.partition.partition);
    if (partition == nullptr) {
        return {name, ErrorCode::kUnknownTopicOrPartition, "there is no such partition"};
    }
    const Place at{*topic, asked.partition.partition, *partition};
    return asked.replicas ? start(view, at, name, asked, may_change_replication_factor, decision)
                          : cancel(view, at, name, decision);
}

}  // namespace

Reassignment plan_reassignment(const BrokerIds& present, const BrokerIds& target) {
    Reassignment plan;
    plan.removing = difference(present, target);
    plan.adding = difference(target, present);
    plan.replicas = target;
    plan.replicas.insert(plan.replicas.end(), plan.removing.begin(), plan.removing.end());
    return plan;
}

std::optional<RevertedReassignment> revert_reassignment(const PartitionRegistration& partition) {
    RevertedReassignment reverted;
    reverted.replicas = without(partition.replicas, partition.adding_replicas);
    reverted.isr = without(partition.isr, partition.adding_replicas);
    if (reverted.replicas.empty()) {
        return std::nullopt;
    }
    if (reverted.isr.empty()) {
        reverted.isr.push_back(reverted.replicas.front());
        reverted.unclean = true;
    }
    return reverted;
}

Decision<protocol::AlterPartitionReassignmentsResponse> decide_alter_reassignments(
    const ControllerView& view, const protocol::AlterPartitionReassignmentsRequest& request) {
    Decision<protocol::AlterPartitionReassignmentsResponse> decision;
    for (const protocol::ReassignedPartition& asked : request.partitions) {
        NamedResult result =
            alter_one(view, asked, request.allow_replication_factor_change, decision);
        decision.result.partitions.push_back(std::move(result));
    }
    return decision;
}

protocol::ListPartitionReassignmentsResponse list_reassignments(
    const metadata::MetadataImage& image,
    const protocol::ListPartitionReassignmentsRequest& request) {
    protocol::ListPartitionReassignmentsResponse response;
    const auto look_at = [&](const types::TopicPartition& name) {
        const PartitionRegistration* partition = image.partition(name);
        if (partition != nullptr &&
            !(partition->adding_replicas.empty() && partition->removing_replicas.empty())) {
            response.partitions.push_back({name,
                                           partition->replicas,
                                           partition->adding_replicas,
                                           partition->removing_replicas});
        }
    };
    if (request.partitions) {
        std::ranges::for_each(*request.partitions, look_at);
        return response;
    }
    image.topic_ids.for_each([&](const std::string& name, const types::Uuid& id) {
        image.topic(id)->partitions.for_each(
            [&](std::int32_t index, const metadata::PartitionRef&) {
                look_at({name, index});
            });
    });
    return response;
}

}  // namespace klab::controller
