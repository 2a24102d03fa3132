// SPDX-License-Identifier: Apache-2.0
//
// klab sweep: the same scenarios under many seeds on all cores; seeds that do not pass are listed
// with the command that plays them again.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/run_report.h"
#include "scenarios/run/seed_sweep.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct SeedRange {
    std::uint64_t first = 1;
    std::uint64_t last = 1;
};

std::optional<std::uint64_t> parse_seed(std::string_view text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional<std::uint64_t>(value) : std::nullopt;
}

std::optional<SeedRange> parse_range(std::string_view text) {
    const std::size_t dots = text.find("..");
    const std::optional<std::uint64_t> first = parse_seed(text.substr(0, dots));
    const std::optional<std::uint64_t> last =
        dots == std::string_view::npos ? first : parse_seed(text.substr(dots + 2));
    if (!first || !last || *first > *last) {
        return std::nullopt;
    }
    return SeedRange{*first, *last};
}

/// A bar on stderr, from one second on.
class ProgressBar {
  public:
    ProgressBar(std::string name, std::uint64_t total, Terminal& terminal)
        : name_(std::move(name)), total_(total), terminal_(terminal) {}

    void show(std::uint64_t done) {
        const Clock::time_point now = Clock::now();
        if (!terminal_.shows_progress() || now - begin_ < std::chrono::seconds(1) ||
            now - shown_ < std::chrono::milliseconds(100)) {
            return;
        }
        shown_ = now;
        drawn_ = true;
        constexpr std::uint64_t kCells = 30;
        const std::uint64_t full = done * kCells / total_;
        terminal_.message(fmt::format(
            "\r[{:#<{}}{:.<{}}] {}/{} {}\x1b[K", "", full, "", kCells - full, done, total_, name_));
    }

    void clear() {
        if (drawn_) {
            terminal_.message("\r\x1b[K");
        }
    }

  private:
    std::string name_;
    std::uint64_t total_;
    Terminal& terminal_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point shown_;
    bool drawn_ = false;
};

std::string rerun_of(const Chosen& chosen, std::uint64_t seed, ScenarioOptions options) {
    options.seed = seed;
    return rerun_arguments(chosen.path, chosen.variant, options);
}

ExitCode code_of(const scenario::SweepSummary& summary) {
    ExitCode code = summary.crashes.empty() ? ExitCode::kOk : ExitCode::kBug;
    for (const scenario::RunResult& result : summary.not_passed) {
        code = worse(code, static_cast<ExitCode>(scenario::exit_code(result.verdict)));
    }
    return summary.stopped ? ExitCode::kInterrupted : code;
}

std::string sweep_text(const Chosen& chosen,
                       const scenario::SweepSummary& summary,
                       const SweepArguments& arguments,
                       const Terminal& terminal) {
    constexpr std::size_t kListed = 20;
    const bool passed = code_of(summary) == ExitCode::kOk;
    std::string name = chosen.path + (chosen.variant.empty() ? "" : " [" + chosen.variant + "]");
    std::string out =
        fmt::format("{}  {}\n    {} of {} seeds pass, {} different runs (trace hashes){}\n",
                    verdict_sign(passed ? scenario::Verdict::kPass
                                 : summary.not_passed.empty() && summary.crashes.empty()
                                     ? scenario::Verdict::kUndecided
                                     : scenario::Verdict::kFail,
                                 terminal),
                    viz::to_printable(name),
                    summary.passed,
                    summary.runs,
                    summary.distinct_hashes,
                    summary.stopped ? ", interrupted" : "");
    std::size_t listed = 0;
    for (const scenario::RunResult& result : summary.not_passed) {
        if (++listed > kListed) {
            out += fmt::format("    ... and {} more\n", summary.not_passed.size() - kListed);
            break;
        }
        out += fmt::format("    seed {} {}{}: klab run {} -v\n",
                           result.seed,
                           scenario::name_of(result.verdict),
                           result.why.empty() ? "" : " (" + viz::to_printable(result.why) + ")",
                           rerun_of(chosen, result.seed, arguments.scenario));
    }
    return out;
}

std::string sweep_json(const Chosen& chosen,
                       const scenario::SweepSummary& summary,
                       const SweepArguments& arguments,
                       const SeedRange& range,
                       std::string_view title) {
    std::string failing;
    for (const scenario::RunResult& result : summary.not_passed) {
        failing += fmt::format(
            "{}{{\"seed\":{},\"verdict\":\"{}\",\"why\":{},\"trace_hash\":\"{}\",\"rerun\":{}}}",
            failing.empty() ? "" : ",",
            result.seed,
            scenario::name_of(result.verdict),
            scenario::quote_json(result.why),
            result.trace_hash,
            scenario::quote_json("klab run " + rerun_of(chosen, result.seed, arguments.scenario)));
    }
    std::string crashes;
    for (const scenario::SweepCrash& crash : summary.crashes) {
        crashes += fmt::format("{}{{\"seed\":{},\"what\":{}}}",
                               crashes.empty() ? "" : ",",
                               crash.seed,
                               scenario::quote_json(crash.what));
    }
    return fmt::format(
        "{{\"klab_sweep\":1,\"scenario\":{},\"title\":{},\"variant\":{},\"first_seed\":{},"
        "\"last_seed\":{},\"runs\":{},\"passed\":{},\"distinct_hashes\":{},\"interrupted\":{},"
        "\"failing\":[{}],\"crashes\":[{}]}}\n",
        scenario::quote_json(chosen.path),
        scenario::quote_json(title),
        scenario::quote_json(chosen.variant),
        range.first,
        range.last,
        summary.runs,
        summary.passed,
        summary.distinct_hashes,
        summary.stopped,
        failing,
        crashes);
}

ExitCode sweep_one(const Chosen& chosen,
                   const SweepArguments& arguments,
                   const SeedRange& range,
                   Terminal& terminal) {
    const scenario::LoadedScenario loaded = load(chosen, arguments.scenario);
    if (!report_problems(loaded, true, terminal)) {
        return ExitCode::kWrongUse;
    }
    const std::uint64_t total = range.last - range.first + 1;
    ProgressBar bar(chosen.variant.empty() ? chosen.path : chosen.variant, total, terminal);
    scenario::SweepOptions options;
    options.first_seed = range.first;
    options.last_seed = range.last;
    options.threads = arguments.threads > 0
                          ? arguments.threads
                          : std::max<std::uint32_t>(1, std::thread::hardware_concurrency());
    options.name = chosen.path;
    options.variant = chosen.variant;
    options.progress = [&](std::uint64_t done) {
        bar.show(done);
        return !interrupted();
    };
    options.cancelled = [] { return interrupted(); };
    const scenario::SweepSummary summary = scenario::sweep(*loaded.scenario, options);
    bar.clear();
    if (arguments.json) {
        terminal.data(sweep_json(chosen, summary, arguments, range, loaded.scenario->title));
    } else {
        terminal.answer(sweep_text(chosen, summary, arguments, terminal));
    }
    for (const scenario::SweepCrash& crash : summary.crashes) {
        report_bug(crash.what, rerun_of(chosen, crash.seed, arguments.scenario), terminal);
    }
    return code_of(summary);
}

}  // namespace

ExitCode sweep_command(const SweepArguments& arguments, Terminal& terminal) {
    const std::optional<SeedRange> range = parse_range(arguments.seeds);
    if (!range) {
        terminal.message(fmt::format("klab: --seeds takes a range such as 1..1000, not \"{}\"\n",
                                     arguments.seeds));
        return ExitCode::kWrongUse;
    }
    if (arguments.scenario.seed || arguments.scenario.until) {
        terminal.message("klab: sweep takes --seeds, neither --seed nor --until\n");
        return ExitCode::kWrongUse;
    }
    if (arguments.all_variants && arguments.scenario.variant) {
        terminal.message("klab: --all-variants plays every variant; leave --variant out\n");
        return ExitCode::kWrongUse;
    }
    ExitCode code = ExitCode::kOk;
    std::size_t runs = 0;
    for (const std::string& path : expand_paths(arguments.paths)) {
        for (const Chosen& chosen : choose(path, arguments.scenario, arguments.all_variants)) {
            if (interrupted()) {
                return ExitCode::kInterrupted;
            }
            ++runs;
            code = worse(code, sweep_one(chosen, arguments, *range, terminal));
        }
    }
    if (runs == 0) {
        terminal.message("klab: no scenario there; klab list shows the library\n");
        return ExitCode::kWrongUse;
    }
    return code;
}

}  // namespace klab::cli
