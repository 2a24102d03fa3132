// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `sequence`. See sequence_from_trace.h.
#include "viz/sequence_from_trace.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/types/api_key.h"
#include "model/types/kafka_events.h"
#include "sim/trace/kernel_events.h"
#include "viz/cluster_replay.h"
#include "viz/faults_from_trace.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

namespace kernel = sim::events;
namespace kafka = types::events;

/// A message with node ids, before the columns are known.
struct RawMessage {
    sim::NodeId from;
    sim::NodeId to;
    SequenceMessage message;
};

bool is_lost(MessageFate fate) {
    return fate == MessageFate::kLostOnTheWay || fate == MessageFate::kLostAtReceiver;
}

/// Losses that happen because nobody was there, not on the way.
MessageFate fate_of(std::int64_t reason) {
    using sim::events::CloseReason;
    switch (static_cast<CloseReason>(reason)) {
        case CloseReason::kReceiverDown:
        case CloseReason::kRefused:
        case CloseReason::kClosedHere:
        case CloseReason::kClosedByPeer:
            return MessageFate::kLostAtReceiver;
        case CloseReason::kResetByPeer:
        case CloseReason::kResetByFault:
        case CloseReason::kDroppedByFault:
            return MessageFate::kLostOnTheWay;
    }
    return MessageFate::kLostOnTheWay;
}

class SequenceExtract {
  public:
    SequenceExtract(const TraceView& view, const SequenceChoice& choice)
        : view_(view), choice_(choice), has_one_partition_(view.partitions().size() == 1) {}

    SequencePicture make() {
        read_messages();
        hide_noise();
        faults_ = faults_of(view_);
        read_marks();
        choose_window();
        cut_to_window();
        place_nodes();
        read_states();
        picture_.head = view_.head("messages", from_, to_);
        picture_.head.hidden = hidden_;
        return std::move(picture_);
    }

  private:
    void read_messages() {
        std::map<std::int64_t, std::size_t> by_number;
        const sim::Recording& recording = view_.input().recording;
        for (std::uint64_t i = 0; i < recording.size(); ++i) {
            const sim::Event& event = recording.at(i);
            if (event.kind == kernel::kMessageSent) {
                const std::optional<sim::NodeId> to = view_.node(event, "to");
                if (!to || !event.node) {
                    continue;
                }
                by_number[view_.number(event, "message")] = raw_.size();
                RawMessage raw{*event.node, *to, {}};
                raw.message.sent = view_.time(event);
                raw.message.fate = MessageFate::kStillInFlight;
                raw.message.api = view_.symbol(event, "api");
                raw.message.is_reply = view_.flag(event, "reply");
                raw.message.event = event.id.value();
                raw_.push_back(std::move(raw));
            } else if (event.kind == kernel::kMessageReceived ||
                       event.kind == kernel::kMessageLost ||
                       event.kind == kernel::kMessageSwallowed) {
                const auto found = by_number.find(view_.number(event, "message"));
                if (found != by_number.end()) {
                    end_message(raw_[found->second].message, event);
                    arrived_[event.id] = found->second;
                }
            } else if (event.kind == kafka::kLogAppended) {
                tell_appended(event);
            }
        }
    }

    /// Writes beside the message that brought them which records were appended: the message is the
    /// nearest one among the causes of the event.
    void tell_appended(const sim::Event& event) {
        const sim::Event* cause = &event;
        for (int depth = 0; depth < 4 && cause != nullptr && cause->cause_count > 0; ++depth) {
            const sim::EventId parent = cause->causes[0];
            const auto found = arrived_.find(parent);
            if (found != arrived_.end()) {
                add_records(event, raw_[found->second].message);
                return;
            }
            cause = view_.input().recording.find(parent);
        }
    }

    void add_records(const sim::Event& event, SequenceMessage& message) const {
        const std::string partition = has_one_partition_
                                          ? std::string()
                                          : view_.partition_name(view_.number(event, "partition"));
        const std::int64_t first = view_.number(event, "base_offset");
        const std::int64_t last = view_.number(event, "last_offset");
        if (!message.records) {
            message.records = MessageRecords{partition, first, last};
        } else if (message.records->partition == partition && message.records->last + 1 == first) {
            message.records->last = last;
        } else {
            message.text +=
                fmt::format("{}{} @{}", message.text.empty() ? "" : ", ", partition, first);
        }
    }

    void end_message(SequenceMessage& message, const sim::Event& event) {
        if (event.kind == kernel::kMessageReceived) {
            message.fate = MessageFate::kDelivered;
            message.received = view_.time(event);
        } else if (message.fate == MessageFate::kDelivered) {
            return;
        } else if (event.kind == kernel::kMessageSwallowed) {
            message.fate = MessageFate::kLostOnTheWay;
        } else if (message.fate != MessageFate::kLostOnTheWay) {
            message.fate = fate_of(view_.number(event, "reason"));
            message.received = view_.time(event);
        }
    }

    /// The word under which a message is hidden, or nothing if it belongs to the story.
    [[nodiscard]] std::optional<std::string> noise_word(const RawMessage& raw) const {
        if (is_lost(raw.message.fate) && raw.message.api != "Fetch") {
            return std::nullopt;
        }
        const auto is_controller = [this](sim::NodeId node) {
            const PictureNode* known = view_.find_node(node);
            return known != nullptr && known->kind == PictureNodeKind::kController;
        };
        if (raw.message.api ==
            types::api_name(static_cast<std::int64_t>(types::ApiKey::kBrokerHeartbeat))) {
            return "heartbeats";
        }
        if (raw.message.api ==
            types::api_name(static_cast<std::int64_t>(types::ApiKey::kMetadata))) {
            return "metadata requests";
        }
        if (raw.message.api == types::api_name(static_cast<std::int64_t>(types::ApiKey::kFetch)) &&
            (is_controller(raw.from) || is_controller(raw.to))) {
            return "fetches of the metadata log";
        }
        return std::nullopt;
    }

    void hide_noise() {
        if (choice_.show_all) {
            return;
        }
        const auto is_noise = [this](const RawMessage& raw) {
            const std::optional<std::string> word = noise_word(raw);
            if (word) {
                noise_.push_back({raw.message.sent, *word});
            }
            return word.has_value();
        };
        std::vector<RawMessage> kept;
        for (RawMessage& raw : raw_) {
            if (!is_noise(raw)) {
                kept.push_back(std::move(raw));
            }
        }
        raw_ = std::move(kept);
    }

    void read_marks() {
        view_.input().recording.for_each([this](const sim::Event& event) {
            const std::optional<std::string> text = mark_text(event);
            if (text && event.node) {
                marks_.push_back({*event.node, {0, view_.time(event), *text, event.id.value()}});
            }
        });
    }

    /// Events that decide the story; everything else is left to the messages.
    [[nodiscard]] std::optional<std::string> mark_text(const sim::Event& event) const {
        const auto partition = [&] {
            return view_.partition_name(view_.number(event, "partition"));
        };
        if (event.kind == kafka::kLeaderStarted) {
            return fmt::format(
                "leads {}, epoch {}", partition(), view_.number(event, "leader_epoch"));
        }
        if (event.kind == kafka::kBrokerFenced) {
            return fmt::format("fences {}", view_.broker_name(view_.number(event, "broker")));
        }
        if (event.kind == kafka::kLeaderLost) {
            return partition() + " has no leader";
        }
        if (event.kind == kafka::kLogTruncated &&
            view_.number(event, "from") > view_.number(event, "to")) {
            return fmt::format("cuts {} from {} to {}",
                               partition(),
                               view_.number(event, "from"),
                               view_.number(event, "to"));
        }
        if (event.kind == kafka::kIsrShrunk || event.kind == kafka::kIsrExpanded) {
            return fmt::format(
                "ISR of {} is {}", partition(), view_.broker_list(view_.list(event, "isr")));
        }
        if (event.kind == kafka::kProduceRefused) {
            return fmt::format("refuses: {}", view_.symbol(event, "error"));
        }
        if (event.kind == kafka::kRecordFailed) {
            return fmt::format(
                "record {} fails: {}", view_.number(event, "record"), view_.symbol(event, "error"));
        }
        return std::nullopt;
    }

    /// Messages that the picture would draw in [from, to]: bursts count once.
    [[nodiscard]] std::size_t drawn(Time from, Time to) const {
        return shown_messages(draft(from, to)).size();
    }

    /// Messages, marks and faults of a stretch, with node ids as columns.
    [[nodiscard]] SequencePicture draft(Time from, Time to) const {
        SequencePicture picture;
        const auto inside = [from, to](Time at) { return from <= at && at <= to; };
        for (const RawMessage& raw : raw_) {
            if (inside(raw.message.sent)) {
                picture.messages.push_back(raw.message);
                picture.messages.back().from = raw.from.value();
                picture.messages.back().to = raw.to.value();
            }
        }
        for (const auto& [node, mark] : marks_) {
            if (inside(mark.at)) {
                picture.marks.push_back(mark);
                picture.marks.back().node = node.value();
            }
        }
        for (const SequenceFault& fault : faults_) {
            if (inside(fault.at)) {
                picture.faults.push_back(fault);
            }
        }
        return picture;
    }

    void choose_window() {
        from_ = choice_.from.value_or(Time{0});
        to_ = std::max(from_, choice_.to.value_or(view_.end()));
        if (drawn(from_, to_) <= kSequenceMessagesMax) {
            return;
        }
        if (!choice_.from) {
            const auto fault = std::find_if(faults_.begin(),
                                            faults_.end(),
                                            [](const SequenceFault& f) { return f.at > Time{0}; });
            if (fault != faults_.end() && fault->at <= to_) {
                from_ = std::max(Time{0}, fault->at - milliseconds(50));
            }
        }
        if (!choice_.to) {
            shorten_window();
        }
    }

    /// The longest stretch from from_ on that is not too full, by halving.
    void shorten_window() {
        if (drawn(from_, to_) <= kSequenceMessagesMax) {
            return;
        }
        std::vector<Time> ends;
        for (const RawMessage& raw : raw_) {
            if (raw.message.sent >= from_ && raw.message.sent <= to_ &&
                (ends.empty() || ends.back() < raw.message.sent)) {
                ends.push_back(raw.message.sent);
            }
        }
        std::size_t fits = 0;
        std::size_t too_many = ends.size();
        while (fits + 1 < too_many) {
            const std::size_t middle = fits + (too_many - fits) / 2;
            if (drawn(from_, ends[middle]) <= kSequenceMessagesMax) {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        to_ = ends.empty() ? to_ : ends[fits];
    }

    void cut_to_window() {
        std::size_t before = 0;
        std::size_t after = 0;
        for (const RawMessage& raw : raw_) {
            before += raw.message.sent < from_ && raw.message.sent >= Time{0} ? 1U : 0U;
            after += raw.message.sent > to_ ? 1U : 0U;
        }
        std::map<std::string, std::size_t> counts;
        for (const auto& [sent, word] : noise_) {
            counts[word] += sent >= from_ && sent <= to_ ? 1U : 0U;
        }
        for (const auto& [word, count] : counts) {
            if (count > 0) {
                hidden_.push_back(fmt::format("{} ({})", word, count));
            }
        }
        if (before > 0) {
            hidden_.push_back(fmt::format("{} messages before", before));
        }
        if (after > 0) {
            hidden_.push_back(fmt::format("{} messages after", after));
        }
        picture_ = draft(from_, to_);
        for (SequenceMessage& message : picture_.messages) {
            if (message.received && *message.received > to_) {
                message.received.reset();
                message.fate = MessageFate::kStillInFlight;
            }
        }
    }

    /// Gives columns to the nodes that appear and replaces node ids by column numbers.
    void place_nodes() {
        std::set<std::size_t> used;
        for (const SequenceMessage& message : picture_.messages) {
            used.insert(message.from);
            used.insert(message.to);
        }
        for (const SequenceMark& mark : picture_.marks) {
            used.insert(mark.node);
        }
        std::map<std::size_t, std::size_t> column;
        for (const PictureNode& node : view_.nodes()) {
            const bool shown =
                used.erase(node.node.value()) > 0 || node.kind == PictureNodeKind::kBroker;
            if (shown) {
                column[node.node.value()] = picture_.nodes.size();
                picture_.nodes.push_back({node.name, role_of(node.kind)});
            }
        }
        for (const std::size_t unlisted : used) {
            column[unlisted] = picture_.nodes.size();
            picture_.nodes.push_back(
                {view_.node_name(sim::NodeId(static_cast<std::uint32_t>(unlisted))),
                 SequenceRole::kClient});
        }
        for (SequenceMessage& message : picture_.messages) {
            message.from = column.at(message.from);
            message.to = column.at(message.to);
        }
        for (SequenceMark& mark : picture_.marks) {
            mark.node = column.at(mark.node);
        }
    }

    [[nodiscard]] static SequenceRole role_of(PictureNodeKind kind) {
        switch (kind) {
            case PictureNodeKind::kClient:
                return SequenceRole::kClient;
            case PictureNodeKind::kBroker:
                return SequenceRole::kBroker;
            case PictureNodeKind::kController:
                return SequenceRole::kController;
        }
        return SequenceRole::kClient;
    }

    /// Strips for nodes that are not simply up.
    void read_states() {
        ClusterReplay replay(view_);
        std::map<std::string, std::pair<NodeState, Time>> open;
        const auto close = [this](std::size_t column, NodeState state, Time from, Time to) {
            if (state != NodeState::kUp && to > from_) {
                picture_.states.push_back({column, state, std::max(from, from_), to});
            }
        };
        const auto look = [&](Time now) {
            for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
                for (const PictureNode& node : view_.nodes()) {
                    if (node.name != picture_.nodes[i].name) {
                        continue;
                    }
                    const NodeState state = replay.node_state(node.node);
                    auto [entry, is_new] = open.try_emplace(node.name, state, now);
                    if (!is_new && entry->second.first != state) {
                        close(i, entry->second.first, entry->second.second, now);
                        entry->second = {state, now};
                    }
                }
            }
        };
        const sim::Recording& recording = view_.input().recording;
        for (std::uint64_t i = 0; i < recording.size(); ++i) {
            const sim::Event& event = recording.at(i);
            if (view_.time(event) > to_) {
                break;
            }
            replay.apply(event);
            if (changes_state(event)) {
                look(view_.time(event));
            }
        }
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
            const auto entry = open.find(picture_.nodes[i].name);
            if (entry != open.end() && entry->second.first != NodeState::kUp) {
                picture_.states.push_back(
                    {i, entry->second.first, std::max(entry->second.second, from_), {}});
            }
        }
    }

    [[nodiscard]] static bool changes_state(const sim::Event& event) {
        return event.kind.value() <= kernel::kNodeResumed.value() ||
               event.kind == kafka::kBrokerFenced || event.kind == kafka::kBrokerUnfenced ||
               event.kind == kafka::kBrokerRegistered;
    }

    const TraceView& view_;
    const SequenceChoice& choice_;
    bool has_one_partition_;  ///< Then its name need not be repeated.
    Time from_;
    Time to_;
    std::vector<RawMessage> raw_;
    std::map<sim::EventId, std::size_t> arrived_;  ///< Index into raw_ by event message.received.
    std::vector<std::pair<Time, std::string>> noise_;
    std::vector<SequenceFault> faults_;
    std::vector<std::pair<sim::NodeId, SequenceMark>> marks_;
    std::vector<std::string> hidden_;
    SequencePicture picture_;
};

}  // namespace

SequencePicture sequence_from_trace(const TraceView& view, const SequenceChoice& choice) {
    return SequenceExtract(view, choice).make();
}

}  // namespace klab::viz
