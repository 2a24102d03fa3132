// SPDX-License-Identifier: Apache-2.0
//
// Result, KLAB_ASSERT and overloaded.
#include <string>
#include <utility>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"
#include "sim/base/result.h"

namespace klab::test {
namespace {

enum class Reason { missing, broken };

Result<std::string, Reason> find(int number) {
    if (number < 0) {
        return Error{Reason::broken};
    }
    if (number == 0) {
        return Error{Reason::missing};
    }
    return std::to_string(number);
}

TEST(Results, HoldAValueOrAnError) {
    EXPECT_TRUE(find(7).ok());
    EXPECT_TRUE(static_cast<bool>(find(7)));
    EXPECT_EQ(find(7).value(), "7");
    EXPECT_EQ(*find(7), "7");
    EXPECT_EQ(find(42)->size(), 2U);
    EXPECT_FALSE(find(0).ok());
    EXPECT_EQ(find(0).error(), Reason::missing);
    EXPECT_EQ(find(-1).error(), Reason::broken);
}

TEST(Results, CompareByContent) {
    EXPECT_EQ(find(1), find(1));
    EXPECT_NE(find(1), find(2));
    EXPECT_NE(find(0), find(-1));
    EXPECT_NE(find(0), find(1));
}

TEST(Results, AskingForTheOtherHalfIsABug) {
    const auto good = find(1);
    const auto bad = find(0);
    EXPECT_THROW(static_cast<void>(bad.value()), AssertionFailure);
    EXPECT_THROW(static_cast<void>(good.error()), AssertionFailure);
}

TEST(Results, ValueAndErrorMayHaveOneType) {
    const Result<int, int> value = 1;
    const Result<int, int> error = Error{1};
    EXPECT_TRUE(value.ok());
    EXPECT_FALSE(error.ok());
    EXPECT_NE(value, error);
}

TEST(Asserts, SayWhereWhatAndWhy) {
    // The text is all that a bug report holds.
    const int lag = 3;
    try {
        KLAB_ASSERT(lag < 3, "lag is {}", lag);
        FAIL() << "did not throw";
    } catch (const AssertionFailure& failure) {
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("base_result_test.cc"));
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("lag < 3"));
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("lag is 3"));
    }
}

TEST(Asserts, EvaluateTheConditionOnce) {
    int calls = 0;
    KLAB_ASSERT(++calls > 0, "calls {}", calls);
    EXPECT_EQ(calls, 1);
}

TEST(Overloaded, PicksTheLambdaOfTheAlternative) {
    const auto name =
        overloaded{[](int) { return "int"; }, [](const std::string&) { return "text"; }};
    EXPECT_STREQ(std::visit(name, std::variant<int, std::string>(1)), "int");
    EXPECT_STREQ(std::visit(name, std::variant<int, std::string>(std::string("x"))), "text");
}

}  // namespace
}  // namespace klab::test
