// SPDX-License-Identifier: Apache-2.0
//
// Numbers and names of the apis. Below 1000 they are Kafka's own api keys; from 1000 on they are
// calls that never cross the network (model/protocol/app_call.h).
//
// Kafka: org.apache.kafka.common.protocol.ApiKeys
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace klab::types {

enum class ApiKey : std::uint16_t {
    kProduce = 0,
    kFetch = 1,
    kListOffsets = 2,
    kMetadata = 3,
    kCreateTopics = 19,
    kDeleteTopics = 20,
    kDeleteRecords = 21,
    kInitProducerId = 22,
    kOffsetForLeaderEpoch = 23,
    kCreatePartitions = 37,
    kElectLeaders = 43,
    kIncrementalAlterConfigs = 44,
    kAlterPartitionReassignments = 45,
    kListPartitionReassignments = 46,
    kAlterPartition = 56,
    kBrokerRegistration = 62,
    kBrokerHeartbeat = 63,
    kUnregisterBroker = 64,
    kAllocateProducerIds = 67,
    kAssignReplicasToDirs = 73,

    kStartClient = 1000,
    kStopNode = 1001,
    kAdminCall = 1002,
};

/// Kafka's name: "Produce", "Fetch", "BrokerHeartbeat"; "?" for a number without a name.
[[nodiscard]] std::string_view api_name(std::int64_t api);

/// The number of a name as above, any case; nothing when there is none.
[[nodiscard]] std::optional<ApiKey> find_api(std::string_view name);

}  // namespace klab::types
