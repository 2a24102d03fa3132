// SPDX-License-Identifier: Apache-2.0
//
// Keyed choices: every nondeterministic decision of a run is a pure function of
// (seed, site, node, peer, occurrence number), so a decision added in one place shifts none in
// another. Each site declares its calm answer as 0. docs/adr/0002-keyed-choices.md says why.
//
// Owns: the occurrence counters, the overrides and the optional log of decisions.
// Called by: Context (model code) and the network.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/cow.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::sim {

/// A place in the code that decides something. Numbers 0..31 are the kernel's.
struct ChoiceSite {
    std::uint16_t number = 0;
    std::string_view name;
};

namespace sites {
inline constexpr ChoiceSite kLatency{0, "net.latency"};        ///< 0 = lowest of the range
inline constexpr ChoiceSite kLoss{1, "net.loss"};              ///< 0 = not lost
inline constexpr ChoiceSite kPagesKept{2, "disk.pages_kept"};  ///< 0 = page lost, 1 = page kept
inline constexpr ChoiceSite kTornAt{3, "disk.torn_at"};        ///< sectors kept of a torn write
inline constexpr ChoiceSite kFreshId{4, "id"};                 ///< ids; never overridden
inline constexpr ChoiceSite kHarness{5, "harness"};            ///< fault plans of generated runs
inline constexpr ChoiceSite kBitRot{6, "disk.bit_rot"};        ///< file, byte, bit; 0 = the first
inline constexpr ChoiceSite kLostEntry{7, "disk.lost_entry"};  ///< which file; 0 = the first
}  // namespace sites

/// Which decision: the occurrence-th time `node` (towards `peer`, if any) came to `site`.
struct ChoiceKey {
    std::uint16_t site = 0;
    std::int64_t node = kAbsent;
    std::int64_t peer = kAbsent;
    std::uint64_t occurrence = 0;

    friend bool operator==(const ChoiceKey&, const ChoiceKey&) = default;
    friend auto operator<=>(const ChoiceKey&, const ChoiceKey&) = default;
};

/// A decision that was taken, or (in overrides) that shall be taken.
struct ChoiceRecord {
    ChoiceKey key;
    std::uint32_t bound = 0;  ///< there were this many answers; 0 in an override read from a file
    std::uint32_t pick = 0;

    friend bool operator==(const ChoiceRecord&, const ChoiceRecord&) = default;
};

/// Levels of a spread (a latency range, a jitter): few enough to enumerate.
inline constexpr std::uint32_t kSpreadLevels = 32;

class Choices {
  public:
    Choices() = default;

    explicit Choices(std::uint64_t seed) : seed_(seed) {}

    /// An answer in [0, bound). Requires: bound > 0. An override outside the bound counts as
    /// bound - 1.
    [[nodiscard]] std::uint32_t pick(ChoiceSite site,
                                     std::int64_t node,
                                     std::int64_t peer,
                                     std::uint32_t bound);

    /// A duration in [low, high] at one of 32 levels; calm = low.
    [[nodiscard]] Duration spread(
        ChoiceSite site, std::int64_t node, std::int64_t peer, Duration low, Duration high);

    /// 64 fresh bits for an id; keyed by kind and node, never shrunk.
    [[nodiscard]] std::uint64_t fresh_bits(std::uint32_t kind, std::int64_t node);

    /// Fixes single decisions. Replaces earlier overrides.
    void set_overrides(std::vector<ChoiceRecord> overrides);

    /// Has this decision been taken?
    [[nodiscard]] bool has_come(const ChoiceKey& key) const;

    [[nodiscard]] const std::vector<ChoiceRecord>& overrides() const { return *overrides_; }

    /// Calm: every pick without an override answers 0.
    void set_calm(bool calm) { calm_ = calm; }

    /// Keeps a log of all decisions with more than one answer (search and shrinking read it).
    void set_logging(bool on) { logging_ = on; }

    [[nodiscard]] const std::vector<ChoiceRecord>& log() const { return *log_; }

    [[nodiscard]] std::uint64_t seed() const { return seed_; }

    friend bool operator==(const Choices&, const Choices&) = default;

  private:
    struct Counter {
        std::uint16_t site = 0;
        std::int64_t node = 0;
        std::int64_t peer = 0;

        friend auto operator<=>(const Counter&, const Counter&) = default;
        friend bool operator==(const Counter&, const Counter&) = default;
    };

    struct Slot {
        Counter key;
        std::uint64_t next = 0;  // occurrence
        std::uint64_t base = 0;  // bits of seed and key, to be mixed with the occurrence

        friend bool operator==(const Slot&, const Slot&) = default;
    };

    /// An occurrence and the 64 bits that belong to it.
    struct Draw {
        std::uint64_t occurrence = 0;
        std::uint64_t bits = 0;
    };

    [[nodiscard]] Draw draw(std::uint64_t seed, Counter key);

    std::uint64_t seed_ = 0;
    bool calm_ = false;
    bool logging_ = false;
    // Slots by node (index 0 holds node -1), each sorted by key: a node meets few sites and peers.
    std::vector<Cow<std::vector<Slot>>> counters_;
    Cow<std::vector<ChoiceRecord>> overrides_;  // sorted by key
    Cow<std::vector<ChoiceRecord>> log_;
};

}  // namespace klab::sim
