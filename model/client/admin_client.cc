// SPDX-License-Identifier: Apache-2.0
//
// AdminClient: calls, tries and answers.
#include "model/client/admin_client.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/client/partition_leader_lookup.h"
#include "model/protocol/app_call.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/metadata.h"
#include "model/protocol/partition_admin.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"
#include "sim/base/overloaded.h"

namespace klab::client {

namespace {

using types::ErrorCode;

constexpr sim::TimerKey kRetryTimer{
    static_cast<std::uint32_t>(types::TimerKind::kAdminRetry), 0, 0};

/// The partition whose leader must get the request; nothing when any broker will do.
std::optional<types::TopicPartition> partition_of(const sim::MessageRef& request) {
    if (!request.is<protocol::DeleteRecordsRequest>()) {
        return std::nullopt;
    }
    const auto& body = request.as<protocol::DeleteRecordsRequest>();
    KLAB_ASSERT(body.partitions.size() == 1, "{} partitions in a call", body.partitions.size());
    return body.partitions.front().partition;
}

/// Outcome of each name in a response, in its order.
std::vector<protocol::NamedResult> results_of(const sim::MessageRef& response) {
    if (response.is<protocol::CreateTopicsResponse>()) {
        return response.as<protocol::CreateTopicsResponse>().topics;
    }
    if (response.is<protocol::DeleteTopicsResponse>()) {
        return response.as<protocol::DeleteTopicsResponse>().topics;
    }
    if (response.is<protocol::AlterConfigsResponse>()) {
        return {response.as<protocol::AlterConfigsResponse>().result};
    }
    if (response.is<protocol::ElectLeadersResponse>()) {
        const auto& body = response.as<protocol::ElectLeadersResponse>();
        if (body.error != ErrorCode::kNone) {
            return {{"", body.error, ""}};
        }
        return body.partitions;
    }
    if (response.is<protocol::CreatePartitionsResponse>()) {
        return response.as<protocol::CreatePartitionsResponse>().topics;
    }
    if (response.is<protocol::UnregisterBrokerResponse>()) {
        return {response.as<protocol::UnregisterBrokerResponse>().result};
    }
    if (response.is<protocol::AlterPartitionReassignmentsResponse>()) {
        const auto& body = response.as<protocol::AlterPartitionReassignmentsResponse>();
        if (body.error != ErrorCode::kNone) {
            return {{"", body.error, ""}};
        }
        return body.partitions;
    }
    std::vector<protocol::NamedResult> results;
    if (response.is<protocol::ListPartitionReassignmentsResponse>()) {
        const auto& body = response.as<protocol::ListPartitionReassignmentsResponse>();
        for (const protocol::OngoingReassignment& one : body.partitions) {
            results.push_back({one.partition.text(), ErrorCode::kNone, ""});
        }
        if (results.empty()) {
            results.push_back({"", body.error, ""});
        }
        return results;
    }
    if (response.is<protocol::DeleteRecordsResponse>()) {
        for (const auto& one : response.as<protocol::DeleteRecordsResponse>().partitions) {
            results.push_back({one.partition.text(), one.error, ""});
        }
        return results;
    }
    if (response.is<protocol::MetadataResponse>()) {
        for (const auto& topic : response.as<protocol::MetadataResponse>().topics) {
            results.push_back({topic.name, topic.error, ""});
        }
    }
    return results;
}

/// The call's own request, or the lookup that has to come first.
sim::MessageRef next_request(const sim::MessageRef& request,
                             std::optional<types::BrokerId> leader) {
    const auto partition = partition_of(request);
    if (!partition || leader) {
        return request;
    }
    protocol::MetadataRequest lookup;
    lookup.topics = {partition->topic};
    return sim::make_message(std::move(lookup));
}

/// Errors after which the whole call is worth another try.
bool worth_a_retry(const std::vector<protocol::NamedResult>& results) {
    return std::ranges::any_of(results, [](const protocol::NamedResult& result) {
        return result.error == ErrorCode::kNotController ||
               result.error == ErrorCode::kRequestTimedOut ||
               result.error == ErrorCode::kThrottlingQuotaExceeded;
    });
}

}  // namespace

AdminClient::AdminClient(const types::ModelData& data, const types::ClientSpec& spec) {
    Result<types::AdminConfig, types::SettingErrors> config =
        types::make_admin_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "the settings of {} were not checked", spec.name);
    config_ = *config;
    NetworkClient::Options net;
    net.max_in_flight = 1;
    net.request_timeout = milliseconds(config_.request_timeout_ms);
    net.reconnect = {config_.reconnect_backoff_ms, config_.reconnect_backoff_max_ms};
    net.setup_timeout = {config_.connection_setup_timeout_ms,
                         config_.connection_setup_timeout_max_ms};
    net_ = NetworkClient(net);
}

void AdminClient::step(const sim::Input& input, sim::Context& ctx) {
    Completions done;
    std::visit(
        overloaded{
            [](const sim::Booted&) {},
            [&](const sim::Connected& in) {
                if (!net_.on_connected(ctx, in)) {
                    ctx.close(in.connection);
                }
            },
            [&](const sim::Delivered& in) { static_cast<void>(net_.on_reply(ctx, in, done)); },
            [&](const sim::Disconnected& in) {
                static_cast<void>(net_.on_disconnected(ctx, in, done));
            },
            [&](const sim::TimerFired& in) { static_cast<void>(net_.on_timer(ctx, in, done)); },
            [](const sim::Resumed&) {},
            [&](const sim::AppCall& in) {
                if (in.call.is<protocol::AdminCall>()) {
                    Call call;
                    call.request = in.call.as<protocol::AdminCall>().request;
                    call.deadline = ctx.monotonic() + milliseconds(config_.default_api_timeout_ms);
                    call.cause = ctx.cause();
                    calls_.emplace(next_token_++, std::move(call));
                } else if (in.call.is<protocol::StopNode>()) {
                    net_.close_all(ctx);
                    ctx.emit(types::events::kClientStopped, {});
                    ctx.exit_process();
                }
            },
        },
        input.body);
    for (const Completion& completion : done) {
        on_completion(ctx, completion);
    }
    run(ctx);
}

void AdminClient::run(sim::Context& ctx) {
    std::vector<types::BrokerId> brokers;
    for (const types::BrokerSpec& spec : types::cluster(ctx).brokers) {
        brokers.push_back(spec.id);
    }
    std::optional<Time> look_again;
    const auto look_at = [&](Time at) { look_again = look_again ? std::min(*look_again, at) : at; };
    const Time now = ctx.monotonic();
    for (auto it = calls_.begin(); it != calls_.end();) {
        Call& call = it->second;
        if (!call.sent && now >= call.deadline) {
            answer(ctx, call.request.api(), {{"", ErrorCode::kRequestTimedOut, ""}});
            it = calls_.erase(it);
            continue;
        }
        if (!call.sent && now >= call.not_before) {
            const std::optional<types::BrokerId> broker =
                call.leader ? call.leader : net_.least_loaded(ctx, brokers);
            if (broker && net_.ready_or_connect(ctx, *broker)) {
                call.sent = true;
                net_.send(ctx, *broker, next_request(call.request, call.leader), it->first);
            } else {
                // Nobody is there yet: a connection or its backoff is under way.
                look_at(now + milliseconds(config_.reconnect_backoff_ms));
            }
        } else if (!call.sent) {
            look_at(call.not_before);
        }
        if (!call.sent) {
            look_at(call.deadline);
        }
        ++it;
    }
    if (look_again) {
        ctx.set_timer(kRetryTimer, std::max(*look_again - now, nanoseconds(1)));
    } else {
        ctx.cancel_timer(kRetryTimer);
    }
}

void AdminClient::try_later(sim::Context& ctx, Call& call) {
    const ExponentialBackoff backoff{config_.retry_backoff_ms, config_.retry_backoff_max_ms};
    call.sent = false;
    call.not_before = ctx.monotonic() + backoff.draw(ctx, sites::kRetryJitter, call.tries);
    ++call.tries;
}

void AdminClient::on_completion(sim::Context& ctx, const Completion& completion) {
    const auto found = calls_.find(completion.token);
    if (found == calls_.end()) {
        return;
    }
    Call& call = found->second;
    if (partition_of(call.request)) {
        if (on_leader_call(ctx, call, completion)) {
            calls_.erase(found);
        }
        return;
    }
    if (!completion.response) {
        try_later(ctx, call);
        return;
    }
    const std::vector<protocol::NamedResult> results = results_of(*completion.response);
    if (worth_a_retry(results) && static_cast<std::int64_t>(call.tries) < config_.retries) {
        try_later(ctx, call);
        return;
    }
    answer(ctx, completion.api, results);
    calls_.erase(found);
}

bool AdminClient::on_leader_call(sim::Context& ctx, Call& call, const Completion& completion) {
    const types::TopicPartition partition = *partition_of(call.request);
    if (!completion.response) {
        call.leader.reset();  // somebody else may lead by now
        try_later(ctx, call);
        return false;
    }
    ErrorCode error = ErrorCode::kNone;
    LeaderCallStep step = LeaderCallStep::kDone;
    if (completion.response->is<protocol::MetadataResponse>()) {
        const LeaderLookup found =
            find_leader(completion.response->as<protocol::MetadataResponse>(), partition);
        if (found.leader) {
            call.leader = found.leader;
            call.sent = false;
            return false;
        }
        error = found.error;
        step = error == ErrorCode::kNone ? LeaderCallStep::kLookUpAgain : LeaderCallStep::kDone;
    } else {
        error = results_of(*completion.response).front().error;
        step = step_after(error);
    }
    if (step == LeaderCallStep::kDone || static_cast<std::int64_t>(call.tries) >= config_.retries) {
        answer(ctx, call.request.api(), {{partition.text(), error, ""}});
        return true;
    }
    if (step == LeaderCallStep::kLookUpAgain) {
        call.leader.reset();
    }
    try_later(ctx, call);
    return false;
}

void AdminClient::answer(sim::Context& ctx,
                         std::uint16_t api,
                         const std::vector<protocol::NamedResult>& results) {
    for (const protocol::NamedResult& result : results) {
        const std::int64_t name = ctx.text(result.name);
        ctx.emit(types::events::kAdminAnswered, {api, name, types::to_wire(result.error)});
    }
}

}  // namespace klab::client
