// SPDX-License-Identifier: Apache-2.0
//
// See assignments_manager.h.
#include "model/broker/assignments_manager.h"

#include <algorithm>
#include <utility>

#include "model/types/timer_kinds.h"

namespace klab::broker {

using protocol::kAssignmentsPerRequestMax;

namespace {

/// AssignmentsManager.STANDARD_BACKOFF.
constexpr std::int64_t kPauseMs = 100;
constexpr std::int64_t kPauseMaxMs = 10'000;

constexpr sim::TimerKey kTimer{
    static_cast<std::uint32_t>(types::TimerKind::kDirectoryAssignments), 0, 0};

Duration pause_after(std::int32_t failures) {
    std::int64_t pause = kPauseMs;
    for (std::int32_t i = 0; i < failures && pause < kPauseMaxMs; ++i) {
        pause *= 2;
    }
    return milliseconds(std::min(pause, kPauseMaxMs));
}

/// Assignment.valid: the topic is still there, and this broker is one of the replicas.
bool is_valid(const metadata::MetadataImage& image,
              const metadata::TopicIdPartition& replica,
              types::BrokerId broker) {
    const metadata::PartitionRegistration* const partition = image.partition(replica);
    return partition != nullptr && metadata::contains(partition->replicas, broker);
}

}  // namespace

void AssignmentsManager::on_assignment(sim::Context& ctx,
                                       const protocol::DirectoryAssignment& assignment) {
    ready_.insert_or_assign({assignment.topic_id, assignment.partition}, assignment.directory);
    reschedule(ctx);
}

void AssignmentsManager::reschedule(sim::Context& ctx) {
    const bool is_full = ready_.size() > kAssignmentsPerRequestMax && in_flight_.empty();
    const Duration pause = failures_ > 0 ? pause_after(failures_)
                           : is_full     ? Duration{}
                                         : pause_after(0);
    const Time then = ctx.monotonic() + pause;
    if (next_ && *next_ < then) {
        return;
    }
    next_ = then;
    ctx.set_timer(kTimer, pause, lane_);
}

bool AssignmentsManager::on_timer(sim::Context& ctx,
                                  ControllerChannel& channel,
                                  const metadata::MetadataImage& image,
                                  const sim::TimerFired& input) {
    if (!(input.key == kTimer)) {
        return false;
    }
    next_.reset();
    const metadata::BrokerRegistration* const self = image.broker(id_);
    if (!in_flight_.empty() || self == nullptr) {
        return true;  // after the answer, or with the next assignment
    }
    protocol::AssignReplicasToDirsRequest request;
    request.broker_id = id_;
    request.broker_epoch = self->epoch;
    while (!ready_.empty() && in_flight_.size() < kAssignmentsPerRequestMax) {
        const auto [replica, directory] = *ready_.begin();
        ready_.erase(ready_.begin());
        if (is_valid(image, replica, id_)) {
            in_flight_.emplace(replica, directory);
            request.replicas.push_back({directory, replica.topic_id, replica.partition});
        }
    }
    if (!in_flight_.empty()) {
        channel.submit(ctx, sim::make_message(std::move(request)), 0);
    }
    return true;
}

void AssignmentsManager::put_back(Assignments sent) {
    // One that came up meanwhile is newer.
    ready_.merge(std::move(sent));
}

void AssignmentsManager::on_outcome(sim::Context& ctx, const ControllerChannel::Outcome& outcome) {
    Assignments sent = std::exchange(in_flight_, {});
    const bool is_answer =
        outcome.response && outcome.response->is<protocol::AssignReplicasToDirsResponse>();
    if (!is_answer || outcome.response->as<protocol::AssignReplicasToDirsResponse>().error !=
                          types::ErrorCode::kNone) {
        ++failures_;
        put_back(std::move(sent));
    } else {
        failures_ = 0;
        for (const protocol::DirectoryAssignmentResult& result :
             outcome.response->as<protocol::AssignReplicasToDirsResponse>().replicas) {
            if (result.error == types::ErrorCode::kNone) {
                sent.erase({result.replica.topic_id, result.replica.partition});
            }
        }
        put_back(std::move(sent));
    }
    if (!ready_.empty()) {
        reschedule(ctx);
    }
}

}  // namespace klab::broker
