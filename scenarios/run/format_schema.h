// SPDX-License-Identifier: Apache-2.0
//
// The JSON Schema (draft 2020-12) of format 1, generated from the format table, for editors and for
// anyone who writes scenario files by program. scenarios/schema/klab-scenario-1.schema.json is this
// text, committed; a test holds it current.
//
// Called by: `klab schema`, tests.
#pragma once

#include <string>

namespace klab::scenario {

/// The whole schema as JSON with a final line end.
[[nodiscard]] std::string format_schema_json();

/// The fields of every object of the format as Markdown tables, for the docs.
[[nodiscard]] std::string format_docs_markdown();

}  // namespace klab::scenario
