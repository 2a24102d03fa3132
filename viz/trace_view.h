// SPDX-License-Identifier: Apache-2.0
//
// Reading a recorded trace by names: fields of events, names of nodes and partitions, times counted
// from the scenario's time 0. All *_from_trace files read events through it.
// Owns: nothing. Called by: the *_from_trace files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viz/picture_head.h"
#include "viz/picture_input.h"

namespace klab::viz {

/// A partition as events name it: interned topic and index (sim::pack_name_index).
using PartitionKey = std::int64_t;

class TraceView {
  public:
    /// Requires: `input` lives longer than the view.
    explicit TraceView(const PictureInput& input);

    [[nodiscard]] const PictureInput& input() const { return input_; }

    /// The value of a field. Requires: the kind of the event has a field of that name.
    [[nodiscard]] std::int64_t number(const sim::Event& event, std::string_view field) const;

    [[nodiscard]] bool flag(const sim::Event& event, std::string_view field) const;

    /// Absent for -1.
    [[nodiscard]] std::optional<std::int64_t> maybe(const sim::Event& event,
                                                    std::string_view field) const;

    [[nodiscard]] const std::string& text(const sim::Event& event, std::string_view field) const;

    [[nodiscard]] const std::vector<std::int32_t>& list(const sim::Event& event,
                                                        std::string_view field) const;

    /// "Produce" for the api field of a message event, "receiver down" for a reason.
    [[nodiscard]] std::string symbol(const sim::Event& event, std::string_view field) const;

    /// A node field; absent for -1.
    [[nodiscard]] std::optional<sim::NodeId> node(const sim::Event& event,
                                                  std::string_view field) const;

    /// The time of an event, counted from the scenario's time 0.
    [[nodiscard]] Time time(const sim::Event& event) const { return shifted(event.time); }

    [[nodiscard]] Time shifted(Time at) const { return Time{at.ns - input_.origin.ns}; }

    [[nodiscard]] Time end() const { return shifted(input_.end); }

    /// "t-0".
    [[nodiscard]] std::string partition_name(PartitionKey key) const;

    /// All partitions that events name, by name and number.
    [[nodiscard]] std::vector<PartitionKey> partitions() const;

    /// The partition of that name, or nullopt.
    [[nodiscard]] std::optional<PartitionKey> find_partition(std::string_view name) const;

    /// Nodes in the order of columns: clients, brokers by id, controllers; within by node id.
    [[nodiscard]] const std::vector<PictureNode>& nodes() const { return nodes_; }

    /// Nullptr for a node that the input does not list.
    [[nodiscard]] const PictureNode* find_node(sim::NodeId node) const;

    /// "b1"; "node 7" for a node that the input does not list.
    [[nodiscard]] std::string node_name(sim::NodeId node) const;

    /// "b1" for broker id 1; "broker 7" for an unknown one.
    [[nodiscard]] std::string broker_name(std::int64_t broker_id) const;

    [[nodiscard]] std::optional<sim::NodeId> broker_node(std::int64_t broker_id) const;

    /// "[b1, b3]" for a list of broker ids.
    [[nodiscard]] std::string broker_list(const std::vector<std::int32_t>& brokers) const;

    /// Head of a picture of this run; times as shown.
    [[nodiscard]] PictureHead head(std::string subject, Time from, Time to) const;

  private:
    [[nodiscard]] std::size_t field_at(const sim::Event& event, std::string_view field) const;

    const PictureInput& input_;
    sim::EventTable table_;
    std::vector<PictureNode> nodes_;
};

/// What is the `value` of each known record: the number that its producer gave it ("3"), with the
/// producer's name ("p1:3") if several write to the partition; learned from acknowledgements and
/// polls.
class RecordNames {
  public:
    explicit RecordNames(const TraceView& view);

    /// Name of the record, or the last two hex digits of the CRC of its batch.
    [[nodiscard]] std::string name(PartitionKey partition,
                                   std::int64_t offset,
                                   std::int32_t leader_epoch,
                                   std::int64_t crc) const;

  private:
    struct Key {
        PartitionKey partition = 0;
        std::int64_t offset = 0;
        std::int32_t leader_epoch = 0;

        friend bool operator==(const Key&, const Key&) = default;
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    struct Record {
        std::string producer;
        std::int64_t number = 0;
    };

    std::map<Key, Record> records_;
    std::map<PartitionKey, std::string> single_producer_;  ///< Empty text: there are several.
};

}  // namespace klab::viz
