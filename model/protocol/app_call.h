// SPDX-License-Identifier: Apache-2.0
//
// Calls from outside the cluster: what an application or an operator asks of a node. They are not
// requests of the Kafka protocol and never cross the network.
//
// Kafka: KafkaProducer.send is driven by the plan of a client; KafkaBroker.shutdown
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"
#include "sim/kernel/message.h"

namespace klab::protocol {

/// A client begins its plan (the scenario's virtual time 0, or an action `start`).
struct StartClient {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kStartClient);
    static constexpr bool kReply = false;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 0; }

    friend bool operator==(const StartClient&, const StartClient&) = default;
};

/// An orderly stop: controlled shutdown of a broker, close() of a client.
struct StopNode {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kStopNode);
    static constexpr bool kReply = false;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 0; }

    friend bool operator==(const StopNode&, const StopNode&) = default;
};

/// An operator's request, carried out by an admin client: `request` is a CreateTopicsRequest,
/// DeleteTopicsRequest, AlterConfigsRequest, ElectLeadersRequest, CreatePartitionsRequest,
/// AlterPartitionReassignmentsRequest, ListPartitionReassignmentsRequest, UnregisterBrokerRequest,
/// MetadataRequest or a DeleteRecordsRequest of one partition.
struct AdminCall {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kAdminCall);
    static constexpr bool kReply = false;

    sim::MessageRef request;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 0; }

    friend bool operator==(const AdminCall&, const AdminCall&) = default;
};

}  // namespace klab::protocol
