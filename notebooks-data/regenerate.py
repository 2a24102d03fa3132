#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of this folder anew, or checks that they are current.

usage: regenerate.py KLAB [--check]
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = "scenarios/lessons/04-acks/acks1-lost.json"
TABLES = ["events.csv", "messages.csv", "replicas.csv"]


def export(klab, folder):
    """Writes the tables and the manifest into a folder."""
    subprocess.run([klab, "export", SCENARIO, "--to", "csv", "-o", folder], check=True,
                   cwd=os.path.dirname(HERE), stderr=subprocess.DEVNULL)
    manifest = {"scenario": SCENARIO, "seed": 7, "command": f"klab export {SCENARIO} --to csv",
                "sha256": {}}
    for table in TABLES:
        with open(os.path.join(folder, table), "rb") as data:
            manifest["sha256"][table] = hashlib.sha256(data.read()).hexdigest()
    with open(os.path.join(folder, "manifest.json"), "w", encoding="ascii") as out:
        out.write(json.dumps(manifest, indent=2) + "\n")


def main():
    klab = os.path.abspath(sys.argv[1])
    kept = os.path.join(HERE, "acks1-lost")
    if "--check" not in sys.argv:
        export(klab, kept)
        return
    with tempfile.TemporaryDirectory() as fresh:
        export(klab, fresh)
        for name in TABLES + ["manifest.json"]:
            with open(os.path.join(kept, name), "rb") as a, open(os.path.join(fresh, name), "rb") as b:
                if a.read() != b.read():
                    sys.exit(f"notebooks-data/acks1-lost/{name} is not current: run "
                             "python3 notebooks-data/regenerate.py build/release/bin/klab")
    print("current")


if __name__ == "__main__":
    main()
