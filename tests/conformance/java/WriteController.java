// SPDX-License-Identifier: Apache-2.0
//
// A controller's log directory, written by KafkaMetadataLog and the classes of KRaft around it: the
// metadata of a small cluster, a snapshot of them, the quorum state, the identity.

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Set;

import kafka.raft.KafkaMetadataLog;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.NoOpRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.metadata.UnregisterBrokerRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.metadata.bootstrap.BootstrapDirectory;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.internals.BatchAccumulator;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.RecordsSnapshotWriter;

final class WriteController {
    private static final int EPOCH = 1;
    private static final Uuid TOPIC = new Uuid(0x6b6c6162, 99);

    private final File directory;
    private final StoppedTime time = new StoppedTime(WriteDirectories.NOW);

    WriteController(File directory) {
        this.directory = directory;
    }

    void write() throws IOException {
        PropertiesUtils.writePropertiesFile(
            new MetaProperties.Builder().setVersion(MetaPropertiesVersion.V1)
                .setClusterId(new Uuid(1, 2).toString()).setNodeId(3000)
                .setDirectoryId(new Uuid(5, 6)).build().toProperties(),
            new File(directory, MetaPropertiesEnsemble.META_PROPERTIES_NAME).getPath(), false);
        new BootstrapDirectory(directory.getPath()).writeBinaryFile(
            BootstrapMetadata.fromVersion(MetadataVersion.latestProduction(), "klab's test"));
        File partition = new File(directory, Logs.METADATA.toString());
        KafkaMetadataLog log = new Logs(time).openMetadata(partition);
        writeLog(log);
        writeSnapshot(log);
        log.close();
        new FileQuorumStateStore(new File(partition, FileQuorumStateStore.DEFAULT_FILE_NAME))
            .writeElectionState(ElectionState.withElectedLeader(
                EPOCH, 3000, java.util.Optional.empty(), Set.of(3000, 3001, 3002)),
                KRaftVersion.KRAFT_VERSION_0);
    }

    private void writeLog(KafkaMetadataLog log) {
        BatchAccumulator<ApiMessageAndVersion> batches = new BatchAccumulator<>(EPOCH, 0, 0, 8192,
            10, MemoryPool.NONE, time, Compression.NONE, MetadataRecordSerde.INSTANCE);
        batches.appendLeaderChangeMessage(
            ControlBatches.leaderChange(3000, 3000, 3001, 3002), time.milliseconds());
        batches.append(EPOCH, clusterRecords(), false);
        batches.append(EPOCH, laterRecords(), false);
        batches.forceDrain();
        batches.drain().forEach(batch -> log.appendAsLeader(batch.data, EPOCH));
        log.flush(true);
    }

    private void writeSnapshot(KafkaMetadataLog log) {
        log.updateHighWatermark(new LogOffsetMetadata(log.endOffset().offset()));
        OffsetAndEpoch end = new OffsetAndEpoch(log.endOffset().offset(), EPOCH);
        try (RecordsSnapshotWriter<ApiMessageAndVersion> writer = new RecordsSnapshotWriter.Builder()
                .setTime(time).setLastContainedLogTimestamp(time.milliseconds())
                .setMaxBatchSize(8192).setKraftVersion(KRaftVersion.KRAFT_VERSION_0)
                .setRawSnapshotWriter(log.createNewSnapshotUnchecked(end).orElseThrow())
                .build(MetadataRecordSerde.INSTANCE)) {
            writer.append(clusterRecords());
            writer.freeze();
        }
    }

    private static List<ApiMessageAndVersion> clusterRecords() {
        RegisterBrokerRecord.BrokerEndpoint endpoint = new RegisterBrokerRecord.BrokerEndpoint()
            .setName("PLAINTEXT").setHost("b1").setPort(9092).setSecurityProtocol((short) 0);
        RegisterBrokerRecord.BrokerFeature feature = new RegisterBrokerRecord.BrokerFeature()
            .setName(MetadataVersion.FEATURE_NAME).setMinSupportedVersion((short) 7)
            .setMaxSupportedVersion((short) 27);
        return List.of(
            versioned(new FeatureLevelRecord().setName(MetadataVersion.FEATURE_NAME)
                .setFeatureLevel(MetadataVersion.latestProduction().featureLevel()), 0),
            versioned(new RegisterControllerRecord().setControllerId(3000)
                .setIncarnationId(new Uuid(7, 8)), 0),
            versioned(new RegisterBrokerRecord().setBrokerId(1).setBrokerEpoch(5)
                .setIncarnationId(new Uuid(9, 10)).setFenced(false).setRack("rack-a")
                .setLogDirs(List.of(new Uuid(3, 4)))
                .setEndPoints(new RegisterBrokerRecord.BrokerEndpointCollection(
                    List.of(endpoint).iterator()))
                .setFeatures(new RegisterBrokerRecord.BrokerFeatureCollection(
                    List.of(feature).iterator())), 3),
            versioned(new TopicRecord().setName("orders").setTopicId(TOPIC), 0),
            versioned(new PartitionRecord().setPartitionId(0).setTopicId(TOPIC)
                .setReplicas(List.of(1, 2)).setIsr(List.of(1, 2)).setLeader(1)
                .setDirectories(List.of(new Uuid(3, 4), new Uuid(11, 12))), 1),
            versioned(new ConfigRecord().setResourceType((byte) 2).setResourceName("orders")
                .setName("min.insync.replicas").setValue("2"), 0),
            versioned(new ProducerIdsRecord().setBrokerId(1).setBrokerEpoch(5)
                .setNextProducerId(1000), 0));
    }

    private static List<ApiMessageAndVersion> laterRecords() {
        return List.of(
            versioned(new PartitionChangeRecord().setPartitionId(0).setTopicId(TOPIC)
                .setIsr(List.of(1)).setLeader(1), 0),
            versioned(new PartitionChangeRecord().setPartitionId(0).setTopicId(TOPIC)
                .setIsr(List.of()).setEligibleLeaderReplicas(List.of(1))
                .setLastKnownElr(List.of(2)), 2),
            versioned(new BrokerRegistrationChangeRecord().setBrokerId(1).setBrokerEpoch(5)
                .setFenced((byte) 1).setInControlledShutdown((byte) 1), 1),
            versioned(new NoOpRecord(), 0),
            versioned(new RemoveTopicRecord().setTopicId(TOPIC), 0),
            versioned(new UnregisterBrokerRecord().setBrokerId(1).setBrokerEpoch(5), 0));
    }

    private static ApiMessageAndVersion versioned(ApiMessage message, int version) {
        return new ApiMessageAndVersion(message, (short) version);
    }
}
