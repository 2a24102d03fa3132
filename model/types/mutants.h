// SPDX-License-Identifier: Apache-2.0
//
// Mutants: deliberately wrong rules, switched on by name, that measure whether the checks of this
// laboratory can see a wrong protocol. Each removes one check that Kafka makes; each must be caught
// by an invariant or an oracle. They exist in every build type and are off unless asked for.
//
// Called by: rules.h (bits), scenario files ("mutant"), `klab explain`, the tests of model/check.
// Kafka: every row names the check it removes; the list follows the checks that the published
// specifications of replication (KIP-101, 279, 320, 497, 903, 966) mark as necessary.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace klab::types {

/// One wrong rule. The order is that of the table `all_mutants()`, sorted by name.
enum class Mutant : std::uint8_t {
    kAckBeforeAppend,
    kBrokerEpochUnchecked,
    kCleanerDropsLatest,
    kEpochNotFenced,
    kExpandBelowHw,
    kFencedInIsr,
    kFetchResponseUnchecked,
    kFollowerStateNotReset,
    kHwGateSkipped,
    kHwPastLaggingIsrMember,
    kIsrExpandTooEarly,
    kMaximalIsrIgnored,
    kPartitionEpochUnchecked,
    kSequenceUnchecked,
    kTruncationSkipped,
};

inline constexpr std::uint32_t kMutantCount = 15;

/// What one mutant does, for people and for the tests that must catch it.
struct MutantInfo {
    Mutant mutant;
    std::string_view name;       ///< as written in a scenario file
    std::string_view wrong;      ///< which check is missing, and where
    std::string_view caught_by;  ///< invariant ids of model/check, comma separated
    std::string_view source;     ///< the KIP, JIRA or class.method that has the right rule
};

/// Every mutant, sorted by name.
[[nodiscard]] std::span<const MutantInfo> all_mutants();

[[nodiscard]] const MutantInfo& info(Mutant mutant);

[[nodiscard]] std::optional<Mutant> find_mutant(std::string_view name);

}  // namespace klab::types
