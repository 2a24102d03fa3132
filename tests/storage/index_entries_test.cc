// SPDX-License-Identifier: Apache-2.0
//
// Bytes of index entries and producer snapshots, and what damage of a snapshot is called.
#include "model/storage/index_entries.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/producer_snapshot.h"
#include "tests/storage/hex.h"

namespace klab::storage {
namespace {

constexpr types::Offset kBase(368796);
constexpr std::int64_t kTime = 1'700'000'000'000;

template <typename Entry>
Bytes bytes_of(const Entry& entry) {
    Bytes bytes;
    encode(bytes, entry, kBase);
    return bytes;
}

TEST(IndexEntryVectors, OffsetIndex) {
    const OffsetIndexEntry entry{types::Offset(368801), 4096};
    EXPECT_EQ(to_hex(bytes_of(entry)), "0000000500001000");
    EXPECT_EQ(decode_offset_index_entry(bytes_of(entry), kBase), entry);
}

TEST(IndexEntryVectors, TimeIndex) {
    const TimeIndexEntry entry{kTime, types::Offset(368801)};
    EXPECT_EQ(to_hex(bytes_of(entry)), "0000018bcfe5680000000005");
    EXPECT_EQ(decode_time_index_entry(bytes_of(entry), kBase), entry);
}

TEST(IndexEntryVectors, TransactionIndex) {
    const AbortedTransaction entry{
        types::ProducerId(1001), types::Offset(42), types::Offset(44), types::Offset(45)};
    Bytes bytes;
    encode(bytes, entry);
    EXPECT_EQ(to_hex(bytes),
              "0000"
              "00000000000003e9000000000000002a000000000000002c000000000000002d");
    EXPECT_EQ(decode_aborted_transaction(bytes), entry);
    bytes[1] = 1;
    EXPECT_EQ(decode_aborted_transaction(bytes), std::nullopt) << "a version of the future";
}

TEST(IndexEntry, ZerosAreNeverWritten) {
    EXPECT_TRUE(is_unwritten(Bytes(8, 0)));
    EXPECT_FALSE(is_unwritten(bytes_of(OffsetIndexEntry{kBase, 1})));
}

TEST(ProducerSnapshotVectors, WithoutProducers) {
    EXPECT_EQ(to_hex(encode_producer_snapshot({})), "000148674bc700000000");
    EXPECT_EQ(parse_producer_snapshot(encode_producer_snapshot({})).value().size(), 0U);
}

ProducerSnapshotEntry open_transaction_of_1001() {
    ProducerSnapshotEntry entry;
    entry.producer_id = types::ProducerId(1001);
    entry.epoch = types::ProducerEpoch(2);
    entry.last_sequence = 8;
    entry.last_offset = 43;
    entry.offset_delta = 1;
    entry.timestamp = kTime + 5;
    entry.open_transaction = types::Offset(42);
    return entry;
}

TEST(ProducerSnapshotVectors, OneWithAnOpenTransaction) {
    const std::vector<ProducerSnapshotEntry> entries{open_transaction_of_1001()};
    const Bytes bytes = encode_producer_snapshot(entries);
    EXPECT_EQ(to_hex(bytes),
              "000127ac08560000000100000000000003e9000200000008000000000000002b00000001"
              "0000018bcfe56805ffffffff000000000000002a");
    EXPECT_EQ(parse_producer_snapshot(bytes).value(), entries);
}

TEST(ProducerSnapshot, SaysWhatIsWrong) {
    const Bytes good = encode_producer_snapshot({open_transaction_of_1001()});
    const auto error_of = [](const Bytes& bytes) {
        return std::string(to_text(parse_producer_snapshot(bytes).error()));
    };
    EXPECT_EQ(error_of({}), "too short");
    EXPECT_EQ(error_of(Bytes(good.begin(), good.begin() + 9)), "too short");
    Bytes other = good;
    other[1] = 2;
    EXPECT_EQ(error_of(other), "unknown version");
    for (std::size_t i = 2; i < good.size(); ++i) {
        Bytes flipped = good;
        flipped[i] ^= 0x10U;
        EXPECT_EQ(error_of(flipped), "bad crc") << "byte " << i;
    }
}

RC_GTEST_PROP(ProducerSnapshot, AnyBytesAreReadOrRefused, (const std::vector<std::uint8_t>& any)) {
    Bytes bytes(any.begin(), any.end());
    const auto parsed = parse_producer_snapshot(bytes);
    if (parsed) {
        RC_ASSERT(encode_producer_snapshot(*parsed) == bytes);
    }
}

}  // namespace
}  // namespace klab::storage
