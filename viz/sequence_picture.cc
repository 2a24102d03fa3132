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

/// "t-0 @5..7", "@5"; empty without records.
std::string records_text(const std::optional<MessageRecords>& records) {
    if (!records) {
        return {};
    }
    const std::string partition = records->partition.empty() ? "" : records->partition + " ";
    return records->first == records->last
               ? fmt::format("{}@{}", partition, records->first)
               : fmt::format("{}@{}..{}", partition, records->first, records->last);
}

BurstKey key_of(const SequenceMessage& message, BurstDetail detail) {
    std::string text = message.text;
    switch (detail) {
        case BurstDetail::kEqual:
            text += records_text(message.records);
            break;
        case BurstDetail::kSpans:
            break;
    }
    return {message.from, message.to, message.api, message.is_reply, text, message.fate};
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

/// From the first to the last record of the messages; nothing if they are of several partitions.
std::optional<MessageRecords> span_of(const std::vector<SequenceMessage>& messages,
                                      const std::vector<std::size_t>& group) {
    std::optional<MessageRecords> span;
    for (const std::size_t i : group) {
        const std::optional<MessageRecords>& records = messages[i].records;
        if (!records) {
            continue;
        }
        if (!span) {
            span = records;
        }
        if (span->partition != records->partition) {
            return std::nullopt;
        }
        span->first = std::min(span->first, records->first);
        span->last = std::max(span->last, records->last);
    }
    return span;
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

std::vector<SequenceMessage> merge_bursts(const SequencePicture& picture,
                                          BurstDetail detail,
                                          std::size_t least) {
    KLAB_ASSERT(least >= 2, "least {}", least);
    const std::vector<Time> breaks = breaks_of(picture);
    std::vector<Burst> bursts;
    std::map<TalkKey, Talk> talks;
    for (std::size_t i = 0; i < picture.messages.size(); ++i) {
        const SequenceMessage& message = picture.messages[i];
        Talk& talk = talks[talk_of(message)];
        const BurstKey key = key_of(message, detail);
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
        talk.since[key].clear();
        // A run with two other kinds behind it is over; forgetting it keeps this loop short.
        for (auto it = talk.since.begin(); it != talk.since.end();) {
            if (it->first != key) {
                it->second.insert(key);
            }
            if (it->second.size() > 1) {
                talk.open.erase(it->first);
                it = talk.since.erase(it);
            } else {
                ++it;
            }
        }
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
        burst.records = span_of(picture.messages, group);
        burst.last_sent = picture.messages[group.back()].sent;
        merged.push_back(std::move(burst));
    }
    std::stable_sort(
        merged.begin(), merged.end(), [](const SequenceMessage& a, const SequenceMessage& b) {
            return a.sent < b.sent;
        });
    return merged;
}

std::vector<SequenceMessage> shown_messages(const SequencePicture& picture) {
    std::vector<SequenceMessage> equal = merge_bursts(picture);
    return equal.size() <= kSequenceDetailMax ? equal : merge_bursts(picture, BurstDetail::kSpans);
}

std::string message_label(const SequenceMessage& message) {
    std::string label = to_printable(message.api);
    if (message.is_reply) {
        label += " reply";
    }
    if (!message.text.empty()) {
        label += " " + to_printable(message.text);
    }
    if (message.records) {
        label += " " + to_printable(records_text(message.records));
    }
    if (message.count > 1) {
        label += fmt::format(" \u00d7{}", message.count);
    }
    return label;
}

}  // namespace klab::viz
