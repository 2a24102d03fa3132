// SPDX-License-Identifier: Apache-2.0
//
// See partition_index.h.
#include "model/controller/partition_index.h"

#include "model/storage/meta_properties.h"

namespace klab::controller {

using metadata::BrokerIds;
using metadata::PartitionRegistration;
using metadata::TopicIdPartition;

namespace {

const BrokerIds& isr_of(const PartitionRegistration* partition) {
    static const BrokerIds kNobody;
    return partition == nullptr ? kNobody : partition->isr;
}

const BrokerIds& elr_of(const PartitionRegistration* partition) {
    static const BrokerIds kNobody;
    return partition == nullptr ? kNobody : partition->elr;
}

const std::vector<types::Uuid>& directories_of(const PartitionRegistration* partition) {
    static const std::vector<types::Uuid> kNone;
    return partition == nullptr ? kNone : partition->directories;
}

template <typename Set>
std::vector<TopicIdPartition> members(const Set& set) {
    return set.keys();
}

}  // namespace

void PartitionIndex::put(PartitionSet& set, const TopicIdPartition& id, bool present) {
    if (present) {
        set.insert_or_assign(id, Present{});
    } else {
        set.erase(id);
    }
}

void PartitionIndex::update(const TopicIdPartition& id,
                            const PartitionRegistration* before,
                            const PartitionRegistration* after) {
    for (const types::BrokerId broker : isr_of(before)) {
        if (!metadata::contains(isr_of(after), broker)) {
            put(brokers_.at_or_insert(broker).in_isr, id, false);
        }
    }
    for (const types::BrokerId broker : isr_of(after)) {
        if (!metadata::contains(isr_of(before), broker)) {
            put(brokers_.at_or_insert(broker).in_isr, id, true);
        }
    }
    for (const types::BrokerId broker : elr_of(before)) {
        put(brokers_.at_or_insert(broker).in_elr, id, false);
    }
    for (const types::BrokerId broker : elr_of(after)) {
        put(brokers_.at_or_insert(broker).in_elr, id, true);
    }
    update_directories(id, directories_of(before), directories_of(after));
    const auto old_leader = before == nullptr ? std::nullopt : before->leader;
    const auto new_leader = after == nullptr ? std::nullopt : after->leader;
    if (old_leader != new_leader) {
        if (old_leader) {
            --brokers_.at_or_insert(*old_leader).leaderships;
        }
        if (new_leader) {
            ++brokers_.at_or_insert(*new_leader).leaderships;
        }
    }
    put(leaderless_, id, after != nullptr && !new_leader);
    put(imbalanced_, id, after != nullptr && !after->has_preferred_leader());
}

void PartitionIndex::update_directories(const TopicIdPartition& id,
                                        const std::vector<types::Uuid>& before,
                                        const std::vector<types::Uuid>& after) {
    if (before == after) {
        return;
    }
    for (const types::Uuid& directory : before) {
        if (PartitionSet* const set = directories_.find_for_write(directory)) {
            set->erase(id);
            if (set->empty()) {
                directories_.erase(directory);
            }
        }
    }
    for (const types::Uuid& directory : after) {
        if (!storage::is_reserved_directory(directory)) {
            put(directories_.at_or_insert(directory), id, true);
        }
    }
}

std::vector<TopicIdPartition> PartitionIndex::in_directory(const types::Uuid& directory) const {
    const PartitionSet* found = directories_.find(directory);
    return found == nullptr ? std::vector<TopicIdPartition>{} : members(*found);
}

std::vector<TopicIdPartition> PartitionIndex::in_isr_of(types::BrokerId broker) const {
    const OfBroker* found = brokers_.find(broker);
    return found == nullptr ? std::vector<TopicIdPartition>{} : members(found->in_isr);
}

std::vector<TopicIdPartition> PartitionIndex::in_elr_of(types::BrokerId broker) const {
    const OfBroker* found = brokers_.find(broker);
    return found == nullptr ? std::vector<TopicIdPartition>{} : members(found->in_elr);
}

std::vector<TopicIdPartition> PartitionIndex::leaderless() const { return members(leaderless_); }

std::vector<TopicIdPartition> PartitionIndex::imbalanced() const { return members(imbalanced_); }

std::uint64_t PartitionIndex::leaderships(types::BrokerId broker) const {
    const OfBroker* found = brokers_.find(broker);
    return found == nullptr ? 0 : found->leaderships;
}

}  // namespace klab::controller
