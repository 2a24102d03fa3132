// SPDX-License-Identifier: Apache-2.0
//
// QuorumNode: one node of the quorum that keeps __cluster_metadata. It leads the log, appends what
// the controller hands over, tells it what is committed, and serves the log to brokers.
//
//     append() -> accumulator -(linger)-> log + fsync -(fsync done)-> high watermark, answers
//
// With one voter an epoch is won at once at every start, and the high watermark is what the fsync
// covers. Votes, roles and followers that are voters come beside this file; append(), epoch() and
// high_watermark() stay.
//
// Owns: epoch, leader and epoch start (durable in quorum-state and in the log), the high watermark
// and parked fetches (volatile).
// Called by: controller_node.cc.
// Kafka: KafkaRaftClient, LeaderState; KIP-595.
// Simplified: one voter, no snapshots, records above the high watermark are not served.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/protocol/fetch.h"
#include "model/raft/batch_accumulator.h"
#include "model/raft/metadata_log.h"
#include "sim/kernel/context.h"
#include "sim/kernel/input.h"

namespace klab::raft {

/// Who this node is in the quorum, and its settings.
struct QuorumSpec {
    types::BrokerId id;
    std::vector<types::BrokerId> voters;
    std::string log_directory;       ///< metadata.log.dir
    std::int64_t segment_bytes = 0;  ///< metadata.log.segment.bytes
    Duration append_linger;          ///< controller.quorum.append.linger.ms
    sim::Lane lane;                  ///< the Raft thread: appends, fsyncs, fetches

    friend bool operator==(const QuorumSpec&, const QuorumSpec&) = default;
};

/// What an input led to, for the listener of the log.
struct QuorumProgress {
    bool committed = false;  ///< high_watermark() rose
    bool failed = false;     ///< the disk refused: the process must end

    friend bool operator==(const QuorumProgress&, const QuorumProgress&) = default;
};

class QuorumNode {
  public:
    QuorumNode() = default;

    explicit QuorumNode(QuorumSpec spec) : spec_(std::move(spec)) {}

    // --- questions

    [[nodiscard]] types::QuorumEpoch epoch() const { return epoch_; }

    [[nodiscard]] std::optional<types::BrokerId> leader() const { return leader_; }

    [[nodiscard]] bool is_leader() const { return leader_ == spec_.id; }

    /// First offset of this epoch: its LeaderChange record.
    [[nodiscard]] types::Offset epoch_start() const { return epoch_start_; }

    /// Everything below is committed. Nothing until a record of this epoch is.
    [[nodiscard]] std::optional<types::Offset> high_watermark() const { return high_watermark_; }

    /// Offset that the next record handed to append() gets.
    [[nodiscard]] types::Offset next_offset() const { return accumulator_.next_offset(); }

    [[nodiscard]] const MetadataLog& log() const { return log_; }

    // --- the log's user

    /// Opens the log, raises the epoch, and begins to lead it: quorum-state and the LeaderChange
    /// record are durable before anything of the epoch is committed.
    [[nodiscard]] QuorumProgress start(sim::Context& ctx);

    /// Hands over the values of records; they land in one batch. Returns the offset of the last
    /// one. Nothing when they are larger than a batch may be. Requires: is_leader(), not empty.
    [[nodiscard]] std::optional<types::Offset> append(sim::Context& ctx,
                                                      std::span<const Bytes> values);

    /// Whole batches of the committed log from `from` on, `bytes_max` at most but one batch.
    /// Errors: those of MetadataLog::read.
    [[nodiscard]] Result<Bytes, types::ErrorCode> read_committed(sim::Context& ctx,
                                                                 types::Offset from,
                                                                 std::int32_t bytes_max) const;

    // --- inputs

    /// A timer of TimerKind kAppendLinger, kMetadataFlushed or kDelayedMetadataFetch.
    [[nodiscard]] QuorumProgress on_timer(sim::Context& ctx, const sim::TimerKey& key);

    void on_fetch(sim::Context& ctx,
                  sim::ConnectionId connection,
                  std::int32_t correlation,
                  const protocol::FetchRequest& request);

    void on_disconnected(sim::Context& ctx, sim::ConnectionId connection);

    friend bool operator==(const QuorumNode&, const QuorumNode&) = default;

  private:
    /// A fetch that found nothing new and waits.
    struct ParkedFetch {
        sim::ConnectionId connection;
        std::int32_t correlation = 0;
        types::Offset offset;
        std::int32_t bytes_max = 0;

        friend bool operator==(const ParkedFetch&, const ParkedFetch&) = default;
    };

    [[nodiscard]] bool begin_epoch(sim::Context& ctx);
    [[nodiscard]] bool append_to_log(sim::Context& ctx, ByteView batches);
    [[nodiscard]] QuorumProgress drain(sim::Context& ctx);
    [[nodiscard]] QuorumProgress advance_high_watermark(sim::Context& ctx);
    void complete_parked_fetches(sim::Context& ctx);
    void expire_parked_fetch(sim::Context& ctx, const sim::TimerKey& key);
    [[nodiscard]] protocol::FetchPartitionResult empty_result() const;
    [[nodiscard]] std::optional<protocol::DivergingEpoch> find_divergence(
        const protocol::FetchPartition& fetch) const;

    QuorumSpec spec_;
    types::QuorumEpoch epoch_;
    std::optional<types::BrokerId> leader_;
    types::Offset epoch_start_;
    std::optional<types::Offset> high_watermark_;
    MetadataLog log_;
    BatchAccumulator accumulator_;
    bool flushing_ = false;  // an fsync is under way; its end is announced by kMetadataFlushed
    std::vector<ParkedFetch> parked_;
};

/// The error of a fetch whose epochs or offsets cannot be, kNone otherwise (reference: leader-only
/// requests are fenced by the epoch of the quorum).
[[nodiscard]] types::ErrorCode check_metadata_fetch(const protocol::FetchRequest& request,
                                                    types::QuorumEpoch epoch,
                                                    bool is_leader);

}  // namespace klab::raft
