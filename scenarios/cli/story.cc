// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/story.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sim/trace/kernel_events.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

/// Told once between two turns of the plot.
constexpr std::array<std::string_view, 14> kRoutine{"record.sent",
                                                    "record.acked",
                                                    "record.failed",
                                                    "record.polled",
                                                    "log.appended",
                                                    "hw.advanced",
                                                    "batch.retried",
                                                    "produce.refused",
                                                    "duplicate.recognized",
                                                    "fetch.failed",
                                                    "client.failed",
                                                    "leader.learned",
                                                    "isr.refused",
                                                    "config.changed"};

/// Not told in the folded form: another line says the same, or it is the inside of a broker.
constexpr std::array<std::string_view, 9> kHidden{"record.processed",
                                                  "produce.waiting",
                                                  "produce.completed",
                                                  "admin.answered",
                                                  "link.cut",
                                                  "link.healed",
                                                  "fault.armed",
                                                  "broker.state_changed",
                                                  "position.reset"};

constexpr std::array<std::string_view, 9> kTrouble{"node.crashed",
                                                   "node.powered_off",
                                                   "node.paused",
                                                   "broker.fenced",
                                                   "leader.lost",
                                                   "log.truncated",
                                                   "record.failed",
                                                   "produce.refused",
                                                   "fault.hit"};

constexpr std::array<std::string_view, 3> kRelief{
    "leader.elected", "isr.expanded", "broker.unfenced"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Tone tone_of(std::string_view kind) {
    if (is_one_of(kind, kTrouble)) {
        return Tone::kBad;
    }
    return is_one_of(kind, kRelief) ? Tone::kGood : Tone::kPlain;
}

/// Events of one key between two turns of the plot.
struct Group {
    const sim::Event* first = nullptr;
    const sim::Event* last = nullptr;
    std::uint64_t count = 0;
};

class Teller {
  public:
    Teller(const EventText& events, StoryDetail detail) : events_(events), detail_(detail) {}

    void hear(const sim::Event& event) {
        const sim::EventDef& row = events_.row(event);
        if (row.level != sim::EventLevel::kTransition || event.time < events_.run().origin) {
            return;
        }
        if (detail_ == StoryDetail::kAll) {
            tell(event);
            return;
        }
        const bool refused = std::string_view(row.name) == "admin.answered" &&
                             events_.number(event, "error").value_or(0) != 0;
        if (is_one_of(row.name, kHidden) && !refused) {
            return;
        }
        if (is_one_of(row.name, kRoutine)) {
            fold(event);
            return;
        }
        end_chapter();
        tell(event);
    }

    std::vector<StoryLine> finish() {
        end_chapter();
        return std::move(lines_);
    }

  private:
    using Key = std::tuple<std::uint16_t, std::int64_t, std::int64_t, std::int64_t>;

    void fold(const sim::Event& event) {
        const auto part = [&](std::string_view field) {
            return events_.number(event, field).value_or(sim::kAbsent);
        };
        const std::int64_t node = event.node ? event.node->value() : sim::kAbsent;
        const Key key{event.kind.value(),
                      node,
                      part("partition"),
                      std::max(part("as_leader"), part("error"))};
        const auto [found, is_new] = places_.try_emplace(key, groups_.size());
        if (is_new) {
            groups_.push_back({&event, &event, 0});
        }
        Group& group = groups_[found->second];
        group.last = &event;
        ++group.count;
    }

    void end_chapter() {
        for (const Group& group : groups_) {
            const std::string_view kind = events_.row(*group.first).name;
            std::string text = events_.sentence(*group.first, *group.last);
            if (group.count > 1) {
                const std::string begin = clock_text(events_.time(*group.first));
                const std::string end = clock_text(events_.time(*group.last));
                text += fmt::format(
                    "  ({} times{})", group.count, begin == end ? "" : ", until " + end);
            }
            lines_.push_back({events_.time(*group.first), tone_of(kind), false, std::move(text)});
        }
        groups_.clear();
        places_.clear();
    }

    void tell(const sim::Event& event) {
        const Duration time = events_.time(event);
        if (event.kind != sim::events::kMarkMade) {
            const bool unclean = events_.number(event, "unclean") == 1 &&
                                 std::string_view(events_.row(event).name) == "leader.elected";
            const Tone tone = unclean ? Tone::kBad : tone_of(events_.row(event).name);
            const std::string_view more =
                unclean ? ", from outside the ISR: committed records may be lost" : "";
            lines_.push_back({time, tone, false, events_.sentence(event) + std::string(more)});
            return;
        }
        const std::string kind = events_.field(event, 0);
        const std::string text = events_.field(event, 2);
        if (kind == "say") {
            lines_.push_back({time, Tone::kNotice, true, "\u201c" + text + "\u201d"});
        } else {
            const std::string name = events_.field(event, 1);
            lines_.push_back({time,
                              Tone::kBold,
                              true,
                              text.empty() ? fmt::format("{} {}", kind, name)
                                           : fmt::format("{} {}: {}", kind, name, text)});
        }
    }

    const EventText& events_;
    StoryDetail detail_;
    std::vector<Group> groups_;  // in the order of their first events
    std::map<Key, std::size_t> places_;
    std::vector<StoryLine> lines_;
};

}  // namespace

std::vector<StoryLine> tell_story(const EventText& events, StoryDetail detail) {
    Teller teller(events, detail);
    events.run().recording.for_each([&](const sim::Event& event) { teller.hear(event); });
    return teller.finish();
}

std::string clock_text(Duration time) {
    const std::int64_t ms = time.to_ms();
    return fmt::format("{}.{:03} s", ms / 1000, ms % 1000);
}

std::string story_text(const std::vector<StoryLine>& story, const Terminal& terminal) {
    constexpr std::int32_t kIndent = 14;
    std::string out;
    std::string shown_time;
    for (const StoryLine& line : story) {
        std::string time = clock_text(line.time);
        const bool repeats = time == shown_time;
        shown_time = time;
        std::string_view sign = line.is_step ? "\u25b8 " : "  ";
        for (const std::string& piece : viz::wrap_words(line.text, terminal.width() - kIndent)) {
            out += fmt::format("{:>10}  {}{}\n",
                               sign.empty() || repeats ? "" : time,
                               sign.empty() ? "  " : sign,
                               terminal.tinted(line.tone, piece));
            sign = {};
        }
    }
    return out;
}

}  // namespace klab::cli
