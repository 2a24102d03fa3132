// SPDX-License-Identifier: Apache-2.0
//
// The table of versions. See versions.h.
#include "model/types/versions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace klab::types {

namespace {

constexpr std::array<VersionInfo, kVersionCount> kVersions = {{
    {KafkaVersion::k3_6,
     "3.6",
     {3, 6},
     14,
     "3.6-IV2",
     "The last line in which the high watermark may pass records that fewer than "
     "min.insync.replicas "
     "replicas hold."},
    {KafkaVersion::k3_7,
     "3.7",
     {3, 7},
     19,
     "3.7-IV4",
     "The high watermark waits for min.insync.replicas; brokers tell clients the new leader; "
     "clients "
     "back off exponentially."},
    {KafkaVersion::k3_8,
     "3.8",
     {3, 8},
     20,
     "3.8-IV0",
     "No rule that klab models differs from 3.7."},
    {KafkaVersion::k3_9,
     "3.9",
     {3, 9},
     21,
     "3.9-IV0",
     "The last line with ZooKeeper. KRaft controllers obey unclean.leader.election.enable."},
    {KafkaVersion::k4_0,
     "4.0",
     {4, 0},
     25,
     "4.0-IV3",
     "KRaft only. linger.ms is 5 by default; consumers do not fetch from a broker while data from "
     "it "
     "wait to be polled."},
    {KafkaVersion::k4_1,
     "4.1",
     {4, 1},
     27,
     "4.1-IV1",
     "In Kafka, new clusters have eligible leader replicas (KIP-966) on; klab does not have them "
     "yet."},
}};

}  // namespace

std::string to_text(Release release) { return fmt::format("{}.{}", release.major, release.minor); }

std::span<const VersionInfo> all_versions() { return kVersions; }

const VersionInfo& info(KafkaVersion version) {
    const auto index = static_cast<std::size_t>(version);
    KLAB_ASSERT(index < kVersions.size(), "version {} is not in the table", index);
    return kVersions[index];
}

std::optional<KafkaVersion> find_version(std::string_view name) {
    const auto row = std::ranges::find(kVersions, name, &VersionInfo::name);
    if (row == kVersions.end()) {
        return std::nullopt;
    }
    return row->version;
}

}  // namespace klab::types
