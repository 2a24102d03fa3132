# SPDX-License-Identifier: Apache-2.0
"""The layers: docs/layers.txt against every #include.

Rules: layer-arrow, layer-folder, include-missing, layer-word.
"""

import os
import re

import cxx_text
from finding import Finding

TABLE = "docs/layers.txt"
RULES = {
    "layer-arrow": "an #include points upward, or sideways within a tier",
    "layer-folder": "the folder has no line in docs/layers.txt",
    "include-missing": "an #include with quotes names no file of the project (from its root)",
    "layer-word": "a layer uses a word that docs/layers.txt forbids it",
}


class Layers:
    """docs/layers.txt. `tier_of` maps a folder to its tier (0 lowest), `words` to what it must not say."""

    def __init__(self, text):
        self.tier_of, self.words = {}, {}
        tier = 0
        for line in text.split("\n"):
            line = line.split("#", 1)[0].split()
            if line[:1] == ["never"]:
                self.words[line[1]] = line[2:]
            elif line:
                for folder in line:
                    self.tier_of[folder] = tier
                tier += 1

    def folder_of(self, path):
        """The longest listed folder that holds `path`, or None."""
        folder = os.path.dirname(path)
        while folder and folder not in self.tier_of:
            folder = os.path.dirname(folder)
        return folder or None

    def may_include(self, from_folder, to_folder):
        return from_folder == to_folder or self.tier_of[to_folder] < self.tier_of[from_folder]


def check(tree):
    layers = Layers(tree.text(TABLE))
    for path in tree.cpp():
        folder = layers.folder_of(path)
        if folder is None:
            yield Finding(path, 0, "layer-folder", f"{os.path.dirname(path)} stands in no tier of {TABLE}")
            continue
        yield from _check_includes(tree, layers, path, folder)
        yield from _check_words(tree, layers, path)


def _check_includes(tree, layers, path, folder):
    text = cxx_text.without_comments(tree.text(path))
    for match in re.finditer(r'(?m)^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text):
        line, target = cxx_text.line_of(text, match.start(1)), match[1]
        if not tree.has(target):
            yield Finding(path, line, "include-missing", f'there is no "{target}"')
            continue
        to_folder = layers.folder_of(target)
        if to_folder is None:
            continue  # reported at the file itself
        if not layers.may_include(folder, to_folder):
            yield Finding(path, line, "layer-arrow", f"{folder} may not include {to_folder} ({target})")


def _check_words(tree, layers, path):
    text = cxx_text.without_comments(tree.text(path))
    for layer, words in layers.words.items():
        if not path.startswith(layer + "/"):
            continue
        for match in re.finditer("|".join(map(re.escape, words)), text, re.IGNORECASE):
            line = cxx_text.line_of(text, match.start())
            yield Finding(path, line, "layer-word", f'{layer}/ must not know "{match[0]}"')
