// SPDX-License-Identifier: Apache-2.0
//
// A RunView that answers from public maps, for tests of expressions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/run/run_view.h"

namespace klab::scenario {

class FakeRunView : public RunView {
  public:
    std::map<std::string, std::string> leaders;
    std::map<std::string, std::vector<std::string>> isrs;
    std::map<std::string, std::int64_t> numbers;  // "epoch t-0", "hw t-0", "leo t-0@b2", "acked p1"
    std::map<std::string, Duration> steps;
    std::map<std::string, Duration> gaps;
    std::map<std::string, bool> flags;  // "logs_equal t-0", "read_above_hw c1"
    mutable std::vector<std::pair<std::string, std::string>> last_fields;

    std::optional<std::string> leader(const PartitionName& p) const override {
        return find(leaders, to_text(p));
    }

    std::vector<std::string> isr(const PartitionName& p) const override {
        return find(isrs, to_text(p)).value_or(std::vector<std::string>{});
    }

    std::vector<std::string> replicas(const PartitionName& p) const override { return isr(p); }

    std::optional<std::int64_t> leader_epoch(const PartitionName& p) const override {
        return number("epoch " + to_text(p));
    }

    std::optional<std::string> controller() const override { return "k1"; }

    std::optional<std::int64_t> high_watermark(
        const PartitionName& p, const std::optional<std::string>& node) const override {
        return number("hw " + replica(p, node));
    }

    std::optional<std::int64_t> log_end_offset(
        const PartitionName& p, const std::optional<std::string>& node) const override {
        return number("leo " + replica(p, node));
    }

    std::optional<std::int64_t> log_number(LogQuestion question,
                                           const PartitionName& p,
                                           const std::optional<std::string>& node,
                                           std::int64_t offset) const override {
        // "log 0 t-0 13": the number of the question, the replica, the offset
        return number("log " + std::to_string(static_cast<int>(question)) + " " + replica(p, node) +
                      " " + std::to_string(offset));
    }

    bool logs_equal(const PartitionName& p) const override {
        return find(flags, "logs_equal " + to_text(p)).value_or(false);
    }

    Duration unavailable(const PartitionName& p) const override {
        return find(gaps, to_text(p)).value_or(Duration{});
    }

    std::optional<std::int64_t> sent(const std::string& client,
                                     const std::optional<StepWindow>& window) const override {
        return windowed("sent " + client, window);
    }

    std::optional<std::int64_t> acked(const std::string& client,
                                      const std::optional<StepWindow>& window) const override {
        return windowed("acked " + client, window);
    }

    std::optional<std::int64_t> failed(const std::string& client,
                                       const std::optional<StepWindow>& window) const override {
        return windowed("failed " + client, window);
    }

    std::int64_t errors(const std::string& client,
                        const std::optional<std::string>& name) const override {
        return number("errors " + client + (name ? " " + *name : "")).value_or(0);
    }

    std::int64_t processed(const std::string& client) const override {
        return number("processed " + client).value_or(0);
    }

    std::int64_t lost_acked(const std::string& producer) const override {
        return number("lost_acked " + producer).value_or(0);
    }

    std::int64_t duplicates(const std::string& producer) const override {
        return number("duplicates " + producer).value_or(0);
    }

    std::int64_t reordered(const std::string& producer) const override {
        return number("reordered " + producer).value_or(0);
    }

    std::int64_t skipped(const std::string& consumer) const override {
        return number("skipped " + consumer).value_or(0);
    }

    std::int64_t vanished(const std::string& client) const override {
        return number("vanished " + client).value_or(0);
    }

    std::int64_t table_size(const std::string& consumer) const override {
        return number("table_size " + consumer).value_or(0);
    }

    bool read_above_hw(const std::string& consumer) const override {
        return find(flags, "read_above_hw " + consumer).value_or(false);
    }

    std::int64_t count(
        const std::string& event,
        const std::vector<std::pair<std::string, std::string>>& fields) const override {
        last_fields = fields;
        return number("count " + event).value_or(0);
    }

    std::optional<Duration> fired_at(const std::string& step) const override {
        return find(steps, step);
    }

  private:
    template <typename V>
    static std::optional<V> find(const std::map<std::string, V>& map, const std::string& key) {
        const auto found = map.find(key);
        return found == map.end() ? std::nullopt : std::optional<V>(found->second);
    }

    static std::string replica(const PartitionName& p, const std::optional<std::string>& node) {
        return to_text(p) + (node ? "@" + *node : "");
    }

    std::optional<std::int64_t> number(const std::string& key) const { return find(numbers, key); }

    std::optional<std::int64_t> windowed(const std::string& key,
                                         const std::optional<StepWindow>& window) const {
        if (!window) {
            return number(key);
        }
        if (steps.count(window->from) == 0 || steps.count(window->to) == 0) {
            return std::nullopt;
        }
        return number(key + " " + window->from + ".." + window->to);
    }
};

}  // namespace klab::scenario
