// SPDX-License-Identifier: Apache-2.0
//
// ControllerChannel: connecting, sending one request at a time, trying again.
#include "model/broker/controller_channel.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/protocol/alter_partition.h"
#include "model/protocol/assign_replicas_to_dirs.h"
#include "model/protocol/broker_lifecycle.h"
#include "model/protocol/init_producer_id.h"
#include "model/protocol/partition_admin.h"
#include "model/protocol/topic_admin.h"
#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"

namespace klab::broker {

namespace {

/// NodeToControllerRequestThread polls for a known controller this often.
constexpr Duration kControllerPoll = milliseconds(100);

constexpr std::uint32_t kRetry = static_cast<std::uint32_t>(types::TimerKind::kChannelRetry);
constexpr std::uint32_t kRequest = static_cast<std::uint32_t>(types::TimerKind::kChannelRequest);

constexpr auto kNotController = types::ErrorCode::kNotController;

bool any_not_controller(const std::vector<protocol::NamedResult>& results) {
    return std::ranges::any_of(results, [](const protocol::NamedResult& result) {
        return result.error == kNotController;
    });
}

/// Of the answers to a broker's own requests.
bool says_not_controller_itself(const sim::MessageRef& response) {
    if (response.is<protocol::AlterPartitionResponse>()) {
        const auto& body = response.as<protocol::AlterPartitionResponse>();
        // One partition ahead of the controller holds up the whole request.
        return body.error == kNotController ||
               std::ranges::any_of(body.partitions, [](const protocol::AlterPartitionResult& p) {
                   return p.error == kNotController;
               });
    }
    if (response.is<protocol::BrokerHeartbeatResponse>()) {
        return response.as<protocol::BrokerHeartbeatResponse>().error == kNotController;
    }
    if (response.is<protocol::BrokerRegistrationResponse>()) {
        return response.as<protocol::BrokerRegistrationResponse>().error == kNotController;
    }
    if (response.is<protocol::AssignReplicasToDirsResponse>()) {
        return response.as<protocol::AssignReplicasToDirsResponse>().error == kNotController;
    }
    if (response.is<protocol::AllocateProducerIdsResponse>()) {
        return response.as<protocol::AllocateProducerIdsResponse>().error == kNotController;
    }
    return false;
}

/// Of the answers to forwarded requests: the controller then answers their Envelope with
/// NOT_CONTROLLER (RequestChannel.Request.buildResponseSend), so the client never sees it.
bool says_not_controller_of_forwarded(const sim::MessageRef& response) {
    if (response.is<protocol::CreateTopicsResponse>()) {
        return any_not_controller(response.as<protocol::CreateTopicsResponse>().topics);
    }
    if (response.is<protocol::DeleteTopicsResponse>()) {
        return any_not_controller(response.as<protocol::DeleteTopicsResponse>().topics);
    }
    if (response.is<protocol::AlterConfigsResponse>()) {
        return response.as<protocol::AlterConfigsResponse>().result.error == kNotController;
    }
    if (response.is<protocol::ElectLeadersResponse>()) {
        const auto& body = response.as<protocol::ElectLeadersResponse>();
        return body.error == kNotController || any_not_controller(body.partitions);
    }
    if (response.is<protocol::AlterPartitionReassignmentsResponse>()) {
        return response.as<protocol::AlterPartitionReassignmentsResponse>().error == kNotController;
    }
    if (response.is<protocol::ListPartitionReassignmentsResponse>()) {
        return response.as<protocol::ListPartitionReassignmentsResponse>().error == kNotController;
    }
    if (response.is<protocol::CreatePartitionsResponse>()) {
        return any_not_controller(response.as<protocol::CreatePartitionsResponse>().topics);
    }
    if (response.is<protocol::UnregisterBrokerResponse>()) {
        return response.as<protocol::UnregisterBrokerResponse>().result.error == kNotController;
    }
    return false;
}

bool says_not_controller(const sim::MessageRef& response) {
    return says_not_controller_itself(response) || says_not_controller_of_forwarded(response);
}

}  // namespace

sim::TimerKey ControllerChannel::timer(std::uint32_t kind) const {
    return {kind, static_cast<std::int64_t>(options_.purpose), 0};
}

void ControllerChannel::submit(sim::Context& ctx, sim::MessageRef request, std::int64_t token) {
    queue_.push_back(Item{token, std::move(request), ctx.monotonic(), ctx.cause()});
    pump(ctx);
}

void ControllerChannel::pump(sim::Context& ctx) {
    if (queue_.empty() || in_flight_) {
        return;
    }
    if (is_expired(ctx, queue_.front())) {
        ctx.set_timer(timer(kRetry), Duration{}, options_.lane);  // there it is given up
        return;
    }
    if (!connection_) {
        const types::ControllerSpec& controller = types::cluster(ctx).controllers.front();
        connection_ = ctx.connect(controller.node, options_.lane, options_.purpose);
        connected_ = false;
        ctx.set_timer(timer(kRequest), options_.request_timeout, options_.lane);
        return;
    }
    if (!connected_) {
        return;
    }
    in_flight_ = queue_.pop_front();
    ++next_correlation_;
    ctx.send(*connection_, in_flight_->request, next_correlation_, {in_flight_->because});
    ctx.set_timer(timer(kRequest), options_.request_timeout, options_.lane);
}

bool ControllerChannel::on_connected(sim::Context& ctx, const sim::Connected& input) {
    if (connection_ != input.connection) {
        return false;
    }
    connected_ = true;
    ctx.cancel_timer(timer(kRequest));
    pump(ctx);
    return true;
}

void ControllerChannel::requeue_in_flight(sim::Context& ctx) {
    connection_.reset();
    connected_ = false;
    ctx.cancel_timer(timer(kRequest));
    if (in_flight_) {
        Fifo<Item> behind = std::move(queue_);
        queue_ = Fifo<Item>();
        queue_.push_back(std::move(*in_flight_));
        in_flight_.reset();
        for (const Item& item : behind) {
            queue_.push_back(item);
        }
    }
    ctx.set_timer(timer(kRetry), kControllerPoll, options_.lane);
}

bool ControllerChannel::on_disconnected(sim::Context& ctx, const sim::Disconnected& input) {
    if (connection_ != input.connection) {
        return false;
    }
    requeue_in_flight(ctx);
    return true;
}

bool ControllerChannel::on_reply(sim::Context& ctx,
                                 const sim::Delivered& input,
                                 std::optional<Outcome>& outcome) {
    if (connection_ != input.connection) {
        return false;
    }
    if (!in_flight_ || input.correlation != next_correlation_) {
        return true;  // an answer to an attempt that was given up
    }
    if (says_not_controller(input.message)) {
        ctx.close(*connection_);
        requeue_in_flight(ctx);
        return true;
    }
    ctx.cancel_timer(timer(kRequest));
    outcome = Outcome{in_flight_->token, input.message};
    in_flight_.reset();
    pump(ctx);
    return true;
}

bool ControllerChannel::on_timer(sim::Context& ctx,
                                 const sim::TimerFired& input,
                                 std::optional<Outcome>& outcome) {
    if (input.key == timer(kRetry)) {
        outcome = expire(ctx);
        pump(ctx);
        return true;
    }
    if (input.key == timer(kRequest)) {
        if (connection_) {
            ctx.close(*connection_);
        }
        requeue_in_flight(ctx);
        outcome = expire(ctx);
        if (!queue_.empty() && is_expired(ctx, queue_.front())) {
            ctx.set_timer(timer(kRetry), Duration{}, options_.lane);
        }
        return true;
    }
    return false;
}

bool ControllerChannel::is_expired(const sim::Context& ctx, const Item& item) const {
    return options_.retry_timeout && ctx.monotonic() - item.submitted >= *options_.retry_timeout;
}

std::optional<ControllerChannel::Outcome> ControllerChannel::expire(sim::Context& ctx) {
    // NodeToControllerRequestThread.generateRequests looks at the time of each request, whichever
    // way the one before it ended; here one turn ends one request.
    if (queue_.empty() || !is_expired(ctx, queue_.front())) {
        return std::nullopt;
    }
    return Outcome{queue_.pop_front().token, std::nullopt};
}

}  // namespace klab::broker
