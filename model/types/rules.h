// SPDX-License-Identifier: Apache-2.0
//
// Rules: everything about the protocol that differs between Kafka versions, resolved for one run,
// plus the bits of the mutants. Every function whose behaviour varies takes `const Rules&` and
// reads a plain field; nothing in the model compares version numbers.
//
// Owns: the meaning of each field. features.cc fills them from the tables.
// Called by: every layer of the model. Value: regular, a few words, never changes during a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/mutants.h"
#include "model/types/versions.h"
#include "sim/base/result.h"

namespace klab::types {

/// How a follower finds the point from which its log may differ from the leader's.
enum class LogTruncation : std::uint8_t {
    kHighWatermark,  ///< cut to the own high watermark on becoming follower (before KIP-101)
    kLeaderEpoch,    ///< compare leader epochs on each fetch (KIP-101, 279, 320, 595)
};

/// The rules of one run. Field by field the features of features.h, in that order.
struct Rules {
    KafkaVersion version = kDefaultVersion;

    /// The cleaner keeps transaction markers out of the comparison of keys (KAFKA-14055).
    bool cleaner_spares_markers = true;

    /// A log that cannot be cleaned does not end the cleaner (KIP-346).
    bool cleaner_survives_bad_logs = true;

    /// A consumer leaves a broker out of its fetches while data from it wait to be polled (4.0).
    bool consumer_skips_buffered_nodes = true;

    /// Eligible leader replicas (KIP-966). Needs Kafka 4.0 or later.
    bool elr = true;

    /// A follower drops batches of a leader epoch newer than the one it asked with (KAFKA-18723).
    bool fetch_drops_newer_epoch = true;

    /// The leader's high watermark stands still while its committed ISR is smaller than the
    /// effective min.insync.replicas (KAFKA-15583, needed by KIP-966).
    bool hw_held_below_min_isr = true;

    /// Every batch of an append can get an index entry, not only the append (KAFKA-806, 4.0.1).
    bool index_each_batch = true;

    /// A replica joins the ISR only if its registered broker epoch is the one of its last fetch
    /// (KIP-903).
    bool isr_join_checks_broker_epoch = true;

    /// A replica joins the ISR only once its log end reached the start of the current leader epoch,
    /// not merely the high watermark (KAFKA-7128).
    bool isr_join_needs_epoch_start = true;

    /// An ISR shrink also raises the leader epoch (metadata.version before 3.6-IV0, KAFKA-15021).
    bool leader_epoch_bump_on_shrink = false;

    /// Produce and Fetch errors carry the new leader and its epoch (KIP-951).
    bool leader_hints = true;

    /// Brokers tell the controller where replicas are and which log directories failed (KIP-858).
    bool log_dirs_reported = true;

    LogTruncation log_truncation = LogTruncation::kLeaderEpoch;

    /// An idempotent producer whose sequence a broker refuses raises its epoch and goes on
    /// (KIP-360).
    bool producer_bumps_epoch = true;

    /// A broker knows a producer until it expires, also when all its records are deleted
    /// (KAFKA-7190, KIP-360).
    bool producer_outlives_records = true;

    /// A part of a batch that was split and is still too large is halved (KAFKA-8350). Off: every
    /// split aims at batch.size.
    bool producer_split_shrinks = false;

    /// A stop leaves the marker of a clean shutdown only if the logs had been loaded (KAFKA-15375).
    bool shutdown_marker_needs_load = true;

    /// A KRaft controller elects uncleanly by itself when unclean.leader.election.enable is true
    /// (KAFKA-12670). Off: the setting has no effect, only an operator can ask for an unclean
    /// election.
    bool unclean_obeyed_in_kraft = true;

    /// One bit a mutant, at the place of its enumerator.
    std::uint32_t mutants = 0;

    /// Is this wrong rule switched on?
    [[nodiscard]] constexpr bool mutated(Mutant mutant) const {
        return (mutants >> static_cast<std::uint32_t>(mutant) & 1U) != 0;
    }

    friend bool operator==(const Rules&, const Rules&) = default;
};

/// One thing wrong with the version, a feature or a mutant that was asked for.
struct RulesError {
    enum class What : std::uint8_t {
        kUnknownVersion,
        kUnknownFeature,
        kFeatureNotModelled,  ///< Kafka has it, klab cannot run it yet
        kUnknownFeatureValue,
        kFeatureNeedsVersion,  ///< the version's metadata cannot hold it
        kUnknownMutant,
    };

    What what = What::kUnknownVersion;
    std::string name;                  ///< the version, feature or mutant as given
    std::string given;                 ///< the value of the feature as given, else empty
    std::vector<std::string> allowed;  ///< what may stand there, in table order

    friend bool operator==(const RulesError&, const RulesError&) = default;
};

/// One sentence for people, with the allowed values.
[[nodiscard]] std::string to_text(const RulesError& error);

/// The rules of a Kafka version with single features overridden (feature name -> value text,
/// booleans as "true" and "false") and mutants switched on. Errors: all of them at once, in the
/// order version, features by name, mutants as given.
[[nodiscard]] Result<Rules, std::vector<RulesError>> make_rules(
    std::string_view version,
    const std::map<std::string, std::string>& features = {},
    const std::vector<std::string>& mutants = {});

/// The same without overrides; cannot fail.
[[nodiscard]] Rules rules_of(KafkaVersion version);

}  // namespace klab::types
