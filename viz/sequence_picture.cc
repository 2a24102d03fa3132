// SPDX-License-Identifier: Apache-2.0
//
// Bursts and labels of the picture `sequence`. See sequence_picture.h.
#include "viz/sequence_picture.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

using BurstKey = std::tuple<std::size_t, std::size_t, std::string, bool, std::string, MessageFate>;

BurstKey key_of(const SequenceMessage& message) {
    return {message.from, message.to, message.api, message.is_reply, message.text, message.fate};
}

/// Instants that no burst may span.
std::vector<Time> breaks_of(const SequencePicture& picture) {
    std::vector<Time> breaks;
    for (const SequenceFault& fault : picture.faults) {
        breaks.push_back(fault.at);
    }
    for (const SequenceMark& mark : picture.marks) {
        breaks.push_back(mark.at);
    }
    std::sort(breaks.begin(), breaks.end());
    return breaks;
}

bool is_broken(const std::vector<Time>& breaks, Time first, Time second) {
    const auto next = std::upper_bound(breaks.begin(), breaks.end(), first);
    return next != breaks.end() && *next <= second;
}

}  // namespace

std::vector<SequenceMessage> merge_bursts(const SequencePicture& picture, std::size_t least) {
    KLAB_ASSERT(least >= 2, "least {}", least);
    const std::vector<Time> breaks = breaks_of(picture);
    std::vector<std::vector<std::size_t>> groups;
    std::map<BurstKey, std::size_t> open;  // group that a message of that kind may still join
    for (std::size_t i = 0; i < picture.messages.size(); ++i) {
        const SequenceMessage& message = picture.messages[i];
        const auto found = open.find(key_of(message));
        if (found != open.end()) {
            std::vector<std::size_t>& group = groups[found->second];
            if (!is_broken(breaks, picture.messages[group.back()].sent, message.sent)) {
                group.push_back(i);
                continue;
            }
        }
        open[key_of(message)] = groups.size();
        groups.push_back({i});
    }
    std::vector<SequenceMessage> merged;
    for (const std::vector<std::size_t>& group : groups) {
        if (group.size() < least) {
            for (const std::size_t i : group) {
                merged.push_back(picture.messages[i]);
            }
            continue;
        }
        SequenceMessage burst = picture.messages[group.front()];
        burst.count = static_cast<std::uint32_t>(group.size());
        burst.last_sent = picture.messages[group.back()].sent;
        merged.push_back(std::move(burst));
    }
    std::stable_sort(
        merged.begin(), merged.end(), [](const SequenceMessage& a, const SequenceMessage& b) {
            return a.sent < b.sent;
        });
    return merged;
}

std::string message_label(const SequenceMessage& message) {
    std::string label = to_printable(message.api);
    if (message.is_reply) {
        label += " reply";
    }
    if (!message.text.empty()) {
        label += " " + to_printable(message.text);
    }
    if (message.count > 1) {
        label += fmt::format(" \u00d7{}", message.count);
    }
    return label;
}

}  // namespace klab::viz
