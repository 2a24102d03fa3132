// SPDX-License-Identifier: Apache-2.0
//
// See offset_map.h.
#include "model/storage/cleaner/offset_map.h"

#include <algorithm>
#include <limits>

#include <xxhash.h>

#include "sim/base/assert.h"

namespace klab::storage::cleaner {

OffsetMapSize offset_map_size(const OffsetMapMemory& memory) {
    constexpr std::int64_t kBytesMax = std::numeric_limits<std::int32_t>::max();
    constexpr std::uint64_t kBillion = 1'000'000'000;
    KLAB_ASSERT(memory.threads > 0, "{} cleaner threads", memory.threads);
    KLAB_ASSERT(memory.dedupe_buffer_bytes >= 0, "buffer of {}", memory.dedupe_buffer_bytes);
    KLAB_ASSERT(memory.load_factor_billionths >= 0, "factor {}", memory.load_factor_billionths);
    const std::int64_t bytes = std::min(memory.dedupe_buffer_bytes / memory.threads, kBytesMax);
    OffsetMapSize size;
    size.slots = static_cast<std::uint64_t>(bytes / OffsetMapSize::kBytesPerSlot);
    // The factor in whole parts and rest, so that the product cannot overflow.
    const auto factor = static_cast<std::uint64_t>(memory.load_factor_billionths);
    size.usable = size.slots * (factor / kBillion) + size.slots * (factor % kBillion) / kBillion;
    return size;
}

OffsetMap::KeyHash OffsetMap::hash_of(ByteView key) {
    const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
    return {hash.high64, hash.low64};
}

std::optional<types::Offset> OffsetMap::find(ByteView key) const {
    const types::Offset* offset = offsets_.find(hash_of(key));
    return offset == nullptr ? std::nullopt : std::optional(*offset);
}

void OffsetMap::put(ByteView key, types::Offset offset) {
    KLAB_ASSERT(!has_no_slot(), "an offset map with {} keys is full", offsets_.size());
    offsets_.insert_or_assign(hash_of(key), offset);
    latest_ = offset;
}

}  // namespace klab::storage::cleaner
