// SPDX-License-Identifier: Apache-2.0
//
// See offsets_out_of_range.h.
#include "model/replication/offsets_out_of_range.h"

#include <algorithm>

namespace klab::replication {

std::optional<types::Offset> decide_cut_to_leader_end(types::Offset own_end,
                                                      types::Offset leader_end) {
    return leader_end < own_end ? std::optional(leader_end) : std::nullopt;
}

LeaderStartStep decide_leader_start_step(types::Offset own_end, types::Offset leader_start) {
    return {.next = std::max(leader_start, own_end), .start_over = leader_start > own_end};
}

}  // namespace klab::replication
