// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary with everything that this engine knows: the model's words, the ids of checks for
// `violates`, and the choice sites for `overrides`.
//
// Called by: whoever loads a scenario to play it.
#pragma once

#include "scenarios/run/kafka_vocabulary.h"

namespace klab::scenario {

[[nodiscard]] KafkaVocabulary engine_vocabulary();

}  // namespace klab::scenario
