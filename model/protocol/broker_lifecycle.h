// SPDX-License-Identifier: Apache-2.0
//
// BrokerRegistration (api 62) and BrokerHeartbeat (api 63): how a broker lives in the eyes of the
// controller.
//
// Kafka: BrokerRegistrationRequest.json, BrokerHeartbeatRequest.json; KIP-631, KIP-858, KIP-966
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

struct BrokerRegistrationRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kBrokerRegistration);
    static constexpr bool kReply = false;

    types::BrokerId broker_id;
    types::Uuid cluster_id;
    types::Uuid incarnation_id;  ///< new for each process start
    std::optional<std::string> rack;
    std::vector<types::Uuid> log_dirs;
    std::optional<types::BrokerEpoch> previous_broker_epoch;  ///< from the clean-shutdown marker

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const BrokerRegistrationRequest&,
                           const BrokerRegistrationRequest&) = default;
};

struct BrokerRegistrationResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kBrokerRegistration);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::BrokerEpoch> broker_epoch;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const BrokerRegistrationResponse&,
                           const BrokerRegistrationResponse&) = default;
};

struct BrokerHeartbeatRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kBrokerHeartbeat);
    static constexpr bool kReply = false;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;
    std::optional<types::Offset> current_metadata_offset;  ///< highest published by the loader
    bool want_fence = false;
    bool want_shut_down = false;
    std::vector<types::Uuid> offline_log_dirs{};  ///< failed since the registration (KIP-858)

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const BrokerHeartbeatRequest&, const BrokerHeartbeatRequest&) = default;
};

struct BrokerHeartbeatResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kBrokerHeartbeat);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    bool is_caught_up = false;
    bool is_fenced = true;
    bool should_shut_down = false;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const BrokerHeartbeatResponse&,
                           const BrokerHeartbeatResponse&) = default;
};

}  // namespace klab::protocol
