// SPDX-License-Identifier: Apache-2.0
//
// How large a batch will be once it is compressed: a producer has to decide whether one more record
// fits before anything is compressed. It learns from the batches it has sent, quickly when they
// compress worse than expected and slowly when better, and adds five percent.
//
// Called by: record_accumulator.cc. Kafka: CompressionRatioEstimator,
// MemoryRecordsBuilder.estimatedBytesWritten. KIP-126.
// Simplified: ratios are millionths where Kafka has a 32-bit fraction; one topic, one codec.
#pragma once

#include <cstdint>

#include "model/storage/record_batch_builder.h"

namespace klab::client {

/// What remains of a batch's records, in millionths of their size.
inline constexpr std::int64_t kRatioOne = 1'000'000;

class CompressionRatio {
  public:
    /// 1 until a batch was compressed. New batches keep the value of their first moment.
    [[nodiscard]] std::int64_t estimate() const { return estimate_; }

    /// A closed batch goes out, for the first time or again.
    void observe(const storage::RecordBatchBuilder& closed);

    /// A broker found a batch too large: nothing is expected to shrink for a while.
    void reset_after_split(const storage::RecordBatchBuilder& closed);

    friend bool operator==(const CompressionRatio&, const CompressionRatio&) = default;

  private:
    std::int64_t estimate_ = kRatioOne;
};

/// What the records of a closed batch were compressed to. kRatioOne for an empty one.
[[nodiscard]] std::int64_t ratio_of(const storage::RecordBatchBuilder& closed);

/// Bytes of the batch on the wire: exact when it is closed or not compressed.
[[nodiscard]] std::int64_t estimated_size(const storage::RecordBatchBuilder& batch,
                                          std::int64_t ratio);

}  // namespace klab::client
