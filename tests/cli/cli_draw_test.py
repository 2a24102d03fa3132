#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab draw: kinds, formats, instants, files."""
import json
import os
import xml.dom.minidom

from klab_program import LESSON, ProgramTest, klab, main


class Draw(ProgramTest):
    def test_every_kind_in_every_format(self):
        for kind in ("topology", "election", "log", "sequence"):
            text = klab("draw", kind, LESSON)
            self.assert_exit(text, 0)
            self.assertIn("acks=1: acknowledged and gone", text.stdout)
            dot = klab("draw", kind, LESSON, "--format", "dot")
            self.assertIn("layout=nop2", dot.stdout.replace('"', ""))
            xml.dom.minidom.parseString(klab("draw", kind, LESSON, "--format", "svg").stdout)

    def test_segments_looks_into_the_log(self):
        lesson = LESSON.replace("04-acks/acks1-lost", "02-segments/sparse-index")
        text = klab("draw", "segments", lesson, "--offset", "13", "--at", "0.41s")
        self.assert_exit(text, 0)
        self.assertIn("compared 3 entries, read 4 batches, 4000 bytes", text.stdout)
        xml.dom.minidom.parseString(
            klab("draw", "segments", lesson, "--format", "svg", "--node", "b1").stdout)
        for wrong, said in ((("--offset", "99"), "holds no offset 99"),
                            (("--node", "b9"), 'no broker "b9"'),
                            (("--partition", "u-0"), 'no partition "u-0"'),
                            (("--at", "99s"), "the run ended at"),
                            (("--at", "#99999999"), "no event 99999999")):
            refused = klab("draw", "segments", lesson, *wrong)
            self.assert_exit(refused, 2)
            self.assertIn(said, refused.stderr)

    def test_segments_at_an_event(self):
        lesson = LESSON.replace("04-acks/acks1-lost", "02-segments/sparse-index")
        events = [json.loads(line) for line in klab("export", lesson).stdout.splitlines()[1:]]
        appended = [e for e in events if e["kind"] == "log.appended"][7]
        done = klab("draw", "segments", lesson, "--at", f"#{appended['id']}", "--offset", "7")
        self.assert_exit(done, 0)
        self.assertIn("0..7 ", done.stdout)
        late = klab("draw", "segments", lesson, "--at", f"#{events[-1]['id']}", "--offset", "13")
        self.assert_exit(late, 0)
        for wrong, words in (("#99999999", "the run has no event 99999999"), ("#x", "is no event"),
                             ("99h", "the run ended at")):
            refused = klab("draw", "segments", lesson, "--at", wrong)
            self.assert_exit(refused, 2)
            self.assertIn(words, refused.stderr)

    def test_options_of_another_picture_are_refused(self):
        for kind, option in (("log", ("--node", "b1")), ("election", ("--offset", "3")),
                             ("segments", ("--from", "1s")), ("segments", ("--to", "1s"))):
            done = klab("draw", kind, LESSON, *option)
            self.assert_exit(done, 2)
            self.assertIn(f"draw {kind} takes no {option[0]}", done.stderr)

    def test_the_name_of_the_file_says_the_format(self):
        path = self.folder + "/log.svg"
        self.assert_exit(klab("draw", "log", LESSON, "-o", path), 0)
        xml.dom.minidom.parseString(self.read("log.svg"))
        self.assertEqual(os.listdir(self.folder), ["log.svg"])
        png = klab("draw", "log", LESSON, "-o", self.folder + "/log.png")
        self.assert_exit(png, 2)
        self.assertIn('no format "png"', png.stderr)

    def test_what_is_folded_is_said(self):
        long = "scenarios/catalog/replication/f03-isr-shrunk-to-leader.json"
        for form in ("text", "svg"):
            self.assertIn("offsets (folded)", klab("draw", "log", long, "--format", form).stdout)
            self.assertIn("nothing hidden", klab("draw", "log", LESSON, "--format", "svg").stdout)

    def test_at_takes_a_time_or_an_event(self):
        early = klab("draw", "log", LESSON, "--at", "50ms").stdout
        late = klab("draw", "log", LESSON).stdout
        self.assertNotEqual(early, late)
        self.assert_exit(klab("draw", "log", LESSON, "--at", "#500"), 0)
        for wrong in ("99999999", "5", "#99999999", "#x", "99h"):
            self.assert_exit(klab("draw", "log", LESSON, "--at", wrong), 2)
        self.assertIn("the run ended at", klab("draw", "log", LESSON, "--at", "99h").stderr)
        self.assert_exit(klab("draw", "log", LESSON, "--at", "soon"), 2)

    def test_ascii(self):
        done = klab("draw", "election", LESSON, "--ascii")
        self.assertTrue(done.stdout.isascii())

    def test_no_election_is_said_in_a_sentence(self):
        done = klab("draw", "log", self.scenario(), "--partition", "t-7")
        self.assert_exit(done, 2)
        self.assertTrue(done.stderr.startswith("klab: "), done.stderr)


if __name__ == "__main__":
    main()
