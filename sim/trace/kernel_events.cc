// SPDX-License-Identifier: Apache-2.0
//
// The kernel's rows of the event table.
#include "sim/trace/kernel_events.h"

#include <array>

#include "sim/base/assert.h"

namespace klab::sim::events {

namespace {

constexpr std::array<std::string_view, 7> kReasons{"closed by peer",
                                                   "closed here",
                                                   "reset by peer",
                                                   "refused",
                                                   "reset by fault",
                                                   "receiver down",
                                                   "dropped by fault"};

using enum FieldType;

std::vector<EventDef> node_rows() {
    using enum EventLevel;
    return {
        {"node.booted",
         transition,
         "A process started with an empty memory and the disk it left.",
         "{node} starts",
         {{"incarnation", integer, "how many times this node has started, from 1"}}},
        {"node.crashed", transition, "A process died; its page cache lives on.", "{node} crashes", {}},
        {"node.powered_off",
         transition,
         "A machine lost power: what was not synced is gone, as far as the fault says.",
         "{node} loses power ({bytes_lost} unsynced bytes lost)",
         {{"bytes_lost", bytes, "bytes of dirty pages that did not survive"},
          {"files_lost", integer, "files whose directory entry did not survive"}}},
        {"node.exited", transition, "A process ended by itself.", "{node} stops", {}},
        {"node.paused",
         transition,
         "A process stands still (GC, SIGSTOP); its sockets keep filling.",
         "{node} freezes for {for}",
         {{"for", duration, "length of the pause; -1 until resumed by hand"}}},
        {"node.resumed", transition, "A paused process goes on.", "{node} wakes up", {}},
        {"cpu.slowed",
         transition,
         "Every piece of work of a node takes longer.",
         "{node} works {factor} times slower for {for}",
         {{"factor", integer, "multiplier of busy time"}, {"for", duration, "how long"}}},
        {"clock.jumped",
         transition,
         "The wall clock of a node jumped; its monotonic clock did not.",
         "the clock of {node} jumps by {by}",
         {{"by", duration, "signed jump"}}},
    };
}

std::vector<EventDef> traffic_rows(std::string_view (*api_name)(std::int64_t),
                                   std::string_view (*timer_name)(std::int64_t)) {
    using enum EventLevel;
    const FieldDef msg{"message", integer, "number of the message in this run"};
    const FieldDef from{"from", FieldType::node, "sender"};
    const FieldDef to{"to", FieldType::node, "receiver"};
    const FieldDef api{"api", symbol, "kind of request", api_name};
    const FieldDef reply{"reply", boolean, "response, not request"};
    const FieldDef corr{"correlation", integer, "pairs a reply with its request"};
    const FieldDef conn{"connection", integer, "connection it travels on"};
    const FieldDef reason{"reason", symbol, "why", &close_reason_name};
    return {
        {"connection.opened",
         message,
         "One end of a connection became usable.",
         "{node} has a connection to {peer}",
         {conn, {"peer", FieldType::node, "other end"}, {"purpose", integer, "the model's label"}}},
        {"connection.closed",
         message,
         "One end of a connection learned that it is over.",
         "{node} loses its connection to {peer}: {reason}",
         {conn, {"peer", FieldType::node, "other end"}, reason}},
        {"message.sent",
         message,
         "A message left its sender.",
         "{node} sends {api} to {to}",
         {msg, to, api, reply, corr, {"bytes", bytes, "size on the wire"}, conn}},
        {"message.received",
         message,
         "A message reached its receiver.",
         "{node} receives {api} from {from}",
         {msg, from, api, reply, corr, {"latency", duration, "time since it was sent"}, conn}},
        {"message.lost",
         message,
         "A message will never arrive.",
         "{api} from {from} to {to} is lost: {reason}",
         {msg, from, to, api, reply, reason}},
        {"message.swallowed",
         message,
         "A cut swallowed a message; TCP delivers it late if the connection lives until healing.",
         "the cut swallows {api} from {from} to {to}",
         {msg, from, to, api, reply}},
        {"timer.fired",
         message,
         "A timer of a node ran out.",
         "{node}: {timer}",
         {{"timer", symbol, "which timer", timer_name},
          {"a", integer, "first part of its key"},
          {"b", integer, "second part of its key"}}},
    };
}

std::vector<EventDef> fault_rows(std::string_view (*api_name)(std::int64_t)) {
    using enum EventLevel;
    const FieldDef from{"from", FieldType::node, "sending side, -1 for any"};
    const FieldDef to{"to", FieldType::node, "receiving side, -1 for any"};
    const FieldDef api{"api", symbol, "kind of request, -1 for any", api_name};
    const FieldDef reply{"reply", integer, "1 replies, 0 requests, -1 both"};
    const FieldDef fault{"fault", text, "drop, hold, reset, delay or duplicate"};
    return {
        {"link.cut", transition, "Nothing passes this way.", "link {from} to {to} is cut", {from, to}},
        {"link.healed", transition, "The way is open again.", "link {from} to {to} heals", {from, to}},
        {"link.slowed",
         transition,
         "Each message on this way takes longer.",
         "link {from} to {to} is slower by {by}",
         {from, to, {"by", duration, "added latency"}, {"for", duration, "how long, -1 for ever"}}},
        {"fault.armed",
         transition,
         "A fault waits for its message.",
         "{fault} waits for a message from {from} to {to}",
         {fault, from, to, api, reply}},
        {"fault.hit",
         transition,
         "A waiting fault met its message.",
         "{fault} hits {api} from {from} to {to}",
         {fault, {"message", integer, "number of the message"}, from, to, api, reply}},
        {"call.made",
         message,
         "The application or operator called a node.",
         "{node} is called: {call}",
         {{"call", symbol, "which call", api_name}}},
        {"mark.made",
         transition,
         "A scenario step fired or spoke.",
         "{text}",
         {{"kind", text, "step, action or say"},
          {"name", text, "id of the step"},
          {"text", text, "what it says or does"}}},
        {"hold.released",
         transition,
         "Held messages go on.",
         "held messages from {from} to {to} are released",
         {from, to}},
        {"disk.wiped",
         transition,
         "A node's disk was emptied.",
         "the disk of {node} is wiped",
         {{"bytes", bytes, "bytes it held"}}},
    };
}

}  // namespace

std::string_view close_reason_name(std::int64_t reason) {
    const auto i = static_cast<std::size_t>(reason);
    return reason >= 0 && i < kReasons.size() ? kReasons[i] : std::string_view("unknown");
}

std::vector<EventDef> kernel_rows(std::string_view (*api_name)(std::int64_t),
                                  std::string_view (*timer_name)(std::int64_t)) {
    std::vector<EventDef> rows = node_rows();
    for (EventDef& row : traffic_rows(api_name, timer_name)) {
        rows.push_back(std::move(row));
    }
    for (EventDef& row : fault_rows(api_name)) {
        rows.push_back(std::move(row));
    }
    KLAB_ASSERT(rows.size() == kDiskWiped.value() + 1U, "{} kernel rows", rows.size());
    rows.resize(kFirstModelEventKind);
    return rows;
}

}  // namespace klab::sim::events
