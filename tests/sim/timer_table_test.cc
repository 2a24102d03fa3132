// SPDX-License-Identifier: Apache-2.0
//
// TimerTable against std::map: the same timers whatever is set, replaced and erased.
#include "sim/kernel/timer_table.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace klab::sim {
namespace {

RC_GTEST_PROP(TimerTable, AgreesWithAnOrderedMap, ()) {
    TimerTable table;
    std::map<TimerKey, std::uint64_t> model;
    const auto steps = *rc::gen::inRange(0, 400);
    for (int i = 0; i < steps; ++i) {
        const TimerKey key{static_cast<std::uint32_t>(*rc::gen::inRange(0, 3)),
                           *rc::gen::inRange(0, 8),
                           *rc::gen::inRange(0, 3)};
        if (*rc::gen::inRange(0, 3) == 0) {
            RC_ASSERT(table.erase(key) == (model.erase(key) == 1));
        } else {
            const auto order = static_cast<std::uint64_t>(i) + 1;
            RC_ASSERT(table.set(key, order) == (model.contains(key) ? model[key] : 0));
            model[key] = order;
        }
        RC_ASSERT(table.size() == model.size());
    }
    TimerTable copy;
    for (const auto& [key, order] : model) {
        RC_ASSERT(table.find(key) == order);
        copy.set(key, order);
    }
    RC_ASSERT(copy == table);
}

TEST(TimerTable, ComparesByContentNotByPlace) {
    // Two tables that grew differently hold the same timers: a fork must compare equal.
    TimerTable a;
    TimerTable b;
    for (std::int64_t i = 0; i < 100; ++i) {
        a.set({1, i, 0}, 7);
    }
    for (std::int64_t i = 1; i < 100; ++i) {
        EXPECT_TRUE(a.erase({1, i, 0}));
    }
    b.set({1, 0, 0}, 7);
    EXPECT_TRUE(a == b);
    b.set({1, 0, 0}, 8);
    EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace klab::sim
