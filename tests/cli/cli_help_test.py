#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Help, and what klab says about words it does not know."""
from klab_program import ProgramTest, klab, main

COMMANDS = ["demo", "run", "list", "draw", "explain", "check", "sweep", "export", "schema", "version"]


class Help(ProgramTest):
    def test_alone_shows_two_examples_and_six_commands(self):
        done = klab()
        self.assert_exit(done, 0)
        self.assert_golden("klab_alone.txt", done.stdout)

    def test_help_lists_every_command(self):
        done = klab("--help")
        self.assert_exit(done, 0)
        self.assert_golden("help.txt", done.stdout)
        for command in COMMANDS:
            self.assertIn(f"  klab {command}", done.stdout)

    def test_each_command_has_help(self):
        text = ""
        for command in COMMANDS:
            done = klab(command, "--help")
            self.assert_exit(done, 0)
            text += f"$ klab {command} --help\n{done.stdout}\n"
        self.assert_golden("help_commands.txt", text)

    def test_unknown_words_get_a_suggestion(self):
        cases = [(["rum", "x.json"], 'did you mean "run"?'),
                 (["run", "x.json", "--vairant", "a"], 'did you mean "--variant"?'),
                 (["run", "x.json", "--sed=3"], 'did you mean "--seed"?'),
                 (["draw", "elction", "x.json"], 'did you mean "election"?'),
                 (["draw", "log", "x.json", "--format", "sgv"], 'did you mean "svg"?'),
                 (["schema", "event"], 'did you mean "events"?')]
        for arguments, hint in cases:
            done = klab(*arguments)
            self.assert_exit(done, 2)
            self.assertIn(hint, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_hostile_word_is_shown_without_its_escapes(self):
        done = klab("\x1b[31mrun")
        self.assert_exit(done, 2)
        self.assertNotIn("\x1b", done.stderr)


if __name__ == "__main__":
    main()
