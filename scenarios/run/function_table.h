// SPDX-License-Identifier: Apache-2.0
//
// The functions of the expression language in one table: name, arguments, result, meaning, example.
// expression_check reads the kinds, expression_eval computes them, `klab explain` prints the lines.
//
// Called by: expression_check, expression_eval, `klab explain`, the docs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace klab::scenario {

enum class ValueType : std::uint8_t {
    kInteger,
    kDuration,
    kBoolean,
    kNode,
    kNodes,
    kWindow,
    kNone
};

/// "an integer", "a duration", ...
[[nodiscard]] std::string_view name_of(ValueType type);

enum class ArgumentKind : std::uint8_t {
    kPartition,           ///< t-0
    kPartitionOrReplica,  ///< t-0, t-0@b2
    kProducer,
    kConsumer,
    kClient,
    kNode,
    kGroup,
    kTopic,
    kStep,
    kWindow,  ///< between(step, step)
    kError,   ///< NOT_ENOUGH_REPLICAS
    kEvent,   ///< isr.shrunk
    kOffset,  ///< 368801
    kFields,  ///< any number of field=value
    kNodes    ///< a list of nodes, for example isr(t-0)
};

/// "a partition", ...
[[nodiscard]] std::string_view name_of(ArgumentKind kind);

enum class FunctionId : std::uint8_t {
    kLeader,
    kIsr,
    kReplicas,
    kEpoch,
    kHw,
    kLeo,
    kLogStart,
    kRecords,
    kSegments,
    kIndexEntries,
    kSegmentOf,
    kBatchesRead,
    kController,
    kSent,
    kAcked,
    kFailed,
    kErrors,
    kProcessed,
    kLostAcked,
    kDuplicates,
    kReordered,
    kVanished,
    kTableSize,
    kSkipped,
    kReadAboveHw,
    kLogsEqual,
    kUnavailable,
    kCount,
    kSize,
    kFiredAt,
    kBetween,
    kProcessedTwice,
    kProcessedNever,
    kOwners,
    kCommittedMovedBack
};

struct Argument {
    ArgumentKind kind;
    bool optional;

    Argument(ArgumentKind kind_in, bool optional_in = false)  // NOLINT: conversion wanted
        : kind(kind_in), optional(optional_in) {}
};

struct Function {
    FunctionId id;
    std::string name;
    std::vector<Argument> arguments;
    ValueType result;
    std::string doc;      ///< one line
    std::string example;  ///< an expression that uses it
    bool supported;       ///< false: a word of format 1 that this version does not compute yet

    Function(FunctionId id_in,
             std::string name_in,
             std::vector<Argument> arguments_in,
             ValueType result_in,
             std::string doc_in,
             std::string example_in,
             bool supported_in = true)
        : id(id_in),
          name(std::move(name_in)),
          arguments(std::move(arguments_in)),
          result(result_in),
          doc(std::move(doc_in)),
          example(std::move(example_in)),
          supported(supported_in) {}
};

[[nodiscard]] const std::vector<Function>& functions();

/// The function with that name, or nullptr.
[[nodiscard]] const Function* find_function(std::string_view name);

[[nodiscard]] std::vector<std::string> function_names();

/// "acked(a producer, [a window of time])".
[[nodiscard]] std::string signature(const Function& function);

}  // namespace klab::scenario
