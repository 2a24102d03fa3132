// SPDX-License-Identifier: Apache-2.0
//
// Connections as TCP has them: two ends, an ordered stream each way, what is in flight on each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/fifo.h"
#include "sim/base/time.h"
#include "sim/kernel/input.h"
#include "sim/kernel/message.h"
#include "sim/trace/event.h"

namespace klab::sim {

enum class ParcelKind : std::uint8_t { kOpen, kAccept, kData, kClose, kReset };

/// One thing on the wire.
struct Parcel {
    ParcelKind kind = ParcelKind::kData;
    Time sent_at;
    Time arrival;              ///< earliest; later when the stream stalls
    EventId sent_event;        ///< message.sent, for data
    std::uint64_t number = 0;  ///< of the message, for data
    std::int32_t correlation = 0;
    MessageRef message;
    events::CloseReason reason = events::CloseReason::kClosedByPeer;

    friend bool operator==(const Parcel&, const Parcel&) = default;
};

/// The stream from one end to the other.
struct Stream {
    Fifo<Parcel> in_flight;      ///< in order; only the head is scheduled
    Time last_arrival;           ///< parcels never overtake
    std::uint32_t schedule = 0;  ///< number of the valid queue entry for the head
    bool scheduled = false;
    bool stalled = false;     ///< cut link or powered-off receiver: TCP retransmits
    bool held = false;        ///< by a scenario's `hold`
    bool black_hole = false;  ///< by a scenario's `drop`

    friend bool operator==(const Stream&, const Stream&) = default;
};

/// opening -> (accept) open -> closed | dead. A dead end lost its process: it answers with a reset.
enum class EndState : std::uint8_t { kOpening, kOpen, kClosed, kDead };

struct Connection {
    ConnectionId id;
    std::array<NodeId, 2> ends;  ///< [0] asked for it
    std::array<Lane, 2> lanes;
    std::array<EndState, 2> states{EndState::kOpening, EndState::kOpening};
    std::uint32_t purpose = 0;
    EventId opened_because;
    std::array<Stream, 2> streams;  ///< [i] flows away from ends[i]

    friend bool operator==(const Connection&, const Connection&) = default;

    /// Which end is `node`'s. Requires: one of them.
    [[nodiscard]] std::size_t end_of(NodeId node) const { return ends[0] == node ? 0 : 1; }

    [[nodiscard]] bool finished() const {
        const auto over = [](EndState s) { return s == EndState::kClosed || s == EndState::kDead; };
        return over(states[0]) && over(states[1]) && streams[0].in_flight.empty() &&
               streams[1].in_flight.empty();
    }
};

/// Standing condition of the way from one node to another.
struct LinkFault {
    NodeId from;
    NodeId to;
    bool cut = false;
    std::uint64_t cut_number = 0;  ///< of the last cut, for its timed end
    Duration extra_latency;
    std::uint64_t slow_number = 0;        ///< of the last slow_link, for its timed end
    std::optional<Duration> latency_low;  ///< other base latency than the network's
    std::optional<Duration> latency_high;
    std::uint32_t loss_num = 0;  ///< a packet needs a retransmission with num/den probability
    std::uint32_t loss_den = 1;

    friend bool operator==(const LinkFault&, const LinkFault&) = default;
};

enum class FaultAction : std::uint8_t { kDrop, kHold, kReset, kDelay, kDuplicate };

[[nodiscard]] constexpr std::string_view fault_action_name(FaultAction action) {
    switch (action) {
        case FaultAction::kDrop:
            return "drop";
        case FaultAction::kHold:
            return "hold";
        case FaultAction::kReset:
            return "reset";
        case FaultAction::kDelay:
            return "delay";
        case FaultAction::kDuplicate:
            return "duplicate";
    }
    return "?";
}

/// A fault that waits for matching messages at their departure.
struct MessageFault {
    FaultAction action = FaultAction::kDrop;
    std::optional<NodeId> from;
    std::optional<NodeId> to;
    std::optional<std::uint16_t> api;
    std::optional<bool> reply;
    std::uint64_t remaining = 1;  ///< how many messages it still takes
    std::optional<Time> until;    ///< end of its life
    Duration by;                  ///< delay: how much

    friend bool operator==(const MessageFault&, const MessageFault&) = default;
};

/// Base figures of the network.
struct NetworkSpec {
    Duration latency_low = microseconds(500);
    Duration latency_high = milliseconds(1);
    std::uint64_t bytes_per_second = 1'250'000'000;  ///< each way of each connection (10 Gbit/s)

    friend bool operator==(const NetworkSpec&, const NetworkSpec&) = default;
};

}  // namespace klab::sim
