// SPDX-License-Identifier: Apache-2.0
//
// Kafka settings: do they exist in the chosen version, may they have these values, and do the
// values make sense together.
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"

namespace klab::scenario {

namespace {

const Setting* find_setting(const std::vector<Setting>& config, const std::string& name) {
    for (const Setting& setting : config) {
        if (setting.name.value == name) {
            return &setting;
        }
    }
    return nullptr;
}

Finding finding_for(const SettingProblem& problem,
                    const Setting& setting,
                    SettingScope scope,
                    const CheckContext& context) {
    const std::string& name = setting.name.value;
    switch (problem.what) {
        case SettingProblem::What::kUnknown: {
            Finding finding =
                unknown_word("S032",
                             "setting",
                             name,
                             setting.name.where,
                             context.words.settings(scope, context.scenario.kafka.value));
            finding.message = fmt::format("{} has no setting \"{}\"", name_of(scope), name);
            finding.help.push_back(
                fmt::format("names are those of Kafka {}", context.scenario.kafka.value));
            return finding;
        }
        case SettingProblem::What::kNotInVersion:
            return make_finding(
                "S032",
                fmt::format("Kafka {} has no setting \"{}\"", context.scenario.kafka.value, name),
                setting.name.where,
                problem.allowed);
        case SettingProblem::What::kManaged:
            return make_finding("S033",
                                fmt::format("klab itself sets \"{}\"", name),
                                setting.name.where,
                                "leave it out");
        case SettingProblem::What::kWrongValue:
            return make_finding("S033",
                                fmt::format("\"{}\" cannot be {}", name, setting.value.value),
                                setting.value.where,
                                problem.allowed);
        case SettingProblem::What::kConflict:
            return make_finding("S033",
                                fmt::format("\"{}\" contradicts another setting", name),
                                setting.value.where,
                                problem.allowed);
        case SettingProblem::What::kIgnored: {
            Finding finding = make_finding("S033",
                                           fmt::format("klab does not act on \"{}\"", name),
                                           setting.name.where,
                                           "has no effect in a run");
            finding.severity = Severity::kWarning;
            return finding;
        }
    }
    return make_finding("S033", "a wrong setting", setting.value.where, "");
}

/// The same setting given in milliseconds with a unit ("9s") is the usual slip.
void add_unit_hint(const Setting& setting, Finding& finding) {
    const TimeText time = parse_duration(setting.value.value);
    if (finding.code == "S033" && time.duration && setting.is_text) {
        const std::string meant = fmt::format("{}", time.duration->to_ms());
        finding.label = fmt::format("did you mean {}? Kafka's own settings have no units", meant);
        finding.suggestions.push_back({quote_json(setting.value.value), meant});
    }
}

void check_config(const std::vector<Setting>& config,
                  SettingScope scope,
                  const CheckContext& context) {
    std::map<std::string, std::string> values;
    for (const Setting& setting : config) {
        values.emplace(setting.name.value, setting.value.value);
    }
    if (values.empty() || context.findings.full()) {
        return;
    }
    for (const SettingProblem& problem :
         context.words.check_settings(scope, context.scenario.kafka.value, values)) {
        const Setting* setting = find_setting(config, problem.name);
        if (setting == nullptr) {
            setting = &config.front();
        }
        Finding finding = finding_for(problem, *setting, scope, context);
        if (problem.what == SettingProblem::What::kWrongValue) {
            add_unit_hint(*setting, finding);
        }
        context.findings.add(std::move(finding));
    }
}

/// Settings of one node stand on those of the cluster, and must fit together with them.
void check_node_config(const NodeSpec& node, const CheckContext& context) {
    if (node.config.empty()) {
        return;
    }
    std::vector<Setting> together = node.config;
    for (const Setting& setting : context.scenario.cluster.config) {
        if (find_setting(node.config, setting.name.value) == nullptr) {
            together.push_back(setting);
        }
    }
    check_config(together, SettingScope::kBroker, context);
}

std::optional<std::int64_t> integer_of(const Setting& setting) {
    const std::string& text = setting.value.value;
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

std::int64_t replica_count(const TopicSpec& topic) {
    return topic.assignment.empty() ? topic.replicas.value
                                    : static_cast<std::int64_t>(topic.assignment.front().size());
}

void check_min_insync(const TopicSpec& topic, const CheckContext& context) {
    static const std::string kName = "min.insync.replicas";
    const Setting* setting = find_setting(topic.config, kName);
    if (setting == nullptr) {
        setting = find_setting(context.scenario.cluster.config, kName);
    }
    const std::optional<std::int64_t> minimum =
        setting == nullptr ? std::nullopt : integer_of(*setting);
    if (!minimum || *minimum <= replica_count(topic)) {
        return;
    }
    Finding finding =
        make_finding("S031",
                     fmt::format("min.insync.replicas is {}, but topic {} has {} replica{}",
                                 *minimum,
                                 topic.name.value,
                                 replica_count(topic),
                                 replica_count(topic) == 1 ? "" : "s"),
                     setting->value.where,
                     "no send with acks=all can succeed");
    finding.severity = Severity::kWarning;
    finding.help.emplace_back("every such send ends with NOT_ENOUGH_REPLICAS");
    context.findings.add(std::move(finding));
}

SettingScope scope_of(ClientRole role) {
    switch (role) {
        case ClientRole::kProducer:
            return SettingScope::kProducer;
        case ClientRole::kConsumer:
            return SettingScope::kConsumer;
        case ClientRole::kAdmin:
            return SettingScope::kAdmin;
    }
    return SettingScope::kAdmin;
}

}  // namespace

std::string_view name_of(SettingScope scope) {
    switch (scope) {
        case SettingScope::kBroker:
            return "a broker";
        case SettingScope::kTopic:
            return "a topic";
        case SettingScope::kProducer:
            return "a producer";
        case SettingScope::kConsumer:
            return "a consumer";
        case SettingScope::kAdmin:
            return "an admin client";
    }
    return "a node";
}

void check_topic_settings(const TopicSpec& topic, const CheckContext& context) {
    check_config(topic.config, SettingScope::kTopic, context);
    check_min_insync(topic, context);
}

void check_settings(const CheckContext& context) {
    const Scenario& scenario = context.scenario;
    check_config(scenario.cluster.config, SettingScope::kBroker, context);
    for (const NodeSpec& node : scenario.cluster.nodes) {
        check_node_config(node, context);
    }
    for (const TopicSpec& topic : scenario.topics) {
        check_topic_settings(topic, context);
    }
    for (const ClientSpec& client : scenario.clients) {
        check_config(client.config, scope_of(client.role()), context);
    }
}

}  // namespace klab::scenario
