// SPDX-License-Identifier: Apache-2.0
//
// BrokerLifecycleManager: a broker's life in the eyes of the controller, as the broker sees it:
// registration, heartbeats, asking to be unfenced, asking to shut down.
//
//     STARTING --(heartbeat: caught up)--> RECOVERY --(not fenced)--> RUNNING
//     RUNNING --(begin_controlled_shutdown)--> PENDING_CONTROLLED_SHUTDOWN
//             --(ShouldShutDown, or 5 min)--> SHUTTING_DOWN
//     any other state --(begin_controlled_shutdown)--> SHUTTING_DOWN
//
// Owns: state, broker epoch, incarnation id (volatile), timers kHeartbeat, kRegistrationTimeout and
// kShutdownTimeout. Sends through a ControllerChannel that the facade gives it.
// Called by: broker.cc. Kafka: BrokerLifecycleManager; KIP-631.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/broker/broker_lanes.h"
#include "model/broker/controller_channel.h"
#include "model/types/broker_config.h"
#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::broker {

enum class BrokerState : std::uint8_t {
    kNotRunning,
    kStarting,                   ///< not caught up with the metadata yet
    kRecovery,                   ///< caught up, fenced
    kRunning,                    ///< unfenced once; a broker fenced later stays RUNNING
    kPendingControlledShutdown,  ///< asks the controller to move its leaderships
    kShuttingDown
};

/// Kafka's name: "PENDING_CONTROLLED_SHUTDOWN".
[[nodiscard]] std::string_view to_text(BrokerState state);

class BrokerLifecycleManager {
  public:
    /// What the facade must do after an input.
    enum class Effect : std::uint8_t {
        kNone,
        kStartUpFailed,  ///< not registered in time: the process exits
        kShutDown        ///< SHUTTING_DOWN was reached: stop in order
    };

    BrokerLifecycleManager() = default;

    BrokerLifecycleManager(types::BrokerId id, const types::BrokerConfig& config, sim::Lane lane)
        : id_(id), config_(config), lane_(lane) {}

    /// Begins registration. `previous_epoch`: from the marker of a clean shutdown.
    void start(sim::Context& ctx,
               ControllerChannel& channel,
               std::optional<types::BrokerEpoch> previous_epoch);

    /// The broker has loaded its logs and published its first metadata.
    void set_ready_to_unfence(sim::Context& ctx, ControllerChannel& channel);

    [[nodiscard]] Effect begin_controlled_shutdown(sim::Context& ctx, ControllerChannel& channel);

    /// Highest metadata offset that the broker has loaded; heartbeats carry it.
    void set_loaded(types::Offset offset) { loaded_ = offset; }

    /// The controller has said once that this broker has seen its own registration.
    [[nodiscard]] bool is_caught_up() const {
        return state_ != BrokerState::kNotRunning && state_ != BrokerState::kStarting;
    }

    [[nodiscard]] Effect on_outcome(sim::Context& ctx, const ControllerChannel::Outcome& outcome);

    /// A timer of this manager; nothing when it is not its own.
    [[nodiscard]] std::optional<Effect> on_timer(sim::Context& ctx,
                                                 ControllerChannel& channel,
                                                 const sim::TimerFired& input);

    [[nodiscard]] BrokerState state() const { return state_; }

    [[nodiscard]] std::optional<types::BrokerEpoch> epoch() const { return epoch_; }

    friend bool operator==(const BrokerLifecycleManager&, const BrokerLifecycleManager&) = default;

  private:
    void transition_to(sim::Context& ctx, BrokerState next);
    void send(sim::Context& ctx, ControllerChannel& channel);
    void schedule(sim::Context& ctx, Duration delay);
    void schedule_after_failure(sim::Context& ctx);
    [[nodiscard]] Effect on_registration(sim::Context& ctx, const sim::MessageRef& response);
    [[nodiscard]] Effect on_heartbeat(sim::Context& ctx, const sim::MessageRef& response);

    types::BrokerId id_;
    types::BrokerConfig config_;
    sim::Lane lane_;
    BrokerState state_ = BrokerState::kNotRunning;
    types::Uuid incarnation_;
    std::optional<types::BrokerEpoch> previous_epoch_;
    std::optional<types::BrokerEpoch> epoch_;  // none until registered
    std::optional<types::Offset> loaded_;
    bool ready_to_unfence_ = false;
    bool request_in_flight_ = false;
    bool send_again_at_once_ = false;  // something to say came up while a request was in flight
    bool first_shutdown_heartbeat_ = false;
};

}  // namespace klab::broker
