# SPDX-License-Identifier: Apache-2.0
"""C++ source as the rules want to see it: same lines, same columns, less content.

Called by: the rule modules. Nothing here knows a rule.
"""

import re

_TOKEN = re.compile(
    r"""
      //[^\n]*                                   # line comment
    | /\*.*?\*/                                  # block comment
    | R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)"   # raw string
    | "(?:\\.|[^"\\\n])*"                        # string
    | (?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'       # character, but not a digit separator
    """,
    re.VERBOSE | re.DOTALL,
)


def blank(text):
    """Spaces of the same length; line ends stay."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """Comments become spaces; strings stay."""
    return _TOKEN.sub(lambda m: blank(m[0]) if m[0].startswith("/") else m[0], text)


def code_only(text):
    """Comments, strings and characters become spaces (the quotes too)."""
    return _TOKEN.sub(lambda m: blank(m[0]), text)


def without_preprocessor(code):
    """Directives, with their continuation lines, become spaces. Takes the result of code_only."""
    return re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: blank(m[0]), code)


def line_of(text, position):
    """The line number, from 1, of a position."""
    return text.count("\n", 0, position) + 1


def namespace_statements(code):
    """Yields (position, statement) for what stands at namespace scope: the text before its `;`, or
    before the `{` of its body. Bodies (functions, classes, initializers) are skipped."""
    code = without_preprocessor(code)
    position, start, opened = 0, 0, []
    while position < len(code):
        character = code[position]
        if character == "{":
            head = code[start:position]
            if re.search(r"\bnamespace\b[\w:\s]*$", head) or re.search(r"\bextern\s*$", head.strip()):
                opened.append("namespace")
                position += 1
            else:
                end = _matching_brace(code, position)
                yield start + _leading_space(head), head.strip()
                position = end + 1
                rest = re.match(r"[^;{}]*;", code[position:])
                if rest and not _is_function(head):
                    position += rest.end()
            start = position
            continue
        if character == "}":
            if opened:
                opened.pop()
            start = position + 1
        elif character == ";":
            statement = code[start:position]
            if statement.strip():
                yield start + _leading_space(statement), statement.strip()
            start = position + 1
        position += 1


def _leading_space(text):
    return len(text) - len(text.lstrip())


def declared(statement):
    """A declaration without its initializer: what stands before the first `=` that is no operator."""
    return re.sub(r"\boperator\s*[^\w\s(]+", "operator", statement).split("=", 1)[0]


def _is_function(head):
    return "(" in declared(head)


def _matching_brace(code, position):
    depth = 0
    for i in range(position, len(code)):
        if code[i] == "{":
            depth += 1
        elif code[i] == "}":
            depth -= 1
            if depth == 0:
                return i
    return len(code) - 1
