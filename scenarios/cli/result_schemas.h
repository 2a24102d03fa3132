// SPDX-License-Identifier: Apache-2.0
//
// JSON Schemas (draft 2020-12) of what commands print with --format json: one document with one
// definition for each command.
//
// Called by: `klab schema results`, tests.
#pragma once

#include <string>

namespace klab::cli {

[[nodiscard]] std::string result_schemas_json();

}  // namespace klab::cli
