#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The verdict of a shipped scenario comes from its triggers: it is the same for every seed, while the
runs themselves differ.

usage: every_seed.py SOURCE_DIR KLAB [LAST_SEED]
"""
import json
import pathlib
import subprocess
import sys

DIFFERENT_RUNS_MIN = 0.9

# Runs of minutes and hours of virtual time, and of a million events: fewer seeds, by the beginning of
# the path.
FEWER_SEEDS = {"scenarios/lessons/02-segments/floor-segment.json": 20,
               "scenarios/lessons/05-replication/": 50,
               "scenarios/lessons/06-election/": 50,
               "scenarios/lessons/13-retention/": 15,
               "scenarios/catalog/controllers/": 50,
               "scenarios/catalog/operations/": 50,
               "scenarios/catalog/replication/f04-": 100,
               "scenarios/catalog/replication/f05-": 100,
               "scenarios/catalog/replication/f07-": 100,
               "scenarios/catalog/replication/f09-": 15,
               "scenarios/catalog/replication/f11-": 100,
               "scenarios/catalog/storage/": 15}


def sweep(klab, source, files, last):
    """Problems of these files under seeds 1 to `last`, and how many files and variants there were."""
    done = subprocess.run([klab, "sweep", *files, "--all-variants", "--seeds", f"1..{last}",
                           "--format", "json"], cwd=source, capture_output=True, text=True,
                          check=False)
    problems = []
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for one in lines:
        name = f'{one["scenario"]} {one["variant"]}'.strip()
        if one["passed"] != one["runs"] or one["runs"] != last:
            problems.append(f'{name}: {one["passed"]} of {one["runs"]} seeds pass')
        if one["distinct_hashes"] < DIFFERENT_RUNS_MIN * last:
            problems.append(f'{name}: only {one["distinct_hashes"]} different runs')
    if done.returncode != 0 or not lines:
        problems.append(f"klab sweep ended with {done.returncode}: {done.stderr}")
    return problems, len(lines)


def main():
    source, klab = sys.argv[1:3]
    last = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    files = sorted(str(path.relative_to(source))
                   for house in ("catalog", "lessons")
                   for path in pathlib.Path(source, "scenarios", house).rglob("*.json"))
    is_long = tuple(FEWER_SEEDS)
    problems, count = sweep(klab, source, [f for f in files if not f.startswith(is_long)], last)
    long = 0
    for prefix, seeds in FEWER_SEEDS.items():
        more, found = sweep(klab, source, [f for f in files if f.startswith(prefix)],
                            min(seeds, last))
        problems += more
        long += found
    print("\n".join(problems) or f"{count} files and variants, {last} seeds each, and {long} long ones, "
          f"{min(FEWER_SEEDS.values())} or more each: all pass")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
