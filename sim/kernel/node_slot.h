// SPDX-License-Identifier: Apache-2.0
//
// What the kernel keeps for one node: whether it runs, its clock, lanes, timers and disk. The
// model's own state of the node lies beside it in the World.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/fifo.h"
#include "sim/base/time.h"
#include "sim/disk/disk.h"
#include "sim/kernel/input.h"
#include "sim/kernel/timer_table.h"

namespace klab::sim {

/// running -> (pause) paused -> (resume) running; running | paused -> (crash, exit) down,
/// (power_off) off; down | off -> (restart) running.
enum class NodeStatus : std::uint8_t {
    kDown,     ///< no process; the machine answers (connection refused, resets)
    kRunning,  ///< the process works
    kPaused,   ///< the process stands still, its kernel does not
    kOff       ///< no machine: silence
};

/// Wall clock of a node relative to true virtual time.
struct ClockState {
    Duration offset;                     ///< changed by jumps
    std::int64_t drift_per_billion = 0;  ///< both clocks of the node run faster by this

    friend bool operator==(const ClockState&, const ClockState&) = default;
};

/// An input that waits for its lane (or for the end of a pause).
struct WaitingInput {
    Lane lane;
    InputBody body;
    EventId cause;              ///< what led to it, for the event made when it is taken
    Time since;                 ///< message inputs: when the message was sent
    std::uint64_t message = 0;  ///< message inputs: its number

    friend bool operator==(const WaitingInput&, const WaitingInput&) = default;
};

struct LaneState {
    Time busy_until;
    Fifo<WaitingInput> waiting;  ///< in order of arrival
    bool wake_up_scheduled = false;

    friend bool operator==(const LaneState&, const LaneState&) = default;
};

struct NodeSlot {
    NodeStatus status = NodeStatus::kDown;
    std::uint32_t incarnation = 0;  ///< processes started so far
    ClockState clock;
    std::int64_t cpu_factor = 1;
    std::uint64_t cpu_slowing = 0;  ///< number of the last slow_cpu
    Time paused_at;
    std::uint64_t pause_number = 0;
    std::vector<LaneState> lanes;
    TimerTable timers;
    std::vector<WaitingInput> deferred;           ///< inputs that came during a pause
    std::vector<std::uint64_t> deferred_departs;  ///< outbox slots held by a pause
    Disk disk;

    [[nodiscard]] bool process_alive() const {
        return status == NodeStatus::kRunning || status == NodeStatus::kPaused;
    }

    friend bool operator==(const NodeSlot&, const NodeSlot&) = default;
};

/// 2024-01-01T00:00:00Z: what wall clocks show at virtual time 0.
inline constexpr Duration kWallClockStart = seconds(1'704'067'200);

}  // namespace klab::sim
