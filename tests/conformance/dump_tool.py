# SPDX-License-Identifier: Apache-2.0
"""What Kafka's kafka-dump-log found wrong, and which of it is no fault of the bytes.

The tool is strict where a broker is not, on directories that Kafka itself wrote too:

- It reports holes between offsets, which compaction leaves. The holes must be exactly those between
  the records that were read.
- An index in use is longer than what was written into it, and once truncated it keeps its old
  entries behind the last one that counts. The tool reads on, a broker does not: it knows the number
  of entries, or builds them anew after a crash. What counts is checked here, entry by entry.
"""


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
    return found


def wrong_entry(entry, by_end):
    """Why an index entry does not point to a batch as it should; None if it does."""
    batch = by_end.get(entry["offset"])
    if batch is None:
        return "at that offset no batch ends"
    if entry["kind"] == "offset_index" and entry["position"] != batch["position"]:
        return f"the batch begins at {batch['position']}"
    if entry["kind"] == "time_index" and entry["timestamp"] != batch["max_timestamp"]:
        return f"the batch's timestamp is {batch['max_timestamp']}"
    return None


def index_complaints(items, tools, batches, state):
    """About an offset or time index. `state`: "closed"; "in use", the active segment's, with room
    for more; "cut", the same of a log that was truncated, with old entries at its end; "torn", of a
    machine that lost power: anything may stand in it, recovery builds it anew."""
    if state == "torn":
        return []
    entries = [item for item in items if item["kind"] in ("offset_index", "time_index")]
    by_end = {batch["last_offset"]: batch for batch in batches}
    found = []
    for before, entry in zip([None] + entries, entries):
        wrong = wrong_entry(entry, by_end)
        if before and entry["offset"] <= before["offset"]:
            wrong = "offsets do not rise"
        if wrong and state == "cut":
            break
        if wrong:
            found.append(f"entry {entry}: {wrong}")
    if state == "closed":
        for tool in tools:
            found += tool["err"] + ([tool["thrown"]] if tool["thrown"] else [])
    return found
