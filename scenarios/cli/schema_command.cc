// SPDX-License-Identifier: Apache-2.0
//
// klab schema and klab version: the formats that klab reads and writes, and what klab this is.
#include <fmt/format.h>

#include "model/types/versions.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/result_schemas.h"
#include "scenarios/cli/trace_docs.h"
#include "scenarios/run/did_you_mean.h"
#include "scenarios/run/format_schema.h"

namespace klab::cli {

ExitCode schema_command(const std::string& what, Terminal& terminal) {
    if (what == "scenario") {
        terminal.data(scenario::format_schema_json());
    } else if (what == "results") {
        terminal.data(result_schemas_json());
    } else if (what == "fields") {
        terminal.data(scenario::format_docs_markdown());
    } else if (what == "events") {
        terminal.data(trace_format_markdown());
    } else {
        const std::optional<std::string> nearest =
            scenario::nearest_word(what, {"scenario", "results", "fields", "events"});
        terminal.message(
            fmt::format("klab: there is no schema \"{}\"{}. There are: scenario, results, fields, "
                        "events\n",
                        what,
                        nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : ""));
        return ExitCode::kWrongUse;
    }
    return ExitCode::kOk;
}

ExitCode version_command(bool json, Terminal& terminal) {
    std::string versions;
    for (const types::VersionInfo& version : types::all_versions()) {
        const std::string_view comma = versions.empty() ? "" : (json ? "," : ", ");
        versions += json ? fmt::format("{}\"{}\"", comma, version.name)
                         : fmt::format("{}{}", comma, version.name);
    }
    if (json) {
        terminal.data(fmt::format(
            "{{\"klab_version\":1,\"klab\":\"{}\",\"scenario_format\":1,\"kafka\":[{}]}}\n",
            KLAB_VERSION,
            versions));
    } else {
        terminal.answer(fmt::format(
            "klab {} (scenario format 1; rules of Kafka {})\n", KLAB_VERSION, versions));
    }
    return ExitCode::kOk;
}

}  // namespace klab::cli
