// SPDX-License-Identifier: Apache-2.0
//
// The picture `sequence` for the terminal. See sequence_picture.h.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "viz/printable.h"
#include "viz/sequence_picture.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kTimeColumns = 13;

/// One line of the picture, in the order of time.
struct Line {
    Time at;
    std::uint64_t event = 0;
    std::optional<std::size_t> message;
    std::optional<std::size_t> mark;
    std::optional<std::size_t> fault;
};

class SequenceText {
  public:
    SequenceText(const SequencePicture& picture, const TextOptions& options)
        : picture_(picture),
          messages_(shown_messages(picture)),
          width_(std::max(40, options.width)) {
        const auto count = static_cast<std::int32_t>(picture.nodes.size());
        if (count > 0) {
            spacing_ = std::clamp((width_ - kTimeColumns - 10) / count, 6, 24);
        }
        for (std::int32_t i = 0; i < count; ++i) {
            x_.push_back(kTimeColumns + 3 + spacing_ * i);
        }
        right_ = x_.empty() ? kTimeColumns : x_.back() + 3;
    }

    std::vector<std::string> draw() {
        put_header();
        for (const Line& line : ordered_lines()) {
            if (line.fault) {
                put_fault(picture_.faults[*line.fault]);
            } else if (line.mark) {
                put_mark(picture_.marks[*line.mark]);
            } else if (line.message) {
                put_message(messages_[*line.message]);
            }
        }
        std::vector<std::string> lines = canvas_.lines();
        lines.emplace_back();
        for (const std::string& line :
             wrap_words("one line an event, time not to scale; dashes are replies; an arrow stands "
                        "at its sending time, "
                        "the figure at its end is the time it took",
                        width_ - 2)) {
            lines.push_back(" " + line);
        }
        return lines;
    }

  private:
    [[nodiscard]] std::vector<Line> ordered_lines() const {
        std::vector<Line> lines;
        for (std::size_t i = 0; i < picture_.faults.size(); ++i) {
            const SequenceFault& fault = picture_.faults[i];
            lines.push_back({fault.at, fault.event.value_or(0), {}, {}, i});
        }
        for (std::size_t i = 0; i < picture_.marks.size(); ++i) {
            const SequenceMark& mark = picture_.marks[i];
            lines.push_back({mark.at, mark.event.value_or(0), {}, i, {}});
        }
        for (std::size_t i = 0; i < messages_.size(); ++i) {
            const SequenceMessage& message = messages_[i];
            lines.push_back({message.sent, message.event.value_or(0), i, {}, {}});
        }
        std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
            return std::pair(a.at, a.event) < std::pair(b.at, b.event);
        });
        return lines;
    }

    void put_header() {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const std::string name = elide(picture_.nodes[i].name, spacing_ - 1);
            canvas_.put(row_, std::max(kTimeColumns, x_[i] - display_columns(name) / 2), name);
        }
        ++row_;
    }

    [[nodiscard]] NodeState state_at(std::size_t node, Time at) const {
        NodeState state = NodeState::kUp;
        for (const SequenceState& stretch : picture_.states) {
            if (stretch.node == node && stretch.from <= at && (!stretch.to || at < *stretch.to)) {
                state = stretch.state;
            }
        }
        return state;
    }

    void put_posts(Time at) {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            switch (state_at(i, at)) {
                case NodeState::kUp:
                case NodeState::kStarting:
                    canvas_.put(row_, x_[i], kSignPost);
                    break;
                case NodeState::kFenced:
                    canvas_.put(row_, x_[i], kSignDots);
                    break;
                case NodeState::kPaused:
                    canvas_.put(row_, x_[i], "\u2591");
                    break;
                case NodeState::kDown:
                    break;
            }
        }
    }

    void put_time(Time at) {
        if (last_ != at) {
            canvas_.put(row_, 0, to_short_clock(at));
        }
        last_ = at;
    }

    void put_fault(const SequenceFault& fault) {
        canvas_.fill(row_, kTimeColumns, std::max(0, right_ - kTimeColumns), kSignDouble);
        put_time(fault.at);
        canvas_.put(
            row_, kTimeColumns + 2, " " + elide(fault.text, width_ - kTimeColumns - 6) + " ");
        ++row_;
    }

    void put_mark(const SequenceMark& mark) {
        put_posts(mark.at);
        put_time(mark.at);
        const std::int32_t x = x_[mark.node];
        const std::int32_t room = width_ - x - 2;
        canvas_.put(row_, x, kSignSquare);
        const std::int32_t needed = display_columns(mark.text);
        if (needed <= room || room >= 24) {
            canvas_.put(row_, x + 2, elide(mark.text, room));
        } else {
            const std::string text = elide(mark.text, x - kTimeColumns - 1);
            canvas_.put(row_, x - 1 - display_columns(text), text);
        }
        ++row_;
    }

    [[nodiscard]] static std::string fate_text(const SequenceMessage& message) {
        switch (message.fate) {
            case MessageFate::kDelivered:
                return message.received ? to_short_text(*message.received - message.sent)
                                        : std::string();
            case MessageFate::kLostOnTheWay:
                return "lost";
            case MessageFate::kLostAtReceiver:
                return "receiver down";
            case MessageFate::kStillInFlight:
                return "in flight";
        }
        return {};
    }

    void put_message(const SequenceMessage& message) {
        put_posts(message.sent);
        put_time(message.sent);
        const std::int32_t start = x_[message.from];
        const std::int32_t end = x_[message.to];
        if (start != end) {
            put_line(message, start, end);
        } else {
            canvas_.put(row_, start, kSignDot);
            canvas_.put(
                row_, start + 2, elide(message_label(message) + " (to itself)", spacing_ * 2));
        }
        canvas_.put(row_, right_, fate_text(message));
        ++row_;
    }

    /// The label, without the word "reply" if that makes it fit: the dashes say it too.
    [[nodiscard]] static std::string label_within(const SequenceMessage& message,
                                                  std::int32_t columns) {
        const std::string full = message_label(message);
        if (!message.is_reply || display_columns(full) <= columns) {
            return elide(full, columns);
        }
        SequenceMessage plain = message;
        plain.is_reply = false;
        return elide(message_label(plain), columns);
    }

    void put_line(const SequenceMessage& message, std::int32_t start, std::int32_t end) {
        const std::int32_t step = end > start ? 1 : -1;
        const bool lost_on_way = message.fate == MessageFate::kLostOnTheWay ||
                                 message.fate == MessageFate::kStillInFlight;
        const std::int32_t reach = lost_on_way ? end - step * (spacing_ / 2) : end;
        const std::int32_t left = std::min(start, reach);
        const std::int32_t length = std::abs(reach - start) - 1;
        canvas_.fill(row_, left + 1, length, message.is_reply ? kSignDashes : kSignRule);
        canvas_.put(row_, start, kSignDot);
        switch (message.fate) {
            case MessageFate::kDelivered:
                canvas_.put(row_, end - step, step > 0 ? kSignRight : kSignLeft);
                break;
            case MessageFate::kLostOnTheWay:
                canvas_.put(row_, reach, kSignCross);
                break;
            case MessageFate::kLostAtReceiver:
                canvas_.put(row_, end, kSignCross);
                break;
            case MessageFate::kStillInFlight:
                canvas_.put(row_, reach, kSignRing);
                break;
        }
        // The cell before the end holds the arrow head.
        const std::string label = label_within(message, std::max(0, length - 1));
        const std::int32_t room = length - 1 - display_columns(label);
        canvas_.put(row_, left + 1 + (step < 0 ? 1 : 0) + room / 2, label);
    }

    const SequencePicture& picture_;
    std::vector<SequenceMessage> messages_;
    std::int32_t width_;
    std::int32_t spacing_ = 12;
    std::int32_t right_ = 0;
    std::vector<std::int32_t> x_;
    std::optional<Time> last_;
    std::int32_t row_ = 0;
    TextCanvas canvas_;
};

}  // namespace

std::vector<std::string> sequence_text(const SequencePicture& picture, const TextOptions& options) {
    return SequenceText(picture, options).draw();
}

}  // namespace klab::viz
