// SPDX-License-Identifier: Apache-2.0
//
// Meters that expressions need and that must run along: how often events of a kind with certain
// fields happened (count), and how long partitions had no usable leader (unavailable). Only what an
// expression of the scenario asks for is measured.
//
// Owns: the meters. Called by: Director, WorldRunView.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/kafka_world/kafka_model.h"
#include "scenarios/run/expression.h"
#include "scenarios/run/text_rules.h"

namespace klab::scenario {

/// The arguments of one count(...): event name, then fields and values.
struct CountKey {
    std::string event;
    std::vector<std::pair<std::string, std::string>> fields;

    friend bool operator==(const CountKey&, const CountKey&) = default;
    friend auto operator<=>(const CountKey&, const CountKey&) = default;
};

class RunMeters {
  public:
    /// Sets up a meter for every count() and unavailable() in the expression.
    void watch(const Expression& expression, const sim::EventTable& table);

    void want(sim::KindSet& kinds) const;

    void add(const sim::Event& event, const sim::Kernel& kernel);

    [[nodiscard]] std::int64_t count(const CountKey& key) const;

    friend bool operator==(const RunMeters&, const RunMeters&) = default;

  private:
    struct Count {
        std::optional<sim::EventKind> kind;
        std::int64_t times = 0;

        friend bool operator==(const Count&, const Count&) = default;
    };

    std::map<CountKey, Count> counts_;
};

/// Kinds after which the value of an expression can differ.
void want_for(const Expression& expression, const sim::EventTable& table, sim::KindSet& kinds);

}  // namespace klab::scenario
