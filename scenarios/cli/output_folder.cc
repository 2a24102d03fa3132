// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/output_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "scenarios/cli/run_report.h"
#include "scenarios/cli/story.h"
#include "scenarios/cli/trace_export.h"
#include "scenarios/cli/trace_tables.h"
#include "viz/draw.h"

namespace klab::cli {

namespace {

FileProblem write_pictures(const std::string& folder, const viz::PictureInput& trace) {
    if (FileProblem problem = make_folder(folder)) {
        return problem;
    }
    for (const std::string_view word : viz::picture_kind_words()) {
        const viz::PictureKind kind = *viz::parse_picture_kind(word);
        for (const viz::PictureFormat format :
             {viz::PictureFormat::kDot, viz::PictureFormat::kSvg}) {
            viz::DrawOptions options;
            options.format = format;
            const Result<std::string, viz::DrawError> picture = viz::draw(kind, trace, options);
            if (!picture.ok()) {
                continue;
            }
            const std::string path = folder + "/" + std::string(word) + "." +
                                     std::string(viz::picture_format_word(format));
            if (FileProblem problem = write_file(path, *picture)) {
                return problem;
            }
        }
    }
    return std::nullopt;
}

FileProblem write_tables(const std::string& folder, const EventText& events) {
    if (FileProblem problem = make_folder(folder)) {
        return problem;
    }
    for (const TraceTable& table : trace_tables(events)) {
        if (FileProblem problem = write_file(folder + "/" + table.name + ".csv", table.csv)) {
            return problem;
        }
    }
    return std::nullopt;
}

/// The whole report with its story, without colours.
std::string report_file(const RecordedRun& run, const scenario::Scenario& scenario) {
    Terminal plain;
    plain.set_colour(ColourMode::kNever);
    const EventText events(run.trace);
    return report_head(run, scenario, plain) + "\nWhat happened\n" +
           story_text(tell_story(events, StoryDetail::kFolded), plain) +
           report_body(run.result, plain) + "\n" + verdict_line(run.result, plain);
}

}  // namespace

FileProblem write_scenario(const std::string& folder, const scenario::Json& file) {
    if (FileProblem problem = make_folder(folder)) {
        return problem;
    }
    return write_file(folder + "/scenario.json", scenario::to_json_text(file));
}

FileProblem write_run(const std::string& folder,
                      const RecordedRun& run,
                      const scenario::Scenario& scenario,
                      const scenario::Json& file) {
    if (FileProblem problem = write_file(folder + "/result.json", scenario::to_json(run.result))) {
        return problem;
    }
    if (FileProblem problem = write_file(folder + "/report.txt", report_file(run, scenario))) {
        return problem;
    }
    FileProblem problem = write_file(
        folder + "/trace.jsonl", [&](const Sink& sink) { return write_trace(run, file, sink); });
    if (!problem) {
        problem = write_tables(folder + "/tables", EventText(run.trace));
    }
    return problem ? problem : write_pictures(folder + "/pictures", run.trace);
}

std::vector<std::string> pictures_in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code error;
    for (std::filesystem::directory_iterator walk(folder + "/pictures", error), end;
         !error && walk != end;
         walk.increment(error)) {
        out.push_back(walk->path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace klab::cli
