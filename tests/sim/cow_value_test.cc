// SPDX-License-Identifier: Apache-2.0
//
// Cow<T>: sharing must never show.
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/cow.h"

namespace klab::test {
namespace {

/// Counts its copies, so that a test sees when a value is copied.
struct Counted {
    explicit Counted(int* copies_made = nullptr) : copies(copies_made) {}

    Counted(const Counted& other) : value(other.value), copies(other.copies) {
        if (copies != nullptr) {
            ++*copies;
        }
    }

    Counted(Counted&&) = default;
    Counted& operator=(const Counted&) = default;
    Counted& operator=(Counted&&) = default;
    ~Counted() = default;

    int value = 0;
    int* copies = nullptr;
};

TEST(Cow, DefaultReadsAsADefaultValue) {
    // Empty worlds are full of these.
    const Cow<std::string> text;
    const Cow<int> number;
    EXPECT_EQ(*text, "");
    EXPECT_EQ(number.read(), 0);
    EXPECT_EQ(text, Cow<std::string>());
}

TEST(Cow, CopiesShareUntilOneIsWritten) {
    // Fork a world, write one side: the other keeps what it was.
    Cow<std::string> a(std::string("old"));
    Cow<std::string> b = a;
    EXPECT_TRUE(a.shares_with(b));
    b.write() += "!";
    EXPECT_FALSE(a.shares_with(b));
    EXPECT_EQ(*a, "old");
    EXPECT_EQ(*b, "old!");
    EXPECT_EQ(b->size(), 4U);
}

TEST(Cow, CopiesTheValueOnlyWhenSomeoneElseHoldsIt) {
    // Otherwise every write would cost a copy.
    int copies = 0;
    Cow<Counted> a{Counted(&copies)};
    a.write().value = 1;
    EXPECT_EQ(copies, 0);
    {
        const Cow<Counted> b = a;
        EXPECT_EQ(copies, 0);
        a.write().value = 2;
        EXPECT_EQ(copies, 1);
        EXPECT_EQ(b->value, 1);
    }
    a.write().value = 3;
    EXPECT_EQ(copies, 1);
    Cow<Counted> c = a;
    a = Cow<Counted>{Counted(&copies)};
    c.write().value = 4;  // alone again: the other handle was given another value
    EXPECT_EQ(copies, 1);
}

TEST(Cow, ComparesByValue) {
    const Cow<std::string> a(std::string("x"));
    const Cow<std::string> b(std::string("x"));
    const Cow<std::string> c(std::string("y"));
    EXPECT_FALSE(a.shares_with(b));
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
}

TEST(Cow, MovesWithoutCopying) {
    int copies = 0;
    Cow<Counted> a{Counted(&copies)};
    a.write().value = 7;
    Cow<Counted> b = std::move(a);
    EXPECT_EQ(b->value, 7);
    a = b;  // a moved-from handle may be assigned to
    EXPECT_EQ(a->value, 7);
    Cow<Counted> c{Counted(&copies)};
    c = std::move(b);
    EXPECT_EQ(c->value, 7);
    EXPECT_EQ(copies, 0);
}

TEST(Cow, SelfAssignmentIsHarmless) {
    Cow<std::string> a(std::string("x"));
    const Cow<std::string>& alias = a;
    a = alias;
    EXPECT_EQ(*a, "x");
    a.write() = "y";
    EXPECT_EQ(*alias, "y");
}

TEST(Cow, CopiesMayLiveOnDifferentThreads) {
    // A sweep forks one prepared world onto all cores.
    const Cow<std::vector<int>> origin(std::vector<int>(100, 1));
    std::vector<std::thread> threads;
    std::vector<int> sums(4, 0);
    for (std::size_t t = 0; t < sums.size(); ++t) {
        threads.emplace_back([&origin, &sums, t] {
            for (int i = 0; i < 1000; ++i) {
                Cow<std::vector<int>> mine = origin;
                mine.write()[0] = static_cast<int>(t);
                sums[t] += (*mine)[0] + (*mine)[1];
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(sums, (std::vector<int>{1000, 2000, 3000, 4000}));
    EXPECT_EQ((*origin)[0], 1);
}

RC_GTEST_PROP(Cow, ManyHandlesBehaveAsPlainValues, ()) {
    std::vector<Cow<int>> handles(5);
    std::vector<int> plain(5, 0);
    const auto steps = *rc::gen::inRange(0, 100);
    for (int i = 0; i < steps; ++i) {
        const auto from = *rc::gen::inRange<std::size_t>(0, 5);
        const auto to = *rc::gen::inRange<std::size_t>(0, 5);
        if (*rc::gen::arbitrary<bool>()) {
            handles[to] = handles[from];
            plain[to] = plain[from];
        } else {
            handles[to].write() += i;
            plain[to] += i;
        }
        for (std::size_t h = 0; h < handles.size(); ++h) {
            RC_ASSERT(*handles[h] == plain[h]);
        }
    }
}

}  // namespace
}  // namespace klab::test
