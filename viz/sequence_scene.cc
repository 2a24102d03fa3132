// SPDX-License-Identifier: Apache-2.0
//
// The picture `sequence` for dot and SVG. See sequence_picture.h.
#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/label_placer.h"
#include "viz/printable.h"
#include "viz/sequence_picture.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;
constexpr std::int32_t kAxisX = 150;
constexpr std::int32_t kHeaderHeight = 26;
constexpr std::int32_t kStrip = 8;
constexpr std::int32_t kLabelFromSender = 70;
constexpr std::int32_t kLabelSize = 9;
constexpr std::int32_t kMark = 4;
constexpr std::int32_t kFaultHeight = 16;
constexpr std::int32_t kFaultRoom = 24;
constexpr std::int32_t kFaultText = 220;

class SequenceScene {
  public:
    SequenceScene(const SequencePicture& picture, TimeAxis axis)
        : picture_(picture),
          axis_(axis),
          messages_(shown_messages(picture)),
          scale_(axis, instants()),
          scene_(picture.head.title + " sequence") {
        const auto nodes = static_cast<std::int32_t>(picture.nodes.size());
        spacing_ = nodes > 8 ? 120 : 170;
        right_ = kAxisX + spacing_ * std::max(0, nodes - 1) + 40;
    }

    Scene draw() {
        std::int32_t y = add_head(scene_, picture_.head, right_ + kFaultText - kMargin);
        const std::int32_t note_y = y + 4;
        y += 16;
        add_headers(y);
        top_ = y + kHeaderHeight + 18;
        bottom_ = top_ + scale_.height() + 14;
        add_axes(y + kHeaderHeight);
        add_faults();
        add_times();
        add_marks();
        for (const SequenceMessage& message : messages_) {
            add_message(message);
        }
        add_note(note_y);
        y = bottom_ + 8;
        if (scale_.height() > 800) {
            add_headers(y);
            y += kHeaderHeight + 10;
        }
        add_legend(scene_, {kMargin, y + 4}, right_ + kFaultText - kMargin, legend());
        return std::move(scene_).finish();
    }

  private:
    [[nodiscard]] std::vector<ScaleInstant> instants() const {
        std::vector<ScaleInstant> out{{picture_.head.from, 0}, {picture_.head.to, 0}};
        for (const SequenceMessage& message : messages_) {
            out.push_back({message.sent, 0});
            if (message.received) {
                out.push_back({*message.received, 0});
            }
            if (message.last_sent) {
                out.push_back({*message.last_sent, 0});
            }
        }
        for (const SequenceMark& mark : picture_.marks) {
            out.push_back({mark.at, 15});
        }
        for (const SequenceFault& fault : picture_.faults) {
            out.push_back({fault.at, kFaultRoom});
        }
        return out;
    }

    [[nodiscard]] std::int32_t x_of(std::size_t node) const {
        return kAxisX + spacing_ * static_cast<std::int32_t>(node);
    }

    [[nodiscard]] std::int32_t y_of(Time at) const { return top_ + scale_.y(at); }

    void add_note(std::int32_t y) {
        std::string note = fmt::format("time axis: {}", time_axis_word(axis_));
        if (left_out_ > 0) {
            note += fmt::format("; {} labels left out for lack of room (hover a line)", left_out_);
        }
        scene_.add(Text{{kMargin, y}, note, Anchor::kLeft, 10, kMutedInk}, Layer::kLabel);
    }

    void add_label(const std::vector<Text>& choices) {
        if (const std::optional<Text> text = label_placer_.place(choices)) {
            scene_.add(*text, Layer::kLabel);
        } else {
            ++left_out_;
        }
    }

    void add_headers(std::int32_t y) {
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
            const SequenceNode& node = picture_.nodes[i];
            Style style{{kInk}, {Pattern::kSolid, kWhite}, kInk, true};
            switch (node.role) {
                case SequenceRole::kClient:
                    style.paint.color = kPaleGrey;
                    break;
                case SequenceRole::kBroker:
                    style.paint.color = lighten(kBlue, 82);
                    break;
                case SequenceRole::kController:
                    style.paint.color = lighten(epoch_style(1).paint.color, 70);
                    break;
            }
            const std::int32_t width = std::min(spacing_ - 10, 110);
            scene_.add_cell({x_of(i) - width / 2, y, width, kHeaderHeight},
                            node.name,
                            style,
                            11,
                            "node-" + node.name);
        }
    }

    void add_axes(std::int32_t from) {
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
            scene_.add_line(
                {x_of(i), from}, {x_of(i), bottom_}, {kMutedInk, Stroke::kSolid, 1}, Layer::kBack);
        }
        for (const SequenceState& state : picture_.states) {
            const Style style = node_style(state.state);
            const std::int32_t y = y_of(state.from);
            const std::int32_t end = state.to ? y_of(*state.to) : bottom_;
            if (end <= y) {
                continue;
            }
            Paint paint = style.paint;
            if (state.state == NodeState::kDown) {
                paint.color = kGrey;
            }
            states_.insert(state.state);
            scene_.add(
                Box{{x_of(state.node) - kStrip / 2, y, kStrip, end - y}, style.pen, paint},
                Layer::kMiddle,
                {},
                fmt::format("{} {}", picture_.nodes[state.node].name, node_word(state.state)));
        }
    }

    void add_faults() {
        for (const SequenceFault& fault : picture_.faults) {
            const std::int32_t y = y_of(fault.at);
            const Rect rect{
                kAxisX - 40, y - kFaultHeight / 2, right_ - kAxisX + 40 + kFaultText, kFaultHeight};
            scene_.add(Box{rect, {kAlarm, Stroke::kNone, 0}, {Pattern::kSolid, kPaleAlarm}},
                       Layer::kBack,
                       fault.event ? event_id_text(*fault.event) : std::string(),
                       fmt::format("{} at {}", fault.text, to_short_clock(fault.at)));
            add_label({Text{{right_ + 4, y},
                            fit_text(fault.text, kFaultText - 8, kLabelSize, true),
                            Anchor::kLeft,
                            kLabelSize,
                            kAlarm,
                            true}});
            time_placer_.take({0, y - 6, kAxisX, 12});
            scene_.add(Text{{kAxisX - 48, y}, to_short_clock(fault.at), Anchor::kRight, 9, kAlarm},
                       Layer::kLabel);
        }
    }

    /// Times at the left wherever there is room, and the length of long gaps between them.
    void add_times() {
        const std::vector<Time> instants = scale_.instants();
        for (std::size_t i = 0; i < instants.size(); ++i) {
            const std::int32_t y = y_of(instants[i]);
            const Text text{
                {kAxisX - 48, y}, to_short_clock(instants[i]), Anchor::kRight, 9, kMutedInk};
            if (time_placer_.is_free(text_rect(text))) {
                time_placer_.take(text_rect(text));
                scene_.add(text, Layer::kLabel);
                scene_.add_line({kAxisX - 44, y}, {kAxisX - 36, y}, {kRule}, Layer::kBack);
            }
        }
        for (std::size_t i = 1; i < instants.size(); ++i) {
            const Duration gap = instants[i] - instants[i - 1];
            const std::int32_t y = (y_of(instants[i]) + y_of(instants[i - 1])) / 2;
            const Text text{{kAxisX - 48, y}, "+" + to_short_text(gap), Anchor::kRight, 8, kBlue};
            if (gap >= milliseconds(100) && time_placer_.is_free(text_rect(text))) {
                time_placer_.take(text_rect(text));
                scene_.add(text, Layer::kLabel);
            }
        }
    }

    void add_marks() {
        for (const SequenceMark& mark : picture_.marks) {
            const Point at{x_of(mark.node), y_of(mark.at)};
            const std::string words = fit_text(mark.text, spacing_ + 60, kLabelSize, true);
            std::vector<Text> choices;
            for (const std::int32_t dy : {0, 12, -12, 24, -24}) {
                choices.push_back(
                    {{at.x + 9, at.y + dy}, words, Anchor::kLeft, kLabelSize, kInk, true, true});
                choices.push_back(
                    {{at.x - 9, at.y + dy}, words, Anchor::kRight, kLabelSize, kInk, true, true});
            }
            if (is_busy_at_right(mark.node, mark.at)) {
                std::swap(choices[0], choices[1]);
            }
            if (mark.node == 0) {
                choices.erase(
                    std::remove_if(choices.begin(),
                                   choices.end(),
                                   [](const Text& text) { return text.anchor == Anchor::kRight; }),
                    choices.end());
            }
            const std::string tooltip = fmt::format(
                "{}: {} at {}", picture_.nodes[mark.node].name, mark.text, to_short_clock(mark.at));
            scene_.add(Box{{at.x - kMark, at.y - kMark, 2 * kMark, 2 * kMark},
                           {kInk},
                           {Pattern::kSolid, kInk}},
                       Layer::kFront,
                       mark.event ? event_id_text(*mark.event) : std::string(),
                       tooltip);
            add_label(choices);
        }
    }

    [[nodiscard]] bool has_mark(std::size_t node, Time at) const {
        return std::any_of(
            picture_.marks.begin(), picture_.marks.end(), [node, at](const SequenceMark& mark) {
                return mark.node == node && mark.at == at;
            });
    }

    /// True if a line reaches or leaves the axis of `node` at that instant on its right side.
    [[nodiscard]] bool is_busy_at_right(std::size_t node, Time at) const {
        return std::any_of(
            messages_.begin(), messages_.end(), [node, at](const SequenceMessage& message) {
                return (message.to == node && message.from > node && message.received == at) ||
                       (message.from == node && message.to > node && message.sent == at);
            });
    }

    /// The point of the line from `start` to `end` that is `distance` before its end horizontally:
    /// between two axes, so that a loss never seems to happen on a node.
    [[nodiscard]] static Point point_before(Point start, Point end, std::int32_t distance) {
        const std::int32_t dx = end.x - start.x;
        if (dx == 0) {
            return end;
        }
        const std::int32_t x = end.x - (dx > 0 ? distance : -distance);
        return {x, start.y + (end.y - start.y) * (x - start.x) / dx};
    }

    /// Where the line of a message ends.
    [[nodiscard]] Point end_of(const SequenceMessage& message, Point start) const {
        const std::int32_t x = x_of(message.to);
        std::int32_t y = message.received ? y_of(*message.received) : start.y + 14;
        y = std::min(y, bottom_);
        switch (message.fate) {
            case MessageFate::kDelivered:
                return message.received && has_mark(message.to, *message.received)
                           ? point_before(start, {x, y}, kMark + 1)
                           : Point{x, y};
            case MessageFate::kLostAtReceiver:
                return {x, y};
            case MessageFate::kLostOnTheWay:
            case MessageFate::kStillInFlight:
                return point_before(start, {x, y}, spacing_ / 2);
        }
        return {x, y};
    }

    void add_message(const SequenceMessage& message) {
        const Color color = api_color(message.api);
        apis_.insert(message.api);
        const Point start{x_of(message.from), y_of(message.sent)};
        const Point end = end_of(message, start);
        const Pen pen{color, message.is_reply ? Stroke::kDashed : Stroke::kSolid, 1};
        const bool delivered = message.fate == MessageFate::kDelivered;
        std::vector<Point> points{start, end};
        if (message.from == message.to) {
            points = {start, {start.x + 26, start.y}, {start.x + 26, end.y}, end};
        }
        scene_.add(Polyline{points, pen, delivered},
                   Layer::kMiddle,
                   message.event ? event_id_text(*message.event) : std::string(),
                   tooltip_of(message));
        if (message.fate == MessageFate::kLostOnTheWay ||
            message.fate == MessageFate::kLostAtReceiver) {
            has_lost_ = true;
            scene_.add(Cross{end, 5, {kAlarm, Stroke::kSolid, 2}}, Layer::kFront);
        }
        if (message.fate == MessageFate::kStillInFlight) {
            scene_.add(Disc{end, 4, {color}, {Pattern::kSolid, kWhite}}, Layer::kFront);
        }
        if (message.last_sent && message.count > 1) {
            scene_.add_line({start.x, start.y},
                            {start.x, y_of(*message.last_sent)},
                            {lighten(color, 40), Stroke::kSolid, 4});
        }
        add_label(label_choices(message, start, end, color));
    }

    /// Places along the line, nearest to the wanted distance from the sender first.
    [[nodiscard]] std::vector<Text> label_choices(const SequenceMessage& message,
                                                  Point start,
                                                  Point end,
                                                  Color color) const {
        const std::int32_t length = std::abs(end.x - start.x);
        const std::string label = fit_text(
            message_label(message), std::max(60, std::min(length, spacing_) - 30), kLabelSize);
        std::vector<Text> choices;
        const auto choose = [&](std::int32_t distance) {
            const std::int32_t step = end.x >= start.x ? 1 : -1;
            const std::int32_t y =
                length == 0 ? start.y : start.y + (end.y - start.y) * distance / length;
            choices.push_back({{start.x + step * distance, y},
                               label,
                               Anchor::kCenter,
                               kLabelSize,
                               color,
                               false,
                               true});
        };
        if (length == 0) {
            choose(50);
            return choices;
        }
        const std::int32_t half = text_width(label, kLabelSize) / 2 + 8;
        for (const std::int32_t offset : {0, -12, 12, -24, 24, -36, 36, 90, 170, 180, 340}) {
            const std::int32_t distance = kLabelFromSender + offset;
            if (distance >= half && distance <= length - half) {
                choose(distance);
            }
        }
        if (choices.empty()) {
            choose(length / 2);
        }
        return choices;
    }

    [[nodiscard]] std::string tooltip_of(const SequenceMessage& message) const {
        std::string text = fmt::format("{} {} to {}, sent {}",
                                       message_label(message),
                                       picture_.nodes[message.from].name,
                                       picture_.nodes[message.to].name,
                                       to_short_clock(message.sent));
        switch (message.fate) {
            case MessageFate::kDelivered:
                if (message.received) {
                    text += fmt::format(", received {} later",
                                        to_short_text(*message.received - message.sent));
                }
                break;
            case MessageFate::kLostOnTheWay:
                text += ", lost on the way";
                break;
            case MessageFate::kLostAtReceiver:
                text += ", lost: the receiver was down";
                break;
            case MessageFate::kStillInFlight:
                text += ", still in flight";
                break;
        }
        if (message.last_sent && message.count > 1) {
            text += fmt::format(
                "; {} alike until {}", message.count, to_short_clock(*message.last_sent));
        }
        return text;
    }

    [[nodiscard]] std::vector<LegendEntry> legend() const {
        std::vector<LegendEntry> entries;
        for (const std::string& api : apis_) {
            entries.push_back(
                {{{api_color(api), Stroke::kSolid, 2}, {}, kInk, false}, api, LegendSign::kLine});
        }
        entries.push_back(
            {{{kInk, Stroke::kDashed, 1}, {}, kInk, false}, "dashed: reply", LegendSign::kLine});
        for (const NodeState state : states_) {
            entries.push_back({node_style(state), fmt::format("strip: node {}", node_word(state))});
        }
        if (has_lost_) {
            entries.push_back({{{kAlarm, Stroke::kSolid, 2}, {}, kInk, false},
                               "message lost",
                               LegendSign::kCross});
        }
        return entries;
    }

    const SequencePicture& picture_;
    TimeAxis axis_;
    std::vector<SequenceMessage> messages_;
    TimeScale scale_;
    std::int32_t spacing_ = 0;
    std::int32_t right_ = 0;
    std::int32_t top_ = 0;
    std::int32_t bottom_ = 0;
    std::set<std::string> apis_;
    std::set<NodeState> states_;
    bool has_lost_ = false;
    std::int32_t left_out_ = 0;  ///< Labels without room.
    LabelPlacer label_placer_;
    LabelPlacer time_placer_;
    SceneBuilder scene_;
};

}  // namespace

Scene sequence_scene(const SequencePicture& picture, TimeAxis axis) {
    return SequenceScene(picture, axis).draw();
}

}  // namespace klab::viz
