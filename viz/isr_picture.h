// SPDX-License-Identifier: Apache-2.0
//
// The picture `isr`: one partition over time, to scale. Above, the curves of the leader's log end
// offset and high watermark; a strip for each replica that says what it was when; below, the size
// of the ISR against min.insync.replicas; faults as vertical lines through all of it.
//
//      LEO, HW      rising steps
//      b1           LEADER            | down
//      b2           ISR               | LEADER
//      b3           ISR   | lagging   | catching up | ISR
//      |ISR|        3     | 2         | 1, below min.insync.replicas
//
// Owns: nothing. Called by: draw. Filled by: isr_from_trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viz/palette.h"
#include "viz/picture_head.h"
#include "viz/scene.h"
#include "viz/sequence_picture.h"
#include "viz/text_canvas.h"

namespace klab::viz {

/// What a replica is for the partition, by the committed metadata and its process.
enum class IsrState : std::uint8_t { kLeader, kInSync, kCatchingUp, kLagging, kDown };

/// "LEADER", "ISR", "catching up", "lagging", "down".
[[nodiscard]] std::string_view isr_state_word(IsrState state);

struct IsrSpan {
    Time from;
    Time to;
    IsrState state = IsrState::kLagging;

    friend bool operator==(const IsrSpan&, const IsrSpan&) = default;
};

struct IsrStrip {
    std::string broker;          ///< "b1".
    std::vector<IsrSpan> spans;  ///< Ascending, without gaps.

    friend bool operator==(const IsrStrip&, const IsrStrip&) = default;
};

/// The leader's offsets from an instant on. Absent while nobody leads.
struct IsrOffsets {
    Time at;
    std::optional<std::int64_t> log_end_offset;
    std::optional<std::int64_t> high_watermark;

    friend bool operator==(const IsrOffsets&, const IsrOffsets&) = default;
};

/// The committed ISR from an instant on.
struct IsrSize {
    Time at;
    std::int32_t members = 0;
    std::optional<std::int64_t> min_isr;  ///< As the metadata say; absent: they do not.

    friend bool operator==(const IsrSize&, const IsrSize&) = default;
};

struct IsrPicture {
    PictureHead head;
    std::string partition;
    std::vector<IsrStrip> strips;       ///< In the order of assignment.
    std::vector<IsrOffsets> offsets;    ///< Ascending.
    std::vector<IsrSize> sizes;         ///< Ascending.
    std::vector<SequenceFault> faults;  ///< Ascending.

    friend bool operator==(const IsrPicture&, const IsrPicture&) = default;
};

/// The picture for dot and SVG.
[[nodiscard]] Scene isr_scene(const IsrPicture& picture);

/// The picture for the terminal, without its head.
[[nodiscard]] std::vector<std::string> isr_text(const IsrPicture& picture,
                                                const TextOptions& options = {});

}  // namespace klab::viz
