#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the trace hashes that different builds of klab compute for the shipped scenarios.

usage: same_hash_everywhere.py SOURCE_DIR KLAB...

Every KLAB that exists is asked (g++ and clang, debug and release); at least one must. With a single
one the comparison with tests/determinism/fingerprints.csv remains.
"""
import csv
import json
import os
import subprocess
import sys


def hashes(klab, source):
    """{(file, variant, seed): hash} as this program computes them, for the kept fingerprints."""
    result = {}
    with open(os.path.join(source, "tests/determinism/fingerprints.csv"), encoding="ascii") as rows:
        kept = list(csv.DictReader(rows))
    for row in kept:
        command = [klab, "run", os.path.join(source, "scenarios", row["scenario"]),
                   "--seed", row["seed"], "--format", "json"]
        if row["variant"]:
            command += ["--variant", row["variant"]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
        key = (row["scenario"], row["variant"], row["seed"])
        result[key] = json.loads(done.stdout)["trace_hash"]
        if result[key] != row["trace_hash"]:
            sys.exit(f"{klab}: {key} has hash {result[key]}, kept is {row['trace_hash']}")
    return result


def main():
    source, programs = sys.argv[1], [p for p in sys.argv[2:] if os.path.exists(p)]
    if not programs:
        sys.exit("no klab program was built")
    for program in programs:
        print(f"{program}: {len(hashes(program, source))} hashes as kept")


if __name__ == "__main__":
    main()
