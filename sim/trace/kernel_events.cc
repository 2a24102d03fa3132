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
         kTransition,
         "A process started with an empty memory and the disk it left.",
         "{node} starts",
         {{"incarnation", kInteger, "how many times this node has started, from 1"}}},
        {"node.crashed",
         kTransition,
         "A process died; its page cache lives on.",
         "{node} crashes",
         {}},
        {"node.powered_off",
         kTransition,
         "A machine lost power: what was not synced is gone, as far as the fault says.",
         "{node} loses power ({bytes_lost} unsynced bytes lost)",
         {{"bytes_lost", kBytes, "bytes of dirty pages that did not survive"},
          {"files_lost", kInteger, "files whose directory entry did not survive"}}},
        {"node.exited", kTransition, "A process ended by itself.", "{node} stops", {}},
        {"node.paused",
         kTransition,
         "A process stands still (GC, SIGSTOP); its sockets keep filling.",
         "{node} freezes for {for}",
         {{"for", kDuration, "length of the pause; -1 until resumed by hand"}}},
        {"node.resumed", kTransition, "A paused process goes on.", "{node} wakes up", {}},
        {"cpu.slowed",
         kTransition,
         "Every piece of work of a node takes longer.",
         "{node} works {factor} times slower for {for}",
         {{"factor", kInteger, "multiplier of busy time"}, {"for", kDuration, "how long"}}},
        {"clock.jumped",
         kTransition,
         "The wall clock of a node jumped; its monotonic clock did not.",
         "the clock of {node} jumps by {by}",
         {{"by", kDuration, "signed jump"}}},
    };
}

std::vector<EventDef> traffic_rows(std::string_view (*api_name)(std::int64_t),
                                   std::string_view (*timer_name)(std::int64_t)) {
    using enum EventLevel;
    const FieldDef msg{"message", kInteger, "number of the message in this run"};
    const FieldDef from{"from", kNode, "sender"};
    const FieldDef to{"to", kNode, "receiver"};
    const FieldDef api{"api", kSymbol, "kind of request", api_name};
    const FieldDef reply{"reply", kBoolean, "response, not request"};
    const FieldDef corr{"correlation", kInteger, "pairs a reply with its request"};
    const FieldDef conn{"connection", kInteger, "connection it travels on"};
    const FieldDef reason{"reason", kSymbol, "why", &close_reason_name};
    return {
        {"connection.opened",
         kMessage,
         "One end of a connection became usable.",
         "{node} has a connection to {peer}",
         {conn, {"peer", kNode, "other end"}, {"purpose", kInteger, "the model's label"}}},
        {"connection.closed",
         kMessage,
         "One end of a connection learned that it is over.",
         "{node} loses its connection to {peer}: {reason}",
         {conn, {"peer", kNode, "other end"}, reason}},
        {"message.sent",
         kMessage,
         "A message left its sender.",
         "{node} sends {api} to {to}",
         {msg, to, api, reply, corr, {"bytes", kBytes, "size on the wire"}, conn}},
        {"message.received",
         kMessage,
         "A message reached its receiver.",
         "{node} receives {api} from {from}",
         {msg, from, api, reply, corr, {"latency", kDuration, "time since it was sent"}, conn}},
        {"message.lost",
         kMessage,
         "A message will never arrive.",
         "{api} from {from} to {to} is lost: {reason}",
         {msg, from, to, api, reply, reason}},
        {"message.swallowed",
         kMessage,
         "A cut swallowed a message; TCP delivers it late if the connection lives until healing.",
         "the cut swallows {api} from {from} to {to}",
         {msg, from, to, api, reply}},
        {"timer.fired",
         kMessage,
         "A timer of a node ran out.",
         "{node}: {timer}",
         {{"timer", kSymbol, "which timer", timer_name},
          {"a", kInteger, "first part of its key"},
          {"b", kInteger, "second part of its key"}}},
    };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<EventDef> fault_rows(std::string_view (*api_name)(std::int64_t)) {
    using enum EventLevel;
    const FieldDef from{"from", kNode, "sending side, -1 for any"};
    const FieldDef to{"to", kNode, "receiving side, -1 for any"};
    const FieldDef api{"api", kSymbol, "kind of request, -1 for any", api_name};
    const FieldDef reply{"reply", kInteger, "1 replies, 0 requests, -1 both"};
    const FieldDef fault{"fault", kText, "drop, hold, reset, delay or duplicate"};
    return {
        {"link.cut",
         kTransition,
         "Nothing passes this way.",
         "link {from} to {to} is cut",
         {from, to}},
        {"link.healed",
         kTransition,
         "The way is open again.",
         "link {from} to {to} heals",
         {from, to}},
        {"link.slowed",
         kTransition,
         "Each message on this way takes longer.",
         "link {from} to {to} is slower by {by}",
         {from,
          to,
          {"by", kDuration, "added latency"},
          {"for", kDuration, "how long, -1 for ever"}}},
        {"fault.armed",
         kTransition,
         "A fault waits for its message.",
         "{fault} waits for a message from {from} to {to}",
         {fault, from, to, api, reply}},
        {"fault.hit",
         kTransition,
         "A waiting fault met its message.",
         "{fault} hits {api} from {from} to {to}",
         {fault, {"message", kInteger, "number of the message"}, from, to, api, reply}},
        {"call.made",
         kMessage,
         "The application or operator called a node.",
         "{node} is called: {call}",
         {{"call", kSymbol, "which call", api_name}}},
        {"mark.made",
         kTransition,
         "A scenario step fired or spoke.",
         "{text}",
         {{"kind", kText, "step, action or say"},
          {"name", kText, "id of the step"},
          {"text", kText, "what it says or does"}}},
        {"hold.released",
         kTransition,
         "Held messages go on.",
         "held messages from {from} to {to} are released",
         {from, to}},
        {"disk.wiped",
         kTransition,
         "A node's disk was emptied.",
         "the disk of {node} is wiped",
         {{"bytes", kBytes, "bytes it held"}}},
        {"disk.faulted",
         kTransition,
         "The device of a node begins to fail, or to be slow.",
         "the disk of {node} is at fault: {fault} for {path}",
         {{"fault", kText, "slow, full, read only, read error, write error or gone"},
          {"path", kText, "file or directory"},
          {"by", kDuration, "how much longer a call takes, -1 when it fails"},
          {"for", kDuration, "how long, -1 until the device is replaced"},
          {"calls", kInteger, "how many calls, -1 for all"}}},
        {"disk.refused",
         kTransition,
         "A call of a process failed because of a fault of its disk.",
         "the disk of {node} refuses a call for {path}: {error}",
         {{"path", kText, "file or directory"},
          {"error", kText, "no space, read only, input/output error or device gone"}}},
        {"disk.bit_rotted",
         kTransition,
         "One bit of a file at rest changed.",
         "bit {bit} of byte {position} of {path} changes on the disk of {node}",
         {{"path", kText, "the file"},
          {"position", kInteger, "which byte"},
          {"bit", kInteger, "which bit, 0 is the lowest"}}},
        {"disk.entry_lost",
         kTransition,
         "A directory lost a name, and what it led to.",
         "the disk of {node} loses {path}",
         {{"path", kText, "file or directory"}}},
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
    KLAB_ASSERT(rows.size() == kEntryLost.value() + 1U, "{} kernel rows", rows.size());
    rows.resize(kFirstModelEventKind);
    return rows;
}

}  // namespace klab::sim::events
