// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/scenario_ast.h"

#include <fmt/format.h>

namespace klab::scenario {

bool operator==(const AllOf& a, const AllOf& b) { return a.parts == b.parts; }

bool operator==(const AnyOf& a, const AnyOf& b) { return a.parts == b.parts; }

std::string step_name(const Step& step, std::size_t index) {
    return step.id ? step.id->value : fmt::format("step {}", index + 1);
}

std::string_view name_of(ClientRole role) {
    switch (role) {
        case ClientRole::kProducer:
            return "producer";
        case ClientRole::kConsumer:
            return "consumer";
        case ClientRole::kAdmin:
            return "admin";
    }
    return "client";
}

const ClientSpec* find_client(const Scenario& scenario, std::string_view name) {
    for (const ClientSpec& client : scenario.clients) {
        if (client.name.value == name) {
            return &client;
        }
    }
    return nullptr;
}

const TopicSpec* find_topic(const Scenario& scenario, std::string_view name) {
    for (const TopicSpec& topic : scenario.topics) {
        if (topic.name.value == name) {
            return &topic;
        }
    }
    return nullptr;
}

}  // namespace klab::scenario
