#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, a broken pipe and a full disk."""
import json
import os
import signal
import subprocess
import time

from klab_program import KLAB, LESSON, SOURCE, ProgramTest, klab, main


class Interrupt(ProgramTest):
    def interrupted(self, arguments, ready):
        """Starts the program, sends SIGINT once `ready` says so; returns the finished process."""
        process = subprocess.Popen([KLAB, *arguments], cwd=SOURCE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while not ready() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(0.05)  # past the point where the scenario is on disk and into the run
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        return process.returncode, out.decode(), err.decode()

    def long_scenario(self):
        return self.scenario(limit="40min", timeline=[], clients=[
            {"producer": "p1", "topic": "t", "send": {"every": "1ms", "to": "t-0"}}])

    def test_run_leaves_a_folder_that_can_be_read(self):
        folder = self.folder + "/o"
        code, _, err = self.interrupted(
            ["run", self.long_scenario(), "--out", folder],
            lambda: os.path.exists(folder + "/scenario.json"))
        self.assertEqual(code, 130, err)
        self.assertEqual(json.loads(self.read("o", "result.json"))["why"], "interrupted")
        names = [name for _, _, files in os.walk(folder) for name in files]
        self.assertIn("trace.jsonl", names)
        self.assertEqual([name for name in names if name.endswith(".part")], [])
        for line in self.read("o", "trace.jsonl").splitlines():
            json.loads(line)

    def test_sweep_says_how_far_it_came(self):
        begin = time.monotonic()
        code, out, err = self.interrupted(
            ["sweep", LESSON, "--seeds", "1..1000000"], lambda: time.monotonic() > begin + 0.5)
        self.assertEqual(code, 130, err)
        self.assertIn("interrupted", out)


    def test_sweep_stops_inside_a_long_run(self):
        begin = time.monotonic()
        code, out, err = self.interrupted(
            ["sweep", self.long_scenario(), "--seeds", "1..8"],
            lambda: time.monotonic() > begin + 0.5)
        self.assertEqual(code, 130, err)
        self.assertLess(time.monotonic() - begin, 20)


    def test_an_export_that_is_interrupted_leaves_nothing(self):
        scenario = self.long_scenario()
        for arguments in (["disk", "export", scenario, "--node", "b1", "-o", self.folder + "/d/e"],
                          ["disk", "export", scenario, "--node", "b1", "--at", "39min", "-o",
                           self.folder + "/d"],
                          ["export", scenario, "--to", "jsonl", "-o", self.folder + "/x.jsonl"],
                          ["export", scenario, "--to", "csv", "-o", self.folder + "/tables"],
                          ["export", scenario, "--to", "jsonl"]):
            begin = time.monotonic()
            code, out, err = self.interrupted(arguments, lambda: time.monotonic() > begin + 0.5)
            self.assertEqual(code, 130, err)
            self.assertEqual(out, "")
            self.assertEqual(err, "klab: interrupted, nothing is written\n")
            self.assertEqual(os.listdir(self.folder), [os.path.basename(scenario)])

    def test_a_second_signal_of_any_kind_kills(self):
        # A run is asked between its turns only; while it waits for its reader it is not.
        path = self.folder + "/pipe"
        os.mkfifo(path)
        for first, second in ((signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT)):
            process = subprocess.Popen([KLAB, "export", LESSON, "-o", path], cwd=SOURCE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1.5)  # it waits for a reader of the pipe now
            process.send_signal(first)
            time.sleep(0.2)
            self.assertIsNone(process.poll())
            process.send_signal(second)
            self.assertEqual(process.wait(timeout=30), -second)


class Output(ProgramTest):
    def test_full_disk_is_said(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([KLAB, "export", LESSON], cwd=SOURCE, stdout=full,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No space left on device", done.stderr)
        to_file = klab("export", LESSON, "-o", "/dev/full")
        self.assert_exit(to_file, 2)
        self.assertIn("No space left on device", to_file.stderr)

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        scenario = self.scenario(limit="40min", timeline=[], clients=[
            {"producer": "p1", "topic": "t", "send": {"every": "5ms", "to": "t-0"}}])
        for arguments in (["export", LESSON], ["export", scenario, "--until", "20s"],
                          ["schema", "events"]):
            reader, writer = os.pipe()
            os.close(reader)  # gone before the first byte, however fast the program is
            process = subprocess.Popen([KLAB, *arguments], cwd=SOURCE, stdout=writer,
                                       stderr=subprocess.PIPE, restore_signals=False)
            os.close(writer)
            err = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(timeout=120), -signal.SIGPIPE)
            self.assertEqual(err, b"")


if __name__ == "__main__":
    main()
