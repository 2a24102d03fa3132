// SPDX-License-Identifier: Apache-2.0
//
// Kernel faults: what a scenario (or a test) does to nodes, links and disks. All of it happens
// between steps; inputs that follow from it go ahead of the queue.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/assert.h"
#include "sim/kernel/kernel.h"

namespace klab::sim {

namespace {

/// Keyed choices for what a power failure keeps.
class KeyedPowerOff final : public PowerOffChoices {
  public:
    KeyedPowerOff(Choices& choices, NodeId node) : choices_(choices), node_(node) {}

    [[nodiscard]] bool keep_page() override {
        return choices_.pick(sites::kPagesKept, node_.value(), kAbsent, 2) == 1;
    }

    [[nodiscard]] std::uint32_t sectors_kept() override {
        return choices_.pick(sites::kTornAt, node_.value(), kAbsent, kPageBytes / kSectorBytes + 1);
    }

  private:
    Choices& choices_;
    NodeId node_;
};

/// The files at or below `path`, sorted; an empty path means all.
std::vector<std::pair<std::string, FileId>> files_in(const Disk& disk, std::string_view path) {
    std::vector<std::pair<std::string, FileId>> files = disk.files();
    const std::string inside = path.ends_with('/') ? std::string(path) : std::string(path) + "/";
    std::erase_if(files, [&](const auto& file) {
        return !path.empty() && file.first != path && !file.first.starts_with(inside);
    });
    return files;
}

std::span<const EventId> as_span(const std::optional<EventId>& cause) {
    return cause ? std::span<const EventId>(&*cause, 1) : std::span<const EventId>();
}

}  // namespace

void Kernel::boot(NodeId node) {
    KLAB_ASSERT(!slot(node).process_alive(), "{} runs already", name(node));
    NodeSlot& state = slot_for_write(node);
    const bool was_off = state.status == NodeStatus::kOff;
    state.status = NodeStatus::kRunning;
    ++state.incarnation;
    const std::uint32_t incarnation = state.incarnation;
    ready(node,
          WaitingInput{Lane(0), Booted{incarnation}, fault_cause_.value_or(EventId{}), time_, 0});
    if (was_off) {
        network_.machine_up(*this, node);
    }
}

void Kernel::end_process(NodeId node, NodeStatus status) {
    NodeSlot& state = slot_for_write(node);
    state.status = status;
    stale_ += state.timers.size();
    state.timers.clear();
    state.deferred.clear();
    for (const std::uint64_t outbox_slot : state.deferred_departs) {
        outboxes_[outbox_slot].clear();
        free_outboxes_.push_back(static_cast<std::uint32_t>(outbox_slot));
    }
    state.deferred_departs.clear();
    state.cpu_factor = 1;
    ++state.pause_number;
    for (LaneState& lane : state.lanes) {
        lane = LaneState{};
    }
}

void Kernel::undo_disk(NodeSlot& slot, NodeId node, const Event* trigger, bool torn) {
    // A trigger of this instant on this node cuts between two disk calls of its step.
    std::optional<std::uint64_t> keep_calls;
    if (trigger != nullptr && trigger->node == node && trigger->time == time_) {
        keep_calls = trigger->disk_calls;
    }
    slot.disk.crash(time_, keep_calls, torn);
}

void Kernel::crash(NodeId node, const Event* trigger, bool torn) {
    if (!slot(node).process_alive()) {
        return;
    }
    undo_disk(slot_for_write(node), node, trigger, torn);
    end_process(node, NodeStatus::kDown);
    emit_plain(events::kNodeCrashed, node, {}, as_span(fault_cause_));
    network_.process_died(*this, node, false);
}

void Kernel::power_off(NodeId node, const PowerOff& how, const Event* trigger) {
    if (slot(node).status == NodeStatus::kOff) {
        return;
    }
    const bool alive = slot(node).process_alive();
    NodeSlot& state = slot_for_write(node);
    undo_disk(state, node, trigger, how.torn);
    KeyedPowerOff keyed(choices_, node);
    const DiskLoss loss = state.disk.power_off(how.keep, how.torn, keyed);
    end_process(node, NodeStatus::kOff);
    emit_plain(events::kNodePoweredOff,
               node,
               {static_cast<std::int64_t>(loss.bytes), static_cast<std::int64_t>(loss.files)},
               as_span(fault_cause_));
    if (alive) {
        network_.process_died(*this, node, true);
    }
}

void Kernel::pause(NodeId node, std::optional<Duration> length) {
    if (slot(node).status != NodeStatus::kRunning) {
        return;
    }
    NodeSlot& state = slot_for_write(node);
    state.status = NodeStatus::kPaused;
    state.paused_at = time_;
    ++state.pause_number;
    emit_plain(events::kNodePaused, node, {length ? length->ns : kAbsent}, as_span(fault_cause_));
    if (length) {
        Pending pending;
        pending.kind = PendingKind::kResume;
        pending.node = node;
        pending.a = state.pause_number;
        queue_.write().push(time_ + *length, pending);
    }
}

void Kernel::resume(NodeId node) {
    if (slot(node).status != NodeStatus::kPaused) {
        return;
    }
    NodeSlot& state = slot_for_write(node);
    state.status = NodeStatus::kRunning;
    ++state.pause_number;
    const Duration paused_for = time_ - state.paused_at;
    std::vector<WaitingInput> deferred = std::move(state.deferred);
    state.deferred.clear();
    std::vector<std::uint64_t> departs = std::move(state.deferred_departs);
    state.deferred_departs.clear();
    const std::uint32_t incarnation = state.incarnation;
    const auto lanes = static_cast<std::uint16_t>(state.lanes.size());
    // The process first finishes what it was doing, then learns that time has passed.
    for (const std::uint64_t outbox_slot : departs) {
        Pending pending;
        pending.kind = PendingKind::kDepart;
        pending.node = node;
        pending.incarnation = incarnation;
        pending.a = outbox_slot;
        queue_.write().push_front(time_, pending);
    }
    post(node, WaitingInput{Lane(0), Resumed{paused_for}, EventId{}, time_, 0});
    for (WaitingInput& input : deferred) {
        post(node, std::move(input));
    }
    for (std::uint16_t lane = 0; lane < lanes; ++lane) {
        slot_for_write(node).lanes[lane].wake_up_scheduled = false;
        schedule_lane(node, Lane(lane));
    }
}

void Kernel::slow_cpu(NodeId node, std::int64_t factor, std::optional<Duration> length) {
    KLAB_ASSERT(factor >= 1, "cpu factor {}", factor);
    NodeSlot& state = slot_for_write(node);
    state.cpu_factor = factor;
    ++state.cpu_slowing;
    emit_plain(
        events::kCpuSlowed, node, {factor, length ? length->ns : kAbsent}, as_span(fault_cause_));
    if (length) {
        Pending pending;
        pending.kind = PendingKind::kCpuNormal;
        pending.node = node;
        pending.a = state.cpu_slowing;
        queue_.write().push(time_ + *length, pending);
    }
}

void Kernel::jump_clock(NodeId node, Duration by) {
    slot_for_write(node).clock.offset += by;
    emit_plain(events::kClockJumped, node, {by.ns}, as_span(fault_cause_));
}

void Kernel::wipe(NodeId node) {
    KLAB_ASSERT(!slot(node).process_alive(), "the disk of {} is wiped while it runs", name(node));
    const std::uint64_t bytes = slot_for_write(node).disk.wipe();
    emit_plain(events::kDiskWiped, node, {static_cast<std::int64_t>(bytes)}, as_span(fault_cause_));
}

void Kernel::cut(NodeId from, NodeId to, std::optional<Duration> length) {
    const std::uint64_t number = network_.cut(*this, from, to);
    if (length) {
        Pending pending;
        pending.kind = PendingKind::kCutEnds;
        pending.node = from;
        pending.a = number;
        pending.b = to.value();
        queue_.write().push(time_ + *length, pending);
    }
}

void Kernel::add_disk_fault(NodeId node, DiskFault fault, std::optional<Duration> length) {
    if (length) {
        fault.until = time_ + *length;
    }
    const std::int64_t name = text(disk_fault_name(fault.kind));
    const std::int64_t path = text(fault.path.empty() ? "any path" : fault.path);
    const std::int64_t by = fault.kind == DiskFaultKind::kSlow ? fault.by.ns : kAbsent;
    const std::int64_t calls =
        fault.remaining ? static_cast<std::int64_t>(*fault.remaining) : kAbsent;
    slot_for_write(node).disk.add_fault(std::move(fault));
    emit_plain(events::kDiskFaulted,
               node,
               {name, path, by, length ? length->ns : kAbsent, calls},
               as_span(fault_cause_));
}

bool Kernel::rot_bit(NodeId node, std::string_view path, std::optional<std::uint64_t> byte) {
    Disk& disk = slot_for_write(node).disk;
    disk.settle(time_);
    auto files = files_in(disk, path);
    std::erase_if(files, [&](const auto& file) {
        const auto size = disk.size(file.second);
        return !size || *size <= byte.value_or(0);
    });
    if (files.empty()) {
        return false;
    }
    const auto pick = [&](std::uint64_t bound) {
        const std::uint64_t capped = std::min<std::uint64_t>(bound, UINT32_MAX);
        return choices_.pick(
            sites::kBitRot, node.value(), kAbsent, static_cast<std::uint32_t>(capped));
    };
    const auto& [name, file] = files[pick(files.size())];
    const std::uint64_t position = byte ? *byte : pick(*disk.size(file));
    const std::uint32_t bit = pick(8);
    disk.flip_bit(file, position, bit);
    emit_plain(events::kBitRotted,
               node,
               {text(name), static_cast<std::int64_t>(position), bit},
               as_span(fault_cause_));
    return true;
}

bool Kernel::lose_entry(NodeId node, std::string_view path) {
    KLAB_ASSERT(!slot(node).process_alive(), "{} loses an entry while it runs", name(node));
    Disk& disk = slot_for_write(node).disk;
    disk.settle(time_);
    std::string lost(path);
    if (path.empty()) {
        const auto files = disk.files();
        if (files.empty()) {
            return false;
        }
        lost = files[choices_.pick(sites::kLostEntry,
                                   node.value(),
                                   kAbsent,
                                   static_cast<std::uint32_t>(files.size()))]
                   .first;
    }
    if (!disk.lose_entry(lost)) {
        return false;
    }
    emit_plain(events::kEntryLost, node, {text(lost)}, as_span(fault_cause_));
    return true;
}

void Kernel::slow_link(NodeId from, NodeId to, Duration by, std::optional<Duration> length) {
    const std::uint64_t number = network_.slow(from, to, by);
    emit_plain(events::kLinkSlowed,
               std::nullopt,
               {from.value(), to.value(), by.ns, length ? length->ns : kAbsent},
               as_span(fault_cause_));
    if (length) {
        Pending pending;
        pending.kind = PendingKind::kLinkNormal;
        pending.node = from;
        pending.a = number;
        pending.b = to.value();
        queue_.write().push(time_ + *length, pending);
    }
}

void Kernel::set_loss(NodeId from, NodeId to, std::uint32_t num, std::uint32_t den) {
    network_.set_loss(from, to, num, den);
}

void Kernel::arm(const MessageFault& fault) {
    network_.arm(fault);
    const std::int64_t name = text(fault_action_name(fault.action));
    emit_plain(events::kFaultArmed,
               std::nullopt,
               {name,
                fault.from ? fault.from->value() : kAbsent,
                fault.to ? fault.to->value() : kAbsent,
                fault.api ? *fault.api : kAbsent,
                fault.reply ? static_cast<std::int64_t>(*fault.reply) : kAbsent},
               as_span(fault_cause_));
}

void Kernel::release(std::optional<NodeId> from, std::optional<NodeId> to) {
    network_.release(*this, from, to);
}

bool Kernel::call(NodeId node, MessageRef call) {
    if (!slot(node).process_alive()) {
        return false;
    }
    ready(node,
          WaitingInput{
              Lane(0), AppCall{std::move(call)}, fault_cause_.value_or(EventId{}), time_, 0});
    return true;
}

EventId Kernel::mark(std::string_view kind,
                     std::string_view name,
                     std::string_view words,
                     std::span<const EventId> causes) {
    const std::int64_t kind_text = text(kind);
    const std::int64_t name_text = text(name);
    const std::int64_t words_text = text(words);
    return emit_plain(events::kMarkMade, std::nullopt, {kind_text, name_text, words_text}, causes);
}

}  // namespace klab::sim
