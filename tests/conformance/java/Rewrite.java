// SPDX-License-Identifier: Apache-2.0
//
// Would Kafka have written the same bytes? Writes what was read once more with Kafka's builders and
// compares. Compressed batches are left out (the bytes of a codec are its library's own), and so
// are batches that a broker stamped with its own time (it changes them in place).

import java.nio.ByteBuffer;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;

final class Rewrite {
    private Rewrite() { }

    /** Null for a batch that this cannot be asked of. */
    static Boolean isSame(FileChannelRecordBatch batch) {
        if (batch.magic() != RecordBatch.MAGIC_VALUE_V2
                || batch.compressionType() != CompressionType.NONE
                || batch.timestampType() != TimestampType.CREATE_TIME) {
            return null;
        }
        ByteBuffer found = ByteBuffer.allocate(batch.sizeInBytes());
        batch.writeTo(found);
        found.flip();
        ByteBuffer written = batch.countOrNull() == 0 ? empty(batch) : filled(batch);
        return found.equals(written);
    }

    private static ByteBuffer empty(RecordBatch batch) {
        ByteBuffer buffer = ByteBuffer.allocate(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        DefaultRecordBatch.writeEmptyHeader(buffer, batch.magic(), batch.producerId(),
            batch.producerEpoch(), batch.baseSequence(), batch.baseOffset(), batch.lastOffset(),
            batch.partitionLeaderEpoch(), batch.timestampType(), batch.maxTimestamp(),
            batch.isTransactional(), batch.isControlBatch());
        buffer.flip();
        return buffer;
    }

    private static ByteBuffer filled(RecordBatch batch) {
        long horizon = batch.deleteHorizonMs().orElse(RecordBatch.NO_TIMESTAMP);
        ByteBufferOutputStream out = new ByteBufferOutputStream(batch.sizeInBytes());
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(out, batch.magic(), Compression.NONE,
            batch.timestampType(), batch.baseOffset(), RecordBatch.NO_TIMESTAMP, batch.producerId(),
            batch.producerEpoch(), batch.baseSequence(), batch.isTransactional(),
            batch.isControlBatch(), batch.partitionLeaderEpoch(), Integer.MAX_VALUE, horizon);
        for (Record record : batch) {
            SimpleRecord same = new SimpleRecord(record.timestamp(), record.key(), record.value(),
                                                 record.headers());
            if (batch.isControlBatch()) {
                builder.appendControlRecordWithOffset(record.offset(), same);
            } else {
                builder.appendWithOffset(record.offset(), same);
            }
        }
        builder.overrideLastOffset(batch.lastOffset());
        return builder.build().buffer();
    }

    /** The bytes of a record of the metadata log as Kafka writes them. */
    static ByteBuffer metadata(ApiMessageAndVersion message) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer =
            ByteBuffer.allocate(MetadataRecordSerde.INSTANCE.recordSize(message, cache));
        MetadataRecordSerde.INSTANCE.write(message, cache, new ByteBufferAccessor(buffer));
        buffer.flip();
        return buffer;
    }
}
