// SPDX-License-Identifier: Apache-2.0
//
// RunView over a real run: answers of expressions from the world, the counts and the history.
//
// Called by: Director, scenario_run. Lives no longer than the world and director it looks at.
#pragma once

#include "model/check/history_verdict.h"
#include "model/kafka_world/kafka_model.h"
#include "scenarios/run/run_view.h"

namespace klab::scenario {

class Director;

class WorldRunView : public RunView {
  public:
    WorldRunView(const world::KafkaWorld& world, const Director& director)
        : world_(world), director_(director) {}

    [[nodiscard]] std::optional<std::string> leader(const PartitionName& partition) const override;
    [[nodiscard]] std::vector<std::string> isr(const PartitionName& partition) const override;
    [[nodiscard]] std::vector<std::string> replicas(const PartitionName& partition) const override;
    [[nodiscard]] std::optional<std::int64_t> leader_epoch(
        const PartitionName& partition) const override;
    [[nodiscard]] std::optional<std::string> controller() const override;
    [[nodiscard]] std::optional<std::int64_t> high_watermark(
        const PartitionName& partition, const std::optional<std::string>& node) const override;
    [[nodiscard]] std::optional<std::int64_t> log_end_offset(
        const PartitionName& partition, const std::optional<std::string>& node) const override;
    [[nodiscard]] std::optional<std::int64_t> log_number(LogQuestion question,
                                                         const PartitionName& partition,
                                                         const std::optional<std::string>& node,
                                                         std::int64_t offset) const override;
    [[nodiscard]] bool logs_equal(const PartitionName& partition) const override;
    [[nodiscard]] Duration unavailable(const PartitionName& partition) const override;
    [[nodiscard]] std::optional<std::int64_t> sent(
        const std::string& client, const std::optional<StepWindow>& window) const override;
    [[nodiscard]] std::optional<std::int64_t> acked(
        const std::string& client, const std::optional<StepWindow>& window) const override;
    [[nodiscard]] std::optional<std::int64_t> failed(
        const std::string& client, const std::optional<StepWindow>& window) const override;
    [[nodiscard]] std::int64_t errors(const std::string& client,
                                      const std::optional<std::string>& name) const override;
    [[nodiscard]] std::int64_t processed(const std::string& client) const override;
    [[nodiscard]] std::int64_t lost_acked(const std::string& producer) const override;
    [[nodiscard]] std::int64_t duplicates(const std::string& producer) const override;
    [[nodiscard]] std::int64_t reordered(const std::string& producer) const override;
    [[nodiscard]] std::int64_t vanished(const std::string& client) const override;
    [[nodiscard]] std::int64_t table_size(const std::string& consumer) const override;
    [[nodiscard]] std::int64_t skipped(const std::string& consumer) const override;
    [[nodiscard]] bool read_above_hw(const std::string& consumer) const override;
    [[nodiscard]] std::int64_t count(
        const std::string& event,
        const std::vector<std::pair<std::string, std::string>>& fields) const override;
    [[nodiscard]] std::optional<Duration> fired_at(const std::string& step) const override;

  private:
    [[nodiscard]] check::HistoryVerdict verdict() const;

    const world::KafkaWorld& world_;
    const Director& director_;
};

}  // namespace klab::scenario
