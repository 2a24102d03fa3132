// SPDX-License-Identifier: Apache-2.0
#include "model/check/chunk_list.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace klab::check {
namespace {

std::vector<int> flat(const ChunkList<int>& list) {
    std::vector<int> all;
    list.for_each([&](int value) { all.push_back(value); });
    return all;
}

RC_GTEST_PROP(ChunkList, BehavesLikeAVector, (const std::vector<int>& ops)) {
    // Negative numbers take one element away, others are appended.
    ChunkList<int> list;
    std::vector<int> model;
    ChunkList<int> copy;
    std::vector<int> copy_model;
    for (const int op : ops) {
        if (op >= 0) {
            list.push_back(op);
            model.push_back(op);
        } else if (!model.empty()) {
            list.pop_back();
            model.pop_back();
        }
        if (op % 7 == 3) {
            copy = list;
            copy_model = model;
        }
    }
    RC_ASSERT(flat(list) == model);
    RC_ASSERT(flat(copy) == copy_model);
    RC_ASSERT(list.size() == model.size());
}

TEST(ChunkList, CopyIsAForkAcrossChunks) {
    // A write after a copy must not reach the copy, in whatever chunk it falls.
    ChunkList<int> list;
    for (int i = 0; i < 200; ++i) {
        list.push_back(i);
    }
    const ChunkList<int> copy = list;
    list.write(3) = -1;
    list.write(199) = -1;
    EXPECT_EQ(copy[3], 3);
    EXPECT_EQ(copy[199], 199);
    EXPECT_EQ(list[3], -1);
    EXPECT_FALSE(list == copy);
}

RC_GTEST_PROP(ChunkList, PartitionPointIsTheFirstOneBehind, (std::vector<int> values, int bound)) {
    std::ranges::sort(values);
    ChunkList<int> list;
    for (const int value : values) {
        list.push_back(value);
    }
    const auto expected = std::lower_bound(values.begin(), values.end(), bound) - values.begin();
    RC_ASSERT(list.partition_point([&](int value) { return value < bound; }) ==
              static_cast<std::size_t>(expected));
}

}  // namespace
}  // namespace klab::check
