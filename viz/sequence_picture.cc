// SPDX-License-Identifier: Apache-2.0
//
// Bursts and labels of the picture `sequence`. See sequence_picture.h.
#include "viz/sequence_picture.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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

/// Messages of one kind that may be drawn as one.
struct Burst {
    std::vector<std::size_t> messages;  ///< Indices, ascending.
    std::optional<BurstKey> other;      ///< The one kind that alternates with it.
};

/// Two nodes, in either direction, and an api.
using TalkKey = std::tuple<std::size_t, std::size_t, std::string>;

struct Talk {
    std::map<BurstKey, std::size_t> open;          ///< Burst that a message may still join.
    std::map<BurstKey, std::set<BurstKey>> since;  ///< Other kinds since the last of each kind.
};

TalkKey talk_of(const SequenceMessage& message) {
    return {std::min(message.from, message.to), std::max(message.from, message.to), message.api};
}

/// True if what came in between is nothing, or the same one kind as before.
bool can_join(const Burst& burst, const std::set<BurstKey>& between) {
    if (between.empty()) {
        return true;
    }
    return between.size() == 1 && (!burst.other || *burst.other == *between.begin());
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
    std::vector<Burst> bursts;
    std::map<TalkKey, Talk> talks;
    for (std::size_t i = 0; i < picture.messages.size(); ++i) {
        const SequenceMessage& message = picture.messages[i];
        Talk& talk = talks[talk_of(message)];
        const BurstKey key = key_of(message);
        const auto open = talk.open.find(key);
        const bool joins =
            open != talk.open.end() && can_join(bursts[open->second], talk.since[key]) &&
            !is_broken(
                breaks, picture.messages[bursts[open->second].messages.back()].sent, message.sent);
        if (!joins) {
            talk.open[key] = bursts.size();
            bursts.push_back({{}, {}});
        }
        Burst& burst = bursts[talk.open[key]];
        if (joins && !talk.since[key].empty()) {
            burst.other = *talk.since[key].begin();
        }
        burst.messages.push_back(i);
        for (auto& [other, kinds] : talk.since) {
            if (other != key) {
                kinds.insert(key);
            }
        }
        talk.since[key].clear();
    }
    std::vector<SequenceMessage> merged;
    for (const Burst& each : bursts) {
        const std::vector<std::size_t>& group = each.messages;
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
