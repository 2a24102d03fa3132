// SPDX-License-Identifier: Apache-2.0
//
// See checker.h.
#include "model/check/checker.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/check/kafka_sight.h"
#include "sim/base/assert.h"

namespace klab::check {

namespace {

sim::KindSet all_kinds() {
    sim::KindSet kinds;
    WhiteBox::add_wanted(kinds);
    History::add_wanted(kinds);
    Liveness::add_wanted(kinds);
    return kinds;
}

/// The number of a partition in events, -1 when no event has named its topic.
std::int64_t trace_name(const ClusterSight& sight, const types::TopicPartition& partition) {
    const std::int64_t topic = sight.find_text(partition.topic);
    return topic < 0 ? sim::kAbsent : sim::pack_name_index(topic, partition.partition);
}

}  // namespace

Checker::Checker(const types::ModelData& data)
    : wanted_(all_kinds()), cluster_(data.cluster), white_box_(data, wanted_), history_(data) {}

void Checker::observe(const world::KafkaWorld& world, std::span<const sim::Event> events) {
    observe(KafkaSight(world), events);
}

void Checker::observe(const ClusterSight& sight, std::span<const sim::Event> events) {
    white_box_.observe(sight, events, findings_);
    history_.observe(events);
    liveness_.observe(sight, events);
}

std::vector<std::string> Checker::full_scan(const ClusterSight& sight) const {
    return white_box_.full_scan(sight, findings_);
}

void Checker::check_full(const world::KafkaWorld& world) const {
    const std::vector<std::string> disagreements = full_scan(KafkaSight(world));
    KLAB_ASSERT(disagreements.empty(),
                "{} disagreements of the checks with the cluster; the first: {}",
                disagreements.size(),
                disagreements.front());
}

void Checker::finish(const world::KafkaWorld& world) { finish(KafkaSight(world)); }

void Checker::finish(const ClusterSight& sight) {
    verdict_ = judge(history_, sight, white_box_);
    white_box_.finish(sight, verdict_->lost_weak, findings_);
    liveness_.finish(sight, cluster_, history_, findings_);
    findings_.had(CheckId::kAck, verdict_->acked);
    findings_.had(CheckId::kOrd, verdict_->copies);
    findings_.had(CheckId::kDup, verdict_->copies);
    findings_.had(CheckId::kVanish, verdict_->reads);
    findings_.had(CheckId::kSkip, verdict_->reads);
    findings_.had(CheckId::kSelf);
    const Moment end{std::nullopt, sight.time(), std::nullopt};
    for (const Anomaly& anomaly : verdict_->anomalies) {
        findings_.broken(end,
                         {check_of(anomaly.kind),
                          anomaly.partition,
                          anomaly.allowed ? Excuse(anomaly.why) : std::nullopt,
                          anomaly.detail});
    }
}

std::uint64_t Checker::how_often(CheckId check) const {
    std::uint64_t times = 0;
    for (const CheckId part : parts_of(check)) {
        times += findings_.how_often(part);
    }
    return times;
}

bool Checker::is_broken(CheckId check) const {
    const auto parts = parts_of(check);
    return std::ranges::any_of(parts, [&](CheckId part) { return findings_.has(part); });
}

std::vector<Violation> Checker::unexpected(std::span<const std::string> expected) const {
    std::vector<Violation> found;
    for (const Violation& violation : violations()) {
        const bool covered = std::ranges::any_of(expected, [&](const std::string& id) {
            const auto check = find_check(id);
            return check && covers(*check, violation.check);
        });
        if (!violation.allowed && !covered) {
            found.push_back(violation);
        }
    }
    return found;
}

HistoryVerdict Checker::verdict_now(const world::KafkaWorld& world) const {
    return judge(history_, KafkaSight(world), white_box_);
}

bool Checker::logs_equal(const world::KafkaWorld& world,
                         const types::TopicPartition& partition) const {
    return white_box_.logs_equal(trace_name(KafkaSight(world), partition));
}

Duration Checker::unavailable(const world::KafkaWorld& world,
                              const types::TopicPartition& partition) const {
    return history_.unavailable_total(trace_name(KafkaSight(world), partition), world.time());
}

Duration Checker::longest_unavailable(const world::KafkaWorld& world,
                                      const types::TopicPartition& partition) const {
    return history_.unavailable_longest(trace_name(KafkaSight(world), partition), world.time());
}

std::string to_text(const Violation& violation) {
    std::string text =
        fmt::format("{}: {}\n  {}\n", violation.id, violation.statement, violation.detail);
    text += violation.event ? fmt::format("  at event {}", *violation.event)
                            : std::string("  at the end of the run");
    if (violation.node) {
        text += fmt::format(" on node {}", *violation.node);
    }
    text += fmt::format(", {}\n", to_clock_text(violation.time));
    if (!violation.last_events.empty()) {
        text += "  last events there:";
        for (const sim::EventId event : violation.last_events) {
            text += fmt::format(" {}", event);
        }
        text += "\n";
    }
    text += violation.allowed ? fmt::format("  allowed: {}\n", violation.why)
                              : std::string("  nothing in this run allows it\n");
    return text;
}

}  // namespace klab::check
