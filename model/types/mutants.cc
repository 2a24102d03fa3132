// SPDX-License-Identifier: Apache-2.0
//
// The table of mutants. See mutants.h.
#include "model/types/mutants.h"

#include <algorithm>
#include <array>

#include "sim/base/assert.h"

namespace klab::types {

namespace {

constexpr std::array<MutantInfo, kMutantCount> kMutants = {{
    {Mutant::kAckBeforeAppend,
     "ack-before-append",
     "The leader answers a produce request with success although the batch is not in its log "
     "(acks=1) "
     "or not yet below the high watermark (acks=all).",
     "ANSWER, P1, ACK",
     "ReplicaManager.appendRecords, DelayedProduce"},
    {Mutant::kBrokerEpochUnchecked,
     "broker-epoch-unchecked",
     "Neither the leader (before it adds a replica to the ISR) nor the controller (in "
     "AlterPartition) "
     "compares the broker epoch of a replica, so one that restarted with an empty log can be in "
     "the ISR.",
     "P20",
     "KIP-903, Partition.isReplicaIsrEligible, ReplicationControlManager.alterPartition"},
    {Mutant::kCleanerDropsLatest,
     "cleaner-drops-latest",
     "The cleaner takes a record for superseded by itself, so the last record of a key goes, too.",
     "ACK",
     "Cleaner.shouldRetainRecord"},
    {Mutant::kEpochNotFenced,
     "epoch-not-fenced",
     "A broker serves Fetch and OffsetForLeaderEpoch requests whatever current leader epoch they "
     "carry, "
     "so an old leader and a follower of the new epoch believe each other.",
     "P9, P4",
     "KIP-320, Partition.checkCurrentLeaderEpoch"},
    {Mutant::kExpandBelowHw,
     "expand-below-hw",
     "A replica joins the ISR once it reached the start of the leader epoch, even when it is still "
     "below the leader's high watermark.",
     "P20, P13",
     "Partition.isFollowerInSync"},
    {Mutant::kFencedInIsr,
     "fenced-in-isr",
     "The controller marks a silent broker as fenced but leaves it in every ISR and as the leader "
     "of "
     "its partitions.",
     "P12",
     "KIP-631, ReplicationControlManager.handleBrokerFenced"},
    {Mutant::kFetchResponseUnchecked,
     "fetch-response-unchecked",
     "A follower applies a fetch response without asking whether its fetch offset and leader epoch "
     "are "
     "still those of the request.",
     "P4, P21",
     "AbstractFetcherThread.processFetchRequest"},
    {Mutant::kFollowerStateNotReset,
     "follower-state-not-reset",
     "A new leader keeps the log end offsets it remembers of its followers from an earlier term, "
     "and "
     "computes the high watermark from them.",
     "P8, P15",
     "KIP-320 rule 3, Replica.resetReplicaState"},
    {Mutant::kHwGateSkipped,
     "hw-gate-skipped",
     "The high watermark advances although the committed ISR is smaller than min.insync.replicas.",
     "P17",
     "KIP-966, KAFKA-15583, Partition.maybeIncrementLeaderHW"},
    {Mutant::kHwPastLaggingIsrMember,
     "hw-past-lagging-isr-member",
     "The leader leaves out the slowest in-sync follower when it computes the high watermark.",
     "P8, P15, P1, ACK",
     "Partition.maybeIncrementLeaderHW"},
    {Mutant::kIsrExpandTooEarly,
     "isr-expand-too-early",
     "The leader proposes a replica for the ISR at its first fetch, wherever its log ends.",
     "P20, P13, P3",
     "KAFKA-7128, Partition.isFollowerInSync"},
    {Mutant::kMaximalIsrIgnored,
     "maximal-isr-ignored",
     "While an ISR change is in flight the leader computes the high watermark over the committed "
     "ISR "
     "for an expansion, and over the proposed one for a shrink, not over the larger of both.",
     "P16, P15, P1",
     "KIP-497, PartitionState.maximalIsr"},
    {Mutant::kPartitionEpochUnchecked,
     "partition-epoch-unchecked",
     "The controller accepts an AlterPartition built on an older partition epoch, so two ISR "
     "changes "
     "can overwrite each other.",
     "P19, P16",
     "KIP-497, ReplicationControlManager.validateAlterPartitionData"},
    {Mutant::kSequenceUnchecked,
     "sequence-unchecked",
     "The leader appends batches of an idempotent producer without looking at their sequence "
     "numbers: "
     "a retry is stored twice, a late batch out of order.",
     "IDEMPOTENCE, DUP, ORD",
     "KIP-98, ProducerAppendInfo.checkSequence, ProducerStateEntry.findDuplicateBatch"},
    {Mutant::kTruncationSkipped,
     "truncation-skipped",
     "A follower ignores the diverging epoch in a fetch response: it never cuts its own tail and "
     "goes "
     "on appending after it.",
     "P4, P13, DIV",
     "KIP-101, KIP-595, AbstractFetcherThread.truncateOnFetchResponse"},
}};

}  // namespace

std::span<const MutantInfo> all_mutants() { return kMutants; }

const MutantInfo& info(Mutant mutant) {
    const auto index = static_cast<std::size_t>(mutant);
    KLAB_ASSERT(index < kMutants.size(), "mutant {} is not in the table", index);
    return kMutants[index];
}

std::optional<Mutant> find_mutant(std::string_view name) {
    const auto row = std::ranges::find(kMutants, name, &MutantInfo::name);
    if (row == kMutants.end()) {
        return std::nullopt;
    }
    return row->mutant;
}

}  // namespace klab::types
