// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/kafka_vocabulary.h"

#include <algorithm>
#include <utility>

#include "model/types/admin_config.h"
#include "model/types/api_key.h"
#include "model/types/broker_config.h"
#include "model/types/consumer_config.h"
#include "model/types/controller_config.h"
#include "model/types/error_code.h"
#include "model/types/features.h"
#include "model/types/kafka_events.h"
#include "model/types/mutants.h"
#include "model/types/producer_config.h"
#include "model/types/settings.h"
#include "model/types/topic_config.h"
#include "model/types/versions.h"

namespace klab::scenario {

namespace {

using types::KafkaVersion;
using types::Where;

/// An unknown version is reported on its own; settings are then judged by the newest rules.
KafkaVersion version_of(const std::string& name) {
    return types::find_version(name).value_or(types::kDefaultVersion);
}

Where where_of(SettingScope scope) {
    switch (scope) {
        case SettingScope::kBroker:
            return Where::kBroker;
        case SettingScope::kTopic:
            return Where::kTopic;
        case SettingScope::kProducer:
            return Where::kProducer;
        case SettingScope::kConsumer:
            return Where::kConsumer;
        case SettingScope::kAdmin:
            return Where::kAdmin;
    }
    return Where::kBroker;
}

const types::Setting* find_row(SettingScope scope, const std::string& name) {
    return scope == SettingScope::kBroker ? types::find_cluster_setting(name)
                                          : types::find_setting(name, where_of(scope));
}

SettingProblem problem_of(const types::SettingError& error) {
    SettingProblem out;
    out.name = error.name;
    out.allowed = error.allowed;
    switch (error.what) {
        case types::SettingError::What::kUnknown:
            out.what = SettingProblem::What::kUnknown;
            break;
        case types::SettingError::What::kNotInVersion:
            out.what = SettingProblem::What::kNotInVersion;
            break;
        case types::SettingError::What::kManaged:
            out.what = SettingProblem::What::kManaged;
            break;
        case types::SettingError::What::kWrongKind:
        case types::SettingError::What::kOutOfRange:
        case types::SettingError::What::kNotAllowed:
            out.what = SettingProblem::What::kWrongValue;
            break;
        case types::SettingError::What::kConflict:
            out.what = SettingProblem::What::kConflict;
            break;
    }
    return out;
}

template <typename T>
types::SettingErrors errors_in(const Result<T, types::SettingErrors>& result) {
    return result.ok() ? types::SettingErrors{} : result.error();
}

/// What only shows when all settings of one place are taken together.
types::SettingErrors conflicts(SettingScope scope,
                               KafkaVersion version,
                               const types::SettingMap& values) {
    switch (scope) {
        case SettingScope::kBroker: {
            const types::SettingErrors broker =
                errors_in(types::make_broker_config(version, values));
            return broker.empty() ? errors_in(types::make_controller_config(version, values))
                                  : broker;
        }
        case SettingScope::kTopic:
            return {};  // no rule ties two topic settings together
        case SettingScope::kProducer:
            return errors_in(types::make_producer_config(version, values));
        case SettingScope::kConsumer:
            return errors_in(types::make_consumer_config(version, values));
        case SettingScope::kAdmin:
            return errors_in(types::make_admin_config(version, values));
    }
    return {};
}

}  // namespace

KafkaVocabulary::KafkaVocabulary(std::vector<std::string> invariants,
                                 std::vector<std::string> choice_sites)
    : invariants_(std::move(invariants)), choice_sites_(std::move(choice_sites)) {
    for (const sim::EventDef& row : types::events::make_event_table().rows) {
        if (row.level == sim::EventLevel::kDetail || std::string_view(row.name).empty()) {
            continue;  // details cannot be triggers
        }
        EventInfo event;
        event.name = row.name;
        for (const sim::FieldDef& field : row.fields) {
            event.fields.emplace_back(field.name);
            const bool end = event.fields.back() == "from" || event.fields.back() == "to";
            event.is_message = event.is_message || (end && field.type == sim::FieldType::kNode);
        }
        events_.push_back(std::move(event));
    }
}

std::vector<std::string> KafkaVocabulary::versions() const {
    std::vector<std::string> out;
    for (const types::VersionInfo& version : types::all_versions()) {
        out.emplace_back(version.name);
    }
    return out;
}

std::vector<std::string> KafkaVocabulary::settings(SettingScope scope,
                                                   const std::string& version) const {
    std::vector<std::string> out;
    std::vector<Where> places = {where_of(scope)};
    if (scope == SettingScope::kBroker) {
        places.push_back(Where::kController);
    }
    for (const Where place : places) {
        for (const types::Setting& row : types::settings_of(place)) {
            if (types::exists_in(row, version_of(version))) {
                out.emplace_back(row.name);
            }
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::vector<SettingProblem> KafkaVocabulary::check_settings(
    SettingScope scope,
    const std::string& version,
    const std::map<std::string, std::string>& values) const {
    const KafkaVersion kafka = version_of(version);
    std::vector<SettingProblem> problems;
    types::SettingMap right;
    for (const auto& [name, value] : values) {
        const types::Setting* row = find_row(scope, name);
        if (row == nullptr) {
            problems.push_back({SettingProblem::What::kUnknown, name, ""});
            continue;
        }
        const Result<types::SettingValue, types::SettingError> checked =
            types::check_setting(*row, value, kafka);
        if (!checked.ok()) {
            problems.push_back(problem_of(checked.error()));
            continue;
        }
        if (row->support == types::Support::kKnown) {
            problems.push_back({SettingProblem::What::kIgnored, name, ""});
        }
        right.emplace(name, value);
    }
    for (const types::SettingError& error : conflicts(scope, kafka, right)) {
        problems.push_back(problem_of(error));
    }
    return problems;
}

std::string KafkaVocabulary::default_of(SettingScope scope,
                                        const std::string& version,
                                        const std::string& name) const {
    const types::Setting* row = find_row(scope, name);
    return row == nullptr ? std::string()
                          : std::string(types::default_in(*row, version_of(version)));
}

std::vector<FeatureInfo> KafkaVocabulary::features() const {
    std::vector<FeatureInfo> out;
    for (const types::FeatureInfo& feature : types::all_features()) {
        out.push_back(
            {std::string(feature.name), types::allowed_values(feature), feature.modelled});
    }
    return out;
}

std::vector<std::string> KafkaVocabulary::mutants() const {
    std::vector<std::string> out;
    for (const types::MutantInfo& mutant : types::all_mutants()) {
        out.emplace_back(mutant.name);
    }
    return out;
}

std::vector<std::string> KafkaVocabulary::errors() const {
    std::vector<std::string> out;
    for (const types::ErrorInfo& error : types::all_errors()) {
        out.emplace_back(error.name);
    }
    return out;
}

std::vector<std::string> KafkaVocabulary::apis() const {
    std::vector<std::string> out;
    for (const types::ApiKey api : {types::ApiKey::kProduce,
                                    types::ApiKey::kFetch,
                                    types::ApiKey::kListOffsets,
                                    types::ApiKey::kMetadata,
                                    types::ApiKey::kCreateTopics,
                                    types::ApiKey::kDeleteTopics,
                                    types::ApiKey::kDeleteRecords,
                                    types::ApiKey::kInitProducerId,
                                    types::ApiKey::kOffsetForLeaderEpoch,
                                    types::ApiKey::kCreatePartitions,
                                    types::ApiKey::kElectLeaders,
                                    types::ApiKey::kIncrementalAlterConfigs,
                                    types::ApiKey::kAlterPartitionReassignments,
                                    types::ApiKey::kListPartitionReassignments,
                                    types::ApiKey::kAlterPartition,
                                    types::ApiKey::kBrokerRegistration,
                                    types::ApiKey::kBrokerHeartbeat,
                                    types::ApiKey::kUnregisterBroker,
                                    types::ApiKey::kAllocateProducerIds}) {
        out.emplace_back(types::api_name(static_cast<std::int64_t>(api)));
    }
    return out;
}

std::vector<EventInfo> KafkaVocabulary::events() const { return events_; }

std::vector<std::string> KafkaVocabulary::choice_sites() const { return choice_sites_; }

std::vector<std::string> KafkaVocabulary::invariants() const { return invariants_; }

}  // namespace klab::scenario
