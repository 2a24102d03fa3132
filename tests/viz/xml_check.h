// SPDX-License-Identifier: Apache-2.0
//
// A small check that a text is well-formed XML as far as our SVG writer uses XML: tags nest,
// attributes are quoted and unique, only known entities, ids unique, valid UTF-8 without control
// characters.
#pragma once

#include <string>
#include <string_view>

namespace klab::viz {

/// Empty if `text` is well-formed, else what is wrong and where.
[[nodiscard]] std::string find_xml_error(std::string_view text);

}  // namespace klab::viz
