# SPDX-License-Identifier: Apache-2.0
"""What an index file must look like, byte for byte, and what Kafka's kafka-dump-log says of it.

A broker makes an index as long as it may grow (AbstractIndex: segment.index.bytes, rounded down) and
keeps the number of its entries in memory only. The tool takes the whole length for entries. So of the
directory of any running broker, Kafka's own too, it says (DumpLogSegments, TimeIndex.sanityCheck):

- a time index with entries and room behind them is corrupt, its last timestamp being 0;
- an index without entries has one, of the base offset at byte 0 or at time 0: a mismatch with the
  first batch, or an exception where there is no batch;
- after a truncation, what stands behind the last entry is wrong: the old entries stay until others
  are written over them (AbstractIndex.truncateToEntries0).

That, word by word, is allowed where the bytes are such: behind the entries nothing but zeros, or, of
a log that was cut, entries that the cut took away and then zeros. An index of a closed segment, or
of a broker that stopped in order, ends with its entries, and the tool must be content with it.
"""
import os
import re

ENTRY_BYTES = {".index": 8, ".timeindex": 12}
CORRUPT = "org.apache.kafka.storage.internals.log.CorruptIndexException: "


def is_index(file):
    return os.path.splitext(file)[1] in ENTRY_BYTES


class IndexFile:
    """The entries of an .index or .timeindex, as (offset, position) or (offset, timestamp)."""

    def __init__(self, path):
        self.path = path
        self.is_time = path.endswith(".timeindex")
        self.base = int(os.path.basename(path).split(".")[0])
        with open(path, "rb") as data:
            content = data.read()
        size = ENTRY_BYTES[os.path.splitext(path)[1]]
        self.odd_bytes = len(content) % size
        self.slots = len(content) // size
        used = (len(content.rstrip(b"\0")) + size - 1) // size
        self.entries = [self.entry(content[i * size:(i + 1) * size])
                        for i in range(min(used, self.slots))]

    def entry(self, slot):
        numbers = ((slot[8:], slot[:8]) if self.is_time else (slot[:4], slot[4:]))
        offset, value = (int.from_bytes(part, "big", signed=True) for part in numbers)
        return self.base + offset, value

    def has_room(self):
        return self.slots > len(self.entries)

    def wrong(self, i, by_end):
        """Why an entry is not that of a batch; None if it is."""
        offset, value = self.entries[i]
        batch = by_end.get(offset)
        if batch is None:
            return "at that offset no batch ends"
        field = "max_timestamp" if self.is_time else "position"
        if batch[field] != value:
            return f"that batch's {field} is {batch[field]}"
        if i > 0 and (offset <= self.entries[i - 1][0] or value <= self.entries[i - 1][1]):
            return "it does not rise"
        return None

    def old_from(self, batches, cut_at):
        """The number of entries that count. Behind them are those that truncations to `cut_at` or
        later offsets took away (None: there was no truncation). And what is wrong, a sentence each.
        """
        by_end = {batch["last_offset"]: batch for batch in batches}
        found = []
        for i, entry in enumerate(self.entries):
            wrong = self.wrong(i, by_end)
            if wrong and cut_at is not None and all(e[0] >= cut_at for e in self.entries[i:]):
                return i, found
            if wrong:
                found.append(f"entry {i}, {entry}: {wrong}")
        return len(self.entries), found


def sanity(index):
    """What TimeIndex.sanityCheck and OffsetIndex.sanityCheck throw of a file with these bytes."""
    if not index.is_time or not index.entries or not index.has_room():
        return None
    return (f"{CORRUPT}Corrupt time index found, time index file ({index.path}) has non-zero size "
            f"but the last timestamp is 0 which is less than the first timestamp "
            f"{index.entries[0][1]}")


def verdict_on_nothing(index, batches):
    """(error lines, exception) of the tool on an index of zeros only."""
    if not batches:
        if index.is_time:
            return ["The following indexed offsets are not found in the log.",
                    f"Indexed offset: {index.base}, found log offset: -1"], None
        return [], "java.util.NoSuchElementException"
    first = batches[0]
    if not index.is_time:
        lines = [f"Mismatches in :{index.path}",
                 f"  Index offset: {index.base}, log offset: {first['last_offset']}"]
        return ([] if first["last_offset"] == index.base else lines), None
    if first["last_offset"] != index.base:
        return ["The following indexed offsets are not found in the log.",
                f"Indexed offset: {index.base}, found log offset: {first['last_offset']}"], None
    newest = max((record["timestamp"] for record in first.get("records", [])), default=0)
    return [f"Found timestamp mismatch in :{index.path}",
            f"  Index timestamp: 0, log timestamp: {newest}"], None


def is_about_old(line, index, cut_at):
    """Is this line of the tool about an entry that a truncation may have taken away?"""
    if re.match(r"Mismatches in :|Found timestamp mismatch in :|Found out of order timestamp in :|"
                r"The following indexed offsets are not found", line):
        return True
    number = re.match(r"\s*(Index offset|Indexed offset|Index timestamp): (-?\d+),", line)
    if number is None:
        return False
    place = 1 if number[1] == "Index timestamp" else 0
    return any(entry[0] >= cut_at and entry[place] == int(number[2]) for entry in index.entries)


def unexpected(index, tool, batches, is_cut, cut_at):
    """What the tool says and should not. `is_cut`: old entries stand in the segment's indexes."""
    said = tool["err"], tool["thrown"]
    if "sanity" in tool["options"]:
        allowed = [], sanity(index)
    elif index.slots == 0 or index.entries:
        allowed = [], None
    else:
        allowed = verdict_on_nothing(index, batches)
    if said == allowed:
        return []
    if is_cut and "sanity" not in tool["options"]:
        # An old position may lead anywhere, so what the tool throws there says nothing.
        return [line for line in tool["err"] if not is_about_old(line, index, cut_at)]
    return (tool["err"] + ([tool["thrown"]] if tool["thrown"] else [])
            or [f"kafka-dump-log {tool['options']} does not say {allowed}"])


def complaints(path, tools, batches, is_closed, cut_at=None):
    """What is wrong with an index file. `is_closed`: nobody will write to it. `cut_at`: the lowest
    offset to which its log was truncated since it was opened; None if it was not."""
    index = IndexFile(path)
    end, found = index.old_from(batches, cut_at)
    if index.odd_bytes:
        found.append(f"{index.odd_bytes} bytes behind the last slot")
    if is_closed and index.has_room():
        found.append(f"{index.slots - len(index.entries)} empty slots of a closed index")
    is_cut = cut_at is not None and (end < len(index.entries) or index.is_time)
    for tool in tools:
        found += unexpected(index, tool, batches, is_cut, cut_at)
    return found
