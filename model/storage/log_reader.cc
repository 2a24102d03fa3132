// SPDX-License-Identifier: Apache-2.0
//
// See log_reader.h.
#include "model/storage/log_reader.h"

#include <limits>

#include "model/storage/record.h"

namespace klab::storage {

namespace {

/// Calls f(segment, position, batch) for each batch of the log that reaches into [from, to).
template <typename F>
void for_each_batch(
    const Log& log, const sim::Disk& disk, types::Offset from, types::Offset to, F&& f) {
    for (const LogSegment& segment : log.segments()) {
        const auto first = find_batch(disk, segment, from);
        if (!first || !*first) {
            continue;
        }
        const std::uint32_t start = (*first)->position;
        const auto bytes = disk.read(segment.file(), start, segment.size() - start);
        if (!bytes) {
            return;
        }
        BatchIterator batches(*bytes);
        std::size_t position = 0;
        while (const auto batch = batches.next()) {
            if (batch->base_offset() >= to) {
                return;
            }
            f(segment, start + static_cast<std::uint32_t>(position), *batch);
            position = batches.position();
        }
        if (batches.error()) {
            return;
        }
    }
}

std::optional<std::string> copy_of(const std::optional<ByteView>& bytes) {
    return bytes ? std::optional(std::string(text_of(*bytes))) : std::nullopt;
}

constexpr types::Offset kFirst{0};
constexpr types::Offset kLast{std::numeric_limits<std::int64_t>::max()};

}  // namespace

std::vector<BatchSight> list_batches(const Log& log, const sim::Disk& disk) {
    std::vector<BatchSight> out;
    for_each_batch(
        log,
        disk,
        kFirst,
        kLast,
        [&](const LogSegment& segment, std::uint32_t position, const RecordBatchView& batch) {
            out.push_back({segment.base_offset(),
                           position,
                           batch.base_offset(),
                           batch.last_offset(),
                           batch.leader_epoch(),
                           batch.stored_crc(),
                           batch.has_valid_crc(),
                           batch.producer_id(),
                           batch.producer_epoch(),
                           batch.base_sequence(),
                           batch.is_control(),
                           batch.records_count(),
                           static_cast<std::uint32_t>(batch.size())});
        });
    return out;
}

std::vector<RecordSight> list_records(const Log& log, const sim::Disk& disk) {
    return list_records(log, disk, log.log_start_offset(), kLast);
}

std::vector<RecordSight> list_records(const Log& log,
                                      const sim::Disk& disk,
                                      types::Offset from,
                                      types::Offset to) {
    std::vector<RecordSight> out;
    for_each_batch(
        log, disk, from, to, [&](const LogSegment&, std::uint32_t, const RecordBatchView& batch) {
            RecordIterator records(batch);
            while (const auto record = records.next()) {
                if (record->offset < from || record->offset >= to) {
                    continue;
                }
                out.push_back({record->offset,
                               batch.leader_epoch(),
                               batch.producer_id(),
                               batch.producer_epoch(),
                               record->sequence,
                               record->timestamp,
                               batch.is_control(),
                               copy_of(record->key),
                               copy_of(record->value),
                               {}});
                if (record->headers_count > 0) {
                    for (const RecordHeader& header : record->headers()) {
                        out.back().headers.emplace_back(header.key, copy_of(header.value));
                    }
                }
            }
        });
    return out;
}

}  // namespace klab::storage
