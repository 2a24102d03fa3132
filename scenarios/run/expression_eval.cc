// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/expression_eval.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/run/function_table.h"
#include "sim/base/assert.h"
#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

template <typename T>
Value or_none(std::optional<T> value) {
    return value ? Value(std::move(*value)) : Value(NoValue{});
}

Value sorted(std::vector<std::string> nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

std::optional<std::int64_t> calculate(ExpressionKind kind, std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    bool overflow = false;
    if (kind == ExpressionKind::kAdd) {
        overflow = __builtin_add_overflow(a, b, &out);
    } else if (kind == ExpressionKind::kSubtract) {
        overflow = __builtin_sub_overflow(a, b, &out);
    } else {
        overflow = __builtin_mul_overflow(a, b, &out);
    }
    return overflow ? std::nullopt : std::optional<std::int64_t>(out);
}

/// Integer or nanoseconds; `time` says which.
struct Number {
    std::int64_t value = 0;
    bool time = false;
};

std::optional<Number> number_of(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return Number{*integer, false};
    }
    if (const auto* duration = std::get_if<Duration>(&value)) {
        return Number{duration->ns, true};
    }
    return std::nullopt;
}

Value number_value(std::optional<std::int64_t> value, bool time) {
    if (!value) {
        return NoValue{};
    }
    return time ? Value(Duration{*value}) : Value(*value);
}

Value arithmetic(const Expression& e, const RunView& run) {
    const std::optional<Number> left = number_of(evaluate(e.parts.front(), run));
    if (!left) {
        return NoValue{};
    }
    if (e.kind == ExpressionKind::kNegate) {
        return number_value(calculate(ExpressionKind::kSubtract, 0, left->value), left->time);
    }
    const std::optional<Number> right = number_of(evaluate(e.parts.back(), run));
    if (!right) {
        return NoValue{};
    }
    return number_value(calculate(e.kind, left->value, right->value), left->time || right->time);
}

bool compare(ExpressionKind kind, const Value& left, const Value& right) {
    if (kind == ExpressionKind::kEqual) {
        return left == right;
    }
    if (kind == ExpressionKind::kNotEqual) {
        return left != right;
    }
    const std::optional<Number> a = number_of(left);
    const std::optional<Number> b = number_of(right);
    if (!a || !b) {
        return false;
    }
    switch (kind) {
        case ExpressionKind::kLess:
            return a->value < b->value;
        case ExpressionKind::kLessOrEqual:
            return a->value <= b->value;
        case ExpressionKind::kGreater:
            return a->value > b->value;
        default:
            return a->value >= b->value;
    }
}

PartitionName partition_of(const Expression& argument) {
    if (std::optional<ReplicaName> replica = parse_replica(argument.name)) {
        return std::move(replica->partition);
    }
    const std::optional<PartitionName> partition = parse_partition(argument.name);
    KLAB_ASSERT(partition.has_value(), "{} is no partition", argument.name);
    return *partition;
}

std::optional<std::string> node_of(const Expression& argument) {
    std::optional<ReplicaName> replica = parse_replica(argument.name);
    return replica ? std::optional<std::string>(std::move(replica->node)) : std::nullopt;
}

std::optional<StepWindow> window_of(const Expression& call) {
    if (call.parts.size() < 2) {
        return std::nullopt;
    }
    const Expression& between = call.parts[1];
    return StepWindow{between.parts.at(0).name, between.parts.at(1).name};
}

std::string field_text(const Expression& value) {
    if (value.kind == ExpressionKind::kInteger) {
        return fmt::format("{}", value.integer);
    }
    if (value.kind == ExpressionKind::kNegate) {
        return fmt::format("-{}", field_text(value.parts.front()));
    }
    return value.name;
}

Value count(const Expression& call, const RunView& run) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (std::size_t i = 1; i < call.parts.size(); ++i) {
        fields.emplace_back(call.parts[i].name, field_text(call.parts[i].parts.front()));
    }
    return run.count(call.parts.front().name, fields);
}

Value log_number(LogQuestion question, const Expression& call, const RunView& run) {
    const Expression& where = call.parts.front();
    const std::int64_t offset = call.parts.size() < 2 ? 0 : call.parts[1].integer;
    return or_none(run.log_number(question, partition_of(where), node_of(where), offset));
}

Value client_function(FunctionId id, const Expression& call, const RunView& run) {
    const std::string& client = call.parts.front().name;
    switch (id) {
        case FunctionId::kSent:
            return or_none(run.sent(client, window_of(call)));
        case FunctionId::kAcked:
            return or_none(run.acked(client, window_of(call)));
        case FunctionId::kFailed:
            return or_none(run.failed(client, window_of(call)));
        case FunctionId::kErrors:
            return run.errors(client,
                              call.parts.size() < 2
                                  ? std::nullopt
                                  : std::optional<std::string>(call.parts[1].name));
        case FunctionId::kProcessed:
            return run.processed(client);
        case FunctionId::kLostAcked:
            return run.lost_acked(client);
        case FunctionId::kDuplicates:
            return run.duplicates(client);
        case FunctionId::kReordered:
            return run.reordered(client);
        case FunctionId::kVanished:
            return run.vanished(client);
        case FunctionId::kTableSize:
            return run.table_size(client);
        case FunctionId::kSkipped:
            return run.skipped(client);
        case FunctionId::kReadAboveHw:
            return run.read_above_hw(client);
        default:
            return NoValue{};  // refused by the check
    }
}

Value call_value(const Expression& call, const RunView& run) {
    const Function* function = find_function(call.name);
    KLAB_ASSERT(function != nullptr, "no function {}", call.name);
    switch (function->id) {
        case FunctionId::kLeader:
            return or_none(run.leader(partition_of(call.parts.front())));
        case FunctionId::kIsr:
            return sorted(run.isr(partition_of(call.parts.front())));
        case FunctionId::kReplicas:
            return sorted(run.replicas(partition_of(call.parts.front())));
        case FunctionId::kEpoch:
            return or_none(run.leader_epoch(partition_of(call.parts.front())));
        case FunctionId::kHw:
            return or_none(
                run.high_watermark(partition_of(call.parts.front()), node_of(call.parts.front())));
        case FunctionId::kLeo:
            return or_none(
                run.log_end_offset(partition_of(call.parts.front()), node_of(call.parts.front())));
        case FunctionId::kLogStart:
            return log_number(LogQuestion::kLogStart, call, run);
        case FunctionId::kRecords:
            return log_number(LogQuestion::kRecords, call, run);
        case FunctionId::kSegments:
            return log_number(LogQuestion::kSegments, call, run);
        case FunctionId::kIndexEntries:
            return log_number(LogQuestion::kIndexEntries, call, run);
        case FunctionId::kSegmentOf:
            return log_number(LogQuestion::kSegmentOf, call, run);
        case FunctionId::kBatchesRead:
            return log_number(LogQuestion::kBatchesRead, call, run);
        case FunctionId::kController:
            return or_none(run.controller());
        case FunctionId::kLogsEqual:
            return run.logs_equal(partition_of(call.parts.front()));
        case FunctionId::kUnavailable:
            return run.unavailable(partition_of(call.parts.front()));
        case FunctionId::kCount:
            return count(call, run);
        case FunctionId::kSize: {
            const Value list = evaluate(call.parts.front(), run);
            const auto* nodes = std::get_if<std::vector<std::string>>(&list);
            return nodes == nullptr ? Value(NoValue{})
                                    : Value(static_cast<std::int64_t>(nodes->size()));
        }
        case FunctionId::kFiredAt:
            return or_none(run.fired_at(call.parts.front().name));
        case FunctionId::kBetween:
            return StepWindow{call.parts.at(0).name, call.parts.at(1).name};
        case FunctionId::kSent:
        case FunctionId::kAcked:
        case FunctionId::kFailed:
        case FunctionId::kErrors:
        case FunctionId::kProcessed:
        case FunctionId::kLostAcked:
        case FunctionId::kDuplicates:
        case FunctionId::kReordered:
        case FunctionId::kVanished:
        case FunctionId::kTableSize:
        case FunctionId::kSkipped:
        case FunctionId::kReadAboveHw:
        case FunctionId::kProcessedTwice:
        case FunctionId::kProcessedNever:
        case FunctionId::kOwners:
        case FunctionId::kCommittedMovedBack:
            return client_function(function->id, call, run);
    }
    return NoValue{};
}

Value name_value(const std::string& name) {
    if (name == "none") {
        return NoValue{};
    }
    if (name == "true" || name == "false") {
        return name == "true";
    }
    return name;
}

}  // namespace

Value evaluate(const Expression& e, const RunView& run) {
    switch (e.kind) {
        case ExpressionKind::kInteger:
            return e.integer;
        case ExpressionKind::kTime:
            return e.time;
        case ExpressionKind::kName:
            return name_value(e.name);
        case ExpressionKind::kList: {
            std::vector<std::string> nodes;
            for (const Expression& part : e.parts) {
                const Value value = evaluate(part, run);
                if (const auto* node = std::get_if<std::string>(&value)) {
                    nodes.push_back(*node);
                }
            }
            return sorted(std::move(nodes));
        }
        case ExpressionKind::kCall:
            return call_value(e, run);
        case ExpressionKind::kField:
            return NoValue{};
        case ExpressionKind::kNegate:
        case ExpressionKind::kAdd:
        case ExpressionKind::kSubtract:
        case ExpressionKind::kMultiply:
            return arithmetic(e, run);
        case ExpressionKind::kEqual:
        case ExpressionKind::kNotEqual:
        case ExpressionKind::kLess:
        case ExpressionKind::kLessOrEqual:
        case ExpressionKind::kGreater:
        case ExpressionKind::kGreaterOrEqual:
            return compare(e.kind, evaluate(e.parts[0], run), evaluate(e.parts[1], run));
    }
    return NoValue{};
}

bool holds(const Expression& condition, const RunView& run) {
    const Value value = evaluate(condition, run);
    const bool* truth = std::get_if<bool>(&value);
    return truth != nullptr && *truth;
}

Value shown_value(const Expression& condition, const RunView& run) {
    return evaluate(is_comparison(condition.kind) ? condition.parts.front() : condition, run);
}

std::string to_text(const Value& value) {
    return std::visit(overloaded{
                          [](NoValue) { return std::string("none"); },
                          [](std::int64_t integer) { return fmt::format("{}", integer); },
                          [](Duration duration) { return klab::to_text(duration); },
                          [](bool truth) { return std::string(truth ? "true" : "false"); },
                          [](const std::string& name) { return name; },
                          [](const std::vector<std::string>& nodes) {
                              return fmt::format("[{}]", fmt::join(nodes, ", "));
                          },
                          [](const StepWindow& window) {
                              return fmt::format("between({}, {})", window.from, window.to);
                          },
                      },
                      value);
}

}  // namespace klab::scenario
