// SPDX-License-Identifier: Apache-2.0
//
// Findings: what the checks have found so far: breaches with their excuse, how often each check had
// something to look at, and the last events of each node, which a report shows beside a breach.
//
// Owns: the list of violations and the counters. Called by: every rule file of this folder.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/check/check_table.h"
#include "sim/base/cow.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::check {

inline constexpr std::size_t kLastEventsMax = 10;

/// One breach. Later breaches of the same check at the same place only raise `repeats`.
struct Violation {
    CheckId check = CheckId::kSelf;
    std::string_view id;                ///< of the check: "P1"
    std::string_view statement;         ///< what should have held
    bool allowed = false;               ///< the settings or faults of the run allow it
    std::string why;                    ///< why it is allowed; empty when it is not
    std::optional<sim::EventId> event;  ///< that showed it; none when the end of the run did
    Time time;
    std::optional<sim::NodeId> node;
    std::string detail;
    std::vector<sim::EventId> last_events;  ///< of that node, ascending, at most 10
    std::int64_t partition = sim::kAbsent;  ///< as events name it, -1 without
    std::uint64_t repeats = 0;

    friend bool operator==(const Violation&, const Violation&) = default;
};

/// Why a breach is allowed; nothing when it is not.
using Excuse = std::optional<std::string>;

/// What a rule says about a breach.
struct Breach {
    CheckId check = CheckId::kSelf;
    std::int64_t partition = sim::kAbsent;
    Excuse excuse;
    std::string detail;
};

/// The instant and place to which breaches are attributed.
struct Moment {
    std::optional<sim::EventId> event;
    Time time;
    std::optional<sim::NodeId> node;

    friend bool operator==(const Moment&, const Moment&) = default;
};

class Findings {
  public:
    /// Remembers the event as one of the last of its node.
    void note(const sim::Event& event);

    /// A check had something to look at.
    void had(CheckId check, std::uint64_t times = 1) {
        counts_[static_cast<std::size_t>(check)] += times;
    }

    /// A check found its statement broken.
    void broken(const Moment& moment, Breach breach);

    [[nodiscard]] const std::vector<Violation>& violations() const { return *violations_; }

    [[nodiscard]] std::uint64_t how_often(CheckId check) const {
        return counts_[static_cast<std::size_t>(check)];
    }

    /// Is there a breach of this check (allowed or not)?
    [[nodiscard]] bool has(CheckId check) const;

    /// A breach of the check in that partition that nothing allows.
    [[nodiscard]] bool has_unallowed(CheckId check, std::int64_t partition) const;

    friend bool operator==(const Findings&, const Findings&) = default;

  private:
    struct Ring {
        std::array<std::uint64_t, kLastEventsMax> events{};  // 0: unused
        std::uint32_t next = 0;

        friend bool operator==(const Ring&, const Ring&) = default;
    };

    [[nodiscard]] std::vector<sim::EventId> last_events(std::optional<sim::NodeId> node) const;

    Cow<std::vector<Violation>> violations_;
    std::array<std::uint64_t, kCheckCount> counts_{};
    Cow<std::vector<Ring>> rings_;  // by node
};

}  // namespace klab::check
