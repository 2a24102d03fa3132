// SPDX-License-Identifier: Apache-2.0
//
// MetadataFollower: the fetch loop and when to publish.
#include "model/broker/metadata_follower.h"

#include <utility>

#include "model/broker/broker_lanes.h"
#include "model/raft/metadata_log.h"
#include "model/storage/record_batch.h"
#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"

namespace klab::broker {

namespace {

/// controller.quorum.retry.backoff.ms and controller.quorum.request.timeout.ms.
constexpr Duration kRetryBackoff = milliseconds(20);
constexpr Duration kRequestTimeout = seconds(2);
/// KafkaRaftClient: longest wait of a fetch, and most bytes of one.
constexpr std::int32_t kMaxWaitMs = 500;
constexpr std::int32_t kMaxBytes = 8 * 1024 * 1024;

constexpr sim::TimerKey kRetryTimer{
    static_cast<std::uint32_t>(types::TimerKind::kMetadataFetch), 0, 0};
constexpr sim::TimerKey kTimeoutTimer{
    static_cast<std::uint32_t>(types::TimerKind::kMetadataFetch), 1, 0};

/// The epoch of the last whole batch, or nothing without batches.
std::optional<types::LeaderEpoch> last_epoch_of(ByteView batches) {
    std::optional<types::LeaderEpoch> epoch;
    storage::BatchIterator iterator(batches);
    while (const std::optional<storage::RecordBatchView> batch = iterator.next()) {
        epoch = batch->leader_epoch();
    }
    return epoch;
}

}  // namespace

std::optional<types::Offset> MetadataFollower::last_offset() const {
    if (loader_.next_offset() == types::Offset(0)) {
        return std::nullopt;
    }
    return loader_.next_offset() - 1;
}

void MetadataFollower::start(sim::Context& ctx) { connect(ctx); }

void MetadataFollower::connect(sim::Context& ctx) {
    const types::ControllerSpec& controller = types::cluster(ctx).controllers.front();
    connection_ = ctx.connect(controller.node, lane_, kMetadataPurpose);
    ctx.set_timer(kTimeoutTimer, kRequestTimeout, lane_);
}

bool MetadataFollower::on_connected(sim::Context& ctx, const sim::Connected& input) {
    if (connection_ != input.connection) {
        return false;
    }
    send_fetch(ctx);
    return true;
}

void MetadataFollower::send_fetch(sim::Context& ctx) {
    protocol::FetchPartition partition;
    partition.topic_id = raft::kMetadataTopicId;
    partition.partition = 0;
    partition.fetch_offset = loader_.next_offset();
    partition.last_fetched_epoch = last_epoch_;
    partition.max_bytes = kMaxBytes;
    protocol::FetchRequest request;
    request.replica_id = id_;
    request.max_wait_ms = kMaxWaitMs;
    request.max_bytes = kMaxBytes;
    request.partitions.push_back(partition);
    ++correlation_;
    ctx.send(*connection_, sim::make_message(std::move(request)), correlation_);
    ctx.set_timer(kTimeoutTimer, kRequestTimeout, lane_);
}

void MetadataFollower::retry_later(sim::Context& ctx) {
    connection_.reset();
    ctx.cancel_timer(kTimeoutTimer);
    ctx.set_timer(kRetryTimer, kRetryBackoff, lane_);
}

bool MetadataFollower::on_disconnected(sim::Context& ctx, const sim::Disconnected& input) {
    if (connection_ != input.connection) {
        return false;
    }
    retry_later(ctx);
    return true;
}

bool MetadataFollower::on_timer(sim::Context& ctx, const sim::TimerFired& input) {
    if (input.key == kRetryTimer) {
        if (connection_) {
            send_fetch(ctx);
        } else {
            connect(ctx);
        }
        return true;
    }
    if (input.key == kTimeoutTimer) {
        if (connection_) {
            ctx.close(*connection_);
        }
        retry_later(ctx);
        return true;
    }
    return false;
}

bool MetadataFollower::on_reply(sim::Context& ctx,
                                const sim::Delivered& input,
                                std::optional<metadata::MetadataDelta>& change) {
    if (connection_ != input.connection) {
        return false;
    }
    if (input.correlation != correlation_ || !input.message.is<protocol::FetchResponse>()) {
        return true;
    }
    const auto& response = input.message.as<protocol::FetchResponse>();
    const bool usable = response.error == types::ErrorCode::kNone &&
                        response.partitions.size() == 1 &&
                        response.partitions[0].error == types::ErrorCode::kNone;
    if (!usable) {
        ctx.cancel_timer(kTimeoutTimer);
        ctx.set_timer(kRetryTimer, kRetryBackoff, lane_);
        return true;
    }
    const protocol::FetchPartitionResult& result = response.partitions[0];
    Result<metadata::MetadataDelta, metadata::MetadataLoader::LoadError> loaded =
        loader_.load(*result.records);
    KLAB_ASSERT(loaded.ok(), "the controller served bytes that are not its own log");
    if (const auto epoch = last_epoch_of(*result.records)) {
        last_epoch_ = epoch;
    }
    const bool caught_up = result.high_watermark &&
                           loader_.next_offset() >= *result.high_watermark &&
                           loader_.next_offset() > types::Offset(0);
    if (publishing_) {
        if (!result.records->empty()) {
            change = std::move(*loaded);
        }
    } else if (caught_up) {
        publishing_ = true;
        change = metadata::everything_new(loader_.image());
    }
    send_fetch(ctx);
    return true;
}

}  // namespace klab::broker
