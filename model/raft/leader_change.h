// SPDX-License-Identifier: Apache-2.0
//
// LeaderChange: the control record with which every epoch of the metadata log begins. Nothing of an
// epoch counts as committed before this record is.
//
// Called by: quorum_node.cc (writes it).
// Kafka: LeaderChangeMessage.json v0, MemoryRecords.withLeaderChangeMessage; KIP-595.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/storage/record_batch.h"
#include "model/types/kafka_ids.h"

namespace klab::raft {

struct LeaderChangeMessage {
    types::BrokerId leader;
    std::vector<types::BrokerId> voters;
    std::vector<types::BrokerId> granting_voters;

    friend bool operator==(const LeaderChangeMessage&, const LeaderChangeMessage&) = default;
};

/// A whole control batch with this record.
[[nodiscard]] Bytes build_leader_change(types::Offset offset,
                                        types::LeaderEpoch epoch,
                                        std::int64_t timestamp_ms,
                                        const LeaderChangeMessage& message);

/// The message in a control batch; nothing when the batch holds something else.
[[nodiscard]] std::optional<LeaderChangeMessage> parse_leader_change(
    const storage::RecordBatchView& batch);

}  // namespace klab::raft
