# SPDX-License-Identifier: Apache-2.0
"""What Kafka's kafka-dump-log found wrong in a log, and which of it is no fault of the bytes: it
reports holes between offsets, which compaction leaves. The holes must be exactly those between the
records that were read. Of indexes, see index_files.py.
"""
import re

import normal_form


def holes(batches):
    """(before, after) for consecutive records of a file that do not follow one another."""
    offsets = [record["offset"] for batch in batches for record in batch.get("records", [])]
    return [(a, b) for a, b in zip(offsets, offsets[1:]) if b != a + 1]


def reported_holes(lines):
    pairs = [line.split(" is followed by ") for line in lines if " is followed by " in line]
    return [(int(a), int(b)) for a, b in pairs]


def log_complaints(tool, batches):
    """About a .log or .checkpoint: everything but holes that are there."""
    found = []
    errors = tool["err"]
    if sorted(reported_holes(errors)) != sorted(holes(batches)):
        found.append(f"holes {reported_holes(errors)}, the records have {holes(batches)}")
    found += [line for line in errors if " is followed by " not in line
              and not line.startswith("Non-consecutive offsets in ")]
    found += [line for line in tool["out"] if "isvalid: false" in line
              or (line.startswith("Found ") and " invalid bytes at the end of " in line)]
    formats = [(line, re.search(r" magic: (-?\d+) ", line)) for line in tool["out"]]
    return found + [line for line, magic in formats
                    if magic and int(magic[1]) not in normal_form.FORMATS]
