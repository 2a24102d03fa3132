// SPDX-License-Identifier: Apache-2.0
//
// usage: WriteDirectories OUT
//
// Makes log directories with Kafka's own classes, for klab to read:
//
//     OUT/batches      one partition a kind of batch, made with MemoryRecordsBuilder
//     OUT/large        batches of more than one compressed block
//     OUT/broker       a broker's log directory after an orderly stop
//     OUT/crashed      the same just before: indexes at full length, no clean marker
//     OUT/controller   a controller's: metadata log, snapshot, quorum state
//
// All of it is the same every time: the clock stands still and ids are fixed.

import java.io.File;
import java.io.IOException;

public final class WriteDirectories {
    /** 2024-01-01T00:00:00Z. */
    static final long NOW = 1_704_067_200_000L;

    private WriteDirectories() { }

    public static void main(String[] arguments) throws Exception {
        File out = new File(arguments[0]).getAbsoluteFile();
        WriteBatches.writeAll(folder(out, "batches"));
        WriteBatches.writeLarge(folder(out, "large"));
        new WriteBroker(folder(out, "broker"), folder(out, "crashed")).write();
        new WriteController(folder(out, "controller")).write();
    }

    private static File folder(File parent, String name) throws IOException {
        File folder = new File(parent, name);
        if (!folder.mkdirs()) {
            throw new IOException(folder + " exists already");
        }
        return folder;
    }
}
