// SPDX-License-Identifier: Apache-2.0
//
// The settings of compaction: of the broker's cleaner and of topics.
#include "model/types/cleaner_config.h"

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/broker_config.h"

namespace klab::types {
namespace {

using testing::HasSubstr;
using What = SettingError::What;

constexpr KafkaVersion kNewest = KafkaVersion::k4_1;

CleanerConfig cleaner_of(const SettingMap& map) {
    return make_broker_config(kNewest, map).value().cleaner;
}

/// The only thing wrong with a broker configuration.
SettingError error_of(const SettingMap& map) {
    const auto made = make_broker_config(kNewest, map);
    EXPECT_FALSE(made.ok());
    EXPECT_EQ(made.error().size(), 1U);
    return made.error().front();
}

TEST(CleanerConfig, DefaultsAreThoseOfTheStruct) { EXPECT_EQ(cleaner_of({}), CleanerConfig{}); }

TEST(CleanerConfig, ReadsEachSetting) {
    CleanerConfig config;
    config.enable = false;
    config.threads = 2;
    config.dedupe_buffer_size = 4'194'304;
    config.load_factor_billionths = 750'000'000;
    config.io_buffer_size = 2048;
    config.io_max_bytes_per_second = 10'000'000;
    config.backoff_ms = 1;
    EXPECT_EQ(cleaner_of({{"log.cleaner.enable", "false"},
                          {"log.cleaner.threads", "2"},
                          {"log.cleaner.dedupe.buffer.size", "4194304"},
                          {"log.cleaner.io.buffer.load.factor", "0.75"},
                          {"log.cleaner.io.buffer.size", "2048"},
                          {"log.cleaner.io.max.bytes.per.second", "1.0E7"},
                          {"log.cleaner.backoff.ms", "0"}}),
              config);
}

TEST(CleanerConfig, EachThreadNeedsMoreThanAMebibyte) {
    // Kafka refuses to start; with 0 threads, which the range allows, it divides by zero.
    for (const SettingMap& map : {SettingMap{{"log.cleaner.dedupe.buffer.size", "1048576"}},
                                  SettingMap{{"log.cleaner.threads", "128"}},
                                  SettingMap{{"log.cleaner.threads", "0"}}}) {
        EXPECT_EQ(error_of(map).what, What::kConflict);
        EXPECT_EQ(error_of(map).name, "log.cleaner.dedupe.buffer.size");
    }
    EXPECT_TRUE(make_broker_config(kNewest, {{"log.cleaner.dedupe.buffer.size", "1048577"}}).ok());
}

TEST(CleanerConfig, AMapTakesMoreThanOneKey) {
    // The constructor of Kafka's Cleaner: slots * load factor > 1. The least buffer has 43,690.
    const auto with_factor = [](const char* factor) {
        return make_broker_config(kNewest,
                                  {{"log.cleaner.dedupe.buffer.size", "1048577"},
                                   {"log.cleaner.io.buffer.load.factor", factor}});
    };
    EXPECT_TRUE(with_factor("0.00003").ok());
    EXPECT_FALSE(with_factor("0.00002").ok());
    EXPECT_FALSE(with_factor("-1").ok());
}

TEST(TopicCompaction, PolicyIsAListOfTwo) {
    const auto policy = [](const char* text) {
        const TopicConfig topic =
            make_topic_config(kNewest, TopicConfig{}, {{"cleanup.policy", text}}).value();
        return std::pair(topic.cleanup_compact, topic.cleanup_delete);
    };
    EXPECT_EQ(policy("delete"), std::pair(false, true));
    EXPECT_EQ(policy("compact"), std::pair(true, false));
    EXPECT_EQ(policy("compact, delete"), std::pair(true, true));
}

TEST(TopicCompaction, TopicThenBrokerThenDefault) {
    const SettingMap broker = {{"log.cleanup.policy", "compact"},
                               {"log.cleaner.min.cleanable.ratio", "0.25"},
                               {"log.cleaner.min.compaction.lag.ms", "10"},
                               {"log.cleaner.max.compaction.lag.ms", "20"},
                               {"log.cleaner.delete.retention.ms", "30"}};
    const TopicConfig defaults = topic_defaults_of(kNewest, broker);
    EXPECT_TRUE(defaults.cleanup_compact);
    EXPECT_FALSE(defaults.cleanup_delete);
    EXPECT_EQ(defaults.min_cleanable_dirty_ratio, 250'000'000);
    EXPECT_EQ(defaults.min_compaction_lag_ms, 10);
    EXPECT_EQ(defaults.max_compaction_lag_ms, 20);
    EXPECT_EQ(defaults.delete_retention_ms, 30);

    TopicConfig own = defaults;
    own.cleanup_compact = false;
    own.cleanup_delete = true;
    own.min_cleanable_dirty_ratio = 1'000'000'000;
    own.min_compaction_lag_ms = 0;
    own.max_compaction_lag_ms = std::nullopt;
    own.delete_retention_ms = 0;
    EXPECT_EQ(make_topic_config(kNewest,
                                defaults,
                                {{"cleanup.policy", "delete"},
                                 {"min.cleanable.dirty.ratio", "1"},
                                 {"min.compaction.lag.ms", "0"},
                                 {"max.compaction.lag.ms", "9223372036854775807"},
                                 {"delete.retention.ms", "0"}})
                  .value(),
              own);
}

TEST(TopicCompaction, ARecordCannotStayLongerThanItMay) {
    // LogConfig.validateValues. The topic's own lag counts against the broker's.
    const TopicConfig defaults =
        topic_defaults_of(kNewest, {{"log.cleaner.max.compaction.lag.ms", "20"}});
    const auto made = make_topic_config(kNewest, defaults, {{"min.compaction.lag.ms", "21"}});
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().front().what, What::kConflict);
    EXPECT_TRUE(make_topic_config(kNewest, defaults, {{"min.compaction.lag.ms", "20"}}).ok());
    EXPECT_THAT(to_text(error_of({{"log.cleaner.min.compaction.lag.ms", "2"},
                                  {"log.cleaner.max.compaction.lag.ms", "1"}})),
                HasSubstr("log.cleaner.max.compaction.lag.ms"));
}

}  // namespace
}  // namespace klab::types
