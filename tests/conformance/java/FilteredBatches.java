// SPDX-License-Identifier: Apache-2.0
//
// What compaction leaves of a batch: fewer records, none at all, a delete horizon.

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.EndTransactionMarker;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecords.RecordFilter.BatchRetention;
import org.apache.kafka.common.record.MemoryRecords.RecordFilter.BatchRetentionResult;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;

final class FilteredBatches {
    private static final long NOW = WriteDirectories.NOW;
    private static final int EPOCH = 5;

    private FilteredBatches() { }

    static void write(WriteBatches out) throws IOException {
        for (CompressionType codec : CompressionType.values()) {
            MemoryRecords data = MemoryRecords.withIdempotentRecords(20,
                Compression.of(codec).build(), 77, (short) 1, 5, EPOCH,
                record("keep", "1"), record("drop", "2"), record("keep", "3"), record("gone", null));
            out.partition("filtered-" + codec.name,
                filter(data, false, record -> "keep".equals(text(record))),
                filter(data, false, record -> "gone".equals(text(record))), // a tombstone: horizon
                filter(data, false, record -> false));                     // empty, but retained
        }
        MemoryRecords marker = MemoryRecords.withEndTransactionMarker(30, NOW, EPOCH, 77, (short) 1,
            new EndTransactionMarker(ControlRecordType.COMMIT, 2));
        out.partition("filtered-marker",
            filter(marker, true, record -> true),    // its transaction has no data left: horizon
            filter(marker, true, record -> false));  // an empty control batch
    }

    private static MemoryRecords filter(MemoryRecords records, boolean hasEmptyTransaction,
                                        Predicate<Record> keep) {
        MemoryRecords.RecordFilter filter = new MemoryRecords.RecordFilter(NOW, 86_400_000) {
            @Override
            protected BatchRetentionResult checkBatchRetention(RecordBatch batch) {
                return new BatchRetentionResult(BatchRetention.RETAIN_EMPTY, hasEmptyTransaction);
            }

            @Override
            protected boolean shouldRetainRecord(RecordBatch batch, Record record) {
                return keep.test(record);
            }
        };
        ByteBuffer output = ByteBuffer.allocate(2048);
        ByteBuffer result =
            records.filterTo(filter, output, BufferSupplier.NO_CACHING).outputBuffer();
        result.flip();
        return MemoryRecords.readableRecords(result);
    }

    private static SimpleRecord record(String key, String value) {
        return WriteBatches.record(key, value == null ? null : WriteBatches.bytes(value));
    }

    private static String text(Record record) {
        return org.apache.kafka.common.utils.Utils.utf8(record.key());
    }
}
