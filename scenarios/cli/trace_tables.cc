// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/trace_tables.h"

#include <map>
#include <optional>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "scenarios/cli/trace_export.h"
#include "sim/trace/kernel_events.h"

namespace klab::cli {

namespace {

/// A cell, quoted when it must be.
std::string cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return out + "\"";
}

std::string cell(std::optional<std::int64_t> number) {
    return number ? fmt::format(FMT_COMPILE("{}"), *number) : std::string();
}

std::string named(const EventText& events, const sim::Event& event, std::string_view field) {
    const std::optional<std::size_t> index = events.table().field_index(event.kind, field);
    return index ? events.field(event, *index) : std::string();
}

struct MessageRow {
    std::string from;
    std::string to;
    std::string api;
    bool reply = false;
    std::int64_t bytes = 0;
    Duration sent;
    std::optional<Duration> ended;
    std::string outcome = "under way";
    std::string reason;
};

/// What is known of one replica.
struct ReplicaRow {
    std::string role;
    std::optional<std::int64_t> leader_epoch;
    std::optional<std::int64_t> log_end_offset;
    std::optional<std::int64_t> high_watermark;
    std::string isr;

    friend bool operator==(const ReplicaRow&, const ReplicaRow&) = default;
};

/// Follows the replicas through the events.
class Replicas {
  public:
    explicit Replicas(const EventText& events) : events_(events) {}

    void hear(const sim::Event& event) {
        const std::string_view kind = events_.row(event).name;
        if (!event.node) {
            return;
        }
        if (kind == "node.crashed" || kind == "node.powered_off" || kind == "node.exited") {
            for (auto& [key, row] : rows_) {
                if (key.second == event.node->value() && row.role != "down") {
                    row = ReplicaRow{"down", {}, {}, {}, {}};
                    write(event, key, row);
                }
            }
            return;
        }
        const std::optional<std::int64_t> partition = events_.number(event, "partition");
        if (!partition || *partition == sim::kAbsent) {
            return;
        }
        const Key key{*partition, event.node->value()};
        const auto found = rows_.find(key);
        ReplicaRow row = found == rows_.end() ? ReplicaRow{} : found->second;
        if (apply(kind, event, row) && (found == rows_.end() || !(found->second == row))) {
            rows_[key] = row;
            write(event, key, row);
        }
    }

    [[nodiscard]] std::string table() const { return csv_; }

  private:
    using Key = std::pair<std::int64_t, std::uint32_t>;

    void take_number(const sim::Event& event,
                     std::string_view field,
                     std::optional<std::int64_t>& into) const {
        if (const std::optional<std::int64_t> number = events_.number(event, field)) {
            into = number;
        }
    }

    void take_isr(const sim::Event& event, ReplicaRow& row) const {
        if (const std::optional<std::int64_t> list = events_.number(event, "isr")) {
            row.isr = fmt::format("{}", fmt::join(events_.run().interner.list_of(*list), " "));
        }
    }

    /// True when the event tells something about the replica of its node.
    bool apply(std::string_view kind, const sim::Event& event, ReplicaRow& row) const {
        if (kind == "log.appended") {
            row.log_end_offset = events_.number(event, "last_offset").value_or(0) + 1;
        } else if (kind == "log.truncated") {
            take_number(event, "to", row.log_end_offset);
        } else if (kind == "log.recovered") {
            row.role = "loaded";
            take_number(event, "log_end_offset", row.log_end_offset);
            take_number(event, "high_watermark", row.high_watermark);
        } else if (kind == "leader.started") {
            row.role = "leader";
            take_number(event, "leader_epoch", row.leader_epoch);
            take_number(event, "start_offset", row.log_end_offset);
            take_number(event, "high_watermark", row.high_watermark);
            take_isr(event, row);
        } else if (kind == "follower.started") {
            row.role = "follower";
            row.isr.clear();
            take_number(event, "leader_epoch", row.leader_epoch);
            take_number(event, "log_end_offset", row.log_end_offset);
            take_number(event, "high_watermark", row.high_watermark);
        } else if (kind == "hw.advanced" || kind == "hw.moved_back") {
            take_number(event, "to", row.high_watermark);
        } else if (kind == "isr.expanded" || kind == "isr.shrunk") {
            take_isr(event, row);
        } else if (kind == "replica.stopped") {
            row = ReplicaRow{"stopped", {}, {}, {}, {}};
        } else {
            return false;
        }
        return true;
    }

    void write(const sim::Event& event, const Key& key, const ReplicaRow& row) {
        csv_ += fmt::format(FMT_COMPILE("{},{},{},{},{},{},{},{},{}\n"),
                            event.id.value(),
                            events_.time(event).ns,
                            cell(events_.name_index(key.first)),
                            cell(events_.node(sim::NodeId(key.second))),
                            row.role,
                            cell(row.leader_epoch),
                            cell(row.log_end_offset),
                            cell(row.high_watermark),
                            cell(row.isr));
    }

    const EventText& events_;
    std::map<Key, ReplicaRow> rows_;
    std::string csv_ =
        "event,time_ns,partition,broker,role,leader_epoch,log_end_offset,high_watermark,isr\n";
};

}  // namespace

std::string events_table(const EventText& events) {
    std::string out = "id,time_ns,node,kind,causes,fields\n";
    events.run().recording.for_each([&](const sim::Event& event) {
        std::string causes;
        for (const sim::EventId cause : event.causes_used()) {
            causes += fmt::format(FMT_COMPILE("{}{}"), causes.empty() ? "" : " ", cause.value());
        }
        std::string fields;
        for (std::size_t i = 0; i < event.field_count; ++i) {
            fields += fmt::format(FMT_COMPILE("{}\"{}\":{}"),
                                  i == 0 ? "" : ",",
                                  events.row(event).fields[i].name,
                                  json_field(events, event, i));
        }
        out += fmt::format(FMT_COMPILE("{},{},{},{},{},{}\n"),
                           event.id.value(),
                           events.time(event).ns,
                           cell(events.node(event.node)),
                           events.row(event).name,
                           causes,
                           cell("{" + fields + "}"));
    });
    return out;
}

std::string messages_table(const EventText& events) {
    std::map<std::int64_t, MessageRow> rows;
    events.run().recording.for_each([&](const sim::Event& event) {
        const std::optional<std::int64_t> message = events.number(event, "message");
        if (!message) {
            return;
        }
        if (event.kind == sim::events::kMessageSent) {
            rows[*message] = {events.node(event.node),
                              named(events, event, "to"),
                              named(events, event, "api"),
                              events.number(event, "reply") == 1,
                              events.number(event, "bytes").value_or(0),
                              events.time(event),
                              {},
                              "under way",
                              {}};
            return;
        }
        const auto found = rows.find(*message);
        if (found == rows.end()) {
            return;
        }
        if (event.kind == sim::events::kMessageReceived) {
            found->second.outcome = "received";
            found->second.ended = events.time(event);
        } else if (event.kind == sim::events::kMessageLost) {
            found->second.outcome = "lost";
            found->second.ended = events.time(event);
            found->second.reason = named(events, event, "reason");
        }
    });
    std::string out = "message,from,to,api,reply,bytes,sent_ns,ended_ns,outcome,reason\n";
    for (const auto& [number, row] : rows) {
        out += fmt::format(FMT_COMPILE("{},{},{},{},{},{},{},{},{},{}\n"),
                           number,
                           cell(row.from),
                           cell(row.to),
                           cell(row.api),
                           row.reply ? "true" : "false",
                           row.bytes,
                           row.sent.ns,
                           row.ended ? fmt::format("{}", row.ended->ns) : "",
                           row.outcome,
                           cell(row.reason));
    }
    return out;
}

std::string replicas_table(const EventText& events) {
    Replicas replicas(events);
    events.run().recording.for_each([&](const sim::Event& event) { replicas.hear(event); });
    return replicas.table();
}

std::vector<TraceTable> trace_tables(const EventText& events) {
    return {{"events", events_table(events)},
            {"messages", messages_table(events)},
            {"replicas", replicas_table(events)}};
}

}  // namespace klab::cli
