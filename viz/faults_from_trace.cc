// SPDX-License-Identifier: Apache-2.0
//
// Faults in words. See faults_from_trace.h.
#include "viz/faults_from_trace.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/trace/kernel_events.h"

namespace klab::viz {

namespace {

namespace kernel = sim::events;

using Link = std::pair<std::string, std::string>;

struct Instant {
    Time at;
    std::uint64_t event = 0;  ///< The first of the instant.
    std::vector<std::string> sentences;
    std::vector<Link> cut;
    std::vector<Link> healed;
};

std::string process_text(const TraceView& view, const sim::Event& event) {
    const std::string name = event.node ? view.node_name(*event.node) : std::string();
    if (event.kind == kernel::kNodeBooted) {
        return view.number(event, "incarnation") > 1 ? name + " restarts" : std::string();
    }
    if (event.kind == kernel::kNodeCrashed) {
        return name + " crashes";
    }
    if (event.kind == kernel::kNodePoweredOff) {
        return name + " loses power";
    }
    if (event.kind == kernel::kNodeExited) {
        return name + " stops";
    }
    if (event.kind == kernel::kNodePaused) {
        return name + " freezes";
    }
    return event.kind == kernel::kNodeResumed ? name + " wakes up" : std::string();
}

Link link_of(const TraceView& view, const sim::Event& event) {
    const auto word = [&](std::string_view field) {
        const std::optional<sim::NodeId> node = view.node(event, field);
        return node ? view.node_name(*node) : std::string("any");
    };
    return {word("from"), word("to")};
}

bool has(const std::vector<Link>& links, const Link& link) {
    return std::find(links.begin(), links.end(), link) != links.end();
}

/// Each pair once, and whether it holds both ways.
std::vector<std::pair<Link, bool>> pairs_of(const std::vector<Link>& links) {
    std::vector<std::pair<Link, bool>> pairs;
    for (const Link& link : links) {
        const Link back{link.second, link.first};
        const bool both = has(links, back);
        const bool seen = std::any_of(pairs.begin(), pairs.end(), [&](const auto& known) {
            return known.first == link || (both && known.first == back);
        });
        if (!seen) {
            pairs.emplace_back(link, both);
        }
    }
    return pairs;
}

/// The node that is an end of every pair; empty if there is none.
std::string common_end(const std::vector<std::pair<Link, bool>>& pairs) {
    const Link& first = pairs.front().first;
    for (const std::string& candidate : {first.first, first.second}) {
        const bool everywhere =
            std::all_of(pairs.begin(), pairs.end(), [&candidate](const auto& pair) {
                return pair.first.first == candidate || pair.first.second == candidate;
            });
        if (everywhere) {
            return candidate;
        }
    }
    return {};
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string sentence_of(const Instant& instant) {
    std::vector<std::string> sentences = instant.sentences;
    if (!instant.cut.empty()) {
        sentences.push_back(links_text(instant.cut, "cut", "cut off from"));
    }
    if (!instant.healed.empty()) {
        sentences.push_back(links_text(instant.healed, "healed", "back in touch with"));
    }
    return join(sentences);
}

}  // namespace

std::string links_text(const std::vector<Link>& links,
                       const std::string& done,
                       const std::string& done_from) {
    const std::vector<std::pair<Link, bool>> pairs = pairs_of(links);
    if (pairs.empty()) {
        return {};
    }
    const bool all_both =
        std::all_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.second; });
    const std::string common = common_end(pairs);
    std::vector<std::string> words;
    for (const auto& [link, both] : pairs) {
        if (all_both && !common.empty()) {
            words.push_back(link.first == common ? link.second : link.first);
        } else {
            words.push_back(fmt::format("{}{}{}", link.first, both ? "-" : " to ", link.second));
        }
    }
    return all_both && !common.empty() ? fmt::format("{} {} {}", common, done_from, join(words))
                                       : fmt::format("{} {}", done, join(words));
}

std::vector<SequenceFault> faults_of(const TraceView& view) {
    std::vector<SequenceFault> faults;
    for (const PictureMark& mark : view.input().marks) {
        faults.push_back({view.shifted(mark.at), mark.text, {}});
    }
    if (!faults.empty()) {
        return faults;
    }
    std::vector<Instant> instants;
    view.input().recording.for_each([&](const sim::Event& event) {
        const bool cut = event.kind == kernel::kLinkCut;
        const bool healed = event.kind == kernel::kLinkHealed;
        const std::string text = cut || healed ? std::string() : process_text(view, event);
        if (!cut && !healed && text.empty()) {
            return;
        }
        if (instants.empty() || instants.back().at != view.time(event)) {
            instants.push_back({view.time(event), event.id.value(), {}, {}, {}});
        }
        Instant& instant = instants.back();
        if (cut) {
            instant.cut.push_back(link_of(view, event));
        } else if (healed) {
            instant.healed.push_back(link_of(view, event));
        } else {
            instant.sentences.push_back(text);
        }
    });
    for (const Instant& instant : instants) {
        faults.push_back({instant.at, sentence_of(instant), instant.event});
    }
    return faults;
}

}  // namespace klab::viz
