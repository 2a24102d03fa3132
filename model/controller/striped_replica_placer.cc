// SPDX-License-Identifier: Apache-2.0
//
// See striped_replica_placer.h.
#include "model/controller/striped_replica_placer.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace klab::controller {

using metadata::BrokerIds;

namespace {

/// Fisher-Yates from the end.
template <typename T>
void shuffle_with(PlacementRandom& random, std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
        const std::uint32_t j = random.next_int(static_cast<std::uint32_t>(i));
        std::swap(items[i - 1], items[j]);
    }
}

struct Rack {
    BrokerStripe fenced;
    BrokerStripe unfenced;

    [[nodiscard]] std::optional<types::BrokerId> next(std::uint32_t epoch) {
        const std::optional<types::BrokerId> broker = unfenced.next(epoch);
        return broker ? broker : fenced.next(epoch);
    }
};

/// All racks, and the stripe that runs over them.
class RackStripe {
  public:
    RackStripe(PlacementRandom& random, const std::vector<UsableBroker>& brokers)
        : random_(random) {
        for (const UsableBroker& broker : brokers) {
            Rack& rack = racks_[broker.rack];  // no rack sorts first
            (broker.fenced ? rack.fenced : rack.unfenced).add(broker.id);
        }
        for (auto& [name, rack] : racks_) {
            rack.fenced.initialize(random_);
            rack.unfenced.initialize(random_);
            order_.push_back(&rack);
            unfenced_ += rack.unfenced.size();
        }
        offset_ = random_.next_int(static_cast<std::uint32_t>(order_.size()));
    }

    /// Requires: there is an unfenced broker, and there are `replication_factor` brokers.
    [[nodiscard]] BrokerIds place(std::int32_t replication_factor) {
        if (epoch_ == unfenced_ && unfenced_ > 1) {
            start_over();
        }
        if (offset_ == order_.size()) {
            offset_ = 0;
        }
        BrokerIds replicas;
        const std::size_t leader_rack = place_leader(replicas);
        bool passed_over = false;
        std::size_t rack = offset_;
        while (replicas.size() < static_cast<std::size_t>(replication_factor)) {
            if (leader_rack == rack && !passed_over) {
                passed_over = true;  // the leader's rack is passed over once
            } else if (const auto broker = order_[rack]->next(epoch_)) {
                replicas.push_back(*broker);
            }
            rack = (rack + 1) % order_.size();
        }
        ++epoch_;
        ++offset_;
        return replicas;
    }

  private:
    /// All stripes were used from every start: mix, so that the next round differs.
    void start_over() {
        shuffle_with(random_, order_);
        for (Rack* rack : order_) {
            rack->fenced.shuffle(random_);
            rack->unfenced.shuffle(random_);
        }
        epoch_ = 0;
    }

    std::size_t place_leader(BrokerIds& replicas) {
        for (std::size_t rack = offset_;; rack = (rack + 1) % order_.size()) {
            if (const auto broker = order_[rack]->unfenced.next(epoch_)) {
                replicas.push_back(*broker);
                return rack;
            }
        }
    }

    PlacementRandom& random_;
    std::map<std::optional<std::string>, Rack> racks_;
    std::vector<Rack*> order_;
    std::size_t unfenced_ = 0;
    std::uint32_t epoch_ = 0;
    std::size_t offset_ = 0;
};

}  // namespace

void BrokerStripe::initialize(PlacementRandom& random) {
    if (!brokers_.empty()) {
        std::ranges::sort(brokers_);
        offset_ = random.next_int(static_cast<std::uint32_t>(brokers_.size()));
    }
}

void BrokerStripe::shuffle(PlacementRandom& random) { shuffle_with(random, brokers_); }

std::optional<types::BrokerId> BrokerStripe::next(std::uint32_t epoch) {
    if (brokers_.empty()) {
        return std::nullopt;
    }
    if (epoch != epoch_) {
        epoch_ = epoch;
        index_ = 0;
        offset_ = (offset_ + 1) % brokers_.size();
    }
    if (index_ >= brokers_.size()) {
        return std::nullopt;
    }
    const types::BrokerId broker = brokers_[(index_ + offset_) % brokers_.size()];
    ++index_;
    return broker;
}

Result<std::vector<BrokerIds>, PlacementError> place_replicas(
    PlacementRandom& random,
    const std::vector<UsableBroker>& brokers,
    std::int32_t partitions,
    std::int32_t replication_factor) {
    if (replication_factor <= 0) {
        return Error{PlacementError{
            PlacementErrorKind::kReplicationFactorNotPositive,
            fmt::format("the replication factor is {}, not above 0", replication_factor)}};
    }
    if (std::ranges::all_of(brokers, [](const UsableBroker& broker) { return broker.fenced; })) {
        return Error{
            PlacementError{PlacementErrorKind::kAllBrokersFenced, "all brokers are fenced"}};
    }
    if (static_cast<std::size_t>(replication_factor) > brokers.size()) {
        return Error{PlacementError{
            PlacementErrorKind::kTooFewBrokers,
            fmt::format("replication factor {} cannot be reached: only {} brokers are registered",
                        replication_factor,
                        brokers.size())}};
    }
    RackStripe racks(random, brokers);
    std::vector<BrokerIds> placement;
    placement.reserve(static_cast<std::size_t>(partitions));
    for (std::int32_t i = 0; i < partitions; ++i) {
        placement.push_back(racks.place(replication_factor));
    }
    return placement;
}

}  // namespace klab::controller
