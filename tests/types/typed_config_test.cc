// SPDX-License-Identifier: Apache-2.0
#include <concepts>
#include <limits>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/admin_config.h"
#include "model/types/broker_config.h"
#include "model/types/consumer_config.h"
#include "model/types/controller_config.h"
#include "model/types/producer_config.h"
#include "model/types/topic_config.h"

namespace klab::types {
namespace {

static_assert(std::regular<AdminConfig>);
static_assert(std::regular<BrokerConfig>);
static_assert(std::regular<ConsumerConfig>);
static_assert(std::regular<ControllerConfig>);
static_assert(std::regular<ProducerConfig>);
static_assert(std::regular<TopicConfig>);

using What = SettingError::What;

constexpr KafkaVersion kNewest = KafkaVersion::k4_1;

TEST(TypedConfig, DefaultsOfTheStructsAreThoseOfTheTable) {
    // Two places hold the defaults (the struct, for readers, and the table); they must agree.
    EXPECT_EQ(make_admin_config(kNewest, {}).value(), AdminConfig{});
    EXPECT_EQ(make_broker_config(kNewest, {}).value(), BrokerConfig{});
    EXPECT_EQ(make_consumer_config(kNewest, {}).value(), ConsumerConfig{});
    EXPECT_EQ(make_controller_config(kNewest, {}).value(), ControllerConfig{});
    EXPECT_EQ(make_producer_config(kNewest, {}).value(), ProducerConfig{});
    EXPECT_EQ(make_topic_config(kNewest, TopicConfig{}, {}).value(), TopicConfig{});
}

TEST(TypedConfig, EveryVersionHasAConfiguration) {
    // Older versions lack settings of newer ones; reading defaults must not trip over that.
    for (const VersionInfo& version : all_versions()) {
        EXPECT_TRUE(make_admin_config(version.version, {}).ok());
        EXPECT_TRUE(make_broker_config(version.version, {}).ok());
        EXPECT_TRUE(make_consumer_config(version.version, {}).ok());
        EXPECT_TRUE(make_controller_config(version.version, {}).ok());
        EXPECT_TRUE(make_producer_config(version.version, {}).ok());
    }
}

/// A legal value that is not the default. Integers: the default less one, or the next one up where
/// the default is the minimum; a limit where the default is -1, "none".
std::string other_value(const Setting& setting) {
    switch (setting.kind) {
        case SettingKind::kBoolean:
            return setting.default_text == "true" ? "false" : "true";
        case SettingKind::kInt:
        case SettingKind::kLong: {
            if (setting.default_text == "null") {
                return "5000";
            }
            const std::int64_t value = std::stoll(std::string(setting.default_text));
            if (value == -1) {
                return "5000";
            }
            if (setting.name == "log.cleaner.threads") {
                return "2";  // none has no place in the rule for log.cleaner.dedupe.buffer.size
            }
            const std::int64_t less = value - 1;
            return std::to_string(
                parse_setting(setting, std::to_string(less), kNewest).ok() ? less : value + 1);
        }
        case SettingKind::kEnum:
        case SettingKind::kList: {
            const std::size_t bar = setting.values.rfind('|');
            const std::string last(setting.values.substr(bar + 1));
            return last == setting.default_text
                       ? std::string(setting.values.substr(0, setting.values.find('|')))
                       : last;
        }
        case SettingKind::kDouble:
            return "0.25";
        case SettingKind::kString:
        case SettingKind::kClass:
            return setting.name == "log.dirs" ? "/rack-1" : "rack-1";
    }
    return {};
}

/// `elsewhere`: settings in this table that another role obeys.
template <typename Make>
void expect_each_modelled_setting_to_matter(Where where,
                                            const Make& make,
                                            const std::set<std::string>& elsewhere = {}) {
    const auto plain = make(SettingMap{});
    for (const Setting& setting : settings_of(where)) {
        const std::string name(setting.name);
        if (setting.support == Support::kManaged || elsewhere.contains(name)) {
            continue;
        }
        if (setting.support == Support::kKnown) {
            if (exists_in(setting, kNewest) && setting.default_text != "null") {
                const auto same = make(SettingMap{{name, std::string(setting.default_text)}});
                EXPECT_TRUE(same.ok() && same.value() == plain.value()) << name;
            }
            continue;
        }
        const std::string value = other_value(setting);
        const auto changed = make(SettingMap{{name, value}});
        ASSERT_TRUE(changed.ok()) << name << " = " << value << ": "
                                  << to_text(changed.error().front());
        EXPECT_FALSE(changed.value() == plain.value()) << name << " = " << value;
    }
}

TEST(TypedConfig, EachModelledProducerSettingMatters) {
    // "The model acts on it" is a promise: at least the struct must change.
    expect_each_modelled_setting_to_matter(
        Where::kProducer, [](const SettingMap& map) { return make_producer_config(kNewest, map); });
}

TEST(TypedConfig, EachModelledConsumerSettingMatters) {
    // As above, for consumers.
    expect_each_modelled_setting_to_matter(
        Where::kConsumer, [](const SettingMap& map) { return make_consumer_config(kNewest, map); });
}

TEST(TypedConfig, EachModelledAdminSettingMatters) {
    // As above, for admin clients.
    expect_each_modelled_setting_to_matter(
        Where::kAdmin, [](const SettingMap& map) { return make_admin_config(kNewest, map); });
}

TEST(TypedConfig, EachModelledTopicSettingMatters) {
    // As above, for topics.
    expect_each_modelled_setting_to_matter(Where::kTopic, [](const SettingMap& map) {
        return make_topic_config(kNewest, TopicConfig{}, map);
    });
}

TEST(TypedConfig, EachModelledBrokerSettingMatters) {
    // As above, for brokers.
    expect_each_modelled_setting_to_matter(
        Where::kBroker, [](const SettingMap& map) { return make_broker_config(kNewest, map); });
}

TEST(TypedConfig, EachModelledControllerSettingMatters) {
    // As above, for controllers; where a broker keeps its metadata log is no business of theirs.
    expect_each_modelled_setting_to_matter(
        Where::kController,
        [](const SettingMap& map) { return make_controller_config(kNewest, map); },
        {"metadata.log.dir"});
    EXPECT_FALSE(make_broker_config(kNewest, {{"metadata.log.dir", "/meta"}}).value() ==
                 BrokerConfig{});
}

TEST(TypedConfig, ReportsAllMistakesByName) {
    // A user repairs a file once, not once for each mistake.
    const auto made = make_broker_config(kNewest,
                                         {{"num.io.threads", "many"},
                                          {"min.insync.replicas", "0"},
                                          {"replica.lag.time.max", "10000"},
                                          {"node.id", "1"},
                                          {"zookeeper.session.timeout.ms", "6000"}});
    ASSERT_FALSE(made.ok());
    std::vector<std::pair<std::string, What>> found;
    for (const SettingError& error : made.error()) {
        found.emplace_back(error.name, error.what);
        EXPECT_THAT(to_text(error), testing::HasSubstr(error.name));
    }
    EXPECT_EQ(found,
              (std::vector<std::pair<std::string, What>>{
                  {"min.insync.replicas", What::kOutOfRange},
                  {"node.id", What::kManaged},
                  {"num.io.threads", What::kWrongKind},
                  {"replica.lag.time.max", What::kUnknown},
                  {"zookeeper.session.timeout.ms", What::kNotInVersion}}));
}

TEST(BrokerConfig, AcceptsSettingsOfControllersAndTheOtherWay) {
    // One map configures the whole cluster, as one server.properties does.
    const SettingMap map = {{"broker.session.timeout.ms", "6000"},
                            {"controller.quorum.fetch.timeout.ms", "1500"},
                            {"min.insync.replicas", "2"},
                            {"unclean.leader.election.enable", "true"}};
    const BrokerConfig broker = make_broker_config(kNewest, map).value();
    const ControllerConfig controller = make_controller_config(kNewest, map).value();
    EXPECT_EQ(broker.broker_session_timeout_ms, 6000);
    EXPECT_EQ(controller.broker_session_timeout_ms, 6000);
    EXPECT_EQ(controller.quorum_fetch_timeout_ms, 1500);
    EXPECT_EQ(broker.topic_defaults, controller.topic_defaults);
    EXPECT_EQ(controller.topic_defaults.min_insync_replicas, 2);
    EXPECT_TRUE(controller.topic_defaults.unclean_leader_election_enable);
}

TEST(BrokerConfig, FetchWaitMustFitIntoLagAndSocketTimeout) {
    // A follower that waits longer than the lag limit would leave the ISR while idle.
    const auto lag = make_broker_config(kNewest, {{"replica.lag.time.max.ms", "400"}});
    ASSERT_FALSE(lag.ok());
    ASSERT_EQ(lag.error().size(), 1U);
    EXPECT_EQ(lag.error()[0].what, What::kConflict);
    EXPECT_EQ(lag.error()[0].name, "replica.fetch.wait.max.ms");
    EXPECT_EQ(lag.error()[0].given, "500");

    EXPECT_FALSE(make_broker_config(kNewest, {{"replica.socket.timeout.ms", "499"}}).ok());
    EXPECT_TRUE(
        make_broker_config(
            kNewest, {{"replica.lag.time.max.ms", "400"}, {"replica.fetch.wait.max.ms", "400"}})
            .ok());
}

TEST(BrokerConfig, APauseIsNeverZero) {
    // Kafka allows 0 and would spin; in virtual time that would be an endless instant.
    const auto made = make_broker_config(kNewest, {{"replica.fetch.backoff.ms", "0"}});
    EXPECT_EQ(made.value().replica_fetch_backoff_ms, 1);
}

TEST(TopicConfig, TopicThenBrokerThenDefault) {
    // The order in which Kafka resolves a topic's setting.
    const SettingMap broker = {{"log.segment.bytes", "2000000"},
                               {"message.max.bytes", "5000"},
                               {"log.flush.interval.messages", "10"}};
    const TopicConfig defaults = make_broker_config(kNewest, broker).value().topic_defaults;
    const TopicConfig topic =
        make_topic_config(
            kNewest, defaults, {{"segment.bytes", "3000000"}, {"min.insync.replicas", "2"}})
            .value();
    EXPECT_EQ(topic.segment_bytes, 3'000'000);
    EXPECT_EQ(topic.max_message_bytes, 5000);
    EXPECT_EQ(topic.flush_messages, 10);
    EXPECT_EQ(topic.min_insync_replicas, 2);
    EXPECT_FALSE(topic.unclean_leader_election_enable);
}

TEST(TopicConfig, ATopicCanTakeBackWhatTheBrokerSet) {
    // "Never" is a value a topic may set against a broker that flushes.
    const TopicConfig defaults = topic_defaults_of(kNewest, {{"log.flush.interval.messages", "1"}});
    EXPECT_EQ(defaults.flush_messages, 1);
    const auto topic =
        make_topic_config(kNewest, defaults, {{"flush.messages", "9223372036854775807"}});
    EXPECT_EQ(topic.value().flush_messages, std::nullopt);
}

TEST(TopicConfig, SegmentAgeInMillisecondsWinsOverHours) {
    // Kafka has the same limit in two units.
    EXPECT_EQ(topic_defaults_of(kNewest, {}).segment_ms, 7LL * 24 * 3600 * 1000);
    EXPECT_EQ(topic_defaults_of(kNewest, {{"log.roll.hours", "2"}}).segment_ms, 7'200'000);
    EXPECT_EQ(
        topic_defaults_of(kNewest, {{"log.roll.hours", "2"}, {"log.roll.ms", "90"}}).segment_ms,
        90);
}

TEST(TopicConfig, TimestampLimitsChangedIn40) {
    // KIP-1030: before it, a record could be stamped any time in the future.
    EXPECT_EQ(topic_defaults_of(KafkaVersion::k3_9, {}).message_timestamp_after_max_ms,
              std::nullopt);
    EXPECT_EQ(topic_defaults_of(kNewest, {}).message_timestamp_after_max_ms, 3'600'000);
    EXPECT_EQ(topic_defaults_of(kNewest, {{"log.message.timestamp.type", "LogAppendTime"}})
                  .message_timestamp_type,
              MessageTimestampType::kLogAppendTime);
}

TEST(TopicConfig, InternalSegmentBytesHasNoLowerLimit) {
    // The way to small segments in 4.1, where segment.bytes starts at 1 MiB.
    const auto topic = make_topic_config(
        kNewest, TopicConfig{}, {{"segment.bytes", "1048576"}, {"internal.segment.bytes", "200"}});
    EXPECT_EQ(topic.value().segment_bytes, 200);
}

TEST(TopicConfig, BrokerNamesAreNotTopicNames) {
    // log.segment.bytes in a topic is a mistake that Kafka refuses too.
    const auto made = make_topic_config(kNewest, TopicConfig{}, {{"log.segment.bytes", "2000000"}});
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error()[0].what, What::kUnknown);
}

TEST(ConsumerConfig, ReadsItsChoices) {
    // Each text of a choice has its own enumerator.
    const auto reset = [](const char* text) {
        return make_consumer_config(kNewest, {{"auto.offset.reset", text}})
            .value()
            .auto_offset_reset;
    };
    EXPECT_EQ(reset("earliest"), OffsetReset::kEarliest);
    EXPECT_EQ(reset("latest"), OffsetReset::kLatest);
    EXPECT_EQ(reset("none"), OffsetReset::kNone);
    EXPECT_EQ(make_consumer_config(kNewest, {{"isolation.level", "read_committed"}})
                  .value()
                  .isolation_level,
              IsolationLevel::kReadCommitted);
}

TEST(ClientConfig, BackoffIsConstantBefore37) {
    // KIP-580 brought the exponential backoff with 3.7.
    const auto old_consumer =
        make_consumer_config(KafkaVersion::k3_6, {{"retry.backoff.ms", "250"}}).value();
    EXPECT_EQ(old_consumer.retry_backoff_ms, 250);
    EXPECT_EQ(old_consumer.retry_backoff_max_ms, 250);
    EXPECT_EQ(make_admin_config(KafkaVersion::k3_6, {}).value().retry_backoff_max_ms, 100);
    EXPECT_EQ(make_admin_config(KafkaVersion::k3_7, {}).value().retry_backoff_max_ms, 1000);
}

TEST(ClientConfig, SettingOnlyTheFirstReconnectBackoffMakesItConstant) {
    // Kafka switches the exponential growth off for old configurations that know one setting only.
    const auto only_first = make_admin_config(kNewest, {{"reconnect.backoff.ms", "200"}}).value();
    EXPECT_EQ(only_first.reconnect_backoff_max_ms, 200);
    const auto both =
        make_admin_config(kNewest,
                          {{"reconnect.backoff.ms", "200"}, {"reconnect.backoff.max.ms", "900"}})
            .value();
    EXPECT_EQ(both.reconnect_backoff_max_ms, 900);
}

}  // namespace
}  // namespace klab::types
