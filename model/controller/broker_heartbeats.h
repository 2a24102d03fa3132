// SPDX-License-Identifier: Apache-2.0
//
// BrokerHeartbeats: the life of each broker in the eyes of the active controller, and the table of
// what a heartbeat does to it.
//
//     state                heartbeat asks                                next
//     FENCED               shut down                                     SHUTDOWN_NOW
//     FENCED               to be unfenced, and is caught up              UNFENCED
//     FENCED               anything else                                 FENCED
//     UNFENCED             fence and shut down                           SHUTDOWN_NOW
//     UNFENCED             fence                                         FENCED
//     UNFENCED             shut down, leads something                    CONTROLLED_SHUTDOWN
//     UNFENCED             shut down, leads nothing                      SHUTDOWN_NOW
//     CONTROLLED_SHUTDOWN  anything, leads something                     CONTROLLED_SHUTDOWN
//     CONTROLLED_SHUTDOWN  anything, all active brokers have replayed    SHUTDOWN_NOW
//                          the metadata up to its shutdown
//     CONTROLLED_SHUTDOWN  else                                          CONTROLLED_SHUTDOWN
//
// Owns: fenced, metadata offset and shutdown offset of each broker (volatile, active controller
// only).
// Called by: controller_state.cc, heartbeat_decision.cc, striped_replica_placer.h (usable brokers).
// Kafka: BrokerHeartbeatManager; KIP-631.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/protocol/broker_lifecycle.h"
#include "sim/base/cow_map.h"

namespace klab::controller {

enum class BrokerControlState : std::uint8_t {
    kFenced,
    kUnfenced,
    kControlledShutdown,
    kShutdownNow,
};

[[nodiscard]] std::string_view to_text(BrokerControlState state);

struct BrokerHeartbeatState {
    bool fenced = true;
    std::optional<types::Offset> metadata_offset;  ///< from its last heartbeat, none: unknown
    std::optional<types::Offset> controlled_shutdown_offset;  ///< set once it began to shut down

    [[nodiscard]] bool is_shutting_down() const { return controlled_shutdown_offset.has_value(); }

    /// Counts when a broker in shutdown waits for the others.
    [[nodiscard]] bool is_active() const { return !fenced && !is_shutting_down(); }

    friend bool operator==(const BrokerHeartbeatState&, const BrokerHeartbeatState&) = default;
};

struct BrokerControlStates {
    BrokerControlState current = BrokerControlState::kFenced;
    BrokerControlState next = BrokerControlState::kFenced;

    friend bool operator==(const BrokerControlStates&, const BrokerControlStates&) = default;
};

class BrokerHeartbeats {
  public:
    /// The state of a registered broker, nullptr for others.
    [[nodiscard]] const BrokerHeartbeatState* find(types::BrokerId broker) const {
        return brokers_.find(broker);
    }

    [[nodiscard]] const CowMap<types::BrokerId, BrokerHeartbeatState>& all() const {
        return brokers_;
    }

    /// Has every active broker said that it has replayed the metadata up to `offset`? True when
    /// there is no active broker.
    [[nodiscard]] bool every_active_broker_reached(types::Offset offset) const;

    /// The table above. Requires: the broker is registered.
    [[nodiscard]] BrokerControlStates next_state(const protocol::BrokerHeartbeatRequest& request,
                                                 types::Offset register_record_offset,
                                                 bool leads_something) const;

    /// A registration or a change of it was replayed. Forgets the metadata offset, except when
    /// `fenced` is news.
    void register_broker(types::BrokerId broker, bool fenced);

    /// A heartbeat was handled. A fenced broker is not in controlled shutdown any more. Requires:
    /// the broker is registered.
    void touch(types::BrokerId broker, bool fenced, std::optional<types::Offset> metadata_offset);

    /// The session of the broker ran out; it keeps its other fields.
    void fence(types::BrokerId broker);

    /// The first offset stays. Requires: the broker is registered and not fenced.
    void enter_controlled_shutdown(types::BrokerId broker, types::Offset offset);

    void remove(types::BrokerId broker) { brokers_.erase(broker); }

    void clear() { brokers_.clear(); }

    friend bool operator==(const BrokerHeartbeats&, const BrokerHeartbeats&) = default;

  private:
    [[nodiscard]] BrokerHeartbeatState& state_of(types::BrokerId broker);

    CowMap<types::BrokerId, BrokerHeartbeatState> brokers_;
};

}  // namespace klab::controller
