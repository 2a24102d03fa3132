// SPDX-License-Identifier: Apache-2.0
//
// Network: connections opening, carrying and closing. Faults are in network_faults.cc.
#include "sim/net/network.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"
#include "sim/kernel/kernel.h"

namespace klab::sim {

namespace {

constexpr std::size_t slot_of(ConnectionId id) {
    return static_cast<std::size_t>(id.value() & 0xFFFF'FFFFU);
}

}  // namespace

const Connection* Network::find(ConnectionId id) const {
    const std::size_t slot = slot_of(id);
    if (slot >= connections_->size() || (*connections_)[slot]->id != id) {
        return nullptr;
    }
    return &(*connections_)[slot].read();
}

Connection* Network::find_for_write(ConnectionId id) {
    return find(id) == nullptr ? nullptr : &connections_.write()[slot_of(id)].write();
}

ConnectionId Network::reserve(NodeId from, NodeId to, Lane lane, std::uint32_t purpose) {
    std::vector<Cow<Connection>>& slots = connections_.write();
    std::uint64_t slot = slots.size();
    std::uint64_t generation = 1;
    if (free_slots_.empty()) {
        slots.emplace_back();
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
        generation = slots[slot]->id.value() >> 32;
    }
    Connection connection;
    connection.id = ConnectionId(generation << 32 | slot);
    connection.ends = {from, to};
    connection.lanes = {lane, Lane(0)};
    connection.purpose = purpose;
    slots[slot] = Cow<Connection>(std::move(connection));
    return ConnectionId(generation << 32 | slot);
}

void Network::assign_lane(ConnectionId id, NodeId node, Lane lane) {
    if (Connection* connection = find_for_write(id)) {
        connection->lanes[connection->end_of(node)] = lane;
    }
}

void Network::open(Kernel& kernel, ConnectionId id, EventId because) {
    Connection* connection = find_for_write(id);
    if (connection == nullptr || connection->states[0] != EndState::kOpening) {
        return;  // closed again within the same step
    }
    connection->opened_because = because;
    Parcel parcel;
    parcel.kind = ParcelKind::kOpen;
    put(kernel, *connection, 0, std::move(parcel), Duration{});
}

Duration Network::draw_latency(Kernel& kernel, NodeId from, NodeId to) {
    Duration low = spec_.latency_low;
    Duration high = spec_.latency_high;
    const LinkFault* fault = links_.empty() ? nullptr : link(from, to);
    if (fault != nullptr && fault->latency_low) {
        low = *fault->latency_low;
        high = *fault->latency_high;
    }
    Duration latency =
        kernel.choices().spread(sites::kLatency, from.value(), to.value(), low, high);
    if (fault != nullptr) {
        latency += fault->extra_latency;
        if (fault->loss_num > 0 &&
            kernel.choices().pick(sites::kLoss, from.value(), to.value(), fault->loss_den) >=
                fault->loss_den - fault->loss_num) {
            latency += kRetransmissionFirst;
        }
    }
    return latency;
}

void Network::put(
    Kernel& kernel, Connection& connection, std::size_t end, Parcel parcel, Duration extra) {
    const NodeId from = connection.ends[end];
    const NodeId to = connection.ends[1 - end];
    Stream& stream = connection.streams[end];
    const Duration latency = draw_latency(kernel, from, to);
    std::int64_t transfer = 0;
    if (parcel.message.has_value() && spec_.bytes_per_second > 0) {
        // bytes * 1e9 fits: a message is below 2^31 bytes.
        transfer = static_cast<std::int64_t>(parcel.message.bytes() * 1'000'000'000U /
                                             spec_.bytes_per_second);
    }
    parcel.sent_at = kernel.time();
    parcel.arrival = kernel.time() + latency + extra + nanoseconds(transfer);
    // The wire is busy with what went before: a large message delays the next.
    parcel.arrival = std::max(parcel.arrival, stream.last_arrival + nanoseconds(1 + transfer));
    stream.last_arrival = parcel.arrival;
    if (stream.black_hole) {
        lose(kernel, connection, end, parcel, events::CloseReason::kDroppedByFault);
        return;
    }
    const bool blocked = way_blocked(kernel, from, to);
    if (blocked && parcel.kind == ParcelKind::kData) {
        kernel.emit_plain(events::kMessageSwallowed,
                          from,
                          {static_cast<std::int64_t>(parcel.number),
                           from.value(),
                           to.value(),
                           parcel.message.api(),
                           parcel.message.reply() ? 1 : 0},
                          {parcel.sent_event});
    }
    stream.in_flight.push_back(std::move(parcel));
    if (blocked) {
        stream.stalled = true;
    }
    schedule_head(kernel, connection, end);
}

void Network::schedule_head(Kernel& kernel, Connection& connection, std::size_t end) {
    Stream& stream = connection.streams[end];
    if (stream.scheduled || stream.stalled || stream.held || stream.in_flight.empty()) {
        return;
    }
    stream.scheduled = true;
    ++stream.schedule;
    Pending pending;
    pending.kind = PendingKind::kArrival;
    pending.a = connection.id.value();
    pending.b = std::uint64_t{stream.schedule} << 1 | end;
    kernel.queue().push(std::max(stream.in_flight.front().arrival, kernel.time()), pending);
}

bool Network::arrival_valid(ConnectionId id, std::size_t end, std::uint32_t schedule) const {
    const Connection* connection = find(id);
    return connection != nullptr && connection->streams[end].scheduled &&
           connection->streams[end].schedule == schedule;
}

void Network::arrive(Kernel& kernel, ConnectionId id, std::size_t end, std::uint32_t schedule) {
    if (!arrival_valid(id, end, schedule)) {
        return;
    }
    Connection& connection = *find_for_write(id);
    Stream& stream = connection.streams[end];
    stream.scheduled = false;
    const Parcel parcel = stream.in_flight.pop_front();
    hand_over(kernel, connection, end, parcel);
    // hand_over may stall the stream or finish the connection.
    schedule_head(kernel, connection, end);
    collect(id);
}

void Network::hand_over(Kernel& kernel,
                        Connection& connection,
                        std::size_t end,
                        const Parcel& parcel) {
    const std::size_t there = 1 - end;
    const NodeId to = connection.ends[there];
    const NodeId from = connection.ends[end];
    const EndState state = connection.states[there];
    const bool alive = kernel.slot(to).process_alive();
    switch (parcel.kind) {
        case ParcelKind::kOpen:
            if (!alive) {
                connection.states[there] = EndState::kDead;
                Parcel refusal;
                refusal.kind = ParcelKind::kReset;
                refusal.reason = events::CloseReason::kRefused;
                put(kernel, connection, there, std::move(refusal), Duration{});
                return;
            }
            connection.states[there] = EndState::kOpen;
            put(kernel,
                connection,
                there,
                Parcel{ParcelKind::kAccept, {}, {}, {}, 0, 0, {}, {}},
                {});
            kernel.admit(to,
                         connection.lanes[there],
                         Connected{connection.id, from, connection.purpose, true},
                         connection.opened_because);
            return;
        case ParcelKind::kAccept:
            if (state == EndState::kOpening) {
                connection.states[there] = EndState::kOpen;
                kernel.admit(to,
                             connection.lanes[there],
                             Connected{connection.id, from, connection.purpose, false},
                             connection.opened_because);
            }
            return;
        case ParcelKind::kData:
            if (state == EndState::kOpen) {
                kernel.admit_message(to, connection.lanes[there], connection.id, from, parcel);
                return;
            }
            lose(kernel,
                 connection,
                 end,
                 parcel,
                 state == EndState::kDead ? events::CloseReason::kReceiverDown
                                          : events::CloseReason::kClosedHere);
            if (state == EndState::kDead && connection.states[end] == EndState::kOpen) {
                Parcel reset;
                reset.kind = ParcelKind::kReset;
                reset.reason = events::CloseReason::kResetByPeer;
                put(kernel, connection, there, std::move(reset), Duration{});
            }
            return;
        case ParcelKind::kClose:
        case ParcelKind::kReset:
            end_over(kernel, connection, there, parcel.reason);
            return;
    }
}

void Network::end_over(Kernel& kernel,
                       Connection& connection,
                       std::size_t end,
                       events::CloseReason reason) {
    EndState& state = connection.states[end];
    if (state == EndState::kClosed || state == EndState::kDead) {
        return;
    }
    state = EndState::kClosed;
    lose_all(kernel, connection, end, events::CloseReason::kReceiverDown, true);
    kernel.admit(connection.ends[end],
                 connection.lanes[end],
                 Disconnected{connection.id, connection.ends[1 - end], connection.purpose, reason},
                 connection.opened_because);
}

void Network::send(Kernel& kernel,
                   NodeId from,
                   ConnectionId id,
                   MessageRef message,
                   std::int32_t correlation,
                   std::span<const EventId> causes) {
    Connection* connection = find_for_write(id);
    if (connection == nullptr) {
        return;
    }
    const std::size_t end = connection->end_of(from);
    if (connection->states[end] != EndState::kOpen) {
        return;
    }
    const NodeId to = connection->ends[1 - end];
    Parcel parcel;
    parcel.number = ++messages_;
    parcel.correlation = correlation;
    parcel.message = std::move(message);
    const std::int64_t api = parcel.message.api();
    const std::int64_t reply = parcel.message.reply() ? 1 : 0;
    const auto number = static_cast<std::int64_t>(parcel.number);
    parcel.sent_event = kernel.emit_plain(events::kMessageSent,
                                          from,
                                          {number,
                                           to.value(),
                                           api,
                                           reply,
                                           correlation,
                                           static_cast<std::int64_t>(parcel.message.bytes()),
                                           static_cast<std::int64_t>(id.value())},
                                          causes);
    MessageFault fault;
    Duration extra;
    if (!faults_.empty() && take_fault(kernel.time(), from, to, parcel.message, fault)) {
        const std::int64_t name = kernel.text(fault_action_name(fault.action));
        kernel.emit_plain(events::kFaultHit,
                          from,
                          {name, number, from.value(), to.value(), api, reply},
                          {parcel.sent_event});
        switch (fault.action) {
            case FaultAction::kDrop:
                connection->streams[end].black_hole = true;
                break;
            case FaultAction::kHold:
                connection->streams[end].held = true;
                break;
            case FaultAction::kDelay:
                extra = fault.by;
                break;
            case FaultAction::kDuplicate:
                put(kernel, *connection, end, parcel, extra);
                break;
            case FaultAction::kReset: {
                lose(kernel, *connection, end, parcel, events::CloseReason::kResetByFault);
                Parcel reset;
                reset.kind = ParcelKind::kReset;
                reset.reason = events::CloseReason::kResetByFault;
                put(kernel, *connection, end, std::move(reset), Duration{});
                end_over(kernel, *connection, end, events::CloseReason::kResetByFault);
                return;
            }
        }
    }
    put(kernel, *connection, end, std::move(parcel), extra);
}

void Network::close(Kernel& kernel, NodeId from, ConnectionId id) {
    Connection* connection = find_for_write(id);
    if (connection == nullptr) {
        return;
    }
    const std::size_t end = connection->end_of(from);
    EndState& state = connection->states[end];
    if (state == EndState::kClosed || state == EndState::kDead) {
        return;
    }
    const bool was_opening = state == EndState::kOpening;
    state = EndState::kClosed;
    if (was_opening && connection->streams[end].in_flight.empty() &&
        connection->states[1 - end] == EndState::kOpening) {
        connection->states[1 - end] = EndState::kClosed;  // never left this machine
    } else {
        Parcel close;
        close.kind = ParcelKind::kClose;
        close.reason = events::CloseReason::kClosedByPeer;
        put(kernel, *connection, end, std::move(close), Duration{});
    }
    // What the peer had sent and TCP still holds back will find this end closed.
    lose_all(kernel, *connection, 1 - end, events::CloseReason::kClosedHere, true);
    collect(id);
}

void Network::lose(Kernel& kernel,
                   const Connection& connection,
                   std::size_t end,
                   const Parcel& parcel,
                   events::CloseReason reason) {
    if (parcel.kind != ParcelKind::kData) {
        return;
    }
    const NodeId from = connection.ends[end];
    const NodeId to = connection.ends[1 - end];
    kernel.emit_plain(events::kMessageLost,
                      to,
                      {static_cast<std::int64_t>(parcel.number),
                       from.value(),
                       to.value(),
                       parcel.message.api(),
                       parcel.message.reply() ? 1 : 0,
                       static_cast<std::int64_t>(reason)},
                      {parcel.sent_event});
}

void Network::lose_all(Kernel& kernel,
                       Connection& connection,
                       std::size_t end,
                       events::CloseReason reason,
                       bool only_waiting) {
    Stream& stream = connection.streams[end];
    if (only_waiting && !stream.stalled && !stream.held) {
        return;
    }
    for (const Parcel& parcel : stream.in_flight) {
        lose(kernel, connection, end, parcel, reason);
    }
    stream.in_flight.clear();
    stream.scheduled = false;
    stream.stalled = false;
    stream.held = false;
}

void Network::collect(ConnectionId id) {
    const Connection* connection = find(id);
    if (connection == nullptr || !connection->finished()) {
        return;
    }
    // The slot waits under the id of its next connection, so that the old id finds nothing.
    Cow<Connection>& slot = connections_.write()[slot_of(id)];
    Connection empty;
    empty.id = ConnectionId(id.value() + (std::uint64_t{1} << 32));
    empty.states = {EndState::kClosed, EndState::kClosed};  // nobody's: a death passes it by
    slot = Cow<Connection>(std::move(empty));
    free_slots_.push_back(static_cast<std::uint32_t>(slot_of(id)));
}

std::uint64_t Network::in_flight() const {
    std::uint64_t count = 0;
    for (const Cow<Connection>& connection : *connections_) {
        for (const Stream& stream : connection->streams) {
            for (const Parcel& parcel : stream.in_flight) {
                count += parcel.kind == ParcelKind::kData ? 1U : 0U;
            }
        }
    }
    return count;
}

}  // namespace klab::sim
