// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/function_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::scenario {

namespace {

using A = ArgumentKind;
using F = FunctionId;
using V = ValueType;

std::vector<Function> cluster_functions() {
    return {
        {F::kLeader,
         "leader",
         {{A::kPartition}},
         V::kNode,
         "The leader in the committed metadata; none while there is none.",
         "leader(t-0) == b2"},
        {F::kIsr,
         "isr",
         {{A::kPartition}},
         V::kNodes,
         "The in-sync replicas in the committed metadata; order does not count.",
         "isr(t-0) == [b1, b2]"},
        {F::kReplicas,
         "replicas",
         {{A::kPartition}},
         V::kNodes,
         "The brokers assigned to the partition.",
         "size(replicas(t-0)) == 3"},
        {F::kEpoch,
         "epoch",
         {{A::kPartition}},
         V::kInteger,
         "The leader epoch in the committed metadata.",
         "epoch(t-0) == 1"},
        {F::kHw,
         "hw",
         {{A::kPartitionOrReplica}},
         V::kInteger,
         "The high watermark at the leader, or at one replica.",
         "hw(t-0@b2) <= hw(t-0)"},
        {F::kLeo,
         "leo",
         {{A::kPartitionOrReplica}},
         V::kInteger,
         "The log end offset of the leader, or of one replica.",
         "leo(t-0@b2) == 7"},
        {F::kController,
         "controller",
         {},
         V::kNode,
         "The active controller.",
         "controller() == k1"},
        {F::kLogsEqual,
         "logs_equal",
         {{A::kPartition}},
         V::kBoolean,
         "All replicas that run hold the same records in the same batches with the same epochs.",
         "logs_equal(t-0)"},
        {F::kUnavailable,
         "unavailable",
         {{A::kPartition}},
         V::kDuration,
         "How long sends to the partition waited without any acknowledgement, waits of 1 s or "
         "more.",
         "unavailable(t-0) < 15s"},
        {F::kCount,
         "count",
         {{A::kEvent}, {A::kFields, true}},
         V::kInteger,
         "How many events of that kind there were, with those values of their fields; a value with "
         "spaces stands in single quotes.",
         "count(isr.shrunk, partition=t-0) == 2"},
        {F::kSize,
         "size",
         {{A::kNodes}},
         V::kInteger,
         "How many elements a list has.",
         "size(isr(t-0)) >= 2"},
        {F::kFiredAt,
         "fired_at",
         {{A::kStep}},
         V::kDuration,
         "When the step fired, as time since the start; none when it did not.",
         "fired_at(come-back) - fired_at(crash-leader) < 12s"},
        {F::kBetween,
         "between",
         {{A::kStep}, {A::kStep}},
         V::kWindow,
         "From the firing of one step to that of another.",
         "acked(p1, between(cut-off, crash-leader)) == 0"},
    };
}

std::vector<Function> log_functions() {
    return {
        {F::kLogStart,
         "log_start",
         {{A::kPartitionOrReplica}},
         V::kInteger,
         "The first offset that can be read at the leader, or at one replica.",
         "log_start(t-0) == 10"},
        {F::kRecords,
         "records",
         {{A::kPartitionOrReplica}},
         V::kInteger,
         "Records in the log of the leader, or of one replica, from its log start on.",
         "records(t-0) == 40"},
        {F::kSegments,
         "segments",
         {{A::kPartitionOrReplica}},
         V::kInteger,
         "Segments of that log, the active one too.",
         "segments(t-0) == 2"},
        {F::kIndexEntries,
         "index_entries",
         {{A::kPartitionOrReplica}},
         V::kInteger,
         "Entries in the offset indexes of all its segments.",
         "index_entries(t-0@b1) == 4"},
        {F::kSegmentOf,
         "segment_of",
         {{A::kPartitionOrReplica}, {A::kOffset}},
         V::kInteger,
         "Base offset of the segment in which a read of that offset ends up.",
         "segment_of(t-0, 368801) == 368796"},
        {F::kBatchesRead,
         "batches_read",
         {{A::kPartitionOrReplica}, {A::kOffset}},
         V::kInteger,
         "Batch headers that finding this offset reads, behind the entry of the index.",
         "batches_read(t-0, 13) == 4"},
    };
}

std::vector<Function> client_functions() {
    return {
        {F::kSent,
         "sent",
         {{A::kProducer}, {A::kWindow, true}},
         V::kInteger,
         "Records given to send(), acknowledged or not.",
         "sent(p1) == 12"},
        {F::kAcked,
         "acked",
         {{A::kProducer}, {A::kWindow, true}},
         V::kInteger,
         "Records whose send was acknowledged.",
         "acked(p1) == 12"},
        {F::kFailed,
         "failed",
         {{A::kProducer}, {A::kWindow, true}},
         V::kInteger,
         "Records whose send ended with an error.",
         "failed(p1) == 0"},
        {F::kErrors,
         "errors",
         {{A::kClient}, {A::kError, true}},
         V::kInteger,
         "Error replies the client got, all or those with one name.",
         "errors(p1, NOT_ENOUGH_REPLICAS) >= 1"},
        {F::kProcessed,
         "processed",
         {{A::kConsumer}},
         V::kInteger,
         "Records the consumer worked on.",
         "processed(c1) == 9"},
        {F::kLostAcked,
         "lost_acked",
         {{A::kProducer}},
         V::kInteger,
         "Acknowledged records that no consumer can read at the end.",
         "lost_acked(p1) == 3"},
        {F::kDuplicates,
         "duplicates",
         {{A::kProducer}},
         V::kInteger,
         "Extra copies of its records in the logs at the end.",
         "duplicates(p1) == 0"},
        {F::kReordered,
         "reordered",
         {{A::kProducer}},
         V::kInteger,
         "Records that stand in a partition behind one that was sent later.",
         "reordered(p1) == 0"},
        {F::kVanished,
         "vanished",
         {{A::kClient}},
         V::kInteger,
         "Records that a consumer has read (or a producer's that one has) and that are gone.",
         "vanished(c1) == 0"},
        {F::kTableSize,
         "table_size",
         {{A::kConsumer}},
         V::kInteger,
         "Keys in the table that the consumer makes of what it read: last value of each key, none "
         "after a record without value.",
         "table_size(c1) == 4"},
        {F::kSkipped,
         "skipped",
         {{A::kConsumer}},
         V::kInteger,
         "Committed records that are still there and that the consumer went past without reading.",
         "skipped(c1) == 0"},
        {F::kReadAboveHw,
         "read_above_hw",
         {{A::kConsumer}},
         V::kBoolean,
         "The consumer has read a record that was not committed.",
         "read_above_hw(c1)"},
        {F::kProcessedTwice,
         "processed_twice",
         {{A::kGroup}},
         V::kInteger,
         "Records that the group worked on more than once.",
         "processed_twice(billing) >= 5",
         false},
        {F::kProcessedNever,
         "processed_never",
         {{A::kGroup}},
         V::kInteger,
         "Records that the group committed past without working on them.",
         "processed_never(billing) == 0",
         false},
        {F::kOwners,
         "owners",
         {{A::kTopic}, {A::kGroup}},
         V::kInteger,
         "The most members that own one partition of the topic at one time.",
         "owners(orders, billing) <= 1",
         false},
        {F::kCommittedMovedBack,
         "committed_moved_back",
         {{A::kGroup}},
         V::kBoolean,
         "A committed offset of the group went back.",
         "committed_moved_back(billing)",
         false},
    };
}

std::vector<Function> all_functions() {
    std::vector<Function> all = cluster_functions();
    const std::vector<Function> logs = log_functions();
    all.insert(all.end(), logs.begin(), logs.end());
    const std::vector<Function> clients = client_functions();
    all.insert(all.end(), clients.begin(), clients.end());
    return all;
}

}  // namespace

std::string_view name_of(ValueType type) {
    switch (type) {
        case ValueType::kInteger:
            return "an integer";
        case ValueType::kDuration:
            return "a duration";
        case ValueType::kBoolean:
            return "a yes or no";
        case ValueType::kNode:
            return "a node";
        case ValueType::kNodes:
            return "a list of nodes";
        case ValueType::kWindow:
            return "a window of time";
        case ValueType::kNone:
            return "none";
    }
    return "a value";
}

std::string_view name_of(ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::kPartition:
            return "a partition";
        case ArgumentKind::kPartitionOrReplica:
            return "a partition or replica";
        case ArgumentKind::kProducer:
            return "a producer";
        case ArgumentKind::kConsumer:
            return "a consumer";
        case ArgumentKind::kClient:
            return "a client";
        case ArgumentKind::kNode:
            return "a node";
        case ArgumentKind::kGroup:
            return "a group";
        case ArgumentKind::kTopic:
            return "a topic";
        case ArgumentKind::kStep:
            return "a step";
        case ArgumentKind::kWindow:
            return "a window of time";
        case ArgumentKind::kError:
            return "an error name";
        case ArgumentKind::kEvent:
            return "a kind of event";
        case ArgumentKind::kOffset:
            return "an offset";
        case ArgumentKind::kFields:
            return "field=value, ...";
        case ArgumentKind::kNodes:
            return "a list of nodes";
    }
    return "a value";
}

const std::vector<Function>& functions() {
    static const std::vector<Function> table = all_functions();
    return table;
}

const Function* find_function(std::string_view name) {
    const std::vector<Function>& table = functions();
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Function& f) { return f.name == name; });
    return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (const Function& function : functions()) {
        names.push_back(function.name);
    }
    return names;
}

std::string signature(const Function& function) {
    std::string out = function.name + "(";
    bool first = true;
    for (const Argument& argument : function.arguments) {
        out += first ? "" : ", ";
        first = false;
        const std::string_view kind = name_of(argument.kind);
        out += argument.optional ? fmt::format("[{}]", kind) : std::string(kind);
    }
    return out + ")";
}

}  // namespace klab::scenario
