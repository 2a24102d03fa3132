// SPDX-License-Identifier: Apache-2.0
//
// A batch that a broker found too large comes back as smaller ones with the same records in the
// same order. They count as never tried.
//
// Called by: sender.cc. Kafka: ProducerBatch.split, RecordAccumulator.splitAndReenqueue. KIP-126,
// KAFKA-8350.
#pragma once

#include <cstdint>
#include <vector>

#include "model/client/producer_batch.h"
#include "model/types/rules.h"

namespace klab::client {

/// How large the parts may be: batch.size; with KAFKA-8350 half the batch, if it is a part itself.
/// Without it a batch that is not larger than batch.size stays one batch, however often it is
/// split.
[[nodiscard]] std::int64_t split_target(const types::Rules& rules,
                                        const ProducerBatch& batch,
                                        std::int64_t batch_size);

/// The parts, closed for more records, without stamps. `ratio` is what compression is expected to
/// leave. Requires: the batch's builder is closed.
[[nodiscard]] std::vector<ProducerBatch> split_batch(const ProducerBatch& batch,
                                                     std::int64_t target_bytes,
                                                     std::int64_t ratio);

}  // namespace klab::client
