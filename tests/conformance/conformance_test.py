# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share: arguments, folders, Kafka and klab.

usage of a test: TEST.py KLAB SOURCE_DIR BUILD_DIR [unittest arguments]
"""
import os
import shutil
import sys
import unittest

from kafka_classes import Kafka, NotToBeHad, skip_without_java
from klab_disks import Klab


class ConformanceTest(unittest.TestCase):
    """A test with klab, Kafka and an empty folder that stays after a failure."""

    maxDiff = None
    klab = None
    kafka = None
    work = None

    def folder(self, *names):
        path = os.path.join(self.work, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def assert_nothing(self, lines, what):
        if lines:
            self.fail(f"{what}: {len(lines)} findings\n  " + "\n  ".join(lines[:40]))


def main(needs_java=True):
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if needs_java:
        skip_without_java()
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    base = os.path.join(os.path.abspath(sys.argv[3]), "conformance")
    ConformanceTest.work = os.path.join(base, name)
    shutil.rmtree(ConformanceTest.work, ignore_errors=True)
    os.makedirs(ConformanceTest.work)
    ConformanceTest.klab = Klab(sys.argv[1], sys.argv[2])
    if needs_java:
        try:
            ConformanceTest.kafka = Kafka(base)
        except NotToBeHad as problem:
            sys.exit(f"conformance: {problem}")
    program = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False)
    if program.result.wasSuccessful():
        shutil.rmtree(ConformanceTest.work, ignore_errors=True)
    sys.exit(0 if program.result.wasSuccessful() else 1)
