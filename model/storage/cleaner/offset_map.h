// SPDX-License-Identifier: Apache-2.0
//
// OffsetMap: for each key that the cleaner saw in the dirty part of a log, the offset of its last
// record there. A record of such a key with a lower offset is superseded.
//
//     memory of one cleaner thread / 24 bytes = slots        16 bytes of hash and an i64 offset
//     slots * load factor, rounded down       = usable       with more keys the cleaning ends early
//
// Keys are known by a 128-bit hash only, so two keys with one hash would count as one: Kafka lives
// with that, and so does klab.
//
// Called by: offset_map_builder.cc (writing), cleaner_filter.cc (asking).
// Kafka: SkimpyOffsetMap.
// Simplified: the hash is XXH3 of 128 bits instead of MD5, and the table is a tree that grows.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"
#include "sim/base/cow_map.h"

namespace klab::storage::cleaner {

/// How many keys a map takes.
struct OffsetMapSize {
    static constexpr std::int64_t kBytesPerSlot = 24;

    std::uint64_t slots = 0;
    std::uint64_t usable = 0;

    friend bool operator==(const OffsetMapSize&, const OffsetMapSize&) = default;
};

/// The memory of one cleaner thread, and how full its map may get.
struct OffsetMapMemory {
    std::int64_t dedupe_buffer_bytes = 134217728;       ///< log.cleaner.dedupe.buffer.size
    std::int32_t threads = 1;                           ///< log.cleaner.threads share it
    std::int64_t load_factor_billionths = 900'000'000;  ///< log.cleaner.io.buffer.load.factor
};

/// A thread uses at most 2^31 - 1 bytes of its share. Requires: threads > 0, nothing negative.
[[nodiscard]] OffsetMapSize offset_map_size(const OffsetMapMemory& memory);

class OffsetMap {
  public:
    OffsetMap() = default;

    explicit OffsetMap(OffsetMapSize size) : size_(size) {}

    /// Is the load factor reached? Then no record goes in any more, even of a key that is here.
    [[nodiscard]] bool is_full() const { return offsets_.size() >= size_.usable; }

    /// No key fits any more, whatever the load factor says.
    [[nodiscard]] bool has_no_slot() const { return offsets_.size() >= size_.slots; }

    /// The offset of the last record of `key`, as far as the map knows.
    [[nodiscard]] std::optional<types::Offset> find(ByteView key) const;

    /// Requires: !has_no_slot().
    void put(ByteView key, types::Offset offset);

    /// The log has been read up to here, with or without keys.
    void note_latest(types::Offset offset) { latest_ = offset; }

    /// Up to here the map speaks for the log: the last offset put or noted. Records above it are
    /// not judged. Nothing while nothing was read.
    [[nodiscard]] std::optional<types::Offset> latest_offset() const { return latest_; }

    /// Distinct keys.
    [[nodiscard]] std::uint64_t size() const { return offsets_.size(); }

    [[nodiscard]] const OffsetMapSize& capacity() const { return size_; }

    friend bool operator==(const OffsetMap&, const OffsetMap&) = default;

  private:
    struct KeyHash {
        std::uint64_t high = 0;
        std::uint64_t low = 0;

        friend bool operator==(const KeyHash&, const KeyHash&) = default;
        friend auto operator<=>(const KeyHash&, const KeyHash&) = default;
    };

    [[nodiscard]] static KeyHash hash_of(ByteView key);

    OffsetMapSize size_;
    CowMap<KeyHash, types::Offset> offsets_;
    std::optional<types::Offset> latest_;
};

}  // namespace klab::storage::cleaner
