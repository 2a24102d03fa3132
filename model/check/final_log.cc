// SPDX-License-Identifier: Apache-2.0
//
// See final_log.h.
#include "model/check/final_log.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace klab::check {

namespace {

using NodesByName = std::map<std::string, std::int32_t>;

NodesByName nodes_by_name(const History& history) {
    NodesByName nodes;
    std::int64_t node = 0;
    std::size_t found = 0;
    while (found < history.clients().size()) {
        if (const ClientHistory* client = history.client_at(node)) {
            nodes.emplace(client->name, static_cast<std::int32_t>(node));
            ++found;
        }
        ++node;
    }
    return nodes;
}

std::vector<FinalRecord> read_log(const ClusterSight& sight,
                                  const NodesByName& nodes,
                                  const types::TopicPartition& partition,
                                  types::BrokerId broker,
                                  std::map<std::int64_t, std::int64_t>& newest) {
    std::vector<FinalRecord> records;
    for (const RecordOnDisk& seen : sight.records(partition, broker)) {
        FinalRecord record;
        record.offset = seen.offset;
        if (seen.key) {
            std::int64_t& last = newest[sight.find_text(*seen.key)];
            last = std::max(last, seen.offset);
        }
        if (seen.name) {
            const auto node = nodes.find(seen.name->client);
            record.producer = node == nodes.end() ? -1 : node->second;
            record.record = seen.name->number;
        }
        records.push_back(record);
    }
    return records;
}

}  // namespace

std::pair<std::size_t, std::size_t> FinalLog::copies(std::int32_t producer,
                                                     std::int64_t record) const {
    const FinalRecord low{producer, record, std::numeric_limits<std::int64_t>::min()};
    const FinalRecord high{producer, record, std::numeric_limits<std::int64_t>::max()};
    const auto from = std::lower_bound(by_name.begin(), by_name.end(), low);
    const auto to = std::upper_bound(from, by_name.end(), high);
    return {static_cast<std::size_t>(from - by_name.begin()),
            static_cast<std::size_t>(to - by_name.begin())};
}

bool took_a_later_batch_first(const ClusterSight& sight,
                              const FinalLog& log,
                              std::int64_t partition,
                              std::int32_t producer) {
    const types::TopicPartition name = sight.partition(partition);
    const auto registration = sight.registration(name);
    if (!registration || !registration->leader) {
        return false;
    }
    std::set<std::pair<std::int64_t, std::int32_t>> seen;  // producer id and epoch
    for (const BatchOnDisk& batch : sight.batches(name, *registration->leader)) {
        const bool is_first = seen.insert({batch.producer_id, batch.producer_epoch}).second;
        if (batch.producer_id < 0 || !is_first || batch.base_sequence <= 0) {
            continue;
        }
        const auto record = std::ranges::find(log.in_order, batch.base, &FinalRecord::offset);
        if (record != log.in_order.end() && record->producer == producer) {
            return true;
        }
    }
    return false;
}

FinalLog read_final_log(const ClusterSight& sight, const History& history, std::int64_t partition) {
    FinalLog log;
    const types::TopicPartition name = sight.partition(partition);
    const auto registration = sight.registration(name);
    if (!registration) {
        return log;
    }
    const NodesByName nodes = nodes_by_name(history);
    const auto leader =
        registration->leader ? sight.replica(name, *registration->leader) : std::nullopt;
    // A dead leader is no more than a member of the ISR: whoever is elected next decides.
    if (leader && leader->is_leader && sight.is_running(*registration->leader)) {
        log.has_leader = true;
        log.high_watermark = leader->high_watermark.value();
        log.log_start = leader->start.value();
        log.in_order = read_log(sight, nodes, name, *registration->leader, log.newest);
        log.by_name = log.in_order;
    } else {
        for (const types::BrokerId member : registration->isr) {
            const std::vector<FinalRecord> records =
                read_log(sight, nodes, name, member, log.newest);
            if (log.in_order.empty()) {
                log.in_order = records;
            }
            log.by_name.insert(log.by_name.end(), records.begin(), records.end());
            if (const auto seen = sight.replica(name, member)) {
                log.log_start = std::max(log.log_start, seen->start.value());
            }
        }
    }
    std::ranges::sort(log.by_name);
    log.by_name.erase(std::unique(log.by_name.begin(), log.by_name.end()), log.by_name.end());
    return log;
}

}  // namespace klab::check
