// SPDX-License-Identifier: Apache-2.0
//
// TriggerWatch: an armed trigger as a value. It looks at each instant at which something relevant
// happened and says when the trigger holds. Counts stay true once reached; sizes, sets, leaders,
// epochs and the high watermark are judged as they are at that instant.
//
// Owns: what a trigger has seen so far (its leaves). Called by: Director (steps, expectations).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/moment.h"
#include "scenarios/run/timeline_ast.h"

namespace klab::scenario {

class TriggerWatch {
  public:
    /// Adds the kinds of event after which the trigger must be looked at.
    static void want(const Trigger& trigger, const sim::EventTable& table, sim::KindSet& kinds);

    /// Looks at this instant. True when the trigger begins to hold (not while it goes on holding).
    /// Requires: always the same trigger, and every moment with wanted events in order.
    bool look(const Trigger& trigger, const Moment& moment);

    /// Forgets what general triggers have counted, so that the next match can fire again.
    void rearm(const Trigger& trigger, const Moment& moment);

    /// The next time at which the trigger may begin to hold without any event: `at` and `after`.
    [[nodiscard]] std::optional<Time> next_time(const Trigger& trigger, const Moment& moment) const;

    /// Of the first part that does not hold: how near it came, "acked reached 9 at 4.98 s".
    [[nodiscard]] std::string nearest(const Trigger& trigger) const;

    /// The last event that matched a general part, or counted for another, at this very instant.
    [[nodiscard]] const std::optional<sim::Event>& matched() const { return matched_; }

    friend bool operator==(const TriggerWatch&, const TriggerWatch&) = default;

  private:
    /// One part of the trigger that is no `all` or `any`, in the order of the file.
    struct Leaf {
        bool reached = false;    // latched for counts; the present state for the rest
        std::int64_t seen = 0;   // general triggers: matches so far
        std::int64_t best = -1;  // numbers: the highest value so far
        Duration best_at;        // when, since the origin

        friend bool operator==(const Leaf&, const Leaf&) = default;
    };

    bool judge(const Trigger& trigger, const Moment& moment, std::size_t& next_leaf);
    bool judge_leaf(const Trigger& trigger, const Moment& moment, Leaf& leaf);
    bool partition_holds(const PartitionReaches& form, const Moment& moment, Leaf& leaf);
    bool client_holds(const ClientReaches& form, const Moment& moment, Leaf& leaf);
    bool event_holds(const EventHappens& form, const Moment& moment, Leaf& leaf);
    static void note(Leaf& leaf, std::int64_t value, const Moment& moment);

    std::vector<Leaf> leaves_;
    bool holds_ = false;
    std::optional<sim::Event> matched_;
};

/// "4.98 s".
[[nodiscard]] std::string seconds_text(Duration duration);

}  // namespace klab::scenario
