// SPDX-License-Identifier: Apache-2.0
//
// Texts with a form of their own: times, names, partitions, replicas, targets, JSON pointers. For
// each rule there is one reader; a rule's regular expression, which the JSON Schema carries, is
// matched here by hand (std::regex recurses once a character and falls over long texts).
//
// Called by: format_check (does it match?), the builders (what does it say?), the expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/time.h"

namespace klab::scenario {

enum class TextRule : std::uint8_t {
    kAny,
    kName,       ///< ^[a-z][a-z0-9-]{0,30}$
    kDuration,   ///< 250us, 40ms, 2s, 5min, 1h
    kShift,      ///< a duration with an optional sign
    kBandwidth,  ///< 100MB/s
    kPartition,  ///< topic-number
    kReplica,    ///< topic-number@node
    kPointer,    ///< /topics/t/config
};

/// The rule as the JSON Schema writes it; empty for kAny.
[[nodiscard]] std::string_view pattern_of(TextRule rule);

/// Says the same as the pattern, in linear time.
[[nodiscard]] bool matches(TextRule rule, std::string_view text);

/// A partition by topic name and number: "t-0".
struct PartitionName {
    std::string topic;
    std::int32_t partition = 0;

    friend bool operator==(const PartitionName&, const PartitionName&) = default;
    friend auto operator<=>(const PartitionName&, const PartitionName&) = default;
};

/// One replica of a partition: "t-0@b2".
struct ReplicaName {
    PartitionName partition;
    std::string node;

    friend bool operator==(const ReplicaName&, const ReplicaName&) = default;
    friend auto operator<=>(const ReplicaName&, const ReplicaName&) = default;
};

[[nodiscard]] std::string to_text(const PartitionName& partition);
[[nodiscard]] std::string to_text(const ReplicaName& replica);

/// "t-0"; nothing when it is no partition or the number does not fit 31 bits.
[[nodiscard]] std::optional<PartitionName> parse_partition(std::string_view text);

/// "t-0@b2".
[[nodiscard]] std::optional<ReplicaName> parse_replica(std::string_view text);

enum class TimeProblem : std::uint8_t {
    kNoNumber,     ///< does not begin with a number
    kNoUnit,       ///< "20"
    kUnknownUnit,  ///< "20sec", "20ns"
    kTooFine,      ///< finer than a nanosecond: "0.0001us"
    kTooLong,      ///< over ten years
    kNegative,     ///< "-5s" where no sign is allowed
};

/// A time, or why it is none. `unit` is the unit as written.
struct TimeText {
    std::optional<Duration> duration;
    TimeProblem problem = TimeProblem::kNoNumber;
    std::string unit;
};

/// Ten years: sums of scenario times cannot overflow 64 bits of nanoseconds.
constexpr Duration kDurationMax = seconds(std::int64_t{10} * 365 * 24 * 3600);

/// "250us", "1.5s"; exact, no floating point.
[[nodiscard]] TimeText parse_duration(std::string_view text);

/// The same with an optional + or - before it.
[[nodiscard]] TimeText parse_shift(std::string_view text);

/// Bytes a second; KB, MB and GB are powers of 1000 as on a network card.
[[nodiscard]] std::optional<std::int64_t> parse_bandwidth(std::string_view text);

}  // namespace klab::scenario
