// SPDX-License-Identifier: Apache-2.0
//
// The strong types of the model: who, where in a log, under which epoch. Widths are Kafka's.
// `-1` exists only on the wire and in files: in memory absence is std::optional.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "sim/base/ids.h"

namespace klab::types {

using BrokerId = Id<struct BrokerIdTag, std::int32_t>;  ///< node.id of a broker: b1 is 1
using CorrelationId = Id<struct CorrelationIdTag, std::int32_t>;
using ProducerId = Id<struct ProducerIdTag, std::int64_t>;
using TopicNameId = Id<struct TopicNameIdTag, std::uint32_t>;  ///< a name interned by the world

using Offset = Ordinal<struct OffsetTag, std::int64_t>;            ///< position in one log
using LeaderEpoch = Ordinal<struct LeaderEpochTag, std::int32_t>;  ///< LE of a partition
using PartitionEpoch = Ordinal<struct PartitionEpochTag, std::int32_t>;
using BrokerEpoch = Ordinal<struct BrokerEpochTag, std::int64_t>;  ///< offset of RegisterBroker
using QuorumEpoch = Ordinal<struct QuorumEpochTag, std::int32_t>;  ///< KRaft term
using ProducerEpoch = Ordinal<struct ProducerEpochTag, std::int16_t>;

/// A 128-bit id as Kafka uses it for topics, directories and incarnations.
struct Uuid {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend constexpr bool operator==(const Uuid&, const Uuid&) = default;
    friend constexpr auto operator<=>(const Uuid&, const Uuid&) = default;

    [[nodiscard]] constexpr bool is_zero() const { return high == 0 && low == 0; }

    /// 16 bytes, big-endian: the form in files and messages.
    [[nodiscard]] std::array<std::uint8_t, 16> bytes() const;

    /// 22 characters, URL-safe base64 without padding: the form Kafka prints.
    [[nodiscard]] std::string text() const;
};

/// A partition by topic name, as clients and tools speak of it: `t-0`.
struct TopicPartition {
    std::string topic;
    std::int32_t partition = 0;

    friend bool operator==(const TopicPartition&, const TopicPartition&) = default;
    friend auto operator<=>(const TopicPartition&, const TopicPartition&) = default;

    [[nodiscard]] std::string text() const { return fmt::format("{}-{}", topic, partition); }
};

}  // namespace klab::types
