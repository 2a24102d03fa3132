// SPDX-License-Identifier: Apache-2.0
//
// The table of heartbeats: rows TH1-TH7 of reference table 8.9, and contact times.
#include "model/controller/broker_heartbeats.h"

#include <gtest/gtest.h>

#include "model/controller/contact_times.h"
#include "sim/base/assert.h"

namespace klab::controller {
namespace {

using enum BrokerControlState;

types::BrokerId broker(int id) { return types::BrokerId(id); }

types::Offset at(std::int64_t offset) { return types::Offset(offset); }

/// Row TH1: 0 and 4 fenced at 100, 1 at 98, 2 and 3 at 100, 5 at 99 and shutting down since 99.
BrokerHeartbeats six_brokers() {
    BrokerHeartbeats heartbeats;
    for (int id = 0; id < 6; ++id) {
        heartbeats.register_broker(broker(id), true);
    }
    heartbeats.touch(broker(0), true, at(100));
    heartbeats.touch(broker(1), false, at(98));
    heartbeats.touch(broker(2), false, at(100));
    heartbeats.touch(broker(3), false, at(100));
    heartbeats.touch(broker(4), true, at(100));
    heartbeats.touch(broker(5), false, at(99));
    heartbeats.enter_controlled_shutdown(broker(5), at(99));
    return heartbeats;
}

struct Ask {
    int id = 0;
    std::int64_t offset = 100;
    bool want_fence = false;
    bool want_shut_down = false;
    bool leads = false;
};

BrokerControlState next(const BrokerHeartbeats& heartbeats, const Ask& ask) {
    protocol::BrokerHeartbeatRequest request;
    request.broker_id = broker(ask.id);
    request.current_metadata_offset = at(ask.offset);
    request.want_fence = ask.want_fence;
    request.want_shut_down = ask.want_shut_down;
    return heartbeats.next_state(request, at(100), ask.leads).next;
}

TEST(BrokerHeartbeats, TH1_LowestActiveOffsetIs98) {
    // Neither fenced brokers nor the one that leaves count.
    EXPECT_TRUE(six_brokers().every_active_broker_reached(at(98)));
    EXPECT_FALSE(six_brokers().every_active_broker_reached(at(99)));
}

TEST(BrokerHeartbeats, ReachesEverythingWithoutActiveBrokers) {
    BrokerHeartbeats heartbeats;
    heartbeats.register_broker(broker(0), true);
    EXPECT_TRUE(heartbeats.every_active_broker_reached(at(1'000)));
}

TEST(BrokerHeartbeats, TH2_FencedBroker) {
    const BrokerHeartbeats heartbeats = six_brokers();
    EXPECT_EQ(next(heartbeats, {.id = 0, .want_shut_down = true}), kShutdownNow);
    EXPECT_EQ(next(heartbeats, {.id = 0, .offset = 100}), kUnfenced);
    EXPECT_EQ(next(heartbeats, {.id = 0, .offset = 50}), kFenced);
    EXPECT_EQ(next(heartbeats, {.id = 0, .want_fence = true}), kFenced);
}

TEST(BrokerHeartbeats, TH3_UnfencedBroker) {
    const BrokerHeartbeats heartbeats = six_brokers();
    EXPECT_EQ(next(heartbeats, {.id = 1, .want_shut_down = true, .leads = true}),
              kControlledShutdown);
    EXPECT_EQ(next(heartbeats, {.id = 1, .want_shut_down = true}), kShutdownNow);
    EXPECT_EQ(next(heartbeats, {.id = 1}), kUnfenced);
    EXPECT_EQ(next(heartbeats, {.id = 1, .want_fence = true}), kFenced);
    EXPECT_EQ(next(heartbeats, {.id = 1, .want_fence = true, .want_shut_down = true}),
              kShutdownNow);
}

TEST(BrokerHeartbeats, TH4_LeavingBroker) {
    BrokerHeartbeats heartbeats = six_brokers();
    EXPECT_EQ(next(heartbeats, {.id = 5, .leads = true}), kControlledShutdown);
    EXPECT_EQ(next(heartbeats, {.id = 5}), kControlledShutdown);
    heartbeats.fence(broker(1));
    EXPECT_EQ(next(heartbeats, {.id = 5}), kShutdownNow);
    EXPECT_EQ(next(heartbeats, {.id = 5, .leads = true}), kControlledShutdown);
}

TEST(BrokerHeartbeats, TH5_KeepsTheFirstShutdownOffset) {
    BrokerHeartbeats heartbeats = six_brokers();
    heartbeats.enter_controlled_shutdown(broker(1), at(98));
    heartbeats.enter_controlled_shutdown(broker(1), at(99));
    EXPECT_EQ(heartbeats.find(broker(1))->controlled_shutdown_offset, at(98));
}

TEST(BrokerHeartbeats, TH6_AFencedBrokerCannotEnterShutdown) {
    BrokerHeartbeats heartbeats = six_brokers();
    EXPECT_THROW(heartbeats.enter_controlled_shutdown(broker(4), at(98)), klab::AssertionFailure);
}

TEST(BrokerHeartbeats, LeavesShutdownWhenFenced) {
    BrokerHeartbeats heartbeats = six_brokers();
    heartbeats.touch(broker(5), true, at(99));
    EXPECT_FALSE(heartbeats.find(broker(5))->is_shutting_down());
}

TEST(BrokerHeartbeats, ForgetsTheOffsetOnARegistrationThatIsNoNews) {
    BrokerHeartbeats heartbeats = six_brokers();
    heartbeats.register_broker(broker(1), true);  // unfenced until now
    EXPECT_EQ(heartbeats.find(broker(1))->metadata_offset, at(98));
    heartbeats.register_broker(broker(1), true);
    EXPECT_EQ(heartbeats.find(broker(1))->metadata_offset, std::nullopt);
}

TEST(ContactTimes, TH7_BelongToOneRegistration) {
    ContactTimes contacts;
    const Time now{seconds(5).ns};
    contacts.touch({broker(0), types::BrokerEpoch(100)}, now);
    const Duration session = seconds(1);
    EXPECT_TRUE(contacts.has_valid_session({broker(0), types::BrokerEpoch(100)}, now, session));
    EXPECT_FALSE(contacts.has_valid_session({broker(0), types::BrokerEpoch(200)}, now, session));
    EXPECT_FALSE(contacts.has_valid_session({broker(1), types::BrokerEpoch(100)}, now, session));
}

TEST(ContactTimes, ExpireAfterMoreThanTheSession) {
    ContactTimes contacts;
    const Time now{seconds(5).ns};
    contacts.touch({broker(2), types::BrokerEpoch(1)}, now);
    contacts.touch({broker(1), types::BrokerEpoch(9)}, now);
    const Duration session = seconds(9);
    EXPECT_EQ(contacts.first_expired(now + session, session), std::nullopt);
    const Time later = now + session + nanoseconds(1);
    EXPECT_EQ(contacts.first_expired(later, session)->id, broker(1));
    contacts.remove({broker(1), types::BrokerEpoch(9)});
    EXPECT_EQ(contacts.first_expired(later, session)->id, broker(2));
}

}  // namespace
}  // namespace klab::controller
