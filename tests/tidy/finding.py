# SPDX-License-Identifier: Apache-2.0
"""What a rule looks at (a Tree of files) and what it returns (Findings).

A line may be excused from one rule by a comment on it or on the line above, with a reason:
    // tidy: allow(rule-name): why this is right here
"""

import os
import re
from dataclasses import dataclass

SKIPPED_FOLDERS = {".git", "build", "klab-demo", ".cache", "__pycache__", ".ipynb_checkpoints", ".vscode", ".idea"}


@dataclass(frozen=True, order=True)
class Finding:
    """One broken rule. `line` counts from 1; 0 means the file as a whole."""

    path: str
    line: int
    rule: str
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {self.text}"


class Tree:
    """The files of the project below `root`, read once each. Paths use `/` and start at the root."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(self._walk())
        self._known = set(self.paths)
        self._bytes = {}

    def _walk(self):
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in SKIPPED_FOLDERS]
            for name in files:
                yield os.path.relpath(os.path.join(folder, name), self.root).replace(os.sep, "/")

    def top_level(self):
        """Names at the root, folders included, without what is never part of the project."""
        return sorted(n for n in os.listdir(self.root) if n not in SKIPPED_FOLDERS)

    def has(self, path):
        return path in self._known

    def is_folder(self, path):
        return os.path.isdir(os.path.join(self.root, path))

    def bytes(self, path):
        if path not in self._bytes:
            with open(os.path.join(self.root, path), "rb") as file:
                self._bytes[path] = file.read()
        return self._bytes[path]

    def text(self, path):
        return self.bytes(path).decode("utf-8", errors="replace")

    def cpp(self, *folders):
        """The C++ files, of all folders or of the given ones."""
        for path in self.paths:
            if path.endswith((".cc", ".h")):
                if not folders or path.startswith(tuple(f + "/" for f in folders)):
                    yield path


def without_allowed(tree, findings):
    """Drops the findings that their line, or the one above, excuses by name and with a reason."""
    return [f for f in findings if not _is_allowed(tree, f)]


def _is_allowed(tree, finding):
    if finding.line == 0 or not tree.has(finding.path):
        return False
    lines = tree.text(finding.path).split("\n")
    near = lines[max(0, finding.line - 2) : finding.line]
    wanted = re.compile(r"tidy: allow\(" + re.escape(finding.rule) + r"\): \S")
    return any(wanted.search(line) for line in near)
