// SPDX-License-Identifier: Apache-2.0
//
// The one table of colours and signs of every picture, shared by the dot, SVG and text writers.
// A colour never stands alone: each has a word or a pattern beside it, for colour-blind readers and
// for black-and-white print. The eight hues are the Okabe-Ito set without its black, plus a wine
// red. Owns: nothing. Called by: all pictures.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace klab::viz {

struct Color {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    friend bool operator==(Color, Color) = default;
};

/// "#0072b2": six lower-case digits, the only form that Graphviz takes without a warning.
[[nodiscard]] std::string to_hex(Color color);

/// The colour mixed with white: `percent` 0 is the colour itself, 100 is white.
[[nodiscard]] Color lighten(Color color, std::int32_t percent);

enum class Stroke : std::uint8_t { kNone, kSolid, kDashed, kDotted };

/// How a line is drawn; width in points.
struct Pen {
    Color color;
    Stroke stroke = Stroke::kSolid;
    std::int32_t width = 1;

    friend bool operator==(const Pen&, const Pen&) = default;
};

enum class Pattern : std::uint8_t { kNone, kSolid, kHatched };

/// How a surface is filled.
struct Paint {
    Pattern pattern = Pattern::kNone;
    Color color;

    friend bool operator==(const Paint&, const Paint&) = default;
};

/// Surface, border and text colour that belong together.
struct Style {
    Pen pen;
    Paint paint;
    Color ink;
    bool bold = false;

    friend bool operator==(const Style&, const Style&) = default;
};

inline constexpr Color kWhite{255, 255, 255};
inline constexpr Color kBlack{0, 0, 0};
inline constexpr Color kInk{34, 34, 34};
inline constexpr Color kMutedInk{95, 95, 95};
inline constexpr Color kRule{190, 190, 190};
inline constexpr Color kPaleGrey{238, 238, 238};
inline constexpr Color kGrey{204, 204, 204};
inline constexpr Color kAlarm{204, 0, 0};
inline constexpr Color kPaleAlarm{253, 226, 222};
inline constexpr Color kBlue{0, 114, 178};
inline constexpr Color kGreen{0, 158, 115};

/// Number of hues before epochs repeat with hatching.
inline constexpr std::int32_t kEpochHues = 8;

/// Surface of records of one leader epoch: hue by `epoch` modulo 8, hatched in every second round.
[[nodiscard]] Style epoch_style(std::int32_t epoch);

/// Where a replica stands, in the order of the legend.
enum class ReplicaState : std::uint8_t { kLeader, kInSync, kOutOfSync, kOffline };

/// Leader: filled and bold. In sync: light. Out of sync: grey. Offline (fenced, down): red dashed.
[[nodiscard]] Style replica_style(ReplicaState state);

/// "LEAD", "ISR", "out", "off".
[[nodiscard]] std::string_view replica_word(ReplicaState state);

/// What a node is doing, for strips and boxes.
enum class NodeState : std::uint8_t { kUp, kFenced, kPaused, kDown, kStarting };

/// Up: plain. Fenced: red dashed. Paused: hatched. Down: grey dotted. Starting: light blue.
[[nodiscard]] Style node_style(NodeState state);

/// "up", "FENCED", "paused", "DOWN", "starting".
[[nodiscard]] std::string_view node_word(NodeState state);

/// One colour for each Kafka api, request and reply alike; apis without an own colour share a grey.
[[nodiscard]] Color api_color(std::string_view api);

}  // namespace klab::viz
