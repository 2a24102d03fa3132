// SPDX-License-Identifier: Apache-2.0
//
// usage: DumpDirectory LIST OUT
//
// LIST has one "NAME PATH" a line. Reads every file of these log directories with Kafka's own
// classes and its dump tool; OUT gets one JSON object a line.

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.apache.kafka.metadata.bootstrap.BootstrapDirectory;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.Snapshots;

public final class DumpDirectory {
    private final Lines lines;
    private final DumpTool tool;
    private final FileDump files;

    private DumpDirectory(Lines lines) {
        this.lines = lines;
        this.tool = new DumpTool(lines);
        this.files = new FileDump(lines);
    }

    public static void main(String[] arguments) throws IOException {
        try (Lines lines = new Lines(Path.of(arguments[1]))) {
            DumpDirectory dump = new DumpDirectory(lines);
            for (String entry : Files.readAllLines(Path.of(arguments[0]))) {
                String[] nameAndPath = entry.split(" ", 2);
                dump.directory(nameAndPath[0], Path.of(nameAndPath[1]));
            }
        }
    }

    private void directory(String name, Path root) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(root)) {
            paths = tree.filter(Files::isRegularFile).sorted().toList();
        }
        List<File> metadata = new ArrayList<>();
        for (Path path : paths) {
            lines.about(name, root.relativize(path).toString());
            file(path.toFile());
            if (path.toString().endsWith(".log") && isMetadata(path.toFile())) {
                metadata.add(path.toFile());
            }
        }
        if (!metadata.isEmpty()) {
            lines.about(name, "");
            replay(metadata);
        }
    }

    private void replay(List<File> segments) {
        try {
            new MetadataReplay(lines).replay(segments);
        } catch (Exception error) { // what Kafka throws is the finding
            lines.refused("replay", error);
        }
    }

    private static boolean isMetadata(File file) {
        return file.getName().endsWith(".checkpoint")
            || file.getParentFile().getName().startsWith("__cluster_metadata-");
    }

    private void file(File file) {
        String name = file.getName();
        try {
            if (name.endsWith(Snapshots.SUFFIX)
                    && !name.equals(BootstrapDirectory.BINARY_BOOTSTRAP_FILENAME)) {
                OffsetAndEpoch id = Snapshots.parse(file.toPath()).orElseThrow().snapshotId();
                lines.put(lines.line("snapshot").put("end_offset", id.offset())
                    .put("epoch", id.epoch()));
            }
            if (name.endsWith(".log") || name.endsWith(".checkpoint")) {
                new LogDump(lines, isMetadata(file)).dump(file);
            } else if (!files.dump(file)) {
                lines.put(lines.line("unknown"));
            }
        } catch (Exception error) { // what Kafka throws is the finding
            lines.refused("read", error);
        }
        tool.dump(file, isMetadata(file));
    }
}
