// SPDX-License-Identifier: Apache-2.0
//
// klab disk export: the disk of a node at some instant of a run, as real directories.
// klab disk dump: what stands in the files of a Kafka data directory, klab's or any other.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/dump_files.h"
#include "scenarios/cli/file_writing.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/run/did_you_mean.h"
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

/// The files as the node's processes see them, synced or not.
FileProblem write_disk(const sim::Disk& disk, const std::string& folder) {
    FileProblem problem = make_folder(folder);
    for (const auto& [path, file] : disk.files()) {
        if (problem) {
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
                             : write_disk(disk, *arguments.out);
    };
    const RecordedRun run =
        play(std::make_shared<const scenario::Scenario>(*loaded.scenario), options);
    if (problem) {
        return wrong_use(*problem, terminal);
    }
    terminal.message(fmt::format("written: {} ({} files of {} at {})\n",
                                 *arguments.out,
                                 files,
                                 *arguments.node,
                                 to_text(at)));
    return run.interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
}

ExitCode export_disk(const DiskArguments& arguments, Terminal& terminal) {
    if (!arguments.node || !arguments.out) {
        return wrong_use("disk export needs --node NODE and -o DIR", terminal);
    }
    std::error_code ignored;
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

ExitCode dump_disk(const DiskArguments& arguments, Terminal& terminal) {
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
    std::string problem;
    const std::vector<std::string> files = files_below(arguments.path, problem);
    DumpOptions options;
    options.records = arguments.json || arguments.volume >= Volume::kVerbose;
    std::uint64_t damages = 0;
    const DumpSink sink = [&](const DumpItem& item) {
        damages += item.is_damage ? 1U : 0U;
        if (arguments.json) {
            terminal.data(item.json);
        } else {
            terminal.answer(item.text);
        }
        return !interrupted();
    };
    for (const std::string& file : files) {
        const std::string shown = fs::path(file).lexically_relative(arguments.path).string();
        const bool is_the_file = shown.empty() || shown == ".";
        if (!dump_file(
                file, is_the_file ? fs::path(file).filename().string() : shown, options, sink)) {
            return ExitCode::kInterrupted;
        }
    }
    if (!problem.empty()) {
        return wrong_use(fmt::format("{}: {}", viz::to_printable(arguments.path), problem),
                         terminal);
    }
    if (!arguments.json) {
        terminal.answer(fmt::format("{} files, {} damaged places\n", files.size(), damages));
    }
    return damages > 0 ? ExitCode::kFailed : ExitCode::kOk;
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
