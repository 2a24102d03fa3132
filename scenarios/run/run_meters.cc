// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/run_meters.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "model/kafka_world/cluster_view.h"
#include "model/types/kafka_events.h"
#include "scenarios/run/client_counts.h"
#include "scenarios/run/event_match.h"
#include "scenarios/run/function_table.h"
#include "scenarios/run/moment.h"
#include "sim/trace/kernel_events.h"

namespace klab::scenario {

namespace {

/// Events after which a partition may have gained or lost its usable leader.
constexpr std::array kLeadershipKinds = {types::events::kPartitionChanged,
                                         types::events::kLeaderStarted,
                                         types::events::kFollowerStarted,
                                         sim::events::kNodeBooted,
                                         sim::events::kNodeCrashed,
                                         sim::events::kNodePoweredOff,
                                         sim::events::kNodeExited,
                                         sim::events::kNodePaused,
                                         sim::events::kNodeResumed};

constexpr std::array kLogKinds = {types::events::kLogAppended,
                                  types::events::kLogRolled,
                                  types::events::kLogSegmentDeleted,
                                  types::events::kLogStartRaised,
                                  types::events::kLogTruncated,
                                  types::events::kLogRecovered,
                                  types::events::kHwAdvanced,
                                  types::events::kHwMovedBack};

std::string field_value(const Expression& value) {
    if (value.kind == ExpressionKind::kInteger) {
        return fmt::format("{}", value.integer);
    }
    if (value.kind == ExpressionKind::kNegate) {
        return fmt::format("-{}", field_value(value.parts.front()));
    }
    return value.name;
}

CountKey key_of(const Expression& call) {
    CountKey key;
    key.event = call.parts.front().name;
    for (std::size_t i = 1; i < call.parts.size(); ++i) {
        key.fields.emplace_back(call.parts[i].name, field_value(call.parts[i].parts.front()));
    }
    return key;
}

template <typename Kinds>
void want_all(const Kinds& wanted, sim::KindSet& kinds) {
    for (const sim::EventKind kind : wanted) {
        kinds.add(kind);
    }
}

void want_for_call(const Expression& call, const sim::EventTable& table, sim::KindSet& kinds) {
    const Function* function = find_function(call.name);
    if (function == nullptr) {
        return;
    }
    switch (function->id) {
        case FunctionId::kLeader:
        case FunctionId::kIsr:
        case FunctionId::kReplicas:
        case FunctionId::kEpoch:
        case FunctionId::kController:
        case FunctionId::kUnavailable:
            want_all(kLeadershipKinds, kinds);
            return;
        case FunctionId::kHw:
        case FunctionId::kLeo:
        case FunctionId::kLogStart:
        case FunctionId::kRecords:
        case FunctionId::kSegments:
        case FunctionId::kIndexEntries:
        case FunctionId::kSegmentOf:
        case FunctionId::kBatchesRead:
        case FunctionId::kLogsEqual:
            want_all(kLeadershipKinds, kinds);
            want_all(kLogKinds, kinds);
            return;
        case FunctionId::kSent:
        case FunctionId::kAcked:
        case FunctionId::kFailed:
        case FunctionId::kErrors:
        case FunctionId::kProcessed:
            ClientCounts::want(kinds);
            return;
        case FunctionId::kLostAcked:
        case FunctionId::kDuplicates:
        case FunctionId::kReordered:
        case FunctionId::kVanished:
        case FunctionId::kSkipped:
            want_all(kLeadershipKinds, kinds);
            want_all(kLogKinds, kinds);
            kinds.add(types::events::kRecordAcked);
            kinds.add(types::events::kRecordPolled);
            return;
        case FunctionId::kTableSize:
        case FunctionId::kReadAboveHw:
            kinds.add(types::events::kRecordAcked);
            kinds.add(types::events::kRecordPolled);
            return;
        case FunctionId::kCount:
            if (const auto kind = table.find(call.parts.front().name)) {
                kinds.add(*kind);
            }
            return;
        case FunctionId::kFiredAt:
            kinds.add(sim::events::kMarkMade);
            return;
        case FunctionId::kSize:
        case FunctionId::kBetween:
        case FunctionId::kProcessedTwice:
        case FunctionId::kProcessedNever:
        case FunctionId::kOwners:
        case FunctionId::kCommittedMovedBack:
            return;
    }
}

}  // namespace

void want_for(const Expression& expression, const sim::EventTable& table, sim::KindSet& kinds) {
    if (expression.kind == ExpressionKind::kCall) {
        want_for_call(expression, table, kinds);
    }
    for (const Expression& part : expression.parts) {
        want_for(part, table, kinds);
    }
}

void RunMeters::watch(const Expression& expression, const sim::EventTable& table) {
    if (expression.kind == ExpressionKind::kCall && !expression.parts.empty()) {
        const Function* function = find_function(expression.name);
        if (function != nullptr && function->id == FunctionId::kCount) {
            CountKey key = key_of(expression);
            const std::optional<sim::EventKind> kind = table.find(key.event);
            counts_.emplace(std::move(key), Count{kind, 0});
        }
    }
    for (const Expression& part : expression.parts) {
        watch(part, table);
    }
}

void RunMeters::want(sim::KindSet& kinds) const {
    for (const auto& [key, count] : counts_) {
        if (count.kind) {
            kinds.add(*count.kind);
        }
    }
}

void RunMeters::add(const sim::Event& event, const sim::Kernel& kernel) {
    for (auto& [key, count] : counts_) {
        if (count.kind != event.kind) {
            continue;
        }
        const bool matches =
            std::all_of(key.fields.begin(), key.fields.end(), [&](const auto& field) {
                return field_matches(event, field.first, field.second, kernel);
            });
        count.times += matches ? 1 : 0;
    }
}

std::int64_t RunMeters::count(const CountKey& key) const {
    const auto found = counts_.find(key);
    return found == counts_.end() ? 0 : found->second.times;
}

}  // namespace klab::scenario
