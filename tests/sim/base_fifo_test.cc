// SPDX-License-Identifier: Apache-2.0
//
// Fifo against std::deque.
#include <deque>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/fifo.h"

namespace klab::test {
namespace {

RC_GTEST_PROP(Fifo, BehavesAsAQueue, ()) {
    Fifo<int> fifo;
    std::deque<int> plain;
    // Long enough that the front of the vector is given back.
    const auto steps = *rc::gen::inRange(0, 400);
    const auto pushes_of_ten = *rc::gen::inRange(3, 9);
    for (int i = 0; i < steps; ++i) {
        if (*rc::gen::inRange(0, 10) < pushes_of_ten) {
            fifo.push_back(i);
            plain.push_back(i);
        } else if (!plain.empty()) {
            RC_ASSERT(fifo.front() == plain.front());
            RC_ASSERT(fifo.pop_front() == plain.front());
            plain.pop_front();
        }
        RC_ASSERT(fifo.size() == plain.size());
        RC_ASSERT(fifo.empty() == plain.empty());
        if (!plain.empty()) {
            RC_ASSERT(fifo.back() == plain.back());
        }
    }
    RC_ASSERT(std::vector<int>(fifo.begin(), fifo.end()) ==
              std::vector<int>(plain.begin(), plain.end()));
    Fifo<int> fresh;
    for (const int item : plain) {
        fresh.push_back(item);
    }
    RC_ASSERT(fresh == fifo);  // equality does not see what was taken out before
    fifo.push_back(-1);
    RC_ASSERT(!(fresh == fifo));
    fifo.clear();
    RC_ASSERT(fifo == Fifo<int>());
}

}  // namespace
}  // namespace klab::test
