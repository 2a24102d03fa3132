// SPDX-License-Identifier: Apache-2.0
//
// A broker's log directory, written by Kafka's LogManager, UnifiedLog and Cleaner: several segments
// with their indexes, transactions, compaction, truncation, a moved log start, checkpoints.

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import kafka.log.LogManager;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.EndTransactionMarker;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;

final class WriteBroker {
    private static final long NOW = WriteDirectories.NOW;
    private static final long BROKER_EPOCH = 42;

    private final File directory;
    private final File crashed;
    private final StoppedTime time = new StoppedTime(NOW);
    private final Map<TopicPartition, Long> highWatermarks = new HashMap<>();
    private LogManager manager;
    private long topics = 0;

    /** `crashed` gets what lies in `directory` just before the stop. */
    WriteBroker(File directory, File crashed) {
        this.directory = directory;
        this.crashed = crashed;
    }

    void write() throws Exception {
        writeIdentity();
        manager = new Logs(time).open(directory, Logs.settings(Map.of(
            "internal.segment.bytes", "700", "index.interval.bytes", "150",
            "segment.index.bytes", "1200", "cleanup.policy", "delete,compact",
            "delete.retention.ms", "60000", "message.timestamp.after.max.ms", "100000000")));
        segments();
        producers();
        transactions();
        truncated();
        moved();
        compacted();
        manager.checkpointLogRecoveryOffsets();
        manager.checkpointLogStartOffsets();
        checkpoint("replication-offset-checkpoint", highWatermarks);
        copy(directory.toPath(), crashed.toPath());
        manager.shutdown(BROKER_EPOCH);
        Files.deleteIfExists(new File(directory, ".lock").toPath());
    }

    private void writeIdentity() throws IOException {
        MetaProperties identity = new MetaProperties.Builder()
            .setVersion(MetaPropertiesVersion.V1).setClusterId(new Uuid(1, 2).toString())
            .setNodeId(1).setDirectoryId(new Uuid(3, 4)).build();
        PropertiesUtils.writePropertiesFile(identity.toProperties(),
            new File(directory, MetaPropertiesEnsemble.META_PROPERTIES_NAME).getPath(), false);
    }

    // ---- the logs

    /** Many small batches in three leader epochs, so many segments. */
    private void segments() throws IOException {
        UnifiedLog log = log("segments");
        for (int i = 0; i < 30; ++i) {
            int epoch = i < 10 ? 0 : i < 20 ? 1 : 4;
            append(log, epoch, Compression.NONE, record(i, "k" + i, "value " + i));
        }
    }

    private void producers() throws IOException {
        UnifiedLog log = log("producers");
        CompressionType[] codecs = CompressionType.values();
        for (int i = 0; i < 15; ++i) {
            Compression codec = Compression.of(codecs[i % codecs.length]).build();
            log.appendAsLeader(MemoryRecords.withIdempotentRecords(codec, 100 + i % 3, (short) 2,
                2 * (i / 3), record(i, "a", "1"), record(i, "b", "2")), 0);
        }
    }

    /** A committed, an aborted and an open transaction, interleaved. */
    private void transactions() throws IOException {
        UnifiedLog log = log("transactions");
        long[] sequences = new long[4];
        for (int round = 0; round < 6; ++round) {
            for (int producer = 1; producer <= 3; ++producer) {
                log.appendAsLeader(MemoryRecords.withTransactionalRecords(Compression.NONE, producer,
                    (short) 0, (int) sequences[producer]++, record(round, "t", "p" + producer)), 0);
            }
            if (round % 2 == 1) {
                mark(log, 1, ControlRecordType.ABORT);
                mark(log, 2, ControlRecordType.COMMIT);
            }
        }
    }

    private void mark(UnifiedLog log, long producer, ControlRecordType type) throws IOException {
        log.appendAsLeader(MemoryRecords.withEndTransactionMarker(NOW + log.logEndOffset(),
            producer, (short) 0, new EndTransactionMarker(type, 7)), 0, AppendOrigin.COORDINATOR);
        log.updateHighWatermark(log.logEndOffset());
    }

    /** A follower that cut its log and went on in another epoch. */
    private void truncated() throws IOException {
        UnifiedLog log = log("truncated");
        for (int i = 0; i < 20; ++i) {
            append(log, i < 12 ? 2 : 3, Compression.NONE, record(i, "k", "value " + i));
        }
        log.updateHighWatermark(5);
        log.truncateTo(13);
        append(log, 5, Compression.NONE, record(50, "k", "after the cut"));
    }

    /** Records were deleted up to an offset inside a segment. */
    private void moved() throws IOException {
        UnifiedLog log = log("moved");
        for (int i = 0; i < 20; ++i) {
            append(log, 0, Compression.NONE, record(i, "k", "value " + i));
        }
        log.updateHighWatermark(log.logEndOffset());
        log.maybeIncrementLogStartOffset(11,
            LogStartOffsetIncrementReason.ClientRecordDeletion);
        log.deleteOldSegments();
    }

    /** Compacted twice: overwritten keys, tombstones with a delete horizon, retained markers. */
    private void compacted() throws Exception {
        UnifiedLog log = log("compacted");
        for (int i = 0; i < 24; ++i) {
            append(log, 0, i % 2 == 0 ? Compression.NONE
                                      : Compression.of(CompressionType.ZSTD).build(),
                   record(i, "k" + i % 5, "value " + i), record(i, "once-" + i % 9, "x" + i));
        }
        append(log, 0, Compression.NONE, new SimpleRecord(NOW, WriteBatches.bytes("k1"), null));
        log.appendAsLeader(MemoryRecords.withTransactionalRecords(Compression.NONE, 9, (short) 0, 0,
            record(1, "k2", "in a transaction")), 0);
        mark(log, 9, ControlRecordType.COMMIT);
        log.updateHighWatermark(log.logEndOffset());
        log.roll();
        Cleaner cleaner = new Cleaner(0, new SkimpyOffsetMap(100_000), 4096, 4096, 0.9,
            new Throttler(Double.MAX_VALUE, Long.MAX_VALUE, "cleaner-io", "bytes", time), time,
            partition -> { });
        long clean = cleaner.clean(new LogToClean(log, 0, log.activeSegment().baseOffset(), false))
            .getKey();
        append(log, 0, Compression.NONE, record(70, "k3", "newest"));
        log.updateHighWatermark(log.logEndOffset());
        log.roll();
        clean = cleaner.clean(new LogToClean(log, clean, log.activeSegment().baseOffset(), false))
            .getKey();
        checkpoint("cleaner-offset-checkpoint", Map.of(log.topicPartition(), clean));
    }

    // ---- what the logs are made of

    private UnifiedLog log(String topic) {
        ++topics;
        return manager.getOrCreateLog(new TopicPartition(topic, 0), true, false,
            Optional.of(new Uuid(0x6b6c6162, topics)), scala.Option.empty());
    }

    private void append(UnifiedLog log, int epoch, Compression codec, SimpleRecord... records)
            throws IOException {
        log.appendAsLeader(MemoryRecords.withRecords(codec, records), epoch);
        highWatermarks.put(log.topicPartition(), log.highWatermark());
    }

    private static SimpleRecord record(int milliseconds, String key, String value) {
        return new SimpleRecord(NOW + milliseconds, WriteBatches.bytes(key),
                                WriteBatches.bytes(value));
    }

    private void checkpoint(String name, Map<TopicPartition, Long> offsets) throws IOException {
        new OffsetCheckpointFile(new File(directory, name), new LogDirFailureChannel(1))
            .write(offsets);
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(from)) {
            paths = tree.toList();
        }
        for (Path path : paths) {
            Path target = to.resolve(from.relativize(path).toString());
            if (Files.isDirectory(path)) {
                Files.createDirectories(target);
            } else if (!path.endsWith(".lock")) {
                Files.copy(path, target);
            }
        }
    }
}
