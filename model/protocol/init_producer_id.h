// SPDX-License-Identifier: Apache-2.0
//
// InitProducerId (api 22) for idempotent producers, and AllocateProducerIds (api 67) behind it.
//
// Kafka: InitProducerIdRequest.json, AllocateProducerIdsRequest.json
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

struct InitProducerIdRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kInitProducerId);
    static constexpr bool kReply = false;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const InitProducerIdRequest&, const InitProducerIdRequest&) = default;
};

struct InitProducerIdResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kInitProducerId);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::ProducerId> producer_id;
    types::ProducerEpoch producer_epoch;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const InitProducerIdResponse&, const InitProducerIdResponse&) = default;
};

/// A broker asks the controller for a block of ids.
struct AllocateProducerIdsRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAllocateProducerIds);
    static constexpr bool kReply = false;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AllocateProducerIdsRequest&,
                           const AllocateProducerIdsRequest&) = default;
};

struct AllocateProducerIdsResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAllocateProducerIds);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    types::ProducerId first_id;
    std::int32_t count = 0;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AllocateProducerIdsResponse&,
                           const AllocateProducerIdsResponse&) = default;
};

}  // namespace klab::protocol
