// SPDX-License-Identifier: Apache-2.0
//
// The control records of KRaft, each in a batch of its own.

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.message.KRaftVersionRecord;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.LeaderChangeMessage.Voter;
import org.apache.kafka.common.message.SnapshotFooterRecord;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.raft.VoterSet;

final class ControlBatches {
    private static final long NOW = WriteDirectories.NOW;
    private static final int EPOCH = 6;

    private ControlBatches() { }

    static void write(WriteBatches out) throws IOException {
        VoterSet voters = VoterSet.fromInetSocketAddresses(new ListenerName("CONTROLLER"), Map.of(
            1, InetSocketAddress.createUnresolved("k1", 9093),
            2, InetSocketAddress.createUnresolved("k2", 9093)));
        out.partition("control",
            MemoryRecords.withLeaderChangeMessage(0, NOW, EPOCH, buffer(), leaderChange(1, 1, 2, 3)),
            MemoryRecords.withSnapshotHeaderRecord(1, NOW, EPOCH, buffer(),
                new SnapshotHeaderRecord().setVersion((short) 0).setLastContainedLogTimestamp(NOW)),
            MemoryRecords.withSnapshotFooterRecord(2, NOW, EPOCH, buffer(),
                new SnapshotFooterRecord().setVersion((short) 0)),
            MemoryRecords.withKRaftVersionRecord(3, NOW, EPOCH, buffer(),
                new KRaftVersionRecord().setVersion((short) 0).setKRaftVersion((short) 1)),
            MemoryRecords.withVotersRecord(4, NOW, EPOCH, buffer(),
                voters.toVotersRecord((short) 0)));
    }

    /** The first record of a leader's epoch; every voter but the last has granted its vote. */
    static LeaderChangeMessage leaderChange(int leader, Integer... voters) {
        List<Voter> all = java.util.Arrays.stream(voters)
            .map(id -> new Voter().setVoterId(id)).toList();
        return new LeaderChangeMessage().setVersion((short) 0).setLeaderId(leader).setVoters(all)
            .setGrantingVoters(all.subList(0, all.size() - 1));
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(512);
    }
}
