// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/trace_docs.h"

#include <string_view>

#include <fmt/format.h>

#include "scenarios/cli/engine_tables.h"

namespace klab::cli {

namespace {

constexpr std::string_view kIntroduction = R"(# The trace format

<!-- Generated from the event table by `klab schema events`. A test holds it current. -->

`klab export FILE --to jsonl` (and `klab run FILE --out DIR`, as `trace.jsonl`) writes a run as JSON
lines: one line about the run, then one line for each event, in the order in which they happened.
Everything klab shows comes from these events: triggers, expectations, stories, pictures.

The first line:

| Field | Meaning |
|---|---|
| `klab_trace` | version of this format: 1. Fields are only added |
| `title`, `variant`, `seed`, `kafka` | of the scenario; `variant` is empty for the file itself |
| `origin_ns` | true virtual time of the scenario's time 0 (the cluster has come up before) |
| `end_ns` | end of the run, counted from time 0 |
| `verdict`, `trace_hash` | as in the result of `klab run --format json` |
| `nodes` | `name`, `kind` (broker, controller, client) and `broker_id` of every node |
| `scenario_file` | the scenario as it ran. klab takes a trace wherever it takes a FILE, and runs it again |

Every other line:

| Field | Meaning |
|---|---|
| `id` | number of the event in its run, from 1 |
| `time_ns` | virtual time in nanoseconds since the scenario's time 0; negative before it |
| `node` | where it happened; `null` for links and for klab itself |
| `kind` | a past-tense fact from the tables below |
| `fields` | as the tables below say |
| `causes` | ids of the events that caused it, at most four |

What the type of a field means for its value:

| Type | In JSON |
|---|---|
| integer, bytes | a number; -1 where the table says so |
| boolean | `true` or `false` |
| duration | nanoseconds; -1 where the table says so |
| node | the name of a node, `null` for none |
| text | text, `null` when absent |
| list | a list of broker ids |
| partition | `"topic-number"`, `null` when there is none |
| name | a word for a number: Kafka's name of an error or a request |

Levels: *transition* events change a state and are worth telling; *message* events are traffic and
timers. Both are part of the trace hash and can be triggers (`"when": { "event": "isr.shrunk" }`).
)";

std::string_view type_word(sim::FieldType type) {
    switch (type) {
        case sim::FieldType::kInteger:
            return "integer";
        case sim::FieldType::kBoolean:
            return "boolean";
        case sim::FieldType::kNode:
            return "node";
        case sim::FieldType::kText:
            return "text";
        case sim::FieldType::kList:
            return "list";
        case sim::FieldType::kNameIndex:
            return "partition";
        case sim::FieldType::kDuration:
            return "duration";
        case sim::FieldType::kBytes:
            return "bytes";
        case sim::FieldType::kSymbol:
            return "name";
    }
    return "";
}

std::string_view level_word(sim::EventLevel level) {
    switch (level) {
        case sim::EventLevel::kTransition:
            return "transition";
        case sim::EventLevel::kMessage:
            return "message";
        case sim::EventLevel::kDetail:
            return "detail";
    }
    return "";
}

std::string event_section(const sim::EventDef& row) {
    std::string out = fmt::format("\n### {}\n\n{} *({})* Told as: \"{}\".\n",
                                  row.name,
                                  row.meaning,
                                  level_word(row.level),
                                  row.narration);
    if (row.fields.empty()) {
        return out;
    }
    out += "\n| Field | Type | Meaning |\n|---|---|---|\n";
    for (const sim::FieldDef& field : row.fields) {
        out +=
            fmt::format("| `{}` | {} | {} |\n", field.name, type_word(field.type), field.meaning);
    }
    return out;
}

}  // namespace

std::string trace_format_markdown() {
    std::string out(kIntroduction);
    const sim::EventTable& table = joined_events();
    out += "\n## Events of the world\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (i == sim::kFirstModelEventKind) {
            out += "\n## Events of Kafka\n";
        }
        if (*table.rows[i].name != '\0') {
            out += event_section(table.rows[i]);
        }
    }
    return out;
}

}  // namespace klab::cli
