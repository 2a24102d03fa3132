# SPDX-License-Identifier: Apache-2.0
"""The rules of the house that no compiler knows: layers, determinism, file hygiene, documents.

    tidy.py [ROOT]       checks the project below ROOT (default: here); exit code 1 if a rule is broken
    tidy.py --rules      lists the rules

Python's standard library only. tests/tidy/tidy_selftest.py shows each rule a file that breaks it.
"""

import sys

import determinism
import doc_links
import hygiene
import layers
from finding import Tree, without_allowed

CHECKS = (layers, determinism, hygiene, doc_links)


def all_rules():
    """name -> statement, over all checks."""
    return {name: text for check in CHECKS for name, text in check.RULES.items()}


def run(root):
    """All findings of the tree below `root`, in order of file and line."""
    tree = Tree(root)
    found = [finding for check in CHECKS for finding in check.check(tree)]
    return sorted(without_allowed(tree, found)), len(tree.paths)


def main(arguments):
    if arguments == ["--rules"]:
        for name, text in sorted(all_rules().items()):
            print(f"{name:18} {text}")
        return 0
    findings, files = run(arguments[0] if arguments else ".")
    for finding in findings:
        print(finding)
    print(f"tidy: {files} files, {len(all_rules())} rules, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
