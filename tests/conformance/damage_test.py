#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The other tests of this folder can fail: one damage at a time to the disk of a running broker, and
each is reported, at its file. The untouched disk has nothing to report."""
import os
import shutil

import reading
import runs
from conformance_test import ConformanceTest, main
from history import History

CUT = "cut-off"  # a run whose b1 truncated a log, and went on
PARTITIONS = {"segments": "t-0", CUT: "t-1"}


def content_of(path):
    with open(path, "rb") as data:
        return bytearray(data.read())


def write(path, content):
    with open(path, "wb") as out:
        out.write(content)


def add(path, at, amount):
    """Adds to one byte."""
    content = content_of(path)
    content[at] = (content[at] + amount) % 256
    write(path, content)


def put(path, at, new):
    content = content_of(path)
    content[at:at + len(new)] = new
    write(path, content)


def used(path):
    return len(content_of(path).rstrip(b"\0"))


def first_entry(path, size):
    return bytes(content_of(path)[:size])


# What is done to a file. Of an index in use: ENTRY entries lie in it, then zeros.
INDEX = {
    "an offset": lambda path: add(path, 3, 1),
    "a position": lambda path: add(path, 7, 1),
    "a hole": lambda path: put(path, 0, bytes(8)),
    "an entry twice": lambda path: put(path, 8, first_entry(path, 8)),
    "something in the empty part": lambda path: put(path, used(path) + 160, b"\1"),
    "an entry too many": lambda path: put(path, (used(path) + 7) // 8 * 8, b"\0\0\0\1\0\0\0\1"),
    "a broken end": lambda path: write(path, content_of(path) + b"\0\0\0"),
}
TIME_INDEX = {
    "a timestamp": lambda path: add(path, 7, 1),
    "an offset": lambda path: add(path, 11, 1),
    "a hole": lambda path: put(path, 0, bytes(12)),
    "times that fall": lambda path: add(path, 4, 1),
    "something in the empty part": lambda path: put(path, used(path) + 240, b"\1"),
    "a broken end": lambda path: write(path, content_of(path) + b"\0\0\0"),
}
CLOSED = {
    "zeros behind the entries": lambda path: write(path, content_of(path) + bytes(24)),
    "an offset": lambda path: add(path, -5 if path.endswith(".index") else -1, 1),
}
LOG = {
    "a bit in a record": lambda path: add(path, 70, 1),
    "a tail": lambda path: write(path, content_of(path) + b"\0" * 100),
    "half a batch": lambda path: write(path, content_of(path)[:-10]),
}


class Damage(ConformanceTest):
    def setUp(self):
        self.disks, self.damaged, self.histories = {}, {}, {}
        paths = runs.write_own(self.folder("scenarios"))
        for run in ("segments", CUT):
            self.histories[run] = History(*self.klab.events(paths[run]))
            [self.disks[run]] = self.klab.export(
                paths[run], "b1", os.path.join(self.work, "disks", run))

    def test_each_damage_is_reported(self):
        self.damage_all("segments", self.in_use("segments", ".index"), INDEX)
        self.damage_all("segments", self.in_use("segments", ".timeindex"), TIME_INDEX)
        for suffix in (".index", ".timeindex"):
            self.damage_all("segments", self.closed("segments", suffix), CLOSED)
        self.damage_all("segments", self.in_use("segments", ".log"), LOG)
        # Only what lies behind the cut may be old; the first entries lie before it.
        names = ("an offset", "a position")
        self.damage_all(CUT, self.in_use(CUT, ".index"), {name: INDEX[name] for name in names})
        names = ("a timestamp", "an offset")
        self.damage_all(CUT, self.in_use(CUT, ".timeindex"),
                        {name: TIME_INDEX[name] for name in names})
        cuts = {run: history.cuts("b1", history.end_ns) for run, history in self.histories.items()}
        self.assertIn(os.path.dirname(self.in_use(CUT, ".index")), cuts[CUT], "b1 has cut nothing")
        by_kafka = reading.dump_with_kafka(self.kafka, self.work, self.disks)
        for name, path in self.disks.items():
            with self.subTest(name):
                run = name.split("/")[0]
                findings = reading.examine(self.klab, name, path, by_kafka[name], cuts[run])
                if name in self.damaged:
                    file = self.damaged[name]
                    said = [line for line in findings.wrong() if file in line]
                    self.assertTrue(said or file in findings.damage, f"{name} is not seen")
                else:
                    self.assert_nothing(findings.wrong(), name)
                    self.assertEqual(findings.damage, {})
        print(f"{len(self.damaged)} damages, each reported")

    def damage_all(self, run, file, damages):
        for what, damage in damages.items():
            name = f"{run}/{file}/{what}".replace(" ", "-")
            copy = os.path.join(self.work, "damaged", str(len(self.damaged)))
            shutil.copytree(self.disks[run], copy)
            damage(os.path.join(copy, file))
            self.assertNotEqual(content_of(os.path.join(copy, file)),
                                content_of(os.path.join(self.disks[run], file)), name)
            self.disks[name] = copy
            self.damaged[name] = file

    def files(self, run, suffix):
        """Files of a partition with entries or batches in them, the active segment's last."""
        partition = PARTITIONS[run]
        folder = os.path.join(self.disks[run], partition)
        return [f"{partition}/{name}" for name in sorted(os.listdir(folder))
                if name.endswith(suffix) and used(os.path.join(folder, name)) > 8]

    def in_use(self, run, suffix):
        return self.files(run, suffix)[-1]

    def closed(self, run, suffix):
        return self.files(run, suffix)[0]


if __name__ == "__main__":
    main()
