// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/expression_check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/run/did_you_mean.h"

namespace klab::scenario {

namespace {

using Type = std::optional<ValueType>;

class Checker {
  public:
    Checker(const NameTable& names, const Vocabulary& words, Findings& findings)
        : names_(names), words_(words), findings_(findings) {}

    Type type_of(const Expression& e);

  private:
    Type name(const Expression& e);
    Type list(const Expression& e);
    Type call(const Expression& e);
    Type arithmetic(const Expression& e);
    Type comparison(const Expression& e);
    bool arguments(const Expression& e, const Function& function);
    bool argument(const Expression& e, ArgumentKind kind, const Expression& call);
    bool name_argument(const Expression& e, ArgumentKind kind);
    bool client(const Expression& e, ArgumentKind kind);
    bool event_fields(const Expression& e, const Expression& call);

    void report(std::string code, std::string message, Span where, std::string label) {
        Finding finding;
        finding.code = std::move(code);
        finding.message = std::move(message);
        finding.where = where;
        finding.label = std::move(label);
        findings_.add(std::move(finding));
    }

    const NameTable& names_;
    const Vocabulary& words_;
    Findings& findings_;
};

Type Checker::type_of(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::kInteger:
            return ValueType::kInteger;
        case ExpressionKind::kTime:
            return ValueType::kDuration;
        case ExpressionKind::kName:
            return name(e);
        case ExpressionKind::kList:
            return list(e);
        case ExpressionKind::kCall:
            return call(e);
        case ExpressionKind::kField:
            report("S044",
                   fmt::format("\"{}=...\" has no place here", e.name),
                   e.where,
                   "fields stand inside count(...)");
            return std::nullopt;
        case ExpressionKind::kNegate:
        case ExpressionKind::kAdd:
        case ExpressionKind::kSubtract:
        case ExpressionKind::kMultiply:
            return arithmetic(e);
        case ExpressionKind::kEqual:
        case ExpressionKind::kNotEqual:
        case ExpressionKind::kLess:
        case ExpressionKind::kLessOrEqual:
        case ExpressionKind::kGreater:
        case ExpressionKind::kGreaterOrEqual:
            return comparison(e);
    }
    return std::nullopt;
}

Type Checker::name(const Expression& e) {
    if (e.name == "none") {
        return ValueType::kNone;
    }
    if (e.name == "true" || e.name == "false") {
        return ValueType::kBoolean;
    }
    if (names_.has_node(e.name)) {
        return ValueType::kNode;
    }
    if (find_function(e.name) != nullptr) {
        report("S044",
               fmt::format("\"{}\" is a function", e.name),
               e.where,
               fmt::format("say of what: {}", find_function(e.name)->example));
        return std::nullopt;
    }
    const std::optional<PartitionName> partition = parse_partition(e.name);
    if (partition && names_.topics.find(partition->topic) != names_.topics.end()) {
        report("S044",
               fmt::format("\"{}\" is a partition, not a value", e.name),
               e.where,
               fmt::format("for example hw({})", e.name));
        return std::nullopt;
    }
    if (e.name.front() >= '0' && e.name.front() <= '9') {
        report("S044",
               fmt::format("\"{}\" is read as a name", e.name),
               e.where,
               "minus stands between spaces");
        return std::nullopt;
    }
    check_node(names_, e.name, e.where, findings_);
    return std::nullopt;
}

Type Checker::list(const Expression& e) {
    bool right = true;
    for (const Expression& part : e.parts) {
        const Type type = type_of(part);
        if (type && *type != ValueType::kNode) {
            report("S044",
                   fmt::format("a list holds nodes, not {}", name_of(*type)),
                   part.where,
                   "for example [b1, b2]");
            right = false;
        }
        right = right && type.has_value();
    }
    return right ? Type(ValueType::kNodes) : std::nullopt;
}

Type Checker::arithmetic(const Expression& e) {
    std::vector<Type> types;
    for (const Expression& part : e.parts) {
        types.push_back(type_of(part));
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (!types[i]) {
            return std::nullopt;
        }
        if (*types[i] != ValueType::kInteger && *types[i] != ValueType::kDuration) {
            report("S044",
                   fmt::format("one cannot calculate with {}", name_of(*types[i])),
                   e.parts[i].where,
                   fmt::format("this is {}", name_of(*types[i])));
            return std::nullopt;
        }
    }
    const bool equal = types.size() == 1 || *types[0] == *types[1];
    const bool times =
        types.size() == 2 && *types[0] == ValueType::kDuration && *types[1] == ValueType::kDuration;
    if (e.kind == ExpressionKind::kMultiply) {
        if (times) {
            report("S044", "a time cannot be multiplied by a time", e.where, "two durations");
            return std::nullopt;
        }
        return equal ? *types[0] : ValueType::kDuration;
    }
    if (!equal) {
        report("S044",
               fmt::format("{} and {} do not add up", name_of(*types[0]), name_of(*types[1])),
               e.where,
               "a time needs a unit, for example 20ms");
        return std::nullopt;
    }
    return *types[0];
}

Type Checker::comparison(const Expression& e) {
    const Type left = type_of(e.parts[0]);
    const Type right = type_of(e.parts[1]);
    if (!left || !right) {
        return std::nullopt;
    }
    const bool none = *left == ValueType::kNone || *right == ValueType::kNone;
    if (*left != *right && !none) {
        report("S044",
               fmt::format("{} is compared with {}", name_of(*left), name_of(*right)),
               e.where,
               *left == ValueType::kDuration || *right == ValueType::kDuration
                   ? "a time needs a unit, for example 20ms"
                   : "they are never equal");
        return std::nullopt;
    }
    const bool equality = e.kind == ExpressionKind::kEqual || e.kind == ExpressionKind::kNotEqual;
    const bool ordered = *left == ValueType::kInteger || *left == ValueType::kDuration;
    if (!equality && (none || !ordered)) {
        report("S044",
               fmt::format("{} has no order", name_of(none ? ValueType::kNone : *left)),
               e.where,
               "use == or !=");
        return std::nullopt;
    }
    return ValueType::kBoolean;
}

Type Checker::call(const Expression& e) {
    const Function* function = find_function(e.name);
    if (function == nullptr) {
        Finding finding = unknown_word("S043", "function", e.name, e.where, function_names());
        finding.where.end = std::min(
            finding.where.end, finding.where.begin + static_cast<std::uint32_t>(e.name.size()));
        findings_.add(std::move(finding));
        return std::nullopt;
    }
    if (!function->supported) {
        report("S050",
               fmt::format("{}() is not supported by this version of klab", e.name),
               e.where,
               "needs consumer groups");
        return std::nullopt;
    }
    return arguments(e, *function) ? Type(function->result) : std::nullopt;
}

bool Checker::arguments(const Expression& e, const Function& function) {
    std::size_t needed = 0;
    std::size_t most = 0;
    for (const Argument& argument : function.arguments) {
        needed += argument.optional ? 0 : 1;
        most = argument.kind == ArgumentKind::kFields ? SIZE_MAX : most + 1;
        if (most == SIZE_MAX) {
            break;
        }
    }
    if (e.parts.size() < needed || e.parts.size() > most) {
        Finding finding;
        finding.code = "S045";
        finding.message = fmt::format(
            "{}() has {} argument{}", e.name, e.parts.size(), e.parts.size() == 1 ? "" : "s");
        finding.where = e.where;
        finding.label = signature(function);
        finding.help.push_back(fmt::format("for example: {}", function.example));
        findings_.add(std::move(finding));
        return false;
    }
    bool right = true;
    for (std::size_t i = 0; i < e.parts.size(); ++i) {
        const std::size_t index = std::min(i, function.arguments.size() - 1);
        right = argument(e.parts[i], function.arguments[index].kind, e) && right;
    }
    return right;
}

bool Checker::argument(const Expression& e, ArgumentKind kind, const Expression& call) {
    if (kind == ArgumentKind::kFields) {
        return event_fields(e, call);
    }
    if (kind == ArgumentKind::kWindow || kind == ArgumentKind::kNodes) {
        const ValueType wanted =
            kind == ArgumentKind::kWindow ? ValueType::kWindow : ValueType::kNodes;
        if (kind == ArgumentKind::kWindow && e.kind != ExpressionKind::kCall) {
            report("S044",
                   fmt::format("{}() needs {} here", call.name, name_of(kind)),
                   e.where,
                   "for example between(cut-off, crash-leader)");
            return false;
        }
        const Type type = type_of(e);
        if (type && *type != wanted) {
            report("S044",
                   fmt::format("{}() needs {}, not {}", call.name, name_of(kind), name_of(*type)),
                   e.where,
                   fmt::format("expected {}", name_of(kind)));
        }
        return type == wanted;
    }
    if (kind == ArgumentKind::kOffset && e.kind == ExpressionKind::kInteger) {
        return true;
    }
    if (kind == ArgumentKind::kOffset || e.kind != ExpressionKind::kName) {
        report("S044",
               fmt::format("{}() needs {} here", call.name, name_of(kind)),
               e.where,
               fmt::format("expected {}", name_of(kind)));
        return false;
    }
    return name_argument(e, kind);
}

bool Checker::name_argument(const Expression& e, ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::kPartition:
        case ArgumentKind::kPartitionOrReplica: {
            const std::optional<ReplicaName> replica = parse_replica(e.name);
            if (replica && kind == ArgumentKind::kPartitionOrReplica) {
                return check_replica(names_, *replica, e.where, findings_);
            }
            const std::optional<PartitionName> partition = parse_partition(e.name);
            if (partition) {
                return check_partition(names_, *partition, e.where, findings_);
            }
            report("S044",
                   fmt::format("\"{}\" is not {}", e.name, name_of(kind)),
                   e.where,
                   "a partition is topic-number, for example t-0");
            return false;
        }
        case ArgumentKind::kProducer:
        case ArgumentKind::kConsumer:
        case ArgumentKind::kClient:
            return client(e, kind);
        case ArgumentKind::kNode:
            return check_node(names_, e.name, e.where, findings_);
        case ArgumentKind::kGroup:
            return check_group(names_, e.name, e.where, findings_);
        case ArgumentKind::kTopic:
            return check_topic(names_, e.name, e.where, findings_);
        case ArgumentKind::kStep:
            return check_step(names_, e.name, e.where, findings_);
        case ArgumentKind::kError: {
            const std::vector<std::string> known = words_.errors();
            if (known.empty() || std::find(known.begin(), known.end(), e.name) != known.end()) {
                return true;
            }
            findings_.add(unknown_word("S038", "error", e.name, e.where, known));
            return false;
        }
        case ArgumentKind::kEvent: {
            const std::vector<EventInfo> events = words_.events();
            std::vector<std::string> known;
            for (const EventInfo& event : events) {
                known.push_back(event.name);
            }
            if (known.empty() || std::find(known.begin(), known.end(), e.name) != known.end()) {
                return true;
            }
            findings_.add(unknown_word("S037", "event", e.name, e.where, known));
            return false;
        }
        case ArgumentKind::kWindow:
        case ArgumentKind::kOffset:
        case ArgumentKind::kFields:
        case ArgumentKind::kNodes:
            return true;
    }
    return true;
}

bool Checker::client(const Expression& e, ArgumentKind kind) {
    if (!check_client(names_, e.name, e.where, findings_)) {
        return false;
    }
    const ClientRole role = names_.clients.find(e.name)->second;
    const bool right = kind == ArgumentKind::kClient ||
                       (kind == ArgumentKind::kProducer && role == ClientRole::kProducer) ||
                       (kind == ArgumentKind::kConsumer && role == ClientRole::kConsumer);
    if (!right) {
        report("S026",
               fmt::format("\"{}\" is not {}", e.name, name_of(kind)),
               e.where,
               fmt::format(
                   "{} is {} {}", e.name, role == ClientRole::kAdmin ? "an" : "a", name_of(role)));
    }
    return right;
}

bool Checker::event_fields(const Expression& e, const Expression& call) {
    if (e.kind != ExpressionKind::kField) {
        report("S044", "count() needs field=value here", e.where, "for example partition=t-0");
        return false;
    }
    const ExpressionKind value = e.parts.front().kind;
    if (value != ExpressionKind::kName && value != ExpressionKind::kInteger &&
        value != ExpressionKind::kNegate) {
        report("S044",
               "the value of a field is a name or an integer",
               e.parts.front().where,
               "expected a name or an integer");
        return false;
    }
    for (const EventInfo& event : words_.events()) {
        if (event.name != call.parts.front().name) {
            continue;
        }
        if (std::find(event.fields.begin(), event.fields.end(), e.name) != event.fields.end()) {
            return true;
        }
        Finding finding = unknown_word("S037", "field", e.name, e.where, event.fields);
        finding.message = fmt::format("{} has no field \"{}\"", event.name, e.name);
        findings_.add(std::move(finding));
        return false;
    }
    return true;
}

}  // namespace

std::optional<ValueType> check_expression(const Expression& expression,
                                          const NameTable& names,
                                          const Vocabulary& words,
                                          Findings& findings) {
    return Checker(names, words, findings).type_of(expression);
}

void check_condition(const Expression& expression,
                     const NameTable& names,
                     const Vocabulary& words,
                     Findings& findings) {
    const Type type = check_expression(expression, names, words, findings);
    if (!type || *type == ValueType::kBoolean) {
        return;
    }
    Finding finding;
    finding.code = "S044";
    finding.message = fmt::format("this is {}, not a condition", name_of(*type));
    finding.where = expression.where;
    finding.label = "compare it with something: == 3";
    findings.add(std::move(finding));
}

}  // namespace klab::scenario
