// SPDX-License-Identifier: Apache-2.0
//
// Where the replicas of a new topic go: in stripes over the racks, each rack's brokers in turn, so
// that leaders and followers spread evenly and the replicas of one partition sit in different racks
// as long as there are enough. Fenced brokers are used last and never lead.
//
// Called by: topic_creation.cc.
// Kafka: StripedReplicaPlacer; KIP-631.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/metadata/records.h"
#include "sim/base/result.h"

namespace klab::controller {

struct UsableBroker {
    types::BrokerId id;
    std::optional<std::string> rack;
    bool fenced = false;

    friend bool operator==(const UsableBroker&, const UsableBroker&) = default;
};

/// Where the random numbers come from: keyed choices in a run, a fixed generator in tests.
class PlacementRandom {
  public:
    PlacementRandom() = default;
    PlacementRandom(const PlacementRandom&) = delete;
    PlacementRandom& operator=(const PlacementRandom&) = delete;
    virtual ~PlacementRandom() = default;

    /// A number in [0, bound). Requires: bound > 0.
    [[nodiscard]] virtual std::uint32_t next_int(std::uint32_t bound) = 0;
};

enum class PlacementErrorKind : std::uint8_t {
    kReplicationFactorNotPositive,
    kAllBrokersFenced,
    kTooFewBrokers,
};

struct PlacementError {
    PlacementErrorKind kind = PlacementErrorKind::kReplicationFactorNotPositive;
    std::string message;

    friend bool operator==(const PlacementError&, const PlacementError&) = default;
};

/// One replica list a partition, the leader first. Draws afresh for each topic.
[[nodiscard]] Result<std::vector<metadata::BrokerIds>, PlacementError> place_replicas(
    PlacementRandom& random,
    const std::vector<UsableBroker>& brokers,
    std::int32_t partitions,
    std::int32_t replication_factor);

/// Brokers of one rack in stripes: each epoch starts one broker further on. Exposed for its test.
class BrokerStripe {
  public:
    void add(types::BrokerId broker) { brokers_.push_back(broker); }

    /// Sorts the brokers and draws where the first epoch begins.
    void initialize(PlacementRandom& random);

    void shuffle(PlacementRandom& random);

    [[nodiscard]] std::size_t size() const { return brokers_.size(); }

    /// The next broker of this epoch; nothing when all were handed out.
    [[nodiscard]] std::optional<types::BrokerId> next(std::uint32_t epoch);

  private:
    metadata::BrokerIds brokers_;
    std::uint32_t epoch_ = 0;
    std::size_t index_ = 0;
    std::size_t offset_ = 0;
};

}  // namespace klab::controller
