// SPDX-License-Identifier: Apache-2.0
//
// Kind and format -> text. See draw.h.
#include "viz/draw.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/dot_writer.h"
#include "viz/election_from_trace.h"
#include "viz/isr_from_trace.h"
#include "viz/log_from_trace.h"
#include "viz/printable.h"
#include "viz/segments_picture.h"
#include "viz/sequence_from_trace.h"
#include "viz/svg_writer.h"
#include "viz/topology_from_trace.h"

namespace klab::viz {

namespace {

using Drawn = Result<std::string, DrawError>;

constexpr std::array<PictureKind, 6> kKinds{PictureKind::kTopology,
                                            PictureKind::kElection,
                                            PictureKind::kLog,
                                            PictureKind::kSequence,
                                            PictureKind::kSegments,
                                            PictureKind::kIsr};

constexpr std::array<PictureFormat, 3> kFormats{
    PictureFormat::kDot, PictureFormat::kSvg, PictureFormat::kText};

/// Writes a picture that has a scene and a text form.
template <typename MakeScene, typename MakeText>
std::string write(const PictureHead& head,
                  const DrawOptions& options,
                  const MakeScene& make_scene,
                  const MakeText& make_text) {
    switch (options.format) {
        case PictureFormat::kDot:
            return write_dot(make_scene());
        case PictureFormat::kSvg:
            return write_svg(make_scene());
        case PictureFormat::kText:
            return write_text(head, make_text(), options.text);
    }
    KLAB_ASSERT(false, "format {}", static_cast<int>(options.format));
    return {};
}

std::string known_partitions(const TraceView& view) {
    std::string text;
    for (const PartitionKey key : view.partitions()) {
        text += (text.empty() ? "partitions of this run: " : ", ") + view.partition_name(key);
    }
    return text.empty() ? "this run has no partitions" : text;
}

/// The partition that the options name; without one the first of the run.
Result<PartitionKey, DrawError> chosen_partition(const TraceView& view,
                                                 const DrawOptions& options) {
    const std::vector<PartitionKey> all = view.partitions();
    if (options.partition) {
        if (const std::optional<PartitionKey> key = view.find_partition(*options.partition)) {
            return *key;
        }
        return Error{
            DrawError{fmt::format("there is no partition \"{}\"", to_printable(*options.partition)),
                      known_partitions(view)}};
    }
    if (all.empty()) {
        return Error{DrawError{"this run has no partition to draw", ""}};
    }
    return all.front();
}

Drawn draw_topology(const TraceView& view, const DrawOptions& options) {
    const TopologyPicture picture = topology_from_trace(view, options.at.value_or(view.end()));
    return write(
        picture.head,
        options,
        [&] { return topology_scene(picture); },
        [&] { return topology_text(picture, options.text); });
}

Drawn draw_election(const TraceView& view, const DrawOptions& options) {
    ElectionChoice choice;
    choice.at = options.at;
    if (options.partition) {
        const auto partition = chosen_partition(view, options);
        if (!partition) {
            return Error{partition.error()};
        }
        choice.partition = *partition;
    }
    const sim::Event* election = find_election(view, choice);
    if (election == nullptr) {
        std::string where = options.partition ? " of " + to_printable(*options.partition) : "";
        if (options.at) {
            where += " before " + to_short_clock(*options.at);
        }
        return Error{DrawError{"there was no election" + where,
                               "klab draw sequence shows what happened instead"}};
    }
    const ElectionPicture picture = election_from_trace(view, *election);
    return write(
        picture.head,
        options,
        [&] { return election_scene(picture); },
        [&] { return election_text(picture, options.text); });
}

Drawn draw_log(const TraceView& view, const DrawOptions& options) {
    const auto partition = chosen_partition(view, options);
    if (!partition) {
        return Error{partition.error()};
    }
    LogPicture picture = log_from_trace(view, *partition, options.at.value_or(view.end()));
    switch (options.around) {
        case LogFocus::kHighWatermark:
            break;
        case LogFocus::kDivergence:
            picture.around = first_divergence(picture);
            break;
    }
    return write(
        head_with_folds(picture, log_text_columns(picture, options.text)),  // the scene has its own
        options,
        [&] { return log_scene(picture); },
        [&] { return log_text(picture, options.text); });
}

/// What is wrong with --from and --to together.
std::optional<DrawError> check_stretch(const DrawOptions& options) {
    if (options.from && options.to && *options.to < *options.from) {
        return DrawError{fmt::format("--to {} is before --from {}",
                                     to_short_clock(*options.to),
                                     to_short_clock(*options.from)),
                         ""};
    }
    return std::nullopt;
}

Drawn draw_isr(const TraceView& view, const DrawOptions& options) {
    if (const auto problem = check_stretch(options)) {
        return Error{*problem};
    }
    const auto partition = chosen_partition(view, options);
    if (!partition) {
        return Error{partition.error()};
    }
    const IsrPicture picture = isr_from_trace(view, *partition, options.from, options.to);
    if (picture.strips.empty()) {
        return Error{DrawError{
            fmt::format("{} does not exist in that stretch of time", picture.partition), ""}};
    }
    return write(
        picture.head,
        options,
        [&] { return isr_scene(picture); },
        [&] { return isr_text(picture, options.text); });
}

Drawn draw_sequence(const TraceView& view, const DrawOptions& options) {
    if (const auto problem = check_stretch(options)) {
        return Error{*problem};
    }
    const SequencePicture picture =
        sequence_from_trace(view, {options.from, options.to, options.show_all});
    return write(
        picture.head,
        options,
        [&] { return sequence_scene(picture, options.axis); },
        [&] { return sequence_text(picture, options.text); });
}

Drawn draw_segments(const TraceView& view, const DrawOptions& options) {
    if (!view.input().segments) {
        return Error{DrawError{"no lookup was made in this run", "klab draw segments makes one"}};
    }
    SegmentsPicture picture = *view.input().segments;
    picture.head = view.head(
        fmt::format("offset {} in {}", picture.offset, picture.log), view.end(), view.end());
    return write(
        picture.head,
        options,
        [&] { return segments_scene(picture); },
        [&] { return segments_text(picture, options.text); });
}

}  // namespace

std::string_view picture_kind_word(PictureKind kind) {
    switch (kind) {
        case PictureKind::kTopology:
            return "topology";
        case PictureKind::kElection:
            return "election";
        case PictureKind::kLog:
            return "log";
        case PictureKind::kSequence:
            return "sequence";
        case PictureKind::kSegments:
            return "segments";
        case PictureKind::kIsr:
            return "isr";
    }
    KLAB_ASSERT(false, "kind {}", static_cast<int>(kind));
    return {};
}

std::vector<std::string_view> picture_kind_words() {
    std::vector<std::string_view> words;
    for (const PictureKind kind : kKinds) {
        words.push_back(picture_kind_word(kind));
    }
    return words;
}

std::optional<PictureKind> parse_picture_kind(std::string_view word) {
    for (const PictureKind kind : kKinds) {
        if (picture_kind_word(kind) == word) {
            return kind;
        }
    }
    return std::nullopt;
}

std::string_view picture_format_word(PictureFormat format) {
    switch (format) {
        case PictureFormat::kDot:
            return "dot";
        case PictureFormat::kSvg:
            return "svg";
        case PictureFormat::kText:
            return "text";
    }
    KLAB_ASSERT(false, "format {}", static_cast<int>(format));
    return {};
}

std::vector<std::string_view> picture_format_words() {
    std::vector<std::string_view> words;
    for (const PictureFormat format : kFormats) {
        words.push_back(picture_format_word(format));
    }
    return words;
}

std::optional<PictureFormat> parse_picture_format(std::string_view word) {
    for (const PictureFormat format : kFormats) {
        if (picture_format_word(format) == word) {
            return format;
        }
    }
    return std::nullopt;
}

Result<std::string, DrawError> draw(PictureKind kind,
                                    const PictureInput& input,
                                    const DrawOptions& options) {
    const TraceView view(input);
    switch (kind) {
        case PictureKind::kTopology:
            return draw_topology(view, options);
        case PictureKind::kElection:
            return draw_election(view, options);
        case PictureKind::kLog:
            return draw_log(view, options);
        case PictureKind::kSequence:
            return draw_sequence(view, options);
        case PictureKind::kSegments:
            return draw_segments(view, options);
        case PictureKind::kIsr:
            return draw_isr(view, options);
    }
    KLAB_ASSERT(false, "kind {}", static_cast<int>(kind));
    return std::string();
}

}  // namespace klab::viz
