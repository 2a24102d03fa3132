// SPDX-License-Identifier: Apache-2.0
//
// docs/trace-format.md, generated from the event table: the form of a trace and every kind of event
// with its fields, units and meaning.
//
// Called by: `klab schema events`, a test that the committed page is current.
#pragma once

#include <string>

namespace klab::cli {

[[nodiscard]] std::string trace_format_markdown();

}  // namespace klab::cli
