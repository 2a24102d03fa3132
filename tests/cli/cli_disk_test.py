#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab disk: a node's disk as real files, and what stands in the files of a data directory."""
import json
import os
import random
import struct

from klab_program import LESSON, ProgramTest, klab, main

SEGMENT = "data/t-0/00000000000000000000.log"


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Disk(ProgramTest):
    def exported(self, name="b1", *arguments):
        folder = os.path.join(self.folder, name)
        done = klab("disk", "export", LESSON, "--node", name, "-o", folder, *arguments)
        self.assert_exit(done, 0)
        return folder

    def items(self, path, code=0):
        done = klab("disk", "dump", path, "--format", "json")
        self.assert_exit(done, code)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_the_disk_of_an_instant(self):
        # At 150 ms the leader has appended eight records, and later ten and more.
        early = [i for i in self.items(self.exported("b1", "--at", "150ms")) if i["kind"] == "batch"]
        self.assertEqual([b["base_offset"] for b in early], list(range(8)))
        self.assertTrue(all(b["crc_valid"] for b in early))
        self.assertEqual(early[3]["records"][0]["value"], "p1:3")
        text = klab("disk", "dump", os.path.join(self.folder, "b1"), "-v").stdout
        self.assertIn('value "p1:7"', text)
        self.assertIn("0 damaged places", text)

    def test_what_the_timeline_does_at_an_instant_is_done(self):
        # Nothing else happens at 4 s, nor for a while after it.
        off = {"id": "off", "when": {"at": "2s"}, "do": {"power_off": ["b1"]}}
        on = {"id": "on", "when": {"at": "4s"}, "do": {"restart": "b1"}}
        end = {"id": "done", "when": {"at": "9s"}, "do": {"end": True}}
        file = self.scenario(timeline=[off, on, end], expect=[])
        told = klab("export", file, "--to", "jsonl", "--until", "4s").stdout.splitlines()
        self.assertEqual([event["time_ns"] for event in map(json.loads, told[1:])
                          if event["kind"] == "node.booted"][-1], 4_000_000_000)

    def test_metadata_records_are_named(self):
        done = klab("disk", "dump", self.exported("k1"), "-v")
        self.assert_exit(done, 0)
        for word in ("LeaderChange", "RegisterBrokerRecord", "PartitionRecord", "PartitionChangeRecord"):
            self.assertIn(word, done.stdout)

    def test_a_torn_tail_and_a_flipped_bit_are_damage(self):
        folder = self.exported("b1", "--at", "150ms")
        path = os.path.join(folder, SEGMENT)
        data = bytearray(bytes_of(path))
        data[100] ^= 1
        self.write(os.path.relpath(path, self.folder), bytes(data[:-5]))
        items = self.items(path, code=1)
        self.assertEqual([i["base_offset"] for i in items if i.get("crc_valid") is False], [1])
        self.assertIn("is cut after", [i for i in items if i["kind"] == "damage"][0]["what"])

    def test_files_of_any_kafka(self):
        entry = struct.pack(">ii", 5, 5120)
        self.write("t-0/00000000000000368796.index", entry + bytes(16))
        self.write("t-0/00000000000000368796.timeindex", struct.pack(">qi", 1700000000000, 5) + b"x")
        self.write("t-0/00000000000000368796.txnindex", struct.pack(">hqqqq", 0, 1001, 42, 44, 45))
        self.write("t-0/00000000000000000042.snapshot", bytes.fromhex("000148674bc700000000"))
        self.write("recovery-point-offset-checkpoint", "0\n1\norders 0 1203\n")
        self.write("meta.properties", "version=1\nnode.id=3\n")
        items = self.items(self.folder, code=1)  # one byte behind the time index
        self.assertIn({"file": "t-0/00000000000000368796.index", "kind": "offset_index",
                       "offset": 368801, "position": 5120}, items)
        self.assertIn({"file": "t-0/00000000000000368796.index", "kind": "unwritten", "entries": 2},
                      items)
        self.assertIn({"file": "t-0/00000000000000368796.txnindex", "kind": "aborted",
                       "producer_id": 1001, "first_offset": 42, "last_offset": 44,
                       "last_stable_offset": 45}, items)
        self.assertIn({"file": "recovery-point-offset-checkpoint", "kind": "checkpoint",
                       "partition": "orders-0", "offset": 1203}, items)
        self.assertIn({"file": "meta.properties", "kind": "line", "text": "node.id=3"}, items)

    def test_messages_of_old_kafka(self):
        # Formats 0 and 1 as Kafka's own builder writes them: two plain messages, then three in a gzip
        # wrapper whose last offset is 500.
        plain = ("00000000000000000000001875f0f41d0000000000046b6579310000000676616c756531"
                 "000000000000000100000018751bc3a60000000000046b6579320000000676616c756532")
        gzip = ("00000000000001f40000005b008d86d401010000000000000003ffffffff000000451f8b08000000000000ff63"
                "6080038936b599d68c301e88c19808220c9144241822efe8c1d530814493408411928878e4034f23b81ae6ff40"
                "0052620c00ec66d2b36b000000")
        path = self.write("t-0/00000000000000000000.log", bytes.fromhex(plain + gzip))
        items = [i for i in self.items(path) if i["kind"] == "message"]
        self.assertEqual([(i["offset"], i["magic"], i["codec"], i["crc_valid"]) for i in items],
                         [(0, 0, "none", True), (1, 0, "none", True), (500, 1, "gzip", True)])
        self.assertEqual([(r["offset"], r["timestamp"], r["value"]) for r in items[2]["records"]],
                         [(498, 1, "1"), (499, 2, "2"), (500, 3, "3")])
        self.assertEqual(items[0]["records"][0], {"file": "00000000000000000000.log", "kind": "record",
                                                  "offset": 0, "timestamp": None, "key": "key1",
                                                  "value": "value1"})
        text = klab("disk", "dump", path, "-v").stdout
        self.assertIn("offset 500  format 1  103 bytes  crc ok  gzip", text)

    def test_hostile_bytes_are_damage_and_no_crash(self):
        good = bytes_of(os.path.join(self.exported("b1"), SEGMENT))
        source = random.Random(7)
        names = ["00000000000000000000.log", "9223372036854775807.index", "x.timeindex", "x.txnindex",
                 "x.snapshot", "leader-epoch-checkpoint", "replication-offset-checkpoint"]
        for round_number in range(40):
            data = bytearray(good)
            for _ in range(source.randrange(1, 40)):
                data[source.randrange(len(data))] = source.randrange(256)
            if round_number % 4 == 0:
                data = bytearray(source.randbytes(source.randrange(400)))
            for name in names:
                self.write(f"hostile/{round_number}/{name}", bytes(data))
        done = klab("disk", "dump", os.path.join(self.folder, "hostile"), "-v")
        self.assertIn(done.returncode, (0, 1), done.stderr[-2000:])

    def test_wrong_use_is_told(self):
        for arguments, words in (
                (["disk", "exprt", LESSON], 'did you mean "export"?'),
                (["disk", "export", LESSON], "needs --node NODE and -o DIR"),
                (["disk", "export", LESSON, "--node", "b9", "-o", self.folder + "/x"],
                 'no node "b9"'),
                (["disk", "export", LESSON, "--node", "p1", "-o", self.folder + "/x"],
                 "p1 has no files"),
                (["disk", "dump", self.folder + "/nowhere"], "no such file")):
            done = klab(*arguments)
            self.assert_exit(done, 2)
            self.assertIn(words, done.stderr)
        late = klab("disk", "export", LESSON, "--node", "b1", "--at", "99h", "-o",
                    self.folder + "/x")
        self.assert_exit(late, 2)
        self.assertIn("the run ended at", late.stderr)
        self.assertFalse(os.path.exists(self.folder + "/x"))
        os.mkfifo(self.folder + "/00000000000000000000.log")
        pipe = klab("disk", "dump", self.folder + "/00000000000000000000.log")
        self.assert_exit(pipe, 2)
        self.assertIn("neither a file nor a directory", pipe.stderr)
        self.exported()
        again = klab("disk", "export", LESSON, "--node", "b1", "-o", self.folder + "/b1")
        self.assert_exit(again, 2)
        self.assertIn("is not empty", again.stderr)


if __name__ == "__main__":
    main()
