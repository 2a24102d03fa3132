// SPDX-License-Identifier: Apache-2.0
//
// ControllerNode: one KRaft controller process. This facade routes: requests to the rule that
// decides them, decisions to the metadata log, commits to the answers that wait for them.
//
//     request -> decide (pure) -> append to the log -> replay in memory -> ... fsync -> answer
//
//     rule                                    file
//     who leads, what the ISR is              partition_change_builder.cc, leader_election.cc
//     registration, fencing, heartbeats       broker_registration.cc, broker_fencing.cc,
//                                             heartbeat_decision.cc, broker_heartbeats.cc
//     ISR proposals of leaders                alter_partition_decision.cc
//     topics, placement, settings             topic_creation.cc, striped_replica_placer.cc,
//                                             topic_deletion.cc, config_changes.cc,
//                                             partition_creation.cc
//     replicas that move                      reassignment.cc, reassignment_completion.cc
//     elections asked for                     leader_elections.cc
//     producer ids                            producer_id_blocks.cc
//     start, recovery, activation             controller_lifecycle.cc
//     appending, committing, answering        controller_writes.cc
//     periodic tasks                          controller_tasks.cc
//
// Owns: the deferred answers, the committed image, and whether this controller is active.
// Called by: kafka_world (step), checks and pictures (questions).
// Kafka: QuorumController, ControllerServer, ControllerApis; KIP-500, KIP-631.
// Simplified: one voter, so an active controller stays active until its process ends.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/controller/commit_notes.h"
#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/raft/quorum_node.h"
#include "model/types/model_data.h"
#include "sim/kernel/context.h"
#include "sim/kernel/input.h"

namespace klab::controller {

/// Threads of a controller process.
inline constexpr sim::Lane kControllerLane{0};  ///< events of the controller: requests, tasks
inline constexpr sim::Lane kRaftLane{1};        ///< the metadata log: appends, fsyncs, fetches
inline constexpr std::uint16_t kControllerLaneCount = 2;

/// metadata.log.dir, as in Kafka's own examples.
inline constexpr std::string_view kMetadataLogDirectory = "/tmp/kraft-controller-logs";

class ControllerNode {
  public:
    ControllerNode() = default;

    /// The process before its first input. Requires: the settings of `spec` are valid.
    [[nodiscard]] static ControllerNode boot(const types::ModelData& data,
                                             const types::ControllerSpec& spec);

    void step(const sim::Input& input, sim::Context& ctx);

    // --- questions, for checks and pictures

    /// Makes decisions: it leads the quorum and has replayed the log.
    [[nodiscard]] bool is_active() const { return active_; }

    /// Epoch of the quorum.
    [[nodiscard]] types::QuorumEpoch epoch() const { return quorum_.epoch(); }

    /// The metadata as committed. Empty before activation.
    [[nodiscard]] const metadata::MetadataImage& committed_image() const { return committed_; }

    /// The metadata as decided, which runs ahead of committed_image().
    [[nodiscard]] const metadata::MetadataImage& decided_image() const { return state_.image; }

    /// What the rules decide on: heartbeats, contact times, indexes.
    [[nodiscard]] const ControllerState& state() const { return state_; }

    [[nodiscard]] const raft::QuorumNode& quorum() const { return quorum_; }

    friend bool operator==(const ControllerNode&, const ControllerNode&) = default;

  private:
    /// Records in the log that are not committed yet.
    struct PendingWrite {
        types::Offset last_offset;
        metadata::MetadataImage image;  // after them
        std::vector<CommitNote> notes;  // events to emit when they are committed

        friend bool operator==(const PendingWrite&, const PendingWrite&) = default;
    };

    /// An answer that waits until an offset is committed.
    struct DeferredAnswer {
        types::Offset offset;
        sim::ConnectionId connection;
        std::int32_t correlation = 0;
        sim::MessageRef response;
        sim::EventId cause;

        friend bool operator==(const DeferredAnswer&, const DeferredAnswer&) = default;
    };

    /// Where an answer goes.
    struct ReplyTo {
        sim::ConnectionId connection;
        std::int32_t correlation = 0;
    };

    [[nodiscard]] ControllerView view(const sim::Context& ctx) const;

    // controller_lifecycle.cc
    void on_booted(sim::Context& ctx);
    void claim(sim::Context& ctx);
    [[nodiscard]] bool recover(sim::Context& ctx);
    [[nodiscard]] bool announce_last_batch(sim::Context& ctx, ByteView batches);

    // controller_writes.cc
    /// Appends the records and replays them in memory. Returns the offset of the last one; nothing
    /// when there were none.
    [[nodiscard]] std::optional<types::Offset> write(
        sim::Context& ctx,
        std::span<const metadata::MetadataRecord> records,
        std::span<const ElectionReport> elections,
        const std::optional<BrokerNote>& broker);
    [[nodiscard]] std::optional<types::Offset> append(
        sim::Context& ctx, std::span<const metadata::MetadataRecord> records);
    [[nodiscard]] std::vector<CommitNote> replay(sim::Context& ctx,
                                                 types::Offset first,
                                                 std::span<const metadata::MetadataRecord> records,
                                                 const NoteContext& context);
    void answer_later(sim::Context& ctx, ReplyTo to, sim::MessageRef response);
    void on_progress(sim::Context& ctx, raft::QuorumProgress progress);
    void on_committed(sim::Context& ctx);

    template <typename T>
    std::optional<types::Offset> write(sim::Context& ctx, const Decision<T>& decision) {
        return write(ctx, decision.records, decision.elections, decision.broker);
    }

    // request_dispatch.cc
    void on_delivered(sim::Context& ctx, const sim::Delivered& delivered);
    void dispatch(sim::Context& ctx, const sim::Delivered& delivered);
    void refuse(sim::Context& ctx, const sim::Delivered& delivered);
    void on_heartbeat(sim::Context& ctx, const sim::Delivered& delivered);
    void on_registration(sim::Context& ctx, const sim::Delivered& delivered);
    void on_alter_partition(sim::Context& ctx, const sim::Delivered& delivered);
    void on_create_topics(sim::Context& ctx, const sim::Delivered& delivered);
    void on_create_partitions(sim::Context& ctx, const sim::Delivered& delivered);
    template <typename Request, typename Response>
    void decide_and_answer(sim::Context& ctx,
                           const sim::Delivered& delivered,
                           Decision<Response> (*decide)(const ControllerView&, const Request&));

    // controller_tasks.cc
    void start_tasks(sim::Context& ctx);
    void on_timer(sim::Context& ctx, const sim::TimerKey& key);
    void check_stale_brokers(sim::Context& ctx);
    void write_no_op(sim::Context& ctx);
    void run_preferred_elections(sim::Context& ctx);
    void run_unclean_elections(sim::Context& ctx);

    types::BrokerId id_;
    std::string name_;
    types::ControllerConfig config_;
    types::Uuid cluster_id_;
    raft::QuorumNode quorum_;
    ControllerState state_;
    metadata::MetadataImage committed_;
    std::deque<PendingWrite> pending_;    // ascending by offset
    std::deque<DeferredAnswer> answers_;  // ascending by offset
    bool active_ = false;
    bool halting_ = false;  // the log directory failed: nothing is done any more
};

}  // namespace klab::controller
