// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/command_line.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "scenarios/cli/commands.h"
#include "scenarios/cli/help_text.h"
#include "scenarios/run/did_you_mean.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

/// Where the parser puts what it reads.
struct Arguments {
    std::string colour = "auto";
    bool ascii = false;
    bool quiet = false;
    std::int32_t verbose = 0;
    std::string format = "text";
    RunArguments run;
    DemoArguments demo;
    SweepArguments sweep;
    CheckArguments check;
    ListArguments list;
    DrawArguments draw;
    ExportArguments to_export;
    DiskArguments disk;
    ExplainArguments explain;
    std::string schema = "scenario";
};

/// Says what is wrong with a seed; empty if nothing. A file holds seeds up to 2^63 - 1.
std::string refuse_seed(const std::string& text) {
    std::int64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seed);
    return error == std::errc() && stop == end && seed >= 0
               ? std::string()
               : fmt::format("a seed is a number from 0 to 9223372036854775807, not \"{}\"",
                             viz::to_printable(text));
}

/// Options that change the scenario before it runs.
void add_scenario_options(CLI::App& command, ScenarioOptions& options, bool with_seed) {
    command.add_option("--variant", options.variant, "play this variant of the file")
        ->type_name("NAME");
    if (with_seed) {
        command.add_option("--seed", options.seed, "another seed than the file's")
            ->type_name("N")
            ->check(refuse_seed);
    }
    command.add_option("--set", options.sets, "change the file: /clients/p1/config/acks=all")
        ->type_name("POINTER=VALUE")
        ->allow_extra_args(false);
    command.add_option("--choices", options.choices, "fix single decisions of the run")
        ->type_name("FILE");
    if (with_seed) {
        command.add_option("--until", options.until, "stop at this virtual time: 9.5s")
            ->type_name("WHEN");
    }
}

void add_format(CLI::App& command, Arguments& arguments) {
    command.add_option("--format", arguments.format, "text or json")
        ->type_name("text|json")
        ->check(CLI::IsMember({"text", "json"}));
}

CLI::App* add_command(CLI::App& app, std::string_view name) {
    const CommandHelp* help = find_command(name);
    CLI::App* command = app.add_subcommand(std::string(name), std::string(help->summary));
    command->set_help_flag("-h,--help", "show this");
    return command;
}

void add_run(CLI::App& app, Arguments& arguments) {
    CLI::App* run = add_command(app, "run");
    run->add_option("FILE", arguments.run.paths)->required();
    add_scenario_options(*run, arguments.run.scenario, true);
    run->add_flag(
        "--all-variants", arguments.run.all_variants, "the file and each of its variants");
    run->add_option_function<std::string>(
           "--check",
           [&](const std::string& word) { arguments.run.full_check = word == "full"; },
           "full: rescan every invariant at every step")
        ->type_name("full")
        ->check(CLI::IsMember({"full", "normal"}));
    run->add_option("--out", arguments.run.out, "leave everything about the run in this folder")
        ->type_name("DIR");
    add_format(*run, arguments);
    CLI::App* demo = add_command(app, "demo");
    demo->add_option("--out", arguments.demo.out, "folder for the files (default klab-demo)")
        ->type_name("DIR");
}

void add_sweep(CLI::App& app, Arguments& arguments) {
    CLI::App* sweep = add_command(app, "sweep");
    sweep->add_option("FILE", arguments.sweep.paths)->required();
    sweep->add_option("--seeds", arguments.sweep.seeds, "first and last seed: 1..1000")
        ->type_name("A..B")
        ->required();
    sweep->add_option("-j", arguments.sweep.threads, "runs at a time (default: one for each core)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sweep->add_flag(
        "--all-variants", arguments.sweep.all_variants, "the file and each of its variants");
    add_scenario_options(*sweep, arguments.sweep.scenario, false);
    add_format(*sweep, arguments);
}

void add_draw(CLI::App& app, Arguments& arguments) {
    CLI::App* draw = add_command(app, "draw");
    draw->add_option("KIND", arguments.draw.kind)->required();
    draw->add_option("FILE", arguments.draw.path)->required();
    draw->add_option("--format", arguments.draw.format, "default: text, or what OUT ends with")
        ->type_name("dot|svg|text");
    draw->add_option("-o,--output", arguments.draw.out, "write to this file")->type_name("OUT");
    draw->add_option("--at", arguments.draw.at, "the instant: a time (9.5s) or an event (#1234)")
        ->type_name("T|EVENT");
    draw->add_option("--from", arguments.draw.from, "sequence: begin here")->type_name("T");
    draw->add_option("--to", arguments.draw.to, "sequence: end here")->type_name("T");
    draw->add_option("--partition", arguments.draw.partition, "which one: t-0")->type_name("NAME");
    draw->add_option("--around", arguments.draw.around, "log: where to look in a long one")
        ->type_name("hw|divergence")
        ->check(CLI::IsMember({"hw", "divergence"}));
    draw->add_option("--axis", arguments.draw.axis, "how time becomes length")
        ->type_name("compressed|linear|event")
        ->check(CLI::IsMember({"compressed", "linear", "event"}));
    draw->add_option("--node", arguments.draw.node, "segments: the broker, default the leader")
        ->type_name("NAME");
    draw->add_option("--offset", arguments.draw.offset, "segments: look for it, default the last")
        ->type_name("N");
    draw->add_flag("--all", arguments.draw.show_all, "sequence: heartbeats and metadata too");
    add_scenario_options(*draw, arguments.draw.scenario, true);
}

void add_others(CLI::App& app, Arguments& arguments) {
    CLI::App* check = add_command(app, "check");
    check->add_option("FILE", arguments.check.paths)->required();
    add_format(*check, arguments);
    CLI::App* list = add_command(app, "list");
    list->add_option("DIR", arguments.list.paths);
    add_format(*list, arguments);
    CLI::App* to_export = add_command(app, "export");
    to_export->add_option("FILE", arguments.to_export.path)->required();
    to_export
        ->add_option("--to", arguments.to_export.to, "jsonl, or csv (into a folder: all tables)")
        ->type_name("jsonl|csv")
        ->check(CLI::IsMember({"jsonl", "csv"}));
    to_export->add_option("-o,--output", arguments.to_export.out, "write there (default: stdout)")
        ->type_name("OUT");
    add_scenario_options(*to_export, arguments.to_export.scenario, true);
    CLI::App* disk = add_command(app, "disk");
    disk->add_option("ACTION", arguments.disk.action)->required();
    disk->add_option("PATH", arguments.disk.path)->required();
    disk->add_option("--node", arguments.disk.node, "export: whose disk: b1")->type_name("NODE");
    disk->add_option("--at", arguments.disk.at, "export: when (default: at the end)")
        ->type_name("T");
    disk->add_option("-o,--output", arguments.disk.out, "export: into this folder")
        ->type_name("DIR");
    add_scenario_options(*disk, arguments.disk.scenario, false);
    disk->add_option("--seed", arguments.disk.scenario.seed, "another seed than the file's")
        ->type_name("N")
        ->check(refuse_seed);
    add_format(*disk, arguments);
    CLI::App* explain = add_command(app, "explain");
    explain->add_option("WORD", arguments.explain.words)->required();
    add_format(*explain, arguments);
    CLI::App* schema = add_command(app, "schema");
    schema->add_option("WHAT", arguments.schema);
    CLI::App* version = add_command(app, "version");
    add_format(*version, arguments);
}

void build(CLI::App& app, Arguments& arguments) {
    app.set_help_flag("-h,--help", "all commands");
    app.formatter(help_layout());
    app.fallthrough();
    app.require_subcommand(0, 1);
    app.add_option("--color", arguments.colour, "auto, always or never")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    app.add_flag("--ascii", arguments.ascii, "no signs outside ASCII");
    app.add_flag("-q,--quiet", arguments.quiet, "say less");
    app.add_flag("-v,--verbose", arguments.verbose, "say more; twice: everything");
    add_run(app, arguments);
    add_sweep(app, arguments);
    add_draw(app, arguments);
    add_others(app, arguments);
}

/// Names of the options of a command and of those that hold everywhere, with their dashes.
std::vector<std::string> option_names(const CLI::App& app, const CLI::App* command) {
    std::vector<std::string> names{"--help", "-h"};
    for (const CLI::App* part : {&app, command}) {
        if (part == nullptr) {
            continue;
        }
        for (const CLI::Option* option : part->get_options()) {
            for (const std::string& name : option->get_lnames()) {
                names.push_back("--" + name);
            }
            for (const std::string& name : option->get_snames()) {
                names.push_back("-" + name);
            }
        }
    }
    return names;
}

/// The command that the words name: the first word that is no option.
std::string command_word(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--color") {
            ++i;  // its value
        } else if (!words[i].empty() && words[i][0] != '-') {
            return words[i];
        }
    }
    return {};
}

/// What to say about words that the parser refused.
std::string refusal(const CLI::App& app,
                    const CLI::ParseError& error,
                    const std::vector<std::string>& words) {
    const std::string name = command_word(words);
    const CLI::App* command = find_command(name) != nullptr ? app.get_subcommand(name) : nullptr;
    if (command == nullptr && !name.empty()) {
        const std::optional<std::string> nearest = scenario::nearest_word(name, command_names());
        return fmt::format("klab: there is no command \"{}\"{}\n  klab --help shows all commands\n",
                           viz::to_printable(name),
                           nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
    }
    const std::vector<std::string> known = option_names(app, command);
    const std::string help =
        command == nullptr ? "klab --help" : fmt::format("klab {} --help", name);
    for (const std::string& word : words) {
        const std::string option = word.substr(0, word.find('='));
        const bool is_long = option.size() > 2 && option.compare(0, 2, "--") == 0;
        if (is_long && std::find(known.begin(), known.end(), option) == known.end()) {
            const std::optional<std::string> nearest = scenario::nearest_word(option, known);
            return fmt::format("klab: {} has no option \"{}\"{}\n  {} shows its options\n",
                               command == nullptr ? "klab" : name,
                               viz::to_printable(option),
                               nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "",
                               help);
        }
    }
    std::string what = error.what();
    what.erase(what.find_last_not_of('\n') + 1);
    return fmt::format("klab: {}\n  {} shows what it takes\n", viz::to_printable(what), help);
}

Volume volume_of(const Arguments& arguments) {
    if (arguments.quiet) {
        return Volume::kQuiet;
    }
    return arguments.verbose == 0   ? Volume::kNormal
           : arguments.verbose == 1 ? Volume::kVerbose
                                    : Volume::kAll;
}

ExitCode dispatch(const std::string& name, Arguments& arguments, Terminal& terminal) {
    const Volume volume = volume_of(arguments);
    const bool json = arguments.format == "json";
    arguments.run.volume = arguments.sweep.volume = arguments.check.volume = volume;
    arguments.run.json = arguments.sweep.json = arguments.check.json = json;
    arguments.list.json = arguments.explain.json = arguments.disk.json = json;
    arguments.disk.volume = volume;
    const std::pair<std::string_view, std::function<ExitCode()>> commands[] = {
        {"demo", [&] { return demo_command(arguments.demo, terminal); }},
        {"run", [&] { return run_command(arguments.run, terminal); }},
        {"sweep", [&] { return sweep_command(arguments.sweep, terminal); }},
        {"check", [&] { return check_command(arguments.check, terminal); }},
        {"list", [&] { return list_command(arguments.list, terminal); }},
        {"draw", [&] { return draw_command(arguments.draw, terminal); }},
        {"export", [&] { return export_command(arguments.to_export, terminal); }},
        {"disk", [&] { return disk_command(arguments.disk, terminal); }},
        {"explain", [&] { return explain_command(arguments.explain, terminal); }},
        {"schema", [&] { return schema_command(arguments.schema, terminal); }},
        {"version", [&] { return version_command(json, terminal); }},
    };
    for (const auto& [word, command] : commands) {
        if (word == name) {
            return command();
        }
    }
    terminal.answer(short_help());
    return ExitCode::kOk;
}

}  // namespace

ExitCode run_command_line(int argc, const char* const* argv, Terminal& terminal) {
    Arguments arguments;
    CLI::App app("klab", "klab");
    build(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> chosen = app.get_subcommands();
        terminal.answer(chosen.empty() ? full_help() : chosen.front()->help());
        return ExitCode::kOk;
    } catch (const CLI::ParseError& error) {
        terminal.message(refusal(app, error, {argv + 1, argv + argc}));
        return ExitCode::kWrongUse;
    }
    terminal.set_ascii(arguments.ascii);
    terminal.set_colour(arguments.colour == "always"  ? ColourMode::kAlways
                        : arguments.colour == "never" ? ColourMode::kNever
                                                      : ColourMode::kAuto);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    return dispatch(
        chosen.empty() ? std::string() : chosen.front()->get_name(), arguments, terminal);
}

}  // namespace klab::cli
