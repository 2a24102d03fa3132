// SPDX-License-Identifier: Apache-2.0
//
// See isr_shrink.h.
#include "model/replication/isr_shrink.h"

namespace klab::replication {

std::vector<types::BrokerId> find_out_of_sync(const IsrState& isr,
                                              std::span<const Follower> followers,
                                              types::Offset log_end,
                                              const Surroundings& around) {
    std::vector<types::BrokerId> leaving;
    if (isr.is_in_flight()) {
        return leaving;
    }
    for (const types::BrokerId member : isr.committed()) {
        if (member == around.self) {
            continue;
        }
        const Follower* follower = find_follower(followers, member);
        if (follower == nullptr ||
            !is_caught_up(follower->state, log_end, around.wall, around.lag_max)) {
            leaving.push_back(member);
        }
    }
    return leaving;
}

}  // namespace klab::replication
