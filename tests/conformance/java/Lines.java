// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this folder say: one JSON object a line, with the folder and the file it is
// about, so that a script can compare it with what `klab disk dump --format json` says.

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import org.apache.kafka.common.utils.Utils;

final class Lines implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final PrintStream out;
    private String folder = "";
    private String file = "";

    Lines(Path path) throws IOException {
        out = new PrintStream(Files.newOutputStream(path), false, StandardCharsets.UTF_8);
    }

    /** All lines from now on are about this file of this folder. */
    void about(String folderName, String fileName) {
        folder = folderName;
        file = fileName;
    }

    ObjectNode line(String kind) {
        return MAPPER.createObjectNode().put("folder", folder).put("file", file).put("kind", kind);
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    void put(ObjectNode line) {
        out.println(line);
    }

    /** Something that Kafka refused with an exception. */
    void refused(String what, Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        put(line("refused").put("what", what).put("error", error.toString())
            .put("trace", trace.toString()));
    }

    /** Bytes as hexadecimal digits; null stays null. */
    static String hex(ByteBuffer bytes) {
        return bytes == null ? null : HexFormat.of().formatHex(Utils.toArray(bytes.duplicate()));
    }

    @Override
    public void close() {
        out.close();
    }
}
