// SPDX-License-Identifier: Apache-2.0
//
// Which columns the picture `log` shows, and small questions about its rows. See log_picture.h.
#include "viz/log_picture.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace klab::viz {

namespace {

struct Span {
    std::int64_t first = 0;
    std::int64_t end = 0;  ///< One past the last offset.
};

/// All offsets of which any replica has or had a record.
std::optional<Span> offsets_of(const LogPicture& picture) {
    std::optional<Span> span;
    const auto add = [&span](const std::vector<LogCell>& cells) {
        for (const LogCell& cell : cells) {
            if (!span) {
                span = Span{cell.offset, cell.offset + 1};
            }
            span->first = std::min(span->first, cell.offset);
            span->end = std::max(span->end, cell.offset + 1);
        }
    };
    for (const ReplicaLog& log : picture.logs) {
        add(log.cells);
        add(log.cut);
    }
    return span;
}

bool same_record(const LogCell& a, const LogCell& b) {
    return a.epoch == b.epoch && a.value == b.value && a.marker == b.marker;
}

/// True if every replica holds the same record at `offset` and none cut one there.
bool agree_at(const LogPicture& picture, std::int64_t offset) {
    const LogCell* first = nullptr;
    for (const ReplicaLog& log : picture.logs) {
        const LogCell* cell = find_cell(log.cells, offset);
        if (cell == nullptr || find_cell(log.cut, offset) != nullptr) {
            return false;
        }
        if (first != nullptr && !same_record(*first, *cell)) {
            return false;
        }
        first = cell;
    }
    return first != nullptr;
}

/// Offsets next to a high watermark: folding them would hide its line.
std::set<std::int64_t> watermark_offsets(const LogPicture& picture) {
    std::set<std::int64_t> offsets;
    for (const ReplicaLog& log : picture.logs) {
        if (log.high_watermark) {
            offsets.insert(*log.high_watermark);
            offsets.insert(*log.high_watermark - 1);
        }
    }
    return offsets;
}

/// Turns runs of at least four agreeing columns into one fold that keeps an offset at each end.
std::vector<LogColumn> fold_agreeing(const LogPicture& picture, const Span& span) {
    const std::set<std::int64_t> marks = watermark_offsets(picture);
    std::vector<LogColumn> columns;
    const auto flush = [&columns](std::int64_t first, std::int64_t end) {
        if (end - first < 4) {
            for (std::int64_t offset = first; offset < end; ++offset) {
                columns.push_back({offset, 1, true});
            }
            return;
        }
        columns.push_back({first, 1, true});
        columns.push_back({first + 1, end - first - 2, true});
        columns.push_back({end - 1, 1, true});
    };
    std::int64_t run = span.first;
    for (std::int64_t offset = span.first; offset < span.end; ++offset) {
        if (marks.count(offset) == 0 && agree_at(picture, offset)) {
            continue;
        }
        flush(run, offset);
        columns.push_back({offset, 1, false});
        run = offset + 1;
    }
    flush(run, span.end);
    return columns;
}

std::int64_t focus_of(const LogPicture& picture, const Span& span) {
    if (picture.around) {
        return std::clamp(*picture.around, span.first, span.end - 1);
    }
    std::optional<std::int64_t> lowest;
    for (const ReplicaLog& log : picture.logs) {
        if (log.high_watermark) {
            lowest = std::min(lowest.value_or(*log.high_watermark), *log.high_watermark);
        }
    }
    return std::clamp(lowest.value_or(span.end - 1), span.first, span.end - 1);
}

/// Joins columns [first, end) to one fold.
LogColumn join_columns(const std::vector<LogColumn>& columns, std::size_t first, std::size_t end) {
    LogColumn joined{columns[first].first, 0, true};
    for (std::size_t i = first; i < end; ++i) {
        joined.count += columns[i].count;
        joined.equal = joined.equal && columns[i].equal;
    }
    return joined;
}

/// Keeps `limit` columns around `focus` and joins what lies before and after.
std::vector<LogColumn> keep_around(const std::vector<LogColumn>& columns,
                                   std::int64_t focus,
                                   std::size_t limit) {
    std::size_t center = 0;
    while (center + 1 < columns.size() && columns[center + 1].first <= focus) {
        ++center;
    }
    const std::size_t kept = limit - 2;
    const std::size_t first =
        std::min(center > kept / 2 ? center - kept / 2 : 0, columns.size() - kept);
    const std::size_t end = first + kept;
    std::vector<LogColumn> out;
    if (first > 0) {
        out.push_back(join_columns(columns, 0, first));
    }
    out.insert(out.end(),
               columns.begin() + static_cast<std::ptrdiff_t>(first),
               columns.begin() + static_cast<std::ptrdiff_t>(end));
    if (end < columns.size()) {
        out.push_back(join_columns(columns, end, columns.size()));
    }
    return out;
}

}  // namespace

const LogCell* find_cell(const std::vector<LogCell>& cells, std::int64_t offset) {
    const auto found = std::lower_bound(
        cells.begin(), cells.end(), offset, [](const LogCell& cell, std::int64_t wanted) {
            return cell.offset < wanted;
        });
    return found != cells.end() && found->offset == offset ? &*found : nullptr;
}

std::vector<LogColumn> fold_columns(const LogPicture& picture, std::int32_t limit) {
    KLAB_ASSERT(limit >= 3, "limit {}", limit);
    const std::optional<Span> span = offsets_of(picture);
    if (!span) {
        return {};
    }
    std::vector<LogColumn> columns;
    if (span->end - span->first <= limit) {
        for (std::int64_t offset = span->first; offset < span->end; ++offset) {
            columns.push_back({offset, 1, agree_at(picture, offset)});
        }
        return columns;
    }
    columns = fold_agreeing(picture, *span);
    const auto most = static_cast<std::size_t>(limit);
    return columns.size() <= most ? columns : keep_around(columns, focus_of(picture, *span), most);
}

PictureHead head_with_folds(const LogPicture& picture, const std::vector<LogColumn>& columns) {
    PictureHead head = picture.head;
    std::int64_t folded = 0;
    for (const LogColumn& column : columns) {
        folded += column.is_fold() ? column.count : 0;
    }
    if (folded > 0) {
        head.hidden.push_back(fmt::format("{} offsets (folded)", folded));
    }
    return head;
}

bool has_cut_row(const ReplicaLog& log) {
    return std::any_of(log.cut.begin(), log.cut.end(), [&log](const LogCell& cell) {
        return cell.offset < log.log_end_offset;
    });
}

std::string log_end_text(const ReplicaLog& log) {
    if (!log.log_end_before_cut) {
        return fmt::format("{}", log.log_end_offset);
    }
    return fmt::format("{}\u2192{}", *log.log_end_before_cut, log.log_end_offset);
}

std::optional<std::int64_t> first_divergence(const LogPicture& picture) {
    const std::optional<Span> span = offsets_of(picture);
    if (!span) {
        return std::nullopt;
    }
    for (std::int64_t offset = span->first; offset < span->end; ++offset) {
        const LogCell* first = nullptr;
        for (const ReplicaLog& log : picture.logs) {
            const LogCell* cell = find_cell(log.cells, offset);
            const LogCell* cut = find_cell(log.cut, offset);
            for (const LogCell* each : {cell, cut}) {
                if (each == nullptr) {
                    continue;
                }
                if (first != nullptr && !same_record(*first, *each)) {
                    return offset;
                }
                first = each;
            }
        }
    }
    return std::nullopt;
}

}  // namespace klab::viz
