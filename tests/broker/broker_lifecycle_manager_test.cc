// SPDX-License-Identifier: Apache-2.0
//
// A broker's life towards the controller: registration, heartbeats, unfencing, controlled shutdown,
// and what happens when an answer is an error or does not come. Kafka: BrokerLifecycleManager.
#include <algorithm>

#include <gtest/gtest.h>

#include "model/protocol/broker_lifecycle.h"
#include "tests/broker/broker_rig.h"

namespace klab::broker {
namespace {

using protocol::BrokerHeartbeatRequest;
using protocol::BrokerHeartbeatResponse;
using protocol::BrokerRegistrationRequest;
using protocol::BrokerRegistrationResponse;
using types::ErrorCode;
using Effect = BrokerLifecycleManager::Effect;
using Texts = std::vector<std::string>;

constexpr Duration kInterval = milliseconds(2'000);
constexpr types::Uuid kFirstDir{7, 1};
constexpr types::Uuid kSecondDir{7, 2};

/// What a controller answers, in the words of the tests.
BrokerHeartbeatResponse fenced() { return {.is_caught_up = true, .is_fenced = true}; }

BrokerHeartbeatResponse unfenced() { return {.is_caught_up = true, .is_fenced = false}; }

BrokerHeartbeatResponse behind() { return {.is_caught_up = false, .is_fenced = true}; }

BrokerHeartbeatResponse failed(ErrorCode error) { return {.error = error}; }

BrokerHeartbeatResponse stop() {
    return {.is_caught_up = true, .is_fenced = true, .should_shut_down = true};
}

void start(BrokerRig& rig, std::optional<std::int64_t> previous_epoch = std::nullopt) {
    rig.with_parts([&](Parts& parts, sim::Context& ctx) {
        std::optional<types::BrokerEpoch> epoch;
        if (previous_epoch) {
            epoch = types::BrokerEpoch(*previous_epoch);
        }
        parts.lifecycle.start(ctx, parts.channel, {epoch, {kFirstDir, kSecondDir}});
    });
    rig.run(milliseconds(5));
}

void ready_to_unfence(BrokerRig& rig) {
    rig.with_parts([](Parts& parts, sim::Context& ctx) {
        parts.lifecycle.set_ready_to_unfence(ctx, parts.channel);
    });
}

Effect shut_down(BrokerRig& rig) {
    Effect effect{};
    rig.with_parts([&](Parts& parts, sim::Context& ctx) {
        effect = parts.lifecycle.begin_controlled_shutdown(ctx, parts.channel);
    });
    return effect;
}

template <typename Response>
void reply(BrokerRig& rig, Response response, Duration then = milliseconds(5)) {
    rig.reply("k1", std::move(response));
    rig.run(then);
}

std::vector<BrokerHeartbeatRequest> heartbeats(const BrokerRig& rig) {
    return rig.heard_of<BrokerHeartbeatRequest>("k1");
}

BrokerState state(const BrokerRig& rig) { return rig.parts().lifecycle.state(); }

/// Milliseconds between now and the arrival of the next heartbeat, which is then there.
std::int64_t wait_for_heartbeat(BrokerRig& rig) {
    const std::size_t before = heartbeats(rig).size();
    const Time since = rig.world().time();
    for (int i = 0; i < 10'000 && heartbeats(rig).size() == before; ++i) {
        rig.run(milliseconds(1));
    }
    return (rig.heard("k1").back().at - since).ns / 1'000'000;
}

/// Registered with epoch 50; the first heartbeat is there.
BrokerRig registered(const types::SettingMap& config = {}) {
    BrokerRig rig({.config = config});
    start(rig);
    reply(rig, BrokerRegistrationResponse{ErrorCode::kNone, types::BrokerEpoch(50)});
    return rig;
}

/// RUNNING; the heartbeat that found it unfenced has been answered just now.
BrokerRig running(const types::SettingMap& config = {}) {
    BrokerRig rig = registered(config);
    reply(rig, fenced());
    ready_to_unfence(rig);
    rig.run(milliseconds(5));
    reply(rig, unfenced());
    EXPECT_EQ(rig.parts().lifecycle.state(), BrokerState::kRunning);
    return rig;
}

TEST(BrokerLifecycleManager, RegistersAtOnce) {
    BrokerRig rig;
    start(rig, 41);
    const auto sent = rig.heard_of<BrokerRegistrationRequest>("k1");
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].broker_id, types::BrokerId(1));
    EXPECT_EQ(sent[0].cluster_id, (types::Uuid{5, 5}));
    EXPECT_NE(sent[0].incarnation_id, types::Uuid{});
    EXPECT_EQ(sent[0].previous_broker_epoch, types::BrokerEpoch(41));
    EXPECT_EQ(sent[0].log_dirs, (std::vector<types::Uuid>{kFirstDir, kSecondDir}));
    EXPECT_EQ(state(rig), BrokerState::kStarting);
    EXPECT_EQ(rig.parts().lifecycle.epoch(), std::nullopt);
}

TEST(BrokerLifecycleManager, EachProcessHasItsOwnIncarnation) {
    BrokerRig rig;
    start(rig);
    rig.crash("b1");
    rig.boot("b1");
    start(rig);
    const auto sent = rig.heard_of<BrokerRegistrationRequest>("k1");
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_NE(sent[0].incarnation_id, sent[1].incarnation_id);
}

TEST(BrokerLifecycleManager, ADuplicateRegistrationIsTriedAgainEveryInterval) {
    // A process restarted within its predecessor's session is refused until that session ends.
    BrokerRig rig;
    start(rig);
    for (int i = 0; i < 4; ++i) {
        reply(rig,
              BrokerRegistrationResponse{ErrorCode::kDuplicateBrokerRegistration, std::nullopt},
              kInterval + milliseconds(5));
    }
    const std::vector<std::int64_t> at = rig.times_of<BrokerRegistrationRequest>("k1");
    ASSERT_EQ(at.size(), 5U);
    for (std::size_t i = 1; i < at.size(); ++i) {
        EXPECT_GE(at[i] - at[i - 1], 2'000);
        EXPECT_LE(at[i] - at[i - 1], 2'010);
    }
    const auto sent = rig.heard_of<BrokerRegistrationRequest>("k1");
    EXPECT_EQ(sent.front(), sent.back()) << "the same incarnation asks again";
    reply(rig, BrokerRegistrationResponse{ErrorCode::kNone, types::BrokerEpoch(60)});
    EXPECT_EQ(rig.parts().lifecycle.epoch(), types::BrokerEpoch(60));
    EXPECT_EQ(heartbeats(rig).size(), 1U);
}

TEST(BrokerLifecycleManager, AnyRegistrationErrorIsTriedAgain) {
    for (const ErrorCode error : {ErrorCode::kInconsistentClusterId,
                                  ErrorCode::kInvalidRegistration,
                                  ErrorCode::kUnsupportedVersion,
                                  ErrorCode::kUnknownServerError,
                                  ErrorCode::kRequestTimedOut}) {
        BrokerRig rig;
        start(rig);
        reply(rig, BrokerRegistrationResponse{error, std::nullopt}, seconds(3));
        EXPECT_EQ(rig.heard_of<BrokerRegistrationRequest>("k1").size(), 2U) << types::name(error);
    }
}

TEST(BrokerLifecycleManager, ExitsWhenItCannotRegisterInTime) {
    BrokerRig rig({.config = {{"initial.broker.registration.timeout.ms", "10000"}}});
    rig.crash("k1");
    start(rig);
    rig.run(milliseconds(9'900));
    EXPECT_TRUE(std::ranges::none_of(
        rig.parts().effects, [](const auto& e) { return e.second == Effect::kStartUpFailed; }));
    rig.run(milliseconds(200));
    ASSERT_FALSE(rig.parts().effects.empty());
    EXPECT_EQ(rig.parts().effects.back().second, Effect::kStartUpFailed);
}

TEST(BrokerLifecycleManager, RegisteredInTimeItStays) {
    BrokerRig rig = registered({{"initial.broker.registration.timeout.ms", "10000"}});
    for (int i = 0; i < 20; ++i) {
        reply(rig, failed(ErrorCode::kStaleBrokerEpoch), seconds(3));
    }
    EXPECT_TRUE(std::ranges::all_of(rig.parts().effects,
                                    [](const auto& e) { return e.second == Effect::kNone; }));
}

TEST(BrokerLifecycleManager, SendsAHeartbeatAsSoonAsItIsRegistered) {
    BrokerRig rig = registered();
    ASSERT_EQ(heartbeats(rig).size(), 1U);
    EXPECT_EQ(heartbeats(rig)[0],
              (BrokerHeartbeatRequest{.broker_id = types::BrokerId(1),
                                      .broker_epoch = types::BrokerEpoch(50),
                                      .current_metadata_offset = std::nullopt,
                                      .want_fence = true,
                                      .want_shut_down = false}));
}

TEST(BrokerLifecycleManager, HeartbeatsCarryTheLastLoadedOffset) {
    BrokerRig rig = registered();
    rig.with_parts(
        [](Parts& parts, sim::Context&) { parts.lifecycle.set_loaded(types::Offset(77)); });
    reply(rig, behind(), milliseconds(20));
    ASSERT_EQ(heartbeats(rig).size(), 2U);
    EXPECT_EQ(heartbeats(rig)[1].current_metadata_offset, types::Offset(77));
}

TEST(BrokerLifecycleManager, AsksEvery10MillisecondsUntilItIsCaughtUp) {
    BrokerRig rig = registered();
    for (int i = 0; i < 5; ++i) {
        rig.reply("k1", behind());
        // One way of the answer, 10 ms, one way of the heartbeat.
        EXPECT_EQ(wait_for_heartbeat(rig), 12);
        EXPECT_EQ(state(rig), BrokerState::kStarting);
        EXPECT_FALSE(rig.parts().lifecycle.is_caught_up());
    }
}

TEST(BrokerLifecycleManager, CaughtUpMeansRecoveryAndOneMoreSoonHeartbeat) {
    BrokerRig rig = registered();
    rig.reply("k1", fenced());
    EXPECT_EQ(wait_for_heartbeat(rig), 12);
    EXPECT_EQ(state(rig), BrokerState::kRecovery);
    EXPECT_TRUE(rig.parts().lifecycle.is_caught_up());
    EXPECT_TRUE(heartbeats(rig).back().want_fence) << "its logs are not loaded yet";
}

TEST(BrokerLifecycleManager, StaysInRecoveryWhileItIsFenced) {
    BrokerRig rig = registered();
    reply(rig, fenced(), milliseconds(20));
    for (int i = 0; i < 3; ++i) {
        rig.reply("k1", fenced());
        EXPECT_EQ(wait_for_heartbeat(rig), 2'002);
        EXPECT_EQ(state(rig), BrokerState::kRecovery);
    }
}

TEST(BrokerLifecycleManager, AsksToBeUnfencedAtOnceWhenItIsReady) {
    BrokerRig rig = registered();
    reply(rig, fenced(), milliseconds(20));
    reply(rig, fenced(), milliseconds(500));
    ready_to_unfence(rig);
    EXPECT_EQ(wait_for_heartbeat(rig), 1);
    EXPECT_FALSE(heartbeats(rig).back().want_fence);
    reply(rig, unfenced());
    EXPECT_EQ(state(rig), BrokerState::kRunning);
    EXPECT_EQ(rig.texts(types::events::kBrokerStateChanged, 1),
              (Texts{"STARTING", "RECOVERY", "RUNNING"}));
}

TEST(BrokerLifecycleManager, ReadyDuringAHeartbeatIsSaidRightAfterItsAnswer) {
    // One request in flight; the next one goes out at once instead of after the interval.
    BrokerRig rig = registered();
    reply(rig, fenced(), milliseconds(20));
    ASSERT_EQ(heartbeats(rig).size(), 2U);
    ready_to_unfence(rig);
    rig.run(milliseconds(500));
    ASSERT_EQ(heartbeats(rig).size(), 2U);
    rig.reply("k1", fenced());
    EXPECT_EQ(wait_for_heartbeat(rig), 2);
    EXPECT_FALSE(heartbeats(rig).back().want_fence);
}

TEST(BrokerLifecycleManager, AFailureIsNeverFollowedAtOnce) {
    // nextSchedulingShouldBeImmediate is dropped by scheduleNextCommunicationAfterFailure.
    for (const ErrorCode error : {ErrorCode::kStaleBrokerEpoch, ErrorCode::kRequestTimedOut}) {
        BrokerRig rig = registered();
        reply(rig, fenced(), milliseconds(20));
        ready_to_unfence(rig);
        rig.reply("k1", failed(error));
        EXPECT_EQ(wait_for_heartbeat(rig), 2'002) << types::name(error);
        EXPECT_FALSE(heartbeats(rig).back().want_fence);
    }
}

TEST(BrokerLifecycleManager, RunningItSpeaksEveryInterval) {
    BrokerRig rig = running();
    for (int i = 0; i < 5; ++i) {
        wait_for_heartbeat(rig);
        rig.reply("k1", unfenced());
        EXPECT_EQ(wait_for_heartbeat(rig), 2'002);
        EXPECT_FALSE(heartbeats(rig).back().want_fence);
        EXPECT_FALSE(heartbeats(rig).back().want_shut_down);
    }
}

TEST(BrokerLifecycleManager, TheIntervalIsASetting) {
    BrokerRig rig = running({{"broker.heartbeat.interval.ms", "300"}});
    wait_for_heartbeat(rig);
    rig.reply("k1", unfenced());
    EXPECT_EQ(wait_for_heartbeat(rig), 302);
}

TEST(BrokerLifecycleManager, FencedByTimeoutItStaysRunningAndAsksAgain) {
    BrokerRig rig = running();
    wait_for_heartbeat(rig);
    reply(rig, fenced());
    EXPECT_EQ(state(rig), BrokerState::kRunning);
    wait_for_heartbeat(rig);
    EXPECT_FALSE(heartbeats(rig).back().want_fence);
}

TEST(BrokerLifecycleManager, AStaleEpochIsTriedAgainAndNeverRegistersAgain) {
    BrokerRig rig = running();
    wait_for_heartbeat(rig);
    for (int i = 0; i < 3; ++i) {
        rig.reply("k1", failed(ErrorCode::kStaleBrokerEpoch));
        EXPECT_EQ(wait_for_heartbeat(rig), 2'002);
    }
    EXPECT_EQ(rig.heard_of<BrokerRegistrationRequest>("k1").size(), 1U);
    EXPECT_EQ(state(rig), BrokerState::kRunning);
}

TEST(BrokerLifecycleManager, AHeartbeatWithoutAnswerIsGivenUpAfterHalfASession) {
    // KAFKA-14392: 4.5 s of waiting, then the interval, then a new one with fresh content.
    BrokerRig rig = running();
    wait_for_heartbeat(rig);
    rig.with_parts(
        [](Parts& parts, sim::Context&) { parts.lifecycle.set_loaded(types::Offset(99)); });
    const std::int64_t waited = wait_for_heartbeat(rig);
    EXPECT_GE(waited, 4'500 + 2'000);
    EXPECT_LE(waited, 4'500 + 2'110);
    EXPECT_EQ(heartbeats(rig).back().current_metadata_offset, types::Offset(99));
}

TEST(BrokerLifecycleManager, ControlledShutdownIsSaidAtOnce) {
    BrokerRig rig = running();
    wait_for_heartbeat(rig);
    reply(rig, unfenced(), milliseconds(700));
    EXPECT_EQ(shut_down(rig), Effect::kNone);
    EXPECT_EQ(state(rig), BrokerState::kPendingControlledShutdown);
    EXPECT_EQ(wait_for_heartbeat(rig), 1);
    EXPECT_TRUE(heartbeats(rig).back().want_shut_down);
    EXPECT_FALSE(heartbeats(rig).back().want_fence);
}

TEST(BrokerLifecycleManager, AsksSoonOnceAndThenEveryIntervalWhetherItMayStop) {
    BrokerRig rig = running();
    wait_for_heartbeat(rig);
    reply(rig, unfenced());
    static_cast<void>(shut_down(rig));
    wait_for_heartbeat(rig);
    rig.reply("k1", unfenced());
    EXPECT_EQ(wait_for_heartbeat(rig), 52);
    rig.reply("k1", unfenced());
    EXPECT_EQ(wait_for_heartbeat(rig), 2'002);
    reply(rig, stop());
    EXPECT_EQ(state(rig), BrokerState::kShuttingDown);
    EXPECT_EQ(rig.parts().effects.back().second, Effect::kShutDown);
    const std::size_t before = rig.heard("k1").size();
    rig.run(seconds(20));
    EXPECT_EQ(rig.heard("k1").size(), before) << "nothing more is said";
}

TEST(BrokerLifecycleManager, ControlledShutdownEndsAfterFiveMinutesAtTheLatest) {
    // BrokerServer waits for the controller's permission, but not for ever.
    BrokerRig rig = running();
    wait_for_heartbeat(rig);
    reply(rig, unfenced());
    rig.crash("k1");
    static_cast<void>(shut_down(rig));
    const std::int64_t begun = rig.now_ms();
    rig.run(seconds(299));
    EXPECT_EQ(state(rig), BrokerState::kPendingControlledShutdown);
    rig.run(seconds(2));
    EXPECT_EQ(state(rig), BrokerState::kShuttingDown);
    EXPECT_EQ(rig.parts().effects.back().second, Effect::kShutDown);
    EXPECT_EQ((rig.parts().effects.back().first - Time{}).ns / 1'000'000, begun + 300'000);
}

TEST(BrokerLifecycleManager, ControlledShutdownCanBeSwitchedOff) {
    BrokerRig rig = running({{"controlled.shutdown.enable", "false"}});
    EXPECT_EQ(shut_down(rig), Effect::kShutDown);
    EXPECT_EQ(state(rig), BrokerState::kShuttingDown);
}

TEST(BrokerLifecycleManager, BeforeItRunsItStopsWithoutAsking) {
    BrokerRig starting = registered();
    EXPECT_EQ(shut_down(starting), Effect::kShutDown);
    BrokerRig recovering = registered();
    reply(recovering, fenced());
    ASSERT_EQ(state(recovering), BrokerState::kRecovery);
    EXPECT_EQ(shut_down(recovering), Effect::kShutDown);
    EXPECT_EQ(state(recovering), BrokerState::kShuttingDown);
}

TEST(BrokerLifecycleManager, ASecondStopChangesNothing) {
    BrokerRig rig = running();
    EXPECT_EQ(shut_down(rig), Effect::kNone);
    EXPECT_EQ(shut_down(rig), Effect::kNone);
    EXPECT_EQ(state(rig), BrokerState::kPendingControlledShutdown);
}

TEST(BrokerLifecycleManager, StatesHaveKafkasNames) {
    EXPECT_EQ(to_text(BrokerState::kNotRunning), "NOT_RUNNING");
    EXPECT_EQ(to_text(BrokerState::kStarting), "STARTING");
    EXPECT_EQ(to_text(BrokerState::kRecovery), "RECOVERY");
    EXPECT_EQ(to_text(BrokerState::kRunning), "RUNNING");
    EXPECT_EQ(to_text(BrokerState::kPendingControlledShutdown), "PENDING_CONTROLLED_SHUTDOWN");
    EXPECT_EQ(to_text(BrokerState::kShuttingDown), "SHUTTING_DOWN");
}

void fail_log_dir(BrokerRig& rig, const types::Uuid& directory) {
    rig.with_parts([&](Parts& parts, sim::Context& ctx) {
        parts.lifecycle.propagate_log_dir_failure(ctx, parts.channel, directory);
    });
    rig.run(milliseconds(5));
}

bool has_stopped(const BrokerRig& rig) {
    return std::ranges::any_of(rig.parts().effects,
                               [](const auto& e) { return e.second == Effect::kStop; });
}

TEST(BrokerLifecycleManager, AFailedLogDirectoryIsToldAtOnceAndEverAfter) {
    // KIP-858: the controller is to elect other leaders without waiting for an interval.
    BrokerRig rig = running();
    const std::size_t before = heartbeats(rig).size();
    fail_log_dir(rig, kSecondDir);
    ASSERT_EQ(heartbeats(rig).size(), before + 1);
    EXPECT_EQ(heartbeats(rig).back().offline_log_dirs, std::vector<types::Uuid>{kSecondDir});
    reply(rig, unfenced(), kInterval + milliseconds(5));
    ASSERT_EQ(heartbeats(rig).size(), before + 2);
    EXPECT_EQ(heartbeats(rig).back().offline_log_dirs, std::vector<types::Uuid>{kSecondDir});
    reply(rig, unfenced(), seconds(40));
    EXPECT_FALSE(has_stopped(rig)) << "it was told in time";
}

TEST(BrokerLifecycleManager, AFailureThatCannotBeToldStopsTheBroker) {
    BrokerRig rig = running({{"log.dir.failure.timeout.ms", "7000"}});
    fail_log_dir(rig, kSecondDir);
    rig.run(milliseconds(6'900));
    EXPECT_FALSE(has_stopped(rig));
    rig.run(milliseconds(200));
    EXPECT_TRUE(has_stopped(rig));
}

TEST(BrokerLifecycleManager, OnlyWhatWasInTheRequestIsToldByItsAnswer) {
    BrokerRig rig = running({{"log.dir.failure.timeout.ms", "3000"}});
    fail_log_dir(rig, kFirstDir);  // its heartbeat is out
    fail_log_dir(rig, kSecondDir);
    EXPECT_EQ(heartbeats(rig).back().offline_log_dirs, std::vector<types::Uuid>{kFirstDir});
    reply(rig, unfenced());
    EXPECT_EQ(heartbeats(rig).back().offline_log_dirs,
              (std::vector<types::Uuid>{kFirstDir, kSecondDir}))
        << "again at once";
    rig.run(seconds(4));
    EXPECT_TRUE(has_stopped(rig)) << "nobody has answered for the second one";
}

}  // namespace
}  // namespace klab::broker
