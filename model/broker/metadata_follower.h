// SPDX-License-Identifier: Apache-2.0
//
// MetadataFollower: a broker as an observer of __cluster_metadata. It fetches the log from the
// active controller in a long-polling loop, replays what is committed, and hands each change over
// for publishing. Until it has caught up with the high watermark once, nothing is published.
//
// Owns: the connection to the controller's log, the loader with the image (volatile), timer
// kMetadataFetch and kMetadataRequest.
// Called by: broker.cc.
// Kafka: KafkaRaftClient as observer, MetadataLoader (5.9 of the rules: publish when caught up).
// Simplified: a broker keeps no copy of the metadata log on its disk and reads it anew at each
// start; one controller voter; no snapshots.
#pragma once

#include <cstdint>
#include <optional>

#include "model/metadata/image_replay.h"
#include "model/metadata/metadata_loader.h"
#include "model/protocol/fetch.h"
#include "sim/kernel/context.h"

namespace klab::broker {

class MetadataFollower {
  public:
    MetadataFollower() = default;

    MetadataFollower(types::BrokerId id, sim::Lane lane) : id_(id), lane_(lane) {}

    void start(sim::Context& ctx);

    // Inputs; each says whether it was this follower's.
    [[nodiscard]] bool on_connected(sim::Context& ctx, const sim::Connected& input);
    [[nodiscard]] bool on_disconnected(sim::Context& ctx, const sim::Disconnected& input);
    [[nodiscard]] bool on_timer(sim::Context& ctx, const sim::TimerFired& input);
    /// `change` is filled when there is something to publish: on the first publish everything.
    [[nodiscard]] bool on_reply(sim::Context& ctx,
                                const sim::Delivered& input,
                                std::optional<metadata::MetadataDelta>& change);

    /// The image that is or will be published: committed, without an open transaction.
    [[nodiscard]] const metadata::MetadataImage& image() const { return loader_.image(); }

    /// Caught up once: from then on every change is published.
    [[nodiscard]] bool is_publishing() const { return publishing_; }

    /// Highest offset seen; what heartbeats report once it is published.
    [[nodiscard]] std::optional<types::Offset> last_offset() const;

    friend bool operator==(const MetadataFollower&, const MetadataFollower&) = default;

  private:
    void connect(sim::Context& ctx);
    void send_fetch(sim::Context& ctx);
    void retry_later(sim::Context& ctx);

    types::BrokerId id_;
    sim::Lane lane_;
    std::optional<sim::ConnectionId> connection_;
    std::int32_t correlation_ = 0;
    metadata::MetadataLoader loader_;
    std::optional<types::LeaderEpoch> last_epoch_;  // of the last batch loaded
    bool publishing_ = false;
};

}  // namespace klab::broker
