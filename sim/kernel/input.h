// SPDX-License-Identifier: Apache-2.0
//
// Inputs: everything that can happen to a node, as values. A node is a function of its inputs and
// of what it asks its Context, nothing else.
#pragma once

#include <compare>
#include <cstdint>
#include <variant>

#include "sim/base/ids.h"
#include "sim/base/time.h"
#include "sim/kernel/message.h"
#include "sim/trace/event.h"
#include "sim/trace/kernel_events.h"

namespace klab::sim {

/// A connection between two nodes; both ends use the same id. Never reused within a run.
using ConnectionId = Id<struct ConnectionIdTag, std::uint64_t>;

/// A thread of a node, 0..n-1 as the model numbers them.
using Lane = Id<struct LaneTag, std::uint16_t>;

/// Names a timer within its node: setting the same key again replaces it.
struct TimerKey {
    std::uint32_t timer = 0;  ///< the model's number for the kind of timer
    std::int64_t a = 0;       ///< free parts of the key: a connection, a partition, ...
    std::int64_t b = 0;

    friend constexpr bool operator==(const TimerKey&, const TimerKey&) = default;
    friend constexpr auto operator<=>(const TimerKey&, const TimerKey&) = default;
};

/// The process starts: memory is fresh, the disk is what it was.
struct Booted {
    std::uint32_t incarnation = 1;

    friend bool operator==(const Booted&, const Booted&) = default;
};

/// A connection is usable. `incoming`: the peer asked for it.
struct Connected {
    ConnectionId connection;
    NodeId peer;
    std::uint32_t purpose = 0;  ///< the label given to Context::connect
    bool incoming = false;

    friend bool operator==(const Connected&, const Connected&) = default;
};

/// A message arrived.
struct Delivered {
    ConnectionId connection;
    NodeId peer;
    std::int32_t correlation = 0;
    MessageRef message;

    friend bool operator==(const Delivered&, const Delivered&) = default;
};

/// A connection is over (or could not be made). Never sent to the side that called close().
struct Disconnected {
    ConnectionId connection;
    NodeId peer;
    std::uint32_t purpose = 0;
    events::CloseReason reason = events::CloseReason::kClosedByPeer;

    friend bool operator==(const Disconnected&, const Disconnected&) = default;
};

/// A timer ran out.
struct TimerFired {
    TimerKey key;

    friend bool operator==(const TimerFired&, const TimerFired&) = default;
};

/// The process goes on after a pause; late timers and messages follow.
struct Resumed {
    Duration paused_for;

    friend bool operator==(const Resumed&, const Resumed&) = default;
};

/// The application (or an operator) calls into the node: `send`, `poll`, `shut down`.
struct AppCall {
    MessageRef call;

    friend bool operator==(const AppCall&, const AppCall&) = default;
};

using InputBody =
    std::variant<Booted, Connected, Delivered, Disconnected, TimerFired, Resumed, AppCall>;

/// One input with the lane that takes it and the event that announced it.
struct Input {
    Lane lane;
    EventId event;  ///< cause of what the step emits
    InputBody body;

    friend bool operator==(const Input&, const Input&) = default;
};

}  // namespace klab::sim
