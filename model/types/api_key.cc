// SPDX-License-Identifier: Apache-2.0
//
// The table of api names.
#include "model/types/api_key.h"

#include <algorithm>
#include <array>
#include <utility>

namespace klab::types {

namespace {

constexpr std::array<std::pair<ApiKey, std::string_view>, 23> kNames{{
    {ApiKey::kProduce, "Produce"},
    {ApiKey::kFetch, "Fetch"},
    {ApiKey::kListOffsets, "ListOffsets"},
    {ApiKey::kMetadata, "Metadata"},
    {ApiKey::kCreateTopics, "CreateTopics"},
    {ApiKey::kDeleteTopics, "DeleteTopics"},
    {ApiKey::kDeleteRecords, "DeleteRecords"},
    {ApiKey::kInitProducerId, "InitProducerId"},
    {ApiKey::kOffsetForLeaderEpoch, "OffsetForLeaderEpoch"},
    {ApiKey::kCreatePartitions, "CreatePartitions"},
    {ApiKey::kElectLeaders, "ElectLeaders"},
    {ApiKey::kIncrementalAlterConfigs, "IncrementalAlterConfigs"},
    {ApiKey::kAlterPartitionReassignments, "AlterPartitionReassignments"},
    {ApiKey::kListPartitionReassignments, "ListPartitionReassignments"},
    {ApiKey::kAlterPartition, "AlterPartition"},
    {ApiKey::kBrokerRegistration, "BrokerRegistration"},
    {ApiKey::kBrokerHeartbeat, "BrokerHeartbeat"},
    {ApiKey::kUnregisterBroker, "UnregisterBroker"},
    {ApiKey::kAllocateProducerIds, "AllocateProducerIds"},
    {ApiKey::kAssignReplicasToDirs, "AssignReplicasToDirs"},
    {ApiKey::kStartClient, "StartClient"},
    {ApiKey::kStopNode, "StopNode"},
    {ApiKey::kAdminCall, "AdminCall"},
}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view api_name(std::int64_t api) {
    for (const auto& [key, name] : kNames) {
        if (static_cast<std::int64_t>(key) == api) {
            return name;
        }
    }
    return "?";
}

std::optional<ApiKey> find_api(std::string_view name) {
    for (const auto& [key, known] : kNames) {
        if (std::equal(known.begin(), known.end(), name.begin(), name.end(), [](char a, char b) {
                return lower(a) == lower(b);
            })) {
            return key;
        }
    }
    return std::nullopt;
}

}  // namespace klab::types
