#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab export: the trace as JSON lines and as tables."""
import csv
import io
import json
import os

from klab_program import LESSON, ProgramTest, klab, main


class Export(ProgramTest):
    def test_jsonl_has_a_head_and_every_event(self):
        done = klab("export", LESSON, "--to", "jsonl")
        self.assert_exit(done, 0)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        head, events = rows[0], rows[1:]
        self.assertEqual((head["klab_trace"], head["seed"], head["verdict"]), (1, 7, "pass"))
        self.assertEqual([row["id"] for row in events], list(range(1, len(events) + 1)))
        times = [row["time_ns"] for row in events]
        self.assertEqual(times, sorted(times))
        for row in events:
            self.assertTrue(all(cause < row["id"] for cause in row["causes"]), row)

    def test_names_stand_for_numbers(self):
        rows = [json.loads(line) for line in klab("export", LESSON).stdout.splitlines()][1:]
        elected = [row for row in rows if row["kind"] == "leader.elected" and row["time_ns"] > 0]
        self.assertEqual(len(elected), 1)
        self.assertEqual(elected[0]["fields"]["partition"], "t-0")
        self.assertEqual(elected[0]["fields"]["leader"], 2)
        self.assertIsInstance(elected[0]["fields"]["unclean"], bool)
        sent = next(row for row in rows if row["kind"] == "message.sent")
        self.assertIsInstance(sent["fields"]["to"], str)
        self.assertIsInstance(sent["fields"]["api"], str)

    def test_a_trace_is_taken_wherever_a_file_is(self):
        path = self.folder + "/run.jsonl"
        self.assert_exit(klab("export", LESSON, "--variant", "acks-all", "-o", path), 0)
        result = json.loads(klab("run", path, "--format", "json").stdout)
        head = json.loads(self.read("run.jsonl").splitlines()[0])
        self.assertEqual(result["trace_hash"], head["trace_hash"])

    def test_tables(self):
        folder = self.folder + "/tables"
        self.assert_exit(klab("export", LESSON, "--to", "csv", "-o", folder), 0)
        self.assertEqual(sorted(os.listdir(folder)),
                         ["events.csv", "messages.csv", "replicas.csv"])
        replicas = list(csv.DictReader(io.StringIO(self.read("tables", "replicas.csv"))))
        b1 = [row for row in replicas if row["broker"] == "b1" and row["partition"] == "t-0"]
        self.assertIn("down", [row["role"] for row in b1])
        self.assertEqual(b1[-1]["role"], "follower")
        ends = {row["broker"]: row["log_end_offset"] for row in replicas}
        self.assertEqual(len(set(ends.values())), 1, ends)
        messages = list(csv.DictReader(io.StringIO(self.read("tables", "messages.csv"))))
        self.assertEqual({row["outcome"] for row in messages} - {"received", "lost", "under way"},
                         set())
        events = list(csv.DictReader(io.StringIO(self.read("tables", "events.csv"))))
        self.assertTrue(all(json.loads(row["fields"]) is not None for row in events))


if __name__ == "__main__":
    main()
