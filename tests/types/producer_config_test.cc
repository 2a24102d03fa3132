// SPDX-License-Identifier: Apache-2.0
#include "model/types/producer_config.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace klab::types {
namespace {

using What = SettingError::What;

constexpr KafkaVersion kNewest = KafkaVersion::k4_1;

ProducerConfig made(const SettingMap& overrides, KafkaVersion version = kNewest) {
    const auto config = make_producer_config(version, overrides);
    EXPECT_TRUE(config.ok()) << to_text(config.error().front());
    return config.value();
}

/// The names of the settings in conflict.
std::vector<std::string> conflicts(const SettingMap& overrides, KafkaVersion version = kNewest) {
    std::vector<std::string> names;
    const auto config = make_producer_config(version, overrides);
    if (!config.ok()) {
        for (const SettingError& error : config.error()) {
            EXPECT_EQ(error.what, What::kConflict);
            names.push_back(error.name);
        }
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(ProducerConfig, AcksByAnyOfItsNames) {
    // "all" and "-1" are the same; the number is what a request carries.
    EXPECT_EQ(made({{"acks", "all"}}).acks, Acks::kAll);
    EXPECT_EQ(made({{"acks", "-1"}}).acks, Acks::kAll);
    EXPECT_EQ(made({{"acks", "1"}}).acks, Acks::kLeader);
    EXPECT_EQ(made({{"acks", "0"}}).acks, Acks::kNone);
    EXPECT_EQ(to_wire(Acks::kAll), -1);
    EXPECT_EQ(to_wire(Acks::kLeader), 1);
    EXPECT_EQ(to_wire(Acks::kNone), 0);
}

TEST(ProducerConfig, IdempotenceGoesOffSilentlyWhenNobodyAskedForIt) {
    // KIP-679: a producer that sets acks=1 keeps working when the default becomes idempotent.
    EXPECT_TRUE(made({}).enable_idempotence);
    EXPECT_FALSE(made({{"acks", "1"}}).enable_idempotence);
    EXPECT_FALSE(made({{"acks", "0"}}).enable_idempotence);
    EXPECT_FALSE(made({{"retries", "0"}}).enable_idempotence);
    EXPECT_TRUE(made({{"acks", "all"}, {"retries", "1"}}).enable_idempotence);
}

TEST(ProducerConfig, IdempotenceThatWasAskedForConflicts) {
    // The same settings are an error when the user wants idempotence.
    const std::string on = "true";
    EXPECT_EQ(conflicts({{"enable.idempotence", on}, {"acks", "1"}}), Names{"acks"});
    EXPECT_EQ(conflicts({{"enable.idempotence", on}, {"retries", "0"}}), Names{"retries"});
    EXPECT_EQ(conflicts({{"enable.idempotence", on}, {"acks", "0"}, {"retries", "0"}}),
              (Names{"retries", "acks"}));
    EXPECT_TRUE(made({{"enable.idempotence", on}}).enable_idempotence);
}

TEST(ProducerConfig, SwitchedOffIdempotenceNeverConflicts) {
    // acks=1 with more in flight is the classical producer.
    const ProducerConfig config = made({{"enable.idempotence", "false"},
                                        {"acks", "1"},
                                        {"max.in.flight.requests.per.connection", "10"},
                                        {"retries", "0"}});
    EXPECT_FALSE(config.enable_idempotence);
    EXPECT_EQ(config.max_in_flight, 10);
}

TEST(ProducerConfig, MoreThanFiveInFlightConflictsEvenByDefaultSince40) {
    // The broker remembers five batches. Before 4.0 the default gave way silently.
    const SettingMap six = {{"max.in.flight.requests.per.connection", "6"}};
    EXPECT_EQ(conflicts(six), Names{"max.in.flight.requests.per.connection"});
    EXPECT_EQ(conflicts(six, KafkaVersion::k4_0), Names{"max.in.flight.requests.per.connection"});
    EXPECT_FALSE(made(six, KafkaVersion::k3_9).enable_idempotence);
    SettingMap asked = six;
    asked["enable.idempotence"] = "true";
    EXPECT_EQ(conflicts(asked, KafkaVersion::k3_9), Names{"max.in.flight.requests.per.connection"});
    EXPECT_TRUE(made({{"max.in.flight.requests.per.connection", "5"}}).enable_idempotence);
}

TEST(ProducerConfig, DeliveryTimeoutLeavesRoomForLingerAndRequest) {
    // Left at its default it is raised; set by hand it must fit.
    EXPECT_EQ(made({}).delivery_timeout_ms, 120'000);
    EXPECT_EQ(made({{"request.timeout.ms", "200000"}}).delivery_timeout_ms, 200'005);
    EXPECT_EQ(conflicts({{"delivery.timeout.ms", "30004"}}), Names{"delivery.timeout.ms"});
    EXPECT_EQ(made({{"delivery.timeout.ms", "30005"}}).delivery_timeout_ms, 30'005);
    EXPECT_EQ(made({{"request.timeout.ms", "2147483647"}}).delivery_timeout_ms, 2'147'483'647);
    EXPECT_EQ(made({{"linger.ms", "9223372036854775807"}}).delivery_timeout_ms, 2'147'483'647);
}

TEST(ProducerConfig, LingerChangedIn40) {
    // KIP-1030.
    EXPECT_EQ(made({}, KafkaVersion::k3_9).linger_ms, 0);
    EXPECT_EQ(made({}, KafkaVersion::k4_0).linger_ms, 5);
}

TEST(ProducerConfig, OneInFlightMutesPartitions) {
    // Strict order without idempotence.
    EXPECT_TRUE(
        made({{"max.in.flight.requests.per.connection", "1"}}).guarantees_order_by_muting());
    EXPECT_FALSE(made({}).guarantees_order_by_muting());
}

}  // namespace
}  // namespace klab::types
