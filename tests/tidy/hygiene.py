# SPDX-License-Identifier: Apache-2.0
"""How a file looks: encoding, white space, header, length, name, and what a library must not do.

Rules: the keys of RULES.
"""

import os
import re

import cxx_text
from finding import Finding

LINES_MAX = 500
SOURCE_ENDINGS = (".cc", ".h", ".py", ".cmake", ".cmake.in", "CMakeLists.txt")
SCRIPTS = ("dev", ".ci/run")
TEXT_ENDINGS = SOURCE_ENDINGS + (".md",)
SHARED_NAMES = {"CMakeLists.txt", "README.md", "__init__.py"}
TOP_LEVEL = {
    ".ci", ".clang-format", ".clang-tidy", ".editorconfig", ".gitattributes", ".gitignore", ".github",
    "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "CONTRIBUTING.md",
    "LICENSE", "README.md", "dev", "docs", "model", "notebooks-data", "scenarios", "sim", "tests", "viz",
}  # fmt: skip

# Folders whose code only returns values: it never prints, exits or aborts.
QUIET_FOLDERS = ("sim", "model", "viz", "scenarios/run")
_LOUD = (
    r"\bstd::(?:cout|cerr|clog)\b|\b(?:f?printf|f?puts|putchar)\s*\(|\bfmt::print\w*\s*\("
    r"|(?<![\w.>])(?:std::|::)?(?:exit|_Exit|quick_exit|abort|terminate)\s*\("
    r"|#\s*include\s*<iostream>"
)

RULES = {
    "ascii": "source is ASCII",
    "utf-8": "text is valid UTF-8",
    "line-end": "lines end in LF, the last one too, and there is no blank line at the end",
    "tab": "no tab",
    "trailing-space": "no space at the end of a line",
    "spdx": "the first line (after #!) of C++, Python, bash and CMake modules names the licence",
    "file-header": "a header, or a .cc that has none and is no test, opens with a paragraph on what it is",
    "file-length": f"a source file has at most {LINES_MAX} lines",
    "unique-name": "a file name occurs once in the repository",
    "top-level": "the root holds only what hygiene.py lists",
    "pragma-once": "a header has #pragma once",
    "using-namespace": "no `using namespace`",
    "newer-cxx": "does not compile on g++ 12 and clang 14 (std::views, std::format, std::expected, ...)",
    "quiet-library": "only scenarios/cli prints or exits",
    "todo": "a TODO names its issue: TODO(#12)",
}


def check(tree):
    for path in tree.paths:
        if _is_text(path):
            yield from _check_text(tree, path)
        if _is_source(path):
            yield from _check_source(tree, path)
    for path in tree.cpp():
        yield from _check_cpp(tree, path)
    yield from _check_names(tree)
    for name in tree.top_level():
        if name not in TOP_LEVEL:
            yield Finding(name, 0, "top-level", "is not among the entries of the root (tests/tidy/hygiene.py)")


def _is_source(path):
    return path.endswith(SOURCE_ENDINGS) or path in SCRIPTS


def _is_text(path):
    return path.endswith(TEXT_ENDINGS) or path in SCRIPTS


def _check_text(tree, path):
    data = tree.bytes(path)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield Finding(path, data.count(b"\n", 0, error.start) + 1, "utf-8", RULES["utf-8"])
        return
    if b"\r" in data or not data.endswith(b"\n") or data.endswith(b"\n\n"):
        yield Finding(path, 0, "line-end", RULES["line-end"])
    for number, line in enumerate(data.decode("utf-8").split("\n"), 1):
        if "\t" in line:
            yield Finding(path, number, "tab", RULES["tab"])
        if line.rstrip("\r").endswith((" ", "\t")):
            yield Finding(path, number, "trailing-space", RULES["trailing-space"])
        if _is_source(path) and not line.isascii():
            strange = next(c for c in line if not c.isascii())
            yield Finding(path, number, "ascii", f"U+{ord(strange):04X}: {RULES['ascii']}")


def _check_source(tree, path):
    lines = tree.text(path).split("\n")
    first = 1 if lines[0].startswith("#!") else 0
    spdx = re.fullmatch(r"(?://|#) SPDX-License-Identifier: Apache-2\.0", lines[first])
    if not spdx and not path.endswith("CMakeLists.txt"):
        yield Finding(path, first + 1, "spdx", RULES["spdx"])
    count = len(lines) - 1
    if count > LINES_MAX:
        yield Finding(path, 0, "file-length", f"{count} lines, at most {LINES_MAX}: find the second idea")
    for number, line in enumerate(lines, 1):
        if re.search(r"(?://|#).*\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))", line):
            if not path.startswith("tests/tidy/"):
                yield Finding(path, number, "todo", RULES["todo"])


def _check_cpp(tree, path):
    text = tree.text(path)
    code = cxx_text.code_only(text)
    explained = re.match(r"// SPDX[^\n]*\n(?://\n)*// \S", text)
    speaks_for_itself = path.endswith("_test.cc") or tree.has(re.sub(r"\.cc$", ".h", path))
    if not explained and (path.endswith(".h") or not speaks_for_itself):
        yield Finding(path, 2, "file-header", RULES["file-header"])
    if path.endswith(".h") and not re.search(r"(?m)^#pragma once$", code):
        yield Finding(path, 0, "pragma-once", RULES["pragma-once"])
    yield from _matches(path, code, "using-namespace", r"\busing\s+namespace\b")
    yield from _matches(
        path,
        code,
        "newer-cxx",
        r"\bstd::(?:ranges::)?views::|\bstd::(?:format|expected|source_location|print(?:ln)?)\b"
        r"|#\s*include\s*<(?:format|expected|source_location|print|generator)>",
    )
    if path.startswith(tuple(f + "/" for f in QUIET_FOLDERS)):
        yield from _matches(path, code, "quiet-library", _LOUD)


def _matches(path, code, rule, pattern):
    for match in re.finditer(pattern, code):
        line = cxx_text.line_of(code, match.start())
        yield Finding(path, line, rule, f"{' '.join(match[0].split())}: {RULES[rule]}")


def _check_names(tree):
    first_with = {}
    for path in tree.paths:
        name = os.path.basename(path)
        counts = _is_source(path) or path.endswith((".md", ".ipynb"))
        counts = counts or (path.startswith("scenarios/") and path.endswith(".json"))
        if not counts or name in SHARED_NAMES:
            continue
        if name in first_with:
            yield Finding(path, 0, "unique-name", f"{first_with[name]} has the same name")
        first_with.setdefault(name, path)
