// SPDX-License-Identifier: Apache-2.0
//
// The table of checks. See check_table.h.
#include "model/check/check_table.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::check {

namespace {

using G = CheckGroup;
using C = CheckId;

constexpr std::string_view kNever = "never";
constexpr std::string_view kLoss =
    "unclean election; as many ISR members of that moment as min.insync.replicas asks for lost "
    "their log tail; ELR off and the last ISR member lost its tail; log.truncation = "
    "high-watermark (before KIP-101); and what follows from such a loss";

constexpr std::array<CheckInfo, kCheckCount> kChecks = {{
    {C::kP1,
     G::kWhiteBox,
     "P1",
     "no acknowledged loss",
     "A record acknowledged with acks=all stays in the log of every later leader, at the same "
     "offset and with the same content.",
     "KIP-966, TLA NoCommittedRecordLost",
     kLoss},
    {C::kP2,
     G::kWhiteBox,
     "P2",
     "leader completeness",
     "A leader of the epoch that the controller knows holds every record that was ever exposed as "
     "committed.",
     "TLA LeaderCompleteness",
     kLoss},
    {C::kP3,
     G::kWhiteBox,
     "P3",
     "candidate completeness",
     "Every running member of the controller's ISR holds every record that was ever exposed as "
     "committed.",
     "TLA LeaderCandidateCompleteness",
     "as P2; a member that has restarted and not yet registered"},
    {C::kP4,
     G::kWhiteBox,
     "P4",
     "log matching below the high watermark",
     "At an offset below the high watermarks of two running replicas both hold the same batch.",
     "TLA LogMatching, KIP-101",
     kLoss},
    {C::kP5,
     G::kWhiteBox,
     "P5",
     "committed content is stable",
     "A committed record is never replaced by another one at the same offset on a leader.",
     "TLA NoCommittedRecordLostGlobally",
     kLoss},
    {C::kP6,
     G::kWhiteBox,
     "P6",
     "consistent read",
     "Whoever reads an offset below the high watermark gets the same record.",
     "TLA ConsistentRead",
     kLoss},
    {C::kP7,
     G::kWhiteBox,
     "P7",
     "latest offset never goes back",
     "The latest offset that leaders tell consumers does not fall from one leader epoch to the "
     "next.",
     "KIP-207, Partition.fetchOffsetForTimestamp",
     kLoss},
    {C::kP8,
     G::kWhiteBox,
     "P8",
     "high watermark is bounded",
     "Log start <= high watermark <= log end on every replica, and a leader never raises it above "
     "the log end of a member of its maximal ISR.",
     "Partition.maybeIncrementLeaderHW, KIP-497",
     kNever},
    {C::kP9,
     G::kWhiteBox,
     "P9",
     "one leader for each epoch",
     "At most one broker ever appends as leader under one leader epoch of a partition.",
     "KIP-101, KIP-320",
     kNever},
    {C::kP10,
     G::kWhiteBox,
     "P10",
     "epochs never fall",
     "Leader epoch and partition epoch never fall, in the metadata log and in what one process "
     "applies; a new leader epoch comes with a new partition epoch.",
     "KIP-497, PartitionRegistration",
     "a topic deleted and made again is another topic"},
    {C::kP11,
     G::kWhiteBox,
     "P11",
     "shape of the ISR",
     "The ISR has no member twice and only replicas; the leader is a member or there is none; ELR "
     "and ISR have no member in common.",
     "KIP-966, PartitionRegistration",
     kNever},
    {C::kP12,
     G::kWhiteBox,
     "P12",
     "no fenced broker in an ISR",
     "A broker that is fenced or shutting down is in no ISR.",
     "KIP-841, TLA ValidControllerState",
     "ELR off: the only member of an ISR stays, and the partition has no leader; a late heartbeat "
     "unfences a broker that has left"},
    {C::kP13,
     G::kWhiteBox,
     "P13",
     "strong ISR",
     "All members of a leader's ISR hold its records below its high watermark.",
     "TLA StrongIsr, KIP-320",
     "between the loss of a log tail and its detection; log.truncation = high-watermark; and what "
     "follows from a loss that P2 allows"},
    {C::kP14,
     G::kWhiteBox,
     "P14",
     "leader in the ISR",
     "An ISR is never empty, and a leader counts itself in it.",
     "TLA WeakIsr, LeaderInIsr",
     "ELR on: an empty ISR without a leader"},
    {C::kP15,
     G::kWhiteBox,
     "P15",
     "valid high watermark",
     "Every member of the controller's ISR has a log that reaches the leader's high watermark.",
     "TLA ValidHighWatermark, KIP-497",
     "as P13"},
    {C::kP16,
     G::kWhiteBox,
     "P16",
     "maximal ISR is a superset",
     "The maximal ISR of the current leader contains the controller's ISR and ELR (while its ISR "
     "is not smaller than min.insync.replicas).",
     "KIP-497, TLA ReplicationQuorumSuperset",
     "metadata with the partition epoch that the leader has already take back the proposal that it "
     "has made since, and the controller accepts that one (Partition.makeLeader)"},
    {C::kP17,
     G::kWhiteBox,
     "P17",
     "nothing is committed below min.insync.replicas",
     "From 3.7 on a leader's high watermark stands still while its committed ISR is smaller than "
     "min.insync.replicas.",
     "KIP-966, KAFKA-15583",
     kNever},
    {C::kP18,
     G::kWhiteBox,
     "P18",
     "acks=all is refused below min.insync.replicas",
     "No byte of an acks=all batch is written while the ISR is smaller than min.insync.replicas.",
     "Partition.appendRecordsToLeader",
     "the ISR shrinks after the batch was let in"},
    {C::kP19,
     G::kWhiteBox,
     "P19",
     "ISR changes are serial",
     "The controller accepts an ISR only from a proposal made under exactly the leader epoch and "
     "partition epoch that it changes.",
     "KIP-497, ReplicationControlManager.alterPartition",
     kNever},
    {C::kP20,
     G::kWhiteBox,
     "P20",
     "who may join the ISR",
     "A replica joins only when its log reaches the high watermark and the start of the leader "
     "epoch, and its broker is unfenced, stays, and is the process that fetched.",
     "KAFKA-7128, KIP-841, KIP-903",
     "versions without the rule: 1.x (epoch start), before 3.5 (broker epoch)"},
    {C::kP21,
     G::kWhiteBox,
     "P21",
     "no cut below the high watermark",
     "A follower that compares epochs never cuts its log below its own high watermark.",
     "KIP-101, KIP-279",
     "unclean election; log.truncation = high-watermark; a log without epochs; and what follows "
     "from a loss that P2 allows"},
    {C::kP22,
     G::kWhiteBox,
     "P22",
     "unclean election only when allowed",
     "A leader from outside the ISR is elected only with unclean.leader.election.enable, and the "
     "partition is then marked as recovering.",
     "KIP-704, KAFKA-12670",
     "an operator asks for an unclean election; with ELR, the last leader of a partition whose ISR "
     "and ELR are empty"},
    {C::kP24,
     G::kWhiteBox,
     "P24",
     "a loss with acks=0 or 1 breaks nothing else",
     "Records lost with acks=0 or acks=1 leave P4, P5 and P6 true.",
     "documentation of acks",
     kNever},
    {C::kM1,
     G::kWhiteBox,
     "M1",
     "metadata log matching",
     "Two nodes that have applied the metadata log up to the same offset have the same image.",
     "KIP-500, MetadataImage",
     kNever},
    {C::kM2,
     G::kWhiteBox,
     "M2",
     "brokers apply committed metadata only",
     "No broker applies a metadata record that is not committed.",
     "KIP-595, BrokerMetadataPublisher",
     kNever},
    {C::kM3,
     G::kWhiteBox,
     "M3",
     "one author of metadata",
     "At most one controller writes records of one quorum epoch.",
     "KIP-595, KIP-631",
     kNever},
    {C::kM4,
     G::kWhiteBox,
     "M4",
     "broker epochs rise",
     "Each registration of a broker has a larger epoch than the one before.",
     "KIP-631, ClusterControlManager",
     kNever},
    {C::kM7,
     G::kWhiteBox,
     "M7",
     "leader choice",
     "A new leader is unfenced, and from the ISR (or, when that is empty, the ELR) unless the "
     "election is marked unclean.",
     "PartitionChangeBuilder.electLeader",
     "a late heartbeat unfences a broker that has left"},
    {C::kAnswer,
     G::kWhiteBox,
     "ANSWER",
     "acks=all waits",
     "A leader answers an acks=all batch with success only when the batch is below its high "
     "watermark.",
     "DelayedProduce",
     kNever},
    {C::kIdempotence,
     G::kWhiteBox,
     "IDEMPOTENCE",
     "sequence numbers join on",
     "Batches that a leader appends for one producer id and epoch have strictly rising sequence "
     "numbers without gap.",
     "KIP-98, ProducerAppendInfo",
     "the log lost its tail, and with it the memory of the producer"},
    {C::kAck,
     G::kBlackBox,
     "ACK",
     "no acknowledged record is lost",
     "Every acknowledged record is in the log at the end.",
     "public history checkers: lost-write",
     "acks=0; acks=1 and another leader since; what P1 allows"},
    {C::kDiv,
     G::kBlackBox,
     "DIV",
     "replicas agree",
     "Replicas agree below the high watermark.",
     "the same as P4",
     "as P4"},
    {C::kOrd,
     G::kBlackBox,
     "ORD",
     "send order is log order",
     "In each partition the records of one producer stand in the order of their sends.",
     "public history checkers: nonmonotonic-send",
     "enable.idempotence=false and more than one request in flight; a leader without any state of "
     "the producer took a later batch first (KIP-360); what P1 allows"},
    {C::kDup,
     G::kBlackBox,
     "DUP",
     "no record twice",
     "No record is in the log more often than it was sent.",
     "public history checkers: duplicate",
     "enable.idempotence=false; a log that lost the memory of the producer as P1 allows"},
    {C::kLead,
     G::kBlackBox,
     "LEAD",
     "one leader, one authority",
     "At most one leader for each epoch, and one author of metadata.",
     "the same as P9 and M3",
     kNever},
    {C::kVanish,
     G::kBlackBox,
     "VANISH",
     "what was read stays",
     "A consumer never sees a record that is later gone, or that was never committed.",
     "public history checkers: aborted read, inconsistent offsets",
     "what P1 allows"},
    {C::kSkip,
     G::kBlackBox,
     "SKIP",
     "no record is passed over",
     "A consumer never moves past a committed record without reading it.",
     "public history checkers: poll-skip, unseen",
     "auto.offset.reset after an offset out of range; what P1 allows"},
    {C::kLive,
     G::kBlackBox,
     "LIVE",
     "work goes on after the faults",
     "30 s after the last fault, with every broker up and every link open: brokers are unfenced, "
     "partitions have leaders and full ISRs, and no send waits without any of its partition being "
     "acknowledged.",
     "TLA EventuallyUnfenced, MetadataConverges; KIP-966 liveness",
     "the leader answers OUT_OF_ORDER_SEQUENCE_NUMBER to an idempotent batch that comes behind a "
     "later one: it is sent again until delivery.timeout.ms (TransactionManager.canRetry)"},
    {C::kSelf,
     G::kSelf,
     "SELF",
     "the checker sees what is there",
     "Logs and marks as followed from the trace are those that the brokers hold.",
     "klab",
     kNever},
}};

}  // namespace

std::span<const CheckInfo> all_checks() { return kChecks; }

const CheckInfo& info(CheckId check) {
    const auto index = static_cast<std::size_t>(check);
    KLAB_ASSERT(index < kChecks.size(), "check {} is not in the table", index);
    return kChecks[index];
}

std::optional<CheckId> find_check(std::string_view id) {
    const auto row = std::ranges::find(kChecks, id, &CheckInfo::id);
    if (row == kChecks.end()) {
        return std::nullopt;
    }
    return row->check;
}

std::vector<CheckId> parts_of(CheckId check) {
    if (check == C::kAck) {
        return {C::kAck, C::kP1};
    }
    if (check == C::kDiv) {
        return {C::kDiv, C::kP4};
    }
    if (check == C::kDup) {
        return {C::kDup, C::kIdempotence};
    }
    if (check == C::kLead) {
        return {C::kLead, C::kP9, C::kM3};
    }
    return {check};
}

bool covers(CheckId expected, CheckId broken) {
    const auto parts = parts_of(expected);
    if (std::ranges::find(parts, broken) != parts.end()) {
        return true;
    }
    using Rows = std::array<CheckId, 8>;
    constexpr Rows kOfLoss = {
        C::kP1, C::kP2, C::kP3, C::kP5, C::kP13, C::kP15, C::kP21, C::kVanish};
    constexpr std::array<CheckId, 3> kOfRead = {C::kP5, C::kP6, C::kP7};
    const auto has = [broken](const auto& rows) {
        return std::ranges::find(rows, broken) != rows.end();
    };
    const bool loss = expected == C::kAck || expected == C::kP1 || expected == C::kP2;
    return (loss && has(kOfLoss)) || (expected == C::kVanish && (has(kOfRead) || has(kOfLoss))) ||
           (expected == C::kDiv && broken == C::kP13);
}

}  // namespace klab::check
