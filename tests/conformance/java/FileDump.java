// SPDX-License-Identifier: Apache-2.0
//
// Everything of a log directory that is no log: indexes, producer snapshots, checkpoints and
// identity files, each read with the class of Kafka that a broker reads it with.

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.File;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Properties;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadata;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile;
import org.apache.kafka.storage.internals.log.AbortedTxn;
import org.apache.kafka.storage.internals.log.BatchMetadata;
import org.apache.kafka.storage.internals.log.EpochEntry;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.apache.kafka.storage.internals.log.OffsetPosition;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.apache.kafka.storage.internals.log.TimestampOffset;
import org.apache.kafka.storage.internals.log.TransactionIndex;

final class FileDump {
    private final Lines lines;
    private final LogDirFailureChannel failures = new LogDirFailureChannel(1);

    FileDump(Lines lines) {
        this.lines = lines;
    }

    /** False for a file of a kind that Kafka has no reader for. */
    boolean dump(File file) throws IOException {
        String name = file.getName();
        if (name.endsWith(".index")) {
            offsetIndex(file);
        } else if (name.endsWith(".timeindex")) {
            timeIndex(file);
        } else if (name.endsWith(".txnindex")) {
            transactionIndex(file);
        } else if (name.endsWith(".snapshot")) {
            producers(file);
        } else if (name.endsWith("-offset-checkpoint")) {
            offsets(file);
        } else if (name.equals("leader-epoch-checkpoint")) {
            epochs(file);
        } else if (name.equals("partition.metadata")) {
            partitionMetadata(file);
        } else if (name.equals("meta.properties")) {
            metaProperties(file);
        } else if (name.equals("quorum-state")) {
            quorumState(file);
        } else if (name.equals(CleanShutdownFileHandler.CLEAN_SHUTDOWN_FILE_NAME)) {
            cleanShutdown(file);
        } else {
            return false;
        }
        return true;
    }

    private static long base(File file) {
        return Long.parseLong(file.getName().substring(0, file.getName().indexOf('.')));
    }

    /** Entries up to the first unwritten one: an index that is in use is as long as it may grow. */
    private void offsetIndex(File file) throws IOException {
        OffsetIndex index = new OffsetIndex(file, base(file), -1, false);
        for (int i = 0; i < index.entries(); ++i) {
            OffsetPosition entry = index.entry(i);
            if (entry.offset == index.baseOffset() && entry.position == 0) {
                break;
            }
            lines.put(lines.line("offset_index").put("offset", entry.offset)
                .put("position", entry.position));
        }
        index.closeHandler();
    }

    private void timeIndex(File file) throws IOException {
        TimeIndex index = new TimeIndex(file, base(file), -1, false);
        for (int i = 0; i < index.entries(); ++i) {
            TimestampOffset entry = index.entry(i);
            if (entry.offset == index.baseOffset() && entry.timestamp == 0) {
                break;
            }
            lines.put(lines.line("time_index").put("timestamp", entry.timestamp)
                .put("offset", entry.offset));
        }
        index.closeHandler();
    }

    private void transactionIndex(File file) throws IOException {
        TransactionIndex index = new TransactionIndex(base(file), file);
        for (AbortedTxn aborted : index.allAbortedTxns()) {
            lines.put(lines.line("aborted").put("producer_id", aborted.producerId())
                .put("first_offset", aborted.firstOffset())
                .put("last_offset", aborted.lastOffset())
                .put("last_stable_offset", aborted.lastStableOffset()));
        }
        index.close();
    }

    private void producers(File file) throws IOException {
        for (ProducerStateEntry entry : ProducerStateManager.readSnapshot(file)) {
            lines.put(producer(lines.line("producer"), entry));
        }
    }

    /** Adds what is known of a producer. */
    static ObjectNode producer(ObjectNode line, ProducerStateEntry entry) {
        line.put("producer_id", entry.producerId());
        line.put("producer_epoch", entry.producerEpoch());
        line.put("coordinator_epoch", entry.coordinatorEpoch());
        line.put("timestamp", entry.lastTimestamp());
        OptionalLong open = entry.currentTxnFirstOffset();
        line.put("open_transaction", open.isPresent() ? open.getAsLong() : null);
        BatchMetadata last = null;
        for (BatchMetadata batch : entry.batchMetadata()) {
            last = batch;
        }
        line.put("last_sequence", last == null ? -1 : last.lastSeq);
        line.put("last_offset", last == null ? -1 : last.lastOffset);
        line.put("offset_delta", last == null ? 0 : last.offsetDelta);
        return line;
    }

    private void offsets(File file) throws IOException {
        for (var entry : new OffsetCheckpointFile(file, failures).read().entrySet()) {
            TopicPartition partition = entry.getKey();
            lines.put(lines.line("checkpoint").put("partition", partition.toString())
                .put("offset", entry.getValue()));
        }
    }

    private void epochs(File file) throws IOException {
        for (EpochEntry entry : new LeaderEpochCheckpointFile(file, failures).read()) {
            lines.put(lines.line("epoch").put("epoch", entry.epoch)
                .put("start_offset", entry.startOffset));
        }
    }

    private void partitionMetadata(File file) {
        PartitionMetadata metadata = new PartitionMetadataFile(file, failures).read();
        lines.put(lines.line("partition_metadata").put("version", metadata.version())
            .put("topic_id", metadata.topicId().toString()));
    }

    private void metaProperties(File file) throws IOException {
        Properties properties = PropertiesUtils.readPropertiesFile(file.getAbsolutePath());
        MetaProperties meta = new MetaProperties.Builder(properties).build();
        ObjectNode line = lines.line("meta_properties").put("version", meta.version().number());
        line.put("cluster_id", meta.clusterId().orElse(null));
        line.put("node_id", meta.nodeId().isPresent() ? meta.nodeId().getAsInt() : null);
        line.put("directory_id", meta.directoryId().map(Object::toString).orElse(null));
        lines.put(line);
    }

    private void quorumState(File file) {
        ElectionState state = new FileQuorumStateStore(file).readElectionState().orElseThrow();
        ObjectNode line = lines.line("quorum_state").put("epoch", state.epoch());
        line.put("leader", state.leaderIdOrSentinel());
        line.put("voted", state.hasVoted() ? state.votedKey().id() : -1);
        ArrayNode voters = line.putArray("voters");
        state.toQuorumStateData((short) 0).currentVoters().forEach(v -> voters.add(v.voterId()));
        lines.put(line);
    }

    private void cleanShutdown(File file) {
        OptionalLong epoch = new CleanShutdownFileHandler(file.getParent()).read();
        lines.put(lines.line("clean_shutdown").put("broker_epoch",
            epoch.isPresent() ? epoch.getAsLong() : null));
    }
}
