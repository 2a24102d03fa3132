// SPDX-License-Identifier: Apache-2.0
//
// The index of partitions agrees with a walk over all of them, whatever happens.
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

/// What the index says, computed the slow way.
struct Scan {
    std::set<TopicIdPartition> leaderless;
    std::set<TopicIdPartition> imbalanced;
    std::map<types::BrokerId, std::set<TopicIdPartition>> in_isr;
    std::map<types::BrokerId, std::uint64_t> leaderships;
};

Scan scan(const metadata::MetadataImage& image) {
    Scan found;
    image.topics.for_each([&](types::Uuid topic, const Cow<metadata::TopicImage>& owner) {
        owner->partitions.for_each([&](std::int32_t index, const metadata::PartitionRef& p) {
            const TopicIdPartition id{topic, index};
            if (!p->leader) {
                found.leaderless.insert(id);
            } else {
                ++found.leaderships[*p->leader];
            }
            if (!p->has_preferred_leader()) {
                found.imbalanced.insert(id);
            }
            for (const types::BrokerId member : p->isr) {
                found.in_isr[member].insert(id);
            }
        });
    });
    return found;
}

std::set<TopicIdPartition> set_of(const std::vector<TopicIdPartition>& list) {
    return {list.begin(), list.end()};
}

void check(const ControllerState& state) {
    const Scan expected = scan(state.image);
    RC_ASSERT(set_of(state.partitions.leaderless()) == expected.leaderless);
    RC_ASSERT(set_of(state.partitions.imbalanced()) == expected.imbalanced);
    for (int id = 0; id < 4; ++id) {
        const auto isr = expected.in_isr.find(broker(id));
        RC_ASSERT(set_of(state.partitions.in_isr_of(broker(id))) ==
                  (isr == expected.in_isr.end() ? std::set<TopicIdPartition>{} : isr->second));
        const auto leads = expected.leaderships.find(broker(id));
        RC_ASSERT(state.partitions.leaderships(broker(id)) ==
                  (leads == expected.leaderships.end() ? 0 : leads->second));
    }
}

RC_GTEST_PROP(PartitionIndex, AgreesWithAScanThroughAllEvents, ()) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2, 3});
    lab.unfence({0, 1, 2, 3});
    lab.create("foo", {ids({0, 1, 2}), ids({1, 2, 3}), ids({3, 0, 1})});
    lab.create("bar", {ids({2})});
    lab.set_topic_config("bar", "unclean.leader.election.enable", "true");
    const int events = *rc::gen::inRange(1, 25);
    for (int i = 0; i < events; ++i) {
        const int id = *rc::gen::inRange(0, 4);
        const PartitionRegistration& first = lab.partition("foo");
        switch (*rc::gen::inRange(0, 4)) {
            case 0:
                lab.fence({id});
                break;
            case 1:
                // Who asked to shut down comes back as a new process only.
                if (lab.state.image.broker(broker(id))->in_controlled_shutdown) {
                    lab.register_broker(id, 1'000 + i);
                }
                lab.unfence({id});
                break;
            case 2: {
                auto leaving = lab.heartbeat_of(id);
                leaving.want_shut_down = true;
                lab.heartbeat(leaving);
                break;
            }
            default:
                if (first.leader) {
                    lab.alter(lab.proposal(first.leader->value(), "foo", 0, {0, 1, 2}));
                }
                break;
        }
        check(lab.state);
        // A controller that reads the log afresh comes to the same state.
        ControllerState restarted;
        restarted.adopt(lab.state.image, lab.state.register_record_offsets);
        RC_ASSERT(restarted.partitions.leaderless() == lab.state.partitions.leaderless());
        RC_ASSERT(restarted.partitions.imbalanced() == lab.state.partitions.imbalanced());
        RC_ASSERT(restarted.colliding_names == lab.state.colliding_names);
        check(restarted);
        // Nobody fenced is in an ISR but as its last member (P12).
        lab.state.image.brokers.for_each(
            [&](types::BrokerId member, const Cow<metadata::BrokerRegistration>& registration) {
                if (!registration->is_active()) {
                    for (const TopicIdPartition& in : lab.state.partitions.in_isr_of(member)) {
                        RC_ASSERT(lab.state.image.partition(in)->isr.size() == 1U);
                        RC_ASSERT(!lab.state.image.partition(in)->leader);
                    }
                }
            });
    }
}

}  // namespace
}  // namespace klab::controller
