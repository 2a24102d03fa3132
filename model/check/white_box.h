// SPDX-License-Identifier: Apache-2.0
//
// WhiteBox: the invariants that look into brokers and controllers at every step. It follows the
// trace (partition_track.h), asks the rules at the events that could break them, and looks into the
// world only where the trace does not say enough.
//
//     event                                 rules
//     log.appended                          P9, P5, IDEMPOTENCE
//     log.truncated, log.recovered          P21, P3, P13, P15
//     leader.started, follower.started      P1, P2, P10, P14
//     hw.advanced                           P8, P17, P13, P15, P4
//     isr.proposed, isr.expanded, .shrunk   P20, P10, P13, P14, P16
//     produce.waiting, produce.completed    P18, ANSWER
//     partition.changed                     P10, P11, P14, M7, P19, P22, P3, P15, P16, P12
//     broker.*                              P12, M4
//     metadata.*                            M2, M3
//     record.acked, record.polled           P1, P3, P6
//     position.reset                        P7
//
// Owns: tracks of partitions and brokers. Called by: checker.cc.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/check/rule_context.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"

namespace klab::check {

class WhiteBox {
  public:
    WhiteBox() = default;
    /// `noted`: the kinds that a report may show as the last events of a node.
    WhiteBox(const types::ModelData& data, const sim::KindSet& noted);

    /// Kinds it needs to see.
    static void add_wanted(sim::KindSet& kinds);

    /// The events of one step, in order.
    void observe(const ClusterSight& sight, std::span<const sim::Event> events, Findings& findings);

    /// At the end of the run: P22 without an operator, P24, M1. `lost_weak`: records lost with
    /// acks=0 or 1, by partition as events name it.
    void finish(const ClusterSight& sight,
                const std::map<std::int64_t, std::uint64_t>& lost_weak,
                Findings& findings);

    /// Compares every track with the cluster and recomputes what it can from the disks (P4, P8,
    /// P2). One sentence for each disagreement.
    [[nodiscard]] std::vector<std::string> full_scan(const ClusterSight& sight,
                                                     const Findings& findings) const;

    // --- for the history oracle and expressions

    /// Why a loss in the partition is allowed, when every loss so far was; nothing without a loss.
    [[nodiscard]] Excuse excuse_of_partition(std::int64_t partition) const;

    /// When the partition last got another leader; nothing if it never did.
    [[nodiscard]] std::optional<sim::EventId> leader_changed(std::int64_t partition) const;

    /// All running replicas hold the same batches. False for an unknown partition.
    [[nodiscard]] bool logs_equal(std::int64_t partition) const;

    [[nodiscard]] const PartitionTrack* track(std::int64_t partition) const;

    friend bool operator==(const WhiteBox&, const WhiteBox&) = default;

  private:
    /// The run ended while nobody of the ISR ran: what is left of their logs shows at the restart.
    [[nodiscard]] Excuse excuse_without_power(const PartitionTrack& p) const;

    /// An ISR that changed without its leader: by a proposal, unless a broker changed in this step.
    struct IsrChange {
        sim::Event event;
        ControlTrack before;
    };

    /// What the step touched and must be looked at again at its end.
    struct Touched {
        std::vector<IsrChange> isrs;
        std::vector<std::int64_t> partitions;  ///< ISR or leader changed
        std::vector<std::int64_t> led;         ///< got a leader
        bool brokers = false;                  ///< state of a broker changed
    };

    void on_event(const RuleContext& ctx, Touched& touched);
    void on_node_event(const RuleContext& ctx);
    void on_log_event(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r);
    void on_role_event(const RuleContext& ctx, PartitionTrack& p, types::BrokerId broker);
    void on_isr_event(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r);
    void on_produce_event(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r);
    void on_broker_event(const RuleContext& ctx);
    void on_metadata_event(const RuleContext& ctx);
    void on_partition_changed(const RuleContext& ctx, PartitionTrack& p, Touched& touched);
    void on_client_event(const RuleContext& ctx, PartitionTrack& p);
    void on_topic_deleted(const RuleContext& ctx);
    void on_partition_event(const RuleContext& ctx, Touched& touched);
    void end_step(const ClusterSight& sight,
                  const sim::Event& last,
                  const Touched& touched,
                  Findings& findings);

    [[nodiscard]] PartitionTrack& track_for_write(std::int64_t partition);
    [[nodiscard]] std::optional<types::BrokerId> broker_at(std::optional<sim::NodeId> node) const;

    types::Rules rules_;
    sim::KindSet own_;    // kinds it looks at; others may be in a step too
    sim::KindSet noted_;  // kinds that count as the last events of a node
    BrokerTracks brokers_;
    std::vector<sim::NodeId> latest_readers_;  // consumers that reset to the latest offset
    CowMap<std::int64_t, Cow<PartitionTrack>> partitions_;
    std::int64_t committed_metadata_ = -1;                       // last offset
    std::vector<std::pair<std::int64_t, sim::NodeId>> authors_;  // of metadata, by quorum epoch
    std::vector<Violation>
        unclean_unasked_;  // unclean elections that wait for an operator's answer
};

}  // namespace klab::check
