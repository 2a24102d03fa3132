// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C against published values, and both ways of computing it against each other.
#include "model/storage/crc32c.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/byte_io.h"

namespace klab::storage {
namespace {

Bytes counting(std::uint8_t from, int step, std::size_t size) {
    Bytes out;
    for (std::size_t i = 0; i < size; ++i) {
        out.push_back(static_cast<std::uint8_t>(from + step * static_cast<int>(i)));
    }
    return out;
}

TEST(Crc32cRows, SomeString) { EXPECT_EQ(crc32c(view_of("Some String")), 0x2445290FU); }

TEST(Crc32cRows, CheckValue) { EXPECT_EQ(crc32c(view_of("123456789")), 0xE3069283U); }

TEST(Crc32cRows, Empty) { EXPECT_EQ(crc32c({}), 0U); }

TEST(Crc32cRows, SingleLetter) { EXPECT_EQ(crc32c(view_of("a")), 0xC1D04330U); }

TEST(Crc32cRows, ThirtyTwoZeros) { EXPECT_EQ(crc32c(counting(0, 0, 32)), 0x8A9136AAU); }

TEST(Crc32cRows, ThirtyTwoOnes) { EXPECT_EQ(crc32c(counting(0xFF, 0, 32)), 0x62A8AB43U); }

TEST(Crc32cRows, Ascending) { EXPECT_EQ(crc32c(counting(0, 1, 32)), 0x46DD794EU); }

TEST(Crc32cRows, Descending) { EXPECT_EQ(crc32c(counting(31, -1, 32)), 0x113FDB5CU); }

TEST(Crc32cRows, TableWayGivesTheCheckValueToo) {
    EXPECT_EQ(crc32c_extend_by_table(0, view_of("123456789")), 0xE3069283U);
}

TEST(Crc32c, BothWaysAgreeOnEveryLengthAndAlignment) {
    // Both take words first and single bytes at the end.
    const Bytes bytes = counting(7, 31, 10'000);
    for (std::size_t size = 0; size < 9'000; size += size < 80 ? 1 : 61) {
        for (std::size_t from = 0; from < 9; ++from) {
            const ByteView part = ByteView(bytes).subspan(from, size);
            ASSERT_EQ(crc32c_extend(0xFFU, part), crc32c_extend_by_table(0xFFU, part)) << size;
        }
    }
}

RC_GTEST_PROP(Crc32cLaw, BothWaysAgreeAndPiecesJoin, (const Bytes& a, const Bytes& b)) {
    Bytes joined = a;
    joined.insert(joined.end(), b.begin(), b.end());
    RC_ASSERT(crc32c_extend(crc32c(a), b) == crc32c(joined));
    RC_ASSERT(crc32c_extend_by_table(0, joined) == crc32c(joined));
}

}  // namespace
}  // namespace klab::storage
