#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab reads log directories that Kafka's own classes have written, every byte of them.

KLAB_REWRITE=1 takes some of what was written as the new fixtures.
"""
import os

import fixtures
import reading
from conformance_test import ConformanceTest, main

DIRECTORIES = ("batches", "large", "broker", "crashed", "controller")


class KlabReadsKafka(ConformanceTest):
    @classmethod
    def setUpClass(cls):
        cls.written = os.path.join(cls.work, "written")
        cls.kafka.run("WriteDirectories", cls.written)
        if os.environ.get("KLAB_REWRITE") == "1":
            fixtures.rewrite(cls.written)
            fixtures.rewrite_expected(
                reading.dump_with_kafka(cls.kafka, cls.work, fixtures.paths()))

    def test_what_kafkas_builders_and_logs_write(self):
        paths = {name: os.path.join(self.written, name) for name in DIRECTORIES}
        by_kafka = reading.dump_with_kafka(self.kafka, self.work, paths)
        batches = 0
        for name, path in paths.items():
            with self.subTest(name):
                findings = reading.examine(self.klab, name, path, by_kafka[name],
                                           cuts={"truncated-0": 13})
                self.assert_nothing(findings.wrong(), name)
                self.assertEqual(findings.damage, {}, "Kafka's own bytes are whole")
                batches += findings.batches
        self.assertGreater(batches, 250)
        print(f"{batches} batches of Kafka's read by both")

    def test_fixtures_say_what_kafka_reads(self):
        by_kafka = reading.dump_with_kafka(self.kafka, self.work, fixtures.paths())
        self.assertEqual(fixtures.normal(by_kafka), fixtures.expected(),
                         "fixtures/expected.json is not what Kafka reads in fixtures/")


if __name__ == "__main__":
    main()
