# SPDX-License-Identifier: Apache-2.0
"""The one law: a run is a function of scenario, seed and overrides, so sim/ and model/ may use nothing
that differs between two hosts, compilers, builds or moments.

Rules: one for each row of BANS, and global-state. They look at code, not at comments or strings.
"""

import re

import cxx_text
from finding import Finding

FOLDERS = ("sim", "model")

# rule -> (pattern, what to do instead)
BANS = {
    "unordered": (
        r"\bunordered_(?:flat_|node_)?(?:multi)?(?:map|set)\b|#\s*include\s*<unordered_\w+>",
        "iteration order is the library's: use an ordered container (std::map, CowMap)",
    ),
    "std-hash": (r"\bstd::hash\b", "differs between libraries: use xxHash of the bytes"),
    "random": (
        r"#\s*include\s*<random>|\bs?rand\s*\(|\brandom_device\b|\bmt19937(?:_64)?\b"
        r"|\buniform_\w+_distribution\b|\bstd::(?:ranges::)?(?:shuffle|sample)\b",
        "every decision is a keyed choice: ctx.choices.pick(site, n)",
    ),
    "wall-clock": (
        r"\b(?:system|steady|high_resolution|utc|file)_clock\b|\bgettimeofday\b|\bclock_gettime\b"
        r"|(?<![\w:])(?:std\s*::|::)\s*(?:time|clock)\s*\(|(?<![\w.>:])time\s*\(\s*(?:nullptr|NULL|0)\s*\)"
        r"|#\s*include\s*<(?:chrono|ctime|time\.h|sys/time\.h)>|\b__(?:DATE|TIME|TIMESTAMP)__",
        "time comes from the context: ctx.now()",
    ),
    "environment": (
        r"\b(?:secure_)?getenv\b|\bsetlocale\b|\bstd::locale\b|\bgethostname\b|\bgetpid\b",
        "nothing of the host may reach a run",
    ),
    "threads": (
        r"\bthread_local\b|\bstd::(?:jthread|thread|async|mutex|shared_mutex|condition_variable)\b"
        r"|#\s*include\s*<(?:thread|mutex|shared_mutex|future|condition_variable)>",
        "a run is one thread; only scenarios/run starts several runs",
    ),
    "floating-point": (
        r"\b(?:float|double)\b|#\s*include\s*<cmath>",
        "rounding differs between builds: use integers, or Ratio for a probability",
    ),
    "std-function": (
        r"\bstd::(?:move_only_)?function\b",
        "a closure cannot be compared or copied as a value: keep data, call by name or template",
    ),
    "coroutine": (r"\bco_(?:await|yield|return)\b", "a frame cannot be copied: keep the state in a struct"),
    "library-bytes": (
        r"\bEncoder\s*::\s*kLibrary\b",
        "what a library writes changes with its version: Encoder::kLab (docs/adr/0005-compressed-bytes.md)",
    ),
    "pointer-key": (
        r"\b(?:map|set|multimap|multiset|CowMap|CowSet|less)\s*<\s*(?:const\s+)?[\w:]+(?:\s*<[^<>]*>)?"
        r"\s*(?:const\s*)?\*|\bu?intptr_t\b",
        "an address differs from run to run: use an id as the key",
    ),
}

RULES = {name: text for name, (_, text) in BANS.items()}
RULES["global-state"] = "everything arrives by Context: no variable with static storage, except constants"

_CONSTANT = re.compile(r"\b(?:const|constexpr|consteval)\b")
_NOT_A_VARIABLE = re.compile(
    r"(?:using|typedef|namespace|struct|class|union|enum|friend|static_assert|concept|extern\s+template"
    r"|template\s*<\s*>|requires)\b|$"
)


def check(tree):
    for path in tree.cpp(*FOLDERS):
        code = cxx_text.code_only(tree.text(path))
        for rule, (pattern, advice) in BANS.items():
            for match in re.finditer(pattern, code):
                line = cxx_text.line_of(code, match.start())
                yield Finding(path, line, rule, f"{' '.join(match[0].split())}: {advice}")
        for line, text in sorted(set(_globals(code))):
            yield Finding(path, line, "global-state", f"{text}: {RULES['global-state']}")


def _globals(code):
    """Yields (line, text) for each variable with static storage that is not a constant."""
    plain = cxx_text.without_preprocessor(code)
    for match in re.finditer(r"\bstatic\b([^(={;]*)([(={;])", plain):
        if match[2] != "(" and not _CONSTANT.search(match[1]):
            yield cxx_text.line_of(plain, match.start()), " ".join(match[0][:-1].split())
    for position, statement in cxx_text.namespace_statements(code):
        head = _without_template_head(re.sub(r"\[\[.*?\]\]", "", statement).strip())
        declared = cxx_text.declared(head)
        if _NOT_A_VARIABLE.match(head) or "(" in declared or _CONSTANT.search(declared):
            continue
        if re.search(r"[\w>\]&*]\s+\w[\w:]*(?:\[[^\]]*\])?\s*$", declared.strip()):
            yield cxx_text.line_of(code, position), " ".join(declared.split())


def _without_template_head(statement):
    """`template <typename T, int N> rest` -> `rest`."""
    while statement.startswith("template"):
        depth, i = 0, statement.find("<")
        if i < 0:
            return statement
        while i < len(statement):
            depth += {"<": 1, ">": -1}.get(statement[i], 0)
            i += 1
            if depth == 0:
                break
        statement = statement[i:].strip()
        if not statement:
            return statement
    return statement
