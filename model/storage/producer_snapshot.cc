// SPDX-License-Identifier: Apache-2.0
//
// See producer_snapshot.h.
#include "model/storage/producer_snapshot.h"

#include "model/storage/byte_io.h"
#include "model/storage/crc32c.h"
#include "sim/base/assert.h"

namespace klab::storage {

namespace {

constexpr std::int16_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 10;
constexpr std::size_t kCrcAt = 2;
constexpr std::size_t kCheckedFrom = 6;
constexpr std::int64_t kNoTransaction = -1;

ProducerSnapshotEntry decode_entry(const std::uint8_t* at) {
    ProducerSnapshotEntry entry;
    entry.producer_id = types::ProducerId(load_be<std::int64_t>(at));
    entry.epoch = types::ProducerEpoch(load_be<std::int16_t>(at + 8));
    entry.last_sequence = load_be<std::int32_t>(at + 10);
    entry.last_offset = load_be<std::int64_t>(at + 14);
    entry.offset_delta = load_be<std::int32_t>(at + 22);
    entry.timestamp = load_be<std::int64_t>(at + 26);
    entry.coordinator_epoch = load_be<std::int32_t>(at + 34);
    const auto first = load_be<std::int64_t>(at + 38);
    if (first != kNoTransaction) {
        entry.open_transaction = types::Offset(first);
    }
    return entry;
}

}  // namespace

std::string_view to_text(SnapshotError error) {
    switch (error) {
        case SnapshotError::kTooShort:
            return "too short";
        case SnapshotError::kUnknownVersion:
            return "unknown version";
        case SnapshotError::kBadCrc:
            return "bad crc";
        case SnapshotError::kNegativeCount:
            return "negative number of entries";
        case SnapshotError::kLeftoverBytes:
            return "bytes after the last entry";
    }
    KLAB_ASSERT(false, "unknown snapshot error");
}

Bytes encode_producer_snapshot(const std::vector<ProducerSnapshotEntry>& entries) {
    Bytes bytes;
    ByteWriter writer(bytes);
    writer.put(kVersion);
    writer.put(std::uint32_t{0});
    writer.put(static_cast<std::int32_t>(entries.size()));
    for (const ProducerSnapshotEntry& entry : entries) {
        writer.put(entry.producer_id.value());
        writer.put(static_cast<std::int16_t>(entry.epoch.value()));
        writer.put(entry.last_sequence);
        writer.put(entry.last_offset);
        writer.put(entry.offset_delta);
        writer.put(entry.timestamp);
        writer.put(entry.coordinator_epoch);
        writer.put(entry.open_transaction ? entry.open_transaction->value() : kNoTransaction);
    }
    store_be(bytes.data() + kCrcAt, crc32c(ByteView(bytes).subspan(kCheckedFrom)));
    return bytes;
}

Result<std::vector<ProducerSnapshotEntry>, SnapshotError> parse_producer_snapshot(ByteView bytes) {
    if (bytes.size() < kHeaderBytes) {
        return Error{SnapshotError::kTooShort};
    }
    if (load_be<std::int16_t>(bytes.data()) != kVersion) {
        return Error{SnapshotError::kUnknownVersion};
    }
    if (load_be<std::uint32_t>(bytes.data() + kCrcAt) != crc32c(bytes.subspan(kCheckedFrom))) {
        return Error{SnapshotError::kBadCrc};
    }
    const auto count = load_be<std::int32_t>(bytes.data() + kCheckedFrom);
    if (count < 0) {
        return Error{SnapshotError::kNegativeCount};
    }
    const std::size_t wanted =
        kHeaderBytes + static_cast<std::size_t>(count) * ProducerSnapshotEntry::kBytes;
    if (bytes.size() != wanted) {
        return Error{bytes.size() < wanted ? SnapshotError::kTooShort
                                           : SnapshotError::kLeftoverBytes};
    }
    std::vector<ProducerSnapshotEntry> entries;
    entries.reserve(static_cast<std::size_t>(count));
    for (std::size_t at = kHeaderBytes; at < wanted; at += ProducerSnapshotEntry::kBytes) {
        entries.push_back(decode_entry(bytes.data() + at));
    }
    return entries;
}

}  // namespace klab::storage
