// SPDX-License-Identifier: Apache-2.0
//
// Scene -> Graphviz dot text. Every node and edge has a pinned position and the graph says
// layout=nop2, so plain `dot -Tsvg` or `dot -Tpng` only draws and never lays out.
// The text is the editable, diffable form of a picture: one statement a line, shapes in drawing
// order. Owns: nothing. Called by: draw. Simplified: hatching becomes stripes, which dot has.
#pragma once

#include <string>

#include "viz/scene.h"

namespace klab::viz {

/// The dot text of `scene`. Graphviz (2.42 or newer) draws it without any warning.
/// Requires: a page of at least one point, polylines of at least two points.
[[nodiscard]] std::string write_dot(const Scene& scene);

}  // namespace klab::viz
