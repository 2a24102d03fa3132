// SPDX-License-Identifier: Apache-2.0
//
// ClientMetadata: what a client knows of topics and leaders, and when it asks again. An entry is
// never replaced by one of an older leader epoch (a broker that lags behind must not lead a client
// back).
//
//     update due when now >= max(expiry, end of backoff);
//     expiry = last success + metadata.max.age.ms, or at once when an update was requested
//
// Owns: the cache and its age (volatile). Called by: producer, consumer.
// Kafka: Metadata, MetadataSnapshot, NetworkClient.DefaultMetadataUpdater; KIP-951 (hints).
// Simplified: the brokers are those of the layout, known from the start, so there is no bootstrap
// list and no rebootstrap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/client/exponential_backoff.h"
#include "model/client/network_client.h"
#include "model/protocol/metadata.h"
#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::client {

/// Token of metadata requests at the NetworkClient; other tokens are not negative.
inline constexpr std::int64_t kMetadataToken = -1;

struct CachedPartition {
    std::optional<types::BrokerId> leader;
    std::optional<types::LeaderEpoch> leader_epoch;

    friend bool operator==(const CachedPartition&, const CachedPartition&) = default;
};

struct CachedTopic {
    types::Uuid id;
    std::vector<CachedPartition> partitions;

    friend bool operator==(const CachedTopic&, const CachedTopic&) = default;
};

class ClientMetadata {
  public:
    struct Options {
        Duration max_age = seconds(300);
        ExponentialBackoff retry{100, 1000};

        friend bool operator==(const Options&, const Options&) = default;
    };

    ClientMetadata() = default;

    explicit ClientMetadata(const Options& options) : options_(options) {}

    /// Tracks a topic; a new one asks for an update that no backoff delays.
    void add_topic(const std::string& topic);

    /// Somebody needs fresher metadata.
    void request_update() { update_requested_ = true; }

    /// Sends a request when one is due and a broker can take it (connecting to one if needed).
    void maybe_update(sim::Context& ctx, NetworkClient& net);

    /// How long until maybe_update has something to do; nothing while a request is in flight.
    [[nodiscard]] std::optional<Duration> wait(const sim::Context& ctx) const;

    /// The outcome of a request with kMetadataToken. Effects: leader.learned.
    void on_completion(sim::Context& ctx, const Completion& completion);

    /// A broker named the new leader in an error (KIP-951). Says whether that was news.
    bool apply_hint(sim::Context& ctx,
                    const types::TopicPartition& partition,
                    types::BrokerId leader,
                    types::LeaderEpoch epoch);

    /// The topic as cached, or nullptr.
    [[nodiscard]] const CachedTopic* topic(const std::string& name) const;
    [[nodiscard]] const CachedPartition* partition(const types::TopicPartition& partition) const;

    /// Retriable or fatal error of a tracked topic in the last response.
    [[nodiscard]] types::ErrorCode topic_error(const std::string& name) const;

    friend bool operator==(const ClientMetadata&, const ClientMetadata&) = default;

  private:
    [[nodiscard]] Time due() const;
    bool take_topic(sim::Context& ctx, const protocol::MetadataTopic& topic);
    void learned(sim::Context& ctx,
                 const types::TopicPartition& partition,
                 const CachedPartition& entry) const;

    Options options_;
    std::map<std::string, CachedTopic> topics_;
    std::map<std::string, types::ErrorCode> tracked_;  // with the error of the last response
    bool update_requested_ = true;
    bool new_topics_ = false;  // asked for since the last request went out
    bool in_flight_ = false;
    std::uint32_t failures_ = 0;     // in a row
    std::uint32_t equivalents_ = 0;  // answers in a row that brought nothing that was waited for
    Time last_refresh_;              // monotonic; of the last attempt
    Time last_success_;              // monotonic
    Time backoff_until_;             // monotonic
};

}  // namespace klab::client
