// SPDX-License-Identifier: Apache-2.0
//
// Settings of brokers, sorted by name. Kafka: ServerConfigs, ReplicationConfigs,
// KRaftConfigs, SocketServerConfigs, ServerLogConfigs, CleanerConfig, GroupCoordinatorConfig,
// TransactionLogConfig.
// See settings.h for the columns.
// Where Kafka sets no lower limit for a period, klab asks for 1 ms (2 ms where half of it is one),
// so that no run stands still in one instant.
#include "model/types/settings_table.h"

namespace klab::types::detail {

namespace {

// clang-format off
constexpr Setting kSettings[] = {
    int_ms("add.partitions.to.txn.retry.backoff.max.ms", "100").at_least(0).since({4, 0})
        .says("Longest pause before a transactional request to the coordinator is tried again."),
    int_ms("add.partitions.to.txn.retry.backoff.ms", "20").at_least(1).since({4, 0})
        .says("Pause before a transactional request to the coordinator is tried again."),
    text("advertised.listeners", "null").managed()
        .says("Addresses that a broker gives to clients."),
    java_class("alter.config.policy.class.name", "null")
        .says("Class that may refuse changes of settings."),
    java_class("authorizer.class.name", "null")
        .says("Class that decides who may do what."),
    flag("auto.create.topics.enable", "true")
        .says("Creates a topic when a client asks for the metadata of one that does not exist."),
    int_count("background.threads", "10").at_least(1)
        .says("Threads for background work on logs."),
    int_ms("broker.heartbeat.interval.ms", "2000").at_least(1).used().since({2, 8})
        .says("Time between two heartbeats of a broker to the controller, and before a failed "
              "one is repeated."),
    int_count("broker.id", "-1").managed()
        .says("Number of the broker; node.id in KRaft."),
    text("broker.rack", "null").managed()
        .says("The rack of the broker; replicas of a partition are spread over racks. A "
              "scenario gives racks to its cluster."),
    int_ms("broker.session.timeout.ms", "9000").at_least(1).used().since({2, 8})
        .says("A broker that the controller has not heard of for so long is fenced and leaves "
              "every ISR."),
    int_count("compression.gzip.level", "-1").one_of("-1|1|2|3|4|5|6|7|8|9").since({3, 8})
        .says("Level of gzip when the broker compresses."),
    int_count("compression.lz4.level", "9").at_least(1).at_most(17).since({3, 8})
        .says("Level of lz4 when the broker compresses."),
    choice("compression.type", "producer").one_of("uncompressed|gzip|snappy|lz4|zstd|producer")
        .used()
        .says("Compression of stored batches; \"producer\" keeps what the producer chose."),
    int_count("compression.zstd.level", "3").at_least(-131072).at_most(22).since({3, 8})
        .says("Level of zstd when the broker compresses."),
    int_ms("connection.failed.authentication.delay.ms", "100").at_least(0)
        .says("Pause before a connection with a failed login is closed."),
    long_ms("connections.max.idle.ms", "600000")
        .says("A connection without traffic for so long is closed by the broker."),
    flag("controlled.shutdown.enable", "true").used()
        .says("A broker that is stopped hands over its leaderships first."),
    int_count("controlled.shutdown.max.retries", "3").until({4, 0})
        .says("Attempts at a controlled shutdown with a ZooKeeper controller."),
    long_ms("controlled.shutdown.retry.backoff.ms", "5000").until({4, 0})
        .says("Pause between these attempts."),
    int_count("controller.quota.window.num", "11").at_least(1)
        .says("Number of samples kept for the quota of changes."),
    int_seconds("controller.quota.window.size.seconds", "1").at_least(1)
        .says("Length of one such sample."),
    int_ms("controller.socket.timeout.ms", "30000").at_least(1).used()
        .says("A request of a broker to the controller without an answer for so long has failed."),
    java_class("create.topic.policy.class.name", "null")
        .says("Class that may refuse new topics."),
    int_count("default.replication.factor", "1").at_least(1).used()
        .says("Number of replicas of a topic that is created without saying how many."),
    int_count("delete.records.purgatory.purge.interval.requests", "1")
        .says("Completed delete-records requests that may stay in memory before they are swept "
              "out."),
    flag("delete.topic.enable", "true")
        .says("Lets clients delete topics."),
    int_bytes("fetch.max.bytes", "57671680").at_least(1024).used().since({2, 5})
        .says("Most bytes of any fetch response of this broker, whatever the client asks for."),
    int_count("fetch.purgatory.purge.interval.requests", "1000")
        .says("Completed fetches that may stay in memory before they are swept out."),
    list("group.consumer.assignors", "uniform,range").since({3, 6})
        .says("Assignors of the new consumer group protocol; the first is the default."),
    int_ms("group.consumer.heartbeat.interval.ms", "5000").at_least(1).since({3, 6})
        .says("Heartbeat interval of members of consumer groups (KIP-848)."),
    int_ms("group.consumer.max.heartbeat.interval.ms", "15000").at_least(1).since({3, 6})
        .says("Longest heartbeat interval a consumer group may set."),
    int_ms("group.consumer.max.session.timeout.ms", "60000").at_least(1).since({3, 6})
        .says("Longest session timeout a consumer group may set."),
    int_count("group.consumer.max.size", "2147483647").at_least(1).since({3, 6})
        .says("Most members of one consumer group (KIP-848)."),
    choice("group.consumer.migration.policy", "bidirectional")
        .one_of("bidirectional|upgrade|downgrade|disabled").since({3, 8})
        .says("Which changes between the classic and the new group protocol are allowed."),
    int_ms("group.consumer.min.heartbeat.interval.ms", "5000").at_least(1).since({3, 6})
        .says("Shortest heartbeat interval a consumer group may set."),
    int_ms("group.consumer.min.session.timeout.ms", "45000").at_least(1).since({3, 6})
        .says("Shortest session timeout a consumer group may set."),
    int_ms("group.consumer.regex.refresh.interval.ms", "600000").at_least(10000).since({4, 1})
        .says("Time between two matches of a regular expression against the topics."),
    int_ms("group.consumer.session.timeout.ms", "45000").at_least(1).since({3, 6})
        .says("A member of a consumer group silent for so long is removed (KIP-848)."),
    int_ms("group.coordinator.append.linger.ms", "5").at_least(0).since({3, 8})
        .says("How long the group coordinator collects records before it writes them."),
    list("group.coordinator.rebalance.protocols", "classic,consumer,streams")
        .one_of("classic|consumer|streams|share").since({3, 7})
        .was_before({4, 1}, "classic,consumer")
        .says("Group protocols that the coordinator offers."),
    int_count("group.coordinator.threads", "4").at_least(1).since({3, 6})
        .says("Threads of the group coordinator."),
    int_ms("group.initial.rebalance.delay.ms", "3000")
        .says("How long the first rebalance of an empty group waits for more members."),
    int_ms("group.max.session.timeout.ms", "1800000")
        .says("Longest session timeout a member may ask for."),
    int_count("group.max.size", "2147483647").at_least(1).since({2, 2})
        .says("Most members of one group."),
    int_ms("group.min.session.timeout.ms", "6000")
        .says("Shortest session timeout a member may ask for."),
    list("group.share.assignors", "simple").since({4, 1})
        .says("Assignors of share groups."),
    int_count("group.share.delivery.count.limit", "5").at_least(2).at_most(10).since({3, 9})
        .says("How often a record of a share group is handed out before it is given up."),
    int_ms("group.share.heartbeat.interval.ms", "5000").at_least(1).since({3, 9})
        .says("Heartbeat interval of members of share groups."),
    int_count("group.share.max.share.sessions", "2000").at_least(1).since({4, 1})
        .says("Most share sessions on one broker."),
    int_count("group.share.max.size", "200").at_least(1).at_most(1000).since({3, 9})
        .says("Most members of one share group."),
    int_count("group.share.partition.max.record.locks", "2000").at_least(100).at_most(10000)
        .since({3, 9})
        .says("Most records of one partition that a share group may hold at a time."),
    int_ms("group.share.record.lock.duration.ms", "30000").at_least(1000).at_most(3600000)
        .since({3, 9})
        .says("How long a member of a share group may work on a record."),
    int_ms("group.share.session.timeout.ms", "45000").at_least(1).since({3, 9})
        .says("A member of a share group silent for so long is removed."),
    int_ms("initial.broker.registration.timeout.ms", "60000").at_least(1).used().since({2, 8})
        .says("A starting broker that could not register by then gives up and exits."),
    text("inter.broker.listener.name", "null").managed()
        .says("Listener that brokers use among themselves."),
    text("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT").managed()
        .says("Security protocol of each listener."),
    text("listeners", "PLAINTEXT://:9092").managed()
        .says("Addresses on which a broker listens."),
    long_ms("log.cleaner.backoff.ms", "15000").used().at_least(0)
        .says("Pause of the cleaner when no log needs it."),
    long_bytes("log.cleaner.dedupe.buffer.size", "134217728").used()
        .says("Memory for the key map of the cleaner."),
    long_ms("log.cleaner.delete.retention.ms", "86400000").used().at_least(0)
        .says("How long a compacted topic keeps deletion markers."),
    flag("log.cleaner.enable", "true").used()
        .says("Runs the cleaner of compacted topics."),
    real("log.cleaner.io.buffer.load.factor", "0.9").used()
        .says("How full the key map of the cleaner may get."),
    int_bytes("log.cleaner.io.buffer.size", "524288").used().at_least(0)
        .says("Read and write buffers of the cleaner."),
    real("log.cleaner.io.max.bytes.per.second", "1.7976931348623157E308").used()
        .says("Limit of the cleaner's reading and writing; the default is no limit."),
    long_ms("log.cleaner.max.compaction.lag.ms", "9223372036854775807").used().at_least(1)
        .says("Longest time a record may wait for compaction."),
    real("log.cleaner.min.cleanable.ratio", "0.5").used().at_least(0).at_most(1)
        .says("Part of a log that must be uncompacted before the cleaner takes it."),
    long_ms("log.cleaner.min.compaction.lag.ms", "0").used().at_least(0)
        .says("Shortest time a record stays uncompacted."),
    int_count("log.cleaner.threads", "1").used().at_least(0)
        .says("Threads that compact logs."),
    list("log.cleanup.policy", "delete").used().one_of("compact|delete")
        .says("What happens to old segments: deletion, compaction or both."),
    text("log.dir", "/tmp/kafka-logs").managed()
        .says("Directory of the logs."),
    long_ms("log.dir.failure.timeout.ms", "30000").at_least(1).used().since({3, 8})
        .says("A broker that cannot tell the controller about a failed log directory for so "
              "long exits."),
    text("log.dirs", "null").used()
        .says("Directories of the logs of a broker, separated by commas; the default is one, /data. "
              "Each may lie on a disk of its own."),
    long_count("log.flush.interval.messages", "9223372036854775807").at_least(1).used()
        .says("Forces a log to disk once this many records are unflushed; the default leaves it "
              "to the page cache."),
    long_ms("log.flush.interval.ms", "null").at_least(0)
        .says("Forces a log to disk once its oldest unflushed record is this old; null uses "
              "log.flush.scheduler.interval.ms."),
    int_ms("log.flush.offset.checkpoint.interval.ms", "60000").at_least(1).used()
        .says("Time between two writes of the recovery-point checkpoint."),
    long_ms("log.flush.scheduler.interval.ms", "9223372036854775807").at_least(1)
        .says("Time between two checks whether a log has to be flushed by time."),
    int_ms("log.flush.start.offset.checkpoint.interval.ms", "60000").at_least(0)
        .says("Time between two writes of the log-start checkpoint."),
    int_bytes("log.index.interval.bytes", "4096").used().at_least(0)
        .says("A new index entry is written after this many bytes."),
    int_bytes("log.index.size.max.bytes", "10485760").used().at_least(4)
        .says("Size of an offset index file; a full index rolls the segment."),
    long_ms("log.initial.task.delay.ms", "30000").at_least(0).used().since({3, 8})
        .says("Delay of the first run of every periodic log task."),
    long_bytes("log.local.retention.bytes", "-2")
        .says("Local part of a tiered log, in bytes; -2 means all of log.retention.bytes."),
    long_ms("log.local.retention.ms", "-2")
        .says("Local part of a tiered log, in time; -2 means all of log.retention.ms."),
    long_ms("log.message.timestamp.after.max.ms", "3600000").used().at_least(0).since({3, 6})
        .was_before({4, 0}, "9223372036854775807")
        .says("Refuses records whose timestamp lies further in the future."),
    long_ms("log.message.timestamp.before.max.ms", "9223372036854775807").used().at_least(0)
        .since({3, 6})
        .says("Refuses records whose timestamp lies further in the past."),
    choice("log.message.timestamp.type", "CreateTime").used().one_of("CreateTime|LogAppendTime")
        .says("Whose clock stamps a record: the producer's or the broker's."),
    flag("log.preallocate", "false").used()
        .says("Gives a new segment its full size on disk at once."),
    long_bytes("log.retention.bytes", "-1").used()
        .says("Deletes old segments of a partition above this size; -1 is no limit."),
    long_ms("log.retention.check.interval.ms", "300000").used().at_least(1)
        .says("Time between two looks for segments to delete."),
    int_hours("log.retention.hours", "168").used()
        .says("Age at which a segment is deleted, if neither minutes nor milliseconds are set."),
    int_minutes("log.retention.minutes", "null").used()
        .says("Age at which a segment is deleted, if milliseconds are not set."),
    long_ms("log.retention.ms", "null").used()
        .says("Age at which a segment is deleted; -1 is never."),
    int_hours("log.roll.hours", "168").used().at_least(1)
        .says("Age at which the active segment is closed, if log.roll.ms is not set."),
    int_hours("log.roll.jitter.hours", "0").used().at_least(0)
        .says("Random part of that age, if log.roll.jitter.ms is not set."),
    long_ms("log.roll.jitter.ms", "null").used().at_least(0)
        .says("Random part of that age."),
    long_ms("log.roll.ms", "null").used().at_least(1)
        .says("Age at which the active segment is closed."),
    int_bytes("log.segment.bytes", "1073741824").used().at_least_before({4, 0}, 14)
        .at_least(1048576)
        .says("The active segment is closed before it would become larger."),
    long_ms("log.segment.delete.delay.ms", "60000").used().at_least(0)
        .says("Time between the renaming of a deleted segment and the removal of its files."),
    int_count("max.connection.creation.rate", "2147483647").at_least(0).since({2, 7})
        .says("Most new connections in a second."),
    int_count("max.connections", "2147483647").at_least(0).since({2, 3})
        .says("Most connections to this broker."),
    int_count("max.connections.per.ip", "2147483647").at_least(0)
        .says("Most connections from one address."),
    text("max.connections.per.ip.overrides", "")
        .says("Exceptions to that limit."),
    int_count("max.incremental.fetch.session.cache.slots", "1000").at_least(0)
        .says("Most fetch sessions that a broker remembers."),
    int_bytes("message.max.bytes", "1048588").at_least(0).used()
        .says("Largest record batch that a topic accepts, after compression."),
    int_count("min.insync.replicas", "1").at_least(1).used()
        .says("Fewest replicas in sync with which a write with acks=all is accepted."),
    int_count("node.id", "-1").managed().since({2, 8})
        .says("Number of the node."),
    int_count("num.io.threads", "8").at_least(1).used()
        .says("Threads that work on requests."),
    int_count("num.network.threads", "3").at_least(1).used()
        .says("Threads that read requests from sockets and write responses, for each listener."),
    int_count("num.partitions", "1").at_least(1).used()
        .says("Number of partitions of a topic that is created without saying how many."),
    int_count("num.recovery.threads.per.data.dir", "2").at_least(1).was_before({4, 0}, "1")
        .says("Threads that recover logs after a crash, for each directory."),
    int_count("num.replica.alter.log.dirs.threads", "null")
        .says("Threads that move replicas between directories."),
    int_count("num.replica.fetchers", "1").at_least(1).used()
        .says("Fetcher threads for each broker that this one follows."),
    int_bytes("offset.metadata.max.bytes", "4096")
        .says("Most bytes of text with an offset commit."),
    int_ms("offsets.commit.timeout.ms", "5000").at_least(1)
        .says("An offset commit not replicated after this time fails."),
    int_bytes("offsets.load.buffer.size", "5242880").at_least(1)
        .says("Bytes read at a time when a coordinator loads its state."),
    long_ms("offsets.retention.check.interval.ms", "600000").at_least(1)
        .says("Time between two looks for expired offsets."),
    int_minutes("offsets.retention.minutes", "10080").at_least(1).was_before({2, 0}, "1440")
        .says("Offsets of a group without members are kept this long."),
    int_count("offsets.topic.compression.codec", "0")
        .says("Compression of the offsets topic, as a number."),
    int_count("offsets.topic.num.partitions", "50").at_least(1)
        .says("Partitions of the offsets topic."),
    int_count("offsets.topic.replication.factor", "3").at_least(1).at_most(32767)
        .says("Replicas of the offsets topic."),
    int_bytes("offsets.topic.segment.bytes", "104857600").at_least(1)
        .says("Segment size of the offsets topic."),
    list("process.roles", "null").one_of("broker|controller").managed().since({2, 8})
        .says("What a node is: broker, controller or both."),
    int_ms("producer.id.expiration.check.interval.ms", "600000").at_least(1).used()
        .says("Time between two looks for producer ids to forget."),
    int_ms("producer.id.expiration.ms", "86400000").at_least(1).used().since({3, 4})
        .says("A producer id that wrote nothing for so long is forgotten, and its sequence "
              "numbers with it."),
    int_count("producer.purgatory.purge.interval.requests", "1000")
        .says("Completed writes that may stay in memory before they are swept out."),
    long_bytes("queued.max.request.bytes", "-1")
        .says("Most bytes of waiting requests before the broker stops reading; -1 is no limit."),
    int_count("queued.max.requests", "500").at_least(1).used()
        .says("Waiting requests with which the network threads stop reading."),
    int_count("quota.window.num", "11").at_least(1)
        .says("Number of samples kept for client quotas."),
    int_seconds("quota.window.size.seconds", "1").at_least(1)
        .says("Length of one such sample."),
    int_ms("replica.fetch.backoff.ms", "1000").at_least(0).used()
        .says("Pause of a follower after a fetch error, and when it has nothing to fetch."),
    int_bytes("replica.fetch.max.bytes", "1048576").at_least(0).used()
        .says("Most bytes of one partition in a follower's fetch; a larger first batch is sent "
              "all the same."),
    int_bytes("replica.fetch.min.bytes", "1").at_least(0).used()
        .says("A follower's fetch is answered at once when this many bytes are there."),
    int_bytes("replica.fetch.response.max.bytes", "10485760").at_least(0).used()
        .says("Most bytes in one answer to a follower; a larger first batch is sent all the same."),
    int_ms("replica.fetch.wait.max.ms", "500").at_least(1).used()
        .says("Longest time a leader holds back a follower's fetch that finds nothing."),
    long_ms("replica.high.watermark.checkpoint.interval.ms", "5000").at_least(1).used()
        .says("Time between two writes of the high-watermark checkpoint."),
    long_ms("replica.lag.time.max.ms", "30000").at_least(2).used().was_before({2, 5}, "10000")
        .says("A follower that was not caught up with the leader for so long leaves the ISR."),
    java_class("replica.selector.class", "null").since({2, 4})
        .says("Class that sends consumers to a nearer replica."),
    int_bytes("replica.socket.receive.buffer.bytes", "65536")
        .says("Receive buffer of a follower's connection."),
    int_ms("replica.socket.timeout.ms", "30000").at_least(1).used()
        .says("A follower's fetch without an answer for so long has failed."),
    int_ms("request.timeout.ms", "30000").at_least(1).used()
        .says("A request of one broker to another without an answer for so long has failed."),
    int_count("share.coordinator.snapshot.update.records.per.snapshot", "500").at_least(0)
        .since({4, 0})
        .says("Updates between two snapshots of a share partition."),
    int_count("share.coordinator.state.topic.min.isr", "2").at_least(1).since({4, 0})
        .says("min.insync.replicas of the topic with the state of share groups."),
    int_count("share.coordinator.state.topic.num.partitions", "50").at_least(1).since({4, 0})
        .says("Partitions of that topic."),
    int_count("share.coordinator.state.topic.replication.factor", "3").at_least(1).since({4, 0})
        .says("Replicas of that topic."),
    long_ms("socket.connection.setup.timeout.max.ms", "30000").since({2, 7})
        .says("Longest time for the setup of a connection to another broker."),
    long_ms("socket.connection.setup.timeout.ms", "10000").since({2, 7})
        .says("First time limit for the setup of a connection to another broker."),
    int_count("socket.listen.backlog.size", "50").at_least(1).since({3, 3})
        .says("Connections waiting to be accepted."),
    int_bytes("socket.receive.buffer.bytes", "102400")
        .says("Receive buffer of a client's connection."),
    int_bytes("socket.request.max.bytes", "104857600").at_least(1)
        .says("Largest request a broker accepts."),
    int_bytes("socket.send.buffer.bytes", "102400")
        .says("Send buffer of a client's connection."),
    int_ms("transaction.abort.timed.out.transaction.cleanup.interval.ms", "10000").at_least(1)
        .says("Time between two looks for transactions that took too long."),
    int_ms("transaction.max.timeout.ms", "900000").at_least(1)
        .says("Longest transaction timeout a producer may ask for."),
    flag("transaction.partition.verification.enable", "true").since({3, 6})
        .says("Asks the coordinator before the first write of a transaction to a partition."),
    int_ms("transaction.remove.expired.transaction.cleanup.interval.ms", "3600000").at_least(1)
        .says("Time between two looks for transactional ids to forget."),
    int_bytes("transaction.state.log.load.buffer.size", "5242880").at_least(1)
        .says("Bytes read at a time when a transaction coordinator loads its state."),
    int_count("transaction.state.log.min.isr", "2").at_least(1)
        .says("min.insync.replicas of the transaction topic."),
    int_count("transaction.state.log.num.partitions", "50").at_least(1)
        .says("Partitions of the transaction topic."),
    int_count("transaction.state.log.replication.factor", "3").at_least(1).at_most(32767)
        .says("Replicas of the transaction topic."),
    int_bytes("transaction.state.log.segment.bytes", "104857600").at_least(1)
        .says("Segment size of the transaction topic."),
    flag("transaction.two.phase.commit.enable", "false").since({4, 1})
        .says("Lets producers prepare transactions for an outside coordinator."),
    int_ms("transactional.id.expiration.ms", "604800000").at_least(1)
        .says("A transactional id without use for so long is forgotten."),
    flag("unclean.leader.election.enable", "false").used()
        .says("Lets a replica outside the ISR become leader when no other can, at the price of "
              "losing records."),
    text("zookeeper.connect", "null").managed().until({4, 0})
        .says("Addresses of ZooKeeper."),
    int_ms("zookeeper.connection.timeout.ms", "null").until({4, 0})
        .says("Longest time to connect to ZooKeeper."),
    int_count("zookeeper.max.in.flight.requests", "10").at_least(1).until({4, 0})
        .says("Unanswered requests to ZooKeeper."),
    int_ms("zookeeper.session.timeout.ms", "18000").until({4, 0}).was_before({2, 5}, "6000")
        .says("A broker whose ZooKeeper session is silent for so long counts as dead."),
};
// clang-format on

}  // namespace

std::span<const Setting> broker_settings() { return kSettings; }

}  // namespace klab::types::detail
