// SPDX-License-Identifier: Apache-2.0
//
// Opens logs as a broker and a controller do: Kafka's LogManager over a log directory,
// KafkaMetadataLog over __cluster_metadata-0.

import java.io.File;
import java.util.Map;
import java.util.Properties;

import kafka.log.LogManager;
import kafka.raft.KafkaMetadataLog;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

final class Logs {
    static final TopicPartition METADATA = new TopicPartition("__cluster_metadata", 0);

    private static final int DAY_MS = 86_400_000;
    private static final int MINUTES_10_MS = 600_000;

    private final StoppedTime time;
    private final AtOnceScheduler scheduler = new AtOnceScheduler();

    Logs(StoppedTime time) {
        this.time = time;
    }

    /** The topic settings given, on top of Kafka's defaults. */
    static LogConfig settings(Map<String, String> changes) {
        Properties properties = new Properties();
        properties.putAll(changes);
        return new LogConfig(properties);
    }

    /** A broker's start as far as its logs: the clean marker, the checkpoints, every partition. */
    LogManager open(File directory, LogConfig settings) {
        LogManager manager = new LogManager(
            sequence(directory), sequence(), resource -> new Properties(), settings,
            new CleanerConfig(false), /* recoveryThreadsPerDataDir */ 1, Long.MAX_VALUE,
            Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, /* maxTransactionTimeoutMs */ 900_000,
            new ProducerStateManagerConfig(DAY_MS, false), MINUTES_10_MS, scheduler,
            new BrokerTopicStats(), new LogDirFailureChannel(1), time,
            /* remoteStorageSystemEnable */ false, Long.MAX_VALUE);
        manager.loadLogs(settings, scala.collection.immutable.Map$.MODULE$.empty(), log -> false);
        return manager;
    }

    static Iterable<UnifiedLog> all(LogManager manager) {
        return CollectionConverters.asJava(manager.allLogs());
    }

    /** The metadata log as a controller opens it. */
    KafkaMetadataLog openMetadata(File partitionDirectory) {
        AbstractConfig defaults =
            new AbstractConfig(MetadataLogConfig.CONFIG_DEF, Map.of(), /* doLog */ false);
        return KafkaMetadataLog.apply(METADATA, Uuid.METADATA_TOPIC_ID, partitionDirectory, time,
                                      scheduler, new MetadataLogConfig(defaults), /* nodeId */ 1);
    }

    private static Seq<File> sequence(File... files) {
        return CollectionConverters.asScala(java.util.List.of(files)).toList();
    }
}
