// SPDX-License-Identifier: Apache-2.0
//
// Events of a recorded run as people and programs read them: a sentence from the narration of the
// event table, and fields with names instead of numbers ("t-0", "b1", NOT_ENOUGH_REPLICAS).
//
// Called by: story, trace_export, trace_tables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/trace/event.h"
#include "viz/picture_input.h"

namespace klab::cli {

class EventText {
  public:
    /// Requires: `run` lives longer than this.
    explicit EventText(const viz::PictureInput& run);

    [[nodiscard]] const sim::EventTable& table() const { return table_; }

    [[nodiscard]] const sim::EventDef& row(const sim::Event& event) const;

    /// The raw value of a field; nothing when the kind has no field of that name.
    [[nodiscard]] std::optional<std::int64_t> number(const sim::Event& event,
                                                     std::string_view field) const;

    /// "b1", "t-0", "[b1, b3]", "12".
    [[nodiscard]] std::string field(const sim::Event& event, std::size_t index) const;

    /// "t-0"; empty for the absent one.
    [[nodiscard]] std::string name_index(std::int64_t packed) const;

    /// The name of a node; empty for none.
    [[nodiscard]] std::string node(std::optional<sim::NodeId> node) const;

    /// "b1" for broker id 1, "nobody" for -1.
    [[nodiscard]] std::string broker(std::int64_t id) const;

    /// One sentence without an end mark: "b1 leads t-0 in epoch 1".
    [[nodiscard]] std::string sentence(const sim::Event& event) const;

    /// One sentence for a run of events of one kind, node and partition: what differs is shown as
    /// a stretch ("p1 sends record 0..9 to t-0").
    [[nodiscard]] std::string sentence(const sim::Event& first, const sim::Event& last) const;

    /// Virtual time since the scenario's time 0; negative before it.
    [[nodiscard]] Duration time(const sim::Event& event) const { return event.time - run_.origin; }

    [[nodiscard]] const viz::PictureInput& run() const { return run_; }

  private:
    [[nodiscard]] std::string word(const sim::Event& event, std::string_view name) const;

    const viz::PictureInput& run_;
    const sim::EventTable& table_;
    std::map<sim::NodeId, std::string> nodes_;
    std::map<std::int64_t, std::string> brokers_;
};

}  // namespace klab::cli
