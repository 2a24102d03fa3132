// SPDX-License-Identifier: Apache-2.0
//
// The words that a scenario borrows from the model: versions, settings, features, mutants, error
// names, request names, event kinds, invariants. The semantic checks ask this interface, so that
// they can be tested without a model; kafka_vocabulary.h answers from the model's own tables.
//
// An empty list means "not known": then any word is accepted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace klab::scenario {

enum class SettingScope : std::uint8_t { kBroker, kTopic, kProducer, kConsumer, kAdmin };

/// "a broker", "a producer", ...
[[nodiscard]] std::string_view name_of(SettingScope scope);

/// Why a setting or its value cannot stand where it stands.
struct SettingProblem {
    enum class What : std::uint8_t {
        kUnknown,       ///< no such setting there
        kNotInVersion,  ///< the chosen Kafka version does not have it
        kManaged,       ///< klab gives it a value itself
        kWrongValue,    ///< wrong kind, out of range, not one of the allowed words
        kConflict,      ///< contradicts another setting, as Kafka's ConfigException says
        kIgnored        ///< Kafka has it, klab does not act on it (a warning)
    };

    What what = What::kUnknown;
    std::string name;
    std::string allowed;  ///< what may stand there; for kConflict the rule

    friend bool operator==(const SettingProblem&, const SettingProblem&) = default;
};

/// One protocol rule that can be overridden, with its possible values.
struct FeatureInfo {
    std::string name;
    std::vector<std::string> values;
    bool modelled = true;  ///< false: known, but a run always has the first value

    friend bool operator==(const FeatureInfo&, const FeatureInfo&) = default;
};

/// One kind of trace event with the names of its fields.
struct EventInfo {
    std::string name;
    std::vector<std::string> fields;
    bool is_message = false;  ///< goes from a node to another: a trigger may say from and to

    friend bool operator==(const EventInfo&, const EventInfo&) = default;
};

class Vocabulary {
  public:
    virtual ~Vocabulary() = default;

    [[nodiscard]] virtual std::vector<std::string> versions() const { return {}; }

    /// Names of the settings of that scope that the version has.
    [[nodiscard]] virtual std::vector<std::string> settings(SettingScope /*scope*/,
                                                            const std::string& /*version*/) const {
        return {};
    }

    /// What is wrong with these settings, alone and together; at most one problem a name.
    [[nodiscard]] virtual std::vector<SettingProblem> check_settings(
        SettingScope /*scope*/,
        const std::string& /*version*/,
        const std::map<std::string, std::string>& /*values*/) const {
        return {};
    }

    /// The value that holds when nothing is set; empty when unknown.
    [[nodiscard]] virtual std::string default_of(SettingScope /*scope*/,
                                                 const std::string& /*version*/,
                                                 const std::string& /*name*/) const {
        return {};
    }

    [[nodiscard]] virtual std::vector<FeatureInfo> features() const { return {}; }

    [[nodiscard]] virtual std::vector<std::string> mutants() const { return {}; }

    /// Kafka's error names, for example NOT_ENOUGH_REPLICAS.
    [[nodiscard]] virtual std::vector<std::string> errors() const { return {}; }

    /// Kafka's request names, for example Fetch.
    [[nodiscard]] virtual std::vector<std::string> apis() const { return {}; }

    [[nodiscard]] virtual std::vector<EventInfo> events() const { return {}; }

    /// Places in the code that decide something, which an override may fix.
    [[nodiscard]] virtual std::vector<std::string> choice_sites() const { return {}; }

    /// Ids of invariants and oracles that `violates` may name.
    [[nodiscard]] virtual std::vector<std::string> invariants() const { return {}; }
};

}  // namespace klab::scenario
