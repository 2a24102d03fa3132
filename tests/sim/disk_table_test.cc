// SPDX-License-Identifier: Apache-2.0
//
// NumberedTable against std::map.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/disk/numbered_table.h"

namespace klab::sim::test {
namespace {

using Table = NumberedTable<int>;
using Map = std::map<std::uint64_t, int>;

std::vector<std::pair<std::uint64_t, int>> flat(const Table& table, std::uint64_t from) {
    std::vector<std::pair<std::uint64_t, int>> all;
    table.for_each_from(from,
                        [&](std::uint64_t number, int value) { all.emplace_back(number, value); });
    return all;
}

void check_same(const Table& table, const Map& map, std::uint64_t number) {
    const auto it = map.find(number);
    const int* found = table.find(number);
    RC_ASSERT((found != nullptr) == (it != map.end()));
    if (found != nullptr) {
        RC_ASSERT(*found == it->second);
    }
    const std::vector<std::pair<std::uint64_t, int>> expected(map.lower_bound(number), map.end());
    RC_ASSERT(flat(table, number) == expected);
    RC_ASSERT(table.count_from(number) == expected.size());
}

RC_GTEST_PROP(NumberedTable, BehavesAsAnOrderedMap, ()) {
    Table table;
    Map map;
    Table copy;
    Map map_of_copy;
    const auto steps = *rc::gen::inRange(0, 200);
    for (int i = 0; i < steps; ++i) {
        const auto number = *rc::gen::weightedOneOf<std::uint64_t>(
            {{3, rc::gen::inRange<std::uint64_t>(0, 10)},
             {3, rc::gen::inRange<std::uint64_t>(60, 200)},
             {1, rc::gen::inRange<std::uint64_t>(0, 1'000'000'000)}});
        switch (*rc::gen::weightedElement<int>({{6, 0}, {3, 1}, {1, 2}, {2, 3}, {1, 4}})) {
            case 0:
                table.put(number, i);
                map[number] = i;
                break;
            case 1:
                RC_ASSERT(table.erase(number) == (map.erase(number) == 1));
                break;
            case 2:
                table.erase_from(number);
                map.erase(map.lower_bound(number), map.end());
                break;
            case 3:
                if (int* value = table.find_for_write(number)) {
                    *value = -i;
                    map[number] = -i;
                }
                break;
            default:
                copy = table;
                map_of_copy = map;
        }
        check_same(table, map, number);
    }
    check_same(table, map, 0);
    check_same(copy, map_of_copy, 0);  // a copy kept what it was
    Table rebuilt;
    for (auto it = map.rbegin(); it != map.rend(); ++it) {
        rebuilt.put(it->first, it->second);
    }
    RC_ASSERT(rebuilt == table);  // equality is by content, not by history
}

TEST(NumberedTable, ErasingTheLastValueLeavesNothing) {
    // A file that was cut to nothing must hold no shelf.
    Table table;
    table.put(1000, 1);
    table.put(1001, 2);
    table.erase_from(1000);
    EXPECT_EQ(table, Table());
    table.put(5, 1);
    EXPECT_TRUE(table.erase(5));
    EXPECT_FALSE(table.erase(5));
    EXPECT_EQ(table, Table());
}

}  // namespace
}  // namespace klab::sim::test
