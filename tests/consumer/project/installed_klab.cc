// SPDX-License-Identifier: Apache-2.0
//
// A program of somebody else that uses the kernel: the installed headers compile and the library
// links.
#include "sim/base/cow_map.h"
#include "sim/base/time.h"

int main() {
    klab::CowMap<int, klab::Duration> map;
    map.insert_or_assign(1, klab::milliseconds(3));
    const auto copy = map;
    map.erase(1);
    const bool right = copy.size() == 1 && map.empty() && klab::to_text(*copy.find(1)) == "3ms";
    return right ? 0 : 1;
}
