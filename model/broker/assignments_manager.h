// SPDX-License-Identifier: Apache-2.0
//
// AssignmentsManager: tells the controller in which log directory replicas are that lie elsewhere
// than the metadata say. Many of them go in one request: it leaves a moment after the first became
// known, and the next one only after its answer.
//
//     on_assignment --> ready --(100 ms)--> in flight --(answer)--> done
//                         ^------(error, no answer)------'          or ready again
//
// Owns: the assignments not acknowledged yet (volatile), timer kDirectoryAssignments.
// Called by: broker.cc.
// Kafka: AssignmentsManager, AssignmentsManagerDeadlineFunction; KIP-858.
// Simplified: the pause between failures grows without the jitter of 2 %.
#pragma once

#include <map>
#include <optional>

#include "model/broker/controller_channel.h"
#include "model/metadata/image.h"
#include "model/protocol/assign_replicas_to_dirs.h"
#include "sim/kernel/context.h"

namespace klab::broker {

class AssignmentsManager {
  public:
    AssignmentsManager() = default;

    AssignmentsManager(types::BrokerId id, sim::Lane lane) : id_(id), lane_(lane) {}

    /// A newer one of a replica takes the place of one that has not been sent.
    void on_assignment(sim::Context& ctx, const protocol::DirectoryAssignment& assignment);

    /// Says whether the timer was this manager's. Assignments of replicas that `image` no longer
    /// places here are dropped.
    [[nodiscard]] bool on_timer(sim::Context& ctx,
                                ControllerChannel& channel,
                                const metadata::MetadataImage& image,
                                const sim::TimerFired& input);

    void on_outcome(sim::Context& ctx, const ControllerChannel::Outcome& outcome);

    /// Assignments that the controller has not acknowledged.
    [[nodiscard]] std::size_t pending() const { return ready_.size() + in_flight_.size(); }

    friend bool operator==(const AssignmentsManager&, const AssignmentsManager&) = default;

  private:
    using Assignments = std::map<metadata::TopicIdPartition, types::Uuid>;

    void reschedule(sim::Context& ctx);
    void put_back(Assignments sent);

    types::BrokerId id_;
    sim::Lane lane_;
    Assignments ready_;
    Assignments in_flight_;
    std::int32_t failures_ = 0;  // requests in a row without an answer that counts
    std::optional<Time> next_;   // when the timer fires, on the monotonic clock
};

}  // namespace klab::broker
