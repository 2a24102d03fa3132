// SPDX-License-Identifier: Apache-2.0
//
// See partition_creation.h.
#include "model/controller/partition_creation.h"

#include <map>

#include <fmt/format.h>

#include "model/controller/manual_assignment.h"
#include "model/controller/new_partition.h"
#include "model/controller/topic_creation.h"

namespace klab::controller {

namespace {

using metadata::BrokerIds;
using protocol::AddedPartitions;
using protocol::NamedResult;
using types::ErrorCode;

NamedResult failed(const AddedPartitions& asked, ErrorCode error, std::string message) {
    return {asked.topic, error, std::move(message)};
}

/// The replicas of each new partition. Each list has an active broker.
Result<std::vector<BrokerIds>, NamedResult> assign(const ControllerView& view,
                                                   const AddedPartitions& asked,
                                                   const metadata::TopicImage& topic,
                                                   PlacementRandom& random) {
    const std::size_t replication_factor = topic.partition(0)->replicas.size();
    const auto present = static_cast<std::int32_t>(topic.partitions.size());
    if (!asked.assignment) {
        auto placed = place_replicas(random,
                                     usable_brokers(view),
                                     asked.count - present,
                                     static_cast<std::int32_t>(replication_factor));
        if (!placed) {
            return Error{
                failed(asked, ErrorCode::kInvalidReplicationFactor, placed.error().message)};
        }
        for (const BrokerIds& replicas : *placed) {
            if (active_of(view, replicas).empty()) {
                return Error{failed(asked,
                                    ErrorCode::kInvalidReplicationFactor,
                                    "all brokers are fenced or in controlled shutdown")};
            }
        }
        return *std::move(placed);
    }
    for (const BrokerIds& replicas : *asked.assignment) {
        std::optional<std::string> problem = check_assignment(view, replicas, replication_factor);
        if (!problem && active_of(view, replicas).empty()) {
            problem = "all replicas of a partition are fenced or shutting down";
        }
        if (problem) {
            return Error{failed(asked, ErrorCode::kInvalidReplicaAssignment, *std::move(problem))};
        }
    }
    return *asked.assignment;
}

NamedResult add_partitions(const ControllerView& view,
                           const AddedPartitions& asked,
                           PlacementRandom& random,
                           std::vector<metadata::MetadataRecord>& records) {
    const metadata::TopicImage* topic = view.state.image.topic(asked.topic);
    if (topic == nullptr) {
        return failed(asked, ErrorCode::kUnknownTopicOrPartition, "there is no such topic");
    }
    const auto present = static_cast<std::int32_t>(topic->partitions.size());
    if (asked.count <= present) {
        return failed(
            asked,
            ErrorCode::kInvalidPartitions,
            fmt::format("the topic has {} partitions, {} are no more", present, asked.count));
    }
    const auto added = static_cast<std::size_t>(asked.count - present);
    if (asked.assignment && asked.assignment->size() != added) {
        return failed(
            asked,
            ErrorCode::kInvalidReplicaAssignment,
            fmt::format(
                "{} partitions are new, and {} are assigned", added, asked.assignment->size()));
    }
    Result<std::vector<BrokerIds>, NamedResult> assignment = assign(view, asked, *topic, random);
    if (!assignment) {
        return assignment.error();
    }
    std::int32_t index = present;
    for (const BrokerIds& replicas : *assignment) {
        records.emplace_back(make_partition_record(view, topic->id, index++, replicas));
    }
    return {asked.topic, ErrorCode::kNone, ""};
}

}  // namespace

Decision<protocol::CreatePartitionsResponse> decide_create_partitions(
    const ControllerView& view,
    const protocol::CreatePartitionsRequest& request,
    PlacementRandom& random) {
    Decision<protocol::CreatePartitionsResponse> decision;
    std::map<std::string, std::int64_t> mentions;
    for (const AddedPartitions& asked : request.topics) {
        ++mentions[asked.topic];
    }
    for (const AddedPartitions& asked : request.topics) {
        decision.result.topics.push_back(
            mentions[asked.topic] > 1
                ? failed(asked, ErrorCode::kInvalidRequest, "the request names it twice")
                : add_partitions(view, asked, random, decision.records));
    }
    return decision;
}

}  // namespace klab::controller
