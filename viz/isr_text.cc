// SPDX-License-Identifier: Apache-2.0
//
// The picture `isr` for a terminal: a column is a slice of time, a strip shows the state in which
// a replica spent most of it, and below it the table of what changed when.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/isr_picture.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kNames = 8;  // columns before the strips

/// One column of a strip. Signs that differ also without colour.
std::string_view sign_of(IsrState state) {
    switch (state) {
        case IsrState::kLeader:
            return "L";
        case IsrState::kInSync:
            return "i";
        case IsrState::kCatchingUp:
            return "c";
        case IsrState::kLagging:
            return ".";
        case IsrState::kDown:
            return "x";
    }
    KLAB_ASSERT(false, "state {}", static_cast<int>(state));
    return "?";
}

class IsrSheet {
  public:
    IsrSheet(const IsrPicture& picture, const TextOptions& options)
        : picture_(picture),
          columns_(std::max(options.width - kNames - 1, 20)),
          from_(picture.head.from),
          length_(std::max<std::int64_t>(picture.head.to.ns - picture.head.from.ns, 1)) {}

    std::vector<std::string> make() {
        put_faults();
        for (const IsrStrip& strip : picture_.strips) {
            put_strip(strip);
        }
        put_sizes();
        put_axis();
        canvas_.put(row_++, 0, "L leader   i in the ISR   c catching up   . lagging   x down");
        ++row_;
        put_table();
        return canvas_.lines();
    }

  private:
    [[nodiscard]] std::int32_t column(Time at) const {
        const std::int64_t passed = std::clamp<std::int64_t>(at.ns - from_.ns, 0, length_);
        return static_cast<std::int32_t>(passed / 1'000 * (columns_ - 1) /
                                         std::max<std::int64_t>(length_ / 1'000, 1));
    }

    void put_faults() {
        std::int32_t number = 1;
        for (const SequenceFault& fault : picture_.faults) {
            const std::int32_t at = kNames + column(fault.at);
            canvas_.put(row_, at, number < 10 ? fmt::format("{}", number) : "*");
            ++number;
        }
        if (!picture_.faults.empty()) {
            canvas_.put(row_++, 0, "fault");
        }
    }

    void put_strip(const IsrStrip& strip) {
        canvas_.put(row_, 0, strip.broker);
        for (const IsrSpan& span : strip.spans) {
            const std::int32_t first = column(span.from);
            const std::int32_t last = column(span.to);
            canvas_.fill(row_, kNames + first, last - first + 1, sign_of(span.state));
        }
        ++row_;
    }

    void put_sizes() {
        canvas_.put(row_, 0, "|ISR|");
        std::int32_t free = 0;
        for (std::size_t i = 0; i < picture_.sizes.size(); ++i) {
            const IsrSize& size = picture_.sizes[i];
            const bool short_of = size.min_isr && size.members < *size.min_isr;
            const std::string text = fmt::format("{}{}", size.members, short_of ? "!" : "");
            const std::int32_t at = std::max(column(size.at), free);
            if (at + static_cast<std::int32_t>(text.size()) <= columns_) {
                canvas_.put(row_, kNames + at, text);
            }
            free = at + static_cast<std::int32_t>(text.size()) + 1;
        }
        ++row_;
    }

    void put_axis() {
        const std::string from = to_short_clock(picture_.head.from);
        const std::string to = to_short_clock(picture_.head.to);
        canvas_.fill(row_, kNames, columns_, kSignRule);
        ++row_;
        canvas_.put(row_, kNames, from);
        canvas_.put(row_, kNames + columns_ - static_cast<std::int32_t>(to.size()), to);
        ++row_;
    }

    /// Every change in the order of time.
    void put_table() {
        std::map<Time, std::vector<std::string>> lines;
        std::int32_t number = 1;
        for (const SequenceFault& fault : picture_.faults) {
            lines[fault.at].push_back(fmt::format("fault {}: {}", number++, fault.text));
        }
        for (const IsrStrip& strip : picture_.strips) {
            for (const IsrSpan& span : strip.spans) {
                lines[span.from].push_back(
                    fmt::format("{} {}", strip.broker, isr_state_word(span.state)));
            }
        }
        for (const IsrSize& size : picture_.sizes) {
            if (size.min_isr && size.members < *size.min_isr) {
                lines[size.at].push_back(fmt::format(
                    "{} in the ISR, below min.insync.replicas {}", size.members, *size.min_isr));
            }
        }
        for (const auto& [at, texts] : lines) {
            canvas_.put(
                row_,
                0,
                fmt::format(
                    "{:>12}  {}{}", to_short_clock(at), fmt::join(texts, ", "), offsets_text(at)));
            ++row_;
        }
    }

    [[nodiscard]] std::string offsets_text(Time at) const {
        const IsrOffsets* last = nullptr;
        for (const IsrOffsets& offsets : picture_.offsets) {
            if (offsets.at <= at) {
                last = &offsets;
            }
        }
        if (last == nullptr || !last->log_end_offset) {
            return {};
        }
        return last->high_watermark
                   ? fmt::format("   (LEO {}, HW {})", *last->log_end_offset, *last->high_watermark)
                   : fmt::format("   (LEO {})", *last->log_end_offset);
    }

    const IsrPicture& picture_;
    std::int32_t columns_;
    Time from_;
    std::int64_t length_;
    std::int32_t row_ = 0;
    TextCanvas canvas_;
};

}  // namespace

std::string_view isr_state_word(IsrState state) {
    switch (state) {
        case IsrState::kLeader:
            return "LEADER";
        case IsrState::kInSync:
            return "ISR";
        case IsrState::kCatchingUp:
            return "catching up";
        case IsrState::kLagging:
            return "lagging";
        case IsrState::kDown:
            return "down";
    }
    KLAB_ASSERT(false, "state {}", static_cast<int>(state));
    return "?";
}

std::vector<std::string> isr_text(const IsrPicture& picture, const TextOptions& options) {
    return IsrSheet(picture, options).make();
}

}  // namespace klab::viz
