// SPDX-License-Identifier: Apache-2.0
//
// Sender: the producer's background thread. One pass: keep the producer id in order, see which
// brokers are ready, drain and send, expire what is too old, and say when to look again; and what
// each answer means for its batch.
//
// Kafka: Sender.runOnce, sendProducerData, completeBatch, canRetry.
#include <algorithm>
#include <iterator>
#include <utility>

#include "model/client/batch_split.h"
#include "model/client/producer.h"
#include "model/protocol/init_producer_id.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"

namespace klab::client {

namespace {

using types::ErrorCode;

constexpr sim::TimerKey kWakeTimer{static_cast<std::uint32_t>(types::TimerKind::kLinger), 0, 0};
/// Token of InitProducerId requests; metadata has -1, produce requests count from 1.
constexpr std::int64_t kProducerIdToken = 0;

}  // namespace

void Producer::run_sender(sim::Context& ctx) {
    if (idempotence_.enabled()) {
        idempotence_.resolve_sequences();
        rewrite_sequences(idempotence_.bump_epoch_if_needed());
    }
    metadata_.maybe_update(ctx, net_);
    std::optional<Duration> look_again;
    if (idempotence_.needs_id()) {
        obtain_producer_id(ctx);
    } else if (const CachedTopic* topic = metadata_.topic(spec_.topic)) {
        const Readiness readiness = accumulator_.ready(*topic, ctx.monotonic(), closing_);
        look_again = readiness.look_again;
        if (config_.partitioner_adaptive) {
            partitioner_.set_statistics(accumulator_.load(*topic));
        }
        if (readiness.unknown_leader) {
            metadata_.request_update();
            metadata_.maybe_update(ctx, net_);
        }
        for (const types::BrokerId broker : readiness.brokers) {
            // One batch a partition and request: go on while the connection takes requests.
            while (net_.ready_or_connect(ctx, broker)) {
                std::vector<ProducerBatch> batches =
                    accumulator_.drain(broker, *topic, ctx.monotonic(), idempotence_);
                if (batches.empty()) {
                    break;
                }
                send_produce(ctx, broker, std::move(batches));
                if (!accumulator_.ready(*topic, ctx.monotonic(), closing_)
                         .brokers.contains(broker)) {
                    break;
                }
            }
            if (const auto wait = net_.wait_before_connect(ctx, broker)) {
                look_again = look_again ? std::min(*look_again, *wait) : *wait;
            }
        }
    }
    expire_batches(ctx);
    if (blocked_) {
        call_due_sends(ctx);
    }
    if (closing_ && accumulator_.empty() && wire_.empty()) {
        net_.close_all(ctx);
        ctx.emit(types::events::kClientStopped, {});
        ctx.exit_process();
        return;
    }
    arm_wake_up(ctx, look_again);
}

void Producer::obtain_producer_id(sim::Context& ctx) {
    if (id_request_in_flight_ || ctx.monotonic() < id_retry_at_) {
        return;
    }
    std::vector<types::BrokerId> brokers;
    for (const types::BrokerSpec& spec : types::cluster(ctx).brokers) {
        brokers.push_back(spec.id);
    }
    const std::optional<types::BrokerId> broker = net_.least_loaded(ctx, brokers);
    if (!broker || !net_.ready_or_connect(ctx, *broker)) {
        return;
    }
    id_request_in_flight_ = true;
    net_.send(ctx, *broker, sim::make_message(protocol::InitProducerIdRequest{}), kProducerIdToken);
}

void Producer::on_producer_id(sim::Context& ctx, const Completion& completion) {
    id_request_in_flight_ = false;
    if (completion.response && completion.response->is<protocol::InitProducerIdResponse>()) {
        const auto& body = completion.response->as<protocol::InitProducerIdResponse>();
        if (body.error == ErrorCode::kNone && body.producer_id) {
            idempotence_.set_id(*body.producer_id, body.producer_epoch);
            id_failures_ = 0;
            ctx.emit(types::events::kProducerIdObtained,
                     {body.producer_id->value(), body.producer_epoch.value()});
            return;
        }
    }
    const ExponentialBackoff backoff{config_.retry_backoff_ms, config_.retry_backoff_max_ms};
    id_retry_at_ = ctx.monotonic() + backoff.draw(ctx, sites::kRetryJitter, id_failures_);
    ++id_failures_;
}

void Producer::send_produce(sim::Context& ctx,
                            types::BrokerId broker,
                            std::vector<ProducerBatch> batches) {
    protocol::ProduceRequest request;
    request.acks = types::to_wire(config_.acks);
    request.timeout_ms = static_cast<std::int32_t>(config_.request_timeout_ms);
    for (ProducerBatch& batch : batches) {
        idempotence_.stamp(batch);
        if (batch.stamp) {
            batch.builder.set_producer(*batch.stamp);
        }
        if (config_.guarantees_order_by_muting()) {
            accumulator_.mute(batch.partition);
        }
        request.partitions.push_back(
            {{spec_.topic, batch.partition}, SharedBytes(batch.builder.build())});
    }
    const bool expects_response = config_.acks != types::Acks::kNone;
    const std::int64_t token = next_token_++;
    net_.send(ctx, broker, sim::make_message(std::move(request)), token, expects_response);
    if (expects_response) {
        wire_.emplace(token, WireRequest{broker, std::move(batches), {}});
        return;
    }
    for (const ProducerBatch& batch : batches) {
        acknowledge(ctx, batch, std::nullopt);
    }
}

void Producer::rewrite_sequences(const RewrittenSequences& rewritten) {
    for (const auto& [partition, stamps] : rewritten) {
        const auto rewrite = [&map = stamps](ProducerBatch& batch) {
            if (const auto base = batch.base_sequence()) {
                if (const auto found = map.find(*base); found != map.end()) {
                    batch.stamp = found->second;
                    batch.rewritten = true;
                }
            }
        };
        accumulator_.for_each_batch(partition, rewrite);
        for (auto& [token, request] : wire_) {
            for (ProducerBatch& batch : request.batches) {
                if (batch.partition == partition) {
                    rewrite(batch);
                }
            }
        }
    }
}

void Producer::expire_batches(sim::Context& ctx) {
    const Time now = ctx.monotonic();
    const Duration limit = milliseconds(config_.delivery_timeout_ms);
    for (auto& [token, request] : wire_) {
        const auto expired = std::stable_partition(
            request.batches.begin(), request.batches.end(), [&](const ProducerBatch& batch) {
                return now - batch.created < limit;
            });
        const auto already = static_cast<std::ptrdiff_t>(request.expired.size());
        request.expired.insert(request.expired.end(),
                               std::make_move_iterator(expired),
                               std::make_move_iterator(request.batches.end()));
        request.batches.erase(expired, request.batches.end());
        // The partition stays muted until the request itself ends: the broker may still write it.
        for (auto batch = request.expired.begin() + already; batch != request.expired.end();
             ++batch) {
            expire(ctx, *batch);
        }
    }
    for (const ProducerBatch& batch : accumulator_.take_expired(now)) {
        expire(ctx, batch);
    }
}

void Producer::expire(sim::Context& ctx, const ProducerBatch& batch) {
    if (batch.attempts > 0) {
        idempotence_.on_expired_in_retry(batch);
    }
    fail(ctx, batch, ErrorCode::kRequestTimedOut, false);
}

void Producer::arm_wake_up(sim::Context& ctx, std::optional<Duration> look_again) {
    const auto sooner = [&](std::optional<Duration> wait) {
        if (wait) {
            look_again = look_again ? std::min(*look_again, *wait) : *wait;
        }
    };
    const Time now = ctx.monotonic();
    if (const std::optional<Time> expiry = accumulator_.next_expiry()) {
        sooner(*expiry - now);
    }
    for (const auto& [token, request] : wire_) {
        for (const ProducerBatch& batch : request.batches) {
            sooner(batch.created + milliseconds(config_.delivery_timeout_ms) - now);
        }
    }
    if (idempotence_.needs_id() && !id_request_in_flight_) {
        sooner(std::max(id_retry_at_ - now, milliseconds(config_.reconnect_backoff_ms)));
    }
    if (blocked_) {
        sooner(blocked_->deadline - now);
    }
    if (const std::optional<Duration> wait = metadata_.wait(ctx)) {
        // Due already means that no broker could take the request: look again after a reconnect.
        sooner(*wait > Duration{} ? *wait : milliseconds(config_.reconnect_backoff_ms));
    }
    if (look_again) {
        ctx.set_timer(kWakeTimer, std::max(*look_again, nanoseconds(1)));
    } else {
        ctx.cancel_timer(kWakeTimer);
    }
}

void Producer::on_completion(sim::Context& ctx, const Completion& completion) {
    if (completion.token == kMetadataToken) {
        metadata_.on_completion(ctx, completion);
        return;
    }
    if (completion.token == kProducerIdToken) {
        on_producer_id(ctx, completion);
        return;
    }
    const auto found = wire_.find(completion.token);
    if (found == wire_.end()) {
        return;
    }
    WireRequest request = std::move(found->second);
    wire_.erase(found);
    for (ProducerBatch& batch : request.batches) {
        const protocol::ProducePartitionResult result = result_of(completion, batch.partition);
        unmute(batch);
        on_produce_answer(ctx, std::move(batch), result);
    }
    for (const ProducerBatch& batch : request.expired) {
        const protocol::ProducePartitionResult result = result_of(completion, batch.partition);
        if (result.error == ErrorCode::kNone ||
            result.error == ErrorCode::kDuplicateSequenceNumber) {
            idempotence_.on_late_ack(batch, result.base_offset);
        }
        unmute(batch);
    }
}

protocol::ProducePartitionResult Producer::result_of(const Completion& completion,
                                                     std::int32_t partition) const {
    protocol::ProducePartitionResult result;
    result.partition = {spec_.topic, partition};
    result.error = completion.error;
    if (completion.response) {
        const auto& body = completion.response->as<protocol::ProduceResponse>();
        const auto answer = std::ranges::find_if(body.partitions, [&](const auto& candidate) {
            return candidate.partition.partition == partition;
        });
        if (answer != body.partitions.end()) {
            return *answer;
        }
        result.error = ErrorCode::kUnknownServerError;
    }
    return result;
}

void Producer::unmute(const ProducerBatch& batch) {
    if (config_.guarantees_order_by_muting()) {
        accumulator_.unmute(batch.partition);
    }
}

void Producer::on_produce_answer(sim::Context& ctx,
                                 ProducerBatch batch,
                                 const protocol::ProducePartitionResult& result) {
    const ErrorCode error = result.error;
    if (result.current_leader && result.current_leader_epoch) {
        metadata_.apply_hint(
            ctx, result.partition, *result.current_leader, *result.current_leader_epoch);
    }
    if (types::needs_metadata_refresh(error)) {
        metadata_.request_update();
    }
    if (error == ErrorCode::kMessageTooLarge && batch.count() > 1) {
        split(ctx, batch);
        return;
    }
    if (error == ErrorCode::kNone || error == ErrorCode::kDuplicateSequenceNumber) {
        acknowledge(ctx, batch, result.base_offset);
        return;
    }
    const std::int64_t partition = trace_name(ctx, batch.partition);
    ctx.emit(
        types::events::kClientFailed,
        {types::to_wire(error), static_cast<std::int64_t>(types::ApiKey::kProduce), partition});
    const bool in_time =
        ctx.monotonic() - batch.created < milliseconds(config_.delivery_timeout_ms);
    const bool tries_left = static_cast<std::int64_t>(batch.attempts) < config_.retries;
    if (in_time && tries_left && idempotence_.can_retry(batch, error, result.log_start_offset)) {
        retry(ctx, std::move(batch), error);
        return;
    }
    fail(ctx, batch, error, tries_left);
}

void Producer::retry(sim::Context& ctx, ProducerBatch batch, ErrorCode error) {
    const ExponentialBackoff backoff{config_.retry_backoff_ms, config_.retry_backoff_max_ms};
    batch.backoff = backoff.draw(ctx, sites::kRetryJitter, batch.attempts);
    const std::int64_t partition = trace_name(ctx, batch.partition);
    ctx.emit(types::events::kBatchRetried,
             {partition,
              batch.records.front(),
              static_cast<std::int64_t>(batch.attempts) + 1,
              types::to_wire(error)});
    accumulator_.enqueue_again(std::move(batch), ctx.monotonic());
}

void Producer::split(sim::Context& ctx, const ProducerBatch& batch) {
    accumulator_.expect_no_compression(batch);
    const std::int64_t target = split_target(types::rules(ctx), batch, config_.batch_size);
    std::vector<ProducerBatch> parts = split_batch(batch, target, accumulator_.ratio().estimate());
    idempotence_.on_split(batch, parts);
    accumulator_.release(batch);
    accumulator_.enqueue_split(batch, std::move(parts));
}

void Producer::acknowledge(sim::Context& ctx,
                           const ProducerBatch& batch,
                           std::optional<types::Offset> base_offset) {
    idempotence_.on_acked(batch, base_offset);
    accumulator_.release(batch);
    const std::int64_t partition = trace_name(ctx, batch.partition);
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
        ++finished_records_;
        const std::int64_t offset =
            base_offset ? base_offset->value() + static_cast<std::int64_t>(i) : sim::kAbsent;
        ctx.emit(types::events::kRecordAcked, {batch.records[i], partition, offset, trace_acks()});
    }
}

void Producer::fail(sim::Context& ctx, const ProducerBatch& batch, ErrorCode error, bool definite) {
    idempotence_.on_failed(batch, error, definite);
    accumulator_.release(batch);
    for (const std::int64_t record : batch.records) {
        fail_record(ctx, record, batch.partition, error);
    }
}

}  // namespace klab::client
