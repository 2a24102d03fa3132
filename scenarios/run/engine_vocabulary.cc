// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/engine_vocabulary.h"

#include "model/check/check_table.h"
#include "scenarios/run/world_plan.h"

namespace klab::scenario {

KafkaVocabulary engine_vocabulary() {
    std::vector<std::string> ids;
    for (const check::CheckInfo& check : check::all_checks()) {
        ids.emplace_back(check.id);
    }
    return KafkaVocabulary(std::move(ids), choice_site_names());
}

}  // namespace klab::scenario
