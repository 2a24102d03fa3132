// SPDX-License-Identifier: Apache-2.0
//
// See batch_split.h.
#include "model/client/batch_split.h"

#include <algorithm>
#include <utility>

#include "model/client/compression_ratio.h"

namespace klab::client {

namespace {

ProducerBatch empty_part(const ProducerBatch& batch, std::int64_t ratio) {
    storage::BatchOptions options;
    options.compression = batch.builder.options().compression;
    ProducerBatch part;
    part.partition = batch.partition;
    part.builder = storage::RecordBatchBuilder(options);
    part.created = batch.created;
    part.cause = batch.cause;
    part.ratio = ratio;
    part.is_split = true;
    part.closed = true;
    return part;
}

}  // namespace

std::int64_t split_target(const types::Rules& rules,
                          const ProducerBatch& batch,
                          std::int64_t batch_size) {
    if (!rules.producer_split_shrinks || !batch.is_split) {
        return batch_size;
    }
    return std::max(batch.record_bytes_max, estimated_size(batch.builder, batch.ratio) / 2);
}

std::vector<ProducerBatch> split_batch(const ProducerBatch& batch,
                                       std::int64_t target_bytes,
                                       std::int64_t ratio) {
    KLAB_ASSERT(batch.builder.is_closed(), "a batch that was never sent");
    const Bytes bytes = batch.builder.build();
    storage::RecordIterator records{storage::RecordBatchView(bytes)};
    std::vector<ProducerBatch> parts;
    std::size_t position = 0;
    while (const std::optional<storage::RecordView> record = records.next()) {
        const std::vector<storage::RecordHeader> headers = record->headers();
        const storage::RecordInput input{record->timestamp, record->key, record->value, headers};
        if (parts.empty() || !has_room(parts.back(), input)) {
            parts.push_back(empty_part(batch, ratio));
            parts.back().buffer_bytes = std::max(target_bytes, bytes_at_most(input));
        }
        add_record(parts.back(), batch.records[position], input);
        ++position;
    }
    KLAB_ASSERT(!records.error(), "a producer cannot read its own batch");
    return parts;
}

}  // namespace klab::client
