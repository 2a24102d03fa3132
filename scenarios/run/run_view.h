// SPDX-License-Identifier: Apache-2.0
//
// What expressions can ask of a run, at the instant at which they are evaluated. The engine answers
// from the world and from what its observers have counted; tests answer from a table.
//
// Called by: expression_eval. Absence is std::optional: no leader, a replica that does not run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/run/text_rules.h"
#include "sim/base/time.h"

namespace klab::scenario {

/// From the firing of one step to that of another, both by id.
struct StepWindow {
    std::string from;
    std::string to;

    friend bool operator==(const StepWindow&, const StepWindow&) = default;
};

/// What a log can be asked for a number.
enum class LogQuestion : std::uint8_t {
    kLogStart,
    kRecords,
    kSegments,
    kIndexEntries,
    kSegmentOf,    ///< of an offset
    kBatchesRead,  ///< to find an offset
};

class RunView {
  public:
    virtual ~RunView() = default;

    // Committed metadata.
    [[nodiscard]] virtual std::optional<std::string> leader(const PartitionName&) const = 0;
    [[nodiscard]] virtual std::vector<std::string> isr(const PartitionName&) const = 0;
    [[nodiscard]] virtual std::vector<std::string> replicas(const PartitionName&) const = 0;
    [[nodiscard]] virtual std::optional<std::int64_t> leader_epoch(const PartitionName&) const = 0;
    [[nodiscard]] virtual std::optional<std::string> controller() const = 0;

    // Logs; `node` absent means the leader.
    [[nodiscard]] virtual std::optional<std::int64_t> high_watermark(
        const PartitionName&, const std::optional<std::string>& node) const = 0;
    [[nodiscard]] virtual std::optional<std::int64_t> log_end_offset(
        const PartitionName&, const std::optional<std::string>& node) const = 0;
    /// `offset` is given for the questions that have one. Nothing without such a log or offset.
    [[nodiscard]] virtual std::optional<std::int64_t> log_number(
        LogQuestion question,
        const PartitionName&,
        const std::optional<std::string>& node,
        std::int64_t offset) const = 0;
    [[nodiscard]] virtual bool logs_equal(const PartitionName&) const = 0;
    [[nodiscard]] virtual Duration unavailable(const PartitionName&) const = 0;

    // What clients have seen; `window` absent means the whole run. Nothing when a step of the
    // window has not fired.
    [[nodiscard]] virtual std::optional<std::int64_t> sent(
        const std::string& client, const std::optional<StepWindow>& window) const = 0;
    [[nodiscard]] virtual std::optional<std::int64_t> acked(
        const std::string& client, const std::optional<StepWindow>& window) const = 0;
    [[nodiscard]] virtual std::optional<std::int64_t> failed(
        const std::string& client, const std::optional<StepWindow>& window) const = 0;
    [[nodiscard]] virtual std::int64_t errors(const std::string& client,
                                              const std::optional<std::string>& name) const = 0;
    [[nodiscard]] virtual std::int64_t processed(const std::string& client) const = 0;

    // The history oracle.
    [[nodiscard]] virtual std::int64_t lost_acked(const std::string& producer) const = 0;
    [[nodiscard]] virtual std::int64_t duplicates(const std::string& producer) const = 0;
    [[nodiscard]] virtual std::int64_t reordered(const std::string& producer) const = 0;
    [[nodiscard]] virtual std::int64_t vanished(const std::string& client) const = 0;
    /// Keys in the table that a consumer makes of what it has read.
    [[nodiscard]] virtual std::int64_t table_size(const std::string& consumer) const = 0;
    [[nodiscard]] virtual std::int64_t skipped(const std::string& consumer) const = 0;
    [[nodiscard]] virtual bool read_above_hw(const std::string& consumer) const = 0;

    // The trace and the timeline.
    [[nodiscard]] virtual std::int64_t count(
        const std::string& event,
        const std::vector<std::pair<std::string, std::string>>& fields) const = 0;
    [[nodiscard]] virtual std::optional<Duration> fired_at(const std::string& step) const = 0;
};

}  // namespace klab::scenario
