// SPDX-License-Identifier: Apache-2.0
//
// Network faults: cuts and healing, slow and lossy ways, message faults, and what the death of a
// process or a machine does to its connections.
#include <algorithm>
#include <utility>

#include "sim/base/assert.h"
#include "sim/kernel/kernel.h"
#include "sim/net/network.h"

namespace klab::sim {

namespace {

struct Way {
    NodeId from;
    NodeId to;

    friend auto operator<=>(const Way&, const Way&) = default;
};

bool link_before(const LinkFault& link, const Way& way) { return Way{link.from, link.to} < way; }

/// When TCP tries a packet again that it first sent at `sent`, not before `now`.
Time next_retransmission(Time sent, Time now, Duration first) {
    Duration timeout = first;
    Time at = sent + timeout;
    while (at < now) {
        timeout = std::min(timeout * 2, kRetransmissionMax);
        at = at + timeout;
    }
    return at;
}

}  // namespace

const LinkFault* Network::link(NodeId from, NodeId to) const {
    const auto it = std::lower_bound(links_.begin(), links_.end(), Way{from, to}, link_before);
    return it != links_.end() && it->from == from && it->to == to ? &*it : nullptr;
}

LinkFault& Network::link_for_write(NodeId from, NodeId to) {
    const auto it = std::lower_bound(links_.begin(), links_.end(), Way{from, to}, link_before);
    if (it != links_.end() && it->from == from && it->to == to) {
        return *it;
    }
    LinkFault fault;
    fault.from = from;
    fault.to = to;
    return *links_.insert(it, fault);
}

bool Network::is_cut(NodeId from, NodeId to) const {
    const LinkFault* fault = links_.empty() ? nullptr : link(from, to);
    return fault != nullptr && fault->cut;
}

bool Network::way_blocked(const Kernel& kernel, NodeId from, NodeId to) const {
    return is_cut(from, to) || kernel.slot(to).status == NodeStatus::kOff;
}

template <typename F>
void Network::for_each_stream(NodeId from, NodeId to, F&& f) {
    const std::size_t count = connections_->size();
    for (std::size_t slot = 0; slot < count; ++slot) {
        const Connection& seen = *(*connections_)[slot];
        for (std::size_t end = 0; end < 2; ++end) {
            if (seen.ends[end] == from && seen.ends[1 - end] == to &&
                !seen.streams[end].in_flight.empty()) {
                f(connections_.write()[slot].write(), end);
            }
        }
    }
}

void Network::stall(Kernel& kernel, Connection& connection, std::size_t end) {
    Stream& stream = connection.streams[end];
    if (stream.stalled) {
        return;
    }
    stream.stalled = true;
    stream.scheduled = false;  // its queue entry is stale from here on
    for (const Parcel& parcel : stream.in_flight) {
        if (parcel.kind == ParcelKind::kData && !stream.held) {
            kernel.emit_plain(events::kMessageSwallowed,
                              connection.ends[end],
                              {static_cast<std::int64_t>(parcel.number),
                               connection.ends[end].value(),
                               connection.ends[1 - end].value(),
                               parcel.message.api(),
                               parcel.message.reply() ? 1 : 0},
                              {parcel.sent_event});
        }
    }
}

void Network::resume_stream(Kernel& kernel, Connection& connection, std::size_t end) {
    Stream& stream = connection.streams[end];
    const NodeId from = connection.ends[end];
    const NodeId to = connection.ends[1 - end];
    if (!stream.stalled || way_blocked(kernel, from, to)) {
        return;
    }
    stream.stalled = false;
    if (stream.in_flight.empty()) {
        return;
    }
    const Parcel& head = stream.in_flight.front();
    const Duration first =
        head.kind == ParcelKind::kOpen ? kOpenRetransmissionFirst : kRetransmissionFirst;
    Time arrival = next_retransmission(head.sent_at, kernel.time(), first);
    arrival = arrival + draw_latency(kernel, from, to);
    for (Parcel& parcel : stream.in_flight) {
        parcel.arrival = std::max(parcel.arrival, arrival);
        arrival = parcel.arrival + nanoseconds(1);
    }
    stream.last_arrival = std::max(stream.last_arrival, arrival);
    schedule_head(kernel, connection, end);
}

std::uint64_t Network::cut(Kernel& kernel, NodeId from, NodeId to) {
    LinkFault& fault = link_for_write(from, to);
    const std::uint64_t number = ++cuts_;
    fault.cut_number = number;
    if (fault.cut) {
        return number;
    }
    fault.cut = true;
    kernel.emit_plain(events::kLinkCut, std::nullopt, {from.value(), to.value()}, {});
    for_each_stream(
        from, to, [&](Connection& connection, std::size_t end) { stall(kernel, connection, end); });
    return number;
}

void Network::end_cut(Kernel& kernel, NodeId from, NodeId to, std::uint64_t number) {
    if (link(from, to) != nullptr && link(from, to)->cut_number == number) {
        heal(kernel, from, to);
    }
}

void Network::heal(Kernel& kernel, NodeId from, NodeId to) {
    if (!is_cut(from, to)) {
        return;
    }
    link_for_write(from, to).cut = false;
    kernel.emit_plain(events::kLinkHealed, std::nullopt, {from.value(), to.value()}, {});
    for_each_stream(from, to, [&](Connection& connection, std::size_t end) {
        resume_stream(kernel, connection, end);
    });
}

void Network::heal_all(Kernel& kernel) {
    const std::vector<LinkFault> links = links_;
    for (const LinkFault& fault : links) {
        heal(kernel, fault.from, fault.to);
    }
}

std::uint64_t Network::slow(NodeId from, NodeId to, Duration by) {
    LinkFault& fault = link_for_write(from, to);
    fault.extra_latency = by;
    fault.slow_number = ++slowings_;
    return fault.slow_number;
}

void Network::end_slow(NodeId from, NodeId to, std::uint64_t number) {
    if (link(from, to) != nullptr && link(from, to)->slow_number == number) {
        link_for_write(from, to).extra_latency = Duration{};
    }
}

void Network::set_loss(NodeId from, NodeId to, std::uint32_t num, std::uint32_t den) {
    KLAB_ASSERT(den > 0 && num <= den, "loss {}/{}", num, den);
    LinkFault& fault = link_for_write(from, to);
    fault.loss_num = num;
    fault.loss_den = den;
}

void Network::set_latency(NodeId from, NodeId to, Duration low, Duration high) {
    LinkFault& fault = link_for_write(from, to);
    fault.latency_low = low;
    fault.latency_high = high;
}

void Network::arm(const MessageFault& fault) { faults_.push_back(fault); }

bool Network::take_fault(
    Time now, NodeId from, NodeId to, const MessageRef& message, MessageFault& fault) {
    for (auto it = faults_.begin(); it != faults_.end();) {
        if (it->until && *it->until <= now) {
            it = faults_.erase(it);
            continue;
        }
        const bool matches = (!it->from || *it->from == from) && (!it->to || *it->to == to) &&
                             (!it->api || *it->api == message.api()) &&
                             (!it->reply || *it->reply == message.reply());
        if (matches) {
            fault = *it;
            if (--it->remaining == 0) {
                faults_.erase(it);
            }
            return true;
        }
        ++it;
    }
    return false;
}

void Network::release(Kernel& kernel, std::optional<NodeId> from, std::optional<NodeId> to) {
    const auto same_way = [&](NodeId a, NodeId b) {
        return (!from || *from == a) && (!to || *to == b);
    };
    faults_.erase(std::remove_if(faults_.begin(),
                                 faults_.end(),
                                 [&](const MessageFault& fault) {
                                     return fault.action == FaultAction::kHold &&
                                            (!from || fault.from == from) &&
                                            (!to || fault.to == to);
                                 }),
                  faults_.end());
    kernel.emit_plain(events::kHeldReleased,
                      std::nullopt,
                      {from ? from->value() : kAbsent, to ? to->value() : kAbsent},
                      {});
    const std::size_t count = connections_->size();
    for (std::size_t slot = 0; slot < count; ++slot) {
        for (std::size_t end = 0; end < 2; ++end) {
            const Connection& seen = *(*connections_)[slot];
            if (seen.streams[end].held && same_way(seen.ends[end], seen.ends[1 - end])) {
                Connection& connection = connections_.write()[slot].write();
                connection.streams[end].held = false;
                schedule_head(kernel, connection, end);
            }
        }
    }
}

void Network::process_died(Kernel& kernel, NodeId node, bool silent) {
    const std::size_t count = connections_->size();
    for (std::size_t slot = 0; slot < count; ++slot) {
        const Connection& seen = *(*connections_)[slot];
        if (seen.ends[0] != node && seen.ends[1] != node) {
            continue;
        }
        const std::size_t end = seen.end_of(node);
        if (seen.states[end] == EndState::kClosed || seen.states[end] == EndState::kDead) {
            continue;
        }
        Connection& connection = connections_.write()[slot].write();
        const bool peer_knows_nothing = connection.states[end] == EndState::kOpening &&
                                        connection.streams[end].in_flight.empty() &&
                                        connection.states[1 - end] == EndState::kOpening;
        connection.states[end] = EndState::kDead;
        const NodeId peer = connection.ends[1 - end];
        lose_all(kernel, connection, end, events::CloseReason::kReceiverDown, true);
        if (silent) {
            stall(kernel, connection, 1 - end);
        } else {
            lose_all(kernel, connection, 1 - end, events::CloseReason::kReceiverDown, false);
            // A reset that meets a cut is gone; the peer hears of it when it sends again.
            if (!way_blocked(kernel, node, peer) && !peer_knows_nothing) {
                Parcel reset;
                reset.kind = ParcelKind::kReset;
                reset.reason = events::CloseReason::kResetByPeer;
                put(kernel, connection, end, std::move(reset), Duration{});
            }
        }
        if (peer_knows_nothing) {
            connection.states[1 - end] = EndState::kClosed;
        }
        collect(connection.id);
    }
}

void Network::process_exited(Kernel& kernel, NodeId node) {
    const std::size_t count = connections_->size();
    for (std::size_t slot = 0; slot < count; ++slot) {
        const Connection& seen = *(*connections_)[slot];
        if (seen.ends[0] == node || seen.ends[1] == node) {
            const std::size_t end = seen.end_of(node);
            if (seen.states[end] == EndState::kOpen || seen.states[end] == EndState::kOpening) {
                close(kernel, node, seen.id);
            }
        }
    }
}

void Network::machine_up(Kernel& kernel, NodeId node) {
    const std::size_t count = connections_->size();
    for (std::size_t slot = 0; slot < count; ++slot) {
        for (std::size_t end = 0; end < 2; ++end) {
            const Connection& seen = *(*connections_)[slot];
            if (seen.ends[1 - end] == node && seen.streams[end].stalled) {
                resume_stream(kernel, connections_.write()[slot].write(), end);
            }
        }
    }
}

}  // namespace klab::sim
