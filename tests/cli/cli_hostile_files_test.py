#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that are no scenario: a clear error and exit 2 (or 3), never a crash or a hang."""
import json
import os
import resource

from klab_program import SMALL, ProgramTest, klab, main


class HostileFiles(ProgramTest):
    def refused(self, path, *words):
        for command in ("run", "check"):
            done = klab(command, path)
            self.assert_exit(done, 2)
            self.assertIn("error[S", done.stderr)
            self.assertLess(len(done.stderr), 20_000)
            for word in words:
                self.assertIn(word, done.stderr)

    def test_typo(self):
        step = dict(SMALL["timeline"][0], when={"client": "p1", "akced": 2})
        self.refused(self.scenario(timeline=[step]), 'did you mean "acked"?', "small.json:")

    def test_wrong_unit(self):
        self.refused(self.scenario(limit="20sec"), "20sec")
        self.refused(self.scenario(limit=20), "limit")

    def test_unknown_node(self):
        step = dict(SMALL["timeline"][0], do={"crash": "b4"})
        self.refused(self.scenario(timeline=[step]), "b4")

    def test_trigger_that_cannot_fire(self):
        step = dict(SMALL["timeline"][0], when={"client": "p1", "acked": 3})
        done = klab("run", self.scenario(timeline=[step]))
        self.assertIn(done.returncode, (2, 3), done.stderr)
        self.assertIn("done", done.stdout + done.stderr)

    def test_invalid_utf8(self):
        text = json.dumps(SMALL).encode().replace(b"two records", b"two \xff\xfe records")
        self.refused(self.write("utf8.json", text), "UTF-8")

    def test_two_hundred_thousand_brackets(self):
        self.refused(self.write("deep.json", "[" * 200_000))
        self.refused(self.write("deeper.json", '{"a":' * 200_000))

    def test_files_of_too_many_bytes_or_values(self):
        for content, words in (('{"klab":1,"x":"' + "a" * (17 << 20) + '"}', "larger than 16 MB"),
                               ('{"klab":1,"x":[' + "0," * 300000 + "0]}", "more than 250000 values")):
            path = self.write("huge.json", content)
            begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            done = klab("check", path)
            self.assert_exit(done, 2)
            self.assertIn("S003", done.stderr)
            self.assertIn(words, done.stderr)
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, begin + (1 << 20))

    def test_files_that_are_none(self):
        self.refused(self.folder + "/missing.json", "missing.json")
        self.refused(self.write("empty.json", ""))
        self.refused(self.write("cut.json", json.dumps(SMALL)[:150]))
        self.refused(self.write("zero.json", b"\x00" * 1000))
        if os.geteuid() != 0:
            path = self.scenario("secret.json")
            os.chmod(path, 0)
            self.refused(path)

    def test_a_title_cannot_steer_the_terminal(self):
        path = self.scenario(title="\x1b]0;owned\x07 title")
        for arguments in (["run", path], ["run", path, "-v"], ["list", self.folder]):
            done = klab(*arguments)
            self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_json_form_of_a_refusal(self):
        done = klab("run", self.scenario(limit=20), "--format", "json")
        self.assert_exit(done, 2)
        self.assertEqual(json.loads(done.stdout)["klab_error"], 1)

    def test_a_cut_trace_is_refused(self):
        path = self.folder + "/run.jsonl"
        klab("export", self.scenario(), "-o", path)
        head = self.read("run.jsonl")[:200]
        self.refused(self.write("cut.jsonl", head))


if __name__ == "__main__":
    main()
