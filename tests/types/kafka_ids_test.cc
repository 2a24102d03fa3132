// SPDX-License-Identifier: Apache-2.0
#include "model/types/kafka_ids.h"

#include <gtest/gtest.h>

namespace klab::types {
namespace {

TEST(Uuid, PrintsAsKafkaDoes) {
    // The text forms of Kafka's reserved ids and of a known one.
    EXPECT_EQ((Uuid{0, 0}.text()), "AAAAAAAAAAAAAAAAAAAAAA");
    EXPECT_EQ((Uuid{0, 1}.text()), "AAAAAAAAAAAAAAAAAAAAAQ");
    EXPECT_EQ((Uuid{~std::uint64_t{0}, ~std::uint64_t{0}}.text()), "_____________________w");
    EXPECT_TRUE((Uuid{0, 0}.is_zero()));
    EXPECT_FALSE((Uuid{0, 1}.is_zero()));
}

TEST(Uuid, BytesAreBigEndian) {
    // The form on disk and on the wire.
    const auto bytes = Uuid{0x0102030405060708ULL, 0x090a0b0c0d0e0f10ULL}.bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        EXPECT_EQ(bytes[i], i + 1);
    }
}

TEST(TopicPartition, PrintsWithAHyphen) {
    // The name that tools, directories and scenario files use.
    EXPECT_EQ((TopicPartition{"my-topic", 3}.text()), "my-topic-3");
}

}  // namespace
}  // namespace klab::types
