// SPDX-License-Identifier: Apache-2.0
//
// Every check by id: what must hold, who says so, and when it may break. Three groups:
//     white box   P.., M.., and a few of klab's own: look into brokers at every step
//     black box   ACK, DIV, ORD, DUP, LEAD, VANISH, SKIP, LIVE: the words of the failure
//                 catalogue; judged from what clients saw, or the sum of white-box checks
//     self        SELF: the checker's own picture agrees with the cluster
//
// Owns: ids, statements, sources, excuses. Called by: findings, `klab explain`, `violates`.
// Source: the properties of the public specifications of Kafka's replication (KIP-101, 279, 320,
// 497, 841, 903, 966) and of KRaft.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace klab::check {

enum class CheckId : std::uint8_t {
    kP1,
    kP2,
    kP3,
    kP4,
    kP5,
    kP6,
    kP7,
    kP8,
    kP9,
    kP10,
    kP11,
    kP12,
    kP13,
    kP14,
    kP15,
    kP16,
    kP17,
    kP18,
    kP19,
    kP20,
    kP21,
    kP22,
    kP24,
    kM1,
    kM2,
    kM3,
    kM4,
    kM7,
    kAnswer,
    kIdempotence,
    kAck,
    kDiv,
    kOrd,
    kDup,
    kLead,
    kVanish,
    kSkip,
    kLive,
    kSelf,
};

inline constexpr std::size_t kCheckCount = 39;

enum class CheckGroup : std::uint8_t { kWhiteBox, kBlackBox, kSelf };

struct CheckInfo {
    CheckId check;
    CheckGroup group;
    std::string_view id;         ///< as in `violates` and reports: "P1", "ACK"
    std::string_view name;       ///< a few words
    std::string_view statement;  ///< what must hold
    std::string_view source;     ///< specification, KIP or class that asks for it
    std::string_view may_break;  ///< the only excuses; "never" if there is none
};

/// Every check, in the order of the enum.
[[nodiscard]] std::span<const CheckInfo> all_checks();

[[nodiscard]] const CheckInfo& info(CheckId check);

/// The check with that id; ids are compared as written.
[[nodiscard]] std::optional<CheckId> find_check(std::string_view id);

/// The checks whose breach breaks `check`: itself, and for a word of the catalogue the white-box
/// checks that say the same (ACK: P1).
[[nodiscard]] std::vector<CheckId> parts_of(CheckId check);

/// Does a file that expects `expected` to break thereby expect `broken` too? A lost acknowledged
/// record (ACK) cannot be had without an incomplete leader (P2), so ACK covers P2.
[[nodiscard]] bool covers(CheckId expected, CheckId broken);

}  // namespace klab::check
