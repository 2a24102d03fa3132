// SPDX-License-Identifier: Apache-2.0
//
// CowMap against std::map, and its copies against each other.
#include "sim/base/cow_map.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace klab::test {
namespace {

using Map = CowMap<int, std::string>;
using Plain = std::map<int, std::string>;

Plain flat(const Map& map) {
    Plain all;
    int last = -1'000'000;
    map.for_each([&](int key, const std::string& value) {
        RC_ASSERT(key > last);  // in order, no key twice
        last = key;
        all.emplace(key, value);
    });
    return all;
}

void check_same(const Map& map, const Plain& plain, int key) {
    const auto it = plain.find(key);
    const std::string* found = map.find(key);
    RC_ASSERT((found != nullptr) == (it != plain.end()));
    RC_ASSERT(map.contains(key) == (it != plain.end()));
    if (found != nullptr) {
        RC_ASSERT(*found == it->second);
    }
    const auto above = plain.lower_bound(key);
    const Map::Entry* lower = map.lower_bound(key);
    RC_ASSERT((lower != nullptr) == (above != plain.end()));
    if (lower != nullptr) {
        RC_ASSERT(lower->first == above->first);
    }
    RC_ASSERT(map.size() == plain.size());
    RC_ASSERT(map.empty() == plain.empty());
}

/// One random change of both.
void change(Map& map, Plain& plain, int key, int step) {
    const std::string value = std::to_string(step);
    switch (*rc::gen::weightedElement<int>({{8, 0}, {3, 1}, {2, 2}, {4, 3}, {1, 4}})) {
        case 0:
            map.insert_or_assign(key, value);
            plain[key] = value;
            break;
        case 1:
            RC_ASSERT(map.erase(key) == (plain.erase(key) == 1));
            break;
        case 2: {
            std::string* found = map.find_for_write(key);
            RC_ASSERT((found != nullptr) == plain.contains(key));
            if (found != nullptr) {
                *found += value;
                plain[key] += value;
            }
            break;
        }
        case 3:
            map.at_or_insert(key) += "+";
            plain[key] += "+";
            break;
        default:
            if (step % 50 == 0) {
                map.clear();
                plain.clear();
            }
    }
}

RC_GTEST_PROP(CowMap, BehavesAsAnOrderedMap, ()) {
    Map map;
    Plain plain;
    // Rising keys split at the end; random ones split in the middle.
    const int preloaded = *rc::gen::element(0, 0, 63, 64, 65, 300);
    for (int i = 0; i < preloaded; ++i) {
        map.insert_or_assign(i * 3, "p");
        plain[i * 3] = "p";
    }
    Map copy = map;
    Plain plain_of_copy = plain;
    const auto steps = *rc::gen::inRange(0, 300);
    for (int i = 0; i < steps; ++i) {
        const int key = *rc::gen::inRange(-10, 1000);
        change(map, plain, key, i);
        check_same(map, plain, key);
        check_same(map, plain, *rc::gen::inRange(-10, 1000));
        if (i % 40 == 39) {
            RC_ASSERT(flat(copy) == plain_of_copy);
            copy = map;
            plain_of_copy = plain;
        }
    }
    RC_ASSERT(flat(map) == plain);
    RC_ASSERT(flat(copy) == plain_of_copy);
    std::vector<int> keys;
    for (const auto& [key, value] : plain) {
        keys.push_back(key);
    }
    RC_ASSERT(map.keys() == keys);
}

RC_GTEST_PROP(CowMap, EqualityIsByContentNotByHistory, ()) {
    // Leaves split where history put them; two maps of the same entries must still be equal.
    const auto keys = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 400));
    Map forward;
    Map backward;
    for (const int key : keys) {
        forward.insert_or_assign(key, "v");
    }
    for (auto it = keys.rbegin(); it != keys.rend(); ++it) {
        backward.insert_or_assign(*it, "v");
    }
    for (int extra = 500; extra < 600; ++extra) {
        backward.insert_or_assign(extra, "x");
    }
    if (!keys.empty()) {
        RC_ASSERT(!(forward == backward));
    }
    for (int extra = 500; extra < 600; ++extra) {
        backward.erase(extra);
    }
    RC_ASSERT(forward == backward);
    if (!keys.empty()) {
        backward.insert_or_assign(keys.front(), "w");
        RC_ASSERT(!(forward == backward));
    }
}

TEST(CowMap, AWriteAfterAForkLeavesTheForkAlone) {
    // The law behind time travel; with several leaves, so that only one of them is copied.
    Map map;
    for (int i = 0; i < 1000; ++i) {
        map.insert_or_assign(i, "old");
    }
    const Map fork = map;
    *map.find_for_write(500) = "new";
    map.erase(7);
    map.insert_or_assign(5000, "more");
    EXPECT_EQ(*fork.find(500), "old");
    EXPECT_EQ(*fork.find(7), "old");
    EXPECT_EQ(fork.find(5000), nullptr);
    EXPECT_EQ(fork.size(), 1000U);
    EXPECT_EQ(map.size(), 1000U);
}

TEST(CowMap, FindsNothingInAnEmptyMap) {
    Map map;
    EXPECT_EQ(map.find(1), nullptr);
    EXPECT_EQ(map.find_for_write(1), nullptr);
    EXPECT_EQ(map.lower_bound(1), nullptr);
    EXPECT_FALSE(map.erase(1));
    EXPECT_TRUE(map.keys().empty());
    map.insert_or_assign(1, "x");
    EXPECT_TRUE(map.erase(1));
    EXPECT_EQ(map, Map());
    EXPECT_EQ(map.lower_bound(0), nullptr);
}

}  // namespace
}  // namespace klab::test
