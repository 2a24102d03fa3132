#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exit codes: the one of a run, and which of several counts."""
from klab_program import LESSON, ProgramTest, klab, main


class ExitCodes(ProgramTest):
    def test_pass_is_zero(self):
        self.assert_exit(klab("run", self.scenario()), 0)

    def test_broken_expectation_is_one(self):
        path = self.scenario(expect=[{"that": "acked(p1) == 1"}])
        done = klab("run", path)
        self.assert_exit(done, 1)
        self.assertIn("FAIL", done.stdout)
        self.assertIn("it is 2", done.stdout)

    def test_missing_file_is_two(self):
        self.assert_exit(klab("run", self.folder + "/nothing.json"), 2)

    def test_step_that_never_fires_is_three(self):
        path = self.scenario(timeline=[
            {"id": "never", "within": "2s", "when": {"client": "p1", "acked": 2},
             "do": {"say": "two"}},
            {"id": "late", "within": "2s", "when": {"partition": "t-0", "hw": 9},
             "do": {"end": True}}])
        done = klab("run", path)
        self.assert_exit(done, 3)
        self.assertIn("late", done.stdout)
        self.assertIn("never fired", done.stdout)

    def test_worst_of_several_counts(self):
        self.scenario("a/pass.json")
        self.scenario("a/undecided.json", limit="1s", timeline=[
            {"id": "late", "within": "500ms", "when": {"partition": "t-0", "hw": 9},
             "do": {"end": True}}])
        self.assert_exit(klab("run", self.folder + "/a"), 3)
        self.scenario("a/fail.json", expect=[{"that": "acked(p1) == 1"}])
        self.assert_exit(klab("run", self.folder + "/a"), 1)
        self.write("a/wrong.json", "{}")
        done = klab("run", self.folder + "/a")
        self.assert_exit(done, 2)
        self.assertIn("1 passed, 1 failed, 1 undecided, 1 could not be read", done.stdout)

    def test_empty_folder_is_wrong_use(self):
        self.assert_exit(klab("run", self.folder), 2)

    def test_until_stops_undecided(self):
        done = klab("run", LESSON, "--until", "100ms")
        self.assert_exit(done, 3)
        self.assertIn("stopped at 100ms", done.stdout)

    def test_wrong_options_are_wrong_use(self):
        for arguments in (["run"], ["run", LESSON, "--seed", "x"], ["run", LESSON, "--seed", "-1"],
                          ["run", LESSON, "--seed", "99999999999999999999"],
                          ["run", LESSON, "--variant", "acks-all", "--all-variants"],
                          ["run", LESSON, "--until", "5"],
                          ["sweep", LESSON], ["sweep", LESSON, "--seeds", "9..1"],
                          ["draw", "election"], ["run", LESSON, "--variant", "nope"],
                          ["run", LESSON, "--format", "xml"], ["export", LESSON, "--to", "pdf"]):
            done = klab(*arguments)
            self.assert_exit(done, 2)
            self.assertEqual(done.stdout, "", arguments)
            self.assertNotEqual(done.stderr, "", arguments)


if __name__ == "__main__":
    main()
