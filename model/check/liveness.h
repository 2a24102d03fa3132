// SPDX-License-Identifier: Apache-2.0
//
// LIVE: work goes on after the faults. Judged once, at the end of a run, and only if the cluster
// has been whole and left alone for long enough.
//
// Owns: when the last fault was. Called by: checker.cc. TLA EventuallyUnfenced, KIP-966
#pragma once

#include <span>

#include "model/check/cluster_sight.h"
#include "model/check/findings.h"
#include "model/check/history.h"
#include "model/types/model_data.h"

namespace klab::check {

/// As long as replica.lag.time.max.ms by default: everything that recovers does so within it.
inline constexpr Duration kQuietMin = seconds(30);

class Liveness {
  public:
    static void add_wanted(sim::KindSet& kinds);

    void observe(const ClusterSight& sight, std::span<const sim::Event> events);

    void finish(const ClusterSight& sight,
                const types::ClusterSpec& cluster,
                const History& history,
                Findings& findings) const;

    friend bool operator==(const Liveness&, const Liveness&) = default;

  private:
    Time last_fault_;
    bool holding_ = false;  // messages are held back
};

}  // namespace klab::check
