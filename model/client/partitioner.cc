// SPDX-License-Identifier: Apache-2.0
//
// Partitioner: draws and the switch at batch boundaries.
#include "model/client/partitioner.h"

#include <algorithm>

namespace klab::client {

std::optional<LoadStatistics> load_statistics(const std::vector<std::int64_t>& queue_sizes,
                                              const std::vector<std::int32_t>& partitions,
                                              std::size_t count) {
    if (queue_sizes.empty() || count < 2) {
        return std::nullopt;
    }
    const std::int64_t longest = *std::ranges::max_element(queue_sizes);
    const bool all_equal =
        std::ranges::all_of(queue_sizes, [&](std::int64_t q) { return q == longest; });
    if (all_equal && queue_sizes.size() == count) {
        return std::nullopt;
    }
    LoadStatistics statistics;
    statistics.partitions = partitions;
    std::int64_t sum = 0;
    for (const std::int64_t queue : queue_sizes) {
        sum += longest + 1 - queue;
        statistics.cumulative.push_back(sum);
    }
    return statistics;
}

std::int32_t partition_for_draw(const LoadStatistics& statistics, std::int64_t draw) {
    const std::int64_t point = draw % statistics.cumulative.back();
    const auto it = std::ranges::upper_bound(statistics.cumulative, point);
    return statistics.partitions[static_cast<std::size_t>(it - statistics.cumulative.begin())];
}

std::int32_t Partitioner::sticky(sim::Context& ctx, const CachedTopic& topic) {
    if (current_) {
        return *current_;
    }
    produced_ = 0;
    if (statistics_) {
        const auto total = static_cast<std::uint32_t>(statistics_->cumulative.back());
        current_ = partition_for_draw(*statistics_, ctx.pick(sites::kStickyPartition, total));
        return *current_;
    }
    std::vector<std::int32_t> available;
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
        if (topic.partitions[i].leader) {
            available.push_back(static_cast<std::int32_t>(i));
        }
    }
    if (available.empty()) {
        for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
            available.push_back(static_cast<std::int32_t>(i));
        }
    }
    const std::uint32_t draw =
        ctx.pick(sites::kStickyPartition, static_cast<std::uint32_t>(available.size()));
    current_ = available[draw];
    return *current_;
}

void Partitioner::update(std::int64_t bytes, std::int64_t batch_size, bool enabled) {
    produced_ += bytes;
    const std::int64_t share = std::max<std::int64_t>(batch_size, 1);  // batch.size 0 means 1
    if ((produced_ >= share && enabled) || produced_ >= 2 * share) {
        current_.reset();
    }
}

}  // namespace klab::client
