// SPDX-License-Identifier: Apache-2.0
//
// The timeline as values: a step is a trigger and the actions that happen in the instant in which
// it holds. A trigger has one of ten forms; actions fall into families with equal arguments.
//
// Built by: trigger_builder, action_builder. Read by: the semantic checks and the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/run/source_text.h"
#include "scenarios/run/target.h"
#include "scenarios/run/text_rules.h"
#include "sim/base/time.h"

namespace klab::scenario {

/// One setting or field: a name and a value, the value as Kafka's configuration would hold it.
struct Setting {
    At<std::string> name;
    At<std::string> value;
    bool is_text = false;  ///< written in quotes

    friend bool operator==(const Setting&, const Setting&) = default;
};

struct TopicSpec {
    At<std::string> name;
    At<std::int64_t> partitions{1, {}};
    At<std::int64_t> replicas{3, {}};                       ///< as long as no assignment is given
    std::vector<std::vector<At<std::int64_t>>> assignment;  ///< broker ids for each partition
    Span assignment_where;
    std::vector<Setting> config;
    std::string note;

    friend bool operator==(const TopicSpec&, const TopicSpec&) = default;
};

// Triggers. Counts mean "reaches", sizes and sets mean "equals".

struct AtTime {
    At<Duration> at;

    friend bool operator==(const AtTime&, const AtTime&) = default;
};

struct AfterStep {
    At<std::string> step;
    std::optional<At<Duration>> delay;

    friend bool operator==(const AfterStep&, const AfterStep&) = default;
};

struct LeaderAppended {
    At<PartitionName> partition;
    At<std::int64_t> records;

    friend bool operator==(const LeaderAppended&, const LeaderAppended&) = default;
};

struct ReplicaFetched {
    At<ReplicaName> replica;
    At<std::int64_t> records;

    friend bool operator==(const ReplicaFetched&, const ReplicaFetched&) = default;
};

struct PartitionReaches {
    At<PartitionName> partition;
    std::optional<At<std::int64_t>> high_watermark;
    std::optional<std::vector<At<std::string>>> isr;
    std::optional<At<std::int64_t>> isr_size;
    std::optional<At<std::string>> leader;
    std::optional<At<std::int64_t>> leader_epoch;

    friend bool operator==(const PartitionReaches&, const PartitionReaches&) = default;
};

struct GroupReaches {
    At<std::string> group;
    At<std::string> state;
    std::optional<At<std::int64_t>> generation;

    friend bool operator==(const GroupReaches&, const GroupReaches&) = default;
};

struct ClientReaches {
    At<std::string> client;
    std::optional<At<std::int64_t>> acked;
    std::optional<At<std::int64_t>> processed;
    std::optional<At<std::string>> error;

    friend bool operator==(const ClientReaches&, const ClientReaches&) = default;
};

struct EventHappens {
    At<std::string> event;
    std::optional<At<Target>> from;
    std::optional<At<Target>> to;
    std::vector<Setting> where;
    std::int64_t nth = 1;

    friend bool operator==(const EventHappens&, const EventHappens&) = default;
};

struct Trigger;

struct AllOf {
    std::vector<Trigger> parts;

    friend bool operator==(const AllOf&, const AllOf&);
};

struct AnyOf {
    std::vector<Trigger> parts;

    friend bool operator==(const AnyOf&, const AnyOf&);
};

struct Trigger {
    Span where;
    std::variant<AtTime,
                 AfterStep,
                 LeaderAppended,
                 ReplicaFetched,
                 PartitionReaches,
                 GroupReaches,
                 ClientReaches,
                 EventHappens,
                 AllOf,
                 AnyOf>
        form;

    friend bool operator==(const Trigger&, const Trigger&) = default;
};

// Actions.

enum class NodeVerb : std::uint8_t { kCrash, kRestart, kStop, kWipe, kStart, kLeave };

struct NodeAction {
    NodeVerb verb = NodeVerb::kCrash;
    At<Target> node;
    bool torn = false;  ///< kCrash: half of the write under way is kept

    friend bool operator==(const NodeAction&, const NodeAction&) = default;
};

enum class KeepUnsynced : std::uint8_t { kSynced, kRandom, kAll };

struct PowerOff {
    std::vector<At<Target>> nodes;
    KeepUnsynced keep = KeepUnsynced::kSynced;
    bool torn = false;

    friend bool operator==(const PowerOff&, const PowerOff&) = default;
};

struct Pause {
    At<Target> node;
    At<Duration> length;

    friend bool operator==(const Pause&, const Pause&) = default;
};

struct SlowCpu {
    At<Target> node;
    At<Duration> length;
    std::int64_t factor = 2;

    friend bool operator==(const SlowCpu&, const SlowCpu&) = default;
};

struct SkewClock {
    At<Target> node;
    At<Duration> by;

    friend bool operator==(const SkewClock&, const SkewClock&) = default;
};

/// Cuts every link between nodes of different groups, both ways.
struct SplitNetwork {
    std::vector<std::vector<At<Target>>> groups;

    friend bool operator==(const SplitNetwork&, const SplitNetwork&) = default;
};

enum class LinkVerb : std::uint8_t {
    kCut,
    kHeal,
    kDrop,
    kDuplicate,
    kHold,
    kRelease,
    kReset,
    kDelay,
    kSlowLink
};

/// What is done to links, or to the next matching message on one. `all`: heal or release
/// everything.
struct LinkAction {
    LinkVerb verb = LinkVerb::kCut;
    bool all = false;
    std::optional<At<Target>> from;  ///< absent: from anyone
    std::optional<At<Target>> to;    ///< absent: to anyone
    std::optional<At<std::string>> api;
    bool reply = false;
    std::optional<At<Duration>> by;
    std::optional<At<std::int64_t>> next;
    std::optional<At<Duration>> length;

    friend bool operator==(const LinkAction&, const LinkAction&) = default;
};

enum class DiskVerb : std::uint8_t { kFull, kReadOnly, kGone, kError, kSlow, kBitRot, kLoseEntry };

enum class DiskAccessKind : std::uint8_t { kRead, kWrite };

/// A fault of a node's disk.
struct DiskAction {
    DiskVerb verb = DiskVerb::kFull;
    At<Target> node;
    std::optional<At<std::string>> path;  ///< a file or directory; any without it
    std::optional<DiskAccessKind> on;
    std::optional<At<Duration>> by;
    std::optional<At<Duration>> length;
    std::optional<At<std::int64_t>> next;   ///< how many accesses
    std::optional<At<std::int64_t>> above;  ///< kFull: bytes in files
    std::optional<At<std::int64_t>> byte;   ///< kBitRot: which one of the file

    friend bool operator==(const DiskAction&, const DiskAction&) = default;
};

struct CreateTopic {
    TopicSpec topic;

    friend bool operator==(const CreateTopic&, const CreateTopic&) = default;
};

struct DeleteTopic {
    At<std::string> topic;

    friend bool operator==(const DeleteTopic&, const DeleteTopic&) = default;
};

struct AlterConfig {
    std::optional<At<std::string>> topic;
    std::optional<At<Target>> node;
    std::vector<Setting> config;

    friend bool operator==(const AlterConfig&, const AlterConfig&) = default;
};

struct Elect {
    At<PartitionName> partition;
    bool unclean = false;

    friend bool operator==(const Elect&, const Elect&) = default;
};

/// More partitions for a topic.
struct AlterTopic {
    At<std::string> topic;
    At<std::int64_t> partitions;  ///< how many it shall have
    /// Broker ids of each new partition; empty: the controller places them.
    std::vector<std::vector<At<std::int64_t>>> assignment;

    friend bool operator==(const AlterTopic&, const AlterTopic&) = default;
};

/// Moves a partition.
struct Reassign {
    At<PartitionName> partition;
    /// Broker ids; absent: the move under way is taken back.
    std::optional<std::vector<At<std::int64_t>>> replicas;

    friend bool operator==(const Reassign&, const Reassign&) = default;
};

/// Takes a broker out of the cluster's metadata.
struct Unregister {
    At<Target> node;

    friend bool operator==(const Unregister&, const Unregister&) = default;
};

/// Raises the log start of a partition.
struct DeleteRecords {
    At<PartitionName> partition;
    At<std::int64_t> before;  ///< the first offset that stays; -1: the high watermark

    friend bool operator==(const DeleteRecords&, const DeleteRecords&) = default;
};

struct Describe {
    At<std::string> what;  ///< a topic, or "cluster"

    friend bool operator==(const Describe&, const Describe&) = default;
};

struct Say {
    std::string text;

    friend bool operator==(const Say&, const Say&) = default;
};

struct EndRun {
    friend bool operator==(const EndRun&, const EndRun&) = default;
};

/// A word of format 1 that this version of klab reads but does not play.
struct Unsupported {
    friend bool operator==(const Unsupported&, const Unsupported&) = default;
};

/// Nodes, their disks and the network between them.
using FaultAction = std::
    variant<NodeAction, PowerOff, Pause, SlowCpu, SkewClock, SplitNetwork, LinkAction, DiskAction>;

/// What an administrator or the narrator does.
using OtherAction = std::variant<CreateTopic,
                                 DeleteTopic,
                                 AlterConfig,
                                 Elect,
                                 AlterTopic,
                                 Reassign,
                                 Unregister,
                                 DeleteRecords,
                                 Describe,
                                 Say,
                                 EndRun,
                                 Unsupported>;

struct Action {
    Span where;
    At<std::string> verb;  ///< its key in the file: "crash"
    std::variant<FaultAction, OtherAction> act;

    friend bool operator==(const Action&, const Action&) = default;
};

struct Step {
    Span where;
    std::optional<At<std::string>> id;
    Trigger when;
    std::vector<Action> actions;
    std::optional<At<Duration>> within;
    std::int64_t repeat = 1;  ///< how often it may fire
    std::string note;

    friend bool operator==(const Step&, const Step&) = default;
};

/// The id of a step, or "step 3" by its place in the file (from 1).
[[nodiscard]] std::string step_name(const Step& step, std::size_t index);

}  // namespace klab::scenario
