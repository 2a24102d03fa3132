// SPDX-License-Identifier: Apache-2.0
//
// The network: who is connected to whom, what is on the wire, and what is broken. TCP-like: ordered
// streams, retransmission after a cut heals, resets from dead processes, silence from dead
// machines.
//
// Owns: connections, link faults, message faults, message numbers.
// Called by: Kernel (departures, arrivals, crashes, faults).
// Simplified: no congestion control; bandwidth is per connection and direction; TCP never gives up
// retransmitting (clients time out long before it would).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/cow.h"
#include "sim/net/connection.h"

namespace klab::sim {

class Kernel;

/// First retransmission time-out of TCP for data, and for the first packet of a connection; each
/// further one doubles, up to the maximum (Linux).
inline constexpr Duration kRetransmissionFirst = milliseconds(200);
inline constexpr Duration kOpenRetransmissionFirst = seconds(1);
inline constexpr Duration kRetransmissionMax = seconds(120);

class Network {
  public:
    Network() = default;

    explicit Network(const NetworkSpec& spec) : spec_(spec) {}

    // --- what steps do

    /// Reserves a connection; its first packet leaves when the step's output does (open).
    [[nodiscard]] ConnectionId reserve(NodeId from, NodeId to, Lane lane, std::uint32_t purpose);
    void assign_lane(ConnectionId id, NodeId node, Lane lane);
    void open(Kernel& kernel, ConnectionId id, EventId because);
    void send(Kernel& kernel,
              NodeId from,
              ConnectionId id,
              MessageRef message,
              std::int32_t correlation,
              std::span<const EventId> causes);
    void close(Kernel& kernel, NodeId from, ConnectionId id);

    // --- what time does

    /// The head of a stream is due. `schedule` must still be the valid number of its entry.
    void arrive(Kernel& kernel, ConnectionId id, std::size_t end, std::uint32_t schedule);

    [[nodiscard]] bool arrival_valid(ConnectionId id,
                                     std::size_t end,
                                     std::uint32_t schedule) const;

    // --- what faults do

    /// The process of `node` died. `silent`: the machine went with it (no resets).
    void process_died(Kernel& kernel, NodeId node, bool silent);
    /// The process ended in order: closes every connection after what was sent.
    void process_exited(Kernel& kernel, NodeId node);
    /// A machine answers again: streams towards it go on.
    void machine_up(Kernel& kernel, NodeId node);
    /// Returns the number of this cut.
    std::uint64_t cut(Kernel& kernel, NodeId from, NodeId to);
    /// Heals the way if it is still cut by this cut.
    void end_cut(Kernel& kernel, NodeId from, NodeId to, std::uint64_t number);
    void heal(Kernel& kernel, NodeId from, NodeId to);
    void heal_all(Kernel& kernel);
    /// Adds latency to a way; zero removes it. Returns the number of this slowing.
    std::uint64_t slow(NodeId from, NodeId to, Duration by);
    /// Ends a slowing if it is still the last of its way.
    void end_slow(NodeId from, NodeId to, std::uint64_t number);
    void set_loss(NodeId from, NodeId to, std::uint32_t num, std::uint32_t den);
    void set_latency(NodeId from, NodeId to, Duration low, Duration high);
    void arm(const MessageFault& fault);
    /// Lets held messages go on, for matching ways (no value: any), and disarms waiting holds.
    void release(Kernel& kernel, std::optional<NodeId> from, std::optional<NodeId> to);

    // --- inspection

    [[nodiscard]] const Connection* find(ConnectionId id) const;
    [[nodiscard]] bool is_cut(NodeId from, NodeId to) const;

    [[nodiscard]] const std::vector<LinkFault>& link_faults() const { return links_; }

    /// Data messages on the wire from anybody to anybody, in no promised order.
    [[nodiscard]] std::uint64_t in_flight() const;

    friend bool operator==(const Network&, const Network&) = default;

  private:
    [[nodiscard]] Connection* find_for_write(ConnectionId id);
    [[nodiscard]] const LinkFault* link(NodeId from, NodeId to) const;
    [[nodiscard]] LinkFault& link_for_write(NodeId from, NodeId to);
    [[nodiscard]] bool way_blocked(const Kernel& kernel, NodeId from, NodeId to) const;
    [[nodiscard]] Duration draw_latency(Kernel& kernel, NodeId from, NodeId to);
    /// Puts a parcel on a stream and schedules it if it is the head and nothing blocks.
    void put(
        Kernel& kernel, Connection& connection, std::size_t end, Parcel parcel, Duration extra);
    void schedule_head(Kernel& kernel, Connection& connection, std::size_t end);
    void stall(Kernel& kernel, Connection& connection, std::size_t end);
    void resume_stream(Kernel& kernel, Connection& connection, std::size_t end);
    void lose(Kernel& kernel,
              const Connection& connection,
              std::size_t end,
              const Parcel& parcel,
              events::CloseReason reason);
    void lose_all(Kernel& kernel,
                  Connection& connection,
                  std::size_t end,
                  events::CloseReason reason,
                  bool only_waiting);
    void hand_over(Kernel& kernel, Connection& connection, std::size_t end, const Parcel& parcel);
    void end_over(Kernel& kernel,
                  Connection& connection,
                  std::size_t end,
                  events::CloseReason reason);
    void collect(ConnectionId id);
    /// The first armed fault that takes this message, used up once. `fault` receives a copy.
    [[nodiscard]] bool take_fault(
        Time now, NodeId from, NodeId to, const MessageRef& message, MessageFault& fault);

    template <typename F>
    void for_each_stream(NodeId from, NodeId to, F&& f);

    NetworkSpec spec_;
    // Slot = low 32 bits of the connection id, generation = high 32 bits.
    Cow<std::vector<Cow<Connection>>> connections_;
    std::vector<std::uint32_t> free_slots_;
    std::vector<LinkFault> links_;      // sorted by (from, to); few
    std::vector<MessageFault> faults_;  // in the order of arming
    std::uint64_t messages_ = 0;
    std::uint64_t slowings_ = 0;
    std::uint64_t cuts_ = 0;
};

}  // namespace klab::sim
