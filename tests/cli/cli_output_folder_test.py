#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --out leaves, and that a folder can be run again."""
import json
import os
import subprocess
import xml.dom.minidom

from klab_program import LESSON, ProgramTest, klab, main

FILES = ["pictures/election.dot", "pictures/election.svg", "pictures/isr.dot", "pictures/isr.svg",
         "pictures/log.dot", "pictures/log.svg",
         "pictures/sequence.dot", "pictures/sequence.svg", "pictures/topology.dot",
         "pictures/topology.svg", "report.txt", "result.json", "scenario.json",
         "tables/events.csv", "tables/messages.csv", "tables/replicas.csv", "trace.jsonl"]


class OutputFolder(ProgramTest):
    def files(self, folder):
        root = os.path.join(self.folder, folder)
        return sorted(os.path.relpath(os.path.join(where, name), root)
                      for where, _, names in os.walk(root) for name in names)

    def test_holds_everything_about_the_run(self):
        self.assert_exit(klab("run", LESSON, "--out", self.folder + "/o"), 0)
        self.assertEqual(self.files("o"), FILES)
        for name in FILES:
            if name.endswith(".svg"):
                xml.dom.minidom.parseString(self.read("o", name))

    def test_scenario_as_run_gives_the_same_hash(self):
        self.assert_exit(klab("run", LESSON, "--variant", "acks-all", "--seed", "5",
                              "--out", self.folder + "/o"), 0)
        again = json.loads(klab("run", self.folder + "/o/scenario.json", "--format", "json").stdout)
        kept = json.loads(self.read("o", "result.json"))
        self.assertEqual(again["trace_hash"], kept["trace_hash"])

    def test_several_runs_get_a_folder_each(self):
        self.assert_exit(klab("run", LESSON, "--all-variants", "--out", self.folder + "/o"), 0)
        self.assertEqual(sorted(os.listdir(self.folder + "/o")),
                         ["acks1-lost", "acks1-lost.acks-all"])

    def test_report_has_no_escapes(self):
        klab("run", LESSON, "--out", self.folder + "/o", "--color", "always")
        report = self.read("o", "report.txt")
        self.assertNotIn("\x1b", report)
        self.assertIn("PASS", report)

    def test_graphviz_takes_every_picture_without_a_warning(self):
        klab("run", LESSON, "--out", self.folder + "/o")
        for name in FILES:
            if not name.endswith(".dot"):
                continue
            try:
                done = subprocess.run(["dot", "-Tsvg", os.path.join(self.folder, "o", name)],
                                      capture_output=True, check=False)
            except FileNotFoundError:
                self.skipTest("Graphviz is not installed")
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)

    def test_a_folder_that_cannot_be_made_is_an_error(self):
        blocked = self.write("file", "x")
        done = klab("run", self.scenario(), "--out", blocked + "/o")
        self.assert_exit(done, 2)
        self.assertIn("cannot make the folder", done.stderr)


if __name__ == "__main__":
    main()
