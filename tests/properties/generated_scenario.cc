// SPDX-License-Identifier: Apache-2.0
//
// Generated scenarios: from plans to text.
#include "tests/properties/generated_scenario.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "scenarios/run/kafka_vocabulary.h"
#include "scenarios/run/scenario_loader.h"
#include "scenarios/run/scenario_run.h"
#include "sim/base/assert.h"
#include "sim/kernel/choices.h"

namespace klab::tests {

namespace {

std::string full_isrs(const Plan& plan) {
    std::string text;
    for (int p = 0; p < plan.partitions; ++p) {
        text += fmt::format(
            R"({}{{ "partition": "t-{}", "isr_size": {} }})", p == 0 ? "" : ", ", p, plan.replicas);
    }
    return text;
}

std::string others(const Plan& plan, int broker) {
    std::string text;
    for (int b = 1; b <= plan.brokers; ++b) {
        if (b != broker) {
            text += fmt::format("{}\"b{}\"", text.empty() ? "" : ", ", b);
        }
    }
    return text + ", \"k1\"";
}

std::string fault_action(const Plan& plan, const PlanStep& step) {
    switch (step.fault) {
        case PlannedFault::kCrash:
            return fmt::format(R"({{ "crash": "b{}" }})", step.broker);
        case PlannedFault::kPowerOff:
            return fmt::format(R"({{ "power_off": ["b{}"] }})", step.broker);
        case PlannedFault::kPause:
            return fmt::format(R"({{ "pause": {{ "node": "b{}", "for": "{}ms" }} }})",
                               step.broker,
                               step.duration_ms);
        case PlannedFault::kCutOff:
            return fmt::format(
                R"({{ "partition": [["b{}"], [{}]] }})", step.broker, others(plan, step.broker));
        case PlannedFault::kRestart:
            return fmt::format(R"({{ "stop": "b{}" }})", step.broker);
    }
    return {};
}

std::string repair_action(const PlanStep& step) {
    switch (step.fault) {
        case PlannedFault::kCrash:
        case PlannedFault::kPowerOff:
        case PlannedFault::kRestart:
            return fmt::format(R"({{ "restart": "b{}" }})", step.broker);
        case PlannedFault::kPause:
            return R"({ "say": "The pause is over." })";
        case PlannedFault::kCutOff:
            return R"({ "heal": "all" })";
    }
    return {};
}

/// A new process must register, which waits for the end of the old session (9 s) and takes the
/// broker out of the ISR. Before that a full ISR says nothing.
constexpr int kRegistrationMs = 12'000;

/// How long after the repair of `before` (beyond the safe profile: after `before` itself) the next
/// fault may come.
int delay_after(const Plan& plan, const PlanStep& before, const PlanStep& next) {
    const bool is_new_process =
        before.fault != PlannedFault::kPause && before.fault != PlannedFault::kCutOff;
    return plan.safe_profile && is_new_process ? std::max(next.delay_ms, kRegistrationMs)
                                               : next.delay_ms;
}

std::string timeline(const Plan& plan) {
    std::string text;
    std::string previous;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const PlanStep& step = plan.steps[i];
        const std::string start = previous.empty()
                                      ? fmt::format(R"({{ "at": "{}ms" }})", step.delay_ms)
                                      : fmt::format(R"({{ "after": "{}", "delay": "{}ms" }})",
                                                    previous,
                                                    delay_after(plan, plan.steps[i - 1], step));
        const std::string when =
            plan.safe_profile ? fmt::format(R"({{ "all": [ {}, {} ] }})", start, full_isrs(plan))
                              : start;
        // A stop takes its time: the process must be gone before it is started again.
        const int duration =
            step.fault == PlannedFault::kRestart ? step.duration_ms + 15'000 : step.duration_ms;
        text += fmt::format("    {{ \"id\": \"fault-{}\", \"when\": {}, \"do\": {} }},\n",
                            i,
                            when,
                            fault_action(plan, step));
        text += fmt::format(
            "    {{ \"id\": \"repair-{0}\", \"when\": {{ \"after\": \"fault-{0}\", "
            "\"delay\": \"{1}ms\" }}, \"do\": {2} }},\n",
            i,
            duration,
            repair_action(step));
        previous = fmt::format("{}-{}", plan.safe_profile ? "repair" : "fault", i);
    }
    // Every send has its outcome by then, and the faults are long over.
    const int answered_ms = plan.records * plan.every_ms + 130'000;
    const std::string quiet = previous.empty()
                                  ? std::string(R"({ "at": "30s" })")
                                  : fmt::format(R"({{ "after": "{}", "delay": "45s" }})", previous);
    text += fmt::format(
        "    {{ \"id\": \"done\", \"when\": {{ \"all\": [ {}, {{ \"at\": \"{}ms\" }}, {} ] }}, "
        "\"do\": {{ \"end\": true }} }}",
        quiet,
        answered_ms,
        full_isrs(plan));
    return text;
}

}  // namespace

std::vector<std::string> safe_expectations(const Plan& plan) {
    // The order of sends is judged by ORD, which knows the one case that Kafka leaves open.
    std::vector<std::string> expect{R"({ "that": "lost_acked(p1) == 0" })",
                                    R"({ "that": "duplicates(p1) == 0" })"};
    for (int p = 0; p < plan.partitions; ++p) {
        expect.push_back(fmt::format("{{ \"that\": \"logs_equal(t-{})\" }}", p));
    }
    return expect;
}

std::string to_scenario(const Plan& plan, const std::vector<std::string>& expect) {
    std::string assignment;
    for (int p = 0; p < plan.partitions; ++p) {
        assignment += p == 0 ? "[" : ", [";
        for (int r = 0; r < plan.replicas; ++r) {
            assignment += fmt::format("{}{}", r == 0 ? "" : ", ", (p + r) % plan.brokers + 1);
        }
        assignment += "]";
    }
    std::string expectations;
    for (const std::string& line : expect) {
        expectations += fmt::format("{}    {}", expectations.empty() ? "" : ",\n", line);
    }
    const std::string mutant =
        plan.mutant.empty() ? "" : fmt::format(R"(, "mutant": "{}")", plan.mutant);
    return fmt::format(R"({{
  "klab": 1,
  "title": "Generated: acks={0}, {1} faults",
  "kafka": "4.1",
  "seed": {2},
  "limit": "60min",

  "cluster": {{ "brokers": {3}, "controllers": 1,
               "config": {{ "unclean.leader.election.enable": {4} }}{5} }},

  "topics": [ {{ "name": "t", "partitions": {6}, "assignment": [{7}], "config": {{ "min.insync.replicas": {8} }} }} ],

  "clients": [
    {{ "producer": "p1", "topic": "t",
      "config": {{ "acks": "{0}", "enable.idempotence": {9}, "batch.size": 100, "linger.ms": 0 }},
      "send": {{ "count": {10}, "every": "{11}ms" }} }},
    {{ "consumer": "c1", "assign": ["t-0"], "config": {{ "auto.offset.reset": "earliest" }} }}
  ],

  "timeline": [
{12}
  ],

  "expect": [
{13}
  ]
}}
)",
                       plan.acks,
                       plan.steps.size(),
                       plan.seed,
                       plan.brokers,
                       plan.unclean,
                       mutant,
                       plan.partitions,
                       assignment,
                       plan.min_isr,
                       plan.idempotence,
                       plan.records,
                       plan.every_ms,
                       timeline(plan),
                       expectations);
}

scenario::RunResult play(const std::string& text) {
    const scenario::KafkaVocabulary words;
    const scenario::LoadedScenario loaded =
        scenario::load_scenario_text("generated.json", text, {}, words);
    KLAB_ASSERT(loaded.scenario.has_value(),
                "a generated scenario is not valid:\n{}\n{}",
                render(loaded.diagnostics),
                text);
    scenario::RunOptions options;
    options.check_full = true;
    return scenario::run_scenario(std::make_shared<const scenario::Scenario>(*loaded.scenario),
                                  options,
                                  "generated.json",
                                  "");
}

Plan drawn_plan(std::uint64_t number, int steps) {
    sim::Choices choices(number);
    const auto draw = [&](std::uint32_t bound) {
        return static_cast<int>(choices.pick(sim::sites::kHarness, -1, -1, bound));
    };
    Plan plan;
    plan.seed = number;
    plan.brokers = 3 + draw(3);
    plan.partitions = 1 + draw(2);
    plan.every_ms = 10 + draw(100);
    plan.records = 20 + draw(200);
    for (int i = 0; i < steps; ++i) {
        PlanStep step;
        step.fault = static_cast<PlannedFault>(draw(kPlannedFaults));
        step.broker = 1 + draw(static_cast<std::uint32_t>(plan.brokers));
        step.delay_ms = draw(3000);
        step.duration_ms = 100 + draw(20'000);
        plan.steps.push_back(step);
    }
    return plan;
}

}  // namespace klab::tests
