// SPDX-License-Identifier: Apache-2.0
//
// Kafka's own kafka-dump-log (DumpLogSegments), called in this process for one file, and what it
// printed.

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import kafka.tools.DumpLogSegments;
import org.apache.kafka.common.utils.Exit;
import scala.Console;
import scala.runtime.BoxedUnit;

final class DumpTool {
    private final Lines lines;

    DumpTool(Lines lines) {
        this.lines = lines;
        Exit.setExitProcedure((code, message) -> {
            throw new IllegalStateException("the tool ended with " + code + ": " + message);
        });
    }

    /** Every way in which the tool can look at the file. */
    void dump(File file, boolean isMetadata) {
        String name = file.getName();
        if (name.endsWith(".log") || name.endsWith(".checkpoint")) {
            if (isMetadata) {
                run(file, "--cluster-metadata-decoder", "--deep-iteration");
            } else {
                run(file, "--deep-iteration", "--print-data-log");
            }
        } else if (name.endsWith(".index") || name.endsWith(".timeindex")) {
            run(file, "--verify-index-only");
            run(file, "--index-sanity-check");
        } else if (name.endsWith(".snapshot") || name.endsWith(".txnindex")) {
            run(file);
        }
    }

    private void run(File file, String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("--files");
        arguments.add(file.getPath());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream before = System.err;
        Throwable thrown = null;
        try (PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            System.setErr(errors);
            Console.withOut(out, () -> {
                DumpLogSegments.main(arguments.toArray(new String[0]));
                return BoxedUnit.UNIT;
            });
        } catch (Throwable error) { // what Kafka throws is the finding
            thrown = error;
        } finally {
            System.setErr(before);
        }
        ObjectNode line = lines.line("tool").put("options", String.join(" ", options));
        addLines(line.putArray("out"), out);
        addLines(line.putArray("err"), err);
        line.put("thrown", thrown == null ? null : thrown.toString());
        lines.put(line);
    }

    private static void addLines(ArrayNode array, ByteArrayOutputStream text) {
        text.toString(StandardCharsets.UTF_8).lines().forEach(array::add);
    }
}
