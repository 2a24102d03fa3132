// SPDX-License-Identifier: Apache-2.0
//
// The picture `sequence`: a space-time chart. One vertical axis per node, time downwards, one line
// per message from where it was sent to where it arrived, so that the slope is the latency and a
// lost message ends in a cross. Beside each axis a strip says whether the node is up. Owns:
// nothing. Called by: draw. Filled by: sequence_from_trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "viz/palette.h"
#include "viz/picture_head.h"
#include "viz/scene.h"
#include "viz/text_canvas.h"
#include "viz/time_scale.h"

namespace klab::viz {

enum class SequenceRole : std::uint8_t { kClient, kBroker, kController };

/// A vertical axis. Order: clients, brokers by id, controllers.
struct SequenceNode {
    std::string name;
    SequenceRole role = SequenceRole::kBroker;

    friend bool operator==(const SequenceNode&, const SequenceNode&) = default;
};

/// A stretch of time in which a node was something other than up; open-ended without `to`.
struct SequenceState {
    std::size_t node = 0;  ///< Index into nodes.
    NodeState state = NodeState::kDown;
    Time from;
    std::optional<Time> to;

    friend bool operator==(const SequenceState&, const SequenceState&) = default;
};

enum class MessageFate : std::uint8_t {
    kDelivered,
    kLostOnTheWay,    ///< Swallowed by a cut or a dropped connection.
    kLostAtReceiver,  ///< The receiver was down when it came.
    kStillInFlight    ///< The picture ends before it arrives.
};

/// Records that a message brought and its receiver appended.
struct MessageRecords {
    std::string partition;  ///< Empty if the run has only one.
    std::int64_t first = 0;
    std::int64_t last = 0;

    friend bool operator==(const MessageRecords&, const MessageRecords&) = default;
};

/// One message, or (count > 1) a burst of equal messages drawn as its first.
struct SequenceMessage {
    std::size_t from = 0;  ///< Index into nodes.
    std::size_t to = 0;    ///< Index into nodes.
    Time sent;
    std::optional<Time> received;  ///< For a lost message: when it was lost, if known.
    MessageFate fate = MessageFate::kDelivered;
    std::string api;  ///< "Produce"; a reply has the api of its request.
    bool is_reply = false;
    std::string text;  ///< What stands beside the api: "acks=1"; may be empty.
    std::optional<MessageRecords> records;
    std::optional<std::uint64_t> event;
    std::uint32_t count = 1;
    std::optional<Time> last_sent;  ///< Of a burst.

    friend bool operator==(const SequenceMessage&, const SequenceMessage&) = default;
};

/// Something that happens on one node: "leader of t-0, epoch 6".
struct SequenceMark {
    std::size_t node = 0;  ///< Index into nodes.
    Time at;
    std::string text;
    std::optional<std::uint64_t> event;

    friend bool operator==(const SequenceMark&, const SequenceMark&) = default;
};

/// A fault or another step of the scenario, drawn across all axes.
struct SequenceFault {
    Time at;
    std::string text;
    std::optional<std::uint64_t> event;

    friend bool operator==(const SequenceFault&, const SequenceFault&) = default;
};

struct SequencePicture {
    PictureHead head;
    std::vector<SequenceNode> nodes;
    std::vector<SequenceState> states;
    std::vector<SequenceMessage> messages;  ///< Ascending send time.
    std::vector<SequenceMark> marks;        ///< Ascending time.
    std::vector<SequenceFault> faults;      ///< Ascending time.

    friend bool operator==(const SequencePicture&, const SequencePicture&) = default;
};

/// How alike messages must be to be drawn as one.
enum class BurstDetail : std::uint8_t {
    kEqual,  ///< The same records too.
    kSpans   ///< Records may differ; the burst shows from the first to the last.
};

/// Joins runs of at least `least` like messages (ends, api, direction, text, fate, and records with
/// kEqual) into one message with a count. A run ends at a fault or mark, and where the talk of the
/// same two nodes about that api changes: between two messages of a run there is at most one other
/// kind, always the same. Requires: messages in ascending order of `sent`; least >= 2.
[[nodiscard]] std::vector<SequenceMessage> merge_bursts(const SequencePicture& picture,
                                                        BurstDetail detail = BurstDetail::kEqual,
                                                        std::size_t least = 3);

/// Messages that may be shown one by one before runs of different records are drawn as one.
inline constexpr std::size_t kSequenceDetailMax = 100;

/// What the picture draws: kEqual bursts if that gives at most kSequenceDetailMax messages, else
/// kSpans.
[[nodiscard]] std::vector<SequenceMessage> shown_messages(const SequencePicture& picture);

/// "Produce t-0 @5..7", "Fetch reply", "Fetch x12" with a multiplication sign.
[[nodiscard]] std::string message_label(const SequenceMessage& message);

/// The picture for dot and SVG. Bursts are merged.
[[nodiscard]] Scene sequence_scene(const SequencePicture& picture,
                                   TimeAxis axis = TimeAxis::kCompressed);

/// The picture for the terminal, without its head: one line an event, so never to scale. Bursts are
/// merged.
[[nodiscard]] std::vector<std::string> sequence_text(const SequencePicture& picture,
                                                     const TextOptions& options = {});

}  // namespace klab::viz
