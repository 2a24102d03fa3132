// SPDX-License-Identifier: Apache-2.0
//
// PartitionTrack: one partition as the trace tells it: what the controller has committed, what each
// replica holds, and which records count as committed.
//
// The committed batches stand once, in `committed`. A replica is how far its log agrees with them
// (`matched`) and the batches behind that point (`tail`), so "does b2 hold all that is committed?"
// is one comparison:
//
//     committed   [0 ......................... committed_end)     `exposed` <= committed_end
//     b1          [0 ......................... matched) tail        tail: not committed yet
//     b2          [0 ......... matched) tail                        tail: lags, or differs
//
// A batch becomes committed when the leader of the newest epoch raises its high watermark over it.
// It is exposed once somebody outside that leader has heard of it: a consumer read it, a producer
// got its acks=all, a follower was told. When a leader starts that lacks committed batches, the
// committed log is cut to what that leader has (rebase) and the batches become ghosts, so that each
// loss is told once and later events can still be compared with what was lost.
//
// Compaction takes records out of logs that agree, at its own time on each replica. What lies below
// `cleaned` may be missing on a replica, and a batch there may have fewer records than the
// committed one; it still begins and ends at the same offsets, in the same epoch.
//
// Owns: all fields; written through the functions below and by the rule files.
// Called by: white_box.cc, rule files. Offsets and epochs are plain integers here, as in the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/check/chunk_list.h"
#include "model/check/findings.h"
#include "model/types/kafka_ids.h"
#include "sim/base/fifo.h"

namespace klab::check {

using BrokerIds = std::vector<types::BrokerId>;

/// One batch as log.appended tells it.
struct Batch {
    std::int64_t base = 0;
    std::int64_t last = 0;
    std::int32_t epoch = 0;
    std::uint32_t crc = 0;    ///< names the content
    std::uint32_t acked = 0;  ///< committed batches: records whose producer has got its acks=all
    bool answered = false;    ///< committed batches: the leader has answered an acks=all

    [[nodiscard]] bool same_as(const Batch& other) const {
        return base == other.base && last == other.last && epoch == other.epoch && crc == other.crc;
    }

    friend bool operator==(const Batch&, const Batch&) = default;
};

/// The end of a log that a crash, power failure or wiped disk took away.
struct TailLoss {
    std::int64_t from = 0;
    std::int64_t to = 0;
    sim::EventId event;

    friend bool operator==(const TailLoss&, const TailLoss&) = default;
};

/// Last sequence number of a producer id in one log.
struct LastSequence {
    std::int64_t producer_id = 0;
    std::int32_t sequence = 0;

    friend bool operator==(const LastSequence&, const LastSequence&) = default;
};

enum class TrackedRole : std::uint8_t { kNone, kLeader, kFollower };

struct ReplicaTrack {
    types::BrokerId broker;
    bool open = true;      ///< false: on disk, and the process (if any) has not opened it
    bool offline = false;  ///< likewise, because its log directory failed
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t matched = 0;                    ///< agrees with `committed` below this
    Fifo<Batch> tail;                            ///< batches from `matched` on
    std::optional<std::int64_t> high_watermark;  ///< nothing while the process is down
    TrackedRole role = TrackedRole::kNone;
    std::int32_t leader_epoch = -1;      ///< last one applied by this process, -1 none
    std::int32_t partition_epoch = -1;   ///< likewise
    BrokerIds isr;                       ///< leader: the committed ISR as it knows it
    bool proposing = false;              ///< leader: may have a change of the ISR in flight
    std::optional<TailLoss> lost;        ///< what it lost and has not got back
    std::optional<std::uint32_t> stale;  ///< still holds what this rebase took out of `committed`
    std::uint64_t min_isr_seen = 0;      ///< publish number of the broker for the next, plus one
    std::size_t min_isr = 1;             ///< effective min.insync.replicas
    std::int64_t appended_base = -1;     ///< its last append as leader
    std::int64_t appended_last = -1;
    sim::EventId appended_event;
    std::vector<LastSequence> sequences;  ///< by producer id

    [[nodiscard]] bool is_leader() const { return role == TrackedRole::kLeader; }

    /// Did it lose the record at `offset` and not get it back?
    [[nodiscard]] bool has_lost(std::int64_t offset) const {
        return lost && lost->from <= offset && offset < lost->to && matched <= offset;
    }

    friend bool operator==(const ReplicaTrack&, const ReplicaTrack&) = default;
};

/// An unclean election that no leader has started under yet.
struct UncleanElection {
    std::int32_t leader_epoch = 0;
    std::int32_t partition_epoch = 0;
    types::BrokerId leader;

    friend bool operator==(const UncleanElection&, const UncleanElection&) = default;
};

/// The committed metadata of the partition.
struct ControlTrack {
    bool known = false;
    std::optional<types::BrokerId> leader;
    std::int32_t leader_epoch = -1;
    std::int32_t partition_epoch = -1;
    BrokerIds isr;
    std::optional<BrokerIds> elr;  ///< nothing: several changes came at once, and it was not seen
    BrokerIds replicas;
    std::optional<types::BrokerId> last_leader;  ///< also while nobody leads
    Time leader_since;
    std::optional<sim::EventId> leader_changed;  ///< last change after the first leader
    std::optional<sim::EventId> deposed_append;  ///< last append by a leader of an old epoch
    std::optional<UncleanElection> unclean;
    std::vector<std::int32_t> unclean_epochs;  ///< every leader epoch of an unclean election
    bool recovering_expected = false;          ///< unclean since the last RECOVERED

    friend bool operator==(const ControlTrack&, const ControlTrack&) = default;
};

/// Under which ISR and min.insync.replicas batches from `from` on were committed.
struct IsrSegment {
    std::int64_t from = 0;
    BrokerIds isr;
    std::size_t min_isr = 1;

    friend bool operator==(const IsrSegment&, const IsrSegment&) = default;
};

/// A leader started without some committed batches.
struct Rebase {
    std::int64_t at = 0;  ///< the committed log was cut to this
    std::int64_t exposed = 0;
    Excuse excuse;
    sim::EventId event;

    friend bool operator==(const Rebase&, const Rebase&) = default;
};

/// A batch that was committed and then lost.
struct Ghost {
    Batch batch;
    std::uint32_t rebase = 0;
    bool replaced = false;  ///< another batch was seen at its place

    friend bool operator==(const Ghost&, const Ghost&) = default;
};

/// A batch answered with acks=all that was not committed then.
struct LooseAnswer {
    Batch batch;
    std::int32_t leader_epoch = 0;
    bool told = false;

    friend bool operator==(const LooseAnswer&, const LooseAnswer&) = default;
};

/// Which record was read first at an offset.
struct FirstRead {
    std::int64_t record = -1;
    std::int32_t producer = -1;
    std::int32_t epoch = -1;
    bool known = false;

    friend bool operator==(const FirstRead&, const FirstRead&) = default;
};

/// The largest latest offset told to a consumer.
struct LatestAnswer {
    std::int64_t offset = 0;
    std::int32_t leader_epoch = 0;

    friend bool operator==(const LatestAnswer&, const LatestAnswer&) = default;
};

/// A proposal of an ISR.
struct TrackedProposal {
    types::BrokerId leader;
    std::int64_t isr_list = 0;  ///< as the event names it
    std::int32_t leader_epoch = 0;
    std::int32_t partition_epoch = 0;
    std::optional<types::BrokerId> joining;
    std::optional<types::BrokerEpoch> joining_epoch;  ///< with which it fetched

    friend bool operator==(const TrackedProposal&, const TrackedProposal&) = default;
};

/// A broker that still hosts the partition of a deleted topic of this name.
struct Doomed {
    types::BrokerId broker;
    std::uint32_t incarnation = 0;

    friend bool operator==(const Doomed&, const Doomed&) = default;
};

struct PartitionTrack {
    std::int64_t name = 0;  ///< as events name it
    ControlTrack control;
    std::vector<ReplicaTrack> replicas;  ///< in the order of their first event
    ChunkList<Batch> committed;
    std::int64_t committed_end = 0;
    std::int64_t exposed = 0;
    std::int64_t cleaned = 0;        ///< below it some replica was compacted
    std::int32_t latest_epoch = -1;  ///< of the leaders that started as the controller wanted
    std::vector<IsrSegment> segments;
    std::vector<Rebase> rebases;
    std::vector<Ghost> ghosts;
    std::vector<LooseAnswer> loose;
    std::vector<std::pair<std::int32_t, types::BrokerId>> authors;  ///< who appended, by epoch
    std::vector<TrackedProposal> proposals;                         ///< the last four
    ChunkList<FirstRead> reads;                                     ///< by offset
    std::optional<LatestAnswer> latest_answer;
    std::vector<Doomed> doomed;

    friend bool operator==(const PartitionTrack&, const PartitionTrack&) = default;
};

[[nodiscard]] ReplicaTrack* find_replica(PartitionTrack& p, types::BrokerId broker);
[[nodiscard]] const ReplicaTrack* find_replica(const PartitionTrack& p, types::BrokerId broker);

/// The replica, made when it is new. Pointers to other replicas die then.
[[nodiscard]] ReplicaTrack& replica_for(PartitionTrack& p, types::BrokerId broker);

[[nodiscard]] bool contains(const BrokerIds& brokers, types::BrokerId broker);

/// Is `held` the committed batch, or what a cleaning left of it?
[[nodiscard]] bool agrees(const PartitionTrack& p, const Batch& committed, const Batch& held);

/// Index of the committed batch that holds `offset`, or nothing. O(log distance from the end).
[[nodiscard]] std::optional<std::size_t> committed_index(const PartitionTrack& p,
                                                         std::int64_t offset);

/// The batch of a replica that holds `offset`, or nothing.
[[nodiscard]] std::optional<Batch> batch_at(const PartitionTrack& p,
                                            const ReplicaTrack& r,
                                            std::int64_t offset);

/// The replica's log grows by a batch.
void append(const PartitionTrack& p, ReplicaTrack& r, const Batch& batch);

/// The replica's log ends at `to` from now on, and its batches that reach beyond are gone.
void cut(const PartitionTrack& p, ReplicaTrack& r, std::int64_t to);

/// The replica's log is emptied and begins at `at`.
void start_over(ReplicaTrack& r, std::int64_t at);

/// A crash, power failure or wiped disk left the log with the end `to`.
void lose_tail(const PartitionTrack& p, ReplicaTrack& r, std::int64_t to, sim::EventId event);

/// The leader `r` has committed up to `to`: its batches below become committed. Returns the first
/// offset at which each other running replica differs below its own high watermark (P4).
[[nodiscard]] std::vector<std::pair<types::BrokerId, std::int64_t>> extend_committed(
    PartitionTrack& p, types::BrokerId leader, std::int64_t to);

/// Cuts the committed log to `at`; see the file comment. Returns the number of the rebase.
std::uint32_t rebase(
    PartitionTrack& p, types::BrokerId leader, std::int64_t at, Excuse excuse, sim::EventId event);

}  // namespace klab::check
