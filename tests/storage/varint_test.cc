// SPDX-License-Identifier: Apache-2.0
//
// Varints: the vector table row by row, errors, and the round-trip law.
#include "model/storage/varint.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/hex.h"

namespace klab::storage {
namespace {

constexpr std::int32_t kMin32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

template <typename T>
struct Row {
    T value;
    const char* hex;
};

class VarintRows : public testing::TestWithParam<Row<std::int32_t>> {};

TEST_P(VarintRows, BothDirections) {
    const auto& row = GetParam();
    Bytes out;
    write_varint(out, row.value);
    EXPECT_EQ(out, from_hex(row.hex));
    EXPECT_EQ(size_of_varint(row.value), out.size());
    ByteReader reader(out);
    EXPECT_EQ(read_varint(reader), row.value);
    EXPECT_EQ(reader.remaining(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Table,
                         VarintRows,
                         testing::Values(Row<std::int32_t>{0, "00"},
                                         Row<std::int32_t>{-1, "01"},
                                         Row<std::int32_t>{1, "02"},
                                         Row<std::int32_t>{63, "7E"},
                                         Row<std::int32_t>{-64, "7F"},
                                         Row<std::int32_t>{64, "80 01"},
                                         Row<std::int32_t>{-65, "81 01"},
                                         Row<std::int32_t>{8191, "FE 7F"},
                                         Row<std::int32_t>{-8192, "FF 7F"},
                                         Row<std::int32_t>{8192, "80 80 01"},
                                         Row<std::int32_t>{-8193, "81 80 01"},
                                         Row<std::int32_t>{1048575, "FE FF 7F"},
                                         Row<std::int32_t>{1048576, "80 80 80 01"},
                                         Row<std::int32_t>{-1048577, "81 80 80 01"},
                                         Row<std::int32_t>{134217727, "FE FF FF 7F"},
                                         Row<std::int32_t>{134217728, "80 80 80 80 01"},
                                         Row<std::int32_t>{2147483647, "FE FF FF FF 0F"},
                                         Row<std::int32_t>{kMin32, "FF FF FF FF 0F"}));

class VarlongRows : public testing::TestWithParam<Row<std::int64_t>> {};

TEST_P(VarlongRows, BothDirections) {
    const auto& row = GetParam();
    Bytes out;
    write_varlong(out, row.value);
    EXPECT_EQ(out, from_hex(row.hex));
    EXPECT_EQ(size_of_varlong(row.value), out.size());
    ByteReader reader(out);
    EXPECT_EQ(read_varlong(reader), row.value);
}

INSTANTIATE_TEST_SUITE_P(Table,
                         VarlongRows,
                         testing::Values(Row<std::int64_t>{17179869183, "FE FF FF FF 7F"},
                                         Row<std::int64_t>{17179869184, "80 80 80 80 80 01"},
                                         Row<std::int64_t>{-17179869185, "81 80 80 80 80 01"},
                                         Row<std::int64_t>{kMax64, "FE FF FF FF FF FF FF FF FF 01"},
                                         Row<std::int64_t>{kMin64, "FF FF FF FF FF FF FF FF FF 01"},
                                         Row<std::int64_t>{-86400000, "FF EF B2 52"},
                                         Row<std::int64_t>{-282609, "E1 BF 22"}));

class UnsignedVarintRows : public testing::TestWithParam<Row<std::uint32_t>> {};

TEST_P(UnsignedVarintRows, BothDirections) {
    const auto& row = GetParam();
    Bytes out;
    write_unsigned_varint(out, row.value);
    EXPECT_EQ(out, from_hex(row.hex));
    EXPECT_EQ(size_of_unsigned_varint(row.value), out.size());
    ByteReader reader(out);
    EXPECT_EQ(read_unsigned_varint(reader), row.value);
}

INSTANTIATE_TEST_SUITE_P(Table,
                         UnsignedVarintRows,
                         testing::Values(Row<std::uint32_t>{64, "40"},
                                         Row<std::uint32_t>{8192, "80 40"},
                                         Row<std::uint32_t>{0xFFFFFFFFU, "FF FF FF FF 0F"},
                                         Row<std::uint32_t>{0x80000000U, "80 80 80 80 08"}));

TEST(VarintErrors, SixGroupsAreOverlong) {
    const Bytes bytes = from_hex("FF FF FF FF FF 01");
    ByteReader reader(bytes);
    EXPECT_EQ(read_varint(reader), 0);
    EXPECT_EQ(reader.error(), ReadError::kOverlongVarint);
}

TEST(VarintErrors, ElevenGroupsAreOverlongForLong) {
    const Bytes bytes = from_hex("FF FF FF FF FF FF FF FF FF FF 01");
    ByteReader reader(bytes);
    EXPECT_EQ(read_varlong(reader), 0);
    EXPECT_EQ(reader.error(), ReadError::kOverlongVarint);
}

TEST(VarintErrors, CutShortIsOutOfBytes) {
    const Bytes bytes = from_hex("80 80");
    ByteReader reader(bytes);
    EXPECT_EQ(read_varint(reader), 0);
    EXPECT_EQ(reader.error(), ReadError::kOutOfBytes);
}

TEST(ByteReader, StaysFailedAfterTheFirstError) {
    // A decoder reads a whole struct and looks at the reader once, so nothing may revive it.
    const Bytes bytes = from_hex("00 01 02");
    ByteReader reader(bytes);
    EXPECT_EQ(reader.get<std::int16_t>(), 1);
    EXPECT_EQ(reader.get<std::int32_t>(), 0);
    EXPECT_EQ(reader.get<std::int8_t>(), 0);
    EXPECT_TRUE(reader.take(1).empty());
    EXPECT_EQ(reader.error(), ReadError::kOutOfBytes);
}

RC_GTEST_PROP(VarintLaw, RoundTrip, (std::int32_t small, std::int64_t large)) {
    Bytes out;
    write_varint(out, small);
    write_varlong(out, large);
    RC_ASSERT(out.size() == size_of_varint(small) + size_of_varlong(large));
    ByteReader reader(out);
    RC_ASSERT(read_varint(reader) == small);
    RC_ASSERT(read_varlong(reader) == large);
    RC_ASSERT(reader.ok());
}

}  // namespace
}  // namespace klab::storage
