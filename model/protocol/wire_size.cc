// SPDX-License-Identifier: Apache-2.0
//
// Sizes of messages on the wire: header, fixed fields and what varies. They feed bandwidth and the
// `bytes` field of message events; Kafka's flexible encodings make them a few bytes smaller.
//
// Simplified: one size per field whatever the request version.
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "model/protocol/alter_partition.h"
#include "model/protocol/assign_replicas_to_dirs.h"
#include "model/protocol/broker_lifecycle.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/fetch.h"
#include "model/protocol/init_producer_id.h"
#include "model/protocol/list_offsets.h"
#include "model/protocol/metadata.h"
#include "model/protocol/offset_for_leader_epoch.h"
#include "model/protocol/partition_admin.h"
#include "model/protocol/produce.h"
#include "model/protocol/topic_admin.h"

namespace klab::protocol {

namespace {

constexpr std::uint64_t kRequestHeader =
    4 + 8 + 4 + 2 + 10;                               // size, key+version, correlation, client id
constexpr std::uint64_t kResponseHeader = 4 + 4 + 4;  // size, correlation, throttle time

std::uint64_t named(const std::vector<NamedResult>& results) {
    std::uint64_t bytes = kResponseHeader;
    for (const NamedResult& result : results) {
        bytes += 6 + result.name.size() + result.message.size();
    }
    return bytes;
}

constexpr std::uint64_t kUuidBytes = 16;

/// Replicas grouped by directory and topic, `each` bytes (and an empty tag list) for a partition.
std::uint64_t grouped_bytes(const std::vector<DirectoryAssignment>& replicas, std::uint64_t each) {
    std::set<types::Uuid> directories;
    std::set<std::pair<types::Uuid, types::Uuid>> topics;
    for (const DirectoryAssignment& replica : replicas) {
        directories.insert(replica.directory);
        topics.insert({replica.directory, replica.topic_id});
    }
    constexpr std::uint64_t kGroup = kUuidBytes + 2;  // id, length of the list, tags
    return kGroup * (directories.size() + topics.size()) + (each + 1) * replicas.size();
}

std::uint64_t config_bytes(const std::vector<ConfigEntry>& config) {
    std::uint64_t bytes = 0;
    for (const ConfigEntry& entry : config) {
        bytes += 5 + entry.name.size() + (entry.value ? entry.value->size() : 0);
    }
    return bytes;
}

}  // namespace

std::uint64_t ProduceRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 10;
    for (const ProducePartition& p : partitions) {
        bytes += p.partition.topic.size() + 12 + p.records->size();
    }
    return bytes;
}

std::uint64_t ProduceResponse::wire_bytes() const {
    return kResponseHeader + 40 * partitions.size();
}

std::uint64_t FetchRequest::wire_bytes() const {
    return kRequestHeader + 40 + 50 * partitions.size();
}

std::uint64_t FetchResponse::wire_bytes() const {
    std::uint64_t bytes = kResponseHeader + 10;
    for (const FetchPartitionResult& p : partitions) {
        bytes += 60 + p.records->size();
    }
    return bytes;
}

std::uint64_t ListOffsetsRequest::wire_bytes() const {
    return kRequestHeader + 5 + 30 * partitions.size();
}

std::uint64_t ListOffsetsResponse::wire_bytes() const {
    return kResponseHeader + 40 * partitions.size();
}

std::uint64_t MetadataRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 5;
    if (topics) {
        for (const std::string& topic : *topics) {
            bytes += 20 + topic.size();
        }
    }
    return bytes;
}

std::uint64_t MetadataResponse::wire_bytes() const {
    std::uint64_t bytes = kResponseHeader + 40 + 30 * brokers.size();
    for (const MetadataTopic& topic : topics) {
        bytes += 30 + topic.name.size();
        for (const MetadataPartition& p : topic.partitions) {
            bytes += 20 + 4 * (p.replicas.size() + p.isr.size() + p.offline_replicas.size());
        }
    }
    return bytes;
}

std::uint64_t OffsetForLeaderEpochRequest::wire_bytes() const {
    return kRequestHeader + 4 + 25 * partitions.size();
}

std::uint64_t OffsetForLeaderEpochResponse::wire_bytes() const {
    return kResponseHeader + 30 * partitions.size();
}

std::uint64_t InitProducerIdRequest::wire_bytes() const { return kRequestHeader + 16; }

std::uint64_t InitProducerIdResponse::wire_bytes() const { return kResponseHeader + 12; }

std::uint64_t AllocateProducerIdsRequest::wire_bytes() const { return kRequestHeader + 12; }

std::uint64_t AllocateProducerIdsResponse::wire_bytes() const { return kResponseHeader + 14; }

std::uint64_t CreateTopicsRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 6;
    for (const NewTopic& topic : topics) {
        bytes += topic.name.size() + 12 + config_bytes(topic.config);
        for (const auto& replicas : topic.assignment) {
            bytes += 6 + 4 * replicas.size();
        }
    }
    return bytes;
}

std::uint64_t CreateTopicsResponse::wire_bytes() const { return named(topics); }

std::uint64_t DeleteTopicsRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 6;
    for (const std::string& topic : topics) {
        bytes += 20 + topic.size();
    }
    return bytes;
}

std::uint64_t DeleteTopicsResponse::wire_bytes() const { return named(topics); }

std::uint64_t DeleteRecordsRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 8;
    for (const DeleteRecordsPartition& p : partitions) {
        bytes += p.partition.topic.size() + 18;
    }
    return bytes;
}

std::uint64_t DeleteRecordsResponse::wire_bytes() const {
    std::uint64_t bytes = kResponseHeader + 4;
    for (const DeleteRecordsPartitionResult& p : partitions) {
        bytes += p.partition.topic.size() + 20;
    }
    return bytes;
}

std::uint64_t AlterConfigsRequest::wire_bytes() const {
    return kRequestHeader + 6 + target.name.size() + config_bytes(entries);
}

std::uint64_t AlterConfigsResponse::wire_bytes() const { return named({result}); }

std::uint64_t ElectLeadersRequest::wire_bytes() const {
    return kRequestHeader + 6 + (partitions ? 20 * partitions->size() : 0);
}

std::uint64_t ElectLeadersResponse::wire_bytes() const { return named(partitions) + 2; }

std::uint64_t AlterPartitionReassignmentsRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 9;
    for (const ReassignedPartition& p : partitions) {
        bytes += p.partition.topic.size() + 10 + (p.replicas ? 4 * p.replicas->size() : 0);
    }
    return bytes;
}

std::uint64_t AlterPartitionReassignmentsResponse::wire_bytes() const {
    return named(partitions) + 4;
}

std::uint64_t ListPartitionReassignmentsRequest::wire_bytes() const {
    return kRequestHeader + 8 + (partitions ? 20 * partitions->size() : 0);
}

std::uint64_t ListPartitionReassignmentsResponse::wire_bytes() const {
    std::uint64_t bytes = kResponseHeader + 4;
    for (const OngoingReassignment& p : partitions) {
        bytes += p.partition.topic.size() + 18 +
                 4 * (p.replicas.size() + p.adding.size() + p.removing.size());
    }
    return bytes;
}

std::uint64_t CreatePartitionsRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 9;
    for (const AddedPartitions& topic : topics) {
        bytes += topic.topic.size() + 10;
        for (const auto& replicas :
             topic.assignment.value_or(std::vector<std::vector<types::BrokerId>>{})) {
            bytes += 4 + 4 * replicas.size();
        }
    }
    return bytes;
}

std::uint64_t CreatePartitionsResponse::wire_bytes() const { return named(topics); }

std::uint64_t UnregisterBrokerRequest::wire_bytes() const { return kRequestHeader + 4; }

std::uint64_t UnregisterBrokerResponse::wire_bytes() const { return named({result}); }

std::uint64_t AlterPartitionRequest::wire_bytes() const {
    std::uint64_t bytes = kRequestHeader + 12;
    for (const AlterPartitionItem& item : partitions) {
        bytes += 32 + 12 * item.new_isr.size();
    }
    return bytes;
}

std::uint64_t AlterPartitionResponse::wire_bytes() const {
    std::uint64_t bytes = kResponseHeader + 2;
    for (const AlterPartitionResult& result : partitions) {
        bytes += 36 + 4 * result.isr.size();
    }
    return bytes;
}

std::uint64_t BrokerRegistrationRequest::wire_bytes() const {
    return kRequestHeader + 100 + (rack ? rack->size() : 0) + 16 * log_dirs.size();
}

std::uint64_t BrokerRegistrationResponse::wire_bytes() const { return kResponseHeader + 10; }

std::uint64_t BrokerHeartbeatRequest::wire_bytes() const {
    // The directories are a tagged field: nothing when there are none.
    const std::uint64_t tagged =
        offline_log_dirs.empty() ? 0 : 4 + kUuidBytes * offline_log_dirs.size();
    return kRequestHeader + 24 + tagged;
}

std::uint64_t AssignReplicasToDirsRequest::wire_bytes() const {
    return kRequestHeader + 14 + grouped_bytes(replicas, 4);
}

std::uint64_t AssignReplicasToDirsResponse::wire_bytes() const {
    std::vector<DirectoryAssignment> answered;
    answered.reserve(replicas.size());
    for (const DirectoryAssignmentResult& result : replicas) {
        answered.push_back(result.replica);
    }
    return kResponseHeader + 3 + grouped_bytes(answered, 6);
}

std::uint64_t BrokerHeartbeatResponse::wire_bytes() const { return kResponseHeader + 6; }

}  // namespace klab::protocol
