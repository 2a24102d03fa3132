// SPDX-License-Identifier: Apache-2.0
//
// Fetching: one request at a time to each broker, for its partitions without buffered data; and
// poll(), which hands buffered records to the application.
//
// Kafka: AbstractFetch.prepareFetchRequests, FetchCollector, CompletedFetch; KIP-1076 rule of 4.0
// that a broker with buffered data is left out.
#include <algorithm>
#include <map>
#include <utility>

#include "model/client/consumer.h"
#include "model/storage/record.h"
#include "model/storage/record_batch.h"
#include "model/types/kafka_events.h"
#include "model/types/record_name.h"

namespace klab::client {

namespace {

/// Who sent the record as its how-manieth; a tombstone says it in a header.
std::optional<types::RecordName> name_of(const storage::RecordView& record) {
    if (record.value) {
        return types::parse_record_value(storage::text_of(*record.value));
    }
    for (const storage::RecordHeader& header : record.headers()) {
        if (header.key == types::kRecordNameHeader && header.value) {
            return types::parse_record_value(storage::text_of(*header.value));
        }
    }
    return std::nullopt;
}

}  // namespace

using types::ErrorCode;

void Consumer::send_fetches(sim::Context& ctx) {
    std::set<types::BrokerId> buffered_nodes;
    std::set<types::BrokerId> busy_nodes;
    for (const FetchPosition& position : positions_) {
        if (const auto leader = leader_of(position); leader && position.buffered) {
            buffered_nodes.insert(*leader);
        }
    }
    for (const auto& [token, wire] : wire_) {
        if (wire.kind == WireRequest::Kind::kFetch) {
            busy_nodes.insert(wire.broker);
        }
    }
    std::map<types::BrokerId, WireRequest> by_broker;
    for (const std::size_t place : order_) {
        const FetchPosition& position = positions_[place];
        if (position.state != FetchState::kFetching || position.buffered ||
            position.retry_at > ctx.monotonic()) {
            continue;
        }
        const std::optional<types::BrokerId> leader = leader_of(position);
        if (!leader) {
            metadata_.request_update();
            continue;
        }
        const bool skipped =
            types::rules(ctx).consumer_skips_buffered_nodes && buffered_nodes.contains(*leader);
        if (skipped || busy_nodes.contains(*leader) || !net_.ready_or_connect(ctx, *leader)) {
            continue;
        }
        by_broker[*leader].places.push_back(place);
    }
    for (auto& [broker, wire] : by_broker) {
        protocol::FetchRequest request;
        request.max_wait_ms = static_cast<std::int32_t>(config_.fetch_max_wait_ms);
        request.min_bytes = static_cast<std::int32_t>(config_.fetch_min_bytes);
        request.max_bytes = static_cast<std::int32_t>(config_.fetch_max_bytes);
        request.read_committed = config_.isolation_level == types::IsolationLevel::kReadCommitted;
        for (const std::size_t place : wire.places) {
            const FetchPosition& position = positions_[place];
            wire.offsets.push_back(position.offset);
            protocol::FetchPartition partition;
            partition.topic_id = metadata_.topic(position.partition.topic)->id;
            partition.partition = position.partition.partition;
            partition.current_leader_epoch = position.leader_epoch;
            partition.fetch_offset = position.offset;
            partition.max_bytes = static_cast<std::int32_t>(config_.max_partition_fetch_bytes);
            request.partitions.push_back(partition);
        }
        wire.kind = WireRequest::Kind::kFetch;
        wire.broker = broker;
        const std::int64_t token = next_token_++;
        net_.send(ctx, broker, sim::make_message(std::move(request)), token);
        wire_.emplace(token, std::move(wire));
    }
}

void Consumer::on_fetch_answer(sim::Context& ctx,
                               const WireRequest& request,
                               const std::optional<sim::MessageRef>& response) {
    for (std::size_t i = 0; i < request.places.size(); ++i) {
        FetchPosition& position = positions_[request.places[i]];
        if (!response) {
            ask_again_later(ctx, position);
            continue;
        }
        const auto& body = response->as<protocol::FetchResponse>();
        const CachedTopic* topic = metadata_.topic(position.partition.topic);
        const auto found = std::ranges::find_if(body.partitions, [&](const auto& candidate) {
            return topic != nullptr && candidate.topic_id == topic->id &&
                   candidate.partition == position.partition.partition;
        });
        const bool current =
            position.state == FetchState::kFetching && position.offset == request.offsets[i];
        if (found != body.partitions.end() && current) {
            on_fetch_result(ctx, position, request.offsets[i], *found);
        }
    }
}

void Consumer::on_fetch_result(sim::Context& ctx,
                               FetchPosition& position,
                               types::Offset fetch_offset,
                               const protocol::FetchPartitionResult& result) {
    const bool hinted =
        result.current_leader && result.current_leader_epoch &&
        metadata_.apply_hint(
            ctx, position.partition, *result.current_leader, *result.current_leader_epoch);
    switch (result.error) {
        case ErrorCode::kNone:
            if (!result.records->empty()) {
                position.buffered =
                    FetchedData{fetch_offset, result.records, result.high_watermark, ctx.cause()};
            }
            return;
        case ErrorCode::kOffsetOutOfRange:
            begin_reset(
                ctx, position, "out of range", ErrorCode::kOffsetOutOfRange, types::ApiKey::kFetch);
            return;
        case ErrorCode::kUnknownLeaderEpoch:
        case ErrorCode::kUnknownServerError:
            ask_again_later(ctx, position);
            return;
        case ErrorCode::kCorruptMessage:
        case ErrorCode::kTopicAuthorizationFailed:
            fail(ctx, position, result.error, types::ApiKey::kFetch);
            return;
        default:  // the leader moved, or does not know the partition (yet)
            metadata_.request_update();
            if (!hinted) {  // KIP-951: the new leader is known, so it is asked at once
                ask_again_later(ctx, position);
            }
            return;
    }
}

std::vector<Consumer::PolledRecord> Consumer::poll(sim::Context& ctx) {
    std::vector<PolledRecord> records;
    const auto most = static_cast<std::size_t>(config_.max_poll_records);
    const std::vector<std::size_t> turn = order_;
    for (const std::size_t place : turn) {
        if (records.size() >= most) {
            break;
        }
        FetchPosition& position = positions_[place];
        if (!position.buffered) {
            continue;
        }
        if (position.state != FetchState::kFetching ||
            position.buffered->fetch_offset > position.offset) {
            position.buffered.reset();  // stale: the position was moved meanwhile
            continue;
        }
        take_records(ctx, place, most, records);
        if (!position.buffered) {
            std::erase(order_, place);
            order_.push_back(place);
        }
    }
    return records;
}

void Consumer::take_records(sim::Context& ctx,
                            std::size_t place,
                            std::size_t most,
                            std::vector<PolledRecord>& out) {
    FetchPosition& position = positions_[place];
    const FetchedData data = *position.buffered;
    storage::BatchIterator batches{ByteView(*data.records)};
    while (const auto batch = batches.next()) {
        // A batch may have been handed out already, or in part.
        if (batch->last_offset() >= position.offset &&
            !take_batch(ctx, place, *batch, data, most, out)) {
            return;  // the rest stays buffered
        }
    }
    position.buffered.reset();
}

bool Consumer::take_batch(sim::Context& ctx,
                          std::size_t place,
                          const storage::RecordBatchView& batch,
                          const FetchedData& data,
                          std::size_t most,
                          std::vector<PolledRecord>& out) {
    FetchPosition& position = positions_[place];
    const auto is_damaged = [&] {
        if (out.empty()) {  // what came before it is handed out first
            fail(ctx, position, ErrorCode::kCorruptMessage, types::ApiKey::kFetch);
        }
        return false;
    };
    if (config_.check_crcs && !batch.has_valid_crc()) {
        return is_damaged();
    }
    storage::RecordIterator records(batch);
    while (const std::optional<storage::RecordView> record = records.next()) {
        if (record->offset < position.offset) {
            continue;  // the first batch may begin below the position
        }
        if (out.size() >= most) {
            return false;
        }
        if (!batch.is_control()) {
            out.push_back(hand_out(ctx, place, *record, batch, data));
        }
        position.offset = record->offset.next();
        position.offset_epoch = batch.leader_epoch();
    }
    if (records.error()) {
        return is_damaged();
    }
    // Compaction may have taken the last records, or all of them.
    position.offset = batch.next_offset();
    position.offset_epoch = batch.leader_epoch();
    return true;
}

Consumer::PolledRecord Consumer::hand_out(sim::Context& ctx,
                                          std::size_t place,
                                          const storage::RecordView& record,
                                          const storage::RecordBatchView& batch,
                                          const FetchedData& data) {
    PolledRecord polled;
    polled.place = place;
    polled.offset = record.offset;
    polled.leader_epoch = batch.leader_epoch();
    polled.received = data.received;
    polled.high_watermark = data.high_watermark ? data.high_watermark->value() : sim::kAbsent;
    if (const auto name = name_of(record)) {
        polled.record = name->number;
        for (const types::ClientSpec& client : types::cluster(ctx).clients) {
            if (client.name == name->client) {
                polled.producer = client.node.value();
            }
        }
    }
    const std::int64_t partition = trace_name(ctx, positions_[place]);
    polled.polled = ctx.emit(types::events::kRecordPolled,
                             {partition,
                              polled.offset.value(),
                              polled.leader_epoch ? polled.leader_epoch->value() : sim::kAbsent,
                              polled.producer,
                              polled.record,
                              polled.high_watermark},
                             {data.received});
    return polled;
}

}  // namespace klab::client
