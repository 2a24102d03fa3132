// SPDX-License-Identifier: Apache-2.0
//
// Strong integers: what compiles, what must not, and their text.
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/base/ids.h"

namespace klab::test {
namespace {

using Broker = Id<struct BrokerTag, std::int32_t>;
using Node = Id<struct NodeTag, std::int32_t>;
using Offset = Ordinal<struct OffsetTag, std::int64_t>;
using Epoch = Ordinal<struct EpochTag, std::int16_t>;

template <typename A, typename B>
concept Comparable = requires(A a, B b) {
    a == b;
};

template <typename A, typename B>
concept Addable = requires(A a, B b) {
    a + b;
};

// Mixing up two kinds of ids, or an id and a number, must not compile.
static_assert(std::regular<Broker> && std::totally_ordered<Broker>);
static_assert(std::regular<Offset> && std::totally_ordered<Offset>);
static_assert(!Comparable<Broker, Node>);
static_assert(!Comparable<Broker, std::int32_t>);
static_assert(!Comparable<Offset, std::int64_t>);
static_assert(!Comparable<Offset, Epoch>);
static_assert(!std::is_convertible_v<std::int32_t, Broker>);
static_assert(!std::is_convertible_v<Broker, std::int32_t>);
static_assert(!Addable<Broker, std::int32_t>);
static_assert(!Addable<Offset, Offset>);
static_assert(!std::is_convertible_v<bool, Flag<struct FlagTag>>);
static_assert(sizeof(Broker) == sizeof(std::int32_t));

TEST(Ids, CompareAndPrintTheirNumber) {
    EXPECT_EQ(Broker(), Broker(0));
    EXPECT_LT(Broker(1), Broker(2));
    EXPECT_NE(Broker(1), Broker(2));
    EXPECT_EQ(Broker(7).value(), 7);
    EXPECT_EQ(fmt::format("{} {:03}", Broker(7), Broker(8)), "7 008");
}

TEST(Ordinals, StepAndMeasureDistances) {
    const Offset offset(10);
    EXPECT_EQ(offset.next(), Offset(11));
    EXPECT_EQ(offset + 5, Offset(15));
    EXPECT_EQ(offset - 5, Offset(5));
    EXPECT_EQ(Offset(15) - offset, 5);
    EXPECT_EQ(offset - Offset(15), -5);
    EXPECT_GT(offset.next(), offset);
    EXPECT_EQ(fmt::format("{}", offset), "10");
}

TEST(Ordinals, NarrowOnesKeepTheirWidth) {
    // Producer epochs are int16 in Kafka, and arithmetic of int16 is done in int.
    static_assert(std::is_same_v<decltype(Epoch(1) - Epoch(1)), std::int16_t>);
    EXPECT_EQ(Epoch(32'766).next(), Epoch(32'767));
    EXPECT_EQ(Epoch(5) + std::int16_t{3}, Epoch(8));
}

TEST(Flags, AreOnlyWhatTheySay) {
    using Sync = Flag<struct SyncTag>;
    EXPECT_TRUE(static_cast<bool>(Sync(true)));
    EXPECT_FALSE(static_cast<bool>(Sync(false)));
    EXPECT_EQ(Sync(true), Sync(true));
    EXPECT_NE(Sync(true), Sync(false));
}

}  // namespace
}  // namespace klab::test
