// SPDX-License-Identifier: Apache-2.0
//
// Laws of PartitionTrack: whatever happens to the logs, following them batch by batch with a shared
// committed log gives the same as keeping each log in full, and the incremental P4 agrees with a
// comparison of all pairs.
#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/check/partition_track.h"

namespace klab::check {
namespace {

/// Three logs kept in full.
struct PlainLogs {
    std::map<std::int32_t, std::vector<Batch>> logs;

    std::int64_t end(std::int32_t broker) {
        const auto& log = logs[broker];
        return log.empty() ? 0 : log.back().last + 1;
    }

    void cut(std::int32_t broker, std::int64_t to) {
        auto& log = logs[broker];
        while (!log.empty() && log.back().last >= to) {
            log.pop_back();
        }
    }
};

struct Op {
    int kind = 0;
    std::int32_t broker = 1;
    std::int64_t amount = 0;
};

std::vector<Batch> as_list(const PartitionTrack& p, const ReplicaTrack& r) {
    std::vector<Batch> all;
    p.committed.for_each([&](const Batch& batch) {
        if (batch.last < r.matched) {
            all.push_back(batch);
        }
    });
    all.insert(all.end(), r.tail.begin(), r.tail.end());
    return all;
}

bool same(const std::vector<Batch>& a, const std::vector<Batch>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Batch& x, const Batch& y) {
        return x.same_as(y);
    });
}

/// Plays the same operations on both.
class Play {
  public:
    Play() {
        for (std::int32_t broker = 1; broker <= 3; ++broker) {
            static_cast<void>(replica_for(track, types::BrokerId(broker)));
        }
    }

    void run(const Op& op) {
        ReplicaTrack& r = *find_replica(track, types::BrokerId(op.broker));
        switch (op.kind) {
            case 0: {  // writes of its own
                const std::int64_t base = plain.end(op.broker);
                grow(r, {base, base + op.amount % 3, epoch, ++content, 0, false});
                return;
            }
            case 1: {  // copies the next batch of another replica
                const auto& from = plain.logs[op.broker % 3 + 1];
                const std::int64_t end = plain.end(op.broker);
                const auto next = std::find_if(
                    from.begin(), from.end(), [&](const Batch& b) { return b.base == end; });
                if (next != from.end()) {
                    grow(r, *next);
                }
                return;
            }
            case 2:  // commits some of what it holds
                if (r.matched == track.committed_end) {
                    static_cast<void>(
                        extend_committed(track, r.broker, bound(op.broker, op.amount)));
                }
                return;
            case 3: {  // cut at the beginning of a batch
                const std::int64_t to = bound(op.broker, op.amount);
                cut(track, r, to);
                plain.cut(op.broker, to);
                return;
            }
            case 4:  // leads without some of it
                ++epoch;
                if (r.matched < track.committed_end) {
                    rebase(track, r.broker, r.matched, std::nullopt, sim::EventId(1));
                }
                return;
            default: {  // loses its tail
                const std::int64_t to = bound(op.broker, op.amount);
                lose_tail(track, r, to, sim::EventId(1));
                plain.cut(op.broker, to);
                return;
            }
        }
    }

    PartitionTrack track;
    PlainLogs plain;

  private:
    void grow(ReplicaTrack& r, const Batch& batch) {
        append(track, r, batch);
        plain.logs[r.broker.value()].push_back(batch);
    }

    /// A batch boundary of the broker's log.
    std::int64_t bound(std::int32_t broker, std::int64_t amount) {
        const auto& log = plain.logs[broker];
        const auto place = static_cast<std::size_t>(amount) % (log.size() + 1);
        return place == log.size() ? plain.end(broker) : log[place].base;
    }

    std::int32_t epoch = 0;
    std::uint32_t content = 0;
};

rc::Gen<Op> any_op() {
    return rc::gen::build<Op>(rc::gen::set(&Op::kind, rc::gen::inRange(0, 6)),
                              rc::gen::set(&Op::broker, rc::gen::inRange(1, 4)),
                              rc::gen::set(&Op::amount, rc::gen::inRange<std::int64_t>(0, 40)));
}

RC_GTEST_PROP(PartitionTrackLaw, FollowsEveryLog, ()) {
    const auto ops = *rc::gen::container<std::vector<Op>>(any_op());
    Play play;
    for (const Op& op : ops) {
        play.run(op);
        for (const ReplicaTrack& r : play.track.replicas) {
            const auto& log = play.plain.logs[r.broker.value()];
            RC_ASSERT(same(as_list(play.track, r), log));
            RC_ASSERT(r.end == play.plain.end(r.broker.value()));
        }
    }
    RC_CLASSIFY(play.track.committed_end > 0, "committed something");
    RC_CLASSIFY(!play.track.rebases.empty(), "lost something");
}

RC_GTEST_PROP(PartitionTrackLaw, MatchedIsTheLongestCommonPrefix, ()) {
    const auto ops = *rc::gen::container<std::vector<Op>>(any_op());
    Play play;
    for (const Op& op : ops) {
        play.run(op);
    }
    for (const ReplicaTrack& r : play.track.replicas) {
        const auto& log = play.plain.logs[r.broker.value()];
        std::size_t equal = 0;
        while (equal < log.size() && equal < play.track.committed.size() &&
               log[equal].same_as(play.track.committed[equal])) {
            ++equal;
        }
        RC_ASSERT(r.matched == (equal == 0 ? 0 : log[equal - 1].last + 1));
    }
}

TEST(PartitionTrack, LostTailIsForgottenOnceItIsBack) {
    // The excuse for an ISR member must not outlive its reason.
    PartitionTrack p;
    for (const std::int32_t broker : {1, 2}) {
        ReplicaTrack& r = replica_for(p, types::BrokerId(broker));
        append(p, r, {0, 0, 0, 1, 0, false});
        append(p, r, {1, 1, 0, 2, 0, false});
    }
    EXPECT_TRUE(extend_committed(p, types::BrokerId(1), 2).empty());
    ReplicaTrack& r = *find_replica(p, types::BrokerId(2));
    lose_tail(p, r, 1, sim::EventId(9));
    EXPECT_TRUE(r.has_lost(1));
    EXPECT_FALSE(r.has_lost(0));
    append(p, r, {1, 1, 0, 2, 0, false});
    EXPECT_FALSE(r.lost);
}

}  // namespace
}  // namespace klab::check
