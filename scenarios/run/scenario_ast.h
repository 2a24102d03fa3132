// SPDX-License-Identifier: Apache-2.0
//
// A scenario as a value: what a file says, read and checked, with the place of everything that can
// still go wrong. Regular: it copies and compares. The timeline is in timeline_ast.h.
//
// Built by: scenario_builder. Read by: the semantic checks, the engine, list, draw, lessons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/run/expression.h"
#include "scenarios/run/source_text.h"
#include "scenarios/run/text_rules.h"
#include "scenarios/run/timeline_ast.h"
#include "sim/base/time.h"

namespace klab::scenario {

/// A time between two bounds; both equal when one time was given.
struct Spread {
    Duration low;
    Duration high;

    friend bool operator==(const Spread&, const Spread&) = default;
};

/// An exact fraction from the decimal text of a file: 0.05 is 50,000 millionths.
struct Share {
    std::uint32_t millionths = 0;

    friend bool operator==(const Share&, const Share&) = default;
};

struct NetworkSpec {
    std::optional<At<Spread>> latency;
    std::optional<At<Share>> loss;
    std::optional<At<std::int64_t>> bytes_per_second;

    friend bool operator==(const NetworkSpec&, const NetworkSpec&) = default;
};

enum class DiskKind : std::uint8_t { kHdd, kSsd, kNvme };

struct DiskSpec {
    std::optional<At<DiskKind>> kind;
    std::optional<At<Spread>> write;
    std::optional<At<Duration>> flush_every;

    friend bool operator==(const DiskSpec&, const DiskSpec&) = default;
};

/// What is different on one node.
struct NodeSpec {
    At<std::string> name;
    std::optional<At<DiskKind>> disk;
    std::optional<At<std::string>> rack;
    std::optional<At<Duration>> clock_offset;
    std::optional<At<std::int64_t>> drift_ppm;
    std::optional<At<Spread>> heap_pause_every;
    std::optional<At<Spread>> heap_pause_for;
    std::vector<Setting> config;

    friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

struct ClusterSpec {
    At<std::int64_t> brokers{1, {}};
    At<std::int64_t> controllers{1, {}};
    bool combined = false;
    std::optional<At<std::int64_t>> zookeeper;
    std::vector<At<std::string>> racks;
    std::vector<Setting> config;
    std::vector<Setting> features;
    std::optional<At<std::string>> mutant;
    std::vector<NodeSpec> nodes;
    NetworkSpec network;
    std::optional<At<DiskSpec>> disk;
    std::string note;

    friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

struct SendSpec {
    std::optional<At<std::int64_t>> count;  ///< records; absent = no end
    Duration every = milliseconds(10);
    std::vector<std::optional<std::string>> keys;  ///< taken in turn; an absent one is no key
    std::optional<At<PartitionName>> to;
    std::optional<At<std::int64_t>> value_bytes;
    std::vector<std::int64_t> tombstones;  ///< numbers of records
    std::optional<At<std::int64_t>> per_transaction;

    friend bool operator==(const SendSpec&, const SendSpec&) = default;
};

struct ProducerSpec {
    std::optional<At<std::string>> topic;
    std::optional<At<SendSpec>> send;

    friend bool operator==(const ProducerSpec&, const ProducerSpec&) = default;
};

enum class CommitStyle : std::uint8_t { kAuto, kBefore, kAfter, kNever };

struct ConsumerSpec {
    std::optional<At<std::string>> group;
    std::vector<At<std::string>> topics;
    std::vector<At<PartitionName>> assign;
    Duration work_per_record;
    CommitStyle commit = CommitStyle::kAuto;

    friend bool operator==(const ConsumerSpec&, const ConsumerSpec&) = default;
};

struct AdminSpec {
    friend bool operator==(const AdminSpec&, const AdminSpec&) = default;
};

enum class ClientRole : std::uint8_t { kProducer, kConsumer, kAdmin };

/// "producer", "consumer", "admin".
[[nodiscard]] std::string_view name_of(ClientRole role);

struct ClientSpec {
    At<std::string> name;
    std::variant<ProducerSpec, ConsumerSpec, AdminSpec> kind;
    std::vector<Setting> config;
    std::string note;

    [[nodiscard]] ClientRole role() const { return static_cast<ClientRole>(kind.index()); }

    friend bool operator==(const ClientSpec&, const ClientSpec&) = default;
};

enum class JudgedAt : std::uint8_t { kEnd, kAlways, kNever, kTrigger };

/// An invariant or oracle that must break.
struct Violates {
    At<std::string> name;

    friend bool operator==(const Violates&, const Violates&) = default;
};

struct Expectation {
    Span where;
    std::variant<At<Expression>, Violates> condition;
    std::string text;  ///< the condition as written
    JudgedAt judged = JudgedAt::kEnd;
    std::optional<Trigger> at;  ///< kTrigger only
    std::optional<At<Duration>> by;
    std::string why;
    std::string note;

    friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct ChoiceAnswer {
    At<std::int64_t> choice;
    std::vector<std::string> of;

    friend bool operator==(const ChoiceAnswer&, const ChoiceAnswer&) = default;
};

struct Question {
    At<std::string> id;
    std::string ask;
    std::optional<At<std::string>> pause_before;
    std::variant<At<Expression>, ChoiceAnswer> answer;
    std::string answer_text;  ///< from_run as written
    std::string hint;
    std::string explain;
    bool changes_file = false;  ///< has `set`: the answer comes from a run of the changed file

    friend bool operator==(const Question&, const Question&) = default;
};

struct VariantSpec {
    At<std::string> name;
    std::string title;
    std::string note;

    friend bool operator==(const VariantSpec&, const VariantSpec&) = default;
};

/// One keyed choice with a fixed outcome.
struct Override {
    At<std::string> site;
    std::optional<At<std::string>> node;
    std::uint64_t n = 0;
    std::uint64_t pick = 0;

    friend bool operator==(const Override&, const Override&) = default;
};

struct ChaosFault {
    At<std::string> kind;
    std::optional<Spread> every;
    std::optional<Spread> down;
    std::optional<std::int64_t> at_most;

    friend bool operator==(const ChaosFault&, const ChaosFault&) = default;
};

struct ChaosSpec {
    Span where;
    Duration from;
    Duration to;
    std::vector<ChaosFault> faults;
    std::optional<Duration> then_quiet;

    friend bool operator==(const ChaosSpec&, const ChaosSpec&) = default;
};

struct Scenario {
    std::string title;
    std::string note;
    std::string lesson;
    At<std::string> kafka{"4.1", {}};
    std::uint64_t seed = 1;
    At<Duration> limit{seconds(600), {}};
    ClusterSpec cluster;
    std::vector<TopicSpec> topics;
    std::vector<ClientSpec> clients;
    std::vector<Step> timeline;
    std::optional<ChaosSpec> chaos;
    std::vector<Expectation> expect;
    std::vector<Question> questions;
    std::vector<VariantSpec> variants;
    std::vector<Override> overrides;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

[[nodiscard]] const ClientSpec* find_client(const Scenario& scenario, std::string_view name);
[[nodiscard]] const TopicSpec* find_topic(const Scenario& scenario, std::string_view name);

}  // namespace klab::scenario
