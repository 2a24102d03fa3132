// SPDX-License-Identifier: Apache-2.0
//
// ContactTimes: when each broker process was last heard of. An entry belongs to one registration
// (broker id and epoch) and outlives fencing, so a restarted process is refused until the session
// of its predecessor has run out.
//
// Owns: the times (volatile: a new controller starts them afresh for unfenced brokers).
// Called by: controller_node.cc (each heartbeat as it arrives), broker_registration.cc,
// broker_fencing.cc.
// Kafka: BrokerHeartbeatTracker.
#pragma once

#include <optional>
#include <utility>

#include "model/types/kafka_ids.h"
#include "sim/base/cow_map.h"
#include "sim/base/time.h"

namespace klab::controller {

/// One registration of a broker.
struct BrokerIdAndEpoch {
    types::BrokerId id;
    types::BrokerEpoch epoch;

    friend bool operator==(const BrokerIdAndEpoch&, const BrokerIdAndEpoch&) = default;
    friend auto operator<=>(const BrokerIdAndEpoch&, const BrokerIdAndEpoch&) = default;
};

class ContactTimes {
  public:
    void touch(const BrokerIdAndEpoch& broker, Time now) { times_.insert_or_assign(broker, now); }

    void remove(const BrokerIdAndEpoch& broker) { times_.erase(broker); }

    void clear() { times_.clear(); }

    [[nodiscard]] std::optional<Time> last(const BrokerIdAndEpoch& broker) const;

    /// Heard of within `session`: a silence of exactly the session is still valid.
    [[nodiscard]] bool has_valid_session(const BrokerIdAndEpoch& broker,
                                         Time now,
                                         Duration session) const;

    /// The first registration, ascending by broker id, silent for longer than `session`.
    [[nodiscard]] std::optional<BrokerIdAndEpoch> first_expired(Time now, Duration session) const;

    friend bool operator==(const ContactTimes&, const ContactTimes&) = default;

  private:
    CowMap<BrokerIdAndEpoch, Time> times_;
};

}  // namespace klab::controller
