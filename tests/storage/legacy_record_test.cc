// SPDX-License-Identifier: Apache-2.0
//
// Message formats 0 and 1. The first four vectors are the records of Kafka's
// MemoryRecordsTest.testChecksum, whose CRCs that test asserts; the others hold a=1, b=2 and null=3
// at offsets 498 to 500 and were written by Kafka's own builder.
#include "model/storage/legacy_record.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/compression.h"
#include "tests/storage/hex.h"

namespace klab::storage {
namespace {

using types::Offset;

constexpr const char* kPlain0 =
    "00000000000000000000001875f0f41d0000000000046b6579310000000676616c756531"
    "000000000000000100000018751bc3a60000000000046b6579320000000676616c756532";
constexpr const char* kPlain1 =
    "0000000000000000000000200685b364010000000000000454c3000000046b6579310000000676616c756531"
    "0000000000000001000000200509300501000000000000 0004d2000000046b6579320000000676616c756532";
constexpr const char* kLz4Format0 =
    "00000000000000010000005603fd7f3a0003ffffffff0000004804224d1860401a3900000016000100511875f0f4"
    "1d0f00e0046b6579310000000676616c75650a0000020011012400301bc3a60d00012400b0320000000676616c75"
    "653200000000";
constexpr const char* kLz4Format1 =
    "00000000000000010000006c53e1bee7010300000000000454c3ffffffff0000005604224d186040824700000016"
    "00010062200685b364011000f0050454c3000000046b6579310000000676616c75650a0000020000230050200509"
    "300509000002002304d22c00b0320000000676616c75653200000000";
constexpr const char* kGzipFormat0 =
    "00000000000001f400000054dfbb678e0001ffffffff000000461f8b08000000000000ff63600001c64f404220ec"
    "bc423c849b08220c19209ccf2039cf20666f083709441841e5be0009fe2bbbb85e3130fc07029090310075"
    "82d25853000000";
constexpr const char* kSnappyFormat0 =
    "00000000000001f40000006f9a553bc50002ffffffff0000006182534e415050590000000001000000010000004d"
    "53000005012801f20000001056cf205f0001011801610000000131010b30000001f3000000104952034b00010104"
    "0162011404320005015001f40000000fd4ba0aea0000ffffffff0000000133";
constexpr const char* kGzipFormat1 =
    "00000000000001f40000005b008d86d401010000000000000003ffffffff000000451f8b08000000000000ff6360"
    "80038936b599d68c301e88c19808220c9144241822efe8c1d530814493408411928878e4034f23b81ae6ff400052"
    "620c00ec66d2b36b000000";
constexpr const char* kSnappyFormat1 =
    "00000000000001f4000000732166a45601020000000000000003ffffffff0000005d82534e415050590000000001"
    "00000001000000496b0000190114188626993b011110010918016100000001310d13011210180059dc2e01090501"
    "0002011f006201050032051000000512101759e0493215242403ffffffff0000000133";
/// Base offset 40, LogAppendTime 777.
constexpr const char* kGzipAppendTime =
    "000000000000002a0000005f0112022c01090000000000000309ffffffff000000491f8b08000000000000ff6360"
    "800309a75bdbb91939201c664e20c19808220ca1f28c2035b1ee53e451d524810823a81a2620163f5028f80da1e6"
    "3f108094180300ee9c587d6b000000";

LegacyMessageView framed(const Bytes& bytes) {
    const auto message = frame_legacy_message(bytes);
    EXPECT_TRUE(message.ok());
    EXPECT_TRUE(message->has_value());
    return **message;
}

/// "498@1 a=1": offset, time, key and value.
std::string text_of(const LegacyRecord& record) {
    const auto text = [](const std::optional<Bytes>& bytes) {
        return bytes ? std::string(bytes->begin(), bytes->end()) : "~";
    };
    return fmt::format("{}@{} {}={}",
                       record.offset,
                       record.timestamp ? fmt::format("{}", *record.timestamp) : "-",
                       text(record.key),
                       text(record.value));
}

std::vector<std::string> texts_of(const Bytes& bytes) {
    std::vector<std::string> out;
    ByteView rest(bytes);
    while (true) {
        const auto message = frame_legacy_message(rest);
        EXPECT_TRUE(message.ok());
        if (!message.ok() || !*message) {
            return out;
        }
        EXPECT_TRUE((*message)->has_valid_crc());
        const auto records = read_legacy_records(**message);
        EXPECT_TRUE(records.ok());
        for (const LegacyRecord& record : records.value()) {
            out.push_back(text_of(record));
        }
        rest = rest.subspan((*message)->size());
    }
}

std::optional<BatchError> error_of(const Bytes& bytes) {
    const auto records = read_legacy_records(framed(bytes));
    return records ? std::nullopt : std::optional(records.error());
}

using Texts = std::vector<std::string>;

TEST(LegacyRecord, ChecksumsThatKafkasOwnTestAsserts) {
    const std::pair<const char*, std::uint32_t> rows[] = {{kPlain0, 1978725405U},
                                                          {kPlain1, 109425508U},
                                                          {kLz4Format0, 66944826U},
                                                          {kLz4Format1, 1407303399U}};
    for (const auto& [hex, crc] : rows) {
        const Bytes bytes = from_hex(hex);
        EXPECT_EQ(framed(bytes).stored_crc(), crc);
        EXPECT_EQ(framed(bytes).computed_crc(), crc);
    }
}

TEST(LegacyRecord, PlainMessages) {
    EXPECT_EQ(texts_of(from_hex(kPlain0)), (Texts{"0@- key1=value1", "1@- key2=value2"}));
    EXPECT_EQ(texts_of(from_hex(kPlain1)), (Texts{"0@283843 key1=value1", "1@1234 key2=value2"}));
}

TEST(LegacyRecord, Lz4OfFormat0HasAWrongHeaderChecksumAndIsReadAllTheSame) {
    // The old writer summed the magic number too: 1A where the format wants 82.
    EXPECT_EQ(texts_of(from_hex(kLz4Format0)), (Texts{"0@- key1=value1", "1@- key2=value2"}));
    EXPECT_EQ(texts_of(from_hex(kLz4Format1)),
              (Texts{"0@283843 key1=value1", "1@1234 key2=value2"}));
    Bytes format1 = from_hex(kLz4Format1);
    format1[40] = 0x1A;
    EXPECT_EQ(error_of(format1), BatchError::kUndecodable);
}

TEST(LegacyRecord, OffsetsInsideAreRealInFormat0AndRelativeInFormat1) {
    const Texts format0{"498@- a=1", "499@- b=2", "500@- ~=3"};
    EXPECT_EQ(texts_of(from_hex(kGzipFormat0)), format0);
    EXPECT_EQ(texts_of(from_hex(kSnappyFormat0)), format0);
    const Texts format1{"498@1 a=1", "499@2 b=2", "500@3 ~=3"};
    EXPECT_EQ(texts_of(from_hex(kGzipFormat1)), format1);
    EXPECT_EQ(texts_of(from_hex(kSnappyFormat1)), format1);
}

TEST(LegacyRecord, AWrapperOffsetOfZeroCountsFromZero) {
    // AbstractLegacyRecordBatchTest.testIterateCompressedRecordWithWrapperOffsetZero
    Bytes bytes = from_hex(kGzipFormat1);
    store_be(bytes.data(), std::int64_t{0});
    EXPECT_EQ(texts_of(bytes), (Texts{"0@1 a=1", "1@2 b=2", "2@3 ~=3"}));
}

TEST(LegacyRecord, AWrapperOffsetBelowTheLastInsideIsInvalid) {
    // AbstractLegacyRecordBatchTest.testInvalidWrapperOffsetV1
    Bytes bytes = from_hex(kGzipFormat1);
    store_be(bytes.data(), std::int64_t{1});
    EXPECT_EQ(error_of(bytes), BatchError::kMalformedRecord);
}

TEST(LegacyRecord, UnderLogAppendTimeAllHaveTheTimeOfTheWrapper) {
    EXPECT_EQ(framed(from_hex(kGzipAppendTime)).timestamp_type(), TimestampType::kLogAppendTime);
    EXPECT_EQ(texts_of(from_hex(kGzipAppendTime)),
              (Texts{"40@777 a=1", "41@777 b=2", "42@777 ~=3"}));
}

TEST(LegacyRecord, DamageIsNamed) {
    Bytes bytes = from_hex(kPlain1);
    bytes[30] ^= 1;
    EXPECT_FALSE(framed(bytes).has_valid_crc());
    store_be(bytes.data() + 26, std::int32_t{1000});  // key length
    EXPECT_EQ(error_of(bytes), BatchError::kMalformedRecord);
    bytes = from_hex(kGzipFormat0);
    bytes[17] = 4;
    EXPECT_EQ(error_of(bytes), BatchError::kUnknownCodec) << "zstd is younger";
    bytes[17] = 7;
    EXPECT_EQ(error_of(bytes), BatchError::kUnknownCodec);
    bytes[17] = 2;
    EXPECT_EQ(error_of(bytes), BatchError::kUndecodable);
}

/// A message of format 0 without key; `codec` goes into the attributes.
Bytes message_of(std::int64_t offset, Codec codec, ByteView value) {
    Bytes bytes;
    ByteWriter writer(bytes);
    writer.put(offset);
    writer.put(static_cast<std::int32_t>(14 + value.size()));
    writer.put(std::uint32_t{0});
    writer.put(std::int8_t{0});
    writer.put(static_cast<std::uint8_t>(codec));
    writer.put(std::int32_t{-1});
    writer.put(static_cast<std::int32_t>(value.size()));
    writer.put_bytes(value);
    store_be(bytes.data() + 12, LegacyMessageView(bytes).computed_crc());
    return bytes;
}

TEST(LegacyRecord, WhatMayNotStandInsideACompressedMessage) {
    const auto wrapped = [](const Bytes& inside) {
        return message_of(5, Codec::kGzip, compress({.codec = Codec::kGzip}, inside));
    };
    const Bytes plain = message_of(5, Codec::kNone, {});
    EXPECT_EQ(texts_of(wrapped(plain)), Texts{"5@- ~="});
    EXPECT_EQ(error_of(wrapped({})), BatchError::kMalformedRecord) << "nothing";
    EXPECT_EQ(error_of(wrapped(wrapped(plain))), BatchError::kMalformedRecord) << "another one";
    Bytes torn = plain;
    torn.insert(torn.end(), {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 1});
    EXPECT_EQ(texts_of(wrapped(torn)), Texts{"5@- ~="}) << "a torn tail does not count";
    Bytes batch = plain;
    batch[16] = 2;
    EXPECT_EQ(error_of(wrapped(batch)), BatchError::kUnsupportedMagic);
}

TEST(LegacyFrame, EndsAndDamage) {
    const Bytes bytes = from_hex(kPlain0);
    EXPECT_EQ(frame_legacy_message(ByteView(bytes).first(11))->has_value(), false);
    EXPECT_EQ(frame_legacy_message(ByteView(bytes).first(35))->has_value(), false);
    EXPECT_EQ(frame_legacy_message(ByteView(bytes).first(36))->has_value(), true);
    Bytes small = bytes;
    store_be(small.data() + 8, std::int32_t{13});
    EXPECT_EQ(frame_legacy_message(small).error(), BatchError::kSizeFieldTooSmall);
    Bytes newer = bytes;
    newer[16] = 2;
    EXPECT_EQ(frame_legacy_message(newer).error(), BatchError::kUnsupportedMagic);
    Bytes short1 = message_of(0, Codec::kNone, {});
    short1[16] = 1;
    EXPECT_EQ(frame_legacy_message(short1).error(), BatchError::kSizeFieldTooSmall);
}

RC_GTEST_PROP(LegacyLaw, HostileMessagesNeverCrash, (std::uint32_t which)) {
    const char* vectors[] = {kPlain0,
                             kPlain1,
                             kLz4Format0,
                             kLz4Format1,
                             kGzipFormat0,
                             kSnappyFormat0,
                             kSnappyFormat1,
                             kGzipAppendTime};
    Bytes bytes = from_hex(vectors[which % std::size(vectors)]);
    const auto changes = *rc::gen::inRange(0, 5);
    for (int i = 0; i < changes; ++i) {
        bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] =
            *rc::gen::arbitrary<std::uint8_t>();
    }
    bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
    const auto message = frame_legacy_message(bytes);
    if (message.ok() && *message) {
        const auto records = read_legacy_records(**message);
        const bool has_records = records.ok() && !records->empty();
        RC_ASSERT(has_records == records.ok());
    }
}

}  // namespace
}  // namespace klab::storage
