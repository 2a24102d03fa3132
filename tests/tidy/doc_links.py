# SPDX-License-Identifier: Apache-2.0
"""What the documents point at exists.

Rules: link (relative links and their #anchors in every .md), where-is (each `path:symbol` of
docs/where-is.md names a file and a word in it).
"""

import os
import re

from finding import Finding

WHERE_IS = "docs/where-is.md"
RULES = {
    "link": "a relative link leads to a file of the project, an #anchor to a heading of it",
    "where-is": f"each `path:symbol` in {WHERE_IS} names a file and a word that stands in it",
}


def check(tree):
    for path in tree.paths:
        if path.endswith(".md"):
            yield from _check_links(tree, path)
    if tree.has(WHERE_IS):
        yield from _check_where_is(tree)


def _check_links(tree, path):
    in_code = False
    for number, line in enumerate(tree.text(path).split("\n"), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        if in_code:
            continue
        line = re.sub(r"`[^`]*`", lambda m: " " * len(m[0]), line)
        for match in re.finditer(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", line):
            problem = _problem(tree, path, match[1])
            if problem:
                yield Finding(path, number, "link", problem)


def _problem(tree, path, target):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None  # the network is not ours to check
    file, _, anchor = target.partition("#")
    to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
    if not tree.has(to) and not tree.is_folder(to):
        return f"{target}: there is no {to}"
    if anchor and to.endswith(".md") and anchor not in _anchors(tree.text(to)):
        return f"{target}: {to} has no such heading"
    return None


def _anchors(text):
    """The anchors that a forge makes of the headings."""
    result = set()
    for heading in re.findall(r"(?m)^#{1,6}\s+(.*)$", text):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        result.add(words.replace(" ", "-"))
    return result


def _check_where_is(tree):
    for number, line in enumerate(tree.text(WHERE_IS).split("\n"), 1):
        if not line.startswith("|"):
            continue
        for path, symbol in re.findall(r"`([\w./-]+\.\w+):([\w.:~]+)`", line):
            if not tree.has(path):
                yield Finding(WHERE_IS, number, "where-is", f"there is no {path}")
                continue
            for word in re.split(r"::|\.", symbol):
                if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", tree.text(path)):
                    yield Finding(WHERE_IS, number, "where-is", f"{path} does not contain {word}")
