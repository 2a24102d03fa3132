// SPDX-License-Identifier: Apache-2.0
//
// See produce_handling.h.
#include "model/replication/produce_handling.h"

#include <utility>

#include "model/replication/delayed_fetch.h"
#include "model/replication/delayed_produce.h"
#include "model/replication/high_watermark.h"
#include "model/replication/log_background.h"
#include "model/replication/log_events.h"
#include "model/replication/partition_routes.h"
#include "model/types/kafka_events.h"

namespace klab::replication {

using protocol::ProducePartition;
using protocol::ProduceRequest;
using types::ErrorCode;
using types::Mutant;

namespace {

constexpr std::int16_t kAcksAll = -1;

/// A partition that was written to, and what waits for it.
struct Written {
    PartitionKey key;
    sim::EventId appended;
    std::optional<sim::EventId> advanced;  ///< the high watermark rose
};

struct Handling {
    DataPlane& plane;
    std::int16_t acks;
    std::vector<Written> written;
};

void emit_refused(DataPlane& plane,
                  const Partition* partition,
                  const ProducePartition& produced,
                  ErrorCode error,
                  std::int16_t acks) {
    const std::int64_t name =
        partition != nullptr ? partition->trace_name : trace_name_of(plane.ctx, produced.partition);
    plane.ctx.emit(types::events::kProduceRefused,
                   {name,
                    static_cast<std::int64_t>(error),
                    acks,
                    partition != nullptr ? partition->isr_size_for_trace() : sim::kAbsent});
}

void refuse(Handling& handling,
            const Partition* partition,
            const ProducePartition& produced,
            ErrorCode error,
            ParkedProducePart& part) {
    part.result.error = error;
    const bool outdated = error == ErrorCode::kNotLeaderOrFollower && partition != nullptr;
    if (handling.plane.around.rules.leader_hints && outdated) {
        part.result.current_leader = partition->leader;
        part.result.current_leader_epoch = partition->leader_epoch;
    }
    emit_refused(handling.plane, partition, produced, error, handling.acks);
}

/// Success as far as the own log is concerned.
void accept(Handling& handling,
            const Partition& partition,
            const storage::AppendedBatch& batch,
            sim::EventId because,
            ParkedProducePart& part) {
    part.base_offset = batch.base_offset;
    part.last_offset = batch.last_offset;
    part.because = because;
    part.result.base_offset = batch.base_offset;
    part.result.log_start_offset = partition.log.log_start_offset();
    // Mutant ack-before-append: acks=all does not wait for anybody either.
    part.pending =
        handling.acks == kAcksAll && !handling.plane.around.rules.mutated(Mutant::kAckBeforeAppend);
}

/// Mutant ack-before-append, acks=1: answered as if written, and then forgotten.
void pretend_append(Handling& handling, const Partition& partition, ParkedProducePart& part) {
    storage::AppendedBatch batch;
    batch.base_offset = partition.log.log_end_offset();
    batch.last_offset = batch.base_offset;
    accept(handling, partition, batch, handling.plane.ctx.cause(), part);
}

void append(Handling& handling,
            Partition& partition,
            const ProducePartition& produced,
            ParkedProducePart& part) {
    DataPlane& plane = handling.plane;
    const types::Offset segment = partition.log.active_segment().base_offset();
    const std::uint32_t segment_size = partition.log.active_segment().size();
    const auto appended = partition.log.append_as_leader(
        plane.ctx,
        plane.around.rules,
        {.records = ByteView(*produced.records), .leader_epoch = *partition.leader_epoch});
    maybe_emit_log_rolled(plane.ctx, partition, segment, segment_size);
    note_log_work(plane.ctx, plane.options, partition.log);
    if (!appended) {
        refuse(
            handling, &partition, produced, storage::to_error_code(appended.error().error), part);
        return;
    }
    const storage::AppendedBatch& batch = appended->batch;
    if (appended->is_duplicate) {
        const sim::EventId recognized =
            plane.ctx.emit(types::events::kDuplicateRecognized,
                           {partition.trace_name,
                            batch.producer_id ? batch.producer_id->value() : sim::kAbsent,
                            batch.base_sequence ? *batch.base_sequence : sim::kAbsent,
                            batch.base_offset.value()});
        accept(handling, partition, batch, recognized, part);
        return;
    }
    const sim::EventId event = emit_log_appended(plane.ctx, partition, batch, true);
    accept(handling, partition, batch, event, part);
    handling.written.push_back({partition.key, event, std::nullopt});
    handling.written.back().advanced =
        maybe_advance_leader_high_watermark(plane.ctx, partition, plane.around, event);
}

ParkedProducePart produce_partition(Handling& handling, const ProducePartition& produced) {
    ParkedProducePart part;
    part.result.partition = produced.partition;
    const auto key = handling.plane.key_of(produced.partition);
    Partition* partition = key ? handling.plane.find_for_write(*key) : nullptr;
    if (partition == nullptr) {
        refuse(handling, nullptr, produced, handling.plane.error_of_absent(key), part);
        return part;
    }
    part.key = partition->key;
    part.trace_name = partition->trace_name;
    const ErrorCode error = check_produce(*partition, handling.acks);
    if (error != ErrorCode::kNone) {
        refuse(handling, partition, produced, error, part);
    } else if (handling.acks == 1 &&
               handling.plane.around.rules.mutated(Mutant::kAckBeforeAppend)) {
        pretend_append(handling, *partition, part);
    } else {
        append(handling, *partition, produced, part);
    }
    return part;
}

void answer_invalid_acks(DataPlane& plane,
                         const RequestHandle& from,
                         const ProduceRequest& request) {
    protocol::ProduceResponse response;
    for (const ProducePartition& produced : request.partitions) {
        emit_refused(plane, nullptr, produced, ErrorCode::kInvalidRequiredAcks, request.acks);
        protocol::ProducePartitionResult result;
        result.partition = produced.partition;
        result.error = ErrorCode::kInvalidRequiredAcks;
        response.partitions.push_back(std::move(result));
    }
    plane.out.push_back({.to = from, .response = sim::make_message(std::move(response))});
}

/// Everything is decided. With acks=0 the answer is empty: it only ends the request.
void answer_now(DataPlane& plane,
                const RequestHandle& from,
                std::int16_t acks,
                const ParkedProduce& produce) {
    bool any_failed = false;
    protocol::ProduceResponse response;
    response.partitions.reserve(produce.parts.size());
    for (const ParkedProducePart& part : produce.parts) {
        const bool failed = part.result.error != ErrorCode::kNone;
        any_failed = any_failed || failed;
        if (!failed) {
            emit_produce_completed(plane, part, acks, part.because);
        }
        response.partitions.push_back(part.result);
    }
    if (acks != 0) {
        plane.out.push_back({.to = from, .response = sim::make_message(std::move(response))});
    } else {
        plane.out.push_back({.to = from, .close_connection = any_failed});
    }
}

/// Waiting requests of other clients, after the own answer.
void complete_others(DataPlane& plane, const std::vector<Written>& written) {
    for (const Written& one : written) {
        Partition* partition = plane.find_for_write(one.key);
        if (one.advanced) {
            try_complete_parked(plane, *partition, *one.advanced);
        } else {
            try_complete_fetches(plane, *partition, one.appended);
        }
    }
}

}  // namespace

ErrorCode check_produce(const Partition& partition, std::int16_t acks) {
    if (!partition.is_leader()) {
        return ErrorCode::kNotLeaderOrFollower;
    }
    const bool too_few = partition.isr.committed().size() < partition.effective_min_isr();
    return acks == kAcksAll && too_few ? ErrorCode::kNotEnoughReplicas : ErrorCode::kNone;
}

void handle_produce(DataPlane& plane, const RequestHandle& from, const ProduceRequest& request) {
    if (request.acks < -1 || request.acks > 1) {
        answer_invalid_acks(plane, from, request);
        return;
    }
    Handling handling{plane, request.acks, {}};
    ParkedProduce produce;
    produce.from = from;
    produce.parts.reserve(request.partitions.size());
    for (const ProducePartition& produced : request.partitions) {
        produce.parts.push_back(produce_partition(handling, produced));
        produce.pending += produce.parts.back().pending ? 1U : 0U;
    }
    if (produce.pending > 0) {
        park_produce(plane, std::move(produce), milliseconds(request.timeout_ms));
    } else {
        answer_now(plane, from, request.acks, produce);
    }
    complete_others(plane, handling.written);
}

}  // namespace klab::replication
