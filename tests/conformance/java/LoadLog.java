// SPDX-License-Identifier: Apache-2.0
//
// usage: LoadLog LIST OUT
//
// LIST has one "NAME NOW PATH" a line: a log directory that may be changed, and the time in
// milliseconds that the broker's clock shows. Starts a broker's logs on it, recovery included, and
// says what it found; what it left on disk can be looked at afterwards.

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import kafka.log.LogManager;
import kafka.raft.KafkaMetadataLog;
import org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler;
import org.apache.kafka.storage.internals.log.EpochEntry;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.UnifiedLog;

public final class LoadLog {
    /** Small indexes: thousands of files of 10 MiB take their time. */
    private static final Map<String, String> SETTINGS = Map.of("segment.index.bytes", "24000");

    private final Lines lines;
    private final StoppedTime time = new StoppedTime(0);
    private final Logs logs = new Logs(time);

    private LoadLog(Lines lines) {
        this.lines = lines;
    }

    public static void main(String[] arguments) throws IOException {
        try (Lines lines = new Lines(Path.of(arguments[1]))) {
            LoadLog load = new LoadLog(lines);
            for (String entry : Files.readAllLines(Path.of(arguments[0]))) {
                String[] parts = entry.split(" ", 3);
                load.time.set(Long.parseLong(parts[1]));
                load.directory(parts[0], new File(parts[2]).getAbsoluteFile());
            }
        }
    }

    private void directory(String name, File directory) {
        lines.about(name, "");
        boolean isClean = new CleanShutdownFileHandler(directory.getPath()).exists();
        try {
            LogManager manager = logs.open(directory, Logs.settings(SETTINGS));
            lines.put(lines.line("log_dir").put("live", manager.liveLogDirs().size())
                .put("clean", isClean));
            for (UnifiedLog log : Logs.all(manager)) {
                lines.put(log(log));
                log.close();
            }
        } catch (Throwable error) { // what Kafka throws is the finding
            lines.refused("load", error);
        }
        File metadata = new File(directory, Logs.METADATA.toString());
        if (metadata.isDirectory()) {
            try {
                metadataLog(logs.openMetadata(metadata));
            } catch (Throwable error) { // what Kafka throws is the finding
                lines.refused("load metadata", error);
            }
        }
    }

    private ObjectNode log(UnifiedLog log) throws IOException {
        ObjectNode line = lines.line("loaded");
        line.put("partition", log.topicPartition().toString());
        line.put("directory", log.dir().getName());
        line.put("topic_id", log.topicId().map(Object::toString).orElse(null));
        line.put("log_start", log.logStartOffset());
        line.put("log_end", log.logEndOffset());
        line.put("recovery_point", log.recoveryPoint());
        line.put("last_stable", log.lastStableOffset());
        ArrayNode epochs = line.putArray("epochs");
        for (EpochEntry entry : log.leaderEpochCache().epochEntries()) {
            epochs.addArray().add(entry.epoch).add(entry.startOffset);
        }
        ArrayNode segments = line.putArray("segments");
        for (LogSegment segment : log.logSegments()) {
            segments.addObject().put("base", segment.baseOffset()).put("size", segment.size())
                .put("offset_entries", segment.offsetIndex().entries())
                .put("time_entries", segment.timeIndex().entries())
                .put("max_timestamp", segment.maxTimestampSoFar());
        }
        ArrayNode wrong = line.putArray("wrong_lookups");
        Lookups.check(log).forEach(wrong::add);
        ArrayNode producers = line.putArray("producers");
        for (ProducerStateEntry entry : log.producerStateManager().activeProducers().values()) {
            producers.add(FileDump.producer(Lines.object(), entry));
        }
        return line;
    }

    private void metadataLog(KafkaMetadataLog log) {
        ObjectNode line = lines.line("loaded_metadata");
        line.put("log_start", log.startOffset());
        line.put("log_end", log.endOffset().offset());
        line.put("last_epoch", log.lastFetchedEpoch());
        line.put("snapshot", log.latestSnapshotId().map(Object::toString).orElse(null));
        lines.put(line);
        log.close();
    }
}
