// SPDX-License-Identifier: Apache-2.0
//
// Kafka's documented defaults, row by row: an independent copy of the numbers, so that a slip in
// the settings tables shows.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "model/types/settings.h"

namespace klab::types {
namespace {

struct Row {
    Where where;
    std::string_view name;
    std::string_view text;
};

// clang-format off
constexpr Row kRows[] = {
    {Where::kBroker, "replica.lag.time.max.ms", "30000"},
    {Where::kBroker, "replica.fetch.wait.max.ms", "500"},
    {Where::kBroker, "replica.fetch.min.bytes", "1"},
    {Where::kBroker, "replica.fetch.max.bytes", "1048576"},
    {Where::kBroker, "replica.fetch.response.max.bytes", "10485760"},
    {Where::kBroker, "replica.fetch.backoff.ms", "1000"},
    {Where::kBroker, "replica.socket.timeout.ms", "30000"},
    {Where::kBroker, "num.replica.fetchers", "1"},
    {Where::kBroker, "replica.high.watermark.checkpoint.interval.ms", "5000"},
    {Where::kBroker, "fetch.purgatory.purge.interval.requests", "1000"},
    {Where::kBroker, "producer.purgatory.purge.interval.requests", "1000"},
    {Where::kBroker, "delete.records.purgatory.purge.interval.requests", "1"},
    {Where::kBroker, "min.insync.replicas", "1"},
    {Where::kBroker, "default.replication.factor", "1"},
    {Where::kBroker, "num.partitions", "1"},
    {Where::kBroker, "unclean.leader.election.enable", "false"},
    {Where::kBroker, "controller.socket.timeout.ms", "30000"},
    {Where::kBroker, "controlled.shutdown.enable", "true"},
    {Where::kBroker, "controlled.shutdown.max.retries", "3"},
    {Where::kBroker, "controlled.shutdown.retry.backoff.ms", "5000"},
    {Where::kBroker, "broker.heartbeat.interval.ms", "2000"},
    {Where::kBroker, "broker.session.timeout.ms", "9000"},
    {Where::kBroker, "initial.broker.registration.timeout.ms", "60000"},
    {Where::kBroker, "request.timeout.ms", "30000"},
    {Where::kBroker, "zookeeper.session.timeout.ms", "18000"},
    {Where::kBroker, "zookeeper.max.in.flight.requests", "10"},
    {Where::kBroker, "log.segment.bytes", "1073741824"},
    {Where::kBroker, "log.roll.hours", "168"},
    {Where::kBroker, "log.index.size.max.bytes", "10485760"},
    {Where::kBroker, "log.index.interval.bytes", "4096"},
    {Where::kBroker, "log.preallocate", "false"},
    {Where::kBroker, "log.flush.interval.messages", "9223372036854775807"},
    {Where::kBroker, "log.flush.scheduler.interval.ms", "9223372036854775807"},
    {Where::kBroker, "log.flush.offset.checkpoint.interval.ms", "60000"},
    {Where::kBroker, "log.flush.start.offset.checkpoint.interval.ms", "60000"},
    {Where::kBroker, "log.retention.hours", "168"},
    {Where::kBroker, "log.retention.bytes", "-1"},
    {Where::kBroker, "log.retention.check.interval.ms", "300000"},
    {Where::kBroker, "log.initial.task.delay.ms", "30000"},
    {Where::kBroker, "log.segment.delete.delay.ms", "60000"},
    {Where::kBroker, "log.cleanup.policy", "delete"},
    {Where::kBroker, "log.cleaner.min.cleanable.ratio", "0.5"},
    {Where::kBroker, "log.cleaner.min.compaction.lag.ms", "0"},
    {Where::kBroker, "log.cleaner.max.compaction.lag.ms", "9223372036854775807"},
    {Where::kBroker, "log.cleaner.delete.retention.ms", "86400000"},
    {Where::kBroker, "log.cleaner.threads", "1"},
    {Where::kBroker, "log.cleaner.dedupe.buffer.size", "134217728"},
    {Where::kBroker, "log.cleaner.io.buffer.size", "524288"},
    {Where::kBroker, "log.cleaner.io.buffer.load.factor", "0.9"},
    {Where::kBroker, "log.cleaner.backoff.ms", "15000"},
    {Where::kBroker, "message.max.bytes", "1048588"},
    {Where::kBroker, "log.message.timestamp.type", "CreateTime"},
    {Where::kBroker, "log.message.timestamp.after.max.ms", "3600000"},
    {Where::kBroker, "log.message.timestamp.before.max.ms", "9223372036854775807"},
    {Where::kBroker, "compression.type", "producer"},
    {Where::kBroker, "num.recovery.threads.per.data.dir", "2"},
    {Where::kBroker, "producer.id.expiration.ms", "86400000"},
    {Where::kBroker, "producer.id.expiration.check.interval.ms", "600000"},
    {Where::kBroker, "transaction.max.timeout.ms", "900000"},
    {Where::kBroker, "transaction.partition.verification.enable", "true"},
    {Where::kBroker, "log.dir.failure.timeout.ms", "30000"},
    {Where::kBroker, "background.threads", "10"},
    {Where::kBroker, "fetch.max.bytes", "57671680"},
    {Where::kBroker, "offsets.topic.num.partitions", "50"},
    {Where::kBroker, "offsets.topic.replication.factor", "3"},
    {Where::kBroker, "offsets.topic.segment.bytes", "104857600"},
    {Where::kBroker, "offset.metadata.max.bytes", "4096"},
    {Where::kBroker, "offsets.retention.minutes", "10080"},
    {Where::kBroker, "offsets.retention.check.interval.ms", "600000"},
    {Where::kBroker, "offsets.load.buffer.size", "5242880"},
    {Where::kBroker, "offsets.commit.timeout.ms", "5000"},
    {Where::kBroker, "group.min.session.timeout.ms", "6000"},
    {Where::kBroker, "group.max.session.timeout.ms", "1800000"},
    {Where::kBroker, "group.initial.rebalance.delay.ms", "3000"},
    {Where::kBroker, "group.coordinator.threads", "4"},
    {Where::kBroker, "group.coordinator.append.linger.ms", "5"},
    {Where::kBroker, "group.consumer.session.timeout.ms", "45000"},
    {Where::kBroker, "group.consumer.heartbeat.interval.ms", "5000"},
    {Where::kBroker, "group.share.max.size", "200"},
    {Where::kBroker, "group.share.delivery.count.limit", "5"},
    {Where::kBroker, "group.share.record.lock.duration.ms", "30000"},
    {Where::kBroker, "transaction.state.log.num.partitions", "50"},
    {Where::kBroker, "transaction.state.log.replication.factor", "3"},
    {Where::kBroker, "transaction.state.log.min.isr", "2"},
    {Where::kBroker, "transactional.id.expiration.ms", "604800000"},
    {Where::kBroker, "transaction.abort.timed.out.transaction.cleanup.interval.ms", "10000"},
    {Where::kBroker, "transaction.remove.expired.transaction.cleanup.interval.ms", "3600000"},
    {Where::kBroker, "add.partitions.to.txn.retry.backoff.ms", "20"},
    {Where::kBroker, "num.network.threads", "3"},
    {Where::kBroker, "num.io.threads", "8"},
    {Where::kBroker, "queued.max.requests", "500"},
    {Where::kBroker, "queued.max.request.bytes", "-1"},
    {Where::kBroker, "socket.request.max.bytes", "104857600"},
    {Where::kBroker, "socket.listen.backlog.size", "50"},
    {Where::kBroker, "socket.send.buffer.bytes", "102400"},
    {Where::kBroker, "socket.receive.buffer.bytes", "102400"},
    {Where::kBroker, "connections.max.idle.ms", "600000"},
    {Where::kBroker, "max.connections", "2147483647"},
    {Where::kBroker, "connection.failed.authentication.delay.ms", "100"},
    {Where::kBroker, "quota.window.num", "11"},
    {Where::kBroker, "quota.window.size.seconds", "1"},
    {Where::kController, "unclean.leader.election.interval.ms", "300000"},
    {Where::kController, "auto.leader.rebalance.enable", "true"},
    {Where::kController, "leader.imbalance.check.interval.seconds", "300"},
    {Where::kController, "leader.imbalance.per.broker.percentage", "10"},
    {Where::kController, "controller.quorum.election.timeout.ms", "1000"},
    {Where::kController, "controller.quorum.fetch.timeout.ms", "2000"},
    {Where::kController, "controller.quorum.election.backoff.max.ms", "1000"},
    {Where::kController, "controller.quorum.append.linger.ms", "25"},
    {Where::kController, "controller.quorum.request.timeout.ms", "2000"},
    {Where::kController, "controller.quorum.retry.backoff.ms", "20"},
    {Where::kController, "metadata.log.max.record.bytes.between.snapshots", "20971520"},
    {Where::kController, "metadata.log.max.snapshot.interval.ms", "3600000"},
    {Where::kController, "metadata.max.idle.interval.ms", "500"},
    {Where::kController, "metadata.log.segment.bytes", "1073741824"},
    {Where::kController, "metadata.log.segment.ms", "604800000"},
    {Where::kController, "metadata.max.retention.bytes", "104857600"},
    {Where::kController, "metadata.max.retention.ms", "604800000"},
    {Where::kTopic, "segment.bytes", "1073741824"},
    {Where::kTopic, "segment.ms", "604800000"},
    {Where::kTopic, "segment.jitter.ms", "0"},
    {Where::kTopic, "segment.index.bytes", "10485760"},
    {Where::kTopic, "index.interval.bytes", "4096"},
    {Where::kTopic, "preallocate", "false"},
    {Where::kTopic, "flush.messages", "9223372036854775807"},
    {Where::kTopic, "flush.ms", "9223372036854775807"},
    {Where::kTopic, "retention.ms", "604800000"},
    {Where::kTopic, "retention.bytes", "-1"},
    {Where::kTopic, "file.delete.delay.ms", "60000"},
    {Where::kTopic, "cleanup.policy", "delete"},
    {Where::kTopic, "min.cleanable.dirty.ratio", "0.5"},
    {Where::kTopic, "min.compaction.lag.ms", "0"},
    {Where::kTopic, "max.compaction.lag.ms", "9223372036854775807"},
    {Where::kTopic, "delete.retention.ms", "86400000"},
    {Where::kTopic, "max.message.bytes", "1048588"},
    {Where::kTopic, "message.timestamp.type", "CreateTime"},
    {Where::kTopic, "message.timestamp.after.max.ms", "3600000"},
    {Where::kTopic, "compression.type", "producer"},
    {Where::kTopic, "local.retention.ms", "-2"},
    {Where::kTopic, "local.retention.bytes", "-2"},
    {Where::kTopic, "min.insync.replicas", "1"},
    {Where::kTopic, "unclean.leader.election.enable", "false"},
    {Where::kProducer, "acks", "all"},
    {Where::kProducer, "enable.idempotence", "true"},
    {Where::kProducer, "retries", "2147483647"},
    {Where::kProducer, "max.in.flight.requests.per.connection", "5"},
    {Where::kProducer, "linger.ms", "5"},
    {Where::kProducer, "batch.size", "16384"},
    {Where::kProducer, "buffer.memory", "33554432"},
    {Where::kProducer, "max.block.ms", "60000"},
    {Where::kProducer, "max.request.size", "1048576"},
    {Where::kProducer, "compression.type", "none"},
    {Where::kProducer, "request.timeout.ms", "30000"},
    {Where::kProducer, "delivery.timeout.ms", "120000"},
    {Where::kProducer, "retry.backoff.ms", "100"},
    {Where::kProducer, "retry.backoff.max.ms", "1000"},
    {Where::kProducer, "reconnect.backoff.ms", "50"},
    {Where::kProducer, "reconnect.backoff.max.ms", "1000"},
    {Where::kProducer, "socket.connection.setup.timeout.ms", "10000"},
    {Where::kProducer, "socket.connection.setup.timeout.max.ms", "30000"},
    {Where::kProducer, "connections.max.idle.ms", "540000"},
    {Where::kProducer, "metadata.max.age.ms", "300000"},
    {Where::kProducer, "metadata.max.idle.ms", "300000"},
    {Where::kProducer, "metadata.recovery.strategy", "rebootstrap"},
    {Where::kProducer, "metadata.recovery.rebootstrap.trigger.ms", "300000"},
    {Where::kProducer, "partitioner.class", "null"},
    {Where::kProducer, "partitioner.adaptive.partitioning.enable", "true"},
    {Where::kProducer, "partitioner.availability.timeout.ms", "0"},
    {Where::kProducer, "partitioner.ignore.keys", "false"},
    {Where::kProducer, "transactional.id", "null"},
    {Where::kProducer, "transaction.timeout.ms", "60000"},
    {Where::kProducer, "transaction.two.phase.commit.enable", "false"},
    {Where::kProducer, "send.buffer.bytes", "131072"},
    {Where::kProducer, "receive.buffer.bytes", "32768"},
    {Where::kConsumer, "group.id", "null"},
    {Where::kConsumer, "group.instance.id", "null"},
    {Where::kConsumer, "group.protocol", "classic"},
    {Where::kConsumer, "group.remote.assignor", "null"},
    {Where::kConsumer, "session.timeout.ms", "45000"},
    {Where::kConsumer, "heartbeat.interval.ms", "3000"},
    {Where::kConsumer, "max.poll.interval.ms", "300000"},
    {Where::kConsumer, "max.poll.records", "500"},
    {Where::kConsumer, "enable.auto.commit", "true"},
    {Where::kConsumer, "auto.commit.interval.ms", "5000"},
    {Where::kConsumer, "auto.offset.reset", "latest"},
    {Where::kConsumer, "isolation.level", "read_uncommitted"},
    {Where::kConsumer, "fetch.min.bytes", "1"},
    {Where::kConsumer, "fetch.max.wait.ms", "500"},
    {Where::kConsumer, "fetch.max.bytes", "52428800"},
    {Where::kConsumer, "max.partition.fetch.bytes", "1048576"},
    {Where::kConsumer, "check.crcs", "true"},
    {Where::kConsumer, "request.timeout.ms", "30000"},
    {Where::kConsumer, "default.api.timeout.ms", "60000"},
    {Where::kConsumer, "retry.backoff.ms", "100"},
    {Where::kConsumer, "retry.backoff.max.ms", "1000"},
    {Where::kConsumer, "metadata.max.age.ms", "300000"},
    {Where::kConsumer, "client.rack", ""},
    {Where::kConsumer, "allow.auto.create.topics", "true"},
    {Where::kConsumer, "exclude.internal.topics", "true"},
    {Where::kConsumer, "receive.buffer.bytes", "65536"},
    {Where::kConsumer, "send.buffer.bytes", "131072"},
    {Where::kConsumer, "connections.max.idle.ms", "540000"},
    {Where::kConsumer, "share.acknowledgement.mode", "implicit"},
    {Where::kAdmin, "retries", "2147483647"},
    {Where::kAdmin, "request.timeout.ms", "30000"},
    {Where::kAdmin, "default.api.timeout.ms", "60000"},
    {Where::kAdmin, "retry.backoff.ms", "100"},
    {Where::kAdmin, "connections.max.idle.ms", "300000"},
};

// clang-format on

class DocumentedDefaults : public testing::TestWithParam<Row> {};

TEST_P(DocumentedDefaults, AreInTheTable) {
    // The newest release in which the setting exists has this default.
    const Row& row = GetParam();
    const Setting* setting = find_setting(row.name, row.where);
    ASSERT_NE(setting, nullptr);
    EXPECT_EQ(default_in(*setting, KafkaVersion::k4_1), row.text);
}

std::string row_name(const testing::TestParamInfo<Row>& param) {
    std::string name = std::string(to_text(param.param.where)) + "_";
    for (const char c : param.param.name) {
        name += c == '.' ? '_' : c;
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Kafka41, DocumentedDefaults, testing::ValuesIn(kRows), row_name);

struct Change {
    Where where;
    std::string_view name;
    Release release;  ///< first with the new default
    std::string_view before;
    std::string_view after;
};

class ChangedDefaults : public testing::TestWithParam<Change> {};

TEST_P(ChangedDefaults, TurnAtTheRelease) {
    // Books describe the old values; a scenario of an old version must have them.
    const Change& change = GetParam();
    const Setting* setting = find_setting(change.name, change.where);
    ASSERT_NE(setting, nullptr);
    ASSERT_TRUE(setting->old_default.has_value());
    EXPECT_EQ(setting->old_default->before, change.release);
    EXPECT_EQ(setting->old_default->text, change.before);
    EXPECT_EQ(setting->default_text, change.after);
    for (const VersionInfo& version : all_versions()) {
        EXPECT_EQ(default_in(*setting, version.version),
                  version.release < change.release ? change.before : change.after)
            << version.name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kafka,
    ChangedDefaults,
    testing::Values(
        Change{Where::kBroker, "replica.lag.time.max.ms", {2, 5}, "10000", "30000"},
        Change{Where::kBroker, "zookeeper.session.timeout.ms", {2, 5}, "6000", "18000"},
        Change{Where::kBroker, "num.recovery.threads.per.data.dir", {4, 0}, "1", "2"},
        Change{Where::kBroker, "offsets.retention.minutes", {2, 0}, "1440", "10080"},
        Change{Where::kTopic,
               "message.timestamp.after.max.ms",
               {4, 0},
               "9223372036854775807",
               "3600000"},
        Change{Where::kProducer, "acks", {3, 0}, "1", "all"},
        Change{Where::kProducer, "enable.idempotence", {3, 0}, "false", "true"},
        Change{Where::kProducer, "linger.ms", {4, 0}, "0", "5"},
        Change{Where::kProducer, "metadata.recovery.strategy", {4, 0}, "none", "rebootstrap"},
        Change{Where::kConsumer, "session.timeout.ms", {3, 0}, "10000", "45000"},
        Change{Where::kConsumer,
               "partition.assignment.strategy",
               {3, 0},
               "range",
               "range,cooperative-sticky"}));

}  // namespace
}  // namespace klab::types
