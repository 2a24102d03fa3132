// SPDX-License-Identifier: Apache-2.0
//
// See index_entries.h.
#include "model/storage/index_entries.h"

#include <algorithm>
#include <limits>

#include "model/storage/byte_io.h"
#include "sim/base/assert.h"

namespace klab::storage {

namespace {

std::int32_t relative_to(types::Offset base, types::Offset offset) {
    const std::int64_t relative = offset - base;
    KLAB_ASSERT(relative >= 0 && relative <= std::numeric_limits<std::int32_t>::max(),
                "offset {} in a segment based at {}",
                offset,
                base);
    return static_cast<std::int32_t>(relative);
}

/// Damaged files hold any numbers, so the sum may wrap.
types::Offset offset_above(types::Offset base, std::int32_t relative) {
    return types::Offset(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(base.value()) +
                                  static_cast<std::uint64_t>(std::int64_t{relative})));
}

}  // namespace

void encode(Bytes& out, const OffsetIndexEntry& entry, types::Offset base) {
    ByteWriter writer(out);
    writer.put(relative_to(base, entry.offset));
    writer.put(entry.position);
}

void encode(Bytes& out, const TimeIndexEntry& entry, types::Offset base) {
    ByteWriter writer(out);
    writer.put(entry.timestamp);
    writer.put(relative_to(base, entry.offset));
}

void encode(Bytes& out, const AbortedTransaction& entry) {
    ByteWriter writer(out);
    writer.put(AbortedTransaction::kVersion);
    writer.put(entry.producer_id.value());
    writer.put(entry.first_offset.value());
    writer.put(entry.last_offset.value());
    writer.put(entry.last_stable_offset.value());
}

OffsetIndexEntry decode_offset_index_entry(ByteView bytes, types::Offset base) {
    KLAB_ASSERT(bytes.size() == OffsetIndexEntry::kBytes, "{} bytes", bytes.size());
    return {offset_above(base, load_be<std::int32_t>(bytes.data())),
            load_be<std::int32_t>(bytes.data() + 4)};
}

TimeIndexEntry decode_time_index_entry(ByteView bytes, types::Offset base) {
    KLAB_ASSERT(bytes.size() == TimeIndexEntry::kBytes, "{} bytes", bytes.size());
    return {load_be<std::int64_t>(bytes.data()),
            offset_above(base, load_be<std::int32_t>(bytes.data() + 8))};
}

std::optional<AbortedTransaction> decode_aborted_transaction(ByteView bytes) {
    KLAB_ASSERT(bytes.size() == AbortedTransaction::kBytes, "{} bytes", bytes.size());
    if (load_be<std::int16_t>(bytes.data()) > AbortedTransaction::kVersion) {
        return std::nullopt;
    }
    return AbortedTransaction{types::ProducerId(load_be<std::int64_t>(bytes.data() + 2)),
                              types::Offset(load_be<std::int64_t>(bytes.data() + 10)),
                              types::Offset(load_be<std::int64_t>(bytes.data() + 18)),
                              types::Offset(load_be<std::int64_t>(bytes.data() + 26))};
}

bool is_unwritten(ByteView bytes) {
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace klab::storage
