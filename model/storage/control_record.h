// SPDX-License-Identifier: Apache-2.0
//
// Control records: records that speak to the log, not to applications. The key says which kind; a
// commit or abort marker ends a producer's transaction in this partition.
//
// Called by: producer_state.cc; the transaction coordinator's markers and the metadata log.
// Kafka: ControlRecordType, EndTransactionMarker. KIP-98, KIP-595.
// Simplified: the values of the KRaft control records belong to the quorum's own code.
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/record_batch_builder.h"

namespace klab::storage {

enum class ControlType : std::int8_t {
    kUnknown = -1,  ///< a type this version does not know; readers skip it
    kAbort = 0,
    kCommit = 1,
    kLeaderChange = 2,
    kSnapshotHeader = 3,
    kSnapshotFooter = 4,
    kKRaftVersion = 5,
    kKRaftVoters = 6,
};

/// The type in a control record's key; nothing when the key is invalid (short or negative version).
[[nodiscard]] std::optional<ControlType> parse_control_type(ByteView key);

/// The four key bytes. Requires: not kUnknown.
[[nodiscard]] Bytes encode_control_key(ControlType type);

/// A commit or abort marker.
struct EndTransactionMarker {
    ControlType type = ControlType::kCommit;  ///< kCommit or kAbort
    std::int32_t coordinator_epoch = 0;

    friend bool operator==(const EndTransactionMarker&, const EndTransactionMarker&) = default;
};

/// The marker in this batch's first record; nothing when the batch is empty or no marker.
[[nodiscard]] std::optional<EndTransactionMarker> parse_end_transaction_marker(
    const RecordBatchView& batch);

/// Who writes a marker, where and when.
struct MarkerPlace {
    types::Offset base_offset;
    std::optional<types::LeaderEpoch> leader_epoch;
    types::ProducerId producer_id;
    types::ProducerEpoch producer_epoch;
    std::int64_t timestamp = 0;  ///< ms
};

/// A whole marker batch of 78 bytes.
[[nodiscard]] Bytes build_end_transaction_marker(const MarkerPlace& place,
                                                 const EndTransactionMarker& marker);

}  // namespace klab::storage
