// SPDX-License-Identifier: Apache-2.0
//
// Reading events by names. See trace_view.h.
#include "viz/trace_view.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/types/kafka_events.h"
#include "sim/base/assert.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

namespace events = types::events;

int column_rank(PictureNodeKind kind) {
    switch (kind) {
        case PictureNodeKind::kClient:
            return 0;
        case PictureNodeKind::kBroker:
            return 1;
        case PictureNodeKind::kController:
            return 2;
    }
    return 3;
}

}  // namespace

TraceView::TraceView(const PictureInput& input)
    : input_(input), table_(events::make_event_table()), nodes_(input.nodes) {
    std::sort(nodes_.begin(), nodes_.end(), [](const PictureNode& a, const PictureNode& b) {
        return std::tuple(column_rank(a.kind), a.broker_id, a.node) <
               std::tuple(column_rank(b.kind), b.broker_id, b.node);
    });
}

std::size_t TraceView::field_at(const sim::Event& event, std::string_view field) const {
    const std::optional<std::size_t> index = table_.field_index(event.kind, field);
    KLAB_ASSERT(index.has_value(), "{} has no field {}", table_.row(event.kind).name, field);
    return *index;
}

std::int64_t TraceView::number(const sim::Event& event, std::string_view field) const {
    return event.fields[field_at(event, field)];
}

bool TraceView::flag(const sim::Event& event, std::string_view field) const {
    return number(event, field) != 0;
}

std::optional<std::int64_t> TraceView::maybe(const sim::Event& event,
                                             std::string_view field) const {
    const std::int64_t value = number(event, field);
    return value == sim::kAbsent ? std::nullopt : std::optional(value);
}

const std::string& TraceView::text(const sim::Event& event, std::string_view field) const {
    return input_.interner.text_of(number(event, field));
}

const std::vector<std::int32_t>& TraceView::list(const sim::Event& event,
                                                 std::string_view field) const {
    return input_.interner.list_of(number(event, field));
}

std::string TraceView::symbol(const sim::Event& event, std::string_view field) const {
    const std::size_t index = field_at(event, field);
    const sim::FieldDef& def = table_.row(event.kind).fields[index];
    KLAB_ASSERT(def.symbol_name != nullptr, "{} is no symbol", field);
    return std::string(def.symbol_name(event.fields[index]));
}

std::optional<sim::NodeId> TraceView::node(const sim::Event& event, std::string_view field) const {
    const std::int64_t value = number(event, field);
    return value < 0 ? std::nullopt : std::optional(sim::NodeId(static_cast<std::uint32_t>(value)));
}

std::string TraceView::partition_name(PartitionKey key) const {
    return fmt::format(
        "{}-{}", input_.interner.text_of(sim::unpack_name(key)), sim::unpack_index(key));
}

std::vector<PartitionKey> TraceView::partitions() const {
    std::set<PartitionKey> keys;
    input_.recording.for_each([&](const sim::Event& event) {
        if (event.kind == events::kPartitionChanged || event.kind == events::kLeaderElected ||
            event.kind == events::kLogAppended) {
            keys.insert(number(event, "partition"));
        }
    });
    std::vector<PartitionKey> sorted(keys.begin(), keys.end());
    std::sort(sorted.begin(), sorted.end(), [this](PartitionKey a, PartitionKey b) {
        return std::pair(input_.interner.text_of(sim::unpack_name(a)), sim::unpack_index(a)) <
               std::pair(input_.interner.text_of(sim::unpack_name(b)), sim::unpack_index(b));
    });
    return sorted;
}

std::optional<PartitionKey> TraceView::find_partition(std::string_view name) const {
    for (const PartitionKey key : partitions()) {
        if (partition_name(key) == name) {
            return key;
        }
    }
    return std::nullopt;
}

const PictureNode* TraceView::find_node(sim::NodeId node) const {
    for (const PictureNode& known : nodes_) {
        if (known.node == node) {
            return &known;
        }
    }
    return nullptr;
}

std::string TraceView::node_name(sim::NodeId node) const {
    const PictureNode* known = find_node(node);
    return known != nullptr ? known->name : fmt::format("node {}", node);
}

std::optional<sim::NodeId> TraceView::broker_node(std::int64_t broker_id) const {
    for (const PictureNode& known : nodes_) {
        if (known.broker_id && *known.broker_id == broker_id) {
            return known.node;
        }
    }
    return std::nullopt;
}

std::string TraceView::broker_name(std::int64_t broker_id) const {
    const std::optional<sim::NodeId> known = broker_node(broker_id);
    return known ? node_name(*known) : fmt::format("broker {}", broker_id);
}

std::string TraceView::broker_list(const std::vector<std::int32_t>& brokers) const {
    std::string text;
    for (const std::int32_t broker : brokers) {
        text += (text.empty() ? "" : ", ") + broker_name(broker);
    }
    return "[" + text + "]";
}

PictureHead TraceView::head(std::string subject, Time from, Time to) const {
    PictureHead head;
    head.title = input_.title;
    head.subject = std::move(subject);
    head.from = from;
    head.to = to;
    head.seed = input_.seed;
    head.kafka_version = input_.kafka_version;
    return head;
}

RecordNames::RecordNames(const TraceView& view) {
    struct Batch {
        std::int64_t base = 0;
        std::int64_t last = 0;
        std::int32_t leader_epoch = 0;
    };

    std::map<PartitionKey, std::vector<Batch>> led;  // what leaders appended, oldest first
    const auto learn = [&](const Key& key, std::string producer, std::int64_t number) {
        auto [single, is_new] = single_producer_.try_emplace(key.partition, producer);
        if (!is_new && single->second != producer) {
            single->second.clear();
        }
        records_.insert_or_assign(key, Record{std::move(producer), number});
    };
    view.input().recording.for_each([&](const sim::Event& event) {
        if (event.kind == events::kLogAppended && view.flag(event, "as_leader")) {
            led[view.number(event, "partition")].push_back(
                {view.number(event, "base_offset"),
                 view.number(event, "last_offset"),
                 static_cast<std::int32_t>(view.number(event, "leader_epoch"))});
        } else if (event.kind == events::kRecordAcked && event.node) {
            const std::int64_t offset = view.number(event, "offset");
            if (offset < 0) {
                return;  // acks=0
            }
            const PartitionKey partition = view.number(event, "partition");
            const std::vector<Batch>& batches = led[partition];
            const auto newest =
                std::find_if(batches.rbegin(), batches.rend(), [&](const Batch& batch) {
                    return batch.base <= offset && offset <= batch.last;
                });
            if (newest != batches.rend()) {
                learn({partition, offset, newest->leader_epoch},
                      view.node_name(*event.node),
                      view.number(event, "record"));
            }
        } else if (event.kind == events::kRecordPolled) {
            const std::optional<sim::NodeId> producer = view.node(event, "producer");
            const std::optional<std::int64_t> record = view.maybe(event, "record");
            if (producer && record) {
                learn({view.number(event, "partition"),
                       view.number(event, "offset"),
                       static_cast<std::int32_t>(view.number(event, "leader_epoch"))},
                      view.node_name(*producer),
                      *record);
            }
        }
    });
}

std::string RecordNames::name(PartitionKey partition,
                              std::int64_t offset,
                              std::int32_t leader_epoch,
                              std::int64_t crc) const {
    const auto found = records_.find({partition, offset, leader_epoch});
    if (found == records_.end()) {
        return fmt::format("{:02x}", static_cast<std::uint64_t>(crc) & 0xFFU);
    }
    const auto single = single_producer_.find(partition);
    const bool several = single == single_producer_.end() || single->second.empty();
    return several ? fmt::format("{}:{}", found->second.producer, found->second.number)
                   : fmt::format("{}", found->second.number);
}

}  // namespace klab::viz
