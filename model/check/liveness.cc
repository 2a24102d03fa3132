// SPDX-License-Identifier: Apache-2.0
//
// See liveness.h.
#include "model/check/liveness.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/trace/kernel_events.h"

namespace klab::check {

namespace events = sim::events;

namespace {

constexpr std::initializer_list<sim::EventKind> kFaults = {events::kNodeBooted,
                                                           events::kNodeCrashed,
                                                           events::kNodePoweredOff,
                                                           events::kNodeExited,
                                                           events::kNodePaused,
                                                           events::kNodeResumed,
                                                           events::kCpuSlowed,
                                                           events::kLinkCut,
                                                           events::kLinkHealed,
                                                           events::kLinkSlowed,
                                                           events::kFaultArmed,
                                                           events::kFaultHit,
                                                           events::kHeldReleased,
                                                           events::kDiskFaulted,
                                                           events::kDiskWiped};

bool is_fault(sim::EventKind kind) {
    for (const sim::EventKind fault : kFaults) {
        if (fault == kind) {
            return true;
        }
    }
    return false;
}

/// What is wrong with a partition half a minute after the faults.
std::optional<std::string> fault_of(const types::TopicPartition& name,
                                    const RegistrationSight& seen) {
    const auto is_offline = [&](types::BrokerId broker) {
        return std::ranges::find(seen.offline, broker) != seen.offline.end();
    };
    if (!seen.leader) {
        // With all that is in sync offline nobody can lead.
        return !seen.isr.empty() && std::ranges::all_of(seen.isr, is_offline)
                   ? std::nullopt
                   : std::optional(fmt::format("{} has no leader", name.text()));
    }
    if (is_offline(*seen.leader)) {
        return fmt::format(
            "b{} leads {}, and its log directory is offline", *seen.leader, name.text());
    }
    if (seen.isr.size() + seen.offline.size() < seen.replicas.size()) {
        return fmt::format("{} of {} replicas of {} are in sync",
                           seen.isr.size(),
                           seen.replicas.size(),
                           name.text());
    }
    return std::nullopt;
}

/// TransactionManager.canRetry: a batch that is not the next in sequence is sent again until
/// delivery.timeout.ms. It comes to that when its leader lost power with batches in flight and a
/// later batch of the partition reached the new leader, which knew nothing of the producer, first.
Excuse excuse_of(const Availability& availability, const History& history, Duration waited) {
    Duration longest;
    for (const Cow<ClientHistory>& client : history.clients()) {
        longest = std::max(longest, client->delivery_timeout);
    }
    if (!availability.behind_gap || waited > longest + kQuietMin) {
        return std::nullopt;
    }
    return "the leader has later records of this producer; an earlier batch is sent again until "
           "delivery.timeout.ms";
}

}  // namespace

void Liveness::add_wanted(sim::KindSet& kinds) {
    for (const sim::EventKind fault : kFaults) {
        kinds.add(fault);
    }
}

void Liveness::observe(const ClusterSight& sight, std::span<const sim::Event> events) {
    for (const sim::Event& event : events) {
        if (event.kind.value() >= sim::kFirstModelEventKind || !is_fault(event.kind)) {
            continue;
        }
        last_fault_ = event.time;
        if (event.kind == events::kFaultHit) {
            holding_ = holding_ || sight.text(event.fields[0]) == "hold";
        } else if (event.kind == events::kHeldReleased) {
            holding_ = false;
        }
    }
}

void Liveness::finish(const ClusterSight& sight,
                      const types::ClusterSpec& cluster,
                      const History& history,
                      Findings& findings) const {
    const Time now = sight.time();
    if (holding_ || now - last_fault_ < kQuietMin || !sight.is_whole()) {
        return;
    }
    findings.had(CheckId::kLive);
    const Moment end{std::nullopt, now, std::nullopt};
    const auto report = [&](std::int64_t partition, std::string detail, Excuse excuse = {}) {
        findings.broken(end, {CheckId::kLive, partition, std::move(excuse), std::move(detail)});
    };
    for (const types::BrokerSpec& broker : cluster.brokers) {
        if (sight.is_active(broker.id) != true) {
            report(sim::kAbsent, fmt::format("{} is not unfenced", broker.name));
        }
    }
    for (const types::TopicPartition& name : sight.partitions()) {
        const auto seen = sight.registration(name);
        const std::int64_t topic = sight.find_text(name.topic);
        if (!seen || topic < 0) {
            continue;
        }
        if (std::optional<std::string> fault = fault_of(name, *seen)) {
            report(sim::pack_name_index(topic, name.partition), *std::move(fault));
        }
    }
    for (const auto& [partition, availability] : history.availability()) {
        if (availability.unanswered > 0 && availability.waiting_since &&
            now - *availability.waiting_since >= kQuietMin) {
            report(partition,
                   fmt::format("{} sends to {} wait, and nothing was acknowledged for {}",
                               availability.unanswered,
                               sight.partition(partition).text(),
                               to_text(now - *availability.waiting_since)),
                   excuse_of(availability, history, now - *availability.waiting_since));
        }
    }
}

}  // namespace klab::check
