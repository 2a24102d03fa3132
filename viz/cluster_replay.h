// SPDX-License-Identifier: Apache-2.0
//
// The state of the cluster at one instant, rebuilt from the events before it: which process runs,
// who is fenced, who leads, what each replica's log holds and what was cut from it, which links are
// cut. Owns: the rebuilt state. Called by: log_from_trace, topology_from_trace,
// sequence_from_trace. Simplified: logs start at offset 0 as long as no event says that records
// were deleted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "viz/palette.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// One record in a rebuilt log.
struct ReplayRecord {
    std::int32_t leader_epoch = 0;
    std::int64_t crc = 0;  ///< Of its batch.
    sim::EventId event;    ///< That appended (or cut) it.
};

/// One replica as its broker sees it.
struct ReplayReplica {
    std::map<std::int64_t, ReplayRecord> records;  ///< By offset.
    std::map<std::int64_t, ReplayRecord> cut;      ///< By offset; the newest cut wins.
    std::int64_t log_end_offset = 0;
    std::optional<std::int64_t> log_end_before_cut;
    std::optional<std::int64_t> high_watermark;
    std::optional<std::int32_t> leading_epoch;  ///< Set while it believes to lead.
    std::optional<std::int32_t> following;      ///< Broker id it follows.
    std::string note;                           ///< About the last cut.
};

/// A partition as the controller sees it.
struct ReplayPartition {
    std::optional<std::int32_t> leader;
    std::int32_t leader_epoch = 0;
    std::vector<std::int32_t> isr;
    std::vector<std::int32_t> replicas;
    std::map<sim::NodeId, ReplayReplica> logs;
};

struct ReplayNode {
    bool is_running = false;
    bool is_paused = false;
    bool is_registered = false;
    bool is_fenced = false;
    bool was_unfenced = false;  ///< Since its last registration.
    std::optional<std::int64_t> broker_epoch;
};

class ClusterReplay {
  public:
    explicit ClusterReplay(const TraceView& view) : view_(view) {}

    /// Applies the events up to `at` (inclusive, counted from the scenario's time 0). Can be called
    /// again with a later instant.
    void advance_to(Time at);

    void apply(const sim::Event& event);

    /// Down before paused before fenced before starting before up.
    [[nodiscard]] NodeState node_state(sim::NodeId node) const;

    [[nodiscard]] const ReplayNode& node(sim::NodeId node) const;

    [[nodiscard]] const std::map<PartitionKey, ReplayPartition>& partitions() const {
        return partitions_;
    }

    /// What the controller and the process state say about a replica.
    [[nodiscard]] ReplicaState replica_state(const ReplayPartition& partition,
                                             std::int32_t broker) const;

    /// Cut ways, as sender and receiver.
    [[nodiscard]] const std::set<std::pair<sim::NodeId, sim::NodeId>>& cuts() const {
        return cuts_;
    }

    [[nodiscard]] std::optional<std::int64_t> metadata_end_offset() const {
        return metadata_end_offset_;
    }

    [[nodiscard]] std::optional<std::int32_t> quorum_epoch() const { return quorum_epoch_; }

  private:
    void apply_node(const sim::Event& event);
    void apply_link(const sim::Event& event);
    void apply_log(const sim::Event& event);
    void apply_role(const sim::Event& event);
    void apply_controller(const sim::Event& event);
    ReplayReplica& log_of(const sim::Event& event);
    void cut_from(ReplayReplica& log, std::int64_t offset, sim::EventId event) const;

    const TraceView& view_;
    std::uint64_t next_ = 0;  ///< Index of the next event to apply.
    std::map<sim::NodeId, ReplayNode> nodes_;
    std::map<PartitionKey, ReplayPartition> partitions_;
    std::set<std::pair<sim::NodeId, sim::NodeId>> cuts_;
    std::optional<std::int64_t> metadata_end_offset_;
    std::optional<std::int32_t> quorum_epoch_;
};

}  // namespace klab::viz
