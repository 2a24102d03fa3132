// SPDX-License-Identifier: Apache-2.0
//
// The vectors of PartitionChangeBuilderTest (reference table 8.6), row by row, and what an election
// says of its candidates.
#include "model/controller/partition_change_builder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

using metadata::LeaderChange;
using metadata::LeaderRecoveryState;
using metadata::PartitionChangeRecord;

constexpr TopicIdPartition kId{{7, 7}, 0};
const std::optional<types::BrokerId> kNobody;

AcceptableLeader everybody() {
    return [](types::BrokerId) { return true; };
}

AcceptableLeader all_but(BrokerIds out) {
    return [out](types::BrokerId id) { return !metadata::contains(out, id); };
}

PartitionRegistration make(std::initializer_list<int> replicas,
                           std::initializer_list<int> isr,
                           std::optional<int> leader) {
    PartitionRegistration partition;
    partition.replicas = ids(replicas);
    partition.directories.resize(replicas.size(), metadata::kDirectoryUnassigned);
    partition.isr = ids(isr);
    partition.leader = leader ? std::optional(broker(*leader)) : std::nullopt;
    partition.leader_epoch = types::LeaderEpoch(100);
    partition.partition_epoch = types::PartitionEpoch(200);
    return partition;
}

PartitionRegistration foo() { return make({2, 1, 3}, {2, 1, 3}, 1); }

PartitionRegistration bar() {
    PartitionRegistration partition = make({1, 2, 3, 4}, {1, 2, 3}, 1);
    partition.removing_replicas = ids({1});
    partition.adding_replicas = ids({4});
    return partition;
}

PartitionRegistration baz() { return make({2, 1, 3}, {1, 3}, 3); }

types::Rules plain_rules() {
    types::Rules rules = types::rules_of(types::KafkaVersion::k4_1);
    rules.elr = false;
    return rules;
}

types::Rules elr_rules() {
    types::Rules rules = plain_rules();
    rules.elr = true;
    return rules;
}

struct Case {
    PartitionRegistration partition;
    PartitionTarget target;
    AcceptableLeader acceptable = everybody();
    ElectionRule election = ElectionRule::kOnline;
    types::Rules rules = plain_rules();
    std::int32_t min_isr = 2;
    bool last_known_leader = true;
};

PartitionChange build(const Case& c) {
    const PartitionChangeInput input{
        kId, c.partition, c.rules, c.acceptable, c.election, c.min_isr, c.last_known_leader};
    return build_partition_change(input, c.target);
}

PartitionRegistration after(const Case& c) {
    const PartitionChange change = build(c);
    return change.record ? metadata::merge(c.partition, *change.record) : c.partition;
}

PartitionTarget isr_to(std::initializer_list<int> isr) {
    PartitionTarget target;
    target.isr = ids(isr);
    return target;
}

PartitionTarget replicas_to(std::initializer_list<int> replicas) {
    PartitionTarget target;
    target.replicas = ids(replicas);
    return target;
}

/// The record that changes only these.
PartitionChangeRecord record_of(std::optional<BrokerIds> isr, std::optional<LeaderChange> leader) {
    PartitionChangeRecord record;
    record.partition_id = kId.partition;
    record.topic_id = kId.topic_id;
    record.isr = std::move(isr);
    record.leader = leader;
    return record;
}

/// So many directories that are not known yet: a new list of replicas brings a list of these.
std::vector<types::Uuid> nowhere(std::size_t replicas) {
    return std::vector<types::Uuid>(replicas, metadata::kDirectoryUnassigned);
}

/// The outcome of the election alone.
ElectionOutcome elect(const PartitionRegistration& partition,
                      std::optional<BrokerIds> isr,
                      std::optional<BrokerIds> replicas,
                      ElectionRule rule,
                      const AcceptableLeader& acceptable) {
    const BrokerIds target_isr = isr.value_or(partition.isr);
    const BrokerIds target_replicas = replicas.value_or(partition.replicas);
    return elect_leader(
        {partition, target_replicas, target_isr, partition.elr, acceptable, rule, false});
}

TEST(PartitionChangeBuilder, TB1_ElectsThePreferredOrKeepsTheLeader) {
    const AcceptableLeader acceptable = all_but(ids({3}));
    EXPECT_EQ(elect(foo(), {}, {}, ElectionRule::kPreferred, acceptable),
              (ElectionOutcome{broker(2), false}));
    EXPECT_EQ(elect(foo(), {}, {}, ElectionRule::kOnline, acceptable),
              (ElectionOutcome{broker(1), false}));
    EXPECT_EQ(elect(foo(), {}, {}, ElectionRule::kUnclean, acceptable),
              (ElectionOutcome{broker(1), false}));
}

TEST(PartitionChangeBuilder, TB2_PrefersTheLeaderWhenThePreferredIsNotInTheIsr) {
    const AcceptableLeader acceptable = all_but(ids({3}));
    EXPECT_EQ(elect(foo(), ids({1, 3}), {}, ElectionRule::kPreferred, acceptable),
              (ElectionOutcome{broker(1), false}));
    EXPECT_EQ(elect(foo(), ids({1, 3}), {}, ElectionRule::kOnline, acceptable),
              (ElectionOutcome{broker(1), false}));
}

TEST(PartitionChangeBuilder, TB3_ElectsNobodyWhenTheIsrIsNotAlive) {
    const AcceptableLeader acceptable = all_but(ids({3}));
    EXPECT_EQ(elect(foo(), ids({3}), {}, ElectionRule::kPreferred, acceptable), ElectionOutcome{});
    EXPECT_EQ(elect(foo(), ids({3}), {}, ElectionRule::kOnline, acceptable), ElectionOutcome{});
}

TEST(PartitionChangeBuilder, TB4_ElectsTheFirstLivingReplicaUncleanly) {
    EXPECT_EQ(elect(foo(), ids({3}), {}, ElectionRule::kUnclean, all_but(ids({3}))),
              (ElectionOutcome{broker(2), true}));
}

TEST(PartitionChangeBuilder, TB5_ElectsANewReplicaThatIsTheIsr) {
    for (const ElectionRule rule :
         {ElectionRule::kPreferred, ElectionRule::kOnline, ElectionRule::kUnclean}) {
        EXPECT_EQ(elect(foo(), ids({4}), ids({2, 1, 3, 4}), rule, all_but(ids({3}))),
                  (ElectionOutcome{broker(4), false}));
    }
}

TEST(PartitionChangeBuilder, TB6_KeepsTheLeaderWhenThePreferredIsOutOfSync) {
    EXPECT_EQ(elect(baz(), {}, {}, ElectionRule::kPreferred, everybody()),
              (ElectionOutcome{broker(3), false}));
}

TEST(PartitionChangeBuilder, TB7_WritesNoRecordWithoutAChange) {
    EXPECT_FALSE(build(Case{foo(), {}}).record);
    EXPECT_FALSE(build(Case{foo(), isr_to({2, 1, 3})}).record);
}

TEST(PartitionChangeBuilder, TB8_ShrinksTheIsrWithoutANewEpochSince36) {
    Case c{foo(), isr_to({2, 1})};
    EXPECT_EQ(build(c).record, record_of(ids({2, 1}), {}));
    // Before metadata.version 3.6 the leader is named again, which raises its epoch.
    c.rules.leader_epoch_bump_on_shrink = true;
    EXPECT_EQ(build(c).record, record_of(ids({2, 1}), LeaderChange{broker(1)}));
}

TEST(PartitionChangeBuilder, TB9_ExpandsTheIsrWithoutANewEpoch) {
    Case c{make({2, 1, 3}, {2, 1}, 1), isr_to({2, 1, 3})};
    EXPECT_EQ(build(c).record, record_of(ids({2, 1, 3}), {}));
    c.rules.leader_epoch_bump_on_shrink = true;
    EXPECT_EQ(build(c).record, record_of(ids({2, 1, 3}), {}));
}

TEST(PartitionChangeBuilder, TB10_RaisesTheEpochWhenReplicasAreDropped) {
    const auto record = build(Case{foo(), replicas_to({2, 1, 4})}).record;
    ASSERT_TRUE(record);
    EXPECT_EQ(record->leader, LeaderChange{broker(1)});
}

TEST(PartitionChangeBuilder, TB11_ElectsWhenTheLeaderLeavesTheIsr) {
    EXPECT_EQ(build(Case{foo(), isr_to({2, 3})}).record,
              record_of(ids({2, 3}), LeaderChange{broker(2)}));
}

TEST(PartitionChangeBuilder, TB12_ReordersReplicasWithoutANewEpoch) {
    PartitionChangeRecord expected = record_of({}, {});
    expected.replicas = ids({3, 2, 1});
    EXPECT_EQ(build(Case{foo(), replicas_to({3, 2, 1})}).record, expected);
}

TEST(PartitionChangeBuilder, TB13_CompletesAReassignmentWhenAllAreInSync) {
    PartitionChangeRecord expected = record_of(ids({2, 3, 4}), LeaderChange{broker(2)});
    expected.replicas = ids({2, 3, 4});
    expected.directories = nowhere(3);
    expected.removing_replicas = BrokerIds{};
    expected.adding_replicas = BrokerIds{};
    EXPECT_EQ(build(Case{bar(), isr_to({1, 2, 3, 4})}).record, expected);
}

TEST(PartitionChangeBuilder, TB14_RevertsAReassignment) {
    PartitionTarget revert = replicas_to({1, 2, 3});
    revert.isr = ids({1, 2, 3});
    revert.removing = BrokerIds{};
    revert.adding = BrokerIds{};
    PartitionChangeRecord expected = record_of({}, LeaderChange{broker(1)});
    expected.replicas = ids({1, 2, 3});
    expected.directories = nowhere(3);
    expected.removing_replicas = BrokerIds{};
    expected.adding_replicas = BrokerIds{};
    EXPECT_EQ(build(Case{bar(), revert}).record, expected);
}

TEST(PartitionChangeBuilder, TB15_CompletesAPureRemovalAtOnce) {
    PartitionTarget target = replicas_to({1, 2, 3});
    target.removing = ids({3});
    PartitionChangeRecord expected = record_of(ids({2, 1}), LeaderChange{broker(1)});
    expected.replicas = ids({1, 2});
    expected.directories = nowhere(2);
    EXPECT_EQ(build(Case{foo(), target}).record, expected);
}

TEST(PartitionChangeBuilder, TB16_AddsAReplicaWithoutANewEpoch) {
    PartitionTarget target = replicas_to({1, 2, 3, 4});
    target.adding = ids({4});
    PartitionChangeRecord expected = record_of({}, {});
    expected.replicas = ids({1, 2, 3, 4});
    expected.directories = nowhere(4);
    expected.adding_replicas = ids({4});
    EXPECT_EQ(build(Case{foo(), target}).record, expected);
}

TEST(PartitionChangeBuilder, TB17_LeavesOnlyTheUncleanLeaderInTheIsr) {
    Case c{foo(), isr_to({3}), all_but(ids({1, 3})), ElectionRule::kUnclean};
    PartitionChangeRecord expected = record_of(ids({2}), LeaderChange{broker(2)});
    expected.recovery = LeaderRecoveryState::kRecovering;
    EXPECT_EQ(build(c).record, expected);
}

TEST(PartitionChangeBuilder, TB18_KeepsRecoveringUntilTheLeaderSaysOtherwise) {
    PartitionRegistration partition = make({1, 2, 3}, {1}, 1);
    partition.recovery = LeaderRecoveryState::kRecovering;
    const Case offline{partition, {}, all_but(ids({1}))};
    EXPECT_EQ(build(offline).record, record_of({}, LeaderChange{}));
    const PartitionRegistration down = after(offline);
    EXPECT_EQ(build(Case{down, {}}).record, record_of({}, LeaderChange{broker(1)}));
    PartitionTarget recovered;
    recovered.recovery = LeaderRecoveryState::kRecovered;
    PartitionChangeRecord expected = record_of({}, {});
    expected.recovery = LeaderRecoveryState::kRecovered;
    EXPECT_EQ(build(Case{partition, recovered}).record, expected);
}

TEST(PartitionChangeBuilder, TB19_CompletesAReassignmentThatEndsOffline) {
    PartitionRegistration partition = make({2, 3, 0, 1}, {0, 1}, 0);
    partition.removing_replicas = ids({0, 1});
    partition.adding_replicas = ids({2, 3});
    const Case c{partition, isr_to({0, 1, 2, 3}), all_but(ids({0, 1, 2, 3}))};
    const PartitionRegistration next = after(c);
    EXPECT_EQ(next.replicas, ids({2, 3}));
    EXPECT_EQ(next.isr, ids({2, 3}));
    EXPECT_EQ(next.leader, kNobody);
    EXPECT_TRUE(next.removing_replicas.empty());
    EXPECT_TRUE(next.adding_replicas.empty());
}

TEST(PartitionChangeBuilder, TB20_KeepsLeaversOfASmallIsrEligible) {
    Case c{make({1, 2, 3, 4}, {1, 2, 3, 4}, 1), isr_to({1, 2})};
    c.rules = elr_rules();
    c.min_isr = 3;
    EXPECT_EQ(after(c).isr, ids({1, 2}));
    EXPECT_EQ(after(c).elr, ids({3, 4}));
    // With ELR off the record has no such field.
    c.rules = plain_rules();
    EXPECT_EQ(build(c).record, record_of(ids({1, 2}), {}));
}

TEST(PartitionChangeBuilder, TB21_ForgetsTheElrOnceTheIsrIsLargeEnough) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {1, 2}, 1);
    partition.elr = ids({3});
    partition.last_known_elr = ids({4});
    Case c{partition, isr_to({1, 2, 3})};
    c.rules = elr_rules();
    c.min_isr = 3;
    c.last_known_leader = false;
    EXPECT_EQ(after(c).isr, ids({1, 2, 3}));
    EXPECT_TRUE(after(c).elr.empty());
    EXPECT_TRUE(after(c).last_known_elr.empty());
}

TEST(PartitionChangeBuilder, TB22_KeepsTheElrWhileTheIsrIsTooSmall) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {1}, 1);
    partition.elr = ids({3});
    partition.last_known_elr = ids({2});
    Case c{partition, isr_to({1, 4})};
    c.rules = elr_rules();
    c.min_isr = 3;
    c.last_known_leader = false;
    EXPECT_EQ(build(c).record, record_of(ids({1, 4}), {}));
}

TEST(PartitionChangeBuilder, TB23_TakesAnUncleanShutdownOutOfTheElr) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {1}, 1);
    partition.elr = ids({2, 3});
    Case c{partition, {}};
    c.target.unclean_shutdown = ids({3});
    c.rules = elr_rules();
    c.min_isr = 3;
    EXPECT_EQ(after(c).elr, ids({2}));
    EXPECT_TRUE(after(c).last_known_elr.empty());
    c.last_known_leader = false;
    EXPECT_EQ(after(c).elr, ids({2}));
    EXPECT_EQ(after(c).last_known_elr, ids({3}));
}

TEST(PartitionChangeBuilder, TB24_ElectsFromTheElrWhenTheIsrIsGone) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {1}, 1);
    partition.elr = ids({3});
    Case c{partition, isr_to({}), all_but(ids({1}))};
    c.rules = elr_rules();
    c.min_isr = 3;
    EXPECT_EQ(after(c).leader, broker(3));
    EXPECT_EQ(after(c).isr, ids({3}));
    EXPECT_EQ(after(c).elr, ids({1}));
    EXPECT_EQ(after(c).recovery, LeaderRecoveryState::kRecovered);
}

Case tb25() {
    Case c{make({1, 2, 3, 4}, {1, 2, 3, 4}, 1), isr_to({}), all_but(ids({1, 2, 3, 4}))};
    c.rules = elr_rules();
    c.min_isr = 3;
    return c;
}

TEST(PartitionChangeBuilder, TB25_RemembersTheLastLeaderOfAnEmptyIsr) {
    const PartitionRegistration next = after(tb25());
    EXPECT_TRUE(next.isr.empty());
    EXPECT_EQ(next.elr, ids({1, 2, 3, 4}));
    EXPECT_EQ(next.leader, kNobody);
    EXPECT_EQ(next.last_known_elr, ids({1}));
}

TEST(PartitionChangeBuilder, TB26_KeepsTheLastLeaderThroughAnUncleanShutdown) {
    Case c{after(tb25()), {}, all_but(ids({1, 2, 3, 4}))};
    c.target.unclean_shutdown = ids({2});
    c.rules = elr_rules();
    c.min_isr = 3;
    EXPECT_EQ(after(c).elr, ids({1, 3, 4}));
    EXPECT_EQ(after(c).last_known_elr, ids({1}));
}

TEST(PartitionChangeBuilder, TB27_ElectsTheLastKnownLeaderUncleanly) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {}, {});
    partition.last_known_elr = ids({1});
    Case c{partition, {}};
    c.rules = elr_rules();
    c.min_isr = 3;
    const PartitionRegistration next = after(c);
    EXPECT_EQ(next.leader, broker(1));
    EXPECT_EQ(next.isr, ids({1}));
    EXPECT_EQ(next.recovery, LeaderRecoveryState::kRecovering);
    EXPECT_TRUE(next.last_known_elr.empty());
}

TEST(PartitionChangeBuilder, TB28_DoesNotElectALastLeaderThatIsAmbiguousOrDown) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {}, {});
    partition.last_known_elr = ids({1, 2});
    Case ambiguous{partition, {}};
    ambiguous.rules = elr_rules();
    EXPECT_EQ(after(ambiguous).leader, kNobody);
    partition.last_known_elr = ids({1});
    Case down{partition, {}, all_but(ids({1}))};
    down.rules = elr_rules();
    EXPECT_EQ(after(down).leader, kNobody);
}

TEST(PartitionChangeBuilder, TB29_ClearsTheElrOnAnUncleanElection) {
    PartitionRegistration partition = make({1, 2, 3, 4}, {}, {});
    partition.elr = ids({2, 3});
    partition.last_known_elr = ids({2});
    Case c{partition, {}, all_but(ids({2, 3, 4})), ElectionRule::kUnclean};
    c.rules = elr_rules();
    c.min_isr = 3;
    const PartitionRegistration next = after(c);
    EXPECT_EQ(next.leader, broker(1));
    EXPECT_EQ(next.isr, ids({1}));
    EXPECT_EQ(next.recovery, LeaderRecoveryState::kRecovering);
    EXPECT_TRUE(next.elr.empty());
    EXPECT_TRUE(next.last_known_elr.empty());
}

TEST(PartitionChangeBuilder, KeepsTheLastIsrMemberWithElrOff) {
    // The partition waits for the one replica known to have everything.
    const Case c{make({1, 2, 3}, {1}, 1), isr_to({}), all_but(ids({1}))};
    EXPECT_EQ(build(c).record, record_of({}, LeaderChange{}));
    EXPECT_EQ(after(c).isr, ids({1}));
}

TEST(PartitionChangeBuilder, ExplainsAnElection) {
    const PartitionChange change =
        build(Case{make({1, 2, 3}, {1, 3}, 1), isr_to({3}), all_but(ids({1}))});
    ASSERT_TRUE(change.election);
    const ElectionReport& report = *change.election;
    EXPECT_EQ(report.previous, broker(1));
    EXPECT_EQ(report.winner, broker(3));
    EXPECT_EQ(report.leader_epoch, types::LeaderEpoch(101));
    EXPECT_EQ(report.isr, ids({3}));
    EXPECT_FALSE(report.unclean);
    ASSERT_EQ(report.candidates.size(), 3U);
    EXPECT_EQ(report.candidates[0],
              (CandidateVerdict{broker(1), false, true, 1, false, "not alive"}));
    EXPECT_EQ(report.candidates[1],
              (CandidateVerdict{broker(2), true, false, 2, false, "alive, but not in the ISR"}));
    EXPECT_TRUE(report.candidates[2].chosen);
}

TEST(PartitionChangeBuilder, ExplainsNothingWithoutAnElection) {
    EXPECT_FALSE(build(Case{foo(), isr_to({2, 1})}).election);
    EXPECT_FALSE(build(Case{foo(), replicas_to({2, 1, 4})}).election);
}

RC_GTEST_PROP(PartitionChangeBuilder, ElectsOnlyTheLivingAndInSyncUnlessUnclean, ()) {
    const auto some = [](int low) {
        BrokerIds chosen;
        for (int id = low; id < 5; ++id) {
            if (*rc::gen::arbitrary<bool>()) {
                chosen.emplace_back(id);
            }
        }
        return chosen;
    };
    PartitionRegistration partition = make({0, 1, 2, 3, 4}, {}, {});
    partition.isr = some(0);
    RC_PRE(!partition.isr.empty());
    partition.leader = partition.isr.front();
    const BrokerIds down = some(0);
    Case c{partition, {}, all_but(down)};
    c.target.isr = some(0);
    c.election =
        *rc::gen::element(ElectionRule::kOnline, ElectionRule::kPreferred, ElectionRule::kUnclean);
    // Nobody takes a living leader out of the ISR.
    RC_PRE(metadata::contains(down, *partition.leader) ||
           metadata::contains(*c.target.isr, *partition.leader));
    const PartitionChange change = build(c);
    const PartitionRegistration next = after(c);
    RC_ASSERT(!next.isr.empty());
    RC_ASSERT(change.election.has_value() == (next.leader != partition.leader));
    if (next.leader) {
        RC_ASSERT(!metadata::contains(down, *next.leader));
        RC_ASSERT(metadata::contains(next.isr, *next.leader));
    }
    if (next.leader != partition.leader) {
        RC_ASSERT(next.leader_epoch == partition.leader_epoch.next());
        const bool in_sync = next.leader && metadata::contains(*c.target.isr, *next.leader);
        RC_ASSERT(!next.leader || change.election->unclean == !in_sync);
        RC_ASSERT(c.election == ElectionRule::kUnclean || !change.election->unclean);
    } else {
        RC_ASSERT(next.leader_epoch == partition.leader_epoch);
    }
}

}  // namespace
}  // namespace klab::controller
