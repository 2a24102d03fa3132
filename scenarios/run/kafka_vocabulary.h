// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of the real model: versions, settings, features, mutants, errors, requests and
// events from the tables of model/types.
//
// Called by: the engine and the command line. Invariant ids (model/check) and choice
// sites (the engine) are given to the constructor.
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/vocabulary.h"

namespace klab::scenario {

class KafkaVocabulary : public Vocabulary {
  public:
    /// Both lists may be empty: then any such name is accepted.
    explicit KafkaVocabulary(std::vector<std::string> invariants = {},
                             std::vector<std::string> choice_sites = {});

    [[nodiscard]] std::vector<std::string> versions() const override;
    [[nodiscard]] std::vector<std::string> settings(SettingScope scope,
                                                    const std::string& version) const override;
    [[nodiscard]] std::vector<SettingProblem> check_settings(
        SettingScope scope,
        const std::string& version,
        const std::map<std::string, std::string>& values) const override;
    [[nodiscard]] std::string default_of(SettingScope scope,
                                         const std::string& version,
                                         const std::string& name) const override;
    [[nodiscard]] std::vector<FeatureInfo> features() const override;
    [[nodiscard]] std::vector<std::string> mutants() const override;
    [[nodiscard]] std::vector<std::string> errors() const override;
    [[nodiscard]] std::vector<std::string> apis() const override;
    [[nodiscard]] std::vector<EventInfo> events() const override;
    [[nodiscard]] std::vector<std::string> choice_sites() const override;
    [[nodiscard]] std::vector<std::string> invariants() const override;

  private:
    std::vector<std::string> invariants_;
    std::vector<std::string> choice_sites_;
    std::vector<EventInfo> events_;
};

}  // namespace klab::scenario
