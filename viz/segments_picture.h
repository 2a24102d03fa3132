// SPDX-License-Identifier: Apache-2.0
//
// The picture `segments`: how one replica finds one offset. Above, the segments of the log with the
// one chosen by its base offset; in the middle, entries of that segment's offset index in the order
// in which the search compared them; below, the batches whose headers were read.
// Owns: nothing. Called by: draw. Filled by: segments_from_world.
// Kafka: LocalLog.read, OffsetIndex.lookup, FileRecords.searchForOffsetWithSize.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viz/picture_head.h"
#include "viz/scene.h"
#include "viz/text_canvas.h"

namespace klab::viz {

/// One segment of the log.
struct SegmentBar {
    std::int64_t base = 0;
    std::int64_t next = 0;    ///< Behind its last offset.
    std::uint64_t bytes = 0;  ///< Of batches.
    bool is_active = false;
    std::optional<std::int32_t> step;  ///< The how-manieth comparison, from 1.
    bool is_chosen = false;

    friend bool operator==(const SegmentBar&, const SegmentBar&) = default;
};

/// One entry of the offset index of the chosen segment.
struct IndexRow {
    std::uint32_t index = 0;
    std::int64_t offset = 0;
    std::int64_t position = 0;         ///< Bytes.
    std::optional<std::int32_t> step;  ///< The how-manieth comparison, from 1.
    bool is_floor = false;             ///< The answer of the search.

    friend bool operator==(const IndexRow&, const IndexRow&) = default;
};

enum class BatchMark : std::uint8_t { kNotRead, kRead, kFound };

/// One batch in the .log file of the chosen segment.
struct BatchBox {
    std::uint64_t position = 0;  ///< Bytes.
    std::uint64_t size = 0;      ///< Bytes.
    std::int64_t base = 0;
    std::int64_t last = 0;
    BatchMark mark = BatchMark::kNotRead;

    friend bool operator==(const BatchBox&, const BatchBox&) = default;
};

struct SegmentsPicture {
    PictureHead head;
    std::string log;          ///< "t-0 on b1".
    std::int64_t offset = 0;  ///< The one that is looked for.
    std::vector<SegmentBar> segments;
    std::uint32_t index_entries = 0;  ///< Of the chosen segment; `rows` may be fewer.
    std::vector<IndexRow> rows;       ///< Ascending.
    std::uint64_t scan_from = 0;      ///< Byte from which headers were read.
    std::vector<BatchBox> batches;    ///< Ascending; those read and some around them.
    std::uint32_t entries_compared = 0;
    std::uint32_t batches_read = 0;
    std::uint64_t bytes_read = 0;  ///< Of the batches whose headers were read.

    friend bool operator==(const SegmentsPicture&, const SegmentsPicture&) = default;
};

/// "00000000000000368796.log".
[[nodiscard]] std::string segment_name(std::int64_t base);

/// "compared 3 entries, read 4 batches, 4000 bytes".
[[nodiscard]] std::string lookup_summary(const SegmentsPicture& picture);

/// The picture for dot and SVG.
[[nodiscard]] Scene segments_scene(const SegmentsPicture& picture);

/// The picture for the terminal, without its head.
[[nodiscard]] std::vector<std::string> segments_text(const SegmentsPicture& picture,
                                                     const TextOptions& options = {});

}  // namespace klab::viz
