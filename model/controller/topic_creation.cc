// SPDX-License-Identifier: Apache-2.0
//
// See topic_creation.h.
#include "model/controller/topic_creation.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/controller/config_changes.h"
#include "model/controller/manual_assignment.h"
#include "model/controller/new_partition.h"
#include "model/controller/topic_names.h"

namespace klab::controller {

namespace {

using metadata::BrokerIds;
using protocol::NamedResult;
using protocol::NewTopic;
using types::ErrorCode;

constexpr std::string_view kMetadataTopicName = "__cluster_metadata";

NamedResult failed(const NewTopic& topic, ErrorCode error, std::string message) {
    return {topic.name, error, std::move(message)};
}

std::int64_t partitions_asked(const ControllerView& view, const NewTopic& topic) {
    if (!topic.assignment.empty()) {
        return static_cast<std::int64_t>(topic.assignment.size());
    }
    return std::max<std::int64_t>(0, topic.partitions.value_or(view.config.num_partitions));
}

/// Problems of the name alone and of its place among the others.
std::optional<NamedResult> check_name(const ControllerView& view, const NewTopic& topic) {
    if (topic.name == kMetadataTopicName) {
        return failed(topic, ErrorCode::kInvalidRequest, "the name is the metadata log's");
    }
    if (auto problem = check_topic_name(topic.name)) {
        return failed(topic, ErrorCode::kInvalidTopicException, *std::move(problem));
    }
    // Before the collision check: a name with '.' or '_' collides with itself.
    if (view.state.image.topic_ids.contains(topic.name)) {
        return failed(topic, ErrorCode::kTopicAlreadyExists, "the topic exists");
    }
    if (has_collision_chars(topic.name)) {
        const auto* others = view.state.colliding_names.find(unify_collision_chars(topic.name));
        if (others != nullptr) {
            return failed(topic,
                          ErrorCode::kInvalidTopicException,
                          fmt::format("the name collides with '{}'", *others->begin()));
        }
    }
    return std::nullopt;
}

using Assignment = std::vector<BrokerIds>;

Result<Assignment, NamedResult> assign_by_hand(const ControllerView& view, const NewTopic& topic) {
    if (topic.partitions || topic.replication_factor) {
        return Error{failed(topic,
                            ErrorCode::kInvalidRequest,
                            "an assignment leaves no room for counts of partitions or replicas")};
    }
    for (const BrokerIds& replicas : topic.assignment) {
        if (auto problem = check_assignment(view, replicas, topic.assignment.front().size())) {
            return Error{failed(topic, ErrorCode::kInvalidReplicaAssignment, *std::move(problem))};
        }
        if (active_of(view, replicas).empty()) {
            return Error{failed(topic,
                                ErrorCode::kInvalidReplicaAssignment,
                                "all replicas of a partition are fenced or shutting down")};
        }
    }
    return topic.assignment;
}

Result<Assignment, NamedResult> assign_by_placement(const ControllerView& view,
                                                    const NewTopic& topic,
                                                    PlacementRandom& random) {
    // -1 asks for the default, as the absence does.
    const std::int32_t replicas_asked = topic.replication_factor.value_or(-1);
    const std::int32_t partitions = topic.partitions.value_or(-1);
    if (replicas_asked < -1 || replicas_asked == 0) {
        return Error{failed(
            topic, ErrorCode::kInvalidReplicationFactor, "the replication factor must be above 0")};
    }
    if (partitions < -1 || partitions == 0) {
        return Error{failed(
            topic, ErrorCode::kInvalidPartitions, "the number of partitions must be above 0")};
    }
    auto placed = place_replicas(
        random,
        usable_brokers(view),
        partitions == -1 ? view.config.num_partitions : partitions,
        replicas_asked == -1 ? view.config.default_replication_factor : replicas_asked);
    if (!placed) {
        return Error{failed(topic, ErrorCode::kInvalidReplicationFactor, placed.error().message)};
    }
    for (const BrokerIds& replicas : *placed) {
        if (active_of(view, replicas).empty()) {
            return Error{failed(topic,
                                ErrorCode::kInvalidReplicationFactor,
                                "all brokers are fenced or in controlled shutdown")};
        }
    }
    return *std::move(placed);
}

NamedResult create_topic(const ControllerView& view,
                         const NewTopic& topic,
                         PlacementRandom& random,
                         const TopicIdSource& new_topic_id,
                         std::vector<metadata::MetadataRecord>& records) {
    if (auto problem = check_name(view, topic)) {
        return *std::move(problem);
    }
    Result<std::vector<metadata::MetadataRecord>, NamedResult> configs =
        topic_config_records(view, topic);
    if (!configs) {
        return configs.error();
    }
    Result<Assignment, NamedResult> assignment = topic.assignment.empty()
                                                     ? assign_by_placement(view, topic, random)
                                                     : assign_by_hand(view, topic);
    if (!assignment) {
        return assignment.error();
    }
    const types::Uuid id = new_topic_id();
    records.emplace_back(metadata::TopicRecord{topic.name, id});
    for (metadata::MetadataRecord& record : *configs) {
        records.push_back(std::move(record));
    }
    std::int32_t index = 0;
    for (const BrokerIds& replicas : *assignment) {
        records.emplace_back(make_partition_record(view, id, index++, replicas));
    }
    return {topic.name, ErrorCode::kNone, ""};
}

}  // namespace

std::vector<UsableBroker> usable_brokers(const ControllerView& view) {
    std::vector<UsableBroker> usable;
    view.state.heartbeats.all().for_each([&](types::BrokerId id,
                                             const BrokerHeartbeatState& state) {
        if (!state.is_shutting_down()) {
            const metadata::BrokerRegistration* registration = view.state.image.broker(id);
            usable.push_back(
                {id, registration == nullptr ? std::nullopt : registration->rack, state.fenced});
        }
    });
    return usable;
}

Decision<protocol::CreateTopicsResponse> decide_create_topics(
    const ControllerView& view,
    const protocol::CreateTopicsRequest& request,
    PlacementRandom& random,
    const TopicIdSource& new_topic_id) {
    Decision<protocol::CreateTopicsResponse> decision;
    std::int64_t total = 0;
    std::map<std::string, std::int64_t> mentions;
    for (const NewTopic& topic : request.topics) {
        total += partitions_asked(view, topic);
        ++mentions[topic.name];
    }
    for (const NewTopic& topic : request.topics) {
        NamedResult result;
        if (total > kPartitionsPerRequestMax) {
            result =
                failed(topic, ErrorCode::kPolicyViolation, "too many partitions in one request");
        } else if (mentions[topic.name] > 1) {
            result = failed(topic, ErrorCode::kInvalidRequest, "the request names it twice");
        } else {
            result = create_topic(view, topic, random, new_topic_id, decision.records);
        }
        decision.result.topics.push_back(std::move(result));
    }
    return decision;
}

}  // namespace klab::controller
