// SPDX-License-Identifier: Apache-2.0
//
// See epoch_cache.h.
#include "model/storage/epoch_cache.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::storage {

EpochCache::EpochCache(std::span<const EpochEntry> entries) {
    for (const EpochEntry& entry : entries) {
        assign(entry.epoch, entry.start_offset);
    }
}

std::optional<types::LeaderEpoch> EpochCache::latest_epoch() const {
    return entries_.empty() ? std::nullopt : std::optional(entries_.back().epoch);
}

std::optional<EpochEntry> EpochCache::latest_entry() const {
    return entries_.empty() ? std::nullopt : std::optional(entries_.back());
}

std::optional<EpochEntry> EpochCache::earliest_entry() const {
    return entries_.empty() ? std::nullopt : std::optional(entries_.front());
}

std::optional<EpochEntry> EpochCache::previous_entry(types::LeaderEpoch epoch) const {
    const auto it = std::lower_bound(
        entries_.begin(),
        entries_.end(),
        epoch,
        [](const EpochEntry& e, types::LeaderEpoch wanted) { return e.epoch < wanted; });
    return it == entries_.begin() ? std::nullopt : std::optional(*(it - 1));
}

std::optional<types::LeaderEpoch> EpochCache::next_epoch(
    std::optional<types::LeaderEpoch> epoch) const {
    const std::size_t i = epoch ? first_above(*epoch) : 0;
    return i == entries_.size() ? std::nullopt : std::optional(entries_[i].epoch);
}

std::optional<types::LeaderEpoch> EpochCache::epoch_for_offset(types::Offset offset) const {
    const auto it = std::upper_bound(
        entries_.begin(), entries_.end(), offset, [](types::Offset wanted, const EpochEntry& e) {
            return wanted < e.start_offset;
        });
    return it == entries_.begin() ? std::nullopt : std::optional((it - 1)->epoch);
}

EpochEndOffset EpochCache::end_offset_for(std::optional<types::LeaderEpoch> requested,
                                          types::Offset log_end_offset) const {
    if (!requested) {
        return {};
    }
    if (requested == latest_epoch()) {
        return {requested, log_end_offset};
    }
    const std::size_t higher = first_above(*requested);
    if (higher == entries_.size()) {
        return {};  // newer than everything known here, or nothing is known
    }
    // KIP-279: the answer names the epoch found, so that the follower can go on from there.
    const types::LeaderEpoch found = higher == 0 ? *requested : entries_[higher - 1].epoch;
    return {found, entries_[higher].start_offset};
}

bool EpochCache::assign(types::LeaderEpoch epoch, types::Offset start_offset) {
    KLAB_ASSERT(epoch.value() >= 0, "leader epoch {}", epoch);
    KLAB_ASSERT(start_offset.value() >= 0, "start offset {}", start_offset);
    if (!entries_.empty() && entries_.back().epoch == epoch &&
        entries_.back().start_offset <= start_offset) {
        return false;
    }
    while (!entries_.empty() &&
           (entries_.back().epoch >= epoch || entries_.back().start_offset >= start_offset)) {
        entries_.pop_back();
    }
    entries_.push_back({epoch, start_offset});
    return true;
}

bool EpochCache::truncate_from_end(types::Offset end_offset) {
    if (end_offset.value() < 0) {
        return false;
    }
    const std::size_t before = entries_.size();
    while (!entries_.empty() && entries_.back().start_offset >= end_offset) {
        entries_.pop_back();
    }
    return entries_.size() != before;
}

bool EpochCache::truncate_from_start(types::Offset start_offset) {
    const auto kept = std::upper_bound(
        entries_.begin(),
        entries_.end(),
        start_offset,
        [](types::Offset wanted, const EpochEntry& e) { return wanted < e.start_offset; });
    if (kept == entries_.begin()) {
        return false;
    }
    const EpochEntry covering = *(kept - 1);
    if (kept - entries_.begin() == 1 && covering.start_offset == start_offset) {
        return false;
    }
    entries_.erase(entries_.begin(), kept - 1);
    entries_.front().start_offset = start_offset;
    return true;
}

bool EpochCache::clear() {
    const bool had_any = !entries_.empty();
    entries_.clear();
    return had_any;
}

std::size_t EpochCache::first_above(types::LeaderEpoch epoch) const {
    const auto it = std::upper_bound(
        entries_.begin(),
        entries_.end(),
        epoch,
        [](types::LeaderEpoch wanted, const EpochEntry& e) { return wanted < e.epoch; });
    return static_cast<std::size_t>(it - entries_.begin());
}

}  // namespace klab::storage
