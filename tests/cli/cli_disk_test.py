#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab disk: a node's disk as real files, and what stands in the files of a data directory."""
import gzip
import json
import os
import random
import resource
import signal
import socket
import struct
import subprocess
import time

from klab_program import KLAB, LESSON, SOURCE, ProgramTest, klab, main

SEGMENT = "data/t-0/00000000000000000000.log"


def crc32c_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0x82F63B78 if value & 1 else value >> 1
        table.append(value)
    return table


CRC32C = crc32c_table()


def batch(base, last_delta=0, count=1, epoch=0, attributes=0, content=None):
    """A batch of format 2; by default with one record of no key and no value."""
    content = b"\x0c\0\0\0\x01\x01\0" * count if content is None else content
    tail = struct.pack(">hiqqqhii", attributes, last_delta, 1000, 1000, -1, -1, -1, count) + content
    crc = 0xFFFFFFFF
    for byte in tail:
        crc = CRC32C[(crc ^ byte) & 255] ^ (crc >> 8)
    return (struct.pack(">qiib", base, 9 + len(tail), epoch, 2)
            + struct.pack(">I", crc ^ 0xFFFFFFFF) + tail)


def bomb(content, count):
    """One gzip batch."""
    return batch(0, count - 1, count, attributes=1, content=gzip.compress(content, 9))


def limited(memory, *arguments):
    """Runs the program with that many bytes of address space."""
    return subprocess.run([KLAB, *arguments], cwd=SOURCE, capture_output=True, timeout=240, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))


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
        self.write("meta.properties", "version=1\nnode.id=3\ncluster.id=c\n")
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

    def damages(self, name, content, code=1):
        path = self.write(name, content)
        return [item["what"] for item in self.items(path, code=code) if item["kind"] == "damage"]

    def test_a_batch_of_many_records_takes_little_memory(self):
        # 400,000 records of 7 bytes from 4 KB: text and JSON of all of them would be 65 MB.
        count = 400_000
        path = self.write("t-0/00000000000000000000.log",
                          bomb(b"\x0c\0\0\0\x01\x01\0" * count, count))
        enough = 90 << 20
        if limited(enough, "version").returncode != 0:
            self.skipTest("a program that cannot run in so little memory at all")
        for arguments in (["--format", "json"], ["-v"]):
            done = limited(enough, "disk", "dump", path, *arguments)
            self.assertEqual(done.returncode, 1, done.stderr[-500:])  # all have the same offset
            self.assertEqual(done.stderr, b"")
            self.assertIn(b"offset 0 follows offset 0", done.stdout[-2000:])
            self.assertGreater(len(done.stdout), 70 * count if "json" in arguments else 30 * count)
        json.loads(limited(enough, "disk", "dump", path, "--format", "json").stdout.splitlines()[1])

    def test_headers_and_large_values_leave_in_pieces(self):
        def varint(number):
            number <<= 1
            out = b""
            while number > 127:
                out += bytes([number & 127 | 128])
                number >>= 7
            return out + bytes([number])
        headers = 600_000
        body = b"\0\0\0\x01" + varint(4_000_000) + b"v" * 4_000_000 + varint(headers) + b"\0\x01" * headers
        content = varint(len(body)) + body
        path = self.write("t-0/00000000000000000000.log", bomb(content, 1))
        enough = 90 << 20
        if limited(enough, "version").returncode != 0:
            self.skipTest("a program that cannot run in so little memory at all")
        done = limited(enough, "disk", "dump", path, "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        [record] = json.loads(done.stdout.splitlines()[1])["records"]
        self.assertEqual((len(record["value"]), len(record["headers"])), (4_000_000, headers))

    def test_what_expands_too_far_is_refused_with_the_limit(self):
        content = gzip.compress(bytes(200 << 20), 1)
        path = self.write("t-0/00000000000000000000.log",
                          batch(0, 0, 1, attributes=1, content=content))
        [found] = [item for item in self.items(path, code=1) if item["kind"] == "batch"]
        self.assertEqual(found["records_error"],
                         "compressed records expand too far: more than 134217728 bytes are not read")

    def test_too_little_memory_is_told_and_no_bug(self):
        path = self.write("t-0/00000000000000000000.log", bomb(bytes(100 << 20), 1))
        little = 90 << 20
        if limited(little, "version").returncode != 0:
            self.skipTest("a program that cannot run in so little memory at all")
        done = limited(little, "disk", "dump", path, "-v")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"klab: not enough memory for this\n")

    def test_a_sparse_file_is_read_fast_and_stops_at_a_signal(self):
        for name, what in (("t-0/00000000000000000000.log", "zero bytes to the end"),
                           ("t-0/00000000000000000000.index", "entries of zeros")):
            path = self.write(name, b"")
            os.truncate(path, 40 << 30)
            if os.stat(path).st_blocks > 1000:
                self.skipTest("a file system without holes")
            begin = time.monotonic()
            done = klab("disk", "dump", path)
            self.assertLess(time.monotonic() - begin, 10)
            self.assertIn(what, done.stdout)

    def test_long_runs_of_zeros_stop_at_a_signal(self):
        # A page in each 8 MB is written, so that the file system knows of a hole before it only.
        for name in ("t-0/00000000000000000000.log", "t-0/00000000000000000000.index"):
            path = self.write(name, b"")
            with open(path, "r+b") as file:
                for at in range(0, 40 << 30, 8 << 20):
                    file.seek(at)
                    file.write(bytes(4096))
            process = subprocess.Popen([KLAB, "disk", "dump", path], cwd=SOURCE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertLess(time.monotonic() - begin, 5)
            os.remove(path)

    def test_offsets_and_epochs_of_a_log_rise(self):
        log = "t-0/00000000000000000010.log"
        good = batch(10, epoch=3) + batch(11, epoch=3) + batch(20, epoch=4)
        self.assertEqual(self.damages(log, good, code=0), [])
        self.assertEqual([(i["first"], i["last"]) for i in self.items(self.folder + "/" + log)
                          if i["kind"] == "gap"], [(12, 19)])
        for content, what in (
                (batch(10) + batch(11) + batch(11), "offset 11 follows offset 11"),
                (batch(10, 4, 5) + batch(12), "offset 12 follows offset 14"),
                (batch(9) + batch(10), "offset 9 lies below the file's base offset 10"),
                (batch(10, epoch=5) + batch(11, epoch=4), "leader epoch 4 follows 5"),
                (batch(10, epoch=-2), "leader epoch -2"),
                (batch(10, 0, 3), "3 records have no room in offsets 10..10")):
            self.assertIn(what, self.damages(log, content))
        outside = batch(10, 1, 1, content=b"\x0c\0\0\x08\x01\x01\0")
        [found] = [i for i in self.items(self.write(log, outside), code=1) if i["kind"] == "batch"]
        self.assertEqual(found["records_error"], "the record of offset 14 lies outside of its batch")

    def test_an_index_agrees_with_itself_and_with_its_log(self):
        size = len(batch(0))
        self.write("t-0/00000000000000000010.log", b"".join(batch(10 + n) for n in range(5)))
        def index(*entries):
            return b"".join(struct.pack(">ii", *entry) for entry in entries)
        def times(*entries):
            return b"".join(struct.pack(">qi", *entry) for entry in entries)
        name = "t-0/00000000000000000010.index"
        self.assertEqual(self.damages(name, index((1, size), (3, 3 * size)) + bytes(80), code=0), [])
        for content, what in (
                (index((3, 3 * size), (1, size)), "follows offset 13"),
                (index((1, size), (1, size)), "follows offset 11"),
                (index((1, size), (2, size)), "follows offset 11"),
                (index((1, 5 * size)), f"position {5 * size} lies behind the {5 * size} bytes"),
                (index((1, -size)), f"position {-size}"),
                (index((-1, size)), "offset 9 lies below the file's base offset 10"),
                (index((5, size)), "offset 15 lies behind the log's last offset 14"),
                (index((1, 3 * size)), f"offset 11 at {3 * size}, where offset 13 lies"),
                (index((1, size), (2, 9 * size), (3, 3 * size)) + bytes(80), "position"),
                (index((-1, size)) + bytes(80), "offset 9 lies below the file's base offset 10"),
                (bytes(8) + index((1, size)), "entries lie behind entries of zeros")):
            self.assertIn(what, " ".join(self.damages(name, content)))
        # Of an index in use, what lies behind its last entry may be from before the log was cut.
        old = index((1, size), (7, 7 * size), (9, 9 * size)) + bytes(80)
        self.assertEqual(self.damages(name, old, code=0), [])
        self.assertEqual([i["what"] for i in self.items(self.folder + "/" + name) if i["kind"] == "note"],
                         [f"position {n * size} lies behind the {5 * size} bytes of the log"
                          for n in (7, 9)])
        name = "t-0/00000000000000000010.timeindex"
        self.assertEqual(self.damages(name, times((5, 0), (7, 3)) + bytes(24), code=0), [])
        for content, what in (
                (times((5, 0), (5, 1)), "timestamp 5 offset 11 follows timestamp 5 offset 10"),
                (times((5, 2), (6, 1)), "timestamp 6 offset 11 follows timestamp 5 offset 12"),
                (times((-5, 2)), "timestamp -5"),
                (times((5, -2)), "offset 8 lies below"),
                (times((5, 7)), "offset 17 lies behind the log's last offset 14")):
            self.assertIn(what, " ".join(self.damages(name, content)))
        name = "t-0/00000000000000000010.txnindex"
        aborted = struct.pack(">hqqqq", 0, 7, 10, 12, 13)
        self.assertEqual(self.damages(name, aborted, code=0), [])
        for content, what in ((aborted + aborted, "a transaction that ends at 12 follows one"),
                              (struct.pack(">hqqqq", 0, 7, 13, 12, 13), "that is no transaction")):
            self.assertIn(what, " ".join(self.damages(name, content)))

    def test_checkpoints_and_text_files_make_sense(self):
        for name, content, what in (
                ("recovery-point-offset-checkpoint", "0\n1\nt 0 -1\n", "t-0 has offset -1"),
                ("replication-offset-checkpoint", "0\n1\nt 0 -2\n", "t-0 has offset -2"),
                ("log-start-offset-checkpoint", "0\n2\nt 0 1\nt 0 2\n", "t-0 stands there twice"),
                ("leader-epoch-checkpoint", "0\n2\n3 10\n2 20\n", "epoch 2 from offset 20 follows"),
                ("leader-epoch-checkpoint", "0\n2\n3 10\n4 10\n", "epoch 4 from offset 10 follows"),
                ("leader-epoch-checkpoint", "0\n1\n-1 10\n", "line 3: malformed entry"),
                ("meta.properties", "version=1\nnode.id=3\n", "it lacks cluster.id"),
                ("meta.properties", "version=1\nnode.id=x\ncluster.id=c\n", "cannot be read"),
                ("meta.properties", "\0\0\0", "it lacks version cluster.id node.id"),
                ("partition.metadata", "version: 0\n", "does not say a version and a topic id"),
                ("quorum-state", "{}", "no quorum state of version 0 or 1")):
            self.assertIn(what, " ".join(self.damages("d/" + name, content)), name)
        for name, content in (("replication-offset-checkpoint", "0\n1\nt 0 -1\n"),
                              ("meta.properties", "#written by hand\nversion=0\nbroker.id=1\n")):
            self.assertEqual(self.damages("d/" + name, content, code=0), [], name)

    def test_good_directories_are_not_damaged(self):
        for scenario in ("scenarios/catalog/replication/f03-isr-shrunk-to-leader.json",  # it cuts a log
                         "scenarios/lessons/13-retention/compaction.json",
                         "scenarios/lessons/13-retention/log-start.json"):
            folder = os.path.join(self.folder, os.path.basename(scenario))
            self.assert_exit(klab("disk", "export", scenario, "--node", "b1", "-o", folder), 0)
            self.items(folder)

    def test_what_is_not_read_is_named(self):
        folder = self.exported("b1", "--at", "150ms")
        os.symlink("t-0", folder + "/data/link")
        os.symlink("meta.properties", folder + "/data/other")
        os.mkfifo(folder + "/data/pipe.log")
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind(os.path.join(folder, "data/s"))
        self.assertEqual({(i["file"], i["why"]) for i in self.items(folder) if i["kind"] == "skipped"},
                         {("data/link", "a symbolic link is not followed"),
                          ("data/other", "a symbolic link is not followed"),
                          ("data/pipe.log", "a pipe is not read"),
                          ("data/s", "a socket is not read")})
        text = klab("disk", "dump", folder).stdout
        self.assertIn("data/pipe.log  skipped: a pipe is not read", text)
        self.assertIn(", 4 skipped\n", text)

    def test_what_cannot_be_read_is_a_failure(self):
        folder = self.exported("b1", "--at", "150ms")
        self.write("b1/data/closed-0/00000000000000000000.log", batch(0))
        os.chmod(self.folder, 0o755)
        for path, _, files in os.walk(folder):
            os.chmod(path, 0o755)
            for name in files:
                os.chmod(os.path.join(path, name), 0o644)
        os.chmod(folder + "/data/closed-0", 0)
        os.chmod(folder + "/" + SEGMENT, 0)
        def nobody():
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
        try:
            done = subprocess.run([KLAB, "disk", "dump", folder], capture_output=True, check=False,
                                  preexec_fn=nobody, cwd="/")
        except PermissionError:
            self.skipTest("the program cannot be run by another user")
        finally:
            os.chmod(folder + "/data/closed-0", 0o755)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"data/closed-0  SKIPPED: it cannot be read: Permission denied", done.stdout)
        self.assertIn(b"DAMAGE: cannot be read: Permission denied", done.stdout)

    def test_numbers_of_things_are_words_for_people(self):
        path = self.write("t-0/00000000000000000000.log", batch(0) + batch(1, 1, 2))
        text = klab("disk", "dump", path).stdout
        self.assertIn("offsets 0..0  1 record  epoch 0", text)
        self.assertIn("offsets 1..2  2 records  epoch 0", text)
        self.assertIn("1 file, 0 damaged places\n", text)

    def test_the_export_answers_in_json(self):
        folder = os.path.join(self.folder, "b1")
        done = klab("disk", "export", LESSON, "--node", "b1", "--at", "150ms", "-o", folder, "--format",
                    "json")
        self.assert_exit(done, 0)
        self.assertEqual(done.stderr, "")
        answer = json.loads(done.stdout)
        files = sum(len(names) for _, _, names in os.walk(folder))
        self.assertEqual(answer, {"klab_disk_export": 1, "folder": folder, "node": "b1",
                                  "files": files, "time_ns": answer["time_ns"]})
        self.assertLessEqual(answer["time_ns"], 150_000_000)

    def test_an_export_is_whole_or_is_not(self):
        # Each file that is written may be as large as 4 KB: the disk is full, in effect.
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        target = os.path.join(self.folder, "deep/below/b1")
        done = subprocess.run([KLAB, "disk", "export", LESSON, "--node", "b1", "-o", target], cwd=SOURCE,
                              capture_output=True, check=False, preexec_fn=small_files)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])
        os.mkdir(self.folder + "/empty")
        self.assert_exit(
            klab("disk", "export", LESSON, "--node", "b1", "-o", self.folder + "/empty/"), 0)
        self.assertEqual(os.listdir(self.folder), ["empty"])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "empty", SEGMENT)))

    def test_wrong_use_is_told(self):
        for option in (["--node", "b1"], ["-o", self.folder + "/x"], ["--at", "1s"], ["--seed", "1"],
                       ["--set", "/seed=1"], ["--variant", "x"], ["--choices", "x"]):
            done = klab("disk", "dump", self.folder, *option)
            self.assert_exit(done, 2)
            self.assertIn(f"takes no {option[0]}", done.stderr)
        done = klab("disk", "export", LESSON, "--node", "b1", "-o", "/dev/full")
        self.assert_exit(done, 2)
        self.assertIn("/dev/full exists and is no folder", done.stderr)
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
