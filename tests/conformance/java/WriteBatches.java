// SPDX-License-Identifier: Apache-2.0
//
// Batches of every kind that Kafka's builders make, each kind in a partition of its own.

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.EndTransactionMarker;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.common.record.TimestampType;

final class WriteBatches {
    private static final long NOW = WriteDirectories.NOW;
    private static final int EPOCH = 3;

    private final File root;

    private WriteBatches(File root) {
        this.root = root;
    }

    static void writeAll(File root) throws IOException {
        WriteBatches write = new WriteBatches(root);
        for (CompressionType codec : CompressionType.values()) {
            write.everyShapeOfRecord(codec);
        }
        write.timestamps();
        write.producers();
        write.gaps();
        write.oldFormats();
        FilteredBatches.write(write);
        ControlBatches.write(write);
    }

    static void writeLarge(File root) throws IOException {
        WriteBatches write = new WriteBatches(root);
        Random random = new Random(7);
        byte[] noise = new byte[150_000];
        random.nextBytes(noise);
        byte[] pattern = new byte[200_000];
        for (int i = 0; i < pattern.length; ++i) {
            pattern[i] = (byte) ("klab ".charAt(i % 5) + i / 60_000);
        }
        for (CompressionType codec : CompressionType.values()) {
            Compression compression = Compression.of(codec).build();
            write.partition("large-" + codec.name,
                MemoryRecords.withRecords(0, compression, EPOCH, record("noise", noise)),
                MemoryRecords.withRecords(1, compression, EPOCH, record("pattern", pattern),
                                          record("both", join(pattern, noise))));
        }
    }

    // ---- kinds of batches

    /** Null and empty keys and values, headers, many records: once for each codec. */
    private void everyShapeOfRecord(CompressionType codec) throws IOException {
        Compression compression = Compression.of(codec).build();
        Header[] headers = {
            new RecordHeader("trace", bytes("a1")), new RecordHeader("trace", null),
            new RecordHeader("", new byte[0]), new RecordHeader("gr\u00fc\u00dfe", bytes("\u2713"))};
        SimpleRecord[] many = new SimpleRecord[12];
        for (int i = 0; i < many.length; ++i) {
            many[i] = new SimpleRecord(NOW + i, bytes("key-" + i % 7), bytes("value-" + i * i));
        }
        partition("codec-" + codec.name,
            MemoryRecords.withRecords(0, compression, EPOCH,
                new SimpleRecord(NOW, bytes("key"), bytes("value")),
                new SimpleRecord(NOW + 1, null, bytes("no key")),
                new SimpleRecord(NOW + 2, bytes("no value"), null),
                new SimpleRecord(NOW + 3, null, (byte[]) null),
                new SimpleRecord(NOW + 4, new byte[0], new byte[0])),
            MemoryRecords.withRecords(5, compression, EPOCH,
                new SimpleRecord(NOW + 5, bytes("headers"), bytes("four"), headers)),
            MemoryRecords.withRecords(6, compression, EPOCH, many));
    }

    private void timestamps() throws IOException {
        partition("timestamps",
            MemoryRecords.withRecords(0, Compression.NONE, EPOCH, // going back, and none at all
                new SimpleRecord(NOW + 500, bytes("a"), bytes("1")),
                new SimpleRecord(NOW, bytes("b"), bytes("2")),
                new SimpleRecord(RecordBatch.NO_TIMESTAMP, bytes("c"), bytes("3"))),
            stampedByTheBroker(),
            MemoryRecords.withRecords(4, Compression.NONE, EPOCH,
                new SimpleRecord(RecordBatch.NO_TIMESTAMP, bytes("d"), bytes("4"))),
            MemoryRecords.withRecords(5, Compression.NONE, EPOCH,
                new SimpleRecord(0, bytes("e"), bytes("1970")),
                new SimpleRecord(Long.MAX_VALUE, bytes("f"), bytes("far away"))));
    }

    private static MemoryRecords stampedByTheBroker() {
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(512),
            RecordBatch.MAGIC_VALUE_V2, Compression.NONE, TimestampType.LOG_APPEND_TIME, 3, NOW + 9,
            EPOCH);
        builder.append(record("append", bytes("time")));
        return builder.build();
    }

    private void producers() throws IOException {
        short epoch = 4;
        Compression none = Compression.NONE;
        partition("idempotent",
            MemoryRecords.withIdempotentRecords(0, none, 1001, epoch, 0, EPOCH,
                record("a", bytes("1")), record("b", bytes("2"))),
            MemoryRecords.withIdempotentRecords(2, none, 1001, epoch, Integer.MAX_VALUE, EPOCH,
                record("last sequence", bytes("3")), record("sequence 0", bytes("4"))));
        partition("transactions",
            MemoryRecords.withTransactionalRecords(0, none, 2002, epoch, 0, EPOCH,
                record("a", bytes("committed"))),
            MemoryRecords.withEndTransactionMarker(1, NOW, EPOCH, 2002, epoch,
                new EndTransactionMarker(ControlRecordType.COMMIT, 9)),
            MemoryRecords.withTransactionalRecords(2, Compression.of(CompressionType.LZ4).build(),
                2002, epoch, 1, EPOCH, record("b", bytes("aborted"))),
            MemoryRecords.withEndTransactionMarker(3, NOW + 1, EPOCH, 2002, (short) (epoch + 1),
                new EndTransactionMarker(ControlRecordType.ABORT, 10)));
    }

    /** Batches with holes between their records, and an offset far into the segment. */
    private void gaps() throws IOException {
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(512),
            RecordBatch.MAGIC_VALUE_V2, Compression.NONE, TimestampType.CREATE_TIME, 100, NOW, EPOCH);
        builder.appendWithOffset(103, record("third", bytes("3")));
        builder.appendWithOffset(107, record("seventh", bytes("7")));
        builder.overrideLastOffset(109);
        partition("gaps", builder.build(),
            MemoryRecords.withRecords(Integer.MAX_VALUE - 1L, Compression.NONE, EPOCH,
                record("far", bytes("1")), record("farther", bytes("2"))));
    }

    /** Messages of format 0 and 1: alone, and wrapped into a compressed message. */
    private void oldFormats() throws IOException {
        for (byte magic : new byte[] {RecordBatch.MAGIC_VALUE_V0, RecordBatch.MAGIC_VALUE_V1}) {
            for (CompressionType codec : new CompressionType[] {CompressionType.NONE,
                CompressionType.GZIP, CompressionType.SNAPPY, CompressionType.LZ4}) {
                partition("format" + magic + "-" + codec.name,
                    MemoryRecords.withRecords(magic, 10, Compression.of(codec).build(),
                        TimestampType.CREATE_TIME, record("a", bytes("old")),
                        record(null, bytes("no key")), record("c", null)),
                    MemoryRecords.withRecords(magic, 13, Compression.of(codec).build(),
                        TimestampType.CREATE_TIME, record("d", bytes("next"))));
            }
        }
    }

    // ---- what the kinds are made of

    /** A partition whose only segment holds these records. */
    void partition(String topic, MemoryRecords... contents) throws IOException {
        File directory = new File(root, topic + "-0");
        Files.createDirectory(directory.toPath());
        long base = contents[0].batches().iterator().next().baseOffset();
        File segment = new File(directory, String.format("%020d.log", base));
        try (var channel = java.nio.channels.FileChannel.open(segment.toPath(),
                java.nio.file.StandardOpenOption.CREATE_NEW,
                java.nio.file.StandardOpenOption.WRITE)) {
            for (MemoryRecords records : contents) {
                records.writeFullyTo(channel);
            }
        }
    }

    static SimpleRecord record(String key, byte[] value) {
        return new SimpleRecord(NOW, key == null ? null : bytes(key), value);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
