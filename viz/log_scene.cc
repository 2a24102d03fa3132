// SPDX-License-Identifier: Apache-2.0
//
// The picture `log` for dot and SVG. See log_picture.h.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "viz/log_picture.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;
constexpr std::int32_t kLabelWidth = 120;
constexpr std::int32_t kCellWidth = 46;
constexpr std::int32_t kFoldWidth = 84;
constexpr std::int32_t kCellHeight = 30;
constexpr std::int32_t kRowGap = 12;
constexpr std::int32_t kTailWidth = 60;

class LogScene {
  public:
    LogScene(const LogPicture& picture, std::int32_t limit)
        : picture_(picture),
          columns_(fold_columns(picture, limit)),
          scene_(picture.head.title + " log " + picture.partition) {
        std::int32_t x = kMargin + kLabelWidth;
        for (const LogColumn& column : columns_) {
            x_.push_back(x);
            x += column.is_fold() ? kFoldWidth : kCellWidth;
        }
        tail_ = x + 14;
    }

    Scene draw() {
        const std::int32_t width = std::max(420, tail_ + 2 * kTailWidth - kMargin);
        std::int32_t y = add_head(scene_, head_with_folds(picture_, columns_), width);
        add_offsets(y);
        y += 22;
        for (const ReplicaLog& log : picture_.logs) {
            y = add_log(log, y);
        }
        if (columns_.empty()) {
            label({kMargin, y + 10}, "no records yet", 11, kMutedInk);
            y += 24;
        }
        y = add_legend(scene_, {kMargin, y + 6}, width, legend());
        if (!picture_.value_meaning.empty()) {
            label({kMargin, y + 5}, picture_.value_meaning, 9, kMutedInk);
        }
        return std::move(scene_).finish();
    }

  private:
    void label(Point at,
               const std::string& text,
               std::int32_t size,
               Color ink,
               bool bold = false,
               Anchor anchor = Anchor::kLeft) {
        scene_.add(Text{at, text, anchor, size, ink, bold}, Layer::kFront);
    }

    void add_offsets(std::int32_t y) {
        label({kMargin, y + 8}, picture_.partition + " offset", 10, kMutedInk);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool fold = columns_[i].is_fold();
            if (!fold) {
                label({x_[i] + kCellWidth / 2, y + 8},
                      fmt::format("{}", columns_[i].first),
                      10,
                      kMutedInk,
                      false,
                      Anchor::kCenter);
            }
        }
        label({tail_ + 24, y + 8}, "LEO", 10, kMutedInk, true, Anchor::kCenter);
        label({tail_ + kTailWidth + 20, y + 8}, "HW", 10, kMutedInk, true, Anchor::kCenter);
    }

    std::int32_t add_log(const ReplicaLog& log, std::int32_t y) {
        add_row_label(log, y);
        for (const LogCell& cell : log.cells) {
            add_cell(log, cell, y, false);
        }
        add_folds(log, y);
        const bool own_row = has_cut_row(log);
        const std::int32_t cut_y = own_row ? y + kCellHeight + 3 : y;
        for (const LogCell& cell : log.cut) {
            add_cell(log, cell, cut_y, true);
        }
        if (own_row) {
            label({kMargin + 12, cut_y + kCellHeight / 2}, "cut away", 9, kAlarm);
        }
        add_watermark(log, y);
        label(
            {tail_ + 24, y + kCellHeight / 2}, log_end_text(log), 12, kInk, true, Anchor::kCenter);
        label({tail_ + kTailWidth + 20, y + kCellHeight / 2},
              log.high_watermark ? fmt::format("{}", *log.high_watermark) : "?",
              12,
              kInk,
              true,
              Anchor::kCenter);
        std::int32_t bottom = cut_y + kCellHeight;
        if (!log.note.empty()) {
            label({kMargin + kLabelWidth, bottom + 9}, log.note, 10, kAlarm);
            bottom += 16;
        }
        return bottom + kRowGap;
    }

    void add_row_label(const ReplicaLog& log, std::int32_t y) {
        const Style style = replica_style(log.state);
        const Rect rect{kMargin, y, kLabelWidth - 14, kCellHeight};
        scene_.add(Box{rect, style.pen, style.paint}, Layer::kBack);
        const std::int32_t half = rect.width - 8;
        label({rect.x + 5, y + 10}, fit_text(log.node, half, 12, true), 12, style.ink, true);
        std::string word(replica_word(log.state));
        if (log.state == ReplicaState::kLeader && log.leader_epoch) {
            word = fmt::format("LEADER epoch {}", *log.leader_epoch);
        } else if (log.state == ReplicaState::kOutOfSync) {
            word = "out of the ISR";
        } else if (log.state == ReplicaState::kInSync) {
            word = "in the ISR";
        } else if (log.state == ReplicaState::kOffline) {
            word = "offline";
        }
        label({rect.x + 5, y + 22}, fit_text(word, half, 9), 9, style.ink);
    }

    void add_cell(const ReplicaLog& log, const LogCell& cell, std::int32_t y, bool cut) {
        const std::optional<std::int32_t> x = x_of(cell.offset);
        if (!x) {
            return;
        }
        Style style = epoch_style(cell.epoch);
        epochs_.insert(cell.epoch);
        const bool committed = log.high_watermark && cell.offset < *log.high_watermark;
        if (cut) {
            style.pen = {kAlarm, Stroke::kDashed, 1};
            style.paint.color = lighten(style.paint.color, 70);
            style.ink = kInk;
            has_cut_ = true;
        } else if (!committed) {
            style.pen = {kInk, Stroke::kDashed, 1};
            has_uncommitted_ = true;
        }
        const Rect rect{*x + 1, y, kCellWidth - 2, kCellHeight};
        const std::string tooltip = fmt::format("{} offset {}: {}, leader epoch {}{}",
                                                log.node,
                                                cell.offset,
                                                cell.value,
                                                cell.epoch,
                                                cut         ? ", cut away"
                                                : committed ? ""
                                                            : ", above the high watermark");
        scene_.add(Box{rect, style.pen, style.paint},
                   Layer::kBack,
                   cell.event ? event_id_text(*cell.event) : std::string(),
                   tooltip);
        label({rect.x + 3, y + 7}, epoch_word(cell), 8, style.ink);
        label({rect.center().x, y + 19},
              fit_text(cell.value, rect.width - 4, 11, true),
              11,
              style.ink,
              true,
              Anchor::kCenter);
        if (cut) {
            scene_.add_line({rect.x, rect.bottom()},
                            {rect.right(), rect.y},
                            {kAlarm, Stroke::kSolid, 2},
                            Layer::kLabel);
        }
    }

    static std::string epoch_word(const LogCell& cell) {
        switch (cell.marker) {
            case LogMarker::kNone:
                return fmt::format("e{}", cell.epoch);
            case LogMarker::kTransactional:
                return fmt::format("e{} T", cell.epoch);
            case LogMarker::kCommit:
                return fmt::format("e{} C", cell.epoch);
            case LogMarker::kAbort:
                return fmt::format("e{} A", cell.epoch);
        }
        return {};
    }

    void add_folds(const ReplicaLog& log, std::int32_t y) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const LogColumn& column = columns_[i];
            if (!column.is_fold() || log.log_end_offset <= column.first) {
                continue;
            }
            const Style style{{kRule, Stroke::kSolid, 1}, {Pattern::kSolid, kPaleGrey}, kMutedInk};
            scene_.add_cell(
                {x_[i] + 1, y, kFoldWidth - 2, kCellHeight},
                fmt::format("{} {}", column.count, column.equal ? "equal" : "more"),
                style,
                9,
                {},
                fmt::format("offsets {} to {}", column.first, column.first + column.count - 1));
        }
    }

    void add_watermark(const ReplicaLog& log, std::int32_t y) {
        if (!log.high_watermark) {
            return;
        }
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const LogColumn& column = columns_[i];
            std::optional<std::int32_t> x;
            if (column.first == *log.high_watermark) {
                x = x_[i];
            } else if (column.first + column.count == *log.high_watermark) {
                x = x_[i] + (column.is_fold() ? kFoldWidth : kCellWidth);
            }
            if (x) {
                scene_.add_line({*x, y - 4},
                                {*x, y + kCellHeight + 4},
                                {kBlack, Stroke::kSolid, 4},
                                Layer::kLabel);
                return;
            }
        }
    }

    [[nodiscard]] std::optional<std::int32_t> x_of(std::int64_t offset) const {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (!columns_[i].is_fold() && columns_[i].first == offset) {
                return x_[i];
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<LegendEntry> legend() const {
        std::vector<LegendEntry> entries;
        for (const std::int32_t epoch : epochs_) {
            entries.push_back({epoch_style(epoch), fmt::format("epoch {}", epoch)});
        }
        entries.push_back({{{kBlack, Stroke::kSolid, 4}, {}, kInk, false},
                           "thick line: high watermark (HW)",
                           LegendSign::kWall});
        if (has_uncommitted_) {
            entries.push_back({{{kInk, Stroke::kDashed, 1}, {Pattern::kSolid, kWhite}, kInk, false},
                               "dashed: above this replica's HW"});
        }
        if (has_cut_) {
            entries.push_back(
                {{{kAlarm, Stroke::kDashed, 1}, {Pattern::kSolid, kPaleAlarm}, kInk, false},
                 "struck out: cut away"});
        }
        return entries;
    }

    const LogPicture& picture_;
    std::vector<LogColumn> columns_;
    std::vector<std::int32_t> x_;
    std::int32_t tail_ = 0;
    std::set<std::int32_t> epochs_;
    bool has_uncommitted_ = false;
    bool has_cut_ = false;
    SceneBuilder scene_;
};

}  // namespace

Scene log_scene(const LogPicture& picture, std::int32_t limit) {
    return LogScene(picture, limit).draw();
}

}  // namespace klab::viz
