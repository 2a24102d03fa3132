# SPDX-License-Identifier: Apache-2.0
"""Shows each rule of tests/tidy a file that breaks it (caught, at the right line) and one that does
not (silent). A rule without both fails: a check that cannot fail checks nothing."""

import os
import sys
import tempfile
import unittest

import layers
import tidy
from finding import Finding

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
HEAD = SPDX + "//\n// What it is.\n"  # three lines: code below starts at line 4
HEADER = HEAD + "#pragma once\n"  # four lines
LAYERS = "sim\nmodel/types\nmodel/raft model/metadata\nscenarios/run\nscenarios/cli\ntests\nnever sim kafka\n"
PYTHON = "# SPDX-License-Identifier: Apache-2.0\n"

# (rule, path, content, line at which it is caught)
CAUGHT = [
    ("layer-arrow", "sim/a.cc", HEAD + '#include "model/types/e.h"\n', 4),
    ("layer-arrow", "model/raft/a.cc", HEAD + '#include "model/metadata/c.h"\n', 4),
    ("layer-arrow", "scenarios/run/a.cc", HEAD + '#include "tests/d.h"\n', 4),
    ("layer-folder", "model/elsewhere/a.cc", HEAD, 0),
    ("include-missing", "sim/a.cc", HEAD + '#include "b.h"\n', 4),
    ("layer-word", "sim/a.cc", HEAD + 'const char* kName = "KafkaBroker";\n', 4),
    ("unordered", "sim/a.cc", HEAD + "std::unordered_map<int, int> m() { return {}; }\n", 4),
    ("unordered", "sim/a.cc", HEAD + "#include <unordered_set>\n", 4),
    ("std-hash", "model/types/a.cc", HEAD + "auto h() { return std::hash<int>{}(3); }\n", 4),
    ("random", "sim/a.cc", HEAD + "#include <random>\n", 4),
    ("random", "sim/a.cc", HEAD + "int r() { return rand() % 3; }\n", 4),
    ("random", "sim/a.cc", HEAD + "void f(V& v) { std::ranges::shuffle(v, g); }\n", 4),
    ("wall-clock", "sim/a.cc", HEAD + "auto t() { return std::chrono::steady_clock::now(); }\n", 4),
    ("wall-clock", "sim/a.cc", HEAD + "auto t() { return time(nullptr); }\n", 4),
    ("wall-clock", "sim/a.cc", HEAD + "auto t() { return std::time(&x); }\n", 4),
    ("wall-clock", "sim/a.cc", HEAD + "auto t() { return __DATE__; }\n", 4),
    ("environment", "sim/a.cc", HEAD + 'auto e() { return std::getenv("HOME"); }\n', 4),
    ("threads", "sim/a.cc", HEAD + "thread_local const int x = 1;\n", 4),
    ("threads", "model/types/a.cc", HEAD + "#include <mutex>\n", 4),
    ("floating-point", "sim/a.h", HEADER + "struct S {\n    double half = 0.5;\n};\n", 6),
    ("floating-point", "model/types/a.cc", HEAD + "auto f(int x) { return static_cast<float>(x); }\n", 4),
    ("std-function", "sim/a.h", HEADER + "struct S {\n    std::function<void()> then;\n};\n", 6),
    ("coroutine", "sim/a.cc", HEAD + "Task f() { co_return 3; }\n", 4),
    ("library-bytes", "model/a.cc", HEAD + "auto f(B b) { return compress({k, Encoder::kLibrary}, b); }\n", 4),
    ("pointer-key", "sim/a.h", HEADER + "struct S {\n    std::map<const Node*, int> ranks;\n};\n", 6),
    ("pointer-key", "sim/a.h", HEADER + "struct S {\n    std::set<Node*> seen;\n};\n", 6),
    ("pointer-key", "sim/a.cc", HEAD + "auto n(X* x) { return reinterpret_cast<std::uintptr_t>(x); }\n", 4),
    ("global-state", "sim/a.cc", HEAD + "namespace klab {\nint counter = 0;\n}\n", 5),
    ("global-state", "sim/a.cc", HEAD + "namespace {\nstd::vector<int> cache{1, 2};\n}\n", 5),
    ("global-state", "sim/a.cc", HEAD + "std::map<int, std::string> names;\n", 4),
    ("global-state", "sim/a.cc", HEAD + "int next() {\n    static int n = 0;\n    return ++n;\n}\n", 5),
    ("global-state", "sim/a.h", HEADER + "struct S {\n    inline static int n = 0;\n};\n", 6),
    ("global-state", "sim/a.h", HEADER + "template <typename T>\nT last{};\n", 5),
    ("ascii", "sim/a.cc", HEAD + "// caf\u00e9\n", 4),
    ("utf-8", "docs/a.md", b"# A\n\nbad: \xff\n", 3),
    ("line-end", "sim/a.cc", HEAD + "// no end", 0),
    ("line-end", "sim/a.cc", HEAD.replace("\n", "\r\n"), 0),
    ("line-end", "sim/a.cc", HEAD + "\n", 0),
    ("tab", "sim/a.cc", HEAD + "\tint f();\n", 4),
    ("trailing-space", "docs/a.md", "# A\n\ntext \n", 3),
    ("spdx", "sim/a.cc", "// What it is.\n", 1),
    ("spdx", "dev", "#!/usr/bin/env bash\nset -e\n", 2),
    ("file-header", "sim/a.h", SPDX + "#pragma once\n", 2),
    ("file-header", "sim/alone.cc", SPDX + '#include "sim/b.h"\n', 2),
    ("file-length", "sim/a.cc", HEAD + "// line\n" * 498, 0),
    ("unique-name", "tests/sim/common.h", HEADER, 0),
    ("top-level", "notes.txt", "x\n", 0),
    ("pragma-once", "sim/a.h", HEAD, 0),
    ("using-namespace", "sim/a.cc", HEAD + "using namespace std;\n", 4),
    ("newer-cxx", "sim/a.cc", HEAD + "auto v = x | std::views::filter(f);\n", 4),
    ("newer-cxx", "sim/a.cc", HEAD + "#include <expected>\n", 4),
    ("quiet-library", "model/types/a.cc", HEAD + 'void f() { std::cout << "x"; }\n', 4),
    ("quiet-library", "scenarios/run/a.cc", HEAD + "void f() { std::exit(1); }\n", 4),
    ("todo", "sim/a.cc", HEAD + "// TODO: later\n", 4),
    ("link", "docs/a.md", "# A\n\n[b](gone.md)\n", 3),
    ("link", "docs/a.md", "# A\n\n[b](ok.md#no-such)\n", 3),
    ("where-is", "docs/where-is.md", "| q | `sim/b.h:gone` | | |\n", 1),
    ("where-is", "docs/where-is.md", "| q | `sim/gone.h:b` | | |\n", 1),
]

# (rule, path, content): close to the rule, and right
SILENT = [
    ("layer-arrow", "model/types/a.cc", HEAD + '#include "sim/b.h"\n// #include "tests/d.h"\n'),
    ("layer-arrow", "tests/a.cc", HEAD + '#include "model/types/e.h"\n#include "tests/d.h"\n'),
    ("layer-folder", "sim/deep/er/a.cc", HEAD),
    ("include-missing", "sim/a.cc", HEAD + "#include <vector>\n"),
    ("layer-word", "sim/a.cc", HEAD + "// TCP-like, because Kafka's is.\n"),
    ("unordered", "sim/a.cc", HEAD + "// no std::unordered_map here\n"),
    ("unordered", "viz/a.cc", HEAD + "#include <unordered_map>\n"),
    ("std-hash", "sim/a.cc", HEAD + "auto h(const TraceHash& hash) { return hash.value(); }\n"),
    ("random", "sim/a.cc", HEAD + "auto r(Context& ctx) { return ctx.choices.pick(kOperand, 3); }\n"),
    ("wall-clock", "sim/a.cc", HEAD + "Time time() const;\nauto t(Event e) { return e.time(); }\n"),
    ("environment", "sim/a.cc", HEAD + "auto e(Context& ctx) { return ctx.environment(); }\n"),
    ("threads", "sim/a.h", HEADER + "struct S {\n    std::atomic<int> owners{1};\n};\n"),
    ("threads", "scenarios/run/a.cc", HEAD + "#include <thread>\n"),
    ("floating-point", "sim/a.cc", HEAD + 'const char* kText = "double"; // float\nint doubled();\n'),
    ("floating-point", "viz/a.cc", HEAD + "double x() { return 0.5; }\n"),
    ("std-function", "sim/a.h", HEADER + "template <typename F>\nvoid each(F&& function);\n"),
    ("coroutine", "sim/a.cc", HEAD + "int co_leader();\n"),
    ("library-bytes", "model/a.h", HEADER + "enum class Encoder { kLab, kLibrary };\n"),
    ("pointer-key", "sim/a.h", HEADER + "struct S {\n    std::map<NodeId, int> ranks;\n};\n"),
    ("global-state", "sim/a.cc", HEAD + "namespace klab {\nconstexpr int kMax = 3;\nconst S kTable[] = {{1}};\n}\n"),
    ("global-state", "sim/a.cc", HEAD + "int next(int n) {\n    static const int step = 2;\n    return n + step;\n}\n"),
    ("global-state", "sim/a.h", HEADER + "struct S {\n    static S make(int n);\n    int n = 0;\n};\nenum class E { kA };\n"),
    ("global-state", "sim/a.h", HEADER + "template <typename T>\nErr(T) -> Err<T>;\nbool operator==(A, B) = default;\n"),
    ("global-state", "sim/a.cc", HEAD + "S::S(int n) : n_{n}, m_(2) {}\nauto S::f() const -> int { return 1; }\n"),
    ("ascii", "docs/a.md", "# A\n\ncaf\u00e9\n"),
    ("utf-8", "docs/a.md", "# caf\u00e9\n"),
    ("line-end", "sim/a.cc", HEAD + "int f();\n"),
    ("tab", "sim/a.cc", HEAD + '// "\\t" is a tab\n'),
    ("trailing-space", "docs/a.md", "# A\n"),
    ("spdx", "dev", "#!/usr/bin/env bash\n" + PYTHON),
    ("file-header", "sim/a.h", HEADER),
    ("file-header", "sim/b.cc", SPDX + '#include "sim/b.h"\n'),
    ("file-length", "sim/a.cc", HEAD + "// line\n" * 497),
    ("unique-name", "tests/sim/README.md", "# A\n"),
    ("top-level", "docs/a.md", "# A\n"),
    ("pragma-once", "sim/a.cc", HEAD),
    ("using-namespace", "sim/a.cc", HEAD + "namespace n { using std::vector; }\n"),
    ("newer-cxx", "sim/a.cc", HEAD + "auto s = fmt::format(x); void f() { std::ranges::sort(v); }\n"),
    ("quiet-library", "scenarios/cli/a.cc", HEAD + "void f() { std::exit(1); }\n"),
    ("quiet-library", "sim/a.cc", HEAD + "void f(Search& s) { s.abort(); on_exit(1); }\n"),
    ("todo", "sim/a.cc", HEAD + "// TODO(#12): later\n"),
    ("link", "docs/a.md", "# A b\n\n[b](ok.md#the-end) [c](#a-b) [d](https://x.y) `[e](f)`\n"),
    ("where-is", "docs/where-is.md", "| q | `sim/b.h:b` | `sim/b.h:S.b` | |\n"),
    ("std-function", "sim/a.cc", HEAD + "// tidy: allow(std-function): a test double\nstd::function<int()> f();\n"),
]

# The project around each file.
BACKGROUND = {
    "docs/layers.txt": LAYERS,
    "docs/ok.md": "# Ok\n\n## The end\n",
    "sim/b.h": HEADER + "struct S {\n    int b;\n};\n",
    "sim/common.h": HEADER,
    "model/types/e.h": HEADER,
    "model/metadata/c.h": HEADER,
    "tests/d.h": HEADER,
}


def findings_for(path, content):
    """The findings of a small project with this one file in it."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**BACKGROUND, path: content}.items():
            file = os.path.join(root, name)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as out:
                out.write(text if isinstance(text, bytes) else text.encode("utf-8"))
        return tidy.run(root)[0]


class TidyRules(unittest.TestCase):
    def test_every_rule_catches_what_breaks_it(self):
        for rule, path, content, line in CAUGHT:
            with self.subTest(rule=rule, content=content):
                found = [(f.rule, f.path, f.line) for f in findings_for(path, content)]
                self.assertIn((rule, path, line), found)

    def test_every_rule_is_silent_about_what_is_right(self):
        for rule, path, content in SILENT:
            with self.subTest(rule=rule, content=content):
                found = [f for f in findings_for(path, content) if f.rule == rule]
                self.assertEqual([], found)

    def test_every_rule_has_both(self):
        self.assertEqual(set(tidy.all_rules()), {case[0] for case in CAUGHT})
        self.assertEqual(set(tidy.all_rules()), {case[0] for case in SILENT})

    def test_the_background_is_clean(self):
        self.assertEqual([], findings_for("sim/b.h", BACKGROUND["sim/b.h"]))

    def test_an_excuse_needs_the_right_rule_and_a_reason(self):
        for excuse in ("// tidy: allow(random): wrong rule", "// tidy: allow(std-function):"):
            found = findings_for("sim/a.cc", HEAD + excuse + "\nstd::function<int()> f();\n")
            self.assertEqual(["std-function"], [f.rule for f in found])


class LayersFile(unittest.TestCase):
    def test_a_folder_without_a_line_belongs_to_the_one_above(self):
        table = layers.Layers("sim\nsim/explore\nmodel/types\n")
        self.assertEqual("sim", table.folder_of("sim/disk/disk.h"))
        self.assertEqual("sim/explore", table.folder_of("sim/explore/search.h"))
        self.assertIsNone(table.folder_of("model/broker/broker.h"))

    def test_findings_print_like_a_compiler(self):
        self.assertEqual("a.h:3: [tab] no tab", str(Finding("a.h", 3, "tab", "no tab")))


if __name__ == "__main__":
    sys.exit(unittest.main())
