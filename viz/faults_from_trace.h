// SPDX-License-Identifier: Apache-2.0
//
// What went wrong when, in words: the steps of the scenario if it has any, else the kernel's own
// events about processes and links, one sentence for each instant. Owns: nothing. Called by:
// sequence_from_trace.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "viz/sequence_picture.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// Faults and repairs in the order of time, counted from the scenario's time 0.
[[nodiscard]] std::vector<SequenceFault> faults_of(const TraceView& view);

/// Links in words: "b1 cut off from b2, b3" if one node is in all of them, else "cut b1-b2, b3-k1";
/// one way: "cut b1 to b2". `done` and `done_from` are the verb forms ("cut", "cut off from").
[[nodiscard]] std::string links_text(const std::vector<std::pair<std::string, std::string>>& links,
                                     const std::string& done,
                                     const std::string& done_from);

}  // namespace klab::viz
