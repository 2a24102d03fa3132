// SPDX-License-Identifier: Apache-2.0
//
// The colour tables. See palette.h.
#include "viz/palette.h"

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace klab::viz {

namespace {

struct Hue {
    Color fill;
    Color ink;
};

constexpr std::array<Hue, kEpochHues> kEpochs{{{{86, 180, 233}, kBlack},
                                               {{230, 159, 0}, kBlack},
                                               {{0, 158, 115}, kBlack},
                                               {{240, 228, 66}, kBlack},
                                               {{204, 121, 167}, kBlack},
                                               {{0, 114, 178}, kWhite},
                                               {{213, 94, 0}, kBlack},
                                               {{136, 34, 85}, kWhite}}};

struct ApiColor {
    std::string_view api;
    Color color;
};

constexpr std::array<ApiColor, 12> kApis{{{"Produce", {0, 114, 178}},
                                          {"Fetch", {0, 128, 92}},
                                          {"Metadata", {150, 70, 120}},
                                          {"AlterPartition", {190, 110, 0}},
                                          {"BrokerHeartbeat", {120, 120, 120}},
                                          {"BrokerRegistration", {136, 34, 85}},
                                          {"OffsetForLeaderEpoch", {120, 94, 0}},
                                          {"ListOffsets", {90, 90, 160}},
                                          {"InitProducerId", {60, 90, 200}},
                                          {"CreateTopics", {160, 60, 40}},
                                          {"DeleteRecords", {110, 60, 60}},
                                          {"ElectLeaders", {180, 60, 0}}}};

}  // namespace

std::string to_hex(Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

Color lighten(Color color, std::int32_t percent) {
    KLAB_ASSERT(percent >= 0 && percent <= 100, "percent {}", percent);
    const auto mix = [percent](std::uint8_t part) {
        return static_cast<std::uint8_t>((part * (100 - percent) + 255 * percent) / 100);
    };
    return {mix(color.red), mix(color.green), mix(color.blue)};
}

Style epoch_style(std::int32_t epoch) {
    const std::int32_t round = 2 * kEpochHues;
    const std::int32_t slot = ((epoch % round) + round) % round;
    const Hue& hue = kEpochs[static_cast<std::size_t>(slot % kEpochHues)];
    const Pattern pattern = slot < kEpochHues ? Pattern::kSolid : Pattern::kHatched;
    return {{kInk, Stroke::kSolid, 1}, {pattern, hue.fill}, hue.ink, false};
}

Style replica_style(ReplicaState state) {
    switch (state) {
        case ReplicaState::kLeader:
            return {{kBlue, Stroke::kSolid, 2}, {Pattern::kSolid, kBlue}, kWhite, true};
        case ReplicaState::kInSync:
            return {{kBlue, Stroke::kSolid, 1}, {Pattern::kSolid, lighten(kBlue, 82)}, kInk, false};
        case ReplicaState::kOutOfSync:
            return {{kMutedInk, Stroke::kSolid, 1}, {Pattern::kSolid, kGrey}, kInk, false};
        case ReplicaState::kOffline:
            return {{kAlarm, Stroke::kDashed, 1}, {Pattern::kSolid, kWhite}, kAlarm, false};
    }
    KLAB_ASSERT(false, "replica state {}", static_cast<int>(state));
    return {};
}

std::string_view replica_word(ReplicaState state) {
    switch (state) {
        case ReplicaState::kLeader:
            return "LEAD";
        case ReplicaState::kInSync:
            return "ISR";
        case ReplicaState::kOutOfSync:
            return "out";
        case ReplicaState::kOffline:
            return "off";
    }
    KLAB_ASSERT(false, "replica state {}", static_cast<int>(state));
    return {};
}

Style node_style(NodeState state) {
    switch (state) {
        case NodeState::kUp:
            return {{kInk, Stroke::kSolid, 1}, {Pattern::kSolid, kWhite}, kInk, true};
        case NodeState::kFenced:
            return {{kAlarm, Stroke::kDashed, 2}, {Pattern::kSolid, kWhite}, kAlarm, true};
        case NodeState::kPaused:
            return {{kMutedInk, Stroke::kSolid, 1}, {Pattern::kHatched, kGrey}, kInk, false};
        case NodeState::kDown:
            return {
                {kMutedInk, Stroke::kDotted, 1}, {Pattern::kSolid, kPaleGrey}, kMutedInk, false};
        case NodeState::kStarting:
            return {
                {kBlue, Stroke::kDashed, 1}, {Pattern::kSolid, lighten(kBlue, 82)}, kInk, false};
    }
    KLAB_ASSERT(false, "node state {}", static_cast<int>(state));
    return {};
}

std::string_view node_word(NodeState state) {
    switch (state) {
        case NodeState::kUp:
            return "up";
        case NodeState::kFenced:
            return "FENCED";
        case NodeState::kPaused:
            return "paused";
        case NodeState::kDown:
            return "DOWN";
        case NodeState::kStarting:
            return "starting";
    }
    KLAB_ASSERT(false, "node state {}", static_cast<int>(state));
    return {};
}

Color api_color(std::string_view api) {
    for (const ApiColor& entry : kApis) {
        if (entry.api == api) {
            return entry.color;
        }
    }
    return {85, 85, 85};
}

}  // namespace klab::viz
