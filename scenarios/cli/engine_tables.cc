// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/engine_tables.h"

#include "model/kafka_world/kafka_model.h"
#include "scenarios/run/world_plan.h"

namespace klab::cli {

const sim::EventTable& joined_events() { return *world::event_table(); }

std::vector<std::string> choice_sites() { return scenario::choice_site_names(); }

}  // namespace klab::cli
