#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Colour only on a terminal, answers on stdout, ASCII on demand."""
import os
import pty
import subprocess

from klab_program import KLAB, LESSON, SOURCE, ProgramTest, klab, main


def on_terminal(*arguments, **environment):
    """The program's stdout as a terminal shows it."""
    leader, follower = pty.openpty()
    env = dict(os.environ, TERM="xterm")
    env.pop("NO_COLOR", None)
    env.update(environment)
    process = subprocess.Popen([KLAB, *arguments], cwd=SOURCE, env=env, stdout=follower,
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(follower)
    out = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        out += piece
    process.wait()
    os.close(leader)
    return out.decode()


class Colour(ProgramTest):
    def test_only_on_a_terminal(self):
        self.assertIn("\x1b[", on_terminal("run", LESSON))
        self.assertNotIn("\x1b[", klab("run", LESSON).stdout)

    def test_can_be_forbidden_and_forced(self):
        self.assertNotIn("\x1b[", on_terminal("run", LESSON, NO_COLOR="1"))
        self.assertNotIn("\x1b[", on_terminal("run", LESSON, TERM="dumb"))
        self.assertNotIn("\x1b[", on_terminal("run", LESSON, "--color", "never"))
        self.assertIn("\x1b[", klab("run", LESSON, "--color", "always").stdout)

    def test_colour_changes_no_word(self):
        plain = klab("run", LESSON, "-v").stdout
        coloured = klab("run", LESSON, "-v", "--color", "always").stdout
        for code in ("0", "1", "2", "31", "32", "36"):
            coloured = coloured.replace(f"\x1b[{code}m", "")
        self.assertEqual(plain, coloured)


class Ascii(ProgramTest):
    def test_no_other_sign_anywhere(self):
        for arguments in (["run", LESSON, "-v"], ["list"], ["check", LESSON]):
            done = klab(*arguments, "--ascii")
            self.assertTrue((done.stdout + done.stderr).isascii(), arguments)


if __name__ == "__main__":
    main()
