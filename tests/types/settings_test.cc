// SPDX-License-Identifier: Apache-2.0
#include "model/types/settings.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klab::types {
namespace {

using testing::HasSubstr;
using What = SettingError::What;

constexpr KafkaVersion kNewest = KafkaVersion::k4_1;

const Setting& setting(std::string_view name, Where where) {
    const Setting* row = find_setting(name, where);
    EXPECT_NE(row, nullptr) << name;
    return *row;
}

TEST(SettingsTable, NamesAreUniqueSortedAndFound) {
    // find_setting searches by halves, so one row out of order hides others.
    for (const Where where : all_places()) {
        const auto rows = settings_of(where);
        EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::less_equal{}, &Setting::name))
            << to_text(where);
        for (const Setting& row : rows) {
            EXPECT_EQ(find_setting(row.name, where), &row);
        }
    }
    EXPECT_EQ(find_setting("acks", Where::kBroker), nullptr);
    EXPECT_EQ(find_setting("", Where::kTopic), nullptr);
    EXPECT_EQ(find_setting("zzz", Where::kTopic), nullptr);
}

TEST(SettingsTable, EveryRowHasAMeaningAndAReadableDefault) {
    // Defaults go through the same reader as values of users, in every version.
    for (const Where where : all_places()) {
        for (const Setting& row : settings_of(where)) {
            EXPECT_TRUE(row.meaning.ends_with('.')) << row.name;
            for (const VersionInfo& version : all_versions()) {
                const std::string_view text = default_in(row, version.version);
                if (text != "null") {
                    EXPECT_TRUE(parse_setting(row, text, version.version).ok())
                        << row.name << " = " << text << " in " << version.name;
                }
            }
        }
    }
}

TEST(SettingsTable, BrokerAndControllerShareNoName) {
    // Both read one file; a name in both tables would have two meanings.
    for (const Setting& row : settings_of(Where::kController)) {
        EXPECT_EQ(find_setting(row.name, Where::kBroker), nullptr) << row.name;
        EXPECT_EQ(find_cluster_setting(row.name), &row);
    }
    EXPECT_NE(find_cluster_setting("replica.lag.time.max.ms"), nullptr);
    EXPECT_EQ(find_cluster_setting("segment.bytes"), nullptr);
}

TEST(SettingsTable, TopicDefaultsNameExistingBrokerSettings) {
    // "A topic without it takes the broker's ..." must name something a user can set.
    for (const Setting& row : settings_of(Where::kTopic)) {
        if (!row.broker_name.empty()) {
            EXPECT_NE(find_setting(row.broker_name, Where::kBroker), nullptr) << row.broker_name;
        }
    }
    EXPECT_EQ(setting("segment.bytes", Where::kTopic).broker_name, "log.segment.bytes");
}

TEST(SettingsTable, ChoicesHaveValues) {
    // An enum without values would accept anything.
    for (const Where where : all_places()) {
        for (const Setting& row : settings_of(where)) {
            if (row.kind == SettingKind::kEnum) {
                EXPECT_GE(std::ranges::count(row.values, '|'), 1) << row.name;
            }
        }
    }
}

TEST(ParseSetting, Booleans) {
    // Kafka takes any case and blanks around, and nothing else.
    const Setting& row = setting("unclean.leader.election.enable", Where::kTopic);
    EXPECT_EQ(parse_setting(row, "true", kNewest).value(), SettingValue{true});
    EXPECT_EQ(parse_setting(row, " FALSE ", kNewest).value(), SettingValue{false});
    for (const char* text : {"", "1", "0", "yes", "on", "tru"}) {
        EXPECT_EQ(parse_setting(row, text, kNewest).error().what, What::kWrongKind) << text;
    }
}

TEST(ParseSetting, Integers) {
    // Range and width are those of Kafka; text that is no number is another mistake than a wrong
    // one.
    const Setting& row = setting("min.insync.replicas", Where::kTopic);
    EXPECT_EQ(parse_setting(row, "2", kNewest).value(), SettingValue{std::int64_t{2}});
    EXPECT_EQ(parse_setting(row, " +2\n", kNewest).value(), SettingValue{std::int64_t{2}});
    EXPECT_EQ(parse_setting(row, "2147483647", kNewest).value(),
              SettingValue{std::int64_t{2147483647}});
    for (const char* text : {"0", "-1", "2147483648", "99999999999999999999999"}) {
        EXPECT_EQ(parse_setting(row, text, kNewest).error().what, What::kOutOfRange) << text;
    }
    for (const char* text : {"", " ", "two", "2ms", "2.0", "0x2", "+-2", "--2", "2 3", "1e3"}) {
        EXPECT_EQ(parse_setting(row, text, kNewest).error().what, What::kWrongKind) << text;
    }
    const auto failed = parse_setting(row, "0", kNewest);
    EXPECT_EQ(failed.error().allowed, "an integer from 1 to 2147483647");
    EXPECT_EQ(to_text(failed.error()),
              "min.insync.replicas takes an integer from 1 to 2147483647, not \"0\"");
}

TEST(ParseSetting, LongsReachTheLargestNumber) {
    // Kafka writes "never" as the largest 64-bit number.
    const Setting& row = setting("flush.ms", Where::kTopic);
    EXPECT_EQ(parse_setting(row, "9223372036854775807", kNewest).value(),
              SettingValue{std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(parse_setting(row, "9223372036854775808", kNewest).error().what, What::kOutOfRange);
}

TEST(ParseSetting, MinimumsChangeWithTheVersion) {
    // KIP-1030: small segments are legal for brokers before 4.0 and for topics before 4.1.
    const Setting& broker = setting("log.segment.bytes", Where::kBroker);
    const Setting& topic = setting("segment.bytes", Where::kTopic);
    EXPECT_TRUE(parse_setting(broker, "14", KafkaVersion::k3_9).ok());
    EXPECT_FALSE(parse_setting(broker, "13", KafkaVersion::k3_9).ok());
    EXPECT_FALSE(parse_setting(broker, "1048575", KafkaVersion::k4_0).ok());
    EXPECT_TRUE(parse_setting(topic, "14", KafkaVersion::k4_0).ok());
    EXPECT_FALSE(parse_setting(topic, "1048575", KafkaVersion::k4_1).ok());
    EXPECT_TRUE(parse_setting(topic, "1048576", KafkaVersion::k4_1).ok());
}

TEST(ParseSetting, ChoicesAndLists) {
    // A choice is exact; each element of a list must be allowed.
    const Setting& acks = setting("acks", Where::kProducer);
    for (const char* text : {"all", "-1", "0", "1"}) {
        EXPECT_EQ(parse_setting(acks, text, kNewest).value(), SettingValue{std::string(text)});
    }
    const auto failed = parse_setting(acks, "2", kNewest);
    EXPECT_EQ(failed.error().what, What::kNotAllowed);
    EXPECT_EQ(failed.error().allowed, "one of all, -1, 0, 1");

    const Setting& policy = setting("cleanup.policy", Where::kTopic);
    EXPECT_EQ(parse_setting(policy, "compact , delete", kNewest).value(),
              SettingValue{std::string("compact,delete")});
    EXPECT_EQ(parse_setting(policy, "compact,keep", kNewest).error().what, What::kNotAllowed);
}

TEST(ParseSetting, NumbersWithAPointStayText) {
    // The model has no floating point; the text must still be a number.
    const Setting& row = setting("log.cleaner.io.max.bytes.per.second", Where::kBroker);
    for (const char* text : {"0.5", "1", ".5", "5.", "-1e-3", "1.7976931348623157E308"}) {
        EXPECT_EQ(parse_setting(row, text, kNewest).value(), SettingValue{std::string(text)});
    }
    for (const char* text : {"", ".", "half", "1e", "0.5x", "1..2"}) {
        EXPECT_FALSE(parse_setting(row, text, kNewest).ok()) << text;
    }
}

TEST(ParseSetting, NumbersWithAPointHaveARange) {
    // Both ends belong to it, as in Kafka's between(0, 1).
    const Setting& row = setting("min.cleanable.dirty.ratio", Where::kTopic);
    for (const char* text : {"0", "0.5", "1", "1.0E0"}) {
        EXPECT_TRUE(parse_setting(row, text, kNewest).ok()) << text;
    }
    for (const char* text : {"-0.1", "1.000000001", "2", "1E300"}) {
        EXPECT_EQ(parse_setting(row, text, kNewest).error().what, What::kOutOfRange) << text;
    }
    EXPECT_EQ(allowed_text(row, kNewest), "a number from 0 to 1");
}

TEST(CheckSetting, KnowsInWhichVersionsASettingExists) {
    // A setting of another version is the commonest mistake in a copied configuration.
    const Setting& young = setting("retry.backoff.max.ms", Where::kProducer);
    EXPECT_TRUE(check_setting(young, "500", KafkaVersion::k3_7).ok());
    const auto too_early = check_setting(young, "500", KafkaVersion::k3_6);
    EXPECT_EQ(too_early.error().what, What::kNotInVersion);
    EXPECT_THAT(to_text(too_early.error()), HasSubstr("Kafka 3.7 and later"));

    const Setting& old = *find_cluster_setting("zookeeper.session.timeout.ms");
    EXPECT_TRUE(check_setting(old, "6000", KafkaVersion::k3_9).ok());
    const auto too_late = check_setting(old, "6000", KafkaVersion::k4_0);
    EXPECT_EQ(too_late.error().what, What::kNotInVersion);
    EXPECT_THAT(to_text(too_late.error()), HasSubstr("Kafka before 4.0"));
}

TEST(CheckSetting, RefusesWhatKlabSetsItself) {
    // Two sources of a node's number or address could not both be right.
    for (const auto& [name, where] : {std::pair{"node.id", Where::kBroker},
                                      std::pair{"controller.quorum.voters", Where::kController},
                                      std::pair{"bootstrap.servers", Where::kProducer}}) {
        EXPECT_EQ(check_setting(setting(name, where), "1", kNewest).error().what, What::kManaged)
            << name;
    }
}

TEST(DurationOfMs, CannotOverflow) {
    // "Never" is the largest number; adding it to a time must stay a time.
    EXPECT_EQ(duration_of_ms(30'000), seconds(30));
    EXPECT_EQ(duration_of_ms(0), milliseconds(0));
    EXPECT_EQ(duration_of_ms(-5), milliseconds(0));
    const Duration never = duration_of_ms(std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(never, seconds(10LL * 365 * 24 * 3600));
    EXPECT_GT((never + never).ns, never.ns);
}

}  // namespace
}  // namespace klab::types
