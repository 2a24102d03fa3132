// SPDX-License-Identifier: Apache-2.0
//
// What each client has done so far, counted from its events: what triggers ("acked": 10) and
// expressions (acked(p1)) ask for. A snapshot at the firing of each step makes windows cheap.
//
// Owns: the counts. Called by: Director.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "sim/trace/event.h"

namespace klab::scenario {

struct ClientTotals {
    std::int64_t sent = 0;
    std::int64_t acked = 0;
    std::int64_t failed = 0;
    std::int64_t processed = 0;
    std::map<std::int64_t, std::int64_t> errors;  ///< by error code: replies and failed sends

    friend bool operator==(const ClientTotals&, const ClientTotals&) = default;
};

class ClientCounts {
  public:
    /// Adds the kinds that it counts.
    static void want(sim::KindSet& kinds);

    void add(const sim::Event& event);

    /// Zeros for a client that has done nothing.
    [[nodiscard]] ClientTotals of(sim::NodeId client) const;

    friend bool operator==(const ClientCounts&, const ClientCounts&) = default;

  private:
    std::map<sim::NodeId, ClientTotals> totals_;
};

}  // namespace klab::scenario
