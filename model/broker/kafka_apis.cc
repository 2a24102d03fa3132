// SPDX-License-Identifier: Apache-2.0
//
// KafkaApis: what a request handler does with a request, by api. Part of Broker.
//
// Kafka: KafkaApis.handle, ForwardingManager (KIP-590).
// Simplified: no authorization, no quotas; a forwarded request is not wrapped in an Envelope.
#include <utility>

#include "model/broker/broker.h"
#include "model/broker/metadata_answer.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/init_producer_id.h"
#include "model/protocol/partition_admin.h"
#include "model/protocol/topic_admin.h"

namespace klab::broker {

namespace {

using types::ApiKey;
using types::ErrorCode;

/// Token of this broker's own request for a block of producer ids.
constexpr std::int64_t kProducerIdToken = 0;

protocol::NamedResult timed_out(std::string name) {
    return {std::move(name), ErrorCode::kRequestTimedOut, ""};
}

/// The answer to a forwarded request that no controller took in time: the error for each thing that
/// it names (AbstractRequest.getErrorResponse).
sim::MessageRef timeout_answer(const sim::MessageRef& request) {
    if (request.is<protocol::CreateTopicsRequest>()) {
        protocol::CreateTopicsResponse response;
        for (const protocol::NewTopic& topic : request.as<protocol::CreateTopicsRequest>().topics) {
            response.topics.push_back(timed_out(topic.name));
        }
        return sim::make_message(std::move(response));
    }
    if (request.is<protocol::DeleteTopicsRequest>()) {
        protocol::DeleteTopicsResponse response;
        for (const std::string& topic : request.as<protocol::DeleteTopicsRequest>().topics) {
            response.topics.push_back(timed_out(topic));
        }
        return sim::make_message(std::move(response));
    }
    if (request.is<protocol::AlterConfigsRequest>()) {
        return sim::make_message(protocol::AlterConfigsResponse{
            timed_out(request.as<protocol::AlterConfigsRequest>().target.name)});
    }
    if (request.is<protocol::CreatePartitionsRequest>()) {
        protocol::CreatePartitionsResponse response;
        for (const auto& topic : request.as<protocol::CreatePartitionsRequest>().topics) {
            response.topics.push_back(timed_out(topic.topic));
        }
        return sim::make_message(std::move(response));
    }
    if (request.is<protocol::AlterPartitionReassignmentsRequest>()) {
        return sim::make_message(
            protocol::AlterPartitionReassignmentsResponse{ErrorCode::kRequestTimedOut, {}});
    }
    if (request.is<protocol::ListPartitionReassignmentsRequest>()) {
        return sim::make_message(
            protocol::ListPartitionReassignmentsResponse{ErrorCode::kRequestTimedOut, {}});
    }
    if (request.is<protocol::UnregisterBrokerRequest>()) {
        return sim::make_message(protocol::UnregisterBrokerResponse{timed_out("")});
    }
    return sim::make_message(protocol::ElectLeadersResponse{ErrorCode::kRequestTimedOut, {}});
}

}  // namespace

void Broker::handle_request(const QueuedRequest& request,
                            sim::Context& ctx,
                            replication::Answers& answers) {
    const sim::MessageRef& message = request.message;
    switch (static_cast<ApiKey>(message.api())) {
        case ApiKey::kProduce:
            replicas_.produce(
                ctx, view(), request.handle, message.as<protocol::ProduceRequest>(), answers);
            return;
        case ApiKey::kFetch:
            replicas_.fetch(ctx, view(), request.handle, message, answers);
            return;
        case ApiKey::kListOffsets:
            replicas_.list_offsets(
                ctx, view(), request.handle, message.as<protocol::ListOffsetsRequest>(), answers);
            return;
        case ApiKey::kOffsetForLeaderEpoch:
            replicas_.offset_for_leader_epoch(ctx,
                                              view(),
                                              request.handle,
                                              message.as<protocol::OffsetForLeaderEpochRequest>(),
                                              answers);
            return;
        case ApiKey::kDeleteRecords:
            replicas_.delete_records(
                ctx, view(), request.handle, message.as<protocol::DeleteRecordsRequest>(), answers);
            return;
        case ApiKey::kMetadata:
            answers.push_back({request.handle,
                               sim::make_message(answer_metadata(
                                   follower_.image(), message.as<protocol::MetadataRequest>())),
                               false,
                               std::nullopt});
            return;
        case ApiKey::kInitProducerId:
            init_producer_id(request, ctx, answers);
            return;
        case ApiKey::kCreateTopics:
        case ApiKey::kDeleteTopics:
        case ApiKey::kIncrementalAlterConfigs:
        case ApiKey::kElectLeaders:
        case ApiKey::kCreatePartitions:
        case ApiKey::kAlterPartitionReassignments:
        case ApiKey::kListPartitionReassignments:
        case ApiKey::kUnregisterBroker:
            forward(request, ctx);
            return;
        case ApiKey::kAlterPartition:
        case ApiKey::kBrokerRegistration:
        case ApiKey::kBrokerHeartbeat:
        case ApiKey::kAllocateProducerIds:
        case ApiKey::kAssignReplicasToDirs:
        case ApiKey::kStartClient:
        case ApiKey::kStopNode:
        case ApiKey::kAdminCall:
            break;
    }
    // Not an api of a broker: Kafka closes the connection.
    answers.push_back({request.handle, {}, true, std::nullopt});
}

void Broker::init_producer_id(const QueuedRequest& request,
                              sim::Context& ctx,
                              replication::Answers& answers) {
    protocol::InitProducerIdResponse response;
    response.producer_id = producer_ids_.take();
    if (!response.producer_id) {
        response.error = ErrorCode::kCoordinatorLoadInProgress;
    }
    if (lifecycle_.epoch() && producer_ids_.start_request_if_needed()) {
        forwarding_channel_.submit(
            ctx,
            sim::make_message(protocol::AllocateProducerIdsRequest{id_, *lifecycle_.epoch()}),
            kProducerIdToken);
    }
    answers.push_back({request.handle, sim::make_message(response), false, std::nullopt});
}

void Broker::forward(const QueuedRequest& request, sim::Context& ctx) {
    const std::int64_t token = next_token_++;
    forwarded_.insert_or_assign(token, request);
    forwarding_channel_.submit(ctx, request.message, token);
}

void Broker::on_forwarded(const ControllerChannel::Outcome& outcome,
                          replication::Answers& answers) {
    if (outcome.token == kProducerIdToken) {
        std::optional<protocol::AllocateProducerIdsResponse> block;
        if (outcome.response && outcome.response->is<protocol::AllocateProducerIdsResponse>()) {
            block = outcome.response->as<protocol::AllocateProducerIdsResponse>();
        }
        producer_ids_.on_block(block);
        return;
    }
    const QueuedRequest* request = forwarded_.find(outcome.token);
    if (request == nullptr) {
        return;
    }
    answers.push_back({request->handle,
                       outcome.response ? *outcome.response : timeout_answer(request->message),
                       false,
                       std::nullopt});
    forwarded_.erase(outcome.token);
}

}  // namespace klab::broker
