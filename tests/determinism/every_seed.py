#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The verdict of a shipped scenario comes from its triggers: it is the same for every seed, while the
runs themselves differ.

usage: every_seed.py SOURCE_DIR KLAB [LAST_SEED]
"""
import json
import subprocess
import sys

DIFFERENT_RUNS_MIN = 0.9


def main():
    source, klab = sys.argv[1:3]
    last = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    done = subprocess.run([klab, "sweep", "scenarios", "--all-variants", "--seeds", f"1..{last}",
                           "--format", "json"], cwd=source, capture_output=True, text=True,
                          check=False)
    problems = []
    files = 0
    for line in done.stdout.splitlines():
        sweep = json.loads(line)
        name = f'{sweep["scenario"]} {sweep["variant"]}'.strip()
        files += 1
        if sweep["passed"] != sweep["runs"] or sweep["runs"] != last:
            problems.append(f'{name}: {sweep["passed"]} of {sweep["runs"]} seeds pass')
        if sweep["distinct_hashes"] < DIFFERENT_RUNS_MIN * last:
            problems.append(f'{name}: only {sweep["distinct_hashes"]} different runs')
    if done.returncode != 0 or files == 0:
        problems.append(f"klab sweep ended with {done.returncode}: {done.stderr}")
    print("\n".join(problems) or f"{files} files and variants, {last} seeds each: all pass")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
