// SPDX-License-Identifier: Apache-2.0
//
// See producer_batch.h.
#include "model/client/producer_batch.h"

#include <algorithm>

#include "model/client/compression_ratio.h"

namespace klab::client {

std::int64_t bytes_at_most(const storage::RecordInput& record) {
    return static_cast<std::int64_t>(storage::kRecordBatchOverhead +
                                     storage::encoded_record_size_max(record));
}

bool has_room(const ProducerBatch& batch, const storage::RecordInput& record) {
    if (batch.builder.empty()) {
        return true;
    }
    // The new record counts as if it did not shrink.
    const auto more =
        static_cast<std::int64_t>(batch.builder.size_with(record) - batch.builder.size());
    return estimated_size(batch.builder, batch.ratio) + more <= batch.buffer_bytes;
}

bool is_full(const ProducerBatch& batch) {
    return batch.closed || (!batch.builder.empty() &&
                            estimated_size(batch.builder, batch.ratio) >= batch.buffer_bytes);
}

void add_record(ProducerBatch& batch, std::int64_t number, const storage::RecordInput& record) {
    batch.builder.append(record);
    batch.records.push_back(number);
    batch.record_bytes_max = std::max(batch.record_bytes_max, bytes_at_most(record));
}

}  // namespace klab::client
