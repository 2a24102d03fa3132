// SPDX-License-Identifier: Apache-2.0
//
// klab export: the trace of a run as JSON lines or as tables.
#include <memory>

#include <fmt/format.h>

#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/file_writing.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/cli/trace_export.h"
#include "scenarios/cli/trace_tables.h"

namespace klab::cli {

namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

FileProblem export_jsonl(const ExportArguments& arguments,
                         const RecordedRun& run,
                         const scenario::Json& file,
                         Terminal& terminal) {
    if (arguments.out) {
        return write_file(*arguments.out, [&](const Sink& sink) {
            return write_trace(run, file, [&](std::string_view piece) {
                return !interrupted() && sink(piece);  // no half file
            });
        });
    }
    write_trace(run, file, [&](std::string_view piece) {
        terminal.data(piece);
        return !interrupted() && !terminal.failed();
    });
    return std::nullopt;
}

/// To stdout or into a .csv file: the events. Into a folder: all tables.
FileProblem export_csv(const ExportArguments& arguments,
                       const RecordedRun& run,
                       Terminal& terminal) {
    const EventText events(run.trace);
    if (!arguments.out) {
        terminal.data(events_table(events));
        return std::nullopt;
    }
    if (ends_with(*arguments.out, ".csv")) {
        return write_file(*arguments.out, events_table(events));
    }
    FileProblem problem = make_folder(*arguments.out);
    for (const TraceTable& table : trace_tables(events)) {
        if (!problem && !interrupted()) {
            problem = write_file(*arguments.out + "/" + table.name + ".csv", table.csv);
        }
    }
    return problem;
}

ExitCode export_loaded(const ExportArguments& arguments,
                       const scenario::LoadedScenario& loaded,
                       Terminal& terminal) {
    const auto options = play_options(arguments.path, arguments.scenario, terminal);
    if (!options) {
        return ExitCode::kWrongUse;
    }
    const RecordedRun run =
        play(std::make_shared<const scenario::Scenario>(*loaded.scenario), *options);
    if (run.interrupted) {
        terminal.message("klab: interrupted, nothing is written\n");
        return ExitCode::kInterrupted;
    }
    const FileProblem problem = arguments.to == "csv"
                                    ? export_csv(arguments, run, terminal)
                                    : export_jsonl(arguments, run, loaded.json, terminal);
    if (interrupted()) {
        return ExitCode::kInterrupted;
    }
    if (problem) {
        terminal.message(fmt::format("klab: {}\n", *problem));
        return ExitCode::kWrongUse;
    }
    if (arguments.out) {
        terminal.message(fmt::format("written: {}\n", *arguments.out));
    }
    return ExitCode::kOk;
}

}  // namespace

ExitCode export_command(const ExportArguments& arguments, Terminal& terminal) {
    const Chosen chosen{arguments.path, arguments.scenario.variant.value_or("")};
    const scenario::LoadedScenario loaded = load(chosen, arguments.scenario);
    if (!report_problems(loaded, true, terminal)) {
        return ExitCode::kWrongUse;
    }
    return with_bug_report(rerun_arguments(chosen.path, chosen.variant, arguments.scenario),
                           terminal,
                           [&] { return export_loaded(arguments, loaded, terminal); });
}

}  // namespace klab::cli
