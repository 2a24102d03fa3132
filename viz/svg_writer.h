// SPDX-License-Identifier: Apache-2.0
//
// Scene -> a self-contained SVG file: no script, no external font, image or style sheet. Opens in
// any browser; hovering shows the tooltips, ids make shapes findable. Owns: nothing. Called by:
// draw.
#pragma once

#include <string>

#include "viz/scene.h"

namespace klab::viz {

/// The SVG text of `scene`: well-formed XML in UTF-8, the same bytes for the same scene.
/// Requires: a page of at least one point, polylines of at least two points.
[[nodiscard]] std::string write_svg(const Scene& scene);

}  // namespace klab::viz
