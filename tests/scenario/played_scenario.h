// SPDX-License-Identifier: Apache-2.0
//
// Plays scenario texts in tests of the engine.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/run/kafka_vocabulary.h"
#include "scenarios/run/scenario_run.h"
#include "tests/scenario/scenario_files.h"

namespace klab::scenario {

/// The scenario of a text that must be right; an empty one after a failure of the test.
inline std::shared_ptr<const Scenario> scenario_of(const std::string& text,
                                                   const LoadOptions& options = {}) {
    LoadedScenario loaded = load_text(text, KafkaVocabulary(), options);
    EXPECT_TRUE(loaded.scenario) << render(loaded.diagnostics);
    return std::make_shared<const Scenario>(loaded.scenario.value_or(Scenario{}));
}

/// The result of playing a text.
inline RunResult played(const std::string& text, const LoadOptions& options = {}) {
    return run_scenario(scenario_of(text, options), RunOptions{}, "test.json", "");
}

/// Three brokers, topic t on b1, b2, b3 and u on b2, b3, producer p1 to t-0 with twelve records,
/// consumer c1; `parts` gives timeline and the rest.
inline std::string cluster_file(const std::string& parts) {
    return R"({"klab": 1, "title": "x", "limit": "30s", "seed": 5,
        "cluster": {"brokers": 3, "controllers": 1, "network": {"latency": ["1ms", "3ms"]},
                    "config": {"broker.session.timeout.ms": 9000}},
        "topics": [{"name": "t", "assignment": [[1, 2, 3]], "config": {"min.insync.replicas": 2}},
                   {"name": "u", "assignment": [[2, 3]]}],
        "clients": [{"producer": "p1", "topic": "t", "config": {"acks": "all", "batch.size": 1},
                     "send": {"count": 12, "every": "20ms", "to": "t-0"}},
                    {"consumer": "c1", "assign": ["t-0"],
                     "config": {"auto.offset.reset": "earliest"}}], )" +
           parts + "}";
}

inline const StepResult& step_of(const RunResult& result, const std::string& name) {
    for (const StepResult& step : result.steps) {
        if (step.name == name) {
            return step;
        }
    }
    ADD_FAILURE() << "no step " << name;
    return result.steps.front();
}

}  // namespace klab::scenario
