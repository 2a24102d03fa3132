// SPDX-License-Identifier: Apache-2.0
//
// The picture `topology` for the terminal, and the texts both forms share. See topology_picture.h.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/printable.h"
#include "viz/topology_picture.h"

namespace klab::viz {

namespace {

std::string_view crowded_sign(ReplicaState state) {
    switch (state) {
        case ReplicaState::kLeader:
            return "L";
        case ReplicaState::kInSync:
            return "i";
        case ReplicaState::kOutOfSync:
            return "o";
        case ReplicaState::kOffline:
            return "x";
    }
    KLAB_ASSERT(false, "replica state {}", static_cast<int>(state));
    return {};
}

/// Text of a replica in its box; the leader stands in brackets.
std::string replica_line(const TopologyReplica& replica) {
    const std::string text = replica_text(replica);
    return replica.state == ReplicaState::kLeader ? "[" + text + "]" : " " + text;
}

/// What stands inside the frame of a broker.
std::vector<std::string> broker_lines(const TopologyBroker& broker, bool crowded) {
    std::vector<std::string> lines;
    if (crowded) {
        std::string signs;
        for (const TopologyReplica& replica : broker.replicas) {
            signs += crowded_sign(replica.state);
            if (signs.size() == 16) {
                lines.push_back(signs);
                signs.clear();
            }
        }
        if (!signs.empty()) {
            lines.push_back(signs);
        }
    } else {
        for (const TopologyReplica& replica : broker.replicas) {
            lines.push_back(replica_line(replica));
        }
    }
    if (lines.empty()) {
        lines.emplace_back(" no replicas");
    }
    return lines;
}

struct Frame {
    std::string title;
    std::vector<std::string> lines;
    std::int32_t width = 0;
};

std::vector<Frame> broker_frames(const TopologyPicture& picture) {
    const bool crowded = is_crowded(picture);
    std::vector<Frame> frames;
    for (const TopologyBroker& broker : picture.brokers) {
        Frame frame{broker_text(broker), broker_lines(broker, crowded), 0};
        frame.width = display_columns(frame.title) + 4;
        for (const std::string& line : frame.lines) {
            frame.width = std::max(frame.width, display_columns(line) + 3);
        }
        frames.push_back(std::move(frame));
    }
    return frames;
}

/// Draws frames from left to right, starting a new row when the terminal ends. Returns the next
/// row.
std::int32_t put_frames(TextCanvas& canvas,
                        std::int32_t row,
                        const std::vector<Frame>& frames,
                        std::int32_t width) {
    std::int32_t column = 1;
    std::int32_t tallest = 0;
    for (const Frame& frame : frames) {
        if (column > 1 && column + frame.width > width) {
            row += tallest;
            column = 1;
            tallest = 0;
        }
        const auto height = static_cast<std::int32_t>(frame.lines.size()) + 2;
        canvas.frame(row, column, height, frame.width);
        canvas.put(row, column + 1, " " + frame.title + " ");
        for (std::size_t i = 0; i < frame.lines.size(); ++i) {
            canvas.put(row + 1 + static_cast<std::int32_t>(i), column + 1, frame.lines[i]);
        }
        column += frame.width + 3;
        tallest = std::max(tallest, height);
    }
    return row + tallest;
}

std::string link_line(const TopologyLink& link) {
    const std::string label = link.text.empty() ? "" : " " + link.text;
    switch (link.kind) {
        case LinkKind::kFetch:
            return fmt::format("{} \u254c\u254c\u25b8 {}  fetch{}", link.from, link.to, label);
        case LinkKind::kProduce:
            return fmt::format("{} \u2500\u2500\u25b8 {}  produce{}", link.from, link.to, label);
        case LinkKind::kConsume:
            return fmt::format("{} \u254c\u254c\u25b8 {}  consume{}", link.from, link.to, label);
        case LinkKind::kCut:
            return fmt::format("{} \u2500\u2717\u2500 {}  CUT{}", link.from, link.to, label);
    }
    KLAB_ASSERT(false, "link kind {}", static_cast<int>(link.kind));
    return {};
}

std::string controller_line(const TopologyPicture& picture) {
    std::string line;
    for (const TopologyController& controller : picture.controllers) {
        line += (line.empty() ? "" : "     ") + controller_text(controller);
    }
    if (picture.metadata_offset) {
        line += fmt::format("     metadata log ends at {}", *picture.metadata_offset);
    }
    return line;
}

}  // namespace

bool is_crowded(const TopologyPicture& picture) {
    std::set<std::string> partitions;
    for (const TopologyBroker& broker : picture.brokers) {
        for (const TopologyReplica& replica : broker.replicas) {
            partitions.insert(replica.partition);
        }
    }
    return picture.brokers.size() > 12 || partitions.size() > 40;
}

std::string replica_text(const TopologyReplica& replica) {
    std::string text =
        fmt::format("{} {}", to_printable(replica.partition), replica_word(replica.state));
    const bool leads = replica.state == ReplicaState::kLeader;
    if (leads && replica.high_watermark && replica.log_end_offset) {
        return text + fmt::format(" {}/{}", *replica.high_watermark, *replica.log_end_offset);
    }
    if (replica.log_end_offset) {
        text += fmt::format(" {}", *replica.log_end_offset);
    }
    return text;
}

std::string broker_text(const TopologyBroker& broker) {
    std::string text = to_printable(broker.name);
    if (!broker.rack.empty()) {
        text += " rack " + to_printable(broker.rack);
    }
    if (broker.broker_epoch) {
        text += fmt::format(" e{}", *broker.broker_epoch);
    }
    if (broker.state != NodeState::kUp) {
        text += " ";
        text += node_word(broker.state);
    }
    return text;
}

std::string controller_text(const TopologyController& controller) {
    std::string text = to_printable(controller.name) + (controller.is_leader ? "*" : "");
    if (controller.term) {
        text += fmt::format(" term {}", *controller.term);
    }
    if (controller.state != NodeState::kUp) {
        text += " ";
        text += node_word(controller.state);
    }
    return text;
}

std::vector<std::string> topology_text(const TopologyPicture& picture, const TextOptions& options) {
    TextCanvas canvas;
    std::int32_t row = 0;
    for (const std::string& line :
         wrap_words(controller_line(picture), std::max(20, options.width - 1))) {
        canvas.put(row, 1, line);
        ++row;
    }
    row = put_frames(canvas, row, broker_frames(picture), options.width);
    for (const TopologyClient& client : picture.clients) {
        canvas.put(row, 2, fmt::format("\u25cf {}  {}", client.name, client.text));
        ++row;
    }
    for (const TopologyLink& link : picture.links) {
        canvas.put(row, 2, link_line(link));
        ++row;
    }
    std::vector<std::string> lines = canvas.lines();
    lines.emplace_back();
    lines.emplace_back(
        is_crowded(picture)
            ? " one letter a replica: L leader   i in the ISR   o out of the ISR   x offline"
            : " LEAD hw/leo   ISR leo   out = not in the ISR   off = offline   * = active "
              "controller");
    return lines;
}

}  // namespace klab::viz
