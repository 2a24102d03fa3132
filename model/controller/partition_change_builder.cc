// SPDX-License-Identifier: Apache-2.0
//
// See partition_change_builder.h. The steps of build() are in the order of the text there.
#include "model/controller/partition_change_builder.h"

#include <algorithm>

#include "model/controller/reassignment_completion.h"

namespace klab::controller {

using metadata::BrokerIds;
using metadata::contains;
using metadata::LeaderRecoveryState;
using metadata::PartitionChangeRecord;

namespace {

bool contains_all(const BrokerIds& brokers, const BrokerIds& wanted) {
    return std::ranges::all_of(wanted,
                               [&](types::BrokerId broker) { return contains(brokers, broker); });
}

/// Union in ascending order, without duplicates: Kafka makes sets of these.
BrokerIds sorted_union(const BrokerIds& a, const BrokerIds& b) {
    BrokerIds all = a;
    all.insert(all.end(), b.begin(), b.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

BrokerIds without(const BrokerIds& brokers, const BrokerIds& removed) {
    BrokerIds kept = brokers;
    std::erase_if(kept, [&](types::BrokerId broker) { return contains(removed, broker); });
    return kept;
}

class Builder {
  public:
    Builder(const PartitionChangeInput& input, const PartitionTarget& target)
        : input_(input),
          old_(input.partition),
          target_(target),
          isr_(target.isr.value_or(old_.isr)),
          replicas_(target.replicas.value_or(old_.replicas)),
          removing_(target.removing.value_or(old_.removing_replicas)),
          adding_(target.adding.value_or(old_.adding_replicas)),
          elr_(old_.elr),
          last_known_elr_(old_.last_known_elr) {
        record_.partition_id = input.id.partition;
        record_.topic_id = input.id.topic_id;
    }

    PartitionChange build() {
        complete_reassignment_if_possible();
        if (input_.rules.elr) {
            populate_elr();
        }
        elect();
        bump_leader_epoch_for_dropped_replicas();
        write_elr();
        write_isr();
        bump_leader_epoch_for_shrink();
        write_last_known_leader();
        write_assignment();
        write_directories();
        if (target_.recovery && *target_.recovery != old_.recovery) {
            record_.recovery = target_.recovery;
        }
        return finish();
    }

  private:
    void complete_reassignment_if_possible() {
        if (auto done = complete_reassignment(replicas_, isr_, removing_, adding_)) {
            replicas_ = std::move(done->replicas);
            isr_ = std::move(done->isr);
            removing_.clear();
            adding_.clear();
        }
    }

    /// KIP-966: who leaves the ISR while it is too small to raise the high watermark still has
    /// every committed record.
    void populate_elr() {
        if (static_cast<std::int64_t>(isr_.size()) >= input_.min_isr) {
            elr_.clear();
            last_known_elr_.clear();
            return;
        }
        const BrokerIds candidates = sorted_union(elr_, old_.isr);
        elr_ = without(without(candidates, isr_), target_.unclean_shutdown);
        last_known_elr_ = without(without(sorted_union(candidates, last_known_elr_), isr_), elr_);
    }

    [[nodiscard]] bool last_known_leader_counts() const {
        return input_.rules.elr && input_.last_known_leader_in_recovery;
    }

    void elect() {
        const ElectionInput election{old_,
                                     replicas_,
                                     isr_,
                                     elr_,
                                     input_.acceptable,
                                     input_.election,
                                     last_known_leader_counts()};
        const ElectionOutcome outcome = elect_leader(election);
        if (outcome.leader == old_.leader) {
            return;
        }
        report_.emplace();
        report_->candidates = judge_candidates(election, outcome);
        report_->unclean = outcome.unclean;
        record_.leader = metadata::LeaderChange{outcome.leader};
        if (!outcome.leader) {
            return;
        }
        if (contains(elr_, *outcome.leader)) {
            isr_ = {*outcome.leader};
            elr_ = without(elr_, isr_);
        }
        if (outcome.unclean) {
            // The others may have records that the new leader lacks: they have to start over.
            record_.isr = BrokerIds{*outcome.leader};
            if (old_.recovery != LeaderRecoveryState::kRecovering) {
                record_.recovery = LeaderRecoveryState::kRecovering;
            }
        }
    }

    void bump_leader_epoch() { record_.leader = metadata::LeaderChange{old_.leader}; }

    void bump_leader_epoch_for_dropped_replicas() {
        if (!record_.leader && !contains_all(replicas_, old_.replicas)) {
            bump_leader_epoch();
        }
    }

    /// Before metadata.version 3.6 brokers needed a new leader epoch to take note of a shrink.
    void bump_leader_epoch_for_shrink() {
        if (input_.rules.leader_epoch_bump_on_shrink && !record_.leader && record_.isr &&
            !contains_all(*record_.isr, old_.isr)) {
            bump_leader_epoch();
        }
    }

    void write_elr() {
        const bool is_clean = !record_.isr.has_value();
        if (!is_clean || !input_.rules.elr) {
            elr_.clear();
            last_known_elr_.clear();
        }
        if (elr_ != old_.elr) {
            record_.eligible_leader_replicas = elr_;
        }
        if (!input_.last_known_leader_in_recovery && last_known_elr_ != old_.last_known_elr) {
            record_.last_known_elr = last_known_elr_;
        }
    }

    void write_isr() {
        // With ELR off the last member stays in the ISR of a partition without leader: it is the
        // only one known to have everything.
        const bool may_be_empty = input_.rules.elr;
        if (!record_.isr && (!isr_.empty() || may_be_empty) && isr_ != old_.isr) {
            record_.isr = isr_;
        }
    }

    void write_last_known_leader() {
        if (!last_known_leader_counts() || !record_.leader) {
            return;
        }
        if (!record_.leader->leader && old_.last_known_elr.empty() && old_.leader) {
            record_.last_known_elr = BrokerIds{*old_.leader};
        } else if (record_.leader->leader && !old_.last_known_elr.empty()) {
            record_.last_known_elr = BrokerIds{};
        }
    }

    [[nodiscard]] types::Uuid directory_of(types::BrokerId replica) const {
        for (const ReplicaDirectory& one : target_.directories) {
            if (one.broker == replica) {
                return one.directory;
            }
        }
        return contains(old_.replicas, replica) ? old_.directory_of(replica)
                                                : metadata::kDirectoryUnassigned;
    }

    /// With the list of replicas changes the list of their directories.
    void write_directories() {
        if (target_.directories.empty() &&
            (replicas_ == old_.replicas || !input_.rules.log_dirs_reported)) {
            return;
        }
        std::vector<types::Uuid> directories;
        for (const types::BrokerId replica : replicas_) {
            directories.push_back(directory_of(replica));
        }
        if (directories != old_.directories) {
            record_.directories = std::move(directories);
        }
    }

    void write_assignment() {
        if (!replicas_.empty() && replicas_ != old_.replicas) {
            record_.replicas = replicas_;
        }
        if (removing_ != old_.removing_replicas) {
            record_.removing_replicas = removing_;
        }
        if (adding_ != old_.adding_replicas) {
            record_.adding_replicas = adding_;
        }
    }

    PartitionChange finish() {
        PartitionChangeRecord nothing;
        nothing.partition_id = record_.partition_id;
        nothing.topic_id = record_.topic_id;
        if (record_ == nothing) {
            return {};
        }
        if (report_) {
            const metadata::PartitionRegistration next = metadata::merge(old_, record_);
            report_->id = input_.id;
            report_->previous = old_.leader;
            report_->winner = next.leader;
            report_->leader_epoch = next.leader_epoch;
            report_->isr = next.isr;
        }
        return {std::move(record_), std::move(report_)};
    }

    const PartitionChangeInput& input_;
    const metadata::PartitionRegistration& old_;
    const PartitionTarget& target_;
    BrokerIds isr_;
    BrokerIds replicas_;
    BrokerIds removing_;
    BrokerIds adding_;
    BrokerIds elr_;
    BrokerIds last_known_elr_;
    PartitionChangeRecord record_;
    std::optional<ElectionReport> report_;
};

}  // namespace

PartitionChange build_partition_change(const PartitionChangeInput& input,
                                       const PartitionTarget& target) {
    return Builder(input, target).build();
}

}  // namespace klab::controller
