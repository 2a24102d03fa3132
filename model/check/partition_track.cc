// SPDX-License-Identifier: Apache-2.0
//
// Following logs and the committed batches. See partition_track.h.
#include "model/check/partition_track.h"

#include <algorithm>

namespace klab::check {

namespace {

/// `matched` moves on over batches of the tail that have become committed.
void match_on(const PartitionTrack& p, ReplicaTrack& r) {
    while (!r.tail.empty()) {
        const std::int64_t base = r.tail.front().base;
        const auto index = committed_index(p, base);
        const bool joins = base == r.matched || base <= p.cleaned;  // or over a gap of a cleaning
        if (!index || !joins || !agrees(p, p.committed[*index], r.tail.front())) {
            break;
        }
        r.matched = r.tail.pop_front().last + 1;
    }
    if (r.lost && r.matched >= r.lost->to) {
        r.lost.reset();
    }
}

/// Puts batches before the tail.
void prepend(ReplicaTrack& r, const std::vector<Batch>& batches) {
    Fifo<Batch> tail;
    for (const Batch& batch : batches) {
        tail.push_back(batch);
    }
    for (const Batch& batch : r.tail) {
        tail.push_back(batch);
    }
    r.tail = std::move(tail);
}

}  // namespace

const ReplicaTrack* find_replica(const PartitionTrack& p, types::BrokerId broker) {
    for (const ReplicaTrack& replica : p.replicas) {
        if (replica.broker == broker) {
            return &replica;
        }
    }
    return nullptr;
}

ReplicaTrack* find_replica(PartitionTrack& p, types::BrokerId broker) {
    for (ReplicaTrack& replica : p.replicas) {
        if (replica.broker == broker) {
            return &replica;
        }
    }
    return nullptr;
}

ReplicaTrack& replica_for(PartitionTrack& p, types::BrokerId broker) {
    if (ReplicaTrack* known = find_replica(p, broker)) {
        return *known;
    }
    p.replicas.emplace_back();
    p.replicas.back().broker = broker;
    return p.replicas.back();
}

bool contains(const BrokerIds& brokers, types::BrokerId broker) {
    return std::find(brokers.begin(), brokers.end(), broker) != brokers.end();
}

bool agrees(const PartitionTrack& p, const Batch& committed, const Batch& held) {
    if (held.last >= p.cleaned) {
        return committed.same_as(held);
    }
    return committed.base == held.base && committed.last == held.last &&
           committed.epoch == held.epoch;
}

std::optional<std::size_t> committed_index(const PartitionTrack& p, std::int64_t offset) {
    if (offset >= p.committed_end) {
        return std::nullopt;
    }
    const std::size_t index =
        p.committed.partition_point([&](const Batch& batch) { return batch.last < offset; });
    if (index == p.committed.size() || p.committed[index].base > offset) {
        return std::nullopt;
    }
    return index;
}

std::optional<Batch> batch_at(const PartitionTrack& p, const ReplicaTrack& r, std::int64_t offset) {
    if (offset < r.matched) {
        const auto index = committed_index(p, offset);
        return index ? std::optional(p.committed[*index]) : std::nullopt;
    }
    for (const Batch& batch : r.tail) {
        if (batch.base <= offset && offset <= batch.last) {
            return batch;
        }
    }
    return std::nullopt;
}

void append(const PartitionTrack& p, ReplicaTrack& r, const Batch& batch) {
    if (r.tail.empty() && r.end == r.start && r.start > 0) {
        r.matched = r.end;  // a log that was started over agrees with what lies below it
    }
    r.tail.push_back(batch);
    r.end = batch.last + 1;
    if (r.tail.size() == 1) {
        match_on(p, r);
    }
}

void cut(const PartitionTrack& p, ReplicaTrack& r, std::int64_t to) {
    Fifo<Batch> kept;
    for (const Batch& batch : r.tail) {
        if (batch.last < to) {
            kept.push_back(batch);
        }
    }
    r.tail = std::move(kept);
    if (to < r.matched) {
        const auto index = committed_index(p, to);
        r.matched = index ? p.committed[*index].base : to;
    }
    r.end = to;
    if (r.high_watermark && *r.high_watermark > to) {
        r.high_watermark = to;
    }
    r.sequences.clear();
    if (r.stale && to <= p.rebases[*r.stale].at) {
        r.stale.reset();
    }
}

void start_over(ReplicaTrack& r, std::int64_t at) {
    r.tail.clear();
    r.start = at;
    r.end = at;
    r.matched = at;
    r.sequences.clear();
    r.stale.reset();
    if (r.high_watermark) {
        r.high_watermark = at;
    }
}

void lose_tail(const PartitionTrack& p, ReplicaTrack& r, std::int64_t to, sim::EventId event) {
    if (to >= r.end) {
        return;
    }
    const std::int64_t before = r.end;
    cut(p, r, to);
    if (r.lost) {
        r.lost->from = std::min(r.lost->from, to);
        r.lost->to = std::max(r.lost->to, before);
        r.lost->event = event;
    } else {
        r.lost = TailLoss{to, before, event};
    }
}

std::vector<std::pair<types::BrokerId, std::int64_t>> extend_committed(PartitionTrack& p,
                                                                       types::BrokerId leader,
                                                                       std::int64_t to) {
    std::vector<std::pair<types::BrokerId, std::int64_t>> differing;
    ReplicaTrack* r = find_replica(p, leader);
    if (r == nullptr || r->matched != p.committed_end) {
        return differing;
    }
    while (!r->tail.empty() && r->tail.front().last < to) {
        Batch batch = r->tail.pop_front();
        r->matched = batch.last + 1;
        for (const LooseAnswer& loose : p.loose) {
            if (loose.batch.same_as(batch)) {
                batch.acked = loose.batch.acked;
                batch.answered = true;
            }
        }
        p.committed.push_back(batch);
        p.committed_end = batch.last + 1;
        for (ReplicaTrack& other : p.replicas) {
            if (other.broker == leader || other.tail.empty() || other.matched > batch.base) {
                continue;
            }
            if (other.matched == batch.base && agrees(p, batch, other.tail.front())) {
                other.tail.pop_front();
                other.matched = batch.last + 1;
            } else if (other.high_watermark && *other.high_watermark > batch.base &&
                       other.matched == batch.base) {
                differing.emplace_back(other.broker, batch.base);
            }
            if (other.lost && other.matched >= other.lost->to) {
                other.lost.reset();
            }
        }
        std::erase_if(p.loose,
                      [&](const LooseAnswer& loose) { return loose.batch.same_as(batch); });
    }
    if (r->lost && r->matched >= r->lost->to) {
        r->lost.reset();
    }
    return differing;
}

std::uint32_t rebase(
    PartitionTrack& p, types::BrokerId leader, std::int64_t at, Excuse excuse, sim::EventId event) {
    const auto number = static_cast<std::uint32_t>(p.rebases.size());
    p.rebases.push_back({at, p.exposed, std::move(excuse), event});
    std::vector<Batch> lost;
    while (!p.committed.empty() && p.committed.back().last >= at) {
        lost.push_back(p.committed.back());
        p.committed.pop_back();
    }
    std::reverse(lost.begin(), lost.end());
    for (const Batch& batch : lost) {
        p.ghosts.push_back({batch, number, false});
    }
    for (ReplicaTrack& r : p.replicas) {
        if (r.matched > at) {
            std::vector<Batch> held;
            for (const Batch& batch : lost) {
                if (batch.last < r.matched) {
                    held.push_back(batch);
                }
            }
            prepend(r, held);
            r.matched = at;
        }
        if (r.broker != leader && r.end > at) {
            r.stale = number;
        }
    }
    p.committed_end = at;
    p.exposed = std::min(p.exposed, at);
    std::erase_if(p.segments, [&](const IsrSegment& segment) { return segment.from >= at; });
    return number;
}

}  // namespace klab::check
