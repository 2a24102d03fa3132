// SPDX-License-Identifier: Apache-2.0
//
// Keyed choices: a decision depends on its key and on nothing else.
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/assert.h"
#include "sim/kernel/choices.h"

namespace klab::sim::test {
namespace {

constexpr ChoiceSite kJitter{100, "test.jitter"};
constexpr ChoiceSite kOther{101, "test.other"};
constexpr std::array<ChoiceSite, 2> kSites{kJitter, kOther};

struct Call {
    std::size_t site = 0;
    std::int64_t node = 0;
    std::int64_t peer = 0;
    std::uint32_t bound = 2;
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
    return out << call.site << '/' << call.node << '/' << call.peer << '<' << call.bound;
}

rc::Gen<Call> gen_call() {
    return rc::gen::build<Call>(
        rc::gen::set(&Call::site, rc::gen::inRange<std::size_t>(0, 2)),
        rc::gen::set(&Call::node, rc::gen::inRange<std::int64_t>(-1, 4)),
        rc::gen::set(&Call::peer, rc::gen::inRange<std::int64_t>(-1, 3)),
        rc::gen::set(&Call::bound, rc::gen::element<std::uint32_t>(2, 3, 32, 1000, 4'294'967'295)));
}

std::uint32_t pick(Choices& choices, const Call& call) {
    return choices.pick(kSites[call.site], call.node, call.peer, call.bound);
}

/// A key without its occurrence.
using Place = std::tuple<std::size_t, std::int64_t, std::int64_t>;

Place place_of(const Call& call) { return {call.site, call.node, call.peer}; }

RC_GTEST_PROP(Choices, PicksElsewhereShiftNothing, ()) {
    // The reason for keys: one more fault, message or node must not reshuffle the whole run.
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto calls = *rc::gen::container<std::vector<Call>>(gen_call());
    const Call added = *gen_call();
    const auto at = *rc::gen::inRange<std::size_t>(0, calls.size() + 1);
    Choices plain(seed);
    Choices disturbed(seed);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i == at) {
            static_cast<void>(pick(disturbed, added));
        }
        const std::uint32_t expected = pick(plain, calls[i]);
        const std::uint32_t found = pick(disturbed, calls[i]);
        if (i < at || place_of(calls[i]) != place_of(added)) {
            RC_ASSERT(found == expected);
        }
    }
}

RC_GTEST_PROP(Choices, OrderBetweenPlacesDoesNotMatter, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto calls = *rc::gen::container<std::vector<Call>>(gen_call());
    Choices in_order(seed);
    std::map<Place, std::vector<std::uint32_t>> expected;
    std::map<Place, std::vector<Call>> by_place;
    for (const Call& call : calls) {
        expected[place_of(call)].push_back(pick(in_order, call));
        by_place[place_of(call)].push_back(call);
    }
    Choices grouped(seed);
    for (const auto& [place, group] : by_place) {
        for (std::size_t i = 0; i < group.size(); ++i) {
            RC_ASSERT(pick(grouped, group[i]) == expected[place][i]);
        }
    }
}

RC_GTEST_PROP(Choices, AnOverrideChangesOnlyWhatItNames, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const bool calm = *rc::gen::arbitrary<bool>();
    const auto calls = *rc::gen::nonEmpty(rc::gen::container<std::vector<Call>>(gen_call()));
    Choices plain(seed);
    plain.set_calm(calm);
    plain.set_logging(true);
    for (const Call& call : calls) {
        static_cast<void>(pick(plain, call));
    }
    const ChoiceRecord named = *rc::gen::elementOf(plain.log());
    ChoiceRecord wanted = named;
    wanted.bound = 0;
    wanted.pick = *rc::gen::element<std::uint32_t>(0, 1, 2, 4'294'967'295);
    Choices overridden(seed);
    overridden.set_calm(calm);
    overridden.set_logging(true);
    ChoiceRecord absent = wanted;
    absent.key.occurrence = 1'000'000;
    overridden.set_overrides({absent, wanted});
    for (const Call& call : calls) {
        static_cast<void>(pick(overridden, call));
    }
    RC_ASSERT(overridden.log().size() == plain.log().size());
    for (std::size_t i = 0; i < plain.log().size(); ++i) {
        ChoiceRecord expected = plain.log()[i];
        if (expected.key == named.key) {
            expected.pick = std::min(wanted.pick, expected.bound - 1);
        }
        RC_ASSERT(overridden.log()[i] == expected);
    }
}

RC_GTEST_PROP(Choices, ALogUsedAsOverridesRepeatsTheRun, ()) {
    // A reproducer carries its decisions: they must hold under another seed.
    const auto calls = *rc::gen::container<std::vector<Call>>(gen_call());
    Choices first(*rc::gen::arbitrary<std::uint64_t>());
    first.set_logging(true);
    for (const Call& call : calls) {
        static_cast<void>(pick(first, call));
    }
    Choices second(*rc::gen::arbitrary<std::uint64_t>());
    second.set_logging(true);
    second.set_overrides(first.log());
    for (const Call& call : calls) {
        static_cast<void>(pick(second, call));
    }
    RC_ASSERT(second.log() == first.log());
}

RC_GTEST_PROP(Choices, AForkHasTheSameFuture, ()) {
    Choices choices(*rc::gen::arbitrary<std::uint64_t>());
    const auto before = *rc::gen::container<std::vector<Call>>(gen_call());
    const auto after = *rc::gen::container<std::vector<Call>>(gen_call());
    for (const Call& call : before) {
        static_cast<void>(pick(choices, call));
    }
    Choices fork = choices;
    const Choices untouched = choices;
    RC_ASSERT(fork == choices);
    for (const Call& call : after) {
        RC_ASSERT(pick(fork, call) == pick(choices, call));
    }
    RC_ASSERT(fork == choices);
    RC_ASSERT((untouched == choices) == after.empty());
}

TEST(Choices, CalmAnswersZeroUnlessOverridden) {
    // All-calm runs are the baseline that shrinking pulls towards.
    Choices choices(5);
    choices.set_calm(true);
    EXPECT_FALSE(choices.has_come({kJitter.number, 1, -1, 0}));
    choices.set_overrides({{{kJitter.number, 1, -1, 2}, 0, 7}});
    std::vector<std::uint32_t> picks;
    for (int i = 0; i < 4; ++i) {
        picks.push_back(choices.pick(kJitter, 1, -1, 10));
    }
    EXPECT_EQ(picks, (std::vector<std::uint32_t>{0, 0, 7, 0}));
    EXPECT_EQ(choices.spread(kOther, 1, -1, milliseconds(3), milliseconds(9)), milliseconds(3));
}

TEST(Choices, CalmCountsOccurrencesToo) {
    // Switching calm off half-way gives the answers that the seed would have given there.
    Choices seeded(5);
    Choices half_calm(5);
    half_calm.set_calm(true);
    for (int i = 0; i < 10; ++i) {
        static_cast<void>(seeded.pick(kJitter, 1, 2, 1000));
        EXPECT_EQ(half_calm.pick(kJitter, 1, 2, 1000), 0U);
    }
    half_calm.set_calm(false);
    EXPECT_EQ(half_calm.pick(kJitter, 1, 2, 1000), seeded.pick(kJitter, 1, 2, 1000));
}

TEST(Choices, ASingleAnswerIsNoDecision) {
    // It takes no occurrence and is not logged, so that enumeration does not try it.
    Choices choices(5);
    choices.set_logging(true);
    EXPECT_EQ(choices.pick(kJitter, 1, -1, 1), 0U);
    EXPECT_TRUE(choices.log().empty());
    const std::uint32_t first = choices.pick(kJitter, 1, -1, 1000);
    EXPECT_EQ(choices.log(),
              (std::vector<ChoiceRecord>{{{kJitter.number, 1, -1, 0}, 1000, first}}));
}

TEST(Choices, NoAnswerIsABug) {
    Choices choices(5);
    EXPECT_THROW(static_cast<void>(choices.pick(kJitter, 1, -1, 0)), AssertionFailure);
}

TEST(Choices, SpreadHas32LevelsWithBothEnds) {
    Choices choices(5);
    std::map<std::int64_t, int> seen;
    for (int i = 0; i < 2000; ++i) {
        ++seen[choices.spread(kJitter, 1, -1, nanoseconds(100), nanoseconds(410)).ns];
    }
    ASSERT_EQ(seen.size(), 32U);
    EXPECT_EQ(seen.begin()->first, 100);
    EXPECT_EQ(seen.rbegin()->first, 410);
    for (const auto& [value, count] : seen) {
        EXPECT_EQ((value - 100) % 10, 0);
    }
}

TEST(Choices, SpreadOfAnEmptyRangeIsNoDecision) {
    Choices choices(5);
    choices.set_logging(true);
    EXPECT_EQ(choices.spread(kJitter, 1, -1, seconds(2), seconds(2)), seconds(2));
    EXPECT_EQ(choices.spread(kJitter, 1, -1, seconds(2), seconds(1)), seconds(2));
    EXPECT_TRUE(choices.log().empty());
}

TEST(Choices, FreshIdsAreDistinctAndNeverCalmed) {
    // Two topics must not get one uuid because somebody shrank a run.
    Choices calm(5);
    calm.set_calm(true);
    calm.set_logging(true);
    Choices seeded(5);
    std::map<std::uint64_t, int> seen;
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
        for (std::int64_t node = -1; node < 4; ++node) {
            for (int i = 0; i < 50; ++i) {
                const std::uint64_t bits = calm.fresh_bits(kind, node);
                EXPECT_EQ(bits, seeded.fresh_bits(kind, node));
                ++seen[bits];
            }
        }
    }
    EXPECT_EQ(seen.size(), 4U * 5 * 50);
    EXPECT_TRUE(calm.log().empty());
}

/// Chi-squared statistic of `count` picks with `bound` answers, times `count`.
std::uint64_t spread_of(std::uint64_t seed, std::uint32_t bound, std::uint64_t count) {
    Choices choices(seed);
    std::vector<std::uint64_t> seen(bound, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
        ++seen[choices.pick(kJitter, 3, 7, bound)];
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t n : seen) {
        const std::uint64_t distance = n * bound > count ? n * bound - count : count - n * bound;
        sum += distance * distance;
    }
    return sum / bound;
}

TEST(Choices, AnswersAreUniformEnough) {
    // Chi-squared with bound - 1 degrees of freedom; the limits are exceeded once in 10^5 fair
    // runs, and the seeds are fixed.
    constexpr std::uint64_t kCount = 20'000;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        EXPECT_LT(spread_of(seed, 2, kCount), 20 * kCount);
        EXPECT_LT(spread_of(seed, 3, kCount), 24 * kCount);
        EXPECT_LT(spread_of(seed, 10, kCount), 40 * kCount);
        EXPECT_LT(spread_of(seed, 32, kCount), 78 * kCount);
        EXPECT_LT(spread_of(seed, 1000, kCount), 1210 * kCount);
    }
}

TEST(Choices, NeighbouringKeysAreIndependent) {
    // Seeds, nodes, peers and occurrences are small numbers in a row; half of the bits must differ.
    const auto high_bits = [](std::uint64_t seed, std::int64_t node, std::int64_t peer, int skip) {
        Choices choices(seed);
        for (int i = 0; i < skip; ++i) {
            static_cast<void>(choices.pick(kJitter, node, peer, 4'294'967'295));
        }
        return choices.pick(kJitter, node, peer, 4'294'967'295);
    };
    std::array<std::uint32_t, 4> differing{};
    constexpr int kPairs = 500;
    for (int i = 0; i < kPairs; ++i) {
        const auto n = static_cast<std::int64_t>(i);
        const auto seed = static_cast<std::uint64_t>(i);
        const std::uint32_t base = high_bits(seed, n, n, 0);
        const std::array<std::uint32_t, 4> others{high_bits(seed + 1, n, n, 0),
                                                  high_bits(seed, n + 1, n, 0),
                                                  high_bits(seed, n, n + 1, 0),
                                                  high_bits(seed, n, n, 1)};
        for (std::size_t k = 0; k < others.size(); ++k) {
            for (std::uint32_t bit = 0; bit < 32; ++bit) {
                differing[k] += ((base ^ others[k]) >> bit) & 1U;
            }
        }
    }
    for (const std::uint32_t bits : differing) {
        EXPECT_GT(bits, kPairs * 15U);
        EXPECT_LT(bits, kPairs * 17U);
    }
}

}  // namespace
}  // namespace klab::sim::test
