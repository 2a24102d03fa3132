# SPDX-License-Identifier: Apache-2.0
"""The klab program for tests: run it, compare what it says with golden files.

usage of a test: TEST.py KLAB SOURCE_DIR [unittest arguments]. KLAB_REWRITE=1 rewrites goldens.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

KLAB = os.path.abspath(sys.argv[1]) if len(sys.argv) > 2 else ""
SOURCE = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
LESSON = "scenarios/lessons/04-acks/acks1-lost.json"

SMALL = {
    "klab": 1,
    "title": "one broker, two records",
    "seed": 3,
    "limit": "20s",
    "cluster": {"brokers": 1},
    "topics": [{"name": "t", "replicas": 1}],
    "clients": [{"producer": "p1", "topic": "t", "config": {"acks": "1"},
                 "send": {"count": 2, "every": "10ms", "to": "t-0"}}],
    "timeline": [{"id": "done", "when": {"client": "p1", "acked": 2}, "do": {"end": True}}],
    "expect": [{"that": "acked(p1) == 2"}],
}


def klab(*arguments, cwd=None, env=None, stdin=None):
    """Runs the program; gives the finished process with texts as bytes decoded."""
    environment = dict(os.environ, TERM="xterm")
    environment.pop("NO_COLOR", None)
    environment.update(env or {})
    done = subprocess.run([KLAB, *arguments], cwd=cwd or SOURCE, env=environment, timeout=240,
                          stdin=stdin or subprocess.DEVNULL, capture_output=True, check=False)
    done.stdout = done.stdout.decode("utf-8")
    done.stderr = done.stderr.decode("utf-8")
    return done


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own and scenarios made from SMALL."""

    maxDiff = None

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name

    def write(self, name, content):
        """Writes a file of the test's folder; returns its path."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        with open(path, "wb") as out:
            out.write(data)
        return path

    def scenario(self, name="small.json", **changes):
        """SMALL with changed members as a file."""
        return self.write(name, json.dumps(dict(SMALL, **changes), indent=2))

    def read(self, *parts):
        with open(os.path.join(self.folder, *parts), encoding="utf-8") as data:
            return data.read()

    def assert_exit(self, done, code):
        self.assertEqual(done.returncode, code, done.stdout[-3000:] + done.stderr[-3000:])

    def assert_golden(self, name, text):
        path = os.path.join(SOURCE, "tests/cli/golden", name)
        if os.environ.get("KLAB_REWRITE") == "1":
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        with open(path, encoding="utf-8") as wanted:
            self.assertEqual(wanted.read(), text, f"{name}; KLAB_REWRITE=1 rewrites it")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
