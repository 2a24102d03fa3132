# SPDX-License-Identifier: Apache-2.0
"""The log directories of fixtures/, written by Kafka's classes, and what Kafka reads in them."""
import json
import os
import shutil

import normal_form

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures")
EXPECTED = os.path.join(HERE, "expected.json")
FOLDERS = ("batches", "broker", "controller")

# Partitions of WriteDirectories that are kept; the rest shows nothing more without Java.
KEPT = {
    "batches": ("codec-none-0", "codec-gzip-0", "codec-snappy-0", "codec-lz4-0", "codec-zstd-0",
                "timestamps-0", "idempotent-0", "transactions-0", "gaps-0", "control-0",
                "filtered-none-0", "filtered-zstd-0", "filtered-marker-0", "format0-none-0",
                "format0-lz4-0", "format1-gzip-0", "format1-snappy-0"),
    "broker": ("segments-0", "transactions-0", "compacted-0"),
    "controller": ("__cluster_metadata-0",),
}


def paths():
    return {name: os.path.join(HERE, name) for name in FOLDERS}


def expected():
    """folder -> file -> items in normal form."""
    with open(EXPECTED, encoding="utf-8") as text:
        return json.load(text)


def normal(by_kafka):
    """The same of what DumpDirectory says; a field that is absent is null."""
    return {folder: {file: normal_form.without_nulls(normal_form.kafka_items(items))
                     for file, items in files.items()}
            for folder, files in by_kafka.items()}


def rewrite(written):
    """Takes the directories that WriteDirectories has just made."""
    for folder in FOLDERS:
        target = os.path.join(HERE, folder)
        shutil.rmtree(target, ignore_errors=True)
        source = os.path.join(written, folder)
        for path, folders, files in os.walk(source):
            if path == source:
                folders[:] = [name for name in folders if name in KEPT[folder]]
            place = os.path.join(target, os.path.relpath(path, source))
            os.makedirs(place, exist_ok=True)
            for name in files:
                if not name.endswith(".deleted"):
                    shutil.copyfile(os.path.join(path, name), os.path.join(place, name))


def rewrite_expected(by_kafka):
    """One line a file of a folder."""
    lines = []
    for folder, files in sorted(normal(by_kafka).items()):
        rows = [f"  {json.dumps(file)}: {json.dumps(items)}"
                for file, items in sorted(files.items())]
        lines.append(f" {json.dumps(folder)}: {{\n" + ",\n".join(rows) + "\n }")
    with open(EXPECTED, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(lines) + "\n}\n")
