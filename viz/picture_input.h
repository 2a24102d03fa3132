// SPDX-License-Identifier: Apache-2.0
//
// What a picture is drawn from: the recorded events of a run and the few facts about it that no
// event holds. A value: taking it costs nothing, because recordings and interners are shared. Owns:
// nothing. Called by: whoever has run a world (scenarios/run), the *_from_trace files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/model_data.h"
#include "sim/base/time.h"
#include "sim/trace/interner.h"
#include "sim/trace/recording.h"
#include "viz/segments_picture.h"

namespace klab::viz {

enum class PictureNodeKind : std::uint8_t { kBroker, kController, kClient };

/// One node of the world.
struct PictureNode {
    sim::NodeId node;
    std::string name;
    PictureNodeKind kind = PictureNodeKind::kBroker;
    std::optional<std::int32_t> broker_id;  ///< Of a broker.
    std::string rack;                       ///< Of a broker; empty for none.
    std::string text;                       ///< Of a client: "producer acks=1".

    friend bool operator==(const PictureNode&, const PictureNode&) = default;
};

/// A step of the scenario that fired: what the author calls the fault.
struct PictureMark {
    std::string id;
    Time at;  ///< True virtual time, like that of events.
    std::string text;

    friend bool operator==(const PictureMark&, const PictureMark&) = default;
};

struct PictureInput {
    sim::Recording recording;
    sim::Interner interner;
    std::vector<PictureNode> nodes;  ///< In any order.
    std::string title;               ///< Of the scenario.
    std::uint64_t seed = 0;
    std::string kafka_version;  ///< "4.1".
    Time origin;                ///< True time of the scenario's time 0; pictures count from it.
    Time end;                   ///< True time at which the run ended.
    std::optional<SegmentsPicture> segments;  ///< A lookup where the run ended, without its head.
    std::vector<PictureMark> marks;           ///< Empty: faults are taken from the events.

    friend bool operator==(const PictureInput&, const PictureInput&) = default;
};

/// The nodes of a cluster layout, with a short text for each client.
[[nodiscard]] std::vector<PictureNode> picture_nodes(const types::ClusterSpec& cluster);

}  // namespace klab::viz
