// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/semantic_checks.h"

namespace klab::scenario {

void check_scenario(const Scenario& scenario, const Vocabulary& words, Findings& findings) {
    const NameTable names = names_of(scenario);
    const CheckContext context{scenario, names, words, findings};
    check_cluster(context);
    check_settings(context);
    check_clients(context);
    check_timeline(context);
    check_reach(context);
    check_expectations(context);
    check_support(context);
}

}  // namespace klab::scenario
