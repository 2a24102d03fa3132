// SPDX-License-Identifier: Apache-2.0
//
// Connections of a client: pauses between attempts, set-up time-outs, whom it asks.
// Kafka: ClusterConnectionStatesTest, NetworkClientTest, ExponentialBackoffTest; KIP-580.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/client/exponential_backoff.h"
#include "model/types/timer_kinds.h"
#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

/// Milliseconds between events of a kind at the client.
std::vector<std::int64_t> gaps(const ClientRig& rig,
                               sim::EventKind kind,
                               std::optional<types::TimerKind> timer = std::nullopt) {
    std::vector<std::int64_t> found;
    std::optional<Time> before;
    for (const sim::Event& event : rig.events(kind)) {
        if (event.node != rig.client_node() ||
            (timer && event.fields[0] != static_cast<std::int64_t>(*timer))) {
            continue;
        }
        if (before) {
            found.push_back((event.time - *before).to_ms());
        }
        before = event.time;
    }
    return found;
}

/// A producer that looks for a connection every millisecond.
types::ClientSpec busy_producer() {
    return producer_spec(sends(1'000'000, milliseconds(1)),
                         {{"acks", "1"}, {"enable.idempotence", "false"}});
}

/// Each within 2 ms above: a refusal takes 1 ms, and the producer looks once a millisecond.
void expect_gaps(const std::vector<std::int64_t>& found, const std::vector<std::int64_t>& pauses) {
    ASSERT_EQ(found.size(), pauses.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_GE(found[i], pauses[i]) << "pause " << i;
        EXPECT_LE(found[i], pauses[i] + 2) << "pause " << i;
    }
}

TEST(NetworkClient, PausesBetweenRefusedConnectionsGrow) {
    ClientRig rig(busy_producer());
    rig.start();
    rig.run(milliseconds(200));
    rig.crash(1);
    rig.run(seconds(3));
    // 50, 100, 200, ... x 0.8 up to 1,000 x 0.8.
    expect_gaps(gaps(rig, sim::events::kConnectionClosed), {40, 80, 160, 320, 640, 800, 800});
}

TEST(NetworkClient, AConnectionThatWasReadyBeginsThePausesAnew) {
    ClientRig rig(busy_producer());
    rig.start();
    rig.run(milliseconds(20));
    rig.crash(1);
    rig.run(milliseconds(700));
    rig.restart(1);
    rig.run(seconds(1));
    EXPECT_GT(rig.held(1), 0U);
    const std::size_t before = gaps(rig, sim::events::kConnectionClosed).size();
    rig.crash(1);
    rig.run(milliseconds(200));
    std::vector<std::int64_t> all = gaps(rig, sim::events::kConnectionClosed);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before) + 1);
    expect_gaps(all, {40, 80});
}

TEST(NetworkClient, SetUpTimeOutsGrowByThemselves) {
    // A silent machine. The connection that broke was ready, so the first set-up has 10 s x 0.8;
    // further ones 20 and 30 s. Between them lie the pauses of 80 ms and more.
    ClientRig rig(producer_spec(
        sends(1), {{"request.timeout.ms", "1000"}, {"delivery.timeout.ms", "400000"}}));
    rig.start();
    rig.run(milliseconds(20));
    rig.power_off(1);
    rig.run(seconds(100));
    const std::vector<std::int64_t> all =
        gaps(rig, sim::events::kTimerFired, types::TimerKind::kConnectionSetup);
    ASSERT_GE(all.size(), 2U);
    EXPECT_EQ(all[0], 80 + 16'000);
    EXPECT_EQ(all[1], 160 + 24'000);
    Time first;
    for (const sim::Event& event : rig.events(sim::events::kTimerFired)) {
        if (event.fields[0] == static_cast<std::int64_t>(types::TimerKind::kConnectionSetup)) {
            first = event.time;
            break;
        }
    }
    // Request sent at about 4 ms, timed out 1 s later; the time-out asks for metadata, for which
    // the client looks for a node again after reconnect.backoff.ms, 50 ms; 8 s.
    EXPECT_NEAR(static_cast<double>(first.to_ms()), 1004 + 50 + 8000, 5);
}

TEST(NetworkClient, AsksAnIdleBrokerRatherThanABusyOne) {
    // Broker 1 holds the metadata request; the id comes from broker 2 although the search begins
    // at broker 1.
    ClientRig rig(producer_spec(sends(1), {{"max.in.flight.requests.per.connection", "1"}}), 2);
    rig.hold_producer_id(true);
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.held(1) + rig.held(2), 1U);
    EXPECT_EQ(rig.broker_state(1).metadata_asked.size(), 1U);
    EXPECT_EQ(rig.broker_state(2).metadata_asked.size(), 0U);
}

TEST(NetworkClient, TurnsToABrokerItNeverTried) {
    ClientRig rig(consumer_spec(), 2);
    rig.forget_topic();
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.broker_state(2).metadata_asked.size(), 0U);
    rig.crash(1);
    rig.run(seconds(1));
    EXPECT_GT(rig.broker_state(2).metadata_asked.size(), 0U);
}

TEST(NetworkClient, TurnsToTheBrokerLeftAloneLongest) {
    // NetworkClient.leastLoadedNode: among idle brokers the one with the oldest last attempt, and a
    // lost connection counts as one (ClusterConnectionStates.disconnected). Broker 1 was connected
    // first; broker 2 refused a little later and was not tried since; now broker 1 is lost.
    ClientRig rig(consumer_spec({{"metadata.max.age.ms", "1000"}}), 2);
    rig.set_leaders({{2, 0}});
    rig.crash(2);
    rig.start();
    rig.run(milliseconds(50));
    rig.set_leaders({{1, 1}});
    rig.run(milliseconds(150));
    EXPECT_EQ(rig.count_held<protocol::ListOffsetsRequest>(1), 1U);
    rig.restart(2);
    const std::size_t asked = rig.broker_state(1).metadata_asked.size();
    while (rig.broker_state(1).metadata_asked.size() == asked) {
        rig.run(milliseconds(1));
    }
    rig.run(milliseconds(2));
    EXPECT_TRUE(rig.broker_state(2).metadata_asked.empty());
    const Time lost = rig.world().time();
    rig.crash(1);
    // The update that the loss asks for is due 100 ms after the last one, when both are idle.
    rig.run(milliseconds(110));
    EXPECT_EQ(rig.broker_state(2).metadata_asked.size(), 1U);
    const auto opened = rig.events(sim::events::kConnectionOpened).back().time;
    const auto closed = rig.events(sim::events::kConnectionClosed);
    EXPECT_EQ(std::ranges::count_if(closed,
                                    [&](const sim::Event& event) {
                                        return event.node == rig.client_node() &&
                                               event.time >= lost && event.time <= opened;
                                    }),
              1);  // the loss; broker 1 was not tried again before broker 2
}

TEST(ExponentialBackoff, DoublesUpToItsMaximum) {
    ClientRig rig(producer_spec(sends(0)));
    std::vector<std::int64_t> pauses;
    rig.with_context([&](sim::Context& ctx) {
        const ExponentialBackoff backoff{100, 1000};
        for (const std::uint32_t attempts : {0U, 1U, 2U, 3U, 4U, 9U, 4'000'000'000U}) {
            pauses.push_back(backoff.draw(ctx, sites::kRetryJitter, attempts).to_ms());
        }
    });
    EXPECT_EQ(pauses, (std::vector<std::int64_t>{80, 160, 320, 640, 800, 800, 800}));
}

TEST(ExponentialBackoff, WithoutRoomItIsConstant) {
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kRetryJitter, {31, 31, 31});
    rig.with_context([](sim::Context& ctx) {
        EXPECT_EQ(ExponentialBackoff({100, 100}).draw(ctx, sites::kRetryJitter, 5),
                  milliseconds(100));
        EXPECT_EQ(ExponentialBackoff({200, 50}).draw(ctx, sites::kRetryJitter, 5),
                  milliseconds(50));
    });
}

RC_GTEST_PROP(ExponentialBackoff, StaysWithinAFifthAndTheMaximum, ()) {
    const auto initial = *rc::gen::inRange<std::int64_t>(1, 500);
    const auto maximum = *rc::gen::inRange<std::int64_t>(1, 5000);
    const auto attempts = *rc::gen::inRange<std::uint32_t>(0, 40);
    const auto level = *rc::gen::inRange<std::uint32_t>(0, 32);
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kRetryJitter, {level});
    Duration pause;
    rig.with_context([&](sim::Context& ctx) {
        pause = ExponentialBackoff({initial, maximum}).draw(ctx, sites::kRetryJitter, attempts);
    });
    std::int64_t term = std::min(initial, maximum);
    for (std::uint32_t i = 0; i < attempts && maximum > initial; ++i) {
        term = std::min(term * 2, maximum);
    }
    RC_ASSERT(pause <= milliseconds(maximum));
    RC_ASSERT(pause.ns * 10 >= milliseconds(term).ns * 8);
    RC_ASSERT(pause.ns * 10 <= milliseconds(term).ns * 12);
}

}  // namespace
}  // namespace klab::client
