// SPDX-License-Identifier: Apache-2.0
#include "model/types/murmur2.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace klab::types {
namespace {

struct HashCase {
    std::string_view key;
    std::int32_t hash;
    std::int32_t mod3;
    std::int32_t mod10;
    std::int32_t mod12;
};

class Murmur2Vectors : public testing::TestWithParam<HashCase> {};

TEST_P(Murmur2Vectors, MatchOtherClients) {
    // Values of Kafka's own test and of other clients: a keyed record must land where theirs does.
    const HashCase& c = GetParam();
    EXPECT_EQ(murmur2(c.key), c.hash);
    const Bytes key(c.key.begin(), c.key.end());
    EXPECT_EQ(partition_for_key(key, 3), c.mod3);
    EXPECT_EQ(partition_for_key(key, 10), c.mod10);
    EXPECT_EQ(partition_for_key(key, 12), c.mod12);
}

INSTANTIATE_TEST_SUITE_P(
    Keys,
    Murmur2Vectors,
    testing::Values(HashCase{"21", -973932308, 0, 0, 0},
                    HashCase{"foobar", -790332482, 0, 6, 6},
                    HashCase{"a-little-bit-long-string", -985981536, 2, 2, 8},
                    HashCase{"a-little-bit-longer-string", -1486304829, 2, 9, 11},
                    HashCase{
                        "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971, 2, 7, 5},
                    HashCase{"abc", 479470107, 0, 7, 3},
                    HashCase{"kafka", -798503068, 1, 0, 4},
                    HashCase{"giberish123456789", -1890243828, 2, 0, 8},
                    HashCase{"1234", -1614185708, 0, 0, 0},
                    HashCase{"234", -406844982, 2, 6, 2},
                    HashCase{"34", -2026295078, 0, 0, 6},
                    HashCase{"4", 1514888353, 1, 3, 1},
                    HashCase{"PreAmbleWillBeRemoved,ThePrePartThatIs", 2017611548, 2, 8, 8},
                    HashCase{"reAmbleWillBeRemoved,ThePrePartThatIs", 1247982455, 2, 5, 11},
                    HashCase{"eAmbleWillBeRemoved,ThePrePartThatIs", -521871202, 1, 6, 10},
                    HashCase{"AmbleWillBeRemoved,ThePrePartThatIs", 1656271935, 0, 5, 3},
                    HashCase{"", 275646681, 0, 1, 9},
                    HashCase{"1", -1993445489, 0, 9, 3},
                    HashCase{"12", 126087238, 1, 8, 10},
                    HashCase{"123", -267702483, 2, 5, 5},
                    HashCase{"12345", -1188365604, 2, 4, 8}));

struct HashOnly {
    std::string_view key;
    std::int32_t hash;
};

class Murmur2Hashes : public testing::TestWithParam<HashOnly> {};

TEST_P(Murmur2Hashes, MatchTheJavaPartitioner) {
    // Lengths around the four-byte words, and numbers of growing length.
    EXPECT_EQ(murmur2(GetParam().key), GetParam().hash);
}

INSTANTIATE_TEST_SUITE_P(Keys,
                         Murmur2Hashes,
                         testing::Values(HashOnly{"0", 971027396},
                                         HashOnly{"128", -326012175},
                                         HashOnly{"2187", -1508407203},
                                         HashOnly{"16384", -325739742},
                                         HashOnly{"78125", -1654490814},
                                         HashOnly{"279936", 1462227128},
                                         HashOnly{"823543", -2014198330},
                                         HashOnly{"2097152", 607668903},
                                         HashOnly{"4782969", -1182699775},
                                         HashOnly{"10000000", -1830336757},
                                         HashOnly{"19487171", -1603849305},
                                         HashOnly{"35831808", -857013643},
                                         HashOnly{"62748517", -1167431028},
                                         HashOnly{"105413504", -381294639},
                                         HashOnly{"170859375", -1658323481},
                                         HashOnly{"100:48069", 1009543857},
                                         HashOnly{"string-f-24-chars-length", 124730809},
                                         HashOnly{"string-fo-25-chars-length", 1269511650},
                                         HashOnly{"string-foo-26-chars-length", 119165628},
                                         HashOnly{"string-last-27-chars-length", 1089971754},
                                         HashOnly{"key-0", 29210041},
                                         HashOnly{"key-1", 193331640},
                                         HashOnly{"key-2", 852269702}));

TEST(PartitionForKey, MasksTheSignInsteadOfNegating) {
    // "21" hashes to -973932308; its masked value is 1173551340, its absolute value another number.
    const Bytes key = {'2', '1'};
    EXPECT_EQ(partition_for_key(key, 2), 0);
    EXPECT_EQ(partition_for_key(key, 6), 0);
    EXPECT_EQ(partition_for_key(key, 50), 40);
    EXPECT_EQ(partition_for_key(key, 2147483647), 1173551340);
}

TEST(PartitionForKey, OfTheReferenceKeys) {
    // Partition numbers worked out for a topic of 2, 3, 6, 12 and 50 partitions.
    const std::vector<std::int32_t> counts = {2, 3, 6, 12, 50};
    const auto partitions = [&](std::string_view text) {
        const Bytes key(text.begin(), text.end());
        std::vector<std::int32_t> found;
        for (const std::int32_t count : counts) {
            found.push_back(partition_for_key(key, count));
        }
        return found;
    };
    EXPECT_EQ(partitions("foobar"), (std::vector<std::int32_t>{0, 0, 0, 6, 16}));
    EXPECT_EQ(partitions("abc"), (std::vector<std::int32_t>{1, 0, 3, 3, 7}));
    EXPECT_EQ(partitions("key-0")[1], 1);
    EXPECT_EQ(partitions("key-1")[1], 0);
    EXPECT_EQ(partitions("key-2")[1], 2);
}

TEST(PartitionForKey, TreatsBytesAsUnsigned) {
    // A signed byte in the tail would smear ones over the whole word.
    const Bytes high = {0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9};
    const Bytes low = {0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x7a, 0x79};
    EXPECT_NE(murmur2(ByteView(high)), murmur2(ByteView(low)));
    EXPECT_EQ(murmur2(ByteView(high)),
              murmur2(std::string_view("\xff\xfe\xfd\xfc\xfb\xfa\xf9", 7)));
}

}  // namespace
}  // namespace klab::types
