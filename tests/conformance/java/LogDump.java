// SPDX-License-Identifier: Apache-2.0
//
// The batches and records of a .log or .checkpoint file, read with Kafka's FileRecords. The names
// are those of `klab disk dump --format json`; keys and values are in hexadecimal digits.

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Iterator;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;

final class LogDump {
    private final Lines lines;
    private final boolean isMetadata;

    LogDump(Lines lines, boolean isMetadata) {
        this.lines = lines;
        this.isMetadata = isMetadata;
    }

    void dump(File file) throws IOException {
        FileRecords records = FileRecords.open(file, false);
        long position = 0;
        try {
            Iterator<FileChannelRecordBatch> batches = records.batches().iterator();
            while (batches.hasNext()) {
                FileChannelRecordBatch batch = batches.next();
                position = batch.position();
                lines.put(batchLine(batch));
                position += batch.sizeInBytes();
            }
            if (position < records.sizeInBytes()) {
                damage(position, "the last batch is not complete");
            }
        } catch (RuntimeException error) {
            damage(position, error.getClass().getSimpleName());
        } finally {
            records.closeHandlers();
        }
    }

    private void damage(long position, String what) {
        lines.put(lines.line("damage").put("position", position).put("what", what));
    }

    private ObjectNode batchLine(FileChannelRecordBatch batch) {
        ObjectNode line = lines.line("batch");
        boolean good = batch.isValid();
        line.put("position", batch.position());
        line.put("size", batch.sizeInBytes());
        line.put("magic", batch.magic());
        line.put("base_offset", batch.baseOffset());
        line.put("last_offset", batch.lastOffset());
        line.put("crc", batch.checksum());
        line.put("crc_valid", good);
        line.put("codec", batch.compressionType().name);
        line.put("timestamp_type", batch.timestampType().name);
        line.put("max_timestamp", batch.maxTimestamp());
        line.put("leader_epoch", unless(-1L, batch.partitionLeaderEpoch()));
        line.put("producer_id", unless(-1L, batch.producerId()));
        line.put("producer_epoch", unless(-1L, batch.producerEpoch()));
        line.put("base_sequence", unless(-1L, batch.baseSequence()));
        line.put("transactional", batch.isTransactional());
        line.put("control", batch.isControlBatch());
        line.put("count", batch.countOrNull());
        boolean hasHorizon = batch.deleteHorizonMs().isPresent();
        line.put("delete_horizon", hasHorizon ? batch.deleteHorizonMs().getAsLong() : null);
        if (good) {
            line.put("same_bytes", Rewrite.isSame(batch));
            ArrayNode records = line.putArray("records");
            for (Record record : batch) {
                records.add(recordLine(batch, record));
            }
        }
        return line;
    }

    private ObjectNode recordLine(RecordBatch batch, Record record) {
        ObjectNode line = Lines.object();
        line.put("offset", record.offset());
        line.put("timestamp", record.timestamp());
        line.put("key", Lines.hex(record.key()));
        line.put("value", Lines.hex(record.value()));
        ArrayNode headers = line.putArray("headers");
        for (Header header : record.headers()) {
            headers.addArray().add(header.key()).add(
                header.value() == null ? null : HexFormat.of().formatHex(header.value()));
        }
        String meaning = meaning(batch, record);
        if (meaning != null) {
            line.put("meaning", meaning);
        }
        return line;
    }

    /** The kind of a control or metadata record; null for any other. */
    private String meaning(RecordBatch batch, Record record) {
        if (batch.isControlBatch()) {
            return ControlRecordType.parse(record.key()).name();
        }
        if (!isMetadata || !record.hasValue()) {
            return null;
        }
        ByteBufferAccessor bytes = new ByteBufferAccessor(record.value());
        try {
            ApiMessageAndVersion message =
                MetadataRecordSerde.INSTANCE.read(bytes, record.valueSize());
            String name = message.message().getClass().getSimpleName();
            ByteBuffer written = Rewrite.metadata(message);
            return written.equals(record.value()) ? name
                : name + ", which Kafka writes as " + Lines.hex(written);
        } catch (RuntimeException error) {
            return "no metadata record: " + error;
        }
    }

    private static Long unless(long absent, long value) {
        return value == absent ? null : Long.valueOf(value);
    }
}
