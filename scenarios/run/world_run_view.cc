// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/world_run_view.h"

#include <algorithm>

#include "model/kafka_world/cluster_view.h"
#include "model/types/error_code.h"
#include "scenarios/run/director.h"
#include "scenarios/run/moment.h"
#include "sim/base/assert.h"

namespace klab::scenario {

namespace {

std::vector<std::string> names_of_brokers(const std::vector<types::BrokerId>& brokers) {
    std::vector<std::string> names;
    for (const types::BrokerId id : brokers) {
        names.push_back(broker_name(id.value()));
    }
    return names;
}

/// The replica on a node, or the leader's; nullptr when there is none.
const replication::Partition* find_replica(const world::KafkaWorld& world,
                                           const PartitionName& partition,
                                           const std::optional<std::string>& node) {
    if (!node) {
        return world::leader_replica(world, to_types(partition));
    }
    const std::optional<types::BrokerId> broker = broker_id(*node);
    return broker ? world::replica(world, to_types(partition), *broker) : nullptr;
}

/// Without the records of control batches.
std::int64_t count_records(const std::vector<storage::RecordSight>& records) {
    return std::count_if(records.begin(), records.end(), [](const storage::RecordSight& record) {
        return !record.is_control;
    });
}

sim::NodeId client_node(const world::KafkaWorld& world, const std::string& client) {
    const std::optional<sim::NodeId> node = world.kernel().find_node(client);
    KLAB_ASSERT(node.has_value(), "client {} is not in the world", client);
    return *node;
}

/// The number at the end of the window minus that at its beginning; the whole run without one.
template <typename F>
std::optional<std::int64_t> in_window(const Director& director,
                                      sim::NodeId client,
                                      const std::optional<StepWindow>& window,
                                      F&& number) {
    if (!window) {
        return number(director.counts().of(client));
    }
    const auto from = director.firings().find(window->from);
    const auto to = director.firings().find(window->to);
    if (from == director.firings().end() || to == director.firings().end()) {
        return std::nullopt;
    }
    return number(to->second.counts_at_first.of(client)) -
           number(from->second.counts_at_first.of(client));
}

}  // namespace

std::optional<std::string> WorldRunView::leader(const PartitionName& partition) const {
    const auto leader = world::committed_leader(world_, to_types(partition));
    return leader ? std::optional<std::string>(broker_name(leader->value())) : std::nullopt;
}

std::vector<std::string> WorldRunView::isr(const PartitionName& partition) const {
    const auto* found = world::registration(world_, to_types(partition));
    return found == nullptr ? std::vector<std::string>{} : names_of_brokers(found->isr);
}

std::vector<std::string> WorldRunView::replicas(const PartitionName& partition) const {
    const auto* found = world::registration(world_, to_types(partition));
    return found == nullptr ? std::vector<std::string>{} : names_of_brokers(found->replicas);
}

std::optional<std::int64_t> WorldRunView::leader_epoch(const PartitionName& partition) const {
    const auto* found = world::registration(world_, to_types(partition));
    return found == nullptr ? std::nullopt
                            : std::optional<std::int64_t>(found->leader_epoch.value());
}

std::optional<std::string> WorldRunView::controller() const {
    const std::optional<sim::NodeId> active = world::active_controller(world_);
    return active ? std::optional<std::string>(world_.kernel().name(*active)) : std::nullopt;
}

std::optional<std::int64_t> WorldRunView::high_watermark(
    const PartitionName& partition, const std::optional<std::string>& node) const {
    const replication::Partition* found = find_replica(world_, partition, node);
    return found == nullptr ? std::nullopt
                            : std::optional<std::int64_t>(found->log.high_watermark().value());
}

std::optional<std::int64_t> WorldRunView::log_end_offset(
    const PartitionName& partition, const std::optional<std::string>& node) const {
    const replication::Partition* found = find_replica(world_, partition, node);
    return found == nullptr ? std::nullopt
                            : std::optional<std::int64_t>(found->log.log_end_offset().value());
}

std::optional<std::int64_t> WorldRunView::log_number(LogQuestion question,
                                                     const PartitionName& partition,
                                                     const std::optional<std::string>& node,
                                                     std::int64_t offset) const {
    const auto broker =
        node ? broker_id(*node) : world::committed_leader(world_, to_types(partition));
    const replication::Partition* found = find_replica(world_, partition, node);
    if (found == nullptr || !broker) {
        return std::nullopt;
    }
    const storage::Log& log = found->log;
    switch (question) {
        case LogQuestion::kLogStart:
            return log.log_start_offset().value();
        case LogQuestion::kRecords:
            return count_records(
                world::records_of(world_, to_types(partition), *broker, log.log_start_offset()));
        case LogQuestion::kSegments:
            return static_cast<std::int64_t>(log.segments().size());
        case LogQuestion::kIndexEntries: {
            std::int64_t entries = 0;
            for (const storage::LogSegment& segment : log.segments()) {
                entries += segment.index().entries();
            }
            return entries;
        }
        case LogQuestion::kSegmentOf:
        case LogQuestion::kBatchesRead:
            break;
    }
    const auto lookup = world::lookup_of(world_, to_types(partition), *broker, offset);
    if (!lookup) {
        return std::nullopt;
    }
    return question == LogQuestion::kSegmentOf
               ? lookup->segment_base.value()
               : static_cast<std::int64_t>(lookup->steps.read.size());
}

bool WorldRunView::logs_equal(const PartitionName& partition) const {
    return director_.checker().logs_equal(world_, to_types(partition));
}

Duration WorldRunView::unavailable(const PartitionName& partition) const {
    return director_.checker().unavailable(world_, to_types(partition));
}

std::optional<std::int64_t> WorldRunView::sent(const std::string& client,
                                               const std::optional<StepWindow>& window) const {
    return in_window(director_, client_node(world_, client), window, [](const ClientTotals& t) {
        return t.sent;
    });
}

std::optional<std::int64_t> WorldRunView::acked(const std::string& client,
                                                const std::optional<StepWindow>& window) const {
    return in_window(director_, client_node(world_, client), window, [](const ClientTotals& t) {
        return t.acked;
    });
}

std::optional<std::int64_t> WorldRunView::failed(const std::string& client,
                                                 const std::optional<StepWindow>& window) const {
    return in_window(director_, client_node(world_, client), window, [](const ClientTotals& t) {
        return t.failed;
    });
}

std::int64_t WorldRunView::errors(const std::string& client,
                                  const std::optional<std::string>& name) const {
    const ClientTotals totals = director_.counts().of(client_node(world_, client));
    std::optional<types::ErrorCode> wanted;
    if (name) {
        wanted = types::find_error(*name);
    }
    std::int64_t sum = 0;
    for (const auto& [code, count] : totals.errors) {
        sum += !name || (wanted && code == static_cast<std::int64_t>(*wanted)) ? count : 0;
    }
    return sum;
}

std::int64_t WorldRunView::processed(const std::string& client) const {
    return director_.counts().of(client_node(world_, client)).processed;
}

check::HistoryVerdict WorldRunView::verdict() const {
    return director_.is_closed() ? director_.checker().verdict()
                                 : director_.checker().verdict_now(world_);
}

std::int64_t WorldRunView::lost_acked(const std::string& producer) const {
    return static_cast<std::int64_t>(verdict().of(producer).lost_acked);
}

std::int64_t WorldRunView::duplicates(const std::string& producer) const {
    return static_cast<std::int64_t>(verdict().of(producer).duplicates);
}

std::int64_t WorldRunView::reordered(const std::string& producer) const {
    return static_cast<std::int64_t>(verdict().of(producer).reordered);
}

std::int64_t WorldRunView::vanished(const std::string& client) const {
    return static_cast<std::int64_t>(verdict().of(client).vanished);
}

std::int64_t WorldRunView::table_size(const std::string& consumer) const {
    return director_.checker().history().table_size(consumer);
}

std::int64_t WorldRunView::skipped(const std::string& consumer) const {
    return static_cast<std::int64_t>(verdict().of(consumer).skipped);
}

bool WorldRunView::read_above_hw(const std::string& consumer) const {
    return director_.checker().history().read_above_high_watermark(consumer);
}

std::int64_t WorldRunView::count(
    const std::string& event,
    const std::vector<std::pair<std::string, std::string>>& fields) const {
    return director_.meters().count({event, fields});
}

std::optional<Duration> WorldRunView::fired_at(const std::string& step) const {
    const auto found = director_.firings().find(step);
    return found == director_.firings().end()
               ? std::nullopt
               : std::optional<Duration>(found->second.first - director_.origin());
}

}  // namespace klab::scenario
