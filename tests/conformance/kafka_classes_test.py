#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The other tests skip only without Java and Maven, and run nothing but the pinned jars."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import kafka_classes

HERE = os.path.dirname(os.path.abspath(__file__))


class KafkaClasses(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_without_java(self, tools):
        """Runs a test with only these (empty) tools on the PATH."""
        for tool in tools:
            path = os.path.join(self.folder, tool)
            with open(path, "w", encoding="utf-8") as script:
                script.write("#!/bin/sh\nexit 1\n")
            os.chmod(path, 0o755)
        return subprocess.run(
            [sys.executable, "-B", os.path.join(HERE, "restart_test.py"), "klab", ".", self.folder],
            env={"PATH": self.folder}, capture_output=True, text=True, check=False)

    def test_no_java_is_a_skip_and_says_so(self):
        done = self.run_without_java(["mvn"])
        self.assertEqual(done.returncode, kafka_classes.SKIPPED)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertIn("SKIPPED, no java and no javac on the PATH", done.stdout)

    def test_java_without_jars_is_a_failure(self):
        done = self.run_without_java(["java", "javac", "mvn"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("Maven did not bring the jars", done.stderr)

    def test_another_jar_is_refused(self):
        expected = kafka_classes.expected_jars()
        for name in expected:
            with open(os.path.join(self.folder, name), "wb") as jar:
                jar.write(b"something else")
        wrong = kafka_classes.wrong_jars(self.folder)
        self.assertEqual(len(wrong), len(expected))
        self.assertRegex(wrong[0], "has sha256 [0-9a-f]{64}, jars.sha256 says [0-9a-f]{64}")
        os.remove(os.path.join(self.folder, min(expected)))
        with open(os.path.join(self.folder, "unknown.jar"), "wb"):
            pass
        wrong = kafka_classes.wrong_jars(self.folder)
        self.assertIn(f"{min(expected)} is absent", wrong)
        self.assertIn("unknown.jar is not listed in jars.sha256", wrong)

    def test_every_jar_of_the_pom_has_its_hash(self):
        space = "{http://maven.apache.org/POM/4.0.0}"
        pom = ElementTree.parse(kafka_classes.POM).getroot()
        kafka = pom.find(f"{space}properties/{space}kafka.version").text
        named = set()
        for jar in pom.iter(f"{space}dependency"):
            artifact, version = (jar.find(space + tag).text for tag in ("artifactId", "version"))
            named.add(f"{artifact}-{version.replace('${kafka.version}', kafka)}.jar")
            self.assertIsNotNone(jar.find(f"{space}exclusions"), f"{artifact} may bring others")
        self.assertEqual(named, set(kafka_classes.expected_jars()))


if __name__ == "__main__":
    unittest.main()
