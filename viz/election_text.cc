// SPDX-License-Identifier: Apache-2.0
//
// The picture `election` for the terminal, and the texts both forms share. See election_picture.h.
#include <algorithm>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/election_picture.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kTimeColumn = 1;
constexpr std::int32_t kTextColumn = 15;

std::string_view step_sign(ElectionStep step) {
    switch (step) {
        case ElectionStep::kLastHeartbeat:
        case ElectionStep::kLearned:
        case ElectionStep::kOther:
            return kSignDot;
        case ElectionStep::kFenced:
        case ElectionStep::kLeaderRecord:
        case ElectionStep::kCandidates:
            return kSignSquare;
        case ElectionStep::kFirstAppend:
            return kSignUp;
        case ElectionStep::kFault:
        case ElectionStep::kTruncated:
            return kSignCross;
    }
    KLAB_ASSERT(false, "step {}", static_cast<int>(step));
    return {};
}

class ElectionText {
  public:
    ElectionText(const ElectionPicture& picture, const TextOptions& options)
        : picture_(picture), width_(std::max(40, options.width)) {
        place_columns();
    }

    std::vector<std::string> draw() {
        canvas_.put(row_, 1, election_summary(picture_));
        row_ += 2;
        put_header();
        for (const ElectionLine& line : election_lines(picture_)) {
            if (line.arrow == nullptr) {
                put_row(*line.row);
            } else {
                put_late_arrow(*line.row, *line.arrow);
            }
        }
        return canvas_.lines();
    }

  private:
    /// Node columns share what is right of the sentences; the sentences get what they need.
    void place_columns() {
        const auto count = static_cast<std::int32_t>(picture_.columns.size());
        std::int32_t sentence = 20;
        for (const ElectionRow& row : picture_.rows) {
            sentence = std::max(sentence, display_columns(row.text) + 2);
        }
        std::int32_t spacing = 12;
        const std::int32_t room = width_ - kTextColumn;
        if (count > 0) {
            spacing = std::clamp((room - std::min(sentence, room / 2)) / count, 5, 12);
        }
        const std::int32_t most = std::max(20, room - spacing * count);
        text_width_ = std::min(sentence, most);
        for (std::int32_t i = 0; i < count; ++i) {
            x_.push_back(kTextColumn + text_width_ + spacing * i + spacing / 2);
        }
        spacing_ = spacing;
    }

    void put_header() {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const ElectionColumn& column = picture_.columns[i];
            put_centered(row_, x_[i], elide(column.name, spacing_ - 1));
            put_centered(row_ + 1, x_[i], role_word(column.role));
        }
        row_ += 2;
    }

    /// The full word where it fits, else a short one.
    [[nodiscard]] std::string role_word(ElectionRole role) const {
        const std::string word = election_role_word(role);
        if (display_columns(word) < spacing_) {
            return word;
        }
        switch (role) {
            case ElectionRole::kController:
                return "ctrl";
            case ElectionRole::kOldLeader:
                return "old";
            case ElectionRole::kCandidate:
                return "cand";
            case ElectionRole::kClient:
                return "clnt";
        }
        return word;
    }

    void put_centered(std::int32_t row, std::int32_t center, const std::string& text) {
        canvas_.put(row, center - display_columns(text) / 2, text);
    }

    void put_posts() {
        for (const std::int32_t x : x_) {
            canvas_.put(row_, x, kSignDots);
        }
    }

    void put_time(Time at) {
        if (last_) {
            canvas_.put(row_, kTimeColumn, "+" + to_short_text(at - *last_));
        } else {
            canvas_.put(row_, kTimeColumn, to_short_clock(at));
        }
        last_ = at;
    }

    void put_row(const ElectionRow& row) {
        const std::vector<std::string> lines = wrap_words(row.text, text_width_ - 1);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            put_posts();
            canvas_.put(row_, kTextColumn, lines[i]);
            if (i == 0) {
                put_time(row.at);
                put_marks(row);
            }
            ++row_;
        }
        if (!row.candidates.empty()) {
            put_candidates(row.candidates);
        }
    }

    void put_late_arrow(const ElectionRow& row, const ElectionArrow& arrow) {
        put_posts();
        put_time(arrow.at);
        canvas_.put(
            row_, kTextColumn, elide(fmt::format("  {} {}", arrow.to, arrow.text), text_width_));
        if (!arrow.is_local) {
            put_arrow(row.column, arrow.to);
        } else if (const auto index = column_index(picture_, arrow.to)) {
            canvas_.put(row_, x_[*index], kSignDot);
        }
        ++row_;
    }

    void put_marks(const ElectionRow& row) {
        for (const ElectionArrow& arrow : row.arrows) {
            if (!has_own_line(row, arrow)) {
                put_arrow(row.column, arrow.to);
            }
        }
        if (const auto index = column_index(picture_, row.column)) {
            canvas_.put(row_, x_[*index], step_sign(row.step));
        }
    }

    void put_arrow(const std::string& from, const std::string& to) {
        const auto a = column_index(picture_, from);
        const auto b = column_index(picture_, to);
        if (!a || !b || *a == *b) {
            return;
        }
        const std::int32_t start = x_[*a];
        const std::int32_t end = x_[*b];
        canvas_.fill(row_, std::min(start, end) + 1, std::abs(end - start) - 1, kSignRule);
        canvas_.put(row_, end < start ? end + 1 : end - 1, end < start ? kSignLeft : kSignRight);
    }

    void put_candidates(const std::vector<ElectionCandidate>& candidates) {
        std::int32_t name = 7;
        for (const ElectionCandidate& candidate : candidates) {
            name = std::max(name, display_columns(candidate.replica));
        }
        name = std::min<std::int32_t>(name, 16);
        const std::int32_t left = kTextColumn;
        const std::int32_t top = row_;
        ++row_;
        put_candidate_cells(left + 2, name, "replica", "alive", "in ISR", "order", "choice");
        std::int32_t widest = name + 35;
        const std::int32_t room = std::max(30, width_ - left - name - 28);
        for (const ElectionCandidate& candidate : candidates) {
            const std::string sign =
                candidate.is_chosen ? std::string(kSignRight) + " chosen: " : "  \u2013 ";
            const std::vector<std::string> lines = wrap_words(sign + candidate.reason, room - 4);
            ++row_;
            put_candidate_cells(left + 2,
                                name,
                                elide(candidate.replica, name),
                                candidate.is_alive ? "yes" : "no",
                                candidate.is_in_isr ? "yes" : "no",
                                fmt::format("{}", candidate.order),
                                lines.front());
            widest = std::max(widest, name + 24 + display_columns(lines.front()));
            for (std::size_t i = 1; i < lines.size(); ++i) {
                ++row_;
                canvas_.put(row_, left + 2 + name + 28, lines[i]);
                widest = std::max(widest, name + 28 + display_columns(lines[i]));
            }
        }
        ++row_;
        canvas_.frame(top, left, row_ - top + 1, widest + 4);
        ++row_;
    }

    void put_candidate_cells(std::int32_t left,
                             std::int32_t name,
                             std::string_view replica,
                             std::string_view alive,
                             std::string_view in_isr,
                             std::string_view order,
                             std::string_view choice) {
        canvas_.put(row_, left, replica);
        canvas_.put(row_, left + name + 2, alive);
        canvas_.put(row_, left + name + 9, in_isr);
        canvas_.put(row_, left + name + 17, order);
        canvas_.put(row_, left + name + 24, choice);
    }

    const ElectionPicture& picture_;
    std::int32_t width_;
    std::int32_t text_width_ = 20;
    std::int32_t spacing_ = 12;
    std::vector<std::int32_t> x_;
    std::optional<Time> last_;
    std::int32_t row_ = 0;
    TextCanvas canvas_;
};

}  // namespace

std::string election_summary(const ElectionPicture& picture) {
    return fmt::format("{}: epoch {} \u2192 {}, leader {} \u2192 {}",
                       to_printable(picture.partition),
                       picture.epoch_before,
                       picture.epoch_after,
                       to_printable(picture.old_leader.value_or("none")),
                       to_printable(picture.new_leader.value_or("none")));
}

std::optional<std::size_t> column_index(const ElectionPicture& picture, const std::string& name) {
    for (std::size_t i = 0; i < picture.columns.size(); ++i) {
        if (picture.columns[i].name == name) {
            return i;
        }
    }
    return std::nullopt;
}

bool has_own_line(const ElectionRow& row, const ElectionArrow& arrow) {
    return !arrow.text.empty() || arrow.at != row.at;
}

std::vector<ElectionLine> election_lines(const ElectionPicture& picture) {
    std::vector<ElectionLine> lines;
    for (const ElectionRow& row : picture.rows) {
        lines.push_back({row.at, &row, nullptr});
        for (const ElectionArrow& arrow : row.arrows) {
            if (has_own_line(row, arrow)) {
                lines.push_back({arrow.at, &row, &arrow});
            }
        }
    }
    std::stable_sort(lines.begin(), lines.end(), [](const ElectionLine& a, const ElectionLine& b) {
        return a.at < b.at;
    });
    return lines;
}

std::string election_role_word(ElectionRole role) {
    switch (role) {
        case ElectionRole::kController:
            return "controller";
        case ElectionRole::kOldLeader:
            return "old leader";
        case ElectionRole::kCandidate:
            return "candidate";
        case ElectionRole::kClient:
            return "client";
    }
    KLAB_ASSERT(false, "role {}", static_cast<int>(role));
    return {};
}

std::vector<std::string> election_text(const ElectionPicture& picture, const TextOptions& options) {
    return ElectionText(picture, options).draw();
}

}  // namespace klab::viz
