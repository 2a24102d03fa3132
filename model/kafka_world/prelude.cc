// SPDX-License-Identifier: Apache-2.0
//
// Prelude: boot, topics, full ISRs.
#include "model/kafka_world/prelude.h"

#include "model/kafka_world/cluster_view.h"
#include "model/protocol/app_call.h"

namespace klab::world {

namespace {

constexpr Duration kLookEvery = milliseconds(5);
constexpr Time kLatest = Time{} + seconds(120);

bool all_brokers_unfenced(const KafkaWorld& world) {
    const metadata::MetadataImage* image = committed_image(world);
    if (image == nullptr) {
        return false;
    }
    for (const types::BrokerSpec& spec : world.data().cluster.brokers) {
        const metadata::BrokerRegistration* broker = image->broker(spec.id);
        if (broker == nullptr || broker->fenced ||
            broker_state(world, spec.id).state() != broker::BrokerState::kRunning) {
            return false;
        }
    }
    return true;
}

bool all_topics_exist(const KafkaWorld& world, const std::vector<protocol::NewTopic>& topics) {
    const metadata::MetadataImage* image = committed_image(world);
    for (const protocol::NewTopic& topic : topics) {
        if (image == nullptr || image->topic(topic.name) == nullptr) {
            return false;
        }
    }
    return true;
}

}  // namespace

Prelude::State Prelude::advance(KafkaWorld& world) {
    if (world.time() < next_look_ || state_ == State::kReady || state_ == State::kTooLate) {
        return state_;
    }
    next_look_ = world.time() + kLookEvery;
    if (world.time() > kLatest) {
        state_ = State::kTooLate;
        return state_;
    }
    if (state_ == State::kBooting && all_brokers_unfenced(world)) {
        state_ = State::kCreating;
        if (!topics_.empty()) {
            world.kernel().call(operator_,
                                sim::make_message(protocol::AdminCall{
                                    sim::make_message(protocol::CreateTopicsRequest{topics_})}));
        }
        return state_;
    }
    if (state_ == State::kCreating && all_topics_exist(world, topics_) && fully_replicated(world)) {
        state_ = State::kReady;
    }
    return state_;
}

bool run_prelude(KafkaWorld& world, Prelude& prelude) {
    boot_all(world);
    while (prelude.state() != Prelude::State::kReady &&
           prelude.state() != Prelude::State::kTooLate) {
        if (!world.step()) {
            return false;
        }
        prelude.advance(world);
    }
    return prelude.state() == Prelude::State::kReady;
}

}  // namespace klab::world
