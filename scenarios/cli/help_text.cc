// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/help_text.h"

#include <fmt/format.h>

namespace klab::cli {

namespace {

constexpr std::string_view kExample = "scenarios/lessons/04-acks/acks1-lost.json";

std::string command_lines(bool only_for_beginners) {
    std::string out;
    for (const CommandHelp& command : command_table()) {
        if (command.for_beginners || !only_for_beginners) {
            out += fmt::format("  klab {:<8} {}\n", command.name, command.summary);
        }
    }
    return out;
}

std::string option_name(const CLI::Option& option) {
    if (option.get_positional()) {
        return option.get_name(true);
    }
    std::string out;
    for (const std::string& name : option.get_snames()) {
        out += (out.empty() ? "-" : ", -") + name;
    }
    for (const std::string& name : option.get_lnames()) {
        out += (out.empty() ? "--" : ", --") + name;
    }
    const bool takes_value = option.get_type_size() != 0;
    // Behind the colon the parser adds what its checks say.
    const std::string type = option.get_type_name();
    return takes_value ? out + " " + type.substr(0, type.find(':')) : out;
}

std::string option_lines(const CLI::App& app) {
    constexpr std::size_t kColumn = 28;
    std::string out;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty() || option->get_positional()) {
            continue;
        }
        const std::string name = option_name(*option);
        out += name.size() + 2 > kColumn
                   ? fmt::format("  {}\n  {:{}}{}\n", name, "", kColumn, option->get_description())
                   : fmt::format("  {:<{}}{}\n", name, kColumn, option->get_description());
    }
    return out;
}

class HelpLayout : public CLI::FormatterBase {
  public:
    std::string make_help(const CLI::App* app,
                          std::string /*name*/,
                          CLI::AppFormatMode /*mode*/) const override {
        const CommandHelp* command = find_command(app->get_name());
        if (command == nullptr) {
            return full_help();
        }
        std::string out =
            fmt::format("klab {} {}\n{}\n\n", command->name, command->usage, command->summary);
        out += option_lines(*app);
        if (!command->examples.empty()) {
            out += fmt::format("\nExamples:\n{}", command->examples);
        }
        return out;
    }
};

}  // namespace

const std::vector<CommandHelp>& command_table() {
    static const std::vector<CommandHelp> kTable{
        {"demo", "[--out DIR]", "the acks story: run it, draw it, say what to open", "", true},
        {"run",
         "FILE|DIR... [options]",
         "run scenarios and report the verdict",
         "  klab run scenarios/lessons/04-acks/acks1-lost.json\n"
         "  klab run scenarios/lessons/04-acks/acks1-lost.json --variant acks-all -v\n"
         "  klab run scenarios --all-variants -q\n"
         "  klab run scenarios/lessons/04-acks/acks1-lost.json --set /clients/p1/config/acks=0\n",
         true},
        {"list", "[DIR...]", "the scenarios there are, with their variants", "", true},
        {"draw",
         "KIND FILE [options]",
         "a picture of a run: topology, election, log, sequence or segments",
         "  klab draw election scenarios/lessons/04-acks/acks1-lost.json\n"
         "  klab draw log scenarios/lessons/04-acks/acks1-lost.json --at 5s -o log.svg\n"
         "  klab draw sequence scenarios/lessons/04-acks/acks1-lost.json --format dot | dot "
         "-Tpng\n"
         "  klab draw segments scenarios/lessons/02-segments/sparse-index.json --offset 13\n",
         true},
        {"explain",
         "WORD",
         "what an error, setting, event, invariant or term means",
         "  klab explain NOT_ENOUGH_REPLICAS\n"
         "  klab explain min.insync.replicas\n"
         "  klab explain 3.6..4.1\n",
         true},
        {"check", "FILE|DIR...", "say what is wrong with a scenario, without running it", "", true},
        {"sweep",
         "FILE|DIR... --seeds A..B [options]",
         "run scenarios under many seeds, on all cores",
         "  klab sweep scenarios/lessons/04-acks/acks1-lost.json --seeds 1..1000\n"},
        {"export",
         "FILE --to jsonl|csv [-o OUT]",
         "the trace of a run as JSON lines or tables",
         "  klab export scenarios/lessons/04-acks/acks1-lost.json --to jsonl -o run.jsonl\n"
         "  klab export scenarios/lessons/04-acks/acks1-lost.json --to csv -o tables\n"},
        {"disk",
         "export FILE --node NODE -o DIR | dump PATH [options]",
         "a node's disk as real files; what stands in a Kafka data directory",
         "  klab disk export scenarios/lessons/04-acks/acks1-lost.json --node b1 --at 150ms -o "
         "b1\n"
         "  klab disk dump b1 -v\n"
         "  klab disk dump /var/lib/kafka/data --format json\n"},
        {"schema",
         "[scenario|results|fields|events]",
         "the formats that klab reads and writes",
         ""},
        {"version", "", "which klab this is", ""},
    };
    return kTable;
}

const CommandHelp* find_command(std::string_view name) {
    for (const CommandHelp& command : command_table()) {
        if (command.name == name) {
            return &command;
        }
    }
    return nullptr;
}

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const CommandHelp& command : command_table()) {
        names.emplace_back(command.name);
    }
    return names;
}

std::string short_help() {
    return fmt::format(
        "klab: a deterministic laboratory for Apache Kafka\n"
        "\n"
        "Try:\n"
        "  klab demo\n"
        "  klab run {} -v\n"
        "\n"
        "Commands to begin with:\n"
        "{}\n"
        "All commands: klab --help.  One of them: klab run --help.\n",
        kExample,
        command_lines(true));
}

std::string full_help() {
    return fmt::format(
        "klab: a deterministic laboratory for Apache Kafka\n"
        "\n"
        "{}\n"
        "Everywhere:\n"
        "  -h, --help                what a command takes\n"
        "  -q, -v, -vv               say less, tell the story, tell every event\n"
        "  --color auto|always|never\n"
        "  --ascii                   no signs outside ASCII\n"
        "  --format text|json        answers for people or for programs\n"
        "\n"
        "Exit codes: 0 expectations hold, 1 an expectation or invariant failed, 2 wrong use or\n"
        "wrong scenario, 3 undecided (time limit, or a step that never fired), 70 a bug in klab,\n"
        "130 interrupted. With several runs the worst counts: 70, then 2, 1, 3, 0.\n",
        command_lines(false));
}

std::shared_ptr<CLI::FormatterBase> help_layout() { return std::make_shared<HelpLayout>(); }

}  // namespace klab::cli
