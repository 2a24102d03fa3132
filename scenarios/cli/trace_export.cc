// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/trace_export.h"

#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace klab::cli {

namespace {

using scenario::quote_json;

constexpr std::size_t kPieceBytes = 1U << 16U;

std::string nodes_json(const viz::PictureInput& trace) {
    std::string out;
    for (const viz::PictureNode& node : trace.nodes) {
        out += out.empty() ? "" : ",";
        out += fmt::format(FMT_COMPILE("{{\"name\":{},\"kind\":\"{}\",\"broker_id\":{}}}"),
                           quote_json(node.name),
                           node.kind == viz::PictureNodeKind::kBroker       ? "broker"
                           : node.kind == viz::PictureNodeKind::kController ? "controller"
                                                                            : "client",
                           node.broker_id ? fmt::format("{}", *node.broker_id) : "null");
    }
    return out;
}

std::string list_json(const std::vector<std::int32_t>& values) {
    return fmt::format(FMT_COMPILE("[{}]"), fmt::join(values, ","));
}

}  // namespace

std::string one_line(const std::string& json) {
    std::string out;
    bool at_line_begin = false;
    for (const char c : json) {
        if (c == '\n') {
            at_line_begin = true;
        } else if (!at_line_begin || c != ' ') {
            at_line_begin = false;
            out += c;
        }
    }
    return out;
}

std::string trace_head(const RecordedRun& run, const scenario::Json& scenario_file) {
    return fmt::format(
        FMT_COMPILE("{{\"klab_trace\":1,\"title\":{},\"variant\":{},\"seed\":{},\"kafka\":{},"
                    "\"origin_ns\":{},\"end_ns\":{},\"verdict\":\"{}\",\"trace_hash\":\"{}\","
                    "\"nodes\":[{}],\"scenario_file\":{}}}\n"),
        quote_json(run.result.title),
        quote_json(run.result.variant),
        run.result.seed,
        quote_json(run.trace.kafka_version),
        run.trace.origin.ns,
        (run.trace.end - run.trace.origin).ns,
        scenario::name_of(run.result.verdict),
        run.result.trace_hash,
        nodes_json(run.trace),
        one_line(scenario::to_json_text(scenario_file)));
}

std::string json_field(const EventText& events, const sim::Event& event, std::size_t index) {
    const sim::FieldDef& def = events.row(event).fields[index];
    const std::int64_t value = event.fields[index];
    const sim::Interner& interner = events.run().interner;
    switch (def.type) {
        case sim::FieldType::kInteger:
        case sim::FieldType::kBytes:
        case sim::FieldType::kDuration:
            return fmt::format(FMT_COMPILE("{}"), value);
        case sim::FieldType::kBoolean:
            return value == 0 ? "false" : "true";
        case sim::FieldType::kNode:
            return value < 0 ? "null" : quote_json(events.field(event, index));
        case sim::FieldType::kText:
            return value == sim::kAbsent ? "null" : quote_json(interner.text_of(value));
        case sim::FieldType::kList:
            return list_json(interner.list_of(value));
        case sim::FieldType::kNameIndex:
            return value == sim::kAbsent ? "null" : quote_json(events.name_index(value));
        case sim::FieldType::kSymbol:
            return quote_json(def.symbol_name(value));
    }
    return "null";
}

std::string trace_line(const EventText& events, const sim::Event& event) {
    const sim::EventDef& row = events.row(event);
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(
        to,
        FMT_COMPILE("{{\"id\":{},\"time_ns\":{},\"node\":{},\"kind\":\"{}\",\"fields\":{{"),
        event.id.value(),
        events.time(event).ns,
        event.node ? quote_json(events.node(event.node)) : "null",
        row.name);
    for (std::size_t i = 0; i < event.field_count; ++i) {
        fmt::format_to(to,
                       FMT_COMPILE("{}\"{}\":{}"),
                       i == 0 ? "" : ",",
                       row.fields[i].name,
                       json_field(events, event, i));
    }
    fmt::format_to(to, FMT_COMPILE("}},\"causes\":["));
    bool first = true;
    for (const sim::EventId cause : event.causes_used()) {
        fmt::format_to(to, FMT_COMPILE("{}{}"), first ? "" : ",", cause.value());
        first = false;
    }
    fmt::format_to(to, FMT_COMPILE("]}}\n"));
    return fmt::to_string(out);
}

bool write_trace(const RecordedRun& run, const scenario::Json& scenario_file, const Sink& sink) {
    const EventText events(run.trace);
    std::string piece = trace_head(run, scenario_file);
    bool taken = true;
    run.trace.recording.for_each([&](const sim::Event& event) {
        piece += trace_line(events, event);
        if (taken && piece.size() >= kPieceBytes) {
            taken = sink(piece);
            piece.clear();
        }
    });
    return taken && sink(piece);
}

}  // namespace klab::cli
