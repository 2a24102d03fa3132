// SPDX-License-Identifier: Apache-2.0
//
// Replays the metadata log of a directory into Kafka's MetadataImage, as a broker does, and says
// what brokers and partitions there are in the end.

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.loader.MetadataBatchLoader;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.server.common.ApiMessageAndVersion;

final class MetadataReplay {
    private final Lines lines;
    private MetadataImage image = MetadataImage.EMPTY;

    MetadataReplay(Lines lines) {
        this.lines = lines;
    }

    /** The segments of one log, in order, from offset 0 on. */
    void replay(List<File> segments) throws IOException {
        MetadataBatchLoader loader = new MetadataBatchLoader(new LogContext(), new StoppedTime(0),
            (message, cause) -> {
                throw new IllegalStateException(message, cause);
            },
            (delta, newImage, manifest) -> image = newImage);
        for (File segment : segments) {
            FileRecords records = FileRecords.open(segment, false);
            for (FileChannelRecordBatch batch : records.batches()) {
                if (!batch.isControlBatch()) {
                    loader.loadBatch(decode(batch), LeaderAndEpoch.UNKNOWN);
                }
            }
            records.closeHandlers();
        }
        loader.maybeFlushBatches(LeaderAndEpoch.UNKNOWN, true);
        image.cluster().brokers().values().forEach(this::putBroker);
        for (TopicImage topic : image.topics().topicsByName().values()) {
            topic.partitions().forEach((number, partition) ->
                putPartition(topic.name() + "-" + number, partition));
        }
    }

    private static Batch<ApiMessageAndVersion> decode(FileChannelRecordBatch batch) {
        List<ApiMessageAndVersion> messages = new ArrayList<>();
        for (Record record : batch) {
            messages.add(MetadataRecordSerde.INSTANCE.read(new ByteBufferAccessor(record.value()),
                                                           record.valueSize()));
        }
        return Batch.data(batch.baseOffset(), batch.partitionLeaderEpoch(), batch.maxTimestamp(),
                          batch.sizeInBytes(), messages);
    }

    private void putBroker(BrokerRegistration broker) {
        lines.put(lines.line("image_broker").put("broker", broker.id())
            .put("broker_epoch", broker.epoch()).put("fenced", broker.fenced()));
    }

    private void putPartition(String name, PartitionRegistration partition) {
        ObjectNode line = lines.line("image_partition").put("partition", name);
        line.put("leader", partition.leader);
        line.put("leader_epoch", partition.leaderEpoch);
        line.put("partition_epoch", partition.partitionEpoch);
        addAll(line.putArray("isr"), partition.isr);
        addAll(line.putArray("replicas"), partition.replicas);
        lines.put(line);
    }

    private static void addAll(ArrayNode array, int[] numbers) {
        for (int number : numbers) {
            array.add(number);
        }
    }
}
