// SPDX-License-Identifier: Apache-2.0
//
// See config_changes.h.
#include "model/controller/config_changes.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "model/types/settings.h"
#include "model/types/topic_config.h"

namespace klab::controller {

namespace {

using metadata::ConfigResource;
using metadata::ConfigResourceKind;
using protocol::ConfigEntry;
using protocol::ConfigTarget;
using protocol::NamedResult;
using types::ErrorCode;

std::optional<types::BrokerId> parse_broker_id(const std::string& text) {
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc{} || end != text.data() + text.size() || id < 0) {
        return std::nullopt;
    }
    return types::BrokerId(id);
}

/// Does the target exist? kNone if so.
NamedResult check_target(const ControllerView& view, const ConfigTarget& target) {
    switch (target.kind) {
        case ConfigTarget::Kind::kTopic:
            if (view.state.image.topic(target.name) == nullptr) {
                return {target.name,
                        ErrorCode::kUnknownTopicOrPartition,
                        fmt::format("there is no topic '{}'", target.name)};
            }
            break;
        case ConfigTarget::Kind::kBroker: {
            const std::optional<types::BrokerId> id = parse_broker_id(target.name);
            if (!id) {
                return {target.name,
                        ErrorCode::kInvalidRequest,
                        fmt::format("'{}' is no broker id", target.name)};
            }
            if (view.state.image.broker(*id) == nullptr) {
                return {target.name,
                        ErrorCode::kBrokerIdNotRegistered,
                        fmt::format("broker {} is not registered", *id)};
            }
            break;
        }
        case ConfigTarget::Kind::kCluster:
            break;
    }
    return {target.name, ErrorCode::kNone, ""};
}

ConfigResource resource_of(const ConfigTarget& target) {
    switch (target.kind) {
        case ConfigTarget::Kind::kTopic:
            return {ConfigResourceKind::kTopic, target.name};
        case ConfigTarget::Kind::kBroker:
            return {ConfigResourceKind::kBroker, target.name};
        case ConfigTarget::Kind::kCluster:
            break;
    }
    return {ConfigResourceKind::kBroker, ""};
}

/// What is wrong with one entry, for people; nothing when it is fine.
std::optional<std::string> check_entry(const ControllerView& view,
                                       ConfigResourceKind kind,
                                       const ConfigEntry& entry) {
    const types::Setting* setting = kind == ConfigResourceKind::kTopic
                                        ? types::find_setting(entry.name, types::Where::kTopic)
                                        : types::find_cluster_setting(entry.name);
    if (setting == nullptr) {
        return fmt::format("there is no setting '{}'", entry.name);
    }
    if (!entry.value) {
        return std::nullopt;
    }
    const auto value = types::check_setting(*setting, *entry.value, view.rules.version);
    return value ? std::nullopt : std::optional(types::to_text(value.error()));
}

/// Do the settings that a topic would have contradict each other?
std::optional<std::string> check_together(const ControllerView& view,
                                          const metadata::ConfigMap& settings) {
    const auto config =
        types::make_topic_config(view.rules.version, view.config.topic_defaults, settings);
    if (config) {
        return std::nullopt;
    }
    const auto conflict = std::ranges::find(
        config.error(), types::SettingError::What::kConflict, &types::SettingError::what);
    return conflict == config.error().end() ? std::nullopt
                                            : std::optional(types::to_text(*conflict));
}

/// What a topic's own settings become.
metadata::ConfigMap with_changes(metadata::ConfigMap settings,
                                 const std::vector<ConfigEntry>& changes) {
    for (const ConfigEntry& entry : changes) {
        if (entry.value) {
            settings.insert_or_assign(entry.name, *entry.value);
        } else {
            settings.erase(entry.name);
        }
    }
    return settings;
}

constexpr std::string_view kMinIsr = "min.insync.replicas";

/// ELRs rest on one min.insync.replicas of the cluster, with values of single topics beside it.
std::optional<std::string> check_min_isr_with_elr(
    const ControllerView& view,
    const ConfigResource& resource,
    const std::vector<metadata::MetadataRecord>& records) {
    if (!view.rules.elr || resource.kind != ConfigResourceKind::kBroker) {
        return std::nullopt;
    }
    for (const metadata::MetadataRecord& record : records) {
        const auto& change = std::get<metadata::ConfigRecord>(record);
        if (change.name != kMinIsr) {
            continue;
        }
        if (!resource.name.empty()) {
            return "min.insync.replicas of a single broker cannot be changed while ELR is on";
        }
        if (!change.value) {
            return "min.insync.replicas of the cluster cannot be removed while ELR is on";
        }
    }
    return std::nullopt;
}

/// A new min.insync.replicas makes the ELRs that the old one led to worthless.
void clear_elrs_judged_otherwise(const ControllerView& view,
                                 std::vector<metadata::MetadataRecord>& records) {
    if (!view.rules.elr) {
        return;
    }
    const std::size_t changes = records.size();
    for (std::size_t i = 0; i < changes; ++i) {
        const auto& change = std::get<metadata::ConfigRecord>(records[i]);
        if (change.name == kMinIsr) {
            const bool of_topic = change.resource.kind == ConfigResourceKind::kTopic;
            metadata::ClearElrRecord clear{of_topic ? change.resource.name : std::string()};
            records.emplace_back(std::move(clear));
        }
    }
}

}  // namespace

Decision<protocol::AlterConfigsResponse> decide_alter_configs(
    const ControllerView& view, const protocol::AlterConfigsRequest& request) {
    Decision<protocol::AlterConfigsResponse> decision;
    NamedResult& result = decision.result.result;
    const ConfigResource resource = resource_of(request.target);
    std::vector<metadata::MetadataRecord> records;
    std::set<std::string> names;
    for (const ConfigEntry& entry : request.entries) {
        if (!names.insert(entry.name).second) {
            result = {request.target.name, ErrorCode::kInvalidRequest, "a setting stands twice"};
            return decision;
        }
        if (auto problem = check_entry(view, resource.kind, entry)) {
            result = {request.target.name, ErrorCode::kInvalidConfig, *std::move(problem)};
            return decision;
        }
        const std::string* current = view.state.image.config(resource, entry.name);
        const bool changes = (current == nullptr) != !entry.value ||
                             (current != nullptr && *current != *entry.value);
        // KAFKA-14136: broker settings are written even when unchanged, so that brokers reload.
        if (changes || resource.kind == ConfigResourceKind::kBroker) {
            records.emplace_back(metadata::ConfigRecord{resource, entry.name, entry.value});
        }
    }
    if (auto problem = check_min_isr_with_elr(view, resource, records)) {
        result = {request.target.name, ErrorCode::kInvalidConfig, *std::move(problem)};
        return decision;
    }
    if (resource.kind == ConfigResourceKind::kTopic) {
        const metadata::ConfigMap& own = view.state.image.configs_of(resource);
        if (auto problem = check_together(view, with_changes(own, request.entries))) {
            result = {request.target.name, ErrorCode::kInvalidConfig, *std::move(problem)};
            return decision;
        }
    }
    result = check_target(view, request.target);
    if (result.error == ErrorCode::kNone) {
        decision.records = std::move(records);
        clear_elrs_judged_otherwise(view, decision.records);
    }
    return decision;
}

Result<std::vector<metadata::MetadataRecord>, NamedResult> topic_config_records(
    const ControllerView& view, const protocol::NewTopic& topic) {
    std::vector<metadata::MetadataRecord> records;
    std::set<std::string> names;
    for (const ConfigEntry& entry : topic.config) {
        std::optional<std::string> problem = check_entry(view, ConfigResourceKind::kTopic, entry);
        if (!entry.value) {
            problem = fmt::format("'{}' has no value", entry.name);
        } else if (!names.insert(entry.name).second) {
            problem = fmt::format("'{}' stands twice", entry.name);
        }
        if (problem) {
            return Error{NamedResult{topic.name, ErrorCode::kInvalidConfig, *std::move(problem)}};
        }
        records.emplace_back(metadata::ConfigRecord{
            {ConfigResourceKind::kTopic, topic.name}, entry.name, entry.value});
    }
    if (auto problem = check_together(view, with_changes({}, topic.config))) {
        return Error{NamedResult{topic.name, ErrorCode::kInvalidConfig, *std::move(problem)}};
    }
    return records;
}

}  // namespace klab::controller
