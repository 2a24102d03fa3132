// SPDX-License-Identifier: Apache-2.0
//
// Writes a trace by hand: events by kind and field names, for tests of what is read from traces.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/kafka_events.h"
#include "viz/picture_input.h"

namespace klab::viz {

/// A field value: a number, an interned text, or an interned list.
using TraceValue = std::variant<std::int64_t, std::string, std::vector<std::int32_t>>;

struct TraceField {
    std::string_view name;
    TraceValue value;
};

class TraceBuilder {
  public:
    /// A cluster of three brokers b1..b3, one controller k1, producer p1 and consumer c1.
    TraceBuilder();

    /// Moves the clock: following events happen at that microsecond of true time.
    TraceBuilder& at(std::int64_t us);

    /// Emits an event of the node with that name (empty for none). Fields that are not given are
    /// -1.
    TraceBuilder& emit(sim::EventKind kind,
                       std::string_view node,
                       std::initializer_list<TraceField> fields);

    /// A message that arrives `latency_us` later, or is swallowed by a cut (latency -1).
    TraceBuilder& message(std::string_view from,
                          std::string_view to,
                          types::ApiKey api,
                          bool reply,
                          std::int64_t latency_us);

    /// Makes the latest arrival of a message the cause of the latest event.
    TraceBuilder& because_of_message();

    [[nodiscard]] std::int64_t node(std::string_view name) const;

    /// The value of a partition field.
    [[nodiscard]] std::int64_t partition(std::string_view topic, std::int32_t index);

    /// The input with all events in the order of time.
    [[nodiscard]] PictureInput input() const;

  private:
    void add(std::int64_t us,
             sim::EventKind kind,
             std::string_view node,
             const std::vector<TraceField>& fields);

    sim::EventTable table_;
    PictureInput input_;
    std::vector<sim::Event> events_;
    std::int64_t now_us_ = 0;
    std::int64_t messages_ = 0;
};

/// Three brokers replicate t-0; b1 leads epoch 0 and acknowledges three records that nobody has
/// copied; it is cut off; b3 takes over in epoch 1; b1 comes back and cuts its log. Scenario time 0
/// is at 1 s.
[[nodiscard]] PictureInput acks1_story();

}  // namespace klab::viz
