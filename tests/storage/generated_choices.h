// SPDX-License-Identifier: Apache-2.0
//
// What a power failure keeps, by a stream of generated bits: for laws.
#pragma once

#include <cstdint>

#include "sim/disk/disk_types.h"

namespace klab::storage {

class GeneratedChoices final : public sim::PowerOffChoices {
  public:
    explicit GeneratedChoices(std::uint64_t state) : state_(state) {}

    bool keep_page() override { return next() % 2 == 0; }

    std::uint32_t sectors_kept() override { return static_cast<std::uint32_t>(next() % 9); }

  private:
    std::uint64_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return state_ >> 33;
    }

    std::uint64_t state_;
};

}  // namespace klab::storage
