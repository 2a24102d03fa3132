#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""klab explain, klab schema, and the page that is generated from the event table."""
import json
import os

from klab_program import SOURCE, ProgramTest, klab, main

WORDS = ["NOT_ENOUGH_REPLICAS", "6", "isr.shrunk", "min.insync.replicas", "P1", "high watermark",
         "HW", "S014", "lost_acked", "3.6..4.1", "log.truncation", "ack-before-append", "4.1"]


class Explain(ProgramTest):
    def test_knows_words_of_every_table(self):
        text = ""
        for word in WORDS:
            done = klab("explain", word)
            self.assert_exit(done, 0)
            self.assertNotEqual(done.stdout, "", word)
            text += f"$ klab explain {word}\n{done.stdout}\n"
        self.assert_golden("explain.txt", text)

    def test_words_may_be_written_apart_and_in_any_case(self):
        self.assertEqual(klab("explain", "high", "watermark").stdout,
                         klab("explain", "High Watermark").stdout)
        self.assertEqual(klab("explain", "s014").stdout, klab("explain", "S014").stdout)

    def test_unknown_word_gets_a_suggestion(self):
        done = klab("explain", "min.insync.replica")
        self.assert_exit(done, 2)
        self.assertIn('did you mean "min.insync.replicas"?', done.stderr)
        self.assertIn("Words it knows", klab("explain", "xyzzyxyzzy").stderr)

    def test_json(self):
        answer = json.loads(klab("explain", "acks", "--format", "json").stdout)
        self.assertEqual((answer["klab_explain"], answer["known"]), (1, True))


class Schema(ProgramTest):
    def test_trace_format_page_is_current(self):
        # docs/trace-format.md is the event table, so it must be written anew with it.
        done = klab("schema", "events")
        self.assert_exit(done, 0)
        path = os.path.join(SOURCE, "docs/trace-format.md")
        if os.environ.get("KLAB_REWRITE") == "1":
            with open(path, "w", encoding="utf-8") as out:
                out.write(done.stdout)
        with open(path, encoding="utf-8") as page:
            self.assertEqual(page.read(), done.stdout,
                             "klab schema events > docs/trace-format.md")

    def test_scenario_schema_is_the_committed_one(self):
        with open(os.path.join(SOURCE, "scenarios/schema/klab-scenario-1.schema.json"),
                  encoding="utf-8") as page:
            self.assertEqual(page.read(), klab("schema").stdout)

    def test_schema_of_results_names_the_fields_of_a_result(self):
        schema = json.loads(klab("schema", "results").stdout)
        result = json.loads(klab("run", self.scenario(), "--format", "json").stdout)
        run = schema["$defs"]["run"]
        self.assertEqual([name for name in run["required"] if name not in result], [])
        version = json.loads(klab("version", "--format", "json").stdout)
        self.assertEqual(sorted(schema["$defs"]["version"]["required"]), sorted(version))


if __name__ == "__main__":
    main()
