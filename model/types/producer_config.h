// SPDX-License-Identifier: Apache-2.0
//
// The settings of a producer as the model uses them, with the rules that tie them together.
//
// Called by: client (producer, sender, accumulator).
// Kafka: ProducerConfig (postProcessAndValidateIdempotenceConfigs), KafkaProducer
// (configureDeliveryTimeout); KIP-98, KIP-679, KIP-1030, KIP-580.
// Simplified: no transactions, no interceptors; levels of compression change nothing.
#pragma once

#include <cstdint>

#include "model/types/codec.h"
#include "model/types/settings.h"
#include "sim/base/result.h"

namespace klab::types {

/// How many copies must exist before the leader acknowledges.
enum class Acks : std::uint8_t {
    kNone,    ///< acks=0: no answer at all
    kLeader,  ///< acks=1: in the leader's log
    kAll,     ///< acks=all: in the logs of the whole ISR
};

/// The number on the wire: 0, 1, -1.
[[nodiscard]] constexpr std::int16_t to_wire(Acks acks) {
    switch (acks) {
        case Acks::kNone:
            return 0;
        case Acks::kLeader:
            return 1;
        case Acks::kAll:
            return -1;
    }
    return -1;
}

struct ProducerConfig {
    Acks acks = Acks::kAll;  ///< acks

    /// enable.idempotence as it is in the end: it is switched off silently when acks or retries
    /// rule it out and nobody asked for it.
    bool enable_idempotence = true;

    /// retries: of one batch, after the first attempt.
    std::int32_t retries = 2'147'483'647;

    /// max.in.flight.requests.per.connection: unanswered requests on one connection. 1 keeps order
    /// without idempotence.
    std::int32_t max_in_flight = 5;

    std::int64_t batch_size = 16'384;  ///< batch.size in bytes; 0: every record is its own batch
    Codec compression = Codec::kNone;  ///< compression.type: of the batches it sends
    std::int64_t linger_ms = 5;        ///< linger.ms: how long a batch waits for more records
    std::int64_t buffer_memory_bytes = 33'554'432;  ///< buffer.memory

    /// max.block.ms: one send() may wait this long for metadata and buffer space together.
    std::int64_t max_block_ms = 60'000;

    /// max.request.size: of one record, and of one request while batches are collected for it.
    std::int64_t max_request_bytes = 1'048'576;

    /// request.timeout.ms: an unanswered request this old closes its connection; also sent to the
    /// broker as the limit for acks=all.
    std::int64_t request_timeout_ms = 30'000;

    /// delivery.timeout.ms: from the creation of a batch to its final outcome. Never below
    /// linger.ms + request.timeout.ms.
    std::int64_t delivery_timeout_ms = 120'000;

    std::int64_t retry_backoff_ms = 100;  ///< retry.backoff.ms: first pause before a retry
    std::int64_t retry_backoff_max_ms =
        1'000;  ///< retry.backoff.max.ms; equal to the former before 3.7

    std::int64_t reconnect_backoff_ms = 50;         ///< reconnect.backoff.ms
    std::int64_t reconnect_backoff_max_ms = 1'000;  ///< reconnect.backoff.max.ms

    std::int64_t metadata_max_age_ms =
        300'000;  ///< metadata.max.age.ms: refresh at the latest then

    /// socket.connection.setup.timeout.ms and .max.ms.
    std::int64_t connection_setup_timeout_ms = 10'000;
    std::int64_t connection_setup_timeout_max_ms = 30'000;

    /// partitioner.adaptive.partitioning.enable: records without key go more often to partitions
    /// with short queues (KIP-794).
    bool partitioner_adaptive = true;

    /// partitioner.ignore.keys: treat records with a key as if they had none.
    bool partitioner_ignore_keys = false;

    /// Strict order: with one request in flight a partition is muted until its batch is done.
    [[nodiscard]] constexpr bool guarantees_order_by_muting() const { return max_in_flight == 1; }

    friend bool operator==(const ProducerConfig&, const ProducerConfig&) = default;
};

/// A producer's configuration: the version's defaults, changed by `overrides`.
/// Errors: every unknown name, bad value and conflict (Kafka's ConfigException), by name.
[[nodiscard]] Result<ProducerConfig, SettingErrors> make_producer_config(
    KafkaVersion version, const SettingMap& overrides);

}  // namespace klab::types
