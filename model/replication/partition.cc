// SPDX-License-Identifier: Apache-2.0
//
// See partition.h.
#include "model/replication/partition.h"

#include <algorithm>

namespace klab::replication {

std::size_t Partition::effective_min_isr() const {
    const auto wanted = static_cast<std::size_t>(std::max(min_insync_replicas, 1));
    return std::min(wanted, followers.size() + 1);
}

std::int64_t Partition::isr_size_for_trace() const {
    return is_leader() ? static_cast<std::int64_t>(isr.committed().size()) : sim::kAbsent;
}

}  // namespace klab::replication
