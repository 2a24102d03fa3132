// SPDX-License-Identifier: Apache-2.0
//
// partition.metadata: the file in a log's directory that says to which topic the log belongs, so
// that a topic that was deleted and made anew under the same name while the broker was down is not
// mistaken for the old one.
//
//     version: 0
//     topic_id: AAAAAAAAAAAAAAAAAAAAAQ
//
// Owns: the text of the file. Called by: log_loading.cc.
// Kafka: PartitionMetadataFile, PartitionMetadataReadBuffer; KIP-516.
// Simplified: written when the log is made (Kafka: before its first append).
#pragma once

#include <optional>

#include "model/storage/append_error.h"
#include "model/storage/log.h"
#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"
#include "sim/kernel/context.h"

namespace klab::replication {

/// Two lines, no end of line behind the second.
[[nodiscard]] Bytes encode_partition_metadata(types::Uuid topic_id);

/// The topic id. As Kafka's reader it looks behind the ": " of the first two lines and at nothing
/// else. Nothing when there is no version from 0 on, or no id but zero.
[[nodiscard]] std::optional<types::Uuid> parse_partition_metadata(ByteView bytes);

/// The topic of a log; nothing when it has no such file. Errors: kStorage (the disk refused, or the
/// file cannot be understood).
[[nodiscard]] Result<std::optional<types::Uuid>, storage::AppendError> read_topic_id(
    sim::Context& ctx, const storage::Log& log);

/// Writes the file durably. Errors: kStorage.
[[nodiscard]] std::optional<storage::AppendError> write_topic_id(sim::Context& ctx,
                                                                 const storage::Log& log,
                                                                 types::Uuid topic_id);

}  // namespace klab::replication
