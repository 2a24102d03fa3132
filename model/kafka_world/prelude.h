// SPDX-License-Identifier: Apache-2.0
//
// Prelude: what happens before a scenario's time 0. Processes boot, brokers register and are
// unfenced, the operator creates the topics, every ISR is full and every follower's first fetch is
// at its leader.
//
//     booting -(all brokers unfenced)-> creating -(all topics replicated)-> ready
//
// Called by: scenarios/run, tests, benchmarks; after each turn of the queue.
#pragma once

#include <cstdint>
#include <vector>

#include "model/kafka_world/kafka_model.h"
#include "model/protocol/topic_admin.h"

namespace klab::world {

class Prelude {
  public:
    enum class State : std::uint8_t {
        kBooting,
        kCreating,
        kReady,
        kTooLate  ///< two minutes of virtual time were not enough: the cluster cannot start
    };

    Prelude() = default;

    /// `operator_node`: an admin client of the layout, which creates the topics.
    Prelude(sim::NodeId operator_node, std::vector<protocol::NewTopic> topics)
        : operator_(operator_node), topics_(std::move(topics)) {}

    /// Looks at the world (every 5 ms of virtual time) and goes on when it can.
    State advance(KafkaWorld& world);

    [[nodiscard]] State state() const { return state_; }

    friend bool operator==(const Prelude&, const Prelude&) = default;

  private:
    sim::NodeId operator_;
    std::vector<protocol::NewTopic> topics_;
    State state_ = State::kBooting;
    Time next_look_;
};

/// Boots everything and runs until the prelude is ready. False when it came too late.
[[nodiscard]] bool run_prelude(KafkaWorld& world, Prelude& prelude);

}  // namespace klab::world
