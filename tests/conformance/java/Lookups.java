// SPDX-License-Identifier: Apache-2.0
//
// Asks an open log for every offset and every timestamp in it, and compares with what a scan of the
// files gives: the answers come by way of the indexes.

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.common.record.FileRecords.TimestampAndOffset;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.UnifiedLog;

final class Lookups {
    private final UnifiedLog log;
    private final List<Record> records = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    private Lookups(UnifiedLog log) {
        this.log = log;
    }

    /** What was answered wrongly, a sentence each. */
    static List<String> check(UnifiedLog log) throws IOException {
        Lookups lookups = new Lookups(log);
        for (LogSegment segment : log.logSegments()) {
            for (RecordBatch batch : segment.log().batches()) {
                lookups.add(batch);
            }
        }
        for (Record record : lookups.records) {
            lookups.checkOffset(record.offset());
            lookups.checkTimestamp(record.timestamp());
        }
        return lookups.wrong;
    }

    private void add(RecordBatch batch) {
        for (Record record : batch) {
            if (record.offset() >= log.logStartOffset()) {
                records.add(record);
            }
        }
    }

    private void checkOffset(long offset) throws IOException {
        RecordBatch first = log.read(offset, 1, FetchIsolation.LOG_END, /* minOneMessage */ true)
            .records.batches().iterator().next();
        if (first.baseOffset() > offset || first.lastOffset() < offset) {
            wrong.add("a read at " + offset + " begins with the batch " + first.baseOffset() + ".."
                      + first.lastOffset());
        }
    }

    private void checkTimestamp(long timestamp) {
        if (timestamp < 0) {
            return; // negative numbers ask for something else
        }
        Long expected = null;
        for (Record record : records) {
            if (record.timestamp() >= timestamp) {
                expected = record.offset();
                break;
            }
        }
        Optional<TimestampAndOffset> found =
            log.fetchOffsetByTimestamp(timestamp, Optional.empty()).timestampAndOffsetOpt();
        Long offset = found.map(place -> place.offset).orElse(null);
        if (!expected.equals(offset)) {
            wrong.add("time " + timestamp + " is found at " + offset + " instead of " + expected);
        }
    }
}
