// SPDX-License-Identifier: Apache-2.0
//
// Consumer: routing, timers and the application's loop.
#include "model/client/consumer.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/protocol/app_call.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"
#include "sim/base/overloaded.h"

namespace klab::client {

namespace {

using types::ErrorCode;

constexpr sim::TimerKey kWakeTimer{static_cast<std::uint32_t>(types::TimerKind::kPoll), 0, 0};
constexpr sim::TimerKey kWorkTimer{static_cast<std::uint32_t>(types::TimerKind::kWork), 0, 0};

}  // namespace

Consumer::Consumer(const types::ModelData& data, const types::ClientSpec& spec) : spec_(spec) {
    Result<types::ConsumerConfig, types::SettingErrors> config =
        types::make_consumer_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "the settings of {} were not checked", spec.name);
    config_ = *config;
    NetworkClient::Options net;
    net.max_in_flight = 100;  // KafkaConsumer: CONSUMER_MAX_INFLIGHT_REQUESTS_PER_CONNECTION
    net.request_timeout = milliseconds(config_.request_timeout_ms);
    net.reconnect = {config_.reconnect_backoff_ms, config_.reconnect_backoff_max_ms};
    net.setup_timeout = {config_.connection_setup_timeout_ms,
                         config_.connection_setup_timeout_max_ms};
    net_ = NetworkClient(net);
    metadata_ = ClientMetadata({milliseconds(config_.metadata_max_age_ms),
                                {config_.retry_backoff_ms, config_.retry_backoff_max_ms}});
    for (const types::TopicPartition& partition : spec.assign) {
        FetchPosition position;
        position.partition = partition;
        order_.push_back(positions_.size());
        positions_.push_back(std::move(position));
    }
}

void Consumer::step(const sim::Input& input, sim::Context& ctx) {
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
                if (net_.on_disconnected(ctx, in, done)) {
                    metadata_.request_update();
                }
            },
            [&](const sim::TimerFired& in) {
                if (in.key == kWorkTimer) {
                    working_ = false;
                    const PolledRecord record = in_hand_.front();
                    in_hand_.erase(in_hand_.begin());
                    finish_record(ctx, record);
                } else if (net_.on_timer(ctx, in, done)) {
                    metadata_.request_update();
                }
            },
            [](const sim::Resumed&) {},
            [&](const sim::AppCall& in) {
                if (in.call.is<protocol::StartClient>()) {
                    start(ctx);
                } else if (in.call.is<protocol::StopNode>()) {
                    net_.close_all(ctx);
                    ctx.emit(types::events::kClientStopped, {});
                    ctx.exit_process();
                    started_ = false;
                }
            },
        },
        input.body);
    for (const Completion& completion : done) {
        on_completion(ctx, completion);
    }
    if (started_ && !failed_) {
        run(ctx);
    }
}

void Consumer::start(sim::Context& ctx) {
    if (started_) {
        return;
    }
    started_ = true;
    for (FetchPosition& position : positions_) {
        metadata_.add_topic(position.partition.topic);
        begin_reset(
            ctx, position, "initial", ErrorCode::kOffsetOutOfRange, types::ApiKey::kListOffsets);
    }
}

void Consumer::run(sim::Context& ctx) {
    metadata_.maybe_update(ctx, net_);
    notice_new_epochs();
    send_validations(ctx);
    send_resets(ctx);
    application(ctx);
    send_fetches(ctx);
    arm_wake_up(ctx);
}

void Consumer::on_completion(sim::Context& ctx, const Completion& completion) {
    if (completion.token == kMetadataToken) {
        metadata_.on_completion(ctx, completion);
        return;
    }
    const auto found = wire_.find(completion.token);
    if (found == wire_.end()) {
        return;
    }
    const WireRequest request = std::move(found->second);
    wire_.erase(found);
    switch (request.kind) {
        case WireRequest::Kind::kFetch:
            on_fetch_answer(ctx, request, completion.response);
            return;
        case WireRequest::Kind::kReset:
            on_reset_answer(ctx, request, completion.response);
            return;
        case WireRequest::Kind::kValidate:
            on_validation_answer(ctx, request, completion.response);
            return;
    }
}

void Consumer::application(sim::Context& ctx) {
    while (!working_ && !failed_) {
        if (in_hand_.empty()) {
            in_hand_ = poll(ctx);
            if (in_hand_.empty()) {
                return;
            }
        }
        if (spec_.work_per_record > Duration{}) {
            working_ = true;
            ctx.set_timer(kWorkTimer, spec_.work_per_record);
            return;
        }
        const std::vector<PolledRecord> records = std::exchange(in_hand_, {});
        for (const PolledRecord& record : records) {
            finish_record(ctx, record);
        }
    }
}

void Consumer::finish_record(sim::Context& ctx, const PolledRecord& record) {
    const std::int64_t partition = trace_name(ctx, positions_[record.place]);
    ctx.emit(types::events::kRecordProcessed,
             {partition, record.offset.value(), record.producer, record.record},
             {record.polled});
}

void Consumer::fail(sim::Context& ctx,
                    const FetchPosition& position,
                    ErrorCode error,
                    types::ApiKey api) {
    failed_ = true;
    const std::int64_t partition = trace_name(ctx, position);
    ctx.emit(types::events::kClientFailed,
             {types::to_wire(error), static_cast<std::int64_t>(api), partition});
}

std::int64_t Consumer::trace_name(sim::Context& ctx, const FetchPosition& position) const {
    return sim::pack_name_index(ctx.text(position.partition.topic), position.partition.partition);
}

std::optional<types::BrokerId> Consumer::leader_of(const FetchPosition& position) const {
    const CachedPartition* cached = metadata_.partition(position.partition);
    return cached == nullptr ? std::nullopt : cached->leader;
}

void Consumer::ask_again_later(sim::Context& ctx, FetchPosition& position) const {
    position.retry_at = ctx.monotonic() + milliseconds(config_.retry_backoff_ms);
}

void Consumer::move_to(sim::Context& ctx,
                       FetchPosition& position,
                       types::Offset offset,
                       std::optional<types::LeaderEpoch> epoch,
                       const std::string& reason) const {
    const std::int64_t from = position.has_position() ? position.offset.value() : sim::kAbsent;
    const CachedPartition* cached = metadata_.partition(position.partition);
    position.offset = offset;
    position.offset_epoch = epoch;
    position.leader_epoch = cached == nullptr ? std::nullopt : cached->leader_epoch;
    position.buffered.reset();
    position.reset.reset();
    position.transition_to(FetchState::kFetching);
    const std::int64_t partition = trace_name(ctx, position);
    const std::int64_t why = ctx.text(reason);
    ctx.emit(types::events::kPositionReset, {partition, from, offset.value(), why});
}

void Consumer::arm_wake_up(sim::Context& ctx) {
    std::optional<Duration> wake;
    const auto sooner = [&](Duration wait) { wake = wake ? std::min(*wake, wait) : wait; };
    const Duration reconnect = milliseconds(config_.reconnect_backoff_ms);
    if (const std::optional<Duration> wait = metadata_.wait(ctx)) {
        sooner(*wait > Duration{} ? *wait : reconnect);
    }
    for (const FetchPosition& position : positions_) {
        if (position.request_in_flight || position.buffered) {
            continue;
        }
        if (position.retry_at > ctx.monotonic()) {
            sooner(position.retry_at - ctx.monotonic());
        }
        if (const std::optional<types::BrokerId> leader = leader_of(position)) {
            if (const auto wait = net_.wait_before_connect(ctx, *leader)) {
                sooner(*wait);
            }
        }
    }
    if (wake) {
        ctx.set_timer(kWakeTimer, std::max(*wake, nanoseconds(1)));
    } else {
        ctx.cancel_timer(kWakeTimer);
    }
}

}  // namespace klab::client
