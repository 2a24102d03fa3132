// SPDX-License-Identifier: Apache-2.0
//
// MetadataLog: the log of __cluster_metadata-0 on one node's disk: record batches of format 2, one
// after the other, every one checked again at each start.
//
// Owns: the bytes of <directory>/00000000000000000000.log (durable), the places of its batches and
// the starts of its epochs (volatile, rebuilt from the bytes).
// Called by: quorum_node.cc.
// Kafka: KafkaRaftLog (KafkaMetadataLog), UnifiedLog opened with recovery point 0; KIP-595.
// Simplified: one segment, no index files, no snapshots, so the log is never cut at its start.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/storage/epoch_cache.h"
#include "sim/base/bytes.h"
#include "sim/base/cow_map.h"
#include "sim/disk/disk.h"
#include "sim/kernel/context.h"

namespace klab::raft {

/// Id of the topic __cluster_metadata, the same in every cluster.
inline constexpr types::Uuid kMetadataTopicId{0, 1};
inline constexpr std::string_view kMetadataTopic = "__cluster_metadata";
inline constexpr std::string_view kMetadataPartitionDirectory = "__cluster_metadata-0";

/// Nothing Kafka writes to the metadata log or fetches from it at once is larger.
inline constexpr std::size_t kBatchBytesMax = 8 * 1024 * 1024;

class MetadataLog {
  public:
    MetadataLog() = default;

    /// Opens the log in `directory`, making both when absent. Reads every batch, checks its
    /// checksum and that offsets and epochs go on, and cuts the file where that first fails.
    [[nodiscard]] static sim::DiskResult<MetadataLog> open(sim::DiskAccess disk,
                                                           const std::string& directory);

    /// Offset of the next record.
    [[nodiscard]] types::Offset end_offset() const { return end_offset_; }

    [[nodiscard]] types::Offset start_offset() const { return types::Offset(0); }

    /// Everything below is on the platter.
    [[nodiscard]] types::Offset flushed_offset() const { return flushed_offset_; }

    /// Epoch of the last batch; nothing when the log is empty.
    [[nodiscard]] std::optional<types::LeaderEpoch> last_epoch() const {
        return epochs_.latest_epoch();
    }

    [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

    /// Bytes that open() cut off because they were no valid batch.
    [[nodiscard]] std::uint64_t bytes_dropped() const { return bytes_dropped_; }

    /// Where the largest epoch not above `epoch` ends here.
    [[nodiscard]] storage::EpochEndOffset end_offset_for(types::LeaderEpoch epoch) const {
        return epochs_.end_offset_for(epoch, end_offset_);
    }

    /// Base offset of the last batch; nothing when the log is empty.
    [[nodiscard]] std::optional<types::Offset> last_batch() const { return last_batch_; }

    /// Adds whole batches. Requires: they start at end_offset() and carry their epoch.
    [[nodiscard]] sim::DiskResult<sim::Done> append(sim::DiskAccess disk, ByteView batches);

    /// Makes everything appended durable.
    [[nodiscard]] sim::DiskResult<sim::Done> sync(sim::DiskAccess disk);

    /// Whole batches from the one that holds `from`, as many as end at or below `below` and fit
    /// into `bytes_max`, but one at least. Empty when there is none. Requires: `from` is not below
    /// start_offset().
    [[nodiscard]] sim::DiskResult<Bytes> read(sim::DiskAccess disk,
                                              types::Offset from,
                                              types::Offset below,
                                              std::uint64_t bytes_max) const;

    friend bool operator==(const MetadataLog&, const MetadataLog&) = default;

  private:
    void note_batches(ByteView batches);

    std::optional<sim::FileId> file_;
    std::uint64_t size_bytes_ = 0;
    std::uint64_t bytes_dropped_ = 0;
    types::Offset end_offset_;
    types::Offset flushed_offset_;
    std::optional<types::Offset> last_batch_;
    CowMap<types::Offset, std::uint64_t> positions_;  // last offset of a batch -> its first byte
    storage::EpochCache epochs_;
};

}  // namespace klab::raft
