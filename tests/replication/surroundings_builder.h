// SPDX-License-Identifier: Apache-2.0
//
// SurroundingsBuilder: what a replication rule looks at, in one expression, for tests. Brokers 1, 2
// and 3 are registered and unfenced with broker epochs 101, 102 and 103; this broker is 1.
#pragma once

#include <initializer_list>
#include <vector>

#include "model/metadata/image.h"
#include "model/replication/follower_state.h"
#include "model/replication/replication_types.h"

namespace klab::replication {

/// An image with brokers 1..count, unfenced, broker epoch 100 + id.
inline metadata::MetadataImage image_with_brokers(std::int32_t count) {
    metadata::MetadataImage image;
    for (std::int32_t id = 1; id <= count; ++id) {
        metadata::BrokerRegistration registration;
        registration.id = types::BrokerId(id);
        registration.epoch = types::BrokerEpoch(100 + id);
        registration.fenced = false;
        image.brokers.insert_or_assign(registration.id,
                                       Cow<metadata::BrokerRegistration>(registration));
    }
    return image;
}

/// Changes one broker's registration in an image.
template <typename Change>
void change_broker(metadata::MetadataImage& image, std::int32_t id, Change change) {
    change(image.brokers.find_for_write(types::BrokerId(id))->write());
}

/// Wall-clock milliseconds of the tests: large, because 0 means "never" to the rules.
inline Time at_ms(std::int64_t ms) { return Time{} + milliseconds(1'000'000'000 + ms); }

struct World3 {
    types::Rules rules = types::rules_of(types::kDefaultVersion);
    metadata::MetadataImage image = image_with_brokers(3);
    Time wall = at_ms(0);

    [[nodiscard]] Surroundings around() const {
        return Surroundings{.rules = rules,
                            .image = image,
                            .self = types::BrokerId(1),
                            .self_epoch = types::BrokerEpoch(101),
                            .wall = wall,
                            .lag_max = milliseconds(30'000)};
    }

    void mutate(types::Mutant mutant) { rules.mutants |= 1U << static_cast<std::uint32_t>(mutant); }
};

/// A follower that has fetched up to `end` under its current broker epoch, just now.
inline Follower caught_up_follower(std::int32_t id, std::int64_t end, Time now) {
    Follower follower{types::BrokerId(id), {}};
    follower.state.log_end_offset = types::Offset(end);
    follower.state.last_fetch = now;
    follower.state.last_caught_up = now;
    follower.state.has_fetched = true;
    follower.state.broker_epoch = types::BrokerEpoch(100 + id);
    return follower;
}

inline std::vector<types::BrokerId> brokers(std::initializer_list<std::int32_t> ids) {
    std::vector<types::BrokerId> result;
    for (const std::int32_t id : ids) {
        result.push_back(types::BrokerId(id));
    }
    return result;
}

}  // namespace klab::replication
