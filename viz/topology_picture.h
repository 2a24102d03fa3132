// SPDX-License-Identifier: Apache-2.0
//
// The picture `topology`: who is where at one instant. Controllers above, brokers in a row by id
// with their replicas inside, clients below, arrows for fetching and producing, a red cross on cut
// links. Owns: nothing. Called by: draw. Filled by: topology_from_trace. Simplified: heartbeats are
// never drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viz/palette.h"
#include "viz/picture_head.h"
#include "viz/scene.h"
#include "viz/text_canvas.h"

namespace klab::viz {

/// One replica inside a broker.
struct TopologyReplica {
    std::string partition;  ///< "t-0".
    ReplicaState state = ReplicaState::kInSync;
    std::optional<std::int64_t> high_watermark;
    std::optional<std::int64_t> log_end_offset;

    friend bool operator==(const TopologyReplica&, const TopologyReplica&) = default;
};

struct TopologyBroker {
    std::string name;
    std::string rack;  ///< Empty for none.
    std::optional<std::int64_t> broker_epoch;
    NodeState state = NodeState::kUp;
    std::vector<TopologyReplica> replicas;  ///< By topic and partition.

    friend bool operator==(const TopologyBroker&, const TopologyBroker&) = default;
};

struct TopologyController {
    std::string name;
    bool is_leader = false;
    std::optional<std::int32_t> term;  ///< Raft leader epoch as this node knows it.
    NodeState state = NodeState::kUp;

    friend bool operator==(const TopologyController&, const TopologyController&) = default;
};

struct TopologyClient {
    std::string name;
    std::string text;  ///< "producer acks=all", "consumer t-0".

    friend bool operator==(const TopologyClient&, const TopologyClient&) = default;
};

enum class LinkKind : std::uint8_t { kFetch, kProduce, kConsume, kCut };

/// An arrow between two nodes by name. `text` is a short label; a cut has no direction.
struct TopologyLink {
    std::string from;
    std::string to;
    LinkKind kind = LinkKind::kFetch;
    std::string text;

    friend bool operator==(const TopologyLink&, const TopologyLink&) = default;
};

struct TopologyPicture {
    PictureHead head;
    std::optional<std::int64_t> metadata_offset;  ///< End of the metadata log.
    std::vector<TopologyController> controllers;  ///< By id.
    std::vector<TopologyBroker> brokers;          ///< By id.
    std::vector<TopologyClient> clients;          ///< As declared.
    std::vector<TopologyLink> links;

    friend bool operator==(const TopologyPicture&, const TopologyPicture&) = default;
};

/// True beyond 12 brokers or 40 partitions: replicas become squares that show only their colour.
[[nodiscard]] bool is_crowded(const TopologyPicture& picture);

/// "t-0 LEAD 8/10" (high watermark / log end offset), "t-0 ISR 10", "t-0 out 8".
[[nodiscard]] std::string replica_text(const TopologyReplica& replica);

/// "b1 rack a e11", "b3 FENCED".
[[nodiscard]] std::string broker_text(const TopologyBroker& broker);

/// "k1* term 3" for the leader, "k2" otherwise.
[[nodiscard]] std::string controller_text(const TopologyController& controller);

/// The picture for dot and SVG.
[[nodiscard]] Scene topology_scene(const TopologyPicture& picture);

/// The picture for the terminal, without its head.
[[nodiscard]] std::vector<std::string> topology_text(const TopologyPicture& picture,
                                                     const TextOptions& options = {});

}  // namespace klab::viz
