// SPDX-License-Identifier: Apache-2.0
//
// See low_watermark.h.
#include "model/replication/low_watermark.h"

#include <algorithm>

#include "model/replication/isr_expansion.h"
#include "sim/base/assert.h"

namespace klab::replication {

std::optional<types::Offset> low_watermark(const Partition& partition,
                                           const metadata::MetadataImage& image) {
    KLAB_ASSERT(partition.is_leader(), "only a leader knows its followers");
    types::Offset lowest = partition.log.log_start_offset();
    for (const Follower& follower : partition.followers) {
        if (!alive_broker_epoch(image, follower.broker)) {
            continue;
        }
        if (!follower.state.log_start_offset) {
            return std::nullopt;
        }
        lowest = std::min(lowest, *follower.state.log_start_offset);
    }
    return lowest;
}

}  // namespace klab::replication
