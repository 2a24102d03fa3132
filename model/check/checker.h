// SPDX-License-Identifier: Apache-2.0
//
// Checker: both judges of a run behind one facade. The white box (white_box.h) looks into brokers
// at every step; the history oracle (history.h, history_verdict.h) sees only what clients see.
// Observes, never steers: whether it is there changes nothing in a run.
//
//     Checker checker(data);
//     world.kernel().subscribe(checker.wanted());
//     after each step:      checker.observe(world, events);
//     now and then:         checker.check_full(world);
//     at the end:           checker.finish(world);
//
// A regular value: copying it with its world is a fork.
//
// Called by: scenarios/run (its Director holds one), tests, benchmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/check/check_table.h"
#include "model/check/cluster_sight.h"
#include "model/check/findings.h"
#include "model/check/history.h"
#include "model/check/history_verdict.h"
#include "model/check/liveness.h"
#include "model/check/white_box.h"
#include "model/kafka_world/kafka_model.h"

namespace klab::check {

class Checker {
  public:
    Checker() = default;
    explicit Checker(const types::ModelData& data);

    // --- running

    /// Event kinds it must be given; others are ignored.
    [[nodiscard]] const sim::KindSet& wanted() const { return wanted_; }

    /// The events of one step, in order, with the world as it is after the step.
    void observe(const world::KafkaWorld& world, std::span<const sim::Event> events);
    void observe(const ClusterSight& sight, std::span<const sim::Event> events);

    /// Rescans logs and metadata and compares with what was followed step by step. Throws
    /// AssertionFailure when they disagree: a bug in klab.
    void check_full(const world::KafkaWorld& world) const;

    /// The same, as one sentence for each disagreement.
    [[nodiscard]] std::vector<std::string> full_scan(const ClusterSight& sight) const;

    /// The run is over: judges histories and liveness. Call once, last.
    void finish(const world::KafkaWorld& world);
    void finish(const ClusterSight& sight);

    // --- results

    /// In the order found; anomalies of the oracle come last, under the word they break.
    [[nodiscard]] const std::vector<Violation>& violations() const {
        return findings_.violations();
    }

    /// Of the oracle. Requires: finish() was called.
    [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return verdict_->anomalies; }

    /// How often a check had something to look at; for a word of the catalogue with its parts.
    [[nodiscard]] std::uint64_t how_often(CheckId check) const;

    /// Is the check, or a part of it, broken (allowed or not)? For `violates`.
    [[nodiscard]] bool is_broken(CheckId check) const;

    /// Violations that neither the settings allow nor `expected` (ids for `violates`) covers. A run
    /// with one fails. Unknown ids cover nothing.
    [[nodiscard]] std::vector<Violation> unexpected(std::span<const std::string> expected) const;

    // --- for expressions; at any time unless it says so

    [[nodiscard]] const History& history() const { return history_; }

    /// Requires: finish() was called.
    [[nodiscard]] const HistoryVerdict& verdict() const { return *verdict_; }

    /// The oracle's verdict as of now; reads every log.
    [[nodiscard]] HistoryVerdict verdict_now(const world::KafkaWorld& world) const;

    /// Do all running replicas hold the same records in the same batches with the same epochs?
    [[nodiscard]] bool logs_equal(const world::KafkaWorld& world,
                                  const types::TopicPartition& partition) const;

    [[nodiscard]] bool logs_equal(std::int64_t partition) const {
        return white_box_.logs_equal(partition);
    }

    /// Time without a successful acknowledgement while sends waited, of waits of at least 1 s; see
    /// Availability.
    [[nodiscard]] Duration unavailable(const world::KafkaWorld& world,
                                       const types::TopicPartition& partition) const;
    [[nodiscard]] Duration longest_unavailable(const world::KafkaWorld& world,
                                               const types::TopicPartition& partition) const;

    friend bool operator==(const Checker&, const Checker&) = default;

  private:
    sim::KindSet wanted_;
    types::ClusterSpec cluster_;
    Findings findings_;
    WhiteBox white_box_;
    History history_;
    Liveness liveness_;
    std::optional<HistoryVerdict> verdict_;
};

/// A violation as one paragraph: id, statement, node, event, last events by number, and whether and
/// why it is allowed. Callers add the names and texts of events.
[[nodiscard]] std::string to_text(const Violation& violation);

}  // namespace klab::check
