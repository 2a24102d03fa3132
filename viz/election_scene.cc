// SPDX-License-Identifier: Apache-2.0
//
// The picture `election` for dot and SVG. See election_picture.h.
#include <algorithm>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/election_picture.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;
constexpr std::int32_t kTimeRight = 92;
constexpr std::int32_t kTextX = 104;
constexpr std::int32_t kTextWidth = 250;
constexpr std::int32_t kColumnsX = 420;
constexpr std::int32_t kSpacing = 104;
constexpr std::int32_t kLine = 14;
constexpr std::int32_t kArrowRow = 24;

Color step_color(ElectionStep step, std::int32_t epoch_after) {
    switch (step) {
        case ElectionStep::kLastHeartbeat:
            return kMutedInk;
        case ElectionStep::kFault:
        case ElectionStep::kFenced:
        case ElectionStep::kTruncated:
            return kAlarm;
        case ElectionStep::kCandidates:
        case ElectionStep::kLeaderRecord:
        case ElectionStep::kLearned:
            return kBlue;
        case ElectionStep::kFirstAppend:
            return epoch_style(epoch_after).paint.color;
        case ElectionStep::kOther:
            return kInk;
    }
    KLAB_ASSERT(false, "step {}", static_cast<int>(step));
    return {};
}

class ElectionScene {
  public:
    explicit ElectionScene(const ElectionPicture& picture)
        : picture_(picture), scene_(picture.head.title + " election") {
        const auto columns = static_cast<std::int32_t>(picture.columns.size());
        width_ = std::max(kColumnsX + kSpacing * std::max(1, columns) - kSpacing / 2, 760);
    }

    Scene draw() {
        y_ = add_head(scene_, picture_.head, width_ - kMargin);
        scene_.add(
            Text{{kMargin, y_ + 8}, election_summary(picture_), Anchor::kLeft, 13, kInk, true},
            Layer::kLabel);
        y_ += 28;
        add_header();
        const std::int32_t posts_top = y_;
        const ElectionRow* last = nullptr;
        for (const ElectionLine& line : election_lines(picture_)) {
            if (line.arrow == nullptr) {
                add_row(*line.row);
            } else {
                add_late_arrow(*line.row, *line.arrow, line.row == last);
            }
            last = line.row;
        }
        for (std::size_t i = 0; i < picture_.columns.size(); ++i) {
            scene_.add_line(
                {x_of(i), posts_top}, {x_of(i), y_}, {kRule, Stroke::kDashed, 1}, Layer::kBack);
        }
        return std::move(scene_).finish();
    }

  private:
    [[nodiscard]] std::int32_t x_of(std::size_t column) const {
        return kColumnsX + kSpacing * static_cast<std::int32_t>(column);
    }

    void add_header() {
        for (std::size_t i = 0; i < picture_.columns.size(); ++i) {
            const ElectionColumn& column = picture_.columns[i];
            const Rect rect{x_of(i) - 46, y_, 92, 34};
            const bool is_new = picture_.new_leader == column.name;
            Style style{{kInk, Stroke::kSolid, 1}, {Pattern::kSolid, kPaleGrey}, kInk, true};
            if (is_new) {
                style = replica_style(ReplicaState::kLeader);
            } else if (column.role == ElectionRole::kOldLeader) {
                style = replica_style(ReplicaState::kOffline);
            }
            scene_.add(Box{rect, style.pen, style.paint}, Layer::kBack, "node-" + column.name);
            scene_.add(Text{{x_of(i), y_ + 11},
                            fit_text(column.name, 86, 11, true),
                            Anchor::kCenter,
                            11,
                            style.ink,
                            true},
                       Layer::kFront);
            scene_.add(Text{{x_of(i), y_ + 25},
                            is_new ? "new leader" : election_role_word(column.role),
                            Anchor::kCenter,
                            9,
                            style.ink},
                       Layer::kFront);
        }
        y_ += 34;
    }

    void add_time(Time at, std::int32_t y) {
        const std::string text = last_ ? "+" + to_short_text(at - *last_) : to_short_clock(at);
        scene_.add(Text{{kTimeRight, y}, text, Anchor::kRight, 10, kMutedInk}, Layer::kFront);
        last_ = at;
    }

    void add_row(const ElectionRow& row) {
        const std::vector<std::string> lines = wrap_text(row.text, kTextWidth, 11, true);
        const std::int32_t mark_y = y_ + 17;
        add_time(row.at, mark_y);
        const Color color = step_color(row.step, picture_.epoch_after);
        const bool alarm = color == kAlarm;
        std::int32_t text_y = mark_y;
        for (const std::string& line : lines) {
            scene_.add(Text{{kTextX, text_y}, line, Anchor::kLeft, 11, alarm ? kAlarm : kInk, true},
                       Layer::kFront);
            text_y += kLine;
        }
        std::int32_t bottom = text_y;
        for (const ElectionArrow& arrow : row.arrows) {
            if (!has_own_line(row, arrow)) {
                add_arrow(row, arrow, mark_y, color);
            }
        }
        add_mark(row, mark_y, color);
        y_ = bottom;
        if (!row.candidates.empty()) {
            add_candidates(row);
        }
        mark_y_ = mark_y;
        y_ += 6;
    }

    /// An arrow on a line of its own with its own elapsed time. It starts at the mark of its row if
    /// nothing else happened in between (`follows`), else at the axis.
    void add_late_arrow(const ElectionRow& row, const ElectionArrow& arrow, bool follows) {
        const std::int32_t y = y_ + kArrowRow / 2;
        const Color color = step_color(row.step, picture_.epoch_after);
        add_time(arrow.at, y);
        scene_.add(Text{{kTextX + 14, y},
                        fit_text(fmt::format("{} {}", arrow.to, arrow.text), kTextWidth - 14, 10),
                        Anchor::kLeft,
                        10,
                        kInk},
                   Layer::kFront);
        const auto from = column_index(picture_, row.column);
        const auto to = column_index(picture_, arrow.to);
        if (from && to && !arrow.is_local) {
            const std::int32_t step = *to > *from ? 1 : -1;
            const std::int32_t start_y = follows ? mark_y_ : y;
            std::vector<Point> points{{x_of(*from), start_y}, {x_of(*to), y}};
            if (*from != *to) {
                points = {{x_of(*from), start_y},
                          {x_of(*from) + step * 14, y},
                          {x_of(*to) - step * 6, y}};
            }
            scene_.add(Polyline{points, {color, Stroke::kSolid, 1}, true},
                       Layer::kMiddle,
                       arrow.event ? event_id_text(*arrow.event) : std::string(),
                       fmt::format("{} {} at {}", arrow.to, arrow.text, to_short_clock(arrow.at)));
        }
        if (to) {
            scene_.add(Disc{{x_of(*to), y}, 4, {color}, {Pattern::kSolid, color}},
                       Layer::kFront,
                       arrow.is_local && arrow.event ? event_id_text(*arrow.event) : std::string(),
                       arrow.text);
        }
        y_ += kArrowRow;
    }

    void add_arrow(const ElectionRow& row,
                   const ElectionArrow& arrow,
                   std::int32_t y,
                   Color color) {
        const auto from = column_index(picture_, row.column);
        const auto to = column_index(picture_, arrow.to);
        if (from && to && *from != *to) {
            const std::int32_t step = *to > *from ? 1 : -1;
            scene_.add(Polyline{{{x_of(*from), y}, {x_of(*to) - step * 4, y}},
                                {color, Stroke::kSolid, 1},
                                true},
                       Layer::kMiddle,
                       arrow.event ? event_id_text(*arrow.event) : std::string());
        }
    }

    void add_mark(const ElectionRow& row, std::int32_t y, Color color) {
        const auto index = column_index(picture_, row.column);
        if (!index) {
            return;
        }
        const Point at{x_of(*index), y};
        const std::string id = row.event ? event_id_text(*row.event) : std::string();
        const std::string tooltip = fmt::format("{} at {}", row.text, to_short_clock(row.at));
        switch (row.step) {
            case ElectionStep::kFault:
            case ElectionStep::kTruncated:
                scene_.add(Cross{at, 7, {kAlarm, Stroke::kSolid, 3}}, Layer::kFront, id, tooltip);
                return;
            case ElectionStep::kFenced:
            case ElectionStep::kCandidates:
            case ElectionStep::kLeaderRecord:
            case ElectionStep::kFirstAppend:
                scene_.add(Box{{at.x - 6, at.y - 6, 12, 12}, {kInk}, {Pattern::kSolid, color}},
                           Layer::kFront,
                           id,
                           tooltip);
                return;
            case ElectionStep::kLastHeartbeat:
            case ElectionStep::kLearned:
            case ElectionStep::kOther:
                scene_.add(
                    Disc{at, 5, {color}, {Pattern::kSolid, color}}, Layer::kFront, id, tooltip);
                return;
        }
    }

    [[nodiscard]] static std::string choice_text(const ElectionCandidate& candidate) {
        return (candidate.is_chosen ? "chosen: " : "not chosen: ") + candidate.reason;
    }

    struct Column {
        const char* title;
        std::int32_t width;
    };

    static constexpr std::array<Column, 5> kTable{{{"replica", 80},
                                                   {"alive", 60},
                                                   {"in ISR", 60},
                                                   {"order", 60},
                                                   {"choice and reason", 340}}};
    static constexpr std::int32_t kRowHeight = 22;
    static constexpr std::int32_t kCellText = 10;
    static constexpr std::int32_t kCellLine = 13;
    static constexpr std::int32_t kCellPad = 8;

    void add_candidates(const ElectionRow& row) {
        y_ += 4;
        std::int32_t x = kTextX;
        for (const Column& column : kTable) {
            const Style head{{kRule}, {Pattern::kSolid, kPaleGrey}, kMutedInk, true};
            scene_.add_cell({x, y_, column.width, kRowHeight}, column.title, head, kCellText);
            x += column.width;
        }
        y_ += kRowHeight;
        for (const ElectionCandidate& candidate : row.candidates) {
            add_candidate(candidate);
        }
        y_ += 6;
    }

    void add_candidate(const ElectionCandidate& candidate) {
        const std::array<std::string, 4> cells{candidate.replica,
                                               candidate.is_alive ? "yes" : "no",
                                               candidate.is_in_isr ? "yes" : "no",
                                               fmt::format("{}", candidate.order)};
        const std::int32_t wide = kTable.back().width;
        const std::vector<std::string> lines =
            wrap_text(choice_text(candidate), wide - 2 * kCellPad, kCellText, candidate.is_chosen);
        const std::int32_t height =
            kRowHeight + kCellLine * (static_cast<std::int32_t>(lines.size()) - 1);
        std::int32_t x = kTextX;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool bad = (i == 1 && !candidate.is_alive) || (i == 2 && !candidate.is_in_isr);
            Style style{{kRule}, {Pattern::kSolid, kWhite}, bad ? kAlarm : kInk, false};
            if (candidate.is_chosen) {
                style.paint.color = lighten(kBlue, 82);
                style.bold = true;
            }
            scene_.add_cell({x, y_, kTable[i].width, height}, cells[i], style, kCellText);
            x += kTable[i].width;
        }
        add_lines({x, y_, wide, height}, lines, candidate.is_chosen);
        if (candidate.is_chosen) {
            scene_.add(Box{{kTextX, y_, x + wide - kTextX, height}, {kBlue, Stroke::kSolid, 3}, {}},
                       Layer::kLabel,
                       "chosen",
                       candidate.reason);
        }
        y_ += height;
    }

    /// A cell of the candidates' table that may take several lines.
    void add_lines(const Rect& rect, const std::vector<std::string>& lines, bool chosen) {
        scene_.add(Box{rect, {kRule}, {Pattern::kSolid, chosen ? lighten(kBlue, 82) : kWhite}},
                   Layer::kMiddle);
        const auto count = static_cast<std::int32_t>(lines.size());
        std::int32_t y = rect.center().y - kCellLine * (count - 1) / 2;
        for (const std::string& line : lines) {
            scene_.add(
                Text{{rect.x + kCellPad, y}, line, Anchor::kLeft, kCellText, kInk, chosen, false},
                Layer::kFront);
            y += kCellLine;
        }
    }

    const ElectionPicture& picture_;
    std::int32_t width_ = 0;
    std::int32_t y_ = 0;
    std::int32_t mark_y_ = 0;  ///< Of the last row.
    std::optional<Time> last_;
    SceneBuilder scene_;
};

}  // namespace

Scene election_scene(const ElectionPicture& picture) { return ElectionScene(picture).draw(); }

}  // namespace klab::viz
