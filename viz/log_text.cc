// SPDX-License-Identifier: Apache-2.0
//
// The picture `log` for the terminal. See log_picture.h.
#include <algorithm>

#include <fmt/format.h>

#include "viz/log_picture.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kValueColumns = 5;

std::string cell_text(const LogCell& cell) {
    std::string marker;
    switch (cell.marker) {
        case LogMarker::kNone:
            break;
        case LogMarker::kTransactional:
            marker = "T";
            break;
        case LogMarker::kCommit:
            marker = "C";
            break;
        case LogMarker::kAbort:
            marker = "A";
            break;
    }
    return fmt::format("{}{}/{}", cell.epoch, marker, elide(cell.value, kValueColumns));
}

std::string row_label(const ReplicaLog& log) {
    switch (log.state) {
        case ReplicaState::kLeader:
            return log.leader_epoch ? fmt::format("{} LEADER e{}", log.node, *log.leader_epoch)
                                    : log.node + " LEADER";
        case ReplicaState::kInSync:
            return log.node + " isr";
        case ReplicaState::kOutOfSync:
            return log.node + " out";
        case ReplicaState::kOffline:
            return log.node + " OFFLINE";
    }
    return log.node;
}

/// Widths of the table, found once for all rows.
struct Layout {
    std::int32_t label = 0;
    std::int32_t cell = 0;
    std::vector<LogColumn> columns;
    std::vector<std::int32_t> at;  ///< First terminal column of each table column.
    std::int32_t tail = 0;         ///< First terminal column after the table.
};

std::string fold_text(const LogColumn& column) {
    return fmt::format("\u2026 {} {} \u2026", column.count, column.equal ? "equal" : "more");
}

std::int32_t widest_cell(const LogPicture& picture) {
    std::int32_t widest = 2;
    for (const ReplicaLog& log : picture.logs) {
        for (const LogCell& cell : log.cells) {
            widest = std::max(widest, display_columns(cell_text(cell)));
        }
        for (const LogCell& cell : log.cut) {
            widest = std::max(widest, display_columns(cell_text(cell)) + 2);
        }
    }
    return widest;
}

void place_columns(Layout& layout) {
    layout.at.clear();
    std::int32_t at = layout.label + 2;
    for (const LogColumn& column : layout.columns) {
        layout.at.push_back(at);
        at += column.is_fold() ? display_columns(fold_text(column)) + 2 : layout.cell + 2;
    }
    layout.tail = at + 1;
}

Layout make_layout(const LogPicture& picture, const TextOptions& options) {
    Layout layout;
    for (const ReplicaLog& log : picture.logs) {
        layout.label = std::max(layout.label, display_columns(row_label(log)) + 1);
    }
    layout.label = std::clamp(layout.label, 8, 24);
    layout.cell = widest_cell(picture);
    for (const LogColumn& column : fold_columns(picture, 24)) {
        layout.cell = std::max(layout.cell,
                               static_cast<std::int32_t>(fmt::format("{}", column.first).size()));
    }
    constexpr std::int32_t kTail = 12;
    for (std::int32_t limit = 24; limit >= 5; --limit) {
        layout.columns = fold_columns(picture, limit);
        place_columns(layout);
        if (layout.tail + kTail <= options.width) {
            break;
        }
    }
    return layout;
}

/// Writes the cells of one line of the table.
void put_cells(TextCanvas& canvas,
               std::int32_t row,
               const Layout& layout,
               const std::vector<LogCell>& cells,
               bool cut) {
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        const LogColumn& column = layout.columns[i];
        if (column.is_fold()) {
            continue;
        }
        if (const LogCell* cell = find_cell(cells, column.first)) {
            const std::string text = cell_text(*cell);
            canvas.put(row, layout.at[i], cut ? "~" + text + "~" : text);
        }
    }
}

void put_folds(TextCanvas& canvas, std::int32_t row, const Layout& layout, const ReplicaLog& log) {
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        const LogColumn& column = layout.columns[i];
        if (column.is_fold() && log.log_end_offset > column.first) {
            canvas.put(row, layout.at[i], fold_text(column));
        }
    }
}

/// The wall to the right of the last committed record.
void put_watermark(TextCanvas& canvas,
                   std::int32_t row,
                   const Layout& layout,
                   std::int64_t high_watermark) {
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        const LogColumn& column = layout.columns[i];
        const std::int64_t end = column.first + column.count;
        if (end == high_watermark) {
            const std::int32_t next = i + 1 < layout.at.size() ? layout.at[i + 1] : layout.tail - 1;
            canvas.put(row, next - 2, kSignWall);
        }
    }
}

std::int32_t put_log(TextCanvas& canvas,
                     std::int32_t row,
                     const Layout& layout,
                     const ReplicaLog& log) {
    const bool own_row = has_cut_row(log);
    canvas.put(row, 1, elide(row_label(log), layout.label));
    put_cells(canvas, row, layout, log.cells, false);
    put_folds(canvas, row, layout, log);
    if (!own_row) {
        put_cells(canvas, row, layout, log.cut, true);
    }
    if (log.high_watermark) {
        put_watermark(canvas, row, layout, *log.high_watermark);
    }
    canvas.put(row, layout.tail, log_end_text(log));
    canvas.put(
        row, layout.tail + 8, log.high_watermark ? fmt::format("{}", *log.high_watermark) : "?");
    if (own_row) {
        ++row;
        canvas.put(row, 1, "  cut away");
        put_cells(canvas, row, layout, log.cut, true);
    }
    if (!log.note.empty()) {
        ++row;
        canvas.put(row, 3, log.note);
    }
    return row + 1;
}

}  // namespace

std::vector<LogColumn> log_text_columns(const LogPicture& picture, const TextOptions& options) {
    return make_layout(picture, options).columns;
}

std::vector<std::string> log_text(const LogPicture& picture, const TextOptions& options) {
    const Layout layout = make_layout(picture, options);
    TextCanvas canvas;
    canvas.put(0, 1, elide(picture.partition + " offset", layout.label + 1));
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        if (!layout.columns[i].is_fold()) {
            canvas.put(0, layout.at[i], fmt::format("{}", layout.columns[i].first));
        }
    }
    canvas.put(0, layout.tail, "LEO");
    canvas.put(0, layout.tail + 8, "HW");
    std::int32_t row = 1;
    for (const ReplicaLog& log : picture.logs) {
        row = put_log(canvas, row, layout, log);
    }
    if (layout.columns.empty()) {
        canvas.put(row, 1, "no records yet");
        ++row;
    }
    std::vector<std::string> lines = canvas.lines();
    lines.emplace_back();
    lines.push_back(" cell = leader epoch/record   " + std::string(kSignWall) +
                    " = high watermark (HW)   ~x~ = cut away   LEO = log end offset");
    if (!picture.value_meaning.empty()) {
        lines.push_back(" " + picture.value_meaning);
    }
    return lines;
}

}  // namespace klab::viz
