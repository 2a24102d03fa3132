// SPDX-License-Identifier: Apache-2.0
//
// Kernel: the turn of the queue, lanes, timers, departures and emission. Faults are in
// kernel_faults.cc.
#include "sim/kernel/kernel.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"
#include "sim/kernel/context.h"

namespace klab::sim {

Kernel::Kernel(const KernelSpec& spec)
    : specs_(std::make_shared<const std::vector<NodeSpec>>(spec.nodes)),
      network_(spec.network),
      choices_(spec.seed),
      events_(spec.events) {
    KLAB_ASSERT(events_ != nullptr, "a world needs its event table");
    for (const NodeSpec& node : spec.nodes) {
        NodeSlot slot;
        slot.clock = node.clock;
        slot.lanes.resize(node.lanes);
        nodes_.write().push_back(Cow<NodeSlot>(std::move(slot)));
    }
    for (std::size_t i = 0; i < events_->rows.size(); ++i) {
        if (events_->rows[i].level == EventLevel::kDetail) {
            details_.add(EventKind(static_cast<std::uint16_t>(i)));
        }
    }
}

std::optional<Time> Kernel::next_time() const {
    return queue_->empty() ? std::nullopt : std::optional<Time>(queue_->next_time());
}

void Kernel::advance_to(Time until) {
    KLAB_ASSERT(
        queue_->empty() || queue_->next_time() >= until, "an entry is due before {}", until.ns);
    time_ = std::max(time_, until);
}

std::uint32_t Kernel::node_count() const { return static_cast<std::uint32_t>(nodes_->size()); }

const std::string& Kernel::name(NodeId node) const {
    KLAB_ASSERT(node.value() < specs_->size(), "node {}", node);
    return (*specs_)[node.value()].name;
}

std::optional<NodeId> Kernel::find_node(std::string_view name) const {
    for (std::size_t i = 0; i < specs_->size(); ++i) {
        if ((*specs_)[i].name == name) {
            return NodeId(static_cast<std::uint32_t>(i));
        }
    }
    return std::nullopt;
}

Kernel::Turn Kernel::next(Dispatch& dispatch) {
    if (queue_->empty()) {
        return Turn::kEmpty;
    }
    compact_if_stale();
    const EventQueue::Popped popped = queue_.write().pop();
    KLAB_ASSERT(popped.time >= time_, "time runs backwards");
    time_ = popped.time;
    ++turns_;
    dispatch.is_filled = false;
    turn_ = &dispatch;
    serve(popped);
    turn_ = nullptr;
    if (!dispatch.is_filled) {
        return Turn::kInternal;
    }
    announce(dispatch);
    return Turn::kInput;
}

void Kernel::take(NodeId node, WaitingInput&& input) {
    turn_->is_filled = true;
    turn_->node = node;
    turn_->input.lane = input.lane;
    turn_->input.body = std::move(input.body);
    turn_->cause = input.cause;
    turn_->since = input.since;
    turn_->message = input.message;
}

void Kernel::serve(const EventQueue::Popped& popped) {
    const Pending& pending = popped.pending;
    switch (pending.kind) {
        case PendingKind::kTimer:
            fire_timer(pending.node, popped);
            return;
        case PendingKind::kArrival:
            network_.arrive(*this,
                            ConnectionId(pending.a),
                            static_cast<std::size_t>(pending.b & 1U),
                            static_cast<std::uint32_t>(pending.b >> 1));
            return;
        case PendingKind::kDepart:
            depart(pending.node, pending.incarnation, pending.a);
            return;
        case PendingKind::kLaneFree:
            lane_free(pending.node, pending.lane, pending.incarnation);
            return;
        case PendingKind::kPosted: {
            const WaitingInput input = std::move(posted_.write()[pending.a]);
            free_posted_.push_back(static_cast<std::uint32_t>(pending.a));
            if (slot(pending.node).incarnation == pending.incarnation) {
                ready(pending.node, input);
            }
            return;
        }
        case PendingKind::kResume:
            if (slot(pending.node).pause_number == pending.a) {
                resume(pending.node);
            }
            return;
        case PendingKind::kCpuNormal:
            if (slot(pending.node).cpu_slowing == pending.a) {
                slot_for_write(pending.node).cpu_factor = 1;
            }
            return;
        case PendingKind::kLinkNormal:
            network_.end_slow(
                pending.node, NodeId(static_cast<std::uint32_t>(pending.b)), pending.a);
            return;
        case PendingKind::kCutEnds:
            network_.end_cut(
                *this, pending.node, NodeId(static_cast<std::uint32_t>(pending.b)), pending.a);
            return;
    }
}

void Kernel::admit(NodeId node, Lane lane, InputBody body, EventId cause) {
    ready(node, WaitingInput{lane, std::move(body), cause, time_, 0});
}

void Kernel::admit_message(
    NodeId node, Lane lane, ConnectionId connection, NodeId peer, const Parcel& parcel) {
    ready(node,
          WaitingInput{lane,
                       Delivered{connection, peer, parcel.correlation, parcel.message},
                       parcel.sent_event,
                       parcel.sent_at,
                       parcel.number});
}

void Kernel::ready(NodeId node, WaitingInput input) {
    const NodeSlot& seen = slot(node);
    if (!seen.process_alive()) {
        return;
    }
    if (seen.status == NodeStatus::kPaused) {
        slot_for_write(node).deferred.push_back(std::move(input));
        return;
    }
    KLAB_ASSERT(
        input.lane.value() < seen.lanes.size(), "{} has no lane {}", name(node), input.lane);
    const LaneState& lane = seen.lanes[input.lane.value()];
    if (lane.busy_until > time_ || !lane.waiting.empty()) {
        const Lane number = input.lane;
        slot_for_write(node).lanes[number.value()].waiting.push_back(std::move(input));
        schedule_lane(node, number);
        return;
    }
    if (turn_ == nullptr || turn_->is_filled) {
        post(node, std::move(input));
        return;
    }
    take(node, std::move(input));
}

void Kernel::post(NodeId node, WaitingInput input) {
    std::uint32_t slot_number;
    if (free_posted_.empty()) {
        slot_number = static_cast<std::uint32_t>(posted_->size());
        posted_.write().push_back(std::move(input));
    } else {
        slot_number = free_posted_.back();
        free_posted_.pop_back();
        posted_.write()[slot_number] = std::move(input);
    }
    Pending pending;
    pending.kind = PendingKind::kPosted;
    pending.node = node;
    pending.incarnation = slot(node).incarnation;
    pending.a = slot_number;
    queue_.write().push_front(time_, pending);
}

void Kernel::schedule_lane(NodeId node, Lane lane) {
    LaneState& state = slot_for_write(node).lanes[lane.value()];
    if (state.wake_up_scheduled || state.waiting.empty()) {
        return;
    }
    state.wake_up_scheduled = true;
    Pending pending;
    pending.kind = PendingKind::kLaneFree;
    pending.node = node;
    pending.lane = lane;
    pending.incarnation = slot(node).incarnation;
    queue_.write().push(std::max(state.busy_until, time_), pending);
}

void Kernel::lane_free(NodeId node, Lane lane, std::uint32_t incarnation) {
    if (slot(node).incarnation != incarnation || slot(node).status != NodeStatus::kRunning) {
        return;  // dead, or paused: resume() wakes the lanes again
    }
    LaneState& state = slot_for_write(node).lanes[lane.value()];
    state.wake_up_scheduled = false;
    if (!state.waiting.empty()) {
        take(node, state.waiting.pop_front());
    }
}

void Kernel::announce(Dispatch& dispatch) {
    const std::size_t causes = dispatch.cause == EventId{} ? 0 : 1;
    const auto emit_with = [&](EventKind kind, std::initializer_list<std::int64_t> fields) {
        dispatch.input.event = emit_plain(
            kind, dispatch.node, fields, std::span<const EventId>(&dispatch.cause, causes));
    };
    std::visit(overloaded{
                   [&](const Booted& in) { emit_with(events::kNodeBooted, {in.incarnation}); },
                   [&](const Connected& in) {
                       emit_with(events::kConnectionOpened,
                                 {static_cast<std::int64_t>(in.connection.value()),
                                  in.peer.value(),
                                  in.purpose});
                   },
                   [&](const Delivered& in) {
                       emit_with(events::kMessageReceived,
                                 {static_cast<std::int64_t>(dispatch.message),
                                  in.peer.value(),
                                  in.message.api(),
                                  in.message.reply() ? 1 : 0,
                                  in.correlation,
                                  (time_ - dispatch.since).ns,
                                  static_cast<std::int64_t>(in.connection.value())});
                   },
                   [&](const Disconnected& in) {
                       emit_with(events::kConnectionClosed,
                                 {static_cast<std::int64_t>(in.connection.value()),
                                  in.peer.value(),
                                  static_cast<std::int64_t>(in.reason)});
                   },
                   [&](const TimerFired& in) {
                       emit_with(events::kTimerFired, {in.key.timer, in.key.a, in.key.b});
                   },
                   [&](const Resumed&) { emit_with(events::kNodeResumed, {}); },
                   [&](const AppCall& in) { emit_with(events::kCallMade, {in.call.api()}); },
               },
               dispatch.input.body);
}

void Kernel::finish_step(Context& context) {
    const NodeId node = context.self_;
    NodeSlot& state = slot_for_write(node);
    const Duration busy = context.busy_ * state.cpu_factor;
    LaneState& lane = state.lanes[context.lane_.value()];
    lane.busy_until = std::max(lane.busy_until, time_ + busy);
    if (context.exit_) {
        Output exit;
        exit.kind = Output::Kind::kExit;
        outbox(context).push_back(std::move(exit));
    }
    if (context.outbox_ != 0) {
        Pending pending;
        pending.kind = PendingKind::kDepart;
        pending.node = node;
        pending.incarnation = state.incarnation;
        pending.a = context.outbox_ - 1;
        queue_.write().push(time_ + std::max(busy, nanoseconds(1)), pending);
    }
    schedule_lane(node, context.lane_);
}

std::vector<Kernel::Output>& Kernel::outbox(Context& context) {
    if (context.outbox_ == 0) {
        if (free_outboxes_.empty()) {
            outboxes_.emplace_back();
            context.outbox_ = static_cast<std::uint32_t>(outboxes_.size());
        } else {
            context.outbox_ = free_outboxes_.back() + 1;
            free_outboxes_.pop_back();
        }
    }
    return outboxes_[context.outbox_ - 1];
}

void Kernel::depart(NodeId node, std::uint32_t incarnation, std::uint64_t outbox_slot) {
    const NodeSlot& seen = slot(node);
    if (seen.incarnation == incarnation && seen.status == NodeStatus::kPaused) {
        slot_for_write(node).deferred_departs.push_back(outbox_slot);
        return;
    }
    std::vector<Output> outputs = std::move(outboxes_[outbox_slot]);
    if (seen.incarnation == incarnation && seen.process_alive()) {
        for (Output& output : outputs) {
            switch (output.kind) {
                case Output::Kind::kSend:
                    network_.send(*this,
                                  node,
                                  output.connection,
                                  std::move(output.message),
                                  output.correlation,
                                  {output.causes.data(), output.cause_count});
                    break;
                case Output::Kind::kOpen:
                    network_.open(*this, output.connection, output.causes[0]);
                    break;
                case Output::Kind::kClose:
                    network_.close(*this, node, output.connection);
                    break;
                case Output::Kind::kExit:
                    network_.process_exited(*this, node);
                    end_process(node, NodeStatus::kDown);
                    emit_plain(events::kNodeExited, node, {}, std::initializer_list<EventId>{});
                    break;
            }
        }
    }
    outputs.clear();
    outboxes_[outbox_slot] = std::move(outputs);  // keeps the capacity
    free_outboxes_.push_back(static_cast<std::uint32_t>(outbox_slot));
}

namespace {

/// `length` on a clock that runs faster by `drift` parts per billion, in true time.
Duration without_drift(Duration length, std::int64_t drift) {
    const std::int64_t whole = length.ns / 1'000'000'000;
    const std::int64_t rest = length.ns % 1'000'000'000;
    return {length.ns - whole * drift - rest * drift / 1'000'000'000};
}

}  // namespace

void Kernel::set_timer(NodeId node, TimerKey key, Duration delay, Lane lane) {
    NodeSlot& state = slot_for_write(node);
    Pending pending;
    pending.kind = PendingKind::kTimer;
    pending.node = node;
    pending.lane = lane;
    pending.key = key;
    const Duration length =
        without_drift(std::max(delay, Duration{}), state.clock.drift_per_billion);
    const std::uint64_t order = queue_.write().push(time_ + length, pending);
    stale_ += state.timers.set(key, order) != 0 ? 1U : 0U;
}

bool Kernel::cancel_timer(NodeId node, TimerKey key) {
    if (!slot_for_write(node).timers.erase(key)) {
        return false;
    }
    ++stale_;
    return true;
}

void Kernel::fire_timer(NodeId node, const EventQueue::Popped& popped) {
    if (!slot_for_write(node).timers.erase_exactly(popped.pending.key, popped.order)) {
        stale_ -= stale_ > 0 ? 1 : 0;
        return;
    }
    admit(node, popped.pending.lane, TimerFired{popped.pending.key}, EventId{});
}

bool Kernel::live(const Pending& pending, std::uint64_t order) const {
    if (pending.kind == PendingKind::kTimer) {
        return slot(pending.node).timers.find(pending.key) == order;
    }
    if (pending.kind == PendingKind::kArrival) {
        return network_.arrival_valid(ConnectionId(pending.a),
                                      static_cast<std::size_t>(pending.b & 1U),
                                      static_cast<std::uint32_t>(pending.b >> 1));
    }
    return true;
}

void Kernel::compact_if_stale() {
    if (stale_ > 256 && stale_ * 2 > queue_->size()) {
        queue_.write().compact(
            [this](const Pending& pending, std::uint64_t order) { return live(pending, order); });
        stale_ = 0;
    }
}

EventId Kernel::emit(EventKind kind,
                     std::optional<NodeId> node,
                     std::span<const std::int64_t> fields,
                     std::span<const EventId> causes) {
    const bool wanted = subscribed_.contains(kind);
    const bool detail = details_.contains(kind);
    if (detail && !wanted) {
        return EventId{};
    }
    KLAB_ASSERT(fields.size() == events_->rows[kind.value()].fields.size(),
                "{} takes {} fields, not {}",
                events_->rows[kind.value()].name,
                events_->rows[kind.value()].fields.size(),
                fields.size());
    causes = causes.first(std::min(causes.size(), kEventCausesMax));
    EventId id;
    if (!detail) {
        last_event_ = last_event_.next();
        id = last_event_;
        hash_.add(id, time_, node, kind, fields, causes);
    }
    if (wanted) {
        Event& event = fresh_.emplace_back();
        event.id = id;
        event.time = time_;
        event.node = node;
        event.kind = kind;
        event.field_count = static_cast<std::uint8_t>(fields.size());
        std::ranges::copy(fields, event.fields.begin());
        event.cause_count = static_cast<std::uint8_t>(causes.size());
        std::ranges::copy(causes, event.causes.begin());
        event.disk_calls = node ? slot(*node).disk.calls() : 0;
    }
    return id;
}

void Kernel::take_events(std::vector<Event>& into) {
    into.clear();
    std::swap(into, fresh_);
}

std::int64_t Kernel::text(std::string_view text) {
    bool added = false;
    const std::int64_t number = interner_.text(text, added);
    if (added) {
        hash_.add_content(text);
    }
    return number;
}

std::int64_t Kernel::list(std::span<const std::int32_t> values) {
    bool added = false;
    const std::int64_t number = interner_.list(values, added);
    if (added) {
        hash_.add_content({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    }
    return number;
}

bool operator==(const Kernel& a, const Kernel& b) {
    return a.time_ == b.time_ && a.hash_ == b.hash_ && a.last_event_ == b.last_event_ &&
           a.queue_ == b.queue_ && a.nodes_ == b.nodes_ && a.network_ == b.network_ &&
           a.choices_ == b.choices_ && a.interner_ == b.interner_ && a.outboxes_ == b.outboxes_ &&
           a.posted_ == b.posted_ && *a.specs_ == *b.specs_;
}

}  // namespace klab::sim
