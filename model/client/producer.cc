// SPDX-License-Identifier: Apache-2.0
//
// Producer: the application's side. Kafka: KafkaProducer.doSend, waitOnMetadata.
#include "model/client/producer.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/protocol/app_call.h"
#include "model/types/kafka_events.h"
#include "model/types/murmur2.h"
#include "model/types/record_name.h"
#include "model/types/timer_kinds.h"
#include "sim/base/overloaded.h"

namespace klab::client {

namespace {

using types::ErrorCode;

constexpr sim::TimerKey kSendTimer{static_cast<std::uint32_t>(types::TimerKind::kNextSend), 0, 0};

types::ProducerConfig config_of(const types::ModelData& data, const types::ClientSpec& spec) {
    Result<types::ProducerConfig, types::SettingErrors> config =
        types::make_producer_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "the settings of {} were not checked", spec.name);
    return *config;
}

ByteView bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Producer::Producer(const types::ModelData& data, const types::ClientSpec& spec)
    : name_(spec.name),
      spec_(spec),
      config_(config_of(data, spec)),
      accumulator_(config_),
      idempotence_(config_.enable_idempotence, data.rules.producer_bumps_epoch) {
    NetworkClient::Options net;
    net.max_in_flight = static_cast<std::uint32_t>(config_.max_in_flight);
    net.request_timeout = milliseconds(config_.request_timeout_ms);
    net.reconnect = {config_.reconnect_backoff_ms, config_.reconnect_backoff_max_ms};
    net.setup_timeout = {config_.connection_setup_timeout_ms,
                         config_.connection_setup_timeout_max_ms};
    net_ = NetworkClient(net);
    metadata_ = ClientMetadata({milliseconds(config_.metadata_max_age_ms),
                                {config_.retry_backoff_ms, config_.retry_backoff_max_ms}});
}

void Producer::step(const sim::Input& input, sim::Context& ctx) {
    Completions done;
    bool call_sends = false;
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
                call_sends = in.key == kSendTimer;
                if (net_.on_timer(ctx, in, done)) {
                    metadata_.request_update();
                }
            },
            [](const sim::Resumed&) {},
            [&](const sim::AppCall& in) {
                if (in.call.is<protocol::StartClient>()) {
                    start(ctx);
                } else if (in.call.is<protocol::StopNode>()) {
                    stop(ctx);
                }
            },
        },
        input.body);
    for (const Completion& completion : done) {
        on_completion(ctx, completion);
    }
    if (started_) {
        if (call_sends || blocked_) {
            call_due_sends(ctx);
        }
        run_sender(ctx);
    }
}

void Producer::start(sim::Context& ctx) {
    if (started_ || closing_) {
        return;
    }
    started_ = true;
    started_at_ = ctx.monotonic();
    metadata_.add_topic(spec_.topic);
    call_due_sends(ctx);
}

void Producer::call_due_sends(sim::Context& ctx) {
    if (blocked_) {
        const std::int64_t record = blocked_->record;
        if (!send(ctx, record)) {
            return;
        }
        blocked_.reset();
        accumulator_.set_waiting_for_memory(false);
        next_record_ = record + 1;
    }
    while (next_record_ < spec_.send.count && !closing_) {
        const Time due = started_at_ + spec_.send.every * next_record_;
        if (due > ctx.monotonic()) {
            ctx.set_timer(kSendTimer, due - ctx.monotonic());
            return;
        }
        if (!send(ctx, next_record_)) {
            block(ctx, next_record_);
            return;
        }
        ++next_record_;
    }
}

void Producer::block(sim::Context& ctx, std::int64_t record) {
    blocked_ = BlockedSend{record, ctx.monotonic() + milliseconds(config_.max_block_ms)};
}

std::optional<std::int32_t> Producer::choose_partition(const CachedTopic& topic,
                                                       std::int64_t record) const {
    const auto count = static_cast<std::int32_t>(topic.partitions.size());
    if (spec_.send.partition) {
        return *spec_.send.partition < count ? spec_.send.partition : std::nullopt;
    }
    if (spec_.send.keys.empty() || config_.partitioner_ignore_keys) {
        return std::nullopt;
    }
    const auto turn = static_cast<std::size_t>(record) % spec_.send.keys.size();
    const std::optional<std::string>& key = spec_.send.keys[turn];
    return key ? std::optional(types::partition_for_key(bytes_of(*key), count)) : std::nullopt;
}

std::int32_t Producer::sticky_partition(sim::Context& ctx,
                                        const CachedTopic& topic,
                                        const storage::RecordInput& input) {
    const std::int32_t partition = partitioner_.sticky(ctx, topic);
    accumulator_.close_unless_room(partition, input);
    if (accumulator_.has_incomplete_batch(partition)) {
        return partition;
    }
    // A batch boundary: the last batch was sent or is complete. KIP-794 lets a partition go that
    // got batch.size bytes meanwhile. Kafka: RecordAccumulator.partitionChanged.
    partitioner_.update(0, config_.batch_size, true);
    return partitioner_.sticky(ctx, topic);
}

bool Producer::send(sim::Context& ctx, std::int64_t record) {
    const bool too_late = blocked_ && ctx.monotonic() >= blocked_->deadline;
    const CachedTopic* topic = metadata_.topic(spec_.topic);
    const bool partition_known =
        topic != nullptr && !topic->partitions.empty() &&
        (!spec_.send.partition ||
         *spec_.send.partition < static_cast<std::int32_t>(topic->partitions.size()));
    if (!partition_known) {
        if (too_late) {
            fail_record(ctx, record, std::nullopt, ErrorCode::kRequestTimedOut);
            return true;
        }
        metadata_.request_update();
        return false;
    }
    std::optional<std::string> key;
    if (!spec_.send.keys.empty()) {
        key = spec_.send.keys[static_cast<std::size_t>(record) % spec_.send.keys.size()];
    }
    const std::string value = types::make_record_value(name_, record, spec_.send.value_bytes);
    storage::RecordInput input;
    input.timestamp = ctx.now().to_ms();
    if (key) {
        input.key = bytes_of(*key);
    }
    const storage::RecordHeader name{types::kRecordNameHeader, bytes_of(value)};
    if (std::ranges::binary_search(spec_.send.tombstones, record)) {
        input.headers = {&name, 1};
    } else {
        input.value = bytes_of(value);
    }
    const std::optional<std::int32_t> chosen = choose_partition(*topic, record);
    const std::int32_t partition = chosen ? *chosen : sticky_partition(ctx, *topic, input);
    const std::int64_t size = bytes_at_most(input);
    if (size > config_.max_request_bytes || size > config_.buffer_memory_bytes) {
        fail_record(ctx, record, partition, ErrorCode::kMessageTooLarge);
        return true;
    }
    const AppendOutcome outcome =
        accumulator_.append(partition, record, input, ctx.monotonic(), ctx.cause());
    if (outcome.how == Appended::kNoMemory) {
        if (too_late) {
            fail_record(ctx, record, partition, ErrorCode::kRequestTimedOut);
            return true;
        }
        accumulator_.set_waiting_for_memory(true);
        return false;
    }
    if (!chosen) {
        const bool enabled = !accumulator_.has_incomplete_batch(partition);
        partitioner_.update(outcome.bytes, config_.batch_size, enabled);
    }
    const std::int64_t key_text = key ? ctx.text(*key) : sim::kAbsent;
    const std::int64_t partition_name = trace_name(ctx, partition);
    ctx.emit(types::events::kRecordSent, {record, partition_name, key_text});
    return true;
}

std::int64_t Producer::trace_name(sim::Context& ctx, std::optional<std::int32_t> partition) const {
    if (!partition) {
        return sim::kAbsent;
    }
    return sim::pack_name_index(ctx.text(spec_.topic), *partition);
}

std::int64_t Producer::trace_acks() const { return types::to_wire(config_.acks); }

void Producer::fail_record(sim::Context& ctx,
                           std::int64_t record,
                           std::optional<std::int32_t> partition,
                           ErrorCode error) {
    ++finished_records_;
    const std::int64_t partition_name = trace_name(ctx, partition);
    ctx.emit(types::events::kRecordFailed,
             {record, partition_name, types::to_wire(error), trace_acks()});
}

void Producer::stop(sim::Context& ctx) {
    if (closing_) {
        return;
    }
    closing_ = true;
    ctx.cancel_timer(kSendTimer);
    if (!started_) {
        ctx.emit(types::events::kClientStopped, {});
        ctx.exit_process();
    }
}

}  // namespace klab::client
