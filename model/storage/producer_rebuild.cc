// SPDX-License-Identifier: Apache-2.0
//
// See producer_rebuild.h.
#include "model/storage/producer_rebuild.h"

#include <algorithm>
#include <vector>

#include "model/storage/batch_scan.h"
#include "model/storage/segment_lookup.h"

namespace klab::storage {

namespace {

/// Offsets at which a snapshot is worth having: those a truncation would go back to.
std::vector<types::Offset> offsets_to_snapshot(const ProducerRebuild& rebuild) {
    std::vector<types::Offset> offsets;
    const std::size_t count = rebuild.segments.size();
    if (count > 1) {
        offsets.push_back(rebuild.segments[count - 2].base_offset());
    }
    if (count > 0) {
        offsets.push_back(rebuild.segments[count - 1].base_offset());
    }
    offsets.push_back(rebuild.end);
    return offsets;
}

/// The last segment based at or below the offset, or the number of segments.
std::size_t floor_segment(std::span<const LogSegment> segments, types::Offset offset) {
    std::size_t found = segments.size();
    for (std::size_t i = 0; i < segments.size() && segments[i].base_offset() <= offset; ++i) {
        found = i;
    }
    return found;
}

std::optional<AppendError> replay_segment(DiskPort disk,
                                          const LogSegment& segment,
                                          types::Offset from,
                                          types::Offset end,
                                          bool holds_end,
                                          ProducerStates& producers) {
    const auto first = find_batch(disk, segment, from);
    if (!first) {
        return first.error();
    }
    if (!*first) {
        return std::nullopt;
    }
    std::uint32_t stop = segment.size();
    if (holds_end) {
        const auto last = find_batch(disk, segment, end);
        if (!last) {
            return last.error();
        }
        stop = *last ? (*last)->position : stop;
    }
    if (stop <= (*first)->position) {
        return std::nullopt;
    }
    BatchScan batches(disk, segment.file(), (*first)->position, stop);
    while (true) {
        const auto batch = batches.next();
        if (!batch || !*batch) {
            return batch ? std::nullopt : std::optional(batch.error());
        }
        if (const auto completed = producers.replay(**batch)) {
            producers.complete(*completed);
        }
    }
}

std::optional<AppendError> replay_segments(DiskPort disk,
                                           const ProducerRebuild& rebuild,
                                           ProducerStates& producers,
                                           ProducerSnapshots& snapshots) {
    const std::vector<types::Offset> wanted = offsets_to_snapshot(rebuild);
    const std::size_t last = floor_segment(rebuild.segments, rebuild.end);
    std::size_t i = floor_segment(rebuild.segments, producers.map_end_offset());
    i = i == rebuild.segments.size() ? 0 : i;
    for (; i < rebuild.segments.size() && rebuild.segments[i].base_offset() < rebuild.end; ++i) {
        const LogSegment& segment = rebuild.segments[i];
        const types::Offset from =
            std::max({segment.base_offset(), producers.map_end_offset(), rebuild.log_start});
        producers.set_map_end_offset(from);
        if (std::find(wanted.begin(), wanted.end(), segment.base_offset()) != wanted.end()) {
            if (const auto taken = snapshots.take(disk, rebuild.directory, producers); !taken) {
                return taken.error();
            }
        }
        if (const auto error =
                replay_segment(disk, segment, from, rebuild.end, i == last, producers)) {
            return error;
        }
        // The next segment's own base decides where it starts.
        producers.set_map_end_offset(from);
    }
    return std::nullopt;
}

}  // namespace

std::optional<AppendError> reload_producers(DiskPort disk,
                                            const ProducerRebuild& rebuild,
                                            ProducerStates& producers,
                                            ProducerSnapshots& snapshots) {
    if (const auto error =
            snapshots.remove_outside(disk, rebuild.directory, rebuild.log_start, rebuild.end)) {
        return error;
    }
    if (rebuild.end != producers.map_end_offset()) {
        producers.clear();
        return snapshots.load_newest(
            disk, rebuild.directory, rebuild.log_start, rebuild.expiration_ms, producers);
    }
    producers.on_log_start(rebuild.log_start);
    snapshots.on_log_start(rebuild.log_start);
    return std::nullopt;
}

std::optional<AppendError> rebuild_producers(DiskPort disk,
                                             const ProducerRebuild& rebuild,
                                             ProducerStates& producers,
                                             ProducerSnapshots& snapshots) {
    if (rebuild.is_clean && !snapshots.latest()) {
        for (const types::Offset offset : offsets_to_snapshot(rebuild)) {
            producers.set_map_end_offset(offset);
            if (const auto taken = snapshots.take(disk, rebuild.directory, producers); !taken) {
                return taken.error();
            }
        }
        return std::nullopt;
    }
    const bool was_empty = producers.is_idle() && producers.map_end_offset() >= rebuild.end;
    if (const auto error = reload_producers(disk, rebuild, producers, snapshots)) {
        return error;
    }
    if (rebuild.end > producers.map_end_offset() && !was_empty) {
        if (const auto error = replay_segments(disk, rebuild, producers, snapshots)) {
            return error;
        }
    }
    producers.set_map_end_offset(rebuild.end);
    const auto taken = snapshots.take(disk, rebuild.directory, producers);
    return taken ? std::nullopt : std::optional(taken.error());
}

}  // namespace klab::storage
