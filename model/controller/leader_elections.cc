// SPDX-License-Identifier: Apache-2.0
//
// See leader_elections.h.
#include "model/controller/leader_elections.h"

#include "model/controller/decided_topic_settings.h"
#include "model/controller/partition_change_builder.h"

namespace klab::controller {

namespace {

using protocol::ElectionType;
using types::ErrorCode;

/// Elects for one partition and adds the record. Errors: see decide_elect_leaders.
template <typename T>
ErrorCode elect_one(const ControllerView& view,
                    const metadata::TopicImage* topic,
                    std::int32_t index,
                    ElectionType type,
                    Decision<T>& decision) {
    const metadata::PartitionRegistration* partition =
        topic == nullptr ? nullptr : topic->partition(index);
    if (partition == nullptr) {
        return ErrorCode::kUnknownTopicOrPartition;
    }
    const bool needless = type == ElectionType::kPreferred ? partition->has_preferred_leader()
                                                           : partition->leader.has_value();
    if (needless) {
        return ErrorCode::kElectionNotNeeded;
    }
    const PartitionChangeInput input{
        {topic->id, index},
        *partition,
        view.rules,
        [&view, partition](types::BrokerId broker) {
            return view.state.may_lead(*partition, broker);
        },
        type == ElectionType::kUnclean ? ElectionRule::kUnclean : ElectionRule::kPreferred,
        effective_min_isr(view, *topic)};
    PartitionChange change = build_partition_change(input, PartitionTarget{});
    if (!change.record) {
        return type == ElectionType::kPreferred ? ErrorCode::kPreferredLeaderNotAvailable
                                                : ErrorCode::kEligibleLeadersNotAvailable;
    }
    decision.records.emplace_back(*std::move(change.record));
    if (change.election) {
        decision.elections.push_back(*std::move(change.election));
    }
    return ErrorCode::kNone;
}

/// Every partition of the cluster, in the order of topic names.
std::vector<types::TopicPartition> all_partitions(const metadata::MetadataImage& image) {
    std::vector<types::TopicPartition> all;
    image.topic_ids.for_each([&](const std::string& name, const types::Uuid& id) {
        const metadata::TopicImage* topic = image.topic(id);
        topic->partitions.for_each([&](std::int32_t index, const metadata::PartitionRef&) {
            all.push_back({name, index});
        });
    });
    return all;
}

Decision<ElectionRun> run_elections(const ControllerView& view,
                                    const std::vector<metadata::TopicIdPartition>& candidates,
                                    ElectionType type) {
    Decision<ElectionRun> decision;
    for (const metadata::TopicIdPartition& id : candidates) {
        if (decision.records.size() >= kElectionsPerRunMax) {
            break;
        }
        const metadata::TopicImage* topic = view.state.image.topic(id.topic_id);
        if (topic == nullptr ||
            (type == ElectionType::kUnclean && !unclean_election_enabled(view, *topic))) {
            continue;
        }
        // An error only means that nothing can be done for this partition now.
        static_cast<void>(elect_one(view, topic, id.partition, type, decision));
    }
    decision.result.more = decision.records.size() >= kElectionsPerRunMax;
    return decision;
}

}  // namespace

Decision<protocol::ElectLeadersResponse> decide_elect_leaders(
    const ControllerView& view, const protocol::ElectLeadersRequest& request) {
    Decision<protocol::ElectLeadersResponse> decision;
    const bool all = !request.partitions.has_value();
    const std::vector<types::TopicPartition> partitions =
        all ? all_partitions(view.state.image) : *request.partitions;
    for (const types::TopicPartition& partition : partitions) {
        const ErrorCode error = elect_one(view,
                                          view.state.image.topic(partition.topic),
                                          partition.partition,
                                          request.type,
                                          decision);
        if (!all || error != ErrorCode::kElectionNotNeeded) {
            decision.result.partitions.push_back({partition.text(), error, ""});
        }
    }
    return decision;
}

Decision<ElectionRun> decide_preferred_elections(const ControllerView& view) {
    return run_elections(view, view.state.partitions.imbalanced(), ElectionType::kPreferred);
}

Decision<ElectionRun> decide_unclean_elections(const ControllerView& view) {
    return run_elections(view, view.state.partitions.leaderless(), ElectionType::kUnclean);
}

}  // namespace klab::controller
