// SPDX-License-Identifier: Apache-2.0
//
// klab disk export: the disk of a node at some instant of a run, as real directories.
// klab disk dump: what stands in the files of a Kafka data directory, klab's or any other.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/dump_files.h"
#include "scenarios/cli/file_writing.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/run/did_you_mean.h"
#include "scenarios/run/json_tree.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

namespace fs = std::filesystem;

ExitCode wrong_use(const std::string& problem, Terminal& terminal) {
    terminal.message(fmt::format("klab: {}\n", problem));
    return ExitCode::kWrongUse;
}

// --- export

/// A preallocated file is mostly zeros at its end: they need not be written.
FileProblem write_sparse(const std::string& target, const Bytes& bytes) {
    const auto last =
        std::find_if(bytes.rbegin(), bytes.rend(), [](std::uint8_t b) { return b != 0; });
    const auto used = static_cast<std::size_t>(bytes.rend() - last);
    if (FileProblem problem = write_file(target, storage::text_of(ByteView(bytes).first(used)))) {
        return problem;
    }
    std::error_code error;
    fs::resize_file(target, bytes.size(), error);
    return error ? FileProblem(fmt::format("{}: {}", target, error.message())) : FileProblem();
}

/// The files as the node's processes see them, synced or not. Ends early when interrupted.
FileProblem write_disk(const sim::Disk& disk, const std::string& folder) {
    FileProblem problem = make_folder(folder);
    for (const auto& [path, file] : disk.files()) {
        if (problem || interrupted()) {
            break;
        }
        const std::string target = folder + path;
        problem = make_folder(fs::path(target).parent_path().string());
        const auto size = disk.size(file);
        const auto bytes = size ? disk.read(file, 0, *size) : sim::DiskResult<Bytes>(Bytes());
        if (!problem && bytes) {
            problem = write_sparse(target, *bytes);
        }
    }
    return problem;
}

/// A folder that appears whole under its name, or not at all: its files are written beside it.
class FolderInTheMaking {
  public:
    explicit FolderInTheMaking(const std::string& path)
        : target_(fs::absolute(path).lexically_normal()) {
        if (!target_.has_filename()) {
            target_ = target_.parent_path();  // it was written with a slash at its end
        }
        temporary_ = fmt::format("{}.part-{}", target_.string(), getpid());
        std::error_code ignored;
        for (fs::path folder = target_.parent_path();
             !folder.empty() && !fs::exists(folder, ignored) && folder != folder.root_path();
             folder = folder.parent_path()) {
            new_parents_.push_back(folder);
        }
    }

    FolderInTheMaking(const FolderInTheMaking&) = delete;
    FolderInTheMaking& operator=(const FolderInTheMaking&) = delete;

    /// Nothing is left of it, unless it was put in its place.
    ~FolderInTheMaking() {
        if (is_done_) {
            return;
        }
        std::error_code ignored;
        fs::remove_all(temporary_, ignored);
        for (const fs::path& folder : new_parents_) {
            fs::remove(folder, ignored);
        }
    }

    /// Where to write meanwhile.
    [[nodiscard]] const std::string& path() const { return temporary_; }

    /// Requires: the target does not exist, or is an empty folder.
    [[nodiscard]] FileProblem put_in_place() {
        std::error_code error;
        fs::rename(temporary_, target_, error);
        is_done_ = !error;
        return error ? FileProblem(fmt::format(
                           "cannot make the folder {}: {}", target_.string(), error.message()))
                     : FileProblem();
    }

  private:
    fs::path target_;
    std::string temporary_;
    std::vector<fs::path> new_parents_;  // innermost first
    bool is_done_ = false;
};

std::vector<std::string> nodes_with_disks(const world::KafkaWorld& world) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < world.kernel().node_count(); ++i) {
        if (!world.kernel().slot(sim::NodeId(i)).disk.files().empty()) {
            names.push_back(world.kernel().name(sim::NodeId(i)));
        }
    }
    return names;
}

ExitCode export_loaded(const DiskArguments& arguments,
                       const scenario::LoadedScenario& loaded,
                       Terminal& terminal) {
    PlayOptions options;
    options.name = arguments.path;
    options.variant = arguments.scenario.variant.value_or("");
    options.keep_recording = false;
    if (arguments.at) {
        options.until = parse_time_option("--at", *arguments.at, terminal);
        if (!options.until) {
            return ExitCode::kWrongUse;
        }
    }
    FileProblem problem;
    std::size_t files = 0;
    Duration at;
    FolderInTheMaking folder(*arguments.out);
    options.at_end = [&](const world::KafkaWorld& world, Duration time, bool reached_until) {
        at = time;
        if (arguments.at && !reached_until) {
            problem = fmt::format("the run ended at {}, before {}", to_text(time), *arguments.at);
            return;
        }
        const std::optional<sim::NodeId> node = world.kernel().find_node(*arguments.node);
        if (!node) {
            const std::vector<std::string> names = nodes_with_disks(world);
            const auto nearest = scenario::nearest_word(*arguments.node, names);
            problem = fmt::format("there is no node \"{}\"{}; nodes with a disk: {}",
                                  viz::to_printable(*arguments.node),
                                  nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : "",
                                  fmt::join(names, ", "));
            return;
        }
        const sim::Disk& disk = world.kernel().slot(*node).disk;
        files = disk.files().size();
        problem = files == 0 ? FileProblem(fmt::format("{} has no files", *arguments.node))
                             : write_disk(disk, folder.path());
    };
    const RecordedRun run =
        play(std::make_shared<const scenario::Scenario>(*loaded.scenario), options);
    if (run.interrupted || interrupted()) {
        terminal.message("klab: interrupted, nothing is written\n");
        return ExitCode::kInterrupted;
    }
    if (!problem) {
        problem = folder.put_in_place();
    }
    if (problem) {
        return wrong_use(*problem, terminal);
    }
    if (arguments.json) {
        terminal.data(fmt::format(
            "{{\"klab_disk_export\":1,\"folder\":{},\"node\":{},\"files\":{},\"time_ns\":{}}}\n",
            scenario::quote_json(*arguments.out),
            scenario::quote_json(*arguments.node),
            files,
            at.ns));
        return ExitCode::kOk;
    }
    terminal.message(fmt::format("written: {} ({} of {} at {})\n",
                                 *arguments.out,
                                 counted(static_cast<std::int64_t>(files), "file", "files"),
                                 *arguments.node,
                                 to_text(at)));
    return ExitCode::kOk;
}

ExitCode export_disk(const DiskArguments& arguments, Terminal& terminal) {
    if (!arguments.node || !arguments.out) {
        return wrong_use("disk export needs --node NODE and -o DIR", terminal);
    }
    std::error_code ignored;
    if (fs::exists(*arguments.out, ignored) && !fs::is_directory(*arguments.out, ignored)) {
        return wrong_use(fmt::format("{} exists and is no folder: -o takes one to make",
                                     viz::to_printable(*arguments.out)),
                         terminal);
    }
    if (fs::exists(*arguments.out, ignored) && !fs::is_empty(*arguments.out, ignored)) {
        return wrong_use(fmt::format("{} exists and is not empty: files of two instants would mix",
                                     *arguments.out),
                         terminal);
    }
    const Chosen chosen{arguments.path, arguments.scenario.variant.value_or("")};
    const scenario::LoadedScenario loaded = load(chosen, arguments.scenario);
    if (!report_problems(loaded, true, terminal)) {
        return ExitCode::kWrongUse;
    }
    return with_bug_report(rerun_arguments(chosen.path, chosen.variant, arguments.scenario),
                           terminal,
                           [&] { return export_loaded(arguments, loaded, terminal); });
}

// --- dump

/// What a dump has no use for; "" if there is nothing of that.
std::string option_of_export(const DiskArguments& arguments) {
    const ScenarioOptions& scenario = arguments.scenario;
    const std::pair<bool, std::string_view> given[] = {{arguments.node.has_value(), "--node"},
                                                       {arguments.at.has_value(), "--at"},
                                                       {arguments.out.has_value(), "-o"},
                                                       {scenario.seed.has_value(), "--seed"},
                                                       {!scenario.sets.empty(), "--set"},
                                                       {scenario.choices.has_value(), "--choices"},
                                                       {scenario.variant.has_value(), "--variant"}};
    for (const auto& [is_given, name] : given) {
        if (is_given) {
            return std::string(name);
        }
    }
    return {};
}

struct DumpTally {
    std::int64_t files = 0;
    std::int64_t skipped = 0;
    std::int64_t damages = 0;
};

/// Everything below a path, or the file. False when interrupted.
bool dump_all(const std::string& path,
              const DumpOptions& options,
              DumpTally& tally,
              const DumpSink& sink) {
    for (const FoundFile& file : files_below(path)) {
        if (interrupted()) {
            return false;
        }
        std::string shown = fs::path(file.path).lexically_relative(path).string();
        if (shown.empty() || shown == ".") {
            shown = file.skipped.empty() ? fs::path(file.path).filename().string() : file.path;
        }
        const bool is_read = file.skipped.empty();
        (is_read ? tally.files : tally.skipped) += 1;
        if (!(is_read ? dump_file(file.path, shown, options, sink)
                      : dump_skipped(file, shown, sink))) {
            return false;
        }
    }
    return !interrupted();
}

ExitCode dump_disk(const DiskArguments& arguments, Terminal& terminal) {
    if (const std::string option = option_of_export(arguments); !option.empty()) {
        return wrong_use(fmt::format("disk dump reads a directory and takes no {}", option),
                         terminal);
    }
    std::error_code error;
    if (!fs::exists(arguments.path, error)) {
        return wrong_use(fmt::format("{}: {}",
                                     viz::to_printable(arguments.path),
                                     error ? error.message() : "no such file or directory"),
                         terminal);
    }
    if (!fs::is_directory(arguments.path, error) && !fs::is_regular_file(arguments.path, error)) {
        return wrong_use(
            fmt::format("{} is neither a file nor a directory", viz::to_printable(arguments.path)),
            terminal);  // reading a pipe would wait for ever
    }
    DumpOptions options;
    options.json = arguments.json;
    options.records = arguments.json || arguments.volume >= Volume::kVerbose;
    DumpTally tally;
    const DumpSink sink = [&](const DumpItem& item) {
        tally.damages += item.is_damage ? 1 : 0;
        if (arguments.json) {
            terminal.data(item.json);
        } else {
            terminal.answer(item.text);
        }
        return !interrupted() && !terminal.failed();
    };
    if (!dump_all(arguments.path, options, tally, sink)) {
        return interrupted() ? ExitCode::kInterrupted : ExitCode::kWrongUse;
    }
    if (!arguments.json) {
        terminal.answer(
            fmt::format("{}, {}{}\n",
                        counted(tally.files, "file", "files"),
                        counted(tally.damages, "damaged place", "damaged places"),
                        tally.skipped == 0 ? "" : fmt::format(", {} skipped", tally.skipped)));
    }
    return tally.damages > 0 ? ExitCode::kFailed : ExitCode::kOk;
}

}  // namespace

ExitCode disk_command(const DiskArguments& arguments, Terminal& terminal) {
    if (arguments.action == "export") {
        return export_disk(arguments, terminal);
    }
    if (arguments.action == "dump") {
        return dump_disk(arguments, terminal);
    }
    const auto nearest = scenario::nearest_word(arguments.action, {"export", "dump"});
    return wrong_use(fmt::format("disk {}: there are export and dump{}",
                                 viz::to_printable(arguments.action),
                                 nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""),
                     terminal);
}

}  // namespace klab::cli
