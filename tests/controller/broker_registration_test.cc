// SPDX-License-Identifier: Apache-2.0
//
// Registration of broker processes: rows TH8-TH12 of reference table 8.9, directories, and what the
// predecessor leaves behind.
#include <gtest/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

constexpr types::Uuid kCluster{3, 3};

class Registration : public testing::Test {
  protected:
    static protocol::BrokerRegistrationRequest request_of(int id, std::uint64_t incarnation) {
        protocol::BrokerRegistrationRequest request;
        request.broker_id = broker(id);
        request.cluster_id = kCluster;
        request.incarnation_id = {4, incarnation};
        request.log_dirs = {types::Uuid{2000, static_cast<std::uint64_t>(id)}};
        return request;
    }

    RegistrationResult register_with(const protocol::BrokerRegistrationRequest& request) {
        const auto decision = decide_registration(lab.view(), request, kCluster, "b");
        lab.last_records = decision.records;
        lab.write(decision.records);
        return decision.result;
    }

    ControllerLab lab;
};

TEST_F(Registration, TH8_RefusesAnotherCluster) {
    auto request = request_of(0, 1);
    request.cluster_id = {9, 9};
    EXPECT_EQ(register_with(request).response.error, ErrorCode::kInconsistentClusterId);
    EXPECT_EQ(lab.state.image.broker(broker(0)), nullptr);
}

TEST_F(Registration, TH9_AmendsTheSameProcessAndReplacesAnother) {
    const types::BrokerEpoch first = *register_with(request_of(0, 1)).response.broker_epoch;
    EXPECT_EQ(first.value(), 1);  // offset of its record
    lab.unfence({0});
    const RegistrationResult amended = register_with(request_of(0, 1));
    EXPECT_EQ(amended.response.broker_epoch, first);
    EXPECT_FALSE(amended.new_incarnation);
    EXPECT_FALSE(lab.state.image.broker(broker(0))->fenced);
    lab.now = lab.now + seconds(5);
    const types::BrokerEpoch next(lab.state.next_write_offset.value());
    const RegistrationResult replaced = register_with(request_of(0, 2));
    EXPECT_EQ(replaced.response.broker_epoch, next);
    EXPECT_TRUE(replaced.new_incarnation);
    EXPECT_TRUE(lab.state.image.broker(broker(0))->fenced);
}

TEST_F(Registration, TH10_RefusesASecondProcessWhileTheFirstMayLive) {
    register_with(request_of(0, 1));
    lab.unfence({0});
    lab.state.activate(lab.now);
    lab.now = lab.now + milliseconds(500);
    EXPECT_EQ(register_with(request_of(0, 2)).response.error,
              ErrorCode::kDuplicateBrokerRegistration);
    lab.now = lab.now + milliseconds(1'000);
    EXPECT_EQ(register_with(request_of(0, 2)).response.error, ErrorCode::kNone);
}

TEST_F(Registration, TH11_KnowsNoSessionOfABrokerThatWasFencedInTheLog) {
    register_with(request_of(0, 1));
    register_with(request_of(1, 1));
    lab.unfence({1});
    lab.create("foo", {ids({1})});
    auto leaving = lab.heartbeat_of(1);
    leaving.want_shut_down = true;
    lab.heartbeat(leaving);
    lab.state.activate(lab.now);
    lab.now = lab.now + milliseconds(500);
    EXPECT_EQ(register_with(request_of(0, 2)).response.error, ErrorCode::kNone);
    EXPECT_EQ(register_with(request_of(1, 2)).response.error,
              ErrorCode::kDuplicateBrokerRegistration);
}

TEST_F(Registration, TH12_StartsSessionsOfUnfencedBrokersAfresh) {
    lab.register_brokers({0});
    lab.register_broker(1, 123);
    lab.unfence({1});
    const Time activation = lab.now + seconds(60);
    lab.state.activate(activation);
    EXPECT_EQ(lab.state.contacts.last({broker(0), types::BrokerEpoch(100)}), std::nullopt);
    EXPECT_EQ(lab.state.contacts.last({broker(1), types::BrokerEpoch(123)}), activation);
    EXPECT_EQ(lab.state.contacts.last({broker(1), types::BrokerEpoch(124)}), std::nullopt);
}

TEST_F(Registration, ChecksDirectories) {
    register_with(request_of(0, 1));
    for (const std::vector<types::Uuid>& directories : {std::vector<types::Uuid>{},
                                                        {types::Uuid{0, 99}},
                                                        {types::Uuid{7, 7}, types::Uuid{7, 7}},
                                                        {types::Uuid{2000, 0}}}) {
        auto request = request_of(1, 1);
        request.log_dirs = directories;
        EXPECT_EQ(register_with(request).response.error, ErrorCode::kInvalidRegistration);
    }
}

TEST_F(Registration, TakesTheOldProcessOutOfItsIsrsFirst) {
    register_with(request_of(0, 1));
    register_with(request_of(1, 1));
    lab.unfence({0, 1});
    lab.create("foo", {ids({0, 1})});
    lab.now = lab.now + seconds(5);
    const RegistrationResult result = register_with(request_of(0, 2));
    ASSERT_EQ(lab.last_records.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<metadata::PartitionChangeRecord>(lab.last_records[0]));
    EXPECT_TRUE(std::holds_alternative<metadata::RegisterBrokerRecord>(lab.last_records[1]));
    EXPECT_EQ(lab.partition("foo").isr, ids({1}));
    EXPECT_EQ(lab.partition("foo").leader, broker(1));
    // The epoch is where the batch begins; the broker is caught up only behind its own record.
    const types::Offset record = *lab.state.register_record_offsets.find(broker(0));
    EXPECT_EQ(result.response.broker_epoch->value(), record.value() - 1);
    auto early = lab.heartbeat_of(0);
    early.current_metadata_offset = record - 1;
    const HeartbeatResult heartbeat = lab.heartbeat(early);
    EXPECT_FALSE(heartbeat.response.is_caught_up);
    EXPECT_TRUE(heartbeat.response.is_fenced);
    lab.unfence({0});
    EXPECT_FALSE(lab.state.image.broker(broker(0))->fenced);
}

TEST_F(Registration, KnowsACleanShutdownByItsEpoch) {
    const auto first = register_with(request_of(0, 1));
    EXPECT_FALSE(first.clean);
    lab.now = lab.now + seconds(5);
    auto request = request_of(0, 2);
    request.previous_broker_epoch = first.response.broker_epoch;
    EXPECT_TRUE(register_with(request).clean);
    lab.now = lab.now + seconds(5);
    request = request_of(0, 3);
    request.previous_broker_epoch = first.response.broker_epoch;
    EXPECT_FALSE(register_with(request).clean);
}

TEST_F(Registration, AnswersAHeartbeatOfAnOldProcessWithItsError) {
    register_with(request_of(0, 1));
    auto request = lab.heartbeat_of(0);
    request.broker_epoch = types::BrokerEpoch(77);
    EXPECT_EQ(lab.heartbeat(request).response.error, ErrorCode::kStaleBrokerEpoch);
    request.broker_id = broker(9);
    EXPECT_EQ(lab.heartbeat(request).response.error, ErrorCode::kStaleBrokerEpoch);
}

}  // namespace
}  // namespace klab::controller
