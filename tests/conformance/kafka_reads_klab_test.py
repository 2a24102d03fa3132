#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kafka reads the disks of klab's runs: the same batches, records, offsets and checkpoints, nothing
that its dump tool complains about, and bytes that it would have written itself."""
import os

import reading
import runs
from conformance_test import ConformanceTest, main
from history import History

# Runs whose disks are damaged when they end, and where. Kafka must see the damage as well.
DAMAGED = {"powerless": "a torn tail, not recovered yet", "rotten": "one bit that turned",
           "f48-cleaner-death": "a bit of the batch format",
           "f48-cleaner-death-survives": "the same",
           "f44-bit-rot": "one bit that turned", "f44-bit-rot-copied-before": "the same",
           "f44-bit-rot-follower": "one bit that turned, on a follower",
           "preallocated": "zeros up to the full size of the active segment"}

# What must be among these disks, or the test shows less than it says.
WANTED = {"none", "gzip", "snappy", "lz4", "zstd", "control batch", "compacted", "truncated",
          "recovered from a torn write"}


class KafkaReadsKlab(ConformanceTest):
    def test_disks_of_every_run(self):
        folder = self.folder("scenarios")
        own = [(name, path, ()) for name, path in runs.write_own(folder).items()]
        self.disks, self.histories = {}, {}
        chosen = runs.library(self.klab.source) + own
        for name, file, options in chosen:
            self.export_all(name, file, options)
        by_kafka = reading.dump_with_kafka(self.kafka, self.work, self.disks)
        damaged, seen = set(), set()
        total = {"batches": 0, "records": 0, "rewrites": 0, "partitions": 0}
        for name, path in self.disks.items():
            run, node, _ = name.split("/")
            history = self.histories[run]
            with self.subTest(name):
                findings = reading.examine(self.klab, name, path, by_kafka[name],
                                           history.cuts(node, history.end_ns),
                                           history.torn(node, history.end_ns))
                self.assert_nothing(findings.wrong(), name)
                seen |= findings.kinds
                if findings.image is not None:
                    total["partitions"] += self.check_image(findings.image, history)
                if findings.damage:
                    kind = run.rstrip("-0123456789")
                    self.assertIn(kind, DAMAGED, f"{name}: damage at {findings.damage}")
                    damaged.add(kind)
                for what in ("batches", "records", "rewrites"):
                    total[what] += getattr(findings, what)
        self.assertEqual(damaged, set(DAMAGED), "damage that is not seen proves nothing")
        for history in self.histories.values():
            seen |= {"truncated" for node in history.disks if history.of(node, "log.truncated")}
            seen |= {"recovered from a torn write" for node in history.disks
                     for event in history.of(node, "log.recovered")
                     if event["fields"]["bytes_dropped"] > 0}
        self.assertEqual(WANTED - seen, set(), "absent from all these disks")
        self.assertGreaterEqual(len(chosen), 20)
        self.assertGreater(total["rewrites"], 5000)
        print(f"{len(chosen)} runs, {len(self.disks)} log directories, {total['batches']} batches "
              f"with {total['records']} records read by both; {total['rewrites']} batches are what "
              f"Kafka's builder writes, byte for byte; its metadata image has {total['partitions']} "
              "partitions as the runs left them")

    def check_image(self, image, history):
        """The metadata that Kafka replays are those that the run's events tell of."""
        committed = history.metadata()
        self.assertEqual(image, {name: committed.get(name) for name in image})
        return len(image)

    def export_all(self, run, file, options):
        """The disks of all nodes at the end of a run."""
        history = History(*self.klab.events(file, *options))
        self.histories[run] = history
        for node in history.disks:
            target = os.path.join(self.work, "disks", run, node)
            for i, path in enumerate(self.klab.export(file, node, target, options=options)):
                self.disks[f"{run}/{node}/{i}"] = path


if __name__ == "__main__":
    main()
