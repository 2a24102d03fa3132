// SPDX-License-Identifier: Apache-2.0
//
// Requests of brokers: each goes to its rule, and its answer waits for the commit.
//
// Called by: controller_node.cc.
// Kafka: ControllerApis.handle.
// Simplified: brokers forward clients' requests as they are, without an envelope.
#include <fmt/format.h>

#include "model/controller/alter_partition_decision.h"
#include "model/controller/broker_registration.h"
#include "model/controller/broker_unregistration.h"
#include "model/controller/config_changes.h"
#include "model/controller/controller_node.h"
#include "model/controller/heartbeat_decision.h"
#include "model/controller/leader_elections.h"
#include "model/controller/partition_creation.h"
#include "model/controller/producer_id_blocks.h"
#include "model/controller/reassignment.h"
#include "model/controller/replica_directories.h"
#include "model/controller/topic_creation.h"
#include "model/controller/topic_deletion.h"
#include "model/types/fresh_uuid.h"
#include "model/types/kafka_events.h"

namespace klab::controller {

namespace {

using types::ApiKey;
using types::ErrorCode;

/// Where replicas of a new topic go; calm: the lowest broker id leads partition 0.
constexpr sim::ChoiceSite kPlacementSite{40, "controller.placement"};

class PlacementByChoice final : public PlacementRandom {
  public:
    explicit PlacementByChoice(sim::Context& ctx) : ctx_(ctx) {}

    std::uint32_t next_int(std::uint32_t bound) override {
        return ctx_.pick(kPlacementSite, bound);
    }

  private:
    sim::Context& ctx_;
};

std::string host_of(const sim::Context& ctx, types::BrokerId broker) {
    const types::BrokerSpec* spec = types::cluster(ctx).broker(broker);
    return spec == nullptr ? fmt::format("broker-{}", broker) : spec->name;
}

/// Tells every ISR proposal that was refused.
void emit_refusals(sim::Context& ctx,
                   const metadata::MetadataImage& image,
                   const protocol::AlterPartitionRequest& request,
                   const protocol::AlterPartitionResponse& response) {
    for (const protocol::AlterPartitionItem& item : request.partitions) {
        ErrorCode error = response.error;
        for (const protocol::AlterPartitionResult& result : response.partitions) {
            if (result.topic_id == item.topic_id && result.partition == item.partition) {
                error = result.error;
            }
        }
        if (error == ErrorCode::kNone || error == ErrorCode::kNewLeaderElected) {
            continue;
        }
        const std::int64_t partition = partition_field(ctx, image, {item.topic_id, item.partition});
        ctx.emit(types::events::kAlterPartitionRefused,
                 {partition, request.broker_id.value(), types::to_wire(error)});
    }
}

template <typename Response>
sim::MessageRef with_error(ErrorCode error) {
    Response response;
    response.error = error;
    return sim::make_message(std::move(response));
}

/// The answer of a controller that is not active; empty for an api without answer here.
sim::MessageRef not_controller(const sim::MessageRef& request) {
    constexpr ErrorCode kError = ErrorCode::kNotController;
    switch (static_cast<ApiKey>(request.api())) {
        case ApiKey::kBrokerHeartbeat:
            return with_error<protocol::BrokerHeartbeatResponse>(kError);
        case ApiKey::kBrokerRegistration:
            return with_error<protocol::BrokerRegistrationResponse>(kError);
        case ApiKey::kAlterPartition:
            return with_error<protocol::AlterPartitionResponse>(kError);
        case ApiKey::kAllocateProducerIds:
            return with_error<protocol::AllocateProducerIdsResponse>(kError);
        case ApiKey::kAssignReplicasToDirs:
            return with_error<protocol::AssignReplicasToDirsResponse>(kError);
        case ApiKey::kElectLeaders:
            return with_error<protocol::ElectLeadersResponse>(kError);
        case ApiKey::kAlterPartitionReassignments:
            return with_error<protocol::AlterPartitionReassignmentsResponse>(kError);
        case ApiKey::kListPartitionReassignments:
            return with_error<protocol::ListPartitionReassignmentsResponse>(kError);
        case ApiKey::kUnregisterBroker: {
            protocol::UnregisterBrokerResponse response;
            response.result.error = kError;
            return sim::make_message(std::move(response));
        }
        case ApiKey::kCreatePartitions: {
            protocol::CreatePartitionsResponse response;
            for (const auto& topic : request.as<protocol::CreatePartitionsRequest>().topics) {
                response.topics.push_back({topic.topic, kError, ""});
            }
            return sim::make_message(std::move(response));
        }
        case ApiKey::kIncrementalAlterConfigs: {
            protocol::AlterConfigsResponse response;
            response.result.error = kError;
            return sim::make_message(std::move(response));
        }
        case ApiKey::kCreateTopics: {
            protocol::CreateTopicsResponse response;
            for (const auto& topic : request.as<protocol::CreateTopicsRequest>().topics) {
                response.topics.push_back({topic.name, kError, ""});
            }
            return sim::make_message(std::move(response));
        }
        case ApiKey::kDeleteTopics: {
            protocol::DeleteTopicsResponse response;
            for (const auto& name : request.as<protocol::DeleteTopicsRequest>().topics) {
                response.topics.push_back({name, kError, ""});
            }
            return sim::make_message(std::move(response));
        }
        default:
            return {};
    }
}

}  // namespace

void ControllerNode::on_delivered(sim::Context& ctx, const sim::Delivered& delivered) {
    if (!delivered.message.has_value() || delivered.message.reply()) {
        return;  // a controller asks nobody
    }
    if (delivered.message.is<protocol::FetchRequest>()) {
        quorum_.on_fetch(ctx,
                         delivered.connection,
                         delivered.correlation,
                         delivered.message.as<protocol::FetchRequest>());
        return;
    }
    if (!active_) {
        refuse(ctx, delivered);
        return;
    }
    dispatch(ctx, delivered);
}

void ControllerNode::refuse(sim::Context& ctx, const sim::Delivered& delivered) {
    sim::MessageRef answer = not_controller(delivered.message);
    if (answer.has_value()) {
        ctx.send(delivered.connection, std::move(answer), delivered.correlation);
    }
}

template <typename Request, typename Response>
void ControllerNode::decide_and_answer(sim::Context& ctx,
                                       const sim::Delivered& delivered,
                                       Decision<Response> (*decide)(const ControllerView&,
                                                                    const Request&)) {
    Decision<Response> decision = decide(view(ctx), delivered.message.as<Request>());
    static_cast<void>(write(ctx, decision));
    answer_later(ctx,
                 {delivered.connection, delivered.correlation},
                 sim::make_message(std::move(decision.result)));
}

void ControllerNode::dispatch(sim::Context& ctx, const sim::Delivered& delivered) {
    switch (static_cast<ApiKey>(delivered.message.api())) {
        case ApiKey::kBrokerHeartbeat:
            on_heartbeat(ctx, delivered);
            return;
        case ApiKey::kBrokerRegistration:
            on_registration(ctx, delivered);
            return;
        case ApiKey::kAlterPartition:
            on_alter_partition(ctx, delivered);
            return;
        case ApiKey::kCreateTopics:
            on_create_topics(ctx, delivered);
            return;
        case ApiKey::kDeleteTopics:
            decide_and_answer(ctx, delivered, &decide_delete_topics);
            return;
        case ApiKey::kIncrementalAlterConfigs:
            decide_and_answer(ctx, delivered, &decide_alter_configs);
            return;
        case ApiKey::kElectLeaders:
            decide_and_answer(ctx, delivered, &decide_elect_leaders);
            return;
        case ApiKey::kAlterPartitionReassignments:
            decide_and_answer(ctx, delivered, &decide_alter_reassignments);
            return;
        case ApiKey::kListPartitionReassignments: {
            // From the decided state, so the answer waits for what that rests on.
            answer_later(ctx,
                         {delivered.connection, delivered.correlation},
                         sim::make_message(list_reassignments(
                             state_.image,
                             delivered.message.as<protocol::ListPartitionReassignmentsRequest>())));
            return;
        }
        case ApiKey::kUnregisterBroker:
            decide_and_answer(ctx, delivered, &decide_unregister_broker);
            return;
        case ApiKey::kCreatePartitions:
            on_create_partitions(ctx, delivered);
            return;
        case ApiKey::kAllocateProducerIds:
            decide_and_answer(ctx, delivered, &decide_allocate_producer_ids);
            return;
        case ApiKey::kAssignReplicasToDirs:
            decide_and_answer(ctx, delivered, &decide_assign_replicas);
            return;
        default:
            // Not a request for a controller; Kafka closes the connection of such a client.
            ctx.close(delivered.connection);
            return;
    }
}

void ControllerNode::on_heartbeat(sim::Context& ctx, const sim::Delivered& delivered) {
    const auto& request = delivered.message.as<protocol::BrokerHeartbeatRequest>();
    // Before anything else, so that a controller with much to do does not fence living brokers.
    state_.contacts.touch({request.broker_id, request.broker_epoch}, ctx.monotonic());
    Decision<HeartbeatResult> decision = decide_heartbeat(view(ctx), request);
    const HeartbeatResult& result = decision.result;
    const bool accepted = result.response.error == ErrorCode::kNone;
    if (accepted) {
        state_.heartbeats.touch(
            request.broker_id, result.response.is_fenced, request.current_metadata_offset);
    }
    static_cast<void>(write(ctx, decision));
    if (accepted && result.states.next == BrokerControlState::kControlledShutdown) {
        // The others must have replayed these records before it may go.
        state_.heartbeats.enter_controlled_shutdown(request.broker_id,
                                                    state_.next_write_offset - 1);
    }
    answer_later(
        ctx, {delivered.connection, delivered.correlation}, sim::make_message(result.response));
}

void ControllerNode::on_registration(sim::Context& ctx, const sim::Delivered& delivered) {
    const auto& request = delivered.message.as<protocol::BrokerRegistrationRequest>();
    Decision<RegistrationResult> decision =
        decide_registration(view(ctx), request, cluster_id_, host_of(ctx, request.broker_id));
    static_cast<void>(write(ctx, decision));
    answer_later(ctx,
                 {delivered.connection, delivered.correlation},
                 sim::make_message(decision.result.response));
}

void ControllerNode::on_alter_partition(sim::Context& ctx, const sim::Delivered& delivered) {
    const auto& request = delivered.message.as<protocol::AlterPartitionRequest>();
    Decision<protocol::AlterPartitionResponse> decision =
        decide_alter_partition(view(ctx), request);
    emit_refusals(ctx, state_.image, request, decision.result);
    static_cast<void>(write(ctx, decision));
    answer_later(ctx,
                 {delivered.connection, delivered.correlation},
                 sim::make_message(std::move(decision.result)));
}

void ControllerNode::on_create_topics(sim::Context& ctx, const sim::Delivered& delivered) {
    const auto& request = delivered.message.as<protocol::CreateTopicsRequest>();
    PlacementByChoice random(ctx);
    const TopicIdSource new_id = [&ctx] {
        return types::fresh_uuid(ctx, types::FreshIdKind::kTopic);
    };
    Decision<protocol::CreateTopicsResponse> decision =
        decide_create_topics(view(ctx), request, random, new_id);
    static_cast<void>(write(ctx, decision));
    answer_later(ctx,
                 {delivered.connection, delivered.correlation},
                 sim::make_message(std::move(decision.result)));
}

void ControllerNode::on_create_partitions(sim::Context& ctx, const sim::Delivered& delivered) {
    PlacementByChoice random(ctx);
    Decision<protocol::CreatePartitionsResponse> decision = decide_create_partitions(
        view(ctx), delivered.message.as<protocol::CreatePartitionsRequest>(), random);
    static_cast<void>(write(ctx, decision));
    answer_later(ctx,
                 {delivered.connection, delivered.correlation},
                 sim::make_message(std::move(decision.result)));
}

}  // namespace klab::controller
