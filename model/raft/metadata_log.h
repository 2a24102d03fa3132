// SPDX-License-Identifier: Apache-2.0
//
// MetadataLog: the log of __cluster_metadata-0 on one node's disk: a log like that of any
// partition, but checked from its first byte at every start, and written only by Raft.
//
// Owns: the log in <metadata.log.dir>/__cluster_metadata-0, and up to where it is flushed.
// Called by: quorum_node.cc.
// Kafka: KafkaRaftLog (KafkaMetadataLog), UnifiedLog with recovery point 0; KIP-595.
// Simplified: no snapshots, so the log is never cut at its start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/storage/log.h"
#include "model/types/rules.h"
#include "sim/base/bytes.h"

namespace klab::raft {

/// Id of the topic __cluster_metadata, the same in every cluster.
inline constexpr types::Uuid kMetadataTopicId{0, 1};
inline constexpr std::string_view kMetadataTopic = "__cluster_metadata";

/// Nothing Kafka writes to the metadata log or fetches from it at once is larger.
inline constexpr std::int32_t kBatchBytesMax = 8 * 1024 * 1024;

class MetadataLog {
  public:
    MetadataLog() = default;

    /// Opens the log below `log_directory`, making it when absent. Every batch is checked, and the
    /// log ends before the first bad byte. What is found is made durable before it counts.
    /// Errors: kStorage.
    [[nodiscard]] static Result<MetadataLog, storage::AppendError> open(
        storage::DiskPort disk, const std::string& log_directory, std::int64_t segment_bytes);

    /// Where the files of this log are; also the place of quorum-state.
    [[nodiscard]] const std::string& directory() const { return log_.directory(); }

    /// Offset of the next record.
    [[nodiscard]] types::Offset end_offset() const { return log_.log_end_offset(); }

    [[nodiscard]] types::Offset start_offset() const { return log_.log_start_offset(); }

    /// Everything below is on the platter.
    [[nodiscard]] types::Offset flushed_offset() const { return log_.recovery_point(); }

    /// Epoch of the last batch; nothing when the log is empty.
    [[nodiscard]] std::optional<types::LeaderEpoch> last_epoch() const {
        return log_.latest_epoch();
    }

    /// Where the largest epoch not above `epoch` ends here.
    [[nodiscard]] storage::EpochEndOffset end_offset_for(types::LeaderEpoch epoch) const {
        return log_.end_offset_for_epoch(epoch);
    }

    /// What recovery found and dropped at open().
    [[nodiscard]] const storage::RecoveryFact& recovered() const { return recovered_; }

    /// Adds whole batches. Requires: they start at end_offset() and carry this epoch. Errors: the
    /// disk refused, or a batch is no batch.
    [[nodiscard]] std::optional<storage::AppendError> append(storage::DiskPort disk,
                                                             const types::Rules& rules,
                                                             types::LeaderEpoch epoch,
                                                             ByteView batches);

    /// Makes everything appended durable. Errors: kStorage.
    [[nodiscard]] std::optional<storage::AppendError> flush(storage::DiskPort disk) {
        return log_.flush(disk);
    }

    /// Whole batches from the one that holds `from`, as many as end below `below` and fit into
    /// `bytes_max`, but one at least. Empty when there is none.
    /// Errors: kOffsetOutOfRange, kKafkaStorageError.
    [[nodiscard]] Result<Bytes, types::ErrorCode> read(storage::DiskPort disk,
                                                       types::Offset from,
                                                       types::Offset below,
                                                       std::int32_t bytes_max) const;

    friend bool operator==(const MetadataLog&, const MetadataLog&) = default;

  private:
    storage::Log log_;
    storage::RecoveryFact recovered_;
};

}  // namespace klab::raft
