// SPDX-License-Identifier: Apache-2.0
//
// quorum-state: the small JSON file in which a node of the metadata quorum keeps its epoch, its
// vote and the leader it knows, so that no restart makes it vote twice or lead an epoch twice.
//
// Owns: the file's text and how it is replaced (temporary file, fsync, rename, directory sync).
// Called by: quorum_node.cc.
// Kafka: FileQuorumStateStore, QuorumStateData.json; KIP-595.
// Simplified: data version 0 (static voters) is written; version 1 is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/kafka_ids.h"
#include "sim/disk/disk.h"
#include "sim/kernel/context.h"

namespace klab::raft {

inline constexpr std::string_view kQuorumStateFile = "quorum-state";

/// Durable: what a node must not forget about elections.
struct ElectionState {
    types::QuorumEpoch epoch;
    std::optional<types::BrokerId> leader;     ///< of that epoch, once known
    std::optional<types::BrokerId> voted_for;  ///< in that epoch
    std::vector<types::BrokerId> voters;       ///< as configured when it was written

    friend bool operator==(const ElectionState&, const ElectionState&) = default;
};

/// One line of JSON, as Kafka writes it.
[[nodiscard]] std::string to_quorum_state_text(const ElectionState& state);

/// Nothing when the text is not a quorum-state of data version 0 or 1.
[[nodiscard]] std::optional<ElectionState> parse_quorum_state(std::string_view text);

/// Reads `directory`/quorum-state. Nothing when it is missing or unreadable (Kafka then begins with
/// an unknown leader at the log's last epoch).
[[nodiscard]] std::optional<ElectionState> read_quorum_state(sim::DiskAccess disk,
                                                             const std::string& directory);

/// Replaces the file durably. Requires: the directory exists.
[[nodiscard]] sim::DiskResult<sim::Done> write_quorum_state(sim::DiskAccess disk,
                                                            const std::string& directory,
                                                            const ElectionState& state);

}  // namespace klab::raft
