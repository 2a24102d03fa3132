// SPDX-License-Identifier: Apache-2.0
//
// See isr_from_trace.h. Walks through the trace with a ClusterReplay and takes note whenever
// something that the picture shows has changed.
#include "viz/isr_from_trace.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "model/types/kafka_events.h"
#include "viz/cluster_replay.h"
#include "viz/faults_from_trace.h"

namespace klab::viz {

namespace {

std::optional<std::int64_t> parse(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

class IsrExtract {
  public:
    IsrExtract(const TraceView& view, PartitionKey key, Time from, Time to)
        : view_(view), key_(key), from_(from), to_(to), replay_(view) {
        const std::string name = view.partition_name(key);
        topic_ = name.substr(0, name.rfind('-'));
        picture_.partition = name;
        picture_.head = view.head("in-sync replicas of " + name, from, to);
    }

    IsrPicture make() {
        const sim::Recording& recording = view_.input().recording;
        for (std::uint64_t i = 0; i < recording.size(); ++i) {
            const sim::Event& event = recording.at(i);
            const Time at = view_.time(event);
            if (at > to_) {
                break;
            }
            replay_.apply(event);
            note_min_isr(event);
            look(std::max(at, from_));
        }
        finish();
        return std::move(picture_);
    }

  private:
    void note_min_isr(const sim::Event& event) {
        if (event.kind != types::events::kConfigChanged ||
            view_.text(event, "name") != "min.insync.replicas") {
            return;
        }
        const std::string& target = view_.text(event, "target");
        if (target == "cluster") {
            cluster_min_isr_ = parse(view_.text(event, "value"));
        } else if (target == "topic:" + topic_) {
            topic_min_isr_ = parse(view_.text(event, "value"));
        }
    }

    [[nodiscard]] const ReplayPartition* partition() const {
        const auto found = replay_.partitions().find(key_);
        return found == replay_.partitions().end() ? nullptr : &found->second;
    }

    [[nodiscard]] IsrState state_of(const ReplayPartition& partition, std::int32_t broker) const {
        const std::optional<sim::NodeId> node = view_.broker_node(broker);
        if (!node || !replay_.node(*node).is_running) {
            return IsrState::kDown;
        }
        if (partition.leader == broker) {
            return IsrState::kLeader;
        }
        if (std::ranges::find(partition.isr, broker) != partition.isr.end()) {
            return IsrState::kInSync;
        }
        const auto log = partition.logs.find(*node);
        const bool follows = log != partition.logs.end() && partition.leader &&
                             log->second.following == partition.leader;
        return follows && is_linked(*node, *partition.leader) ? IsrState::kCatchingUp
                                                              : IsrState::kLagging;
    }

    /// Can the follower reach the leader, and be answered?
    [[nodiscard]] bool is_linked(sim::NodeId follower, std::int32_t leader) const {
        const std::optional<sim::NodeId> other = view_.broker_node(leader);
        return other && replay_.node(*other).is_running &&
               !replay_.cuts().contains({follower, *other}) &&
               !replay_.cuts().contains({*other, follower});
    }

    void look(Time at) {
        const ReplayPartition* now = partition();
        if (now == nullptr || now->replicas.empty()) {
            return;
        }
        for (const std::int32_t broker : now->replicas) {
            put_state(broker, at, state_of(*now, broker));
        }
        put_offsets(*now, at);
        IsrSize size{at,
                     static_cast<std::int32_t>(now->isr.size()),
                     topic_min_isr_ ? topic_min_isr_ : cluster_min_isr_};
        if (picture_.sizes.empty() || picture_.sizes.back().members != size.members ||
            picture_.sizes.back().min_isr != size.min_isr) {
            put(picture_.sizes, size);
        }
    }

    void put_state(std::int32_t broker, Time at, IsrState state) {
        const std::string name = view_.broker_name(broker);
        auto strip = std::ranges::find(picture_.strips, name, &IsrStrip::broker);
        if (strip == picture_.strips.end()) {
            picture_.strips.push_back({name, {}});
            strip = picture_.strips.end() - 1;
        }
        if (!strip->spans.empty() && strip->spans.back().state == state) {
            return;
        }
        if (!strip->spans.empty()) {
            strip->spans.back().to = at;
            if (strip->spans.back().from == at) {
                strip->spans.pop_back();  // it lasted no time
            }
        }
        if (strip->spans.empty() || strip->spans.back().state != state) {
            strip->spans.push_back({at, to_, state});
        } else {
            strip->spans.back().to = to_;
        }
    }

    void put_offsets(const ReplayPartition& now, Time at) {
        IsrOffsets offsets{at, std::nullopt, std::nullopt};
        const std::optional<sim::NodeId> node =
            now.leader ? view_.broker_node(*now.leader) : std::nullopt;
        const auto log = node ? now.logs.find(*node) : now.logs.end();
        if (log != now.logs.end() && replay_.node(*node).is_running) {
            offsets.log_end_offset = log->second.log_end_offset;
            offsets.high_watermark = log->second.high_watermark;
        }
        if (picture_.offsets.empty() ||
            picture_.offsets.back().log_end_offset != offsets.log_end_offset ||
            picture_.offsets.back().high_watermark != offsets.high_watermark) {
            put(picture_.offsets, offsets);
        }
    }

    /// Appends, or replaces what was true for no time.
    template <typename T>
    static void put(std::vector<T>& all, const T& next) {
        if (!all.empty() && all.back().at == next.at) {
            all.back() = next;
        } else {
            all.push_back(next);
        }
    }

    void finish() {
        for (IsrStrip& strip : picture_.strips) {
            if (!strip.spans.empty()) {
                strip.spans.back().to = to_;
            }
        }
        for (SequenceFault& fault : faults_of(view_)) {
            if (fault.at >= from_ && fault.at <= to_) {
                picture_.faults.push_back(std::move(fault));
            }
        }
    }

    const TraceView& view_;
    PartitionKey key_;
    Time from_;
    Time to_;
    ClusterReplay replay_;
    std::string topic_;
    std::optional<std::int64_t> topic_min_isr_;
    std::optional<std::int64_t> cluster_min_isr_;
    IsrPicture picture_;
};

}  // namespace

IsrPicture isr_from_trace(const TraceView& view,
                          PartitionKey partition,
                          std::optional<Time> from,
                          std::optional<Time> to) {
    const Time end = to.value_or(view.end());
    return IsrExtract(view, partition, from.value_or(Time{}), end).make();
}

}  // namespace klab::viz
