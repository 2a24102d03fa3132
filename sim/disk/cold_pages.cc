// SPDX-License-Identifier: Apache-2.0
//
// See cold_pages.h.
#include "sim/disk/cold_pages.h"

#include <algorithm>

namespace klab::sim {

ColdPages::ColdPages(std::uint64_t pages)
    : is_cold_(static_cast<std::size_t>(pages), true), left_(pages), next_(pages) {}

ReadMiss ColdPages::load(std::uint64_t first, std::uint64_t end) {
    const std::uint64_t all = is_cold_.size();
    ReadMiss miss;
    for (std::uint64_t page = first; page < std::min(end, all); ++page) {
        if (!is_cold_[page]) {
            continue;
        }
        miss.seeks += page == next_ ? 0U : 1U;
        const std::uint64_t window = std::min(std::max(end, page + kReadAheadPages), all);
        for (; page < window && is_cold_[page]; ++page) {
            is_cold_[page] = false;
            --left_;
            ++miss.pages;
        }
        next_ = page;
    }
    return miss;
}

void ColdPages::warm(std::uint64_t page) {
    if (page < is_cold_.size() && is_cold_[page]) {
        is_cold_[page] = false;
        --left_;
    }
}

}  // namespace klab::sim
