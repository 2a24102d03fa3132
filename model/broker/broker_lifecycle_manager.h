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
// Owns: state, broker epoch, incarnation id, failed log directories (volatile), timers kHeartbeat,
// kRegistrationTimeout, kLogDirFailure and kShutdownTimeout. Sends through a ControllerChannel that
// the facade gives it. Called by: broker.cc. Kafka: BrokerLifecycleManager; KIP-631, KIP-858.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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
        kStop,           ///< a failed log directory could not be told: begin a controlled shutdown
        kShutDown        ///< SHUTTING_DOWN was reached: stop in order
    };

    /// What a process knows of itself when it registers.
    struct Registrant {
        std::optional<types::BrokerEpoch> previous_epoch;  ///< from markers of a clean shutdown
        std::vector<types::Uuid> log_dirs;                 ///< those online, ascending

        friend bool operator==(const Registrant&, const Registrant&) = default;
    };

    BrokerLifecycleManager() = default;

    BrokerLifecycleManager(types::BrokerId id, const types::BrokerConfig& config, sim::Lane lane)
        : id_(id), config_(config), lane_(lane) {}

    /// Begins registration.
    void start(sim::Context& ctx, ControllerChannel& channel, Registrant registrant);

    /// A log directory has failed: the next heartbeat, which goes out at once, says so. Without an
    /// answer for log.dir.failure.timeout.ms the broker stops (KIP-858).
    void propagate_log_dir_failure(sim::Context& ctx,
                                   ControllerChannel& channel,
                                   const types::Uuid& directory);

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
    Registrant registrant_;
    std::vector<types::Uuid> offline_dirs_;    // since the start, in the order of their failing
    std::size_t dirs_told_ = 0;                // so many of them the controller knows
    std::size_t dirs_sent_ = 0;                // so many the request in flight names
    std::optional<types::BrokerEpoch> epoch_;  // none until registered
    std::optional<types::Offset> loaded_;
    bool ready_to_unfence_ = false;
    bool request_in_flight_ = false;
    bool send_again_at_once_ = false;  // something to say came up while a request was in flight
    bool first_shutdown_heartbeat_ = false;
};

}  // namespace klab::broker
