// SPDX-License-Identifier: Apache-2.0
//
// The committed and the maximal ISR through proposals (KIP-497).
#include "model/replication/isr_state.h"

#include <gtest/gtest.h>

#include "sim/base/assert.h"
#include "tests/replication/surroundings_builder.h"

namespace klab::replication {
namespace {

IsrState committed(std::initializer_list<std::int32_t> ids) {
    IsrState isr;
    isr.commit(brokers(ids));
    return isr;
}

TEST(IsrState, CountsAJoiningReplicaInTheMaximalIsrOnly) {
    IsrState isr = committed({1, 2});
    EXPECT_EQ(isr.propose_expand(types::BrokerId(3)).isr, brokers({1, 2, 3}));
    EXPECT_EQ(isr.phase(), IsrPhase::kPendingExpand);
    EXPECT_EQ(isr.committed(), brokers({1, 2}));
    EXPECT_EQ(isr.maximal(), brokers({1, 2, 3}));
    EXPECT_EQ(isr.maximal_size(), 3U);
    EXPECT_TRUE(isr.in_maximal_isr(types::BrokerId(3)));
    EXPECT_FALSE(isr.in_committed_isr(types::BrokerId(3)));
}

TEST(IsrState, KeepsALeavingReplicaInTheMaximalIsr) {
    // Until the controller answers, the old and larger set may still be in force.
    IsrState isr = committed({1, 2, 3});
    EXPECT_EQ(isr.propose_shrink(brokers({3})).isr, brokers({1, 2}));
    EXPECT_EQ(isr.phase(), IsrPhase::kPendingShrink);
    EXPECT_EQ(isr.maximal(), brokers({1, 2, 3}));
    EXPECT_TRUE(isr.in_maximal_isr(types::BrokerId(3)));
}

TEST(IsrState, CommitAndRevertEndAProposal) {
    IsrState isr = committed({1, 2, 3});
    isr.propose_shrink(brokers({2, 3}));
    isr.revert();
    EXPECT_EQ(isr.maximal(), brokers({1, 2, 3}));
    EXPECT_FALSE(isr.is_in_flight());
    isr.propose_shrink(brokers({2}));
    isr.commit(brokers({1, 3}));
    EXPECT_EQ(isr.committed(), brokers({1, 3}));
    EXPECT_FALSE(isr.is_in_flight());
}

TEST(IsrState, NumbersItsProposals) {
    // An answer must not be taken for the answer to a later proposal.
    IsrState isr = committed({1, 2});
    EXPECT_EQ(isr.propose_expand(types::BrokerId(3)).number, 1U);
    isr.revert();
    EXPECT_EQ(isr.propose_expand(types::BrokerId(3)).number, 2U);
}

TEST(IsrState, RefusesASecondProposal) {
    IsrState isr = committed({1, 2});
    isr.propose_expand(types::BrokerId(3));
    EXPECT_THROW(isr.propose_shrink(brokers({2})), AssertionFailure);
    EXPECT_THROW(isr.propose_expand(types::BrokerId(4)), AssertionFailure);
}

}  // namespace
}  // namespace klab::replication
