// SPDX-License-Identifier: Apache-2.0
//
// The one door to pictures: a recorded run, a kind and a format in; text out.
// Owns: nothing. Called by: scenarios/cli (klab draw), scenarios/run (--out).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/time.h"
#include "viz/picture_input.h"
#include "viz/text_canvas.h"
#include "viz/time_scale.h"

namespace klab::viz {

enum class PictureKind : std::uint8_t { kTopology, kElection, kLog, kSequence, kSegments, kIsr };

enum class PictureFormat : std::uint8_t { kDot, kSvg, kText };

/// Where the picture `log` looks if it cannot show everything.
enum class LogFocus : std::uint8_t { kHighWatermark, kDivergence };

/// Times count from the scenario's time 0. An option that a kind does not know is ignored.
struct DrawOptions {
    PictureFormat format = PictureFormat::kDot;
    std::optional<std::string> partition;  ///< "t-0"; default: the first, or that of the election.
    std::optional<Time> at;  ///< topology, log: the instant (default: the end). election: the last
                             ///< election before it.
    std::optional<Time> from;  ///< sequence, isr.
    std::optional<Time> to;    ///< sequence, isr.
    LogFocus around = LogFocus::kHighWatermark;
    TimeAxis axis = TimeAxis::kCompressed;
    bool show_all = false;  ///< sequence: also heartbeats and metadata.
    TextOptions text;
};

/// Why there is no picture. `message` is one sentence, `hint` what to try (may be empty).
struct DrawError {
    std::string message;
    std::string hint;

    friend bool operator==(const DrawError&, const DrawError&) = default;
};

/// The words of `klab draw KIND`, in the order of the enum.
[[nodiscard]] std::vector<std::string_view> picture_kind_words();

[[nodiscard]] std::string_view picture_kind_word(PictureKind kind);

[[nodiscard]] std::optional<PictureKind> parse_picture_kind(std::string_view word);

[[nodiscard]] std::vector<std::string_view> picture_format_words();

[[nodiscard]] std::string_view picture_format_word(PictureFormat format);

[[nodiscard]] std::optional<PictureFormat> parse_picture_format(std::string_view word);

/// Draws. The text ends with a line feed and is the same for the same input.
/// Errors: unknown partition, no election to show, a stretch that ends before it begins; segments
/// without a lookup in the input.
[[nodiscard]] Result<std::string, DrawError> draw(PictureKind kind,
                                                  const PictureInput& input,
                                                  const DrawOptions& options);

}  // namespace klab::viz
