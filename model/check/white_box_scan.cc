// SPDX-License-Identifier: Apache-2.0
//
// The whole picture at once: the full scan, the end of a run, questions of the oracle. See
// white_box.h.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "model/check/white_box.h"

namespace klab::check {

namespace {

/// The batches of a replica as the track has them.
std::vector<Batch> batches_of(const PartitionTrack& p, const ReplicaTrack& r) {
    std::vector<Batch> batches;
    p.committed.for_each([&](const Batch& batch) {
        if (batch.last < r.matched && batch.base >= r.start) {
            batches.push_back(batch);
        }
    });
    batches.insert(batches.end(), r.tail.begin(), r.tail.end());
    return batches;
}

/// Does the disk hold what was followed, but for what a cleaning may have taken?
bool holds_tracked(const PartitionTrack& p,
                   std::span<const Batch> tracked,
                   std::span<const BatchOnDisk> seen) {
    const auto may_be_gone = [&](const Batch& batch) { return batch.last < p.cleaned; };
    for (const BatchOnDisk& one : seen) {
        while (!tracked.empty() && tracked.front().base < one.base &&
               may_be_gone(tracked.front())) {
            tracked = tracked.subspan(1);
        }
        const Batch held{one.base, one.last, one.epoch, one.crc, 0, false};
        if (tracked.empty() || !agrees(p, tracked.front(), held)) {
            return false;
        }
        tracked = tracked.subspan(1);
    }
    return std::ranges::all_of(tracked, may_be_gone);
}

bool same_members(BrokerIds a, BrokerIds b) {
    std::ranges::sort(a);
    std::ranges::sort(b);
    return a == b;
}

/// Segments below the log start may be deleted, and the track does not follow which.
std::vector<Batch> without_deleted(std::vector<Batch> tracked,
                                   const ReplicaSight& seen,
                                   const std::vector<BatchOnDisk>& batches) {
    const std::int64_t first = batches.empty() ? seen.end.value() : batches.front().base;
    const auto kept = std::ranges::find_if(tracked, [&](const Batch& batch) {
        return batch.base >= first || batch.last >= seen.start.value();
    });
    tracked.erase(tracked.begin(), kept);
    return tracked;
}

/// What one running replica holds, for the comparison of replicas.
struct Held {
    types::BrokerId broker;
    std::int64_t high_watermark = 0;
    std::vector<BatchOnDisk> batches;
};

/// What a track and a running replica disagree about.
class ReplicaScan {
  public:
    ReplicaScan(std::vector<std::string>& out, const PartitionTrack& p, std::string where)
        : out_(out), p_(p), where_(std::move(where)) {}

    void compare(const ReplicaTrack& r,
                 const ReplicaSight& seen,
                 const std::vector<BatchOnDisk>& batches) {
        number("log end", r.end, seen.end.value());
        number("high watermark", r.high_watermark.value_or(-1), seen.high_watermark.value());
        number("leader epoch", r.leader_epoch, seen.leader_epoch ? seen.leader_epoch->value() : -1);
        if (r.is_leader() != seen.is_leader) {
            say(seen.is_leader ? "leads and was not seen to" : "was seen to lead and does not");
        }
        if (r.is_leader() && !same_members(r.isr, seen.committed_isr)) {
            say(fmt::format("ISR [{}] was followed as [{}]",
                            broker_names(seen.committed_isr),
                            broker_names(r.isr)));
        }
        if (seen.start > seen.high_watermark || seen.high_watermark > seen.end) {
            say(fmt::format("P8: high watermark {} outside the log {}..{}",
                            seen.high_watermark,
                            seen.start,
                            seen.end));
        }
        const std::vector<Batch> tracked = without_deleted(batches_of(p_, r), seen, batches);
        if (!holds_tracked(p_, tracked, batches)) {
            say(fmt::format("{} batches on the disk, {} followed, or other ones",
                            batches.size(),
                            tracked.size()));
        }
    }

  private:
    void number(std::string_view what, std::int64_t tracked, std::int64_t seen) {
        if (tracked != seen) {
            say(fmt::format("{} {} was followed as {}", what, seen, tracked));
        }
    }

    void say(std::string text) { out_.push_back(where_ + ": " + std::move(text)); }

    std::vector<std::string>& out_;
    const PartitionTrack& p_;
    std::string where_;
};

/// Are two logs the same below `bound`, from where both have begun and are not cleaned?
bool agree(std::span<const BatchOnDisk> a,
           std::span<const BatchOnDisk> b,
           std::int64_t cleaned,
           std::int64_t bound) {
    const auto skip_below = [](std::span<const BatchOnDisk>& log, std::int64_t offset) {
        while (!log.empty() && log.front().base < offset) {
            log = log.subspan(1);
        }
    };
    if (a.empty() || b.empty()) {
        return true;
    }
    const std::int64_t start = std::max({a.front().base, b.front().base, cleaned});
    skip_below(a, start);
    skip_below(b, start);
    const std::size_t count = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < count && a[i].base < bound; ++i) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

/// P4 from scratch. True when every pair agrees below both high watermarks.
bool all_agree(const std::vector<Held>& held, std::int64_t cleaned) {
    for (std::size_t a = 0; a < held.size(); ++a) {
        for (std::size_t b = a + 1; b < held.size(); ++b) {
            const std::int64_t bound = std::min(held[a].high_watermark, held[b].high_watermark);
            if (!agree(held[a].batches, held[b].batches, cleaned, bound)) {
                return false;
            }
        }
    }
    return true;
}

void scan_control(const PartitionTrack& p,
                  const RegistrationSight& seen,
                  const std::string& where,
                  std::vector<std::string>& out) {
    const ControlTrack& control = p.control;
    if (!control.known || control.leader != seen.leader ||
        control.leader_epoch != seen.leader_epoch.value() ||
        control.partition_epoch != seen.partition_epoch.value() || control.isr != seen.isr ||
        control.replicas != seen.replicas) {
        out.push_back(where + ": committed metadata are not as followed");
    }
}

}  // namespace

std::vector<std::string> WhiteBox::full_scan(const ClusterSight& sight,
                                             const Findings& findings) const {
    std::vector<std::string> out;
    partitions_.for_each([&](std::int64_t name, const Cow<PartitionTrack>& track) {
        const PartitionTrack& p = *track;
        const types::TopicPartition partition = sight.partition(name);
        if (const auto seen = sight.registration(partition)) {
            scan_control(p, *seen, partition.text(), out);
        }
        std::vector<Held> held;
        for (const ReplicaTrack& r : p.replicas) {
            const BrokerTrack* broker = find_broker(brokers_, r.broker);
            const bool is_sound = r.open && (broker == nullptr || !broker->has_rot);
            const auto seen = is_sound && sight.is_running(r.broker)
                                  ? sight.replica(partition, r.broker)
                                  : std::nullopt;
            if (!seen) {
                continue;
            }
            Held one{r.broker, seen->high_watermark.value(), sight.batches(partition, r.broker)};
            ReplicaScan(out, p, fmt::format("{}@b{}", partition.text(), r.broker))
                .compare(r, *seen, one.batches);
            held.push_back(std::move(one));
        }
        if (!all_agree(held, p.cleaned) && !findings.has(CheckId::kP4)) {
            out.push_back(partition.text() + ": P4 is broken and was not reported");
        }
    });
    return out;
}

void WhiteBox::finish(const ClusterSight& sight,
                      const std::map<std::int64_t, std::uint64_t>& lost_weak,
                      Findings& findings) {
    for (const Violation& waiting : unclean_unasked_) {
        findings.broken({waiting.event, waiting.time, waiting.node},
                        {CheckId::kP22, waiting.partition, std::nullopt, waiting.detail});
    }
    unclean_unasked_.clear();
    const Moment end{std::nullopt, sight.time(), std::nullopt};
    for (const auto& [partition, records] : lost_weak) {
        findings.had(CheckId::kP24, records);
        for (const CheckId check : {CheckId::kP4, CheckId::kP5, CheckId::kP6}) {
            if (findings.has_unallowed(check, partition)) {
                findings.broken(end,
                                {CheckId::kP24,
                                 partition,
                                 std::nullopt,
                                 fmt::format("{} records of {} were lost with acks=0 or 1, and {} "
                                             "broke",
                                             records,
                                             sight.partition(partition).text(),
                                             info(check).id)});
            }
        }
    }
    findings.had(CheckId::kM1);
    for (std::string& differing : sight.differing_images()) {
        findings.broken(end, {CheckId::kM1, sim::kAbsent, std::nullopt, std::move(differing)});
    }
}

Excuse WhiteBox::excuse_without_power(const PartitionTrack& p) const {
    std::size_t dark = 0;
    std::size_t min_isr = 1;
    for (const types::BrokerId member : p.control.isr) {
        const BrokerTrack* broker = find_broker(brokers_, member);
        if (broker == nullptr || broker->running) {
            return std::nullopt;  // somebody could tell
        }
        dark += broker->without_power ? 1U : 0U;
        const ReplicaTrack* replica = find_replica(p, member);
        min_isr = replica == nullptr ? min_isr : std::max(min_isr, replica->min_isr);
    }
    if (dark < min_isr) {
        return std::nullopt;
    }
    return fmt::format(
        "no member of the ISR runs, and {} of them lost power with what they had not "
        "synced",
        dark);
}

Excuse WhiteBox::excuse_of_partition(std::int64_t partition) const {
    const PartitionTrack* p = track(partition);
    if (p == nullptr) {
        return std::nullopt;
    }
    if (Excuse excuse = excuse_without_power(*p)) {
        return excuse;
    }
    if (p->rebases.empty()) {
        return std::nullopt;
    }
    for (const Rebase& rebase : p->rebases) {
        if (!rebase.excuse) {
            return std::nullopt;
        }
    }
    return p->rebases.back().excuse;
}

std::optional<sim::EventId> WhiteBox::leader_changed(std::int64_t partition) const {
    const PartitionTrack* p = track(partition);
    return p == nullptr ? std::nullopt : p->control.leader_changed;
}

bool WhiteBox::logs_equal(std::int64_t partition) const {
    const PartitionTrack* p = track(partition);
    if (p == nullptr) {
        return false;
    }
    const ReplicaTrack* first = nullptr;
    for (const types::BrokerId broker : p->control.replicas) {
        const BrokerTrack* process = find_broker(brokers_, broker);
        if (process == nullptr || !process->running) {
            continue;
        }
        const ReplicaTrack* r = find_replica(*p, broker);
        if (r != nullptr && r->offline) {
            continue;  // with its log directory, until the process starts again
        }
        if (r == nullptr || !r->open) {
            return false;
        }
        if (first == nullptr) {
            first = r;
        } else if (r->end != first->end || r->matched != first->matched ||
                   !std::equal(r->tail.begin(),
                               r->tail.end(),
                               first->tail.begin(),
                               first->tail.end(),
                               [](const Batch& a, const Batch& b) { return a.same_as(b); })) {
            return false;
        }
    }
    return first != nullptr;
}

}  // namespace klab::check
