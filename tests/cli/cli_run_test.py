#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab run, klab demo, klab check and klab list on the shipped scenarios."""
import json
import os

from klab_program import LESSON, SOURCE, ProgramTest, klab, main

FIELDS = ["klab_result", "scenario", "title", "variant", "seed", "verdict", "virtual_time_ns",
          "events", "trace_hash", "expect", "violations", "anomalies", "stats", "wall_time_ns"]


class Run(ProgramTest):
    def test_lesson_loses_exactly_three_acknowledged_records(self):
        result = json.loads(klab("run", LESSON, "--format", "json").stdout)
        for field in FIELDS:
            self.assertIn(field, result)
        self.assertEqual((result["klab_result"], result["verdict"]), (1, "pass"))
        self.assertRegex(result["trace_hash"], "^[0-9a-f]{32}$")
        lost = [row for row in result["expect"] if row["that"] == "lost_acked(p1) == 3"]
        self.assertEqual([(row["held"], row["value"]) for row in lost], [(True, 3)])
        self.assertIn("lost-write", [row["kind"] for row in result["anomalies"]])

    def test_acks_all_loses_none(self):
        result = json.loads(
            klab("run", LESSON, "--variant", "acks-all", "--format", "json").stdout)
        self.assertEqual(result["verdict"], "pass")
        self.assertNotIn("lost-write", [row["kind"] for row in result["anomalies"]])

    def test_several_runs_are_json_lines(self):
        wrong = self.write("wrong.json", '{"klab": 1}')
        done = klab("run", LESSON, wrong, "--all-variants", "--format", "json")
        self.assert_exit(done, 2)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line.get("variant", "wrong") for line in lines], ["", "acks-all", "wrong"])
        self.assertEqual(lines[2]["klab_error"], 1)
        one = klab("run", LESSON, "--format", "json").stdout.splitlines()
        self.assertEqual(len(one), 1)

    def test_every_shipped_scenario_and_variant_passes(self):
        done = klab("run", "scenarios", "--all-variants", "-q")
        self.assert_exit(done, 0)
        self.assertIn(" 0 failed, 0 undecided", done.stdout)

    def test_full_check_agrees(self):
        self.assert_exit(klab("run", LESSON, "--all-variants", "--check", "full"), 0)

    def test_same_seed_same_hash_whatever_is_told(self):
        plain = json.loads(klab("run", LESSON, "--format", "json").stdout)
        folder = klab("run", LESSON, "--format", "json", "--out", self.folder + "/o")
        self.assertEqual(plain["trace_hash"], json.loads(folder.stdout)["trace_hash"])
        other = json.loads(klab("run", LESSON, "--seed", "8", "--format", "json").stdout)
        self.assertNotEqual(plain["trace_hash"], other["trace_hash"])

    def test_set_changes_the_run(self):
        done = klab("run", LESSON, "--set", "/clients/p1/config/acks=all")
        self.assertNotEqual(done.returncode, 2)
        self.assertNotEqual(done.returncode, 0, "with acks=all the step at ten acks cannot come")

    def test_report_ends_with_verdict_and_next_command(self):
        done = klab("run", LESSON)
        self.assert_exit(done, 0)
        lines = done.stdout.strip().split("\n")
        self.assertTrue(lines[-2].startswith("PASS: 4 of 4"), lines[-2])
        self.assertEqual(lines[-1], f"Next: klab run {LESSON} --variant acks-all")

    def test_story_tells_the_crash_and_the_election(self):
        done = klab("run", LESSON, "-v")
        self.assertIn("b1 crashes", done.stdout)
        self.assertIn("b2 is elected leader of t-0, epoch 1", done.stdout)
        self.assertIn("b1 cuts t-0 from 10 to 7", done.stdout)

    def test_story_names_an_unclean_election(self):
        done = klab("run", "scenarios/catalog/replication/f02-unclean-election.json", "-v")
        # Long sentences are wrapped: the words count, not the lines.
        told = " ".join(done.stdout.split())
        self.assertIn("epoch 4, from outside the ISR: committed records may be lost", told)
        self.assertEqual(done.stdout.count("from outside the ISR"), 1)

    def test_several_runs_take_one_line_each(self):
        done = klab("run", LESSON, "--all-variants")
        self.assertIn("2 passed, 0 failed, 0 undecided", done.stdout)
        self.assertEqual(len(done.stdout.strip().split("\n")), 3)


class Demo(ProgramTest):
    def test_tells_both_stories_from_any_folder_and_leaves_pictures(self):
        done = klab("demo", cwd=self.folder)
        self.assert_exit(done, 0)
        self.assertEqual(done.stdout.count("PASS"), 2)
        shown = [line.strip() for line in done.stdout.split("\n") if line.endswith(".svg") and line.startswith("  ")]
        self.assertGreaterEqual(len(shown), 8)
        for path in shown:
            self.assertTrue(os.path.exists(os.path.join(self.folder, path)), path)


class CheckAndList(ProgramTest):
    def test_check_says_what_is_right(self):
        done = klab("check", LESSON)
        self.assert_exit(done, 0)
        self.assertIn("Next: klab run", done.stdout)

    def test_check_json_has_the_diagnostic(self):
        path = self.scenario(titel="x")
        answer = json.loads(klab("check", path, "--format", "json").stdout)
        self.assertFalse(answer["files"][0]["ok"])
        row = answer["files"][0]["diagnostics"][0]
        for field in ("file", "line", "column", "end", "code", "message", "suggestions", "rendered"):
            self.assertIn(field, row)

    def test_list_shows_titles_and_variants(self):
        done = klab("list")
        self.assert_exit(done, 0)
        self.assertIn("acks=1: acknowledged and gone", done.stdout)
        self.assertIn("--variant acks-all", done.stdout)
        answer = json.loads(klab("list", "--format", "json").stdout)
        count = sum(name.endswith(".json") and ".schema." not in name
                    for _, _, names in os.walk(os.path.join(SOURCE, "scenarios")) for name in names)
        self.assertEqual(len(answer["scenarios"]), count)


if __name__ == "__main__":
    main()
