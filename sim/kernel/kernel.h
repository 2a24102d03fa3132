// SPDX-License-Identifier: Apache-2.0
//
// Kernel: virtual time, nodes, lanes, network and trace of one world, without the model's states.
// World<Model> (sim/kernel/world.h) drives it: next() says which node takes which input, the model
// steps, finish_step() lets the outcome leave. The kernel is a regular value: copying it is a fork.
//
// Owns: the clock of the run, the queue, node slots, network, choices, interner, trace hash.
// Called by: World, Network (through the few methods at the end), Context.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/cow.h"
#include "sim/kernel/choices.h"
#include "sim/kernel/event_queue.h"
#include "sim/kernel/input.h"
#include "sim/kernel/node_slot.h"
#include "sim/net/network.h"
#include "sim/trace/event.h"
#include "sim/trace/interner.h"
#include "sim/trace/trace_hash.h"

namespace klab::sim {

class Context;

/// One node of a world to be.
struct NodeSpec {
    std::string name;
    std::uint16_t lanes = 1;
    ClockState clock;
    DeviceCosts device{};

    friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

struct KernelSpec {
    std::uint64_t seed = 0;
    NetworkSpec network;
    std::vector<NodeSpec> nodes;
    std::shared_ptr<const EventTable> events;  ///< joined table, never null
};

/// What a power failure keeps of dirty pages, and whether single writes may be torn.
struct PowerOff {
    PowerOffKeep keep = PowerOffKeep::synced;
    bool torn = false;
};

class Kernel {
  public:
    explicit Kernel(const KernelSpec& spec);

    // --- running

    /// What one turn of the queue did.
    enum class Turn : std::uint8_t {
        kEmpty,     ///< nothing will ever happen again
        kInternal,  ///< the kernel's own business
        kInput      ///< a node takes an input: World must step it
    };

    struct Dispatch {
        NodeId node;
        Input input;
        bool is_filled = false;     ///< a node takes the input
        EventId cause;              ///< as in WaitingInput
        Time since;                 ///< likewise
        std::uint64_t message = 0;  ///< likewise
    };

    /// Serves the next queue entry. With kInput the dispatch is filled.
    [[nodiscard]] Turn next(Dispatch& dispatch);

    /// After the model's step: busy time, departures.
    void finish_step(Context& context);

    [[nodiscard]] Time time() const { return time_; }

    /// Moves the clock of the run on to `until` when that is later. Requires: nothing is due
    /// before.
    void advance_to(Time until);

    /// Time of the next queue entry; nothing when the queue is empty.
    [[nodiscard]] std::optional<Time> next_time() const;

    // --- faults and operation (between steps; what they cause enters at this instant, ahead of the
    //     queue)

    /// Starts a process on a node that is down or off. World makes the fresh state.
    void boot(NodeId node);
    /// Kills a process. `trigger`: an event of this very instant on that node; disk calls after it
    /// did not happen. Without it calls not completed by now did not. `torn`: half of the first
    /// undone write happened.
    void crash(NodeId node, const Event* trigger, bool torn);
    void power_off(NodeId node, const PowerOff& how, const Event* trigger);
    void pause(NodeId node, std::optional<Duration> length);
    void resume(NodeId node);
    void slow_cpu(NodeId node, std::int64_t factor, std::optional<Duration> length);
    void jump_clock(NodeId node, Duration by);
    /// An empty device in place of the old, faults gone. Requires: no process runs.
    void wipe(NodeId node);

    /// The device behaves so from now on. `length` is how long, if not until it is replaced.
    void add_disk_fault(NodeId node, DiskFault fault, std::optional<Duration> length);

    /// One bit of a file changes, on the platter too. `path`: a file, or a directory to take one
    /// from; `byte`: which one. What is not given is a keyed decision, and so is the bit. Says
    /// whether there was such a byte.
    bool rot_bit(NodeId node, std::string_view path, std::optional<std::uint64_t> byte = {});

    /// A name is lost, on the platter too; a directory with all in it. An empty `path`: that of a
    /// file, by a keyed decision. Says whether there was one. Requires: no process runs.
    bool lose_entry(NodeId node, std::string_view path);

    /// Cuts one way, for `length` or until it is healed. A later cut of the way replaces the
    /// length.
    void cut(NodeId from, NodeId to, std::optional<Duration> length = std::nullopt);

    void heal(NodeId from, NodeId to) { network_.heal(*this, from, to); }

    void heal_all() { network_.heal_all(*this); }

    void slow_link(NodeId from, NodeId to, Duration by, std::optional<Duration> length);
    void set_loss(NodeId from, NodeId to, std::uint32_t num, std::uint32_t den);
    void arm(const MessageFault& fault);
    void release(std::optional<NodeId> from, std::optional<NodeId> to);
    /// Calls into a running node. Says whether it runs.
    bool call(NodeId node, MessageRef call);
    /// Puts a scenario's step or words into the trace.
    EventId mark(std::string_view kind,
                 std::string_view name,
                 std::string_view text,
                 std::span<const EventId> causes);

    /// Cause of the events that the following faults emit.
    void set_fault_cause(std::optional<EventId> cause) { fault_cause_ = cause; }

    void set_link_latency(NodeId from, NodeId to, Duration low, Duration high) {
        network_.set_latency(from, to, low, high);
    }

    // --- trace

    /// Events of these kinds are put aside for the observers, by take_events().
    void subscribe(const KindSet& kinds) { subscribed_ = kinds; }

    [[nodiscard]] bool has_events() const { return !fresh_.empty(); }

    /// Moves the events since the last call into `into` (cleared first).
    void take_events(std::vector<Event>& into);

    [[nodiscard]] const TraceHash& trace_hash() const { return hash_; }

    [[nodiscard]] std::uint64_t events_emitted() const { return last_event_.value(); }

    [[nodiscard]] const EventTable& event_table() const { return *events_; }

    [[nodiscard]] const Interner& interner() const { return interner_; }

    /// Queue entries served so far: the unit of benchmarks and limits.
    [[nodiscard]] std::uint64_t turns() const { return turns_; }

    // --- inspection

    [[nodiscard]] std::uint32_t node_count() const;

    [[nodiscard]] const NodeSlot& slot(NodeId node) const { return *(*nodes_)[node.value()]; }

    [[nodiscard]] const DeviceCosts& device(NodeId node) const {
        return (*specs_)[node.value()].device;
    }

    [[nodiscard]] const std::string& name(NodeId node) const;
    [[nodiscard]] std::optional<NodeId> find_node(std::string_view name) const;

    [[nodiscard]] const Network& network() const { return network_; }

    [[nodiscard]] const EventQueue& pending() const { return *queue_; }

    [[nodiscard]] Choices& choices() { return choices_; }

    [[nodiscard]] const Choices& choices() const { return choices_; }

    friend bool operator==(const Kernel&, const Kernel&);

    // --- for Network and Context only

    /// Emits with the given causes (at most four).
    EventId emit(EventKind kind,
                 std::optional<NodeId> node,
                 std::span<const std::int64_t> fields,
                 std::span<const EventId> causes);

    EventId emit_plain(EventKind kind,
                       std::optional<NodeId> node,
                       std::initializer_list<std::int64_t> fields,
                       std::span<const EventId> causes) {
        return emit(kind, node, {fields.begin(), fields.size()}, causes);
    }

    EventId emit_plain(EventKind kind,
                       std::optional<NodeId> node,
                       std::initializer_list<std::int64_t> fields,
                       std::initializer_list<EventId> causes) {
        return emit(kind, node, {fields.begin(), fields.size()}, {causes.begin(), causes.size()});
    }

    /// An input for a node's lane: taken now or when lane and process are ready.
    void admit(NodeId node, Lane lane, InputBody body, EventId cause);
    void admit_message(
        NodeId node, Lane lane, ConnectionId connection, NodeId peer, const Parcel& parcel);

    [[nodiscard]] EventQueue& queue() { return queue_.write(); }

    [[nodiscard]] std::int64_t text(std::string_view text);
    [[nodiscard]] std::int64_t list(std::span<const std::int32_t> values);

    [[nodiscard]] NodeSlot& slot_for_write(NodeId node) {
        return nodes_.write()[node.value()].write();
    }

    [[nodiscard]] Network& network_for_write() { return network_; }

    [[nodiscard]] bool listening(EventKind kind) const { return subscribed_.contains(kind); }

    void set_timer(NodeId node, TimerKey key, Duration delay, Lane lane);
    bool cancel_timer(NodeId node, TimerKey key);

    /// What a step wants to leave.
    struct Output {
        enum class Kind : std::uint8_t { kSend, kOpen, kClose, kExit } kind = Kind::kSend;
        std::uint8_t cause_count = 0;
        std::int32_t correlation = 0;
        ConnectionId connection;
        MessageRef message;
        std::array<EventId, kEventCausesMax> causes{};

        friend bool operator==(const Output&, const Output&) = default;
    };

    [[nodiscard]] std::vector<Output>& outbox(Context& context);

  private:
    void ready(NodeId node, WaitingInput input);
    /// Gives this turn's input to the node. Requires: the turn has none yet.
    void take(NodeId node, WaitingInput&& input);
    /// Emits the event of the input that a node is about to take.
    void announce(Dispatch& dispatch);
    void depart(NodeId node, std::uint32_t incarnation, std::uint64_t outbox);
    void lane_free(NodeId node, Lane lane, std::uint32_t incarnation);
    void fire_timer(NodeId node, const EventQueue::Popped& popped);
    void end_process(NodeId node, NodeStatus status);
    void undo_disk(NodeSlot& slot, NodeId node, const Event* trigger, bool torn);
    void post(NodeId node, WaitingInput input);
    void serve(const EventQueue::Popped& popped);
    void schedule_lane(NodeId node, Lane lane);
    void compact_if_stale();
    [[nodiscard]] bool live(const Pending& pending, std::uint64_t order) const;

    Time time_;
    Cow<EventQueue> queue_;
    std::uint64_t stale_ = 0;  // estimate of dead queue entries
    Cow<std::vector<Cow<NodeSlot>>> nodes_;
    std::shared_ptr<const std::vector<NodeSpec>> specs_;
    Network network_;
    Choices choices_;
    Interner interner_;
    std::shared_ptr<const EventTable> events_;
    TraceHash hash_;
    EventId last_event_;
    std::uint64_t turns_ = 0;
    std::optional<EventId> fault_cause_;
    KindSet subscribed_;
    std::vector<Event> fresh_;
    std::vector<std::vector<Output>> outboxes_;
    std::vector<std::uint32_t> free_outboxes_;
    Cow<std::vector<WaitingInput>> posted_;
    std::vector<std::uint32_t> free_posted_;
    Dispatch* turn_ = nullptr;  // inside next(): what this turn will dispatch
    KindSet details_;
};

}  // namespace klab::sim
