// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/shape_kinds.h"

#include <algorithm>

#include "scenarios/run/text_rules.h"

namespace klab::scenario {

bool accepts_kind(const Shape& expected, JsonKind kind) {
    switch (expected.kind) {
        case ShapeKind::kAnything:
            return true;
        case ShapeKind::kNull:
            return kind == JsonKind::kNull;
        case ShapeKind::kScalar:
            return kind == JsonKind::kText || kind == JsonKind::kInteger ||
                   kind == JsonKind::kNumber || kind == JsonKind::kBoolean;
        case ShapeKind::kText:
        case ShapeKind::kChoice:
            return kind == JsonKind::kText;
        case ShapeKind::kInteger:
        case ShapeKind::kVersion:
            return kind == JsonKind::kInteger;
        case ShapeKind::kNumber:
            return kind == JsonKind::kNumber || kind == JsonKind::kInteger;
        case ShapeKind::kBoolean:
        case ShapeKind::kTrue:
            return kind == JsonKind::kBoolean;
        case ShapeKind::kList:
            return kind == JsonKind::kList;
        case ShapeKind::kMap:
        case ShapeKind::kObject:
        case ShapeKind::kForms:
            return kind == JsonKind::kObject;
        case ShapeKind::kAlternatives:
            return std::any_of(
                expected.alternatives.begin(),
                expected.alternatives.end(),
                [&](const std::string& name) { return accepts_kind(shape(name), kind); });
    }
    return false;
}

bool wants_time(const Shape& expected) {
    if (expected.kind == ShapeKind::kAlternatives) {
        return std::any_of(expected.alternatives.begin(),
                           expected.alternatives.end(),
                           [](const std::string& name) { return wants_time(shape(name)); });
    }
    return expected.kind == ShapeKind::kText &&
           (expected.rule == TextRule::kDuration || expected.rule == TextRule::kShift);
}

bool is_readable(TextRule rule, const std::string& text) {
    switch (rule) {
        case TextRule::kAny:
        case TextRule::kName:
        case TextRule::kPointer:
            return matches(rule, text);
        case TextRule::kDuration:
            return matches(rule, text) && parse_duration(text).duration.has_value();
        case TextRule::kShift:
            return matches(rule, text) && parse_shift(text).duration.has_value();
        case TextRule::kBandwidth:
            return parse_bandwidth(text).has_value();
        case TextRule::kPartition:
            return parse_partition(text).has_value();
        case TextRule::kReplica:
            return parse_replica(text).has_value();
    }
    return false;
}

}  // namespace klab::scenario
