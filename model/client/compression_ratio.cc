// SPDX-License-Identifier: Apache-2.0
//
// See compression_ratio.h.
#include "model/client/compression_ratio.h"

#include <algorithm>

namespace klab::client {

namespace {

constexpr std::int64_t kImprovingStep = 5'000;       // 0.005
constexpr std::int64_t kDeterioratingStep = 50'000;  // 0.05
constexpr std::int64_t kMarginPercent = 105;

}  // namespace

void CompressionRatio::observe(const storage::RecordBatchBuilder& closed) {
    const std::int64_t observed = ratio_of(closed);
    if (observed > estimate_) {
        estimate_ = std::max(estimate_ + kDeterioratingStep, observed);
    } else if (observed < estimate_) {
        estimate_ = std::max(estimate_ - kImprovingStep, observed);
    }
}

void CompressionRatio::reset_after_split(const storage::RecordBatchBuilder& closed) {
    estimate_ = std::max(kRatioOne, ratio_of(closed));
}

std::int64_t ratio_of(const storage::RecordBatchBuilder& closed) {
    const auto before = static_cast<std::int64_t>(closed.records_size());
    const auto after = static_cast<std::int64_t>(closed.size() - storage::kRecordBatchOverhead);
    return before == 0 ? kRatioOne : after * kRatioOne / before;
}

std::int64_t estimated_size(const storage::RecordBatchBuilder& batch, std::int64_t ratio) {
    const bool is_exact =
        batch.is_closed() || batch.options().compression.codec == storage::Codec::kNone;
    if (is_exact) {
        return static_cast<std::int64_t>(batch.size());
    }
    const auto records = static_cast<std::int64_t>(batch.records_size());
    constexpr auto kHeader = static_cast<std::int64_t>(storage::kRecordBatchOverhead);
    return kHeader + records * ratio / kRatioOne * kMarginPercent / 100;
}

}  // namespace klab::client
