// SPDX-License-Identifier: Apache-2.0
//
// A trace event: one typed fact about a run. Triggers, invariants, oracles, pictures, narration and
// exports all read events and the one table that describes them; there is no other log.
//
// An event is a fixed-size value of integers. Texts and lists are interned by the world
// (sim/trace/interner.h) and appear as their number, so that emitting allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/time.h"

namespace klab::sim {

/// A node of the world, 0..n-1 in the order of declaration.
using NodeId = Id<struct NodeIdTag, std::uint32_t>;

/// Number of an event in its run, from 1.
using EventId = Ordinal<struct EventIdTag, std::uint64_t>;

/// Index into the joined event table: 0..31 belong to the kernel, the model's own start at 32.
using EventKind = Id<struct EventKindTag, std::uint16_t>;

inline constexpr std::uint16_t kFirstModelEventKind = 32;

/// Absent field value at the trace edge.
inline constexpr std::int64_t kAbsent = -1;

enum class FieldType : std::uint8_t {
    kInteger,    ///< a plain number
    kBoolean,    ///< 0 or 1
    kNode,       ///< NodeId, -1 when there is none
    kText,       ///< interned text
    kList,       ///< interned list of integers (an ISR)
    kNameIndex,  ///< interned name << 32 | index: "t-0" (use pack_name_index)
    kDuration,   ///< nanoseconds
    kBytes,      ///< a count of bytes
    kSymbol,     ///< a number with a name, through FieldDef::symbol_name (error codes, api keys)
};

/// One field of an event kind.
struct FieldDef {
    const char* name = "";
    FieldType type = FieldType::kInteger;
    const char* meaning = "";
    /// For FieldType::kSymbol: the name of a value, never null.
    std::string_view (*symbol_name)(std::int64_t) = nullptr;
};

/// transition: a change of state worth telling; message: traffic and timers; detail: fine grain,
/// outside the hash, without an id, never a trigger.
enum class EventLevel : std::uint8_t { kTransition, kMessage, kDetail };

/// One row of the event table.
struct EventDef {
    const char* name = "";  ///< past-tense fact: "hw.advanced"
    EventLevel level = EventLevel::kTransition;
    const char* meaning = "";
    /// Sentence with {field} and {node} in braces, rendered by viz and the command line.
    const char* narration = "";
    std::vector<FieldDef> fields;
};

/// Kernel rows followed by the model's, indexed by EventKind. Built once, then shared and constant.
struct EventTable {
    std::vector<EventDef> rows;

    [[nodiscard]] const EventDef& row(EventKind kind) const;

    /// The kind named so, or nothing.
    [[nodiscard]] std::optional<EventKind> find(std::string_view name) const;

    /// Index of a field of a kind, or nothing.
    [[nodiscard]] std::optional<std::size_t> field_index(EventKind kind,
                                                         std::string_view field) const;
};

inline constexpr std::size_t kEventFieldsMax = 10;
inline constexpr std::size_t kEventCausesMax = 4;

/// One fact. `fields` follow the row of the table; unused entries are 0.
struct Event {
    EventId id;
    Time time;                   ///< true virtual time, not a node's clock
    std::optional<NodeId> node;  ///< where it happened; none for the harness and links
    EventKind kind;
    std::uint8_t field_count = 0;
    std::uint8_t cause_count = 0;
    /// Disk calls this node had made when the event was emitted: a crash triggered by this event
    /// keeps exactly those (World::crash).
    std::uint64_t disk_calls = 0;
    std::array<std::int64_t, kEventFieldsMax> fields{};
    std::array<EventId, kEventCausesMax> causes{};

    friend bool operator==(const Event&, const Event&) = default;

    [[nodiscard]] std::span<const EventId> causes_used() const {
        return {causes.data(), cause_count};
    }
};

[[nodiscard]] constexpr std::int64_t pack_name_index(std::int64_t name, std::int32_t index) {
    return (name << 32) | static_cast<std::int64_t>(static_cast<std::uint32_t>(index));
}

[[nodiscard]] constexpr std::int64_t unpack_name(std::int64_t packed) { return packed >> 32; }

[[nodiscard]] constexpr std::int32_t unpack_index(std::int64_t packed) {
    return static_cast<std::int32_t>(packed & 0xFFFF'FFFF);
}

/// Set of event kinds, for subscriptions.
class KindSet {
  public:
    void add(EventKind kind) {
        const std::size_t word = kind.value() / 64;
        if (word >= words_.size()) {
            words_.resize(word + 1, 0);
        }
        words_[word] |= std::uint64_t{1} << (kind.value() % 64);
    }

    void add_all() { everything_ = true; }

    /// All kinds of the other set, too.
    void add(const KindSet& other) {
        everything_ = everything_ || other.everything_;
        if (words_.size() < other.words_.size()) {
            words_.resize(other.words_.size(), 0);
        }
        for (std::size_t i = 0; i < other.words_.size(); ++i) {
            words_[i] |= other.words_[i];
        }
    }

    [[nodiscard]] bool contains(EventKind kind) const {
        const std::size_t word = kind.value() / 64;
        return everything_ ||
               (word < words_.size() && ((words_[word] >> (kind.value() % 64)) & 1U) != 0);
    }

    friend bool operator==(const KindSet&, const KindSet&) = default;

  private:
    bool everything_ = false;
    std::vector<std::uint64_t> words_;
};

}  // namespace klab::sim
