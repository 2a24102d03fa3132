// SPDX-License-Identifier: Apache-2.0
//
// See isr_state.h.
#include "model/replication/isr_state.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"

namespace klab::replication {

namespace {

bool contains(std::span<const types::BrokerId> brokers, types::BrokerId broker) {
    return std::find(brokers.begin(), brokers.end(), broker) != brokers.end();
}

}  // namespace

bool IsrState::in_committed_isr(types::BrokerId broker) const { return contains(isr_, broker); }

bool IsrState::in_maximal_isr(types::BrokerId broker) const {
    if (phase_ == IsrPhase::kPendingExpand && contains(proposal_->replicas, broker)) {
        return true;
    }
    return contains(isr_, broker);
}

std::size_t IsrState::maximal_size() const {
    return isr_.size() + (phase_ == IsrPhase::kPendingExpand ? proposal_->replicas.size() : 0);
}

std::vector<types::BrokerId> IsrState::maximal() const {
    return phase_ == IsrPhase::kPendingExpand ? proposal_->isr : isr_;
}

void IsrState::commit(std::span<const types::BrokerId> isr) {
    isr_.assign(isr.begin(), isr.end());
    revert();
}

void IsrState::revert() {
    phase_ = IsrPhase::kCommitted;
    proposal_.reset();
    check_state();
}

const IsrProposal& IsrState::propose_expand(types::BrokerId joining) {
    KLAB_ASSERT(!is_in_flight(), "an ISR change is in flight already");
    KLAB_ASSERT(!in_committed_isr(joining), "broker {} is in the ISR already", joining);
    IsrProposal proposal{++proposals_, isr_, {joining}};
    proposal.isr.push_back(joining);
    proposal_ = std::move(proposal);
    phase_ = IsrPhase::kPendingExpand;
    check_state();
    return *proposal_;
}

const IsrProposal& IsrState::propose_shrink(std::vector<types::BrokerId> leaving) {
    KLAB_ASSERT(!is_in_flight(), "an ISR change is in flight already");
    KLAB_ASSERT(!leaving.empty(), "nobody leaves");
    IsrProposal proposal{++proposals_, {}, std::move(leaving)};
    for (const types::BrokerId member : isr_) {
        if (!contains(proposal.replicas, member)) {
            proposal.isr.push_back(member);
        }
    }
    KLAB_ASSERT(proposal.isr.size() + proposal.replicas.size() == isr_.size(),
                "a broker that is not in the ISR cannot leave it");
    proposal_ = std::move(proposal);
    phase_ = IsrPhase::kPendingShrink;
    check_state();
    return *proposal_;
}

void IsrState::check_state() const {
    switch (phase_) {
        case IsrPhase::kCommitted:
            KLAB_ASSERT(!proposal_, "a committed ISR has no proposal");
            return;
        case IsrPhase::kPendingExpand:
            KLAB_ASSERT(proposal_, "an expansion without its proposal");
            KLAB_ASSERT(proposal_->isr.size() > isr_.size(), "an expansion adds");
            return;
        case IsrPhase::kPendingShrink:
            KLAB_ASSERT(proposal_, "a shrink without its proposal");
            KLAB_ASSERT(proposal_->isr.size() < isr_.size(), "a shrink removes");
            return;
    }
}

}  // namespace klab::replication
