#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab sweep: verdicts do not depend on the seed, runs do."""
import json

from klab_program import LESSON, ProgramTest, klab, main


class Sweep(ProgramTest):
    def test_a_thousand_seeds_never_change_a_verdict_of_the_lesson(self):
        done = klab("sweep", LESSON, "--all-variants", "--seeds", "1..1000", "--format", "json")
        self.assert_exit(done, 0)
        for line in done.stdout.splitlines():
            answer = json.loads(line)
            self.assertEqual((answer["runs"], answer["passed"]), (1000, 1000))
            self.assertGreaterEqual(answer["distinct_hashes"], 900, answer["variant"])

    def test_threads_change_nothing(self):
        one = klab("sweep", LESSON, "--seeds", "1..20", "-j", "1", "--format", "json")
        two = klab("sweep", LESSON, "--seeds", "1..20", "-j", "4", "--format", "json")
        self.assertEqual(one.stdout, two.stdout)

    def test_failing_seeds_are_listed_with_the_command_that_shows_them(self):
        path = self.scenario(expect=[{"that": "acked(p1) == 1"}])
        done = klab("sweep", path, "--seeds", "4..5")
        self.assert_exit(done, 1)
        self.assertIn(f"klab run {path} --seed 4 -v", done.stdout)
        again = klab("run", path, "--seed", "4")
        self.assert_exit(again, 1)

    def test_no_progress_bar_without_a_terminal(self):
        done = klab("sweep", LESSON, "--seeds", "1..50")
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    main()
