# SPDX-License-Identifier: Apache-2.0
"""Reads log directories twice, with Kafka's classes and with klab, and compares."""
import json
import os

import dump_tool
import index_files
import normal_form


class Findings:
    """What came of one log directory."""

    def __init__(self, name):
        self.name = name
        self.differences = []  # klab reads something else than Kafka
        self.complaints = []   # Kafka refuses it, or its dump tool finds it wrong
        self.rewritten = []    # bytes that Kafka would have written otherwise
        self.damage = {}       # file -> first damaged position, on which both agree
        self.kinds = set()     # what was among the bytes: codecs, control batches, holes
        self.batches = 0
        self.records = 0
        self.rewrites = 0      # batches compared with what Kafka writes
        self.image = None      # partition -> what Kafka's MetadataImage says of it

    def wrong(self):
        """A line for everything that must not be, for the message of a test."""
        return [f"{self.name}: {line}"
                for line in self.differences + self.complaints + self.rewritten]


def dump_with_kafka(kafka, folder, directories):
    """name -> file -> items, for name -> log directory."""
    listing, out = os.path.join(folder, "list.txt"), os.path.join(folder, "kafka.jsonl")
    with open(listing, "w", encoding="utf-8") as file:
        file.writelines(f"{name} {path}\n" for name, path in directories.items())
    kafka.run("DumpDirectory", listing, out)
    found = {name: {} for name in directories}
    with open(out, encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            found[item["folder"]].setdefault(item["file"], []).append(item)
    return found


def load_with_kafka(kafka, folder, directories):
    """name -> what Kafka's log managers say after a start, for name -> (time in ms, directory).
    The directories are changed."""
    listing, out = os.path.join(folder, "load.txt"), os.path.join(folder, "loaded.jsonl")
    with open(listing, "w", encoding="utf-8") as file:
        file.writelines(f"{name} {now} {path}\n" for name, (now, path) in directories.items())
    said = kafka.run("LoadLog", listing, out)
    found = {name: [] for name in directories}
    with open(out, encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            found[item["folder"]].append(item)
    return found, said


def copy_tree(source, target):
    """A copy in which the empty rest of an index in use stays a hole."""
    for path, _, files in os.walk(source):
        place = os.path.join(target, os.path.relpath(path, source))
        os.makedirs(place, exist_ok=True)
        for name in files:
            with open(os.path.join(path, name), "rb") as data:
                content = data.read()
            with open(os.path.join(place, name), "wb") as out:
                out.write(content.rstrip(b"\0"))
                out.truncate(len(content))


def metadata_end(by_kafka):
    """The offset behind the last whole batch of the metadata log."""
    end = 0
    for file in sorted(name for name in by_kafka if "__cluster_metadata-0/" in name):
        for item in by_kafka[file] if file.endswith(".log") else []:
            if item["kind"] == "damage" or item.get("crc_valid") is False:
                return end
            if item["kind"] == "batch":
                end = item["last_offset"] + 1
    return end


def segment_of(file):
    return file.rsplit(".", 1)[0] + ".log"


def last_segments(files):
    """The last .log of each partition directory: the active segment."""
    last = {}
    for file in sorted(files):
        if file.endswith(".log"):
            last[os.path.dirname(file)] = file
    return set(last.values())


def examine(klab, name, path, by_kafka, cuts=None, torn=()):
    """Everything about one log directory that Kafka has dumped already. `cuts`: the directory of a
    partition -> the lowest offset to which it was truncated since it was opened; `torn`: directories
    of those that wait for recovery after a power failure: anything may stand in their indexes."""
    findings = Findings(name)
    by_klab, _ = klab.dump(path)
    read_image(findings, by_kafka.get("", []))
    missed = set(by_kafka) - set(by_klab) - {""}
    if missed:
        findings.differences.append(f"klab does not show {sorted(missed)}")
    in_use = set() if ".kafka_cleanshutdown" in by_klab else last_segments(by_klab)
    for file, klab_items in by_klab.items():
        theirs = by_kafka.get(file, [])
        compare_file(findings, file, klab_items, theirs)
        tools = [item for item in theirs if item["kind"] == "tool"]
        findings.complaints += [f"{file}: {i['error']}" for i in theirs if i["kind"] == "refused"]
        folder = os.path.dirname(file)
        if index_files.is_index(file) and folder not in torn:
            batches = [i for i in by_kafka[segment_of(file)] if i["kind"] == "batch"]
            found = index_files.complaints(os.path.join(path, file), tools, batches,
                                           segment_of(file) not in in_use,
                                           (cuts or {}).get(folder))
        elif index_files.is_index(file):
            found = []
        else:
            found = complain(findings, file, theirs, tools)
        findings.complaints += [f"{file}: {line}" for line in found]
    return findings


def read_image(findings, items):
    """What came of replaying the metadata log, if there is one."""
    findings.complaints += [f"{i['what']}: {i['error']}" for i in items if i["kind"] == "refused"]
    if any(item["kind"] == "image_broker" for item in items):
        fields = ("leader", "leader_epoch", "partition_epoch", "isr", "replicas")
        findings.image = {item["partition"]: {name: item[name] for name in fields}
                          for item in items if item["kind"] == "image_partition"}


def compare_file(findings, file, klab_items, kafka_items):
    for item in kafka_items:
        if item["kind"] == "batch":
            findings.batches += 1
            findings.records += len(item.get("records", []))
            findings.kinds.add(item["codec"])
            if item.get("control"):
                findings.kinds.add("control batch")
            if item.get("same_bytes") is not None:
                findings.rewrites += 1
            if item.get("same_bytes") is False:
                findings.rewritten.append(f"{file}: Kafka writes the batch at "
                                          f"{item['position']} otherwise")
            for record in item.get("records", []):
                if "which Kafka writes as" in record.get("meaning", ""):
                    findings.rewritten.append(f"{file}: offset {record['offset']}: "
                                              f"{record['value']} is a {record['meaning']}")
                    record["meaning"] = record["meaning"].split(",")[0]
    ours = normal_form.klab_items(klab_items)
    theirs = normal_form.kafka_items(kafka_items)
    if file.endswith("index"):
        # Bytes behind the last entry: Kafka reads the entries and finds the rest in a check.
        behind = [item for item in ours if item["kind"] == "damage"]
        ours = [item for item in ours if item["kind"] != "damage"]
        findings.damage |= {file: 0} if behind else {}
    findings.differences += [f"{file}: {line}" for line in normal_form.differences(ours, theirs)]
    spots = [i["position"] for i in theirs if i["kind"] == "damage" or i.get("crc_valid") is False]
    if spots:
        findings.damage[file] = min(spots)


def complain(findings, file, items, tools):
    """What the tool says of a file that is no index. Damage that was found already is reported by
    the tool as well: not twice."""
    found = []
    for tool in tools:
        said = tool["err"]
        if file.endswith((".log", ".checkpoint")):
            if dump_tool.reported_holes(said):
                findings.kinds.add("compacted")
            said = dump_tool.log_complaints(tool, [i for i in items if i["kind"] == "batch"])
        said = said + ([tool["thrown"]] if tool["thrown"] else [])
        if file not in findings.damage:
            found += said
        elif not said:
            found.append("the tool does not see the damage")
    return [f"kafka-dump-log: {line}" for line in found]
