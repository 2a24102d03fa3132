// SPDX-License-Identifier: Apache-2.0
//
// The kernel's own event kinds: what happens to nodes, links, connections, messages, timers and
// disks. Their table (fields, meaning, narration) is in kernel_events.cc.
#pragma once

#include <vector>

#include "sim/trace/event.h"

namespace klab::sim::events {

inline constexpr EventKind kNodeBooted{0};        // incarnation
inline constexpr EventKind kNodeCrashed{1};       // -
inline constexpr EventKind kNodePoweredOff{2};    // bytes_lost, files_lost
inline constexpr EventKind kNodeExited{3};        // -
inline constexpr EventKind kNodePaused{4};        // for
inline constexpr EventKind kNodeResumed{5};       // -
inline constexpr EventKind kCpuSlowed{6};         // factor, for
inline constexpr EventKind kClockJumped{7};       // by
inline constexpr EventKind kConnectionOpened{8};  // connection, peer, purpose
inline constexpr EventKind kConnectionClosed{9};  // connection, peer, reason
inline constexpr EventKind kMessageSent{
    10};  // message, to, api, reply, correlation, bytes, connection
inline constexpr EventKind kMessageReceived{
    11};  // message, from, api, reply, correlation, latency, connection
inline constexpr EventKind kMessageLost{12};       // message, from, to, api, reply, reason
inline constexpr EventKind kMessageSwallowed{13};  // message, from, to, api, reply
inline constexpr EventKind kTimerFired{14};        // timer, a, b
inline constexpr EventKind kLinkCut{15};           // from, to
inline constexpr EventKind kLinkHealed{16};        // from, to
inline constexpr EventKind kLinkSlowed{17};        // from, to, by, for
inline constexpr EventKind kFaultArmed{18};        // fault, from, to, api, reply
inline constexpr EventKind kFaultHit{19};          // fault, message, from, to, api, reply
inline constexpr EventKind kCallMade{20};          // call
inline constexpr EventKind kMarkMade{21};          // kind, name, text
inline constexpr EventKind kHeldReleased{22};      // from, to
inline constexpr EventKind kDiskWiped{23};         // bytes
inline constexpr EventKind kDiskFaulted{24};       // fault, path, by, for, calls
inline constexpr EventKind kDiskRefused{25};       // path, error
inline constexpr EventKind kBitRotted{26};         // path, position, bit
inline constexpr EventKind kEntryLost{27};         // path

/// Reasons of connection.closed and message.lost.
enum class CloseReason : std::uint8_t {
    kClosedByPeer,   ///< orderly close
    kClosedHere,     ///< this side closed before the message arrived
    kResetByPeer,    ///< the peer's process died or knows no such connection
    kRefused,        ///< nobody listens there
    kResetByFault,   ///< a scenario's `reset`
    kReceiverDown,   ///< the receiving process is not there any more
    kDroppedByFault  ///< a scenario's `drop`
};

[[nodiscard]] std::string_view close_reason_name(std::int64_t reason);

/// Rows 0..31 of the joined table, padded with empty rows up to kFirstModelEventKind.
/// `api_name` names the model's api numbers in message events.
[[nodiscard]] std::vector<EventDef> kernel_rows(std::string_view (*api_name)(std::int64_t),
                                                std::string_view (*timer_name)(std::int64_t));

}  // namespace klab::sim::events
