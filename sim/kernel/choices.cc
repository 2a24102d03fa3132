// SPDX-License-Identifier: Apache-2.0
//
// Keyed choices: counters, hashing to a range, overrides.
#include "sim/kernel/choices.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::sim {

namespace {

/// SplitMix64 finaliser: a good 64-bit mixer in integer arithmetic.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9E37'79B9'7F4A'7C15U;
    x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EBU;
    return x ^ (x >> 31);
}

std::uint64_t base_bits(std::uint64_t seed,
                        std::uint16_t site,
                        std::int64_t node,
                        std::int64_t peer) {
    std::uint64_t h = mix(seed ^ (std::uint64_t{site} << 48));
    h = mix(h ^ static_cast<std::uint64_t>(node));
    return mix(h ^ static_cast<std::uint64_t>(peer));
}

}  // namespace

Choices::Draw Choices::draw(std::uint64_t seed, Counter key) {
    const auto index = static_cast<std::size_t>(key.node + 1);
    if (index >= counters_.size()) {
        counters_.resize(index + 1);
    }
    std::vector<Slot>& slots = counters_[index].write();
    auto it = std::lower_bound(
        slots.begin(), slots.end(), key, [](const Slot& s, const Counter& k) { return s.key < k; });
    if (it == slots.end() || it->key != key) {
        it = slots.insert(it, Slot{key, 0, base_bits(seed, key.site, key.node, key.peer)});
    }
    const std::uint64_t occurrence = it->next++;
    return {occurrence, mix(it->base ^ occurrence)};
}

std::uint32_t Choices::pick(ChoiceSite site,
                            std::int64_t node,
                            std::int64_t peer,
                            std::uint32_t bound) {
    KLAB_ASSERT(bound > 0, "choice {} has no answer", site.name);
    if (bound == 1) {
        return 0;
    }
    const Draw drawn = draw(seed_, {site.number, node, peer});
    std::uint32_t picked = 0;
    if (!calm_) {
        // Multiply-shift maps 64 random bits to a range without division.
        picked = static_cast<std::uint32_t>(((drawn.bits >> 32) * bound) >> 32);
    }
    if (overrides_->empty() && !logging_) {
        return picked;
    }
    const ChoiceKey key{site.number, node, peer, drawn.occurrence};
    if (!overrides_->empty()) {
        const auto it =
            std::lower_bound(overrides_->begin(),
                             overrides_->end(),
                             key,
                             [](const ChoiceRecord& r, const ChoiceKey& k) { return r.key < k; });
        if (it != overrides_->end() && it->key == key) {
            picked = std::min(it->pick, bound - 1);
        }
    }
    if (logging_) {
        log_.write().push_back({key, bound, picked});
    }
    return picked;
}

Duration Choices::spread(
    ChoiceSite site, std::int64_t node, std::int64_t peer, Duration low, Duration high) {
    if (high <= low) {
        return low;
    }
    const std::uint32_t level = pick(site, node, peer, kSpreadLevels);
    // Quotient and remainder apart: a range of years times 31 would overflow.
    constexpr std::int64_t kSteps = kSpreadLevels - 1;
    const Duration range = high - low;
    const Duration rest{range.ns % kSteps};
    return low + range / kSteps * level + rest * level / kSteps;
}

std::uint64_t Choices::fresh_bits(std::uint32_t kind, std::int64_t node) {
    const Counter counter{sites::kFreshId.number, node, static_cast<std::int64_t>(kind)};
    return draw(seed_ ^ 0x1D5A'17ED'C0DE'5EEDU, counter).bits;
}

bool Choices::has_come(const ChoiceKey& key) const {
    const auto index = static_cast<std::size_t>(key.node + 1);
    if (index >= counters_.size()) {
        return false;
    }
    const Counter counter{key.site, key.node, key.peer};
    return std::ranges::any_of(*counters_[index], [&](const Slot& slot) {
        return slot.key == counter && slot.next > key.occurrence;
    });
}

void Choices::set_overrides(std::vector<ChoiceRecord> overrides) {
    std::sort(overrides.begin(), overrides.end(), [](const ChoiceRecord& a, const ChoiceRecord& b) {
        return a.key < b.key;
    });
    overrides_ = Cow<std::vector<ChoiceRecord>>(std::move(overrides));
}

}  // namespace klab::sim
