// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `log`. See log_from_trace.h.
#include "viz/log_from_trace.h"

#include <algorithm>

#include <fmt/format.h>

#include "viz/cluster_replay.h"

namespace klab::viz {

namespace {

std::vector<LogCell> to_cells(const std::map<std::int64_t, ReplayRecord>& records,
                              const RecordNames& names,
                              PartitionKey partition) {
    std::vector<LogCell> cells;
    cells.reserve(records.size());
    for (const auto& [offset, record] : records) {
        cells.push_back({offset,
                         record.leader_epoch,
                         names.name(partition, offset, record.leader_epoch, record.crc),
                         LogMarker::kNone,
                         record.event.value()});
    }
    return cells;
}

/// What the row must say beside its cells.
std::string note_of(const ReplayReplica& log, bool is_leader) {
    std::string note = log.note;
    if (log.leading_epoch && !is_leader) {
        note += note.empty() ? "" : "; ";
        note += fmt::format("still takes itself for the leader of epoch {}", *log.leading_epoch);
    }
    return note;
}

}  // namespace

LogPicture log_from_trace(const TraceView& view, PartitionKey partition, Time at) {
    const RecordNames names(view);
    ClusterReplay replay(view);
    replay.advance_to(at);
    LogPicture picture;
    picture.partition = view.partition_name(partition);
    picture.value_meaning =
        "record = its number at its producer (hex: end of the CRC, where no client saw it)";
    picture.head = view.head("logs of " + picture.partition, at, at);
    const auto found = replay.partitions().find(partition);
    if (found == replay.partitions().end()) {
        return picture;
    }
    const ReplayPartition& state = found->second;
    std::vector<std::int32_t> order = state.replicas;
    std::stable_sort(order.begin(), order.end(), [&state](std::int32_t a, std::int32_t b) {
        return (state.leader == a) > (state.leader == b);
    });
    for (const std::int32_t broker : order) {
        const std::optional<sim::NodeId> node = view.broker_node(broker);
        ReplicaLog row;
        row.node = view.broker_name(broker);
        row.state = replay.replica_state(state, broker);
        const auto log = node ? state.logs.find(*node) : state.logs.end();
        if (log != state.logs.end()) {
            row.cells = to_cells(log->second.records, names, partition);
            row.cut = to_cells(log->second.cut, names, partition);
            row.log_end_offset = log->second.log_end_offset;
            row.log_end_before_cut = log->second.log_end_before_cut;
            row.high_watermark = log->second.high_watermark;
            row.note = note_of(log->second, state.leader == broker);
        }
        if (state.leader == broker) {
            row.leader_epoch = state.leader_epoch;
        }
        picture.logs.push_back(std::move(row));
    }
    return picture;
}

}  // namespace klab::viz
