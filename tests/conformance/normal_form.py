# SPDX-License-Identifier: Apache-2.0
"""What Kafka read and what klab read in the same file, in one form, and how the two differ."""

BATCH_FIELDS = ("position", "size", "magic", "base_offset", "last_offset", "leader_epoch", "crc",
                "crc_valid", "codec", "timestamp_type", "max_timestamp", "producer_id",
                "producer_epoch", "base_sequence", "transactional", "control", "delete_horizon",
                "count")
MESSAGE_FIELDS = ("position", "size", "magic", "offset", "crc", "crc_valid", "codec",
                  "timestamp_type", "timestamp")
FORMATS = (0, 1, 2)
RECORD_FIELDS = ("offset", "timestamp", "key", "value", "headers", "meaning")

# Items whose fields are the same on both sides, by kind.
PLAIN_FIELDS = {
    "damage": ("position",),
    "offset_index": ("offset", "position"),
    "time_index": ("timestamp", "offset"),
    "aborted": ("producer_id", "first_offset", "last_offset", "last_stable_offset"),
    "producer": ("producer_id", "producer_epoch", "coordinator_epoch", "timestamp",
                 "open_transaction", "last_sequence", "last_offset", "offset_delta"),
    "checkpoint": ("partition", "offset"),
    "epoch": ("epoch", "start_offset"),
    "snapshot": ("end_offset", "epoch"),
}

# klab's words for control records are those of KIP-595; Kafka's are the constants of its enum.
CONTROL_NAMES = {"LeaderChange": "LEADER_CHANGE", "SnapshotHeader": "SNAPSHOT_HEADER",
                 "SnapshotFooter": "SNAPSHOT_FOOTER", "KRaftVersion": "KRAFT_VERSION",
                 "KRaftVoters": "KRAFT_VOTERS"}


def to_hex(value):
    """klab shows printable bytes as text and others as {"hex": ...}; Kafka's side is hex."""
    if value is None:
        return None
    return value["hex"] if isinstance(value, dict) else value.encode("utf-8").hex()


def or_none(timestamp):
    """-1 says that there is none."""
    return None if timestamp == -1 else timestamp


def text_lines(items):
    return [item["text"] for item in items if item["kind"] == "line"]


def key_values(lines, separator):
    pairs = [line.split(separator, 1) for line in lines if separator in line]
    return {key.strip(): value.strip() for key, value in pairs}


# ---- klab's items

def klab_record(record):
    meaning = record.get("meaning")
    return {"offset": record["offset"], "timestamp": record["timestamp"],
            "key": to_hex(record["key"]), "value": to_hex(record["value"]),
            "headers": [[to_hex(key), to_hex(value)] for key, value in record["headers"]],
            "meaning": CONTROL_NAMES.get(meaning, meaning)}


def klab_batch(item):
    batch = {name: item[name] for name in BATCH_FIELDS}
    batch["kind"] = "batch"
    batch["records"] = [klab_record(record) for record in item.get("records", [])]
    batch["records_error"] = item.get("records_error")
    return batch


def klab_message(item):
    """Format 0 or 1."""
    message = {name: item[name] for name in MESSAGE_FIELDS}
    message["kind"] = "message"
    message["timestamp"] = or_none(item["timestamp"])
    message["records"] = [{"offset": record["offset"], "timestamp": or_none(record["timestamp"]),
                           "key": to_hex(record["key"]), "value": to_hex(record["value"])}
                          for record in item.get("records", [])]
    message["records_error"] = item.get("records_error")
    return message


def is_about_order(item):
    """klab finds that offsets or epochs do not rise; Kafka's readers of files do not look at that."""
    return item["kind"] == "damage" and " follows " in item["what"]


def klab_items(items):
    """The items of one file as `klab disk dump --format json` gave them."""
    out = []
    for item in items:
        kind = item["kind"]
        if is_about_order(item):
            continue
        if kind == "batch":
            out.append(klab_batch(item))
        elif kind == "message":
            out.append(klab_message(item))
        elif kind in PLAIN_FIELDS:
            if "position" in item or kind != "damage":
                out.append({"kind": kind} | {name: item[name] for name in PLAIN_FIELDS[kind]})
            else:
                out.append({"kind": kind, "what": item["what"]})
    name = items[0]["file"].rsplit("/", 1)[-1]
    return out + klab_text_items(name, text_lines(items))


def klab_text_items(name, lines):
    """Identity files, which klab shows line by line."""
    if name == "partition.metadata":
        fields = key_values(lines, ":")
        return [{"kind": "partition_metadata", "version": int(fields["version"]),
                 "topic_id": fields["topic_id"]}]
    if name == "meta.properties":
        fields = key_values([line for line in lines if not line.startswith("#")], "=")
        return [{"kind": "meta_properties", "version": int(fields["version"]),
                 "cluster_id": fields["cluster.id"], "node_id": int(fields["node.id"]),
                 "directory_id": fields["directory.id"]}]
    return []


# ---- Kafka's items

def kafka_message(item):
    """Format 0 or 1: the offset of a message is that of the last one that it wraps."""
    item = item | {"offset": item["last_offset"], "timestamp": or_none(item["max_timestamp"])}
    message = {name: item[name] for name in MESSAGE_FIELDS}
    message["kind"] = "message"
    message["records"] = [{name: or_none(record[name])
                           for name in ("offset", "timestamp", "key", "value")}
                          for record in item.get("records", [])]
    message["records_error"] = None
    return message


def kafka_batch(item):
    if item["magic"] not in FORMATS:  # Kafka's file reader takes it for format 2, klab for damage
        return {"kind": "damage", "position": item["position"]}
    if item["magic"] < 2:
        return kafka_message(item)
    batch = {name: item[name] for name in BATCH_FIELDS}
    batch["kind"] = "batch"
    batch["records"] = []
    for record in item.get("records", []):
        record = {name: record.get(name) for name in RECORD_FIELDS}
        record["headers"] = [[to_hex(key), value] for key, value in record["headers"]]
        batch["records"].append(record)
    batch["records_error"] = None
    return batch


def kafka_items(items):
    """The items of one file as DumpDirectory gave them."""
    out = []
    for item in items:
        kind = item["kind"]
        if kind == "batch":
            out.append(kafka_batch(item))
        elif kind in PLAIN_FIELDS:
            out.append({"kind": kind} | {name: item[name] for name in PLAIN_FIELDS[kind]})
        elif kind in ("partition_metadata", "meta_properties"):
            out.append({name: value for name, value in item.items()
                        if name not in ("folder", "file")})
    return out


# ---- differences

def in_order(items):
    """Kafka keeps producers and checkpoints in hash tables: their order says nothing."""
    loose = {"producer": "producer_id", "checkpoint": "partition"}
    return sorted(items, key=lambda item: (item["kind"], item[loose[item["kind"]]])
                  if item["kind"] in loose else (item["kind"], 0))


def without_nulls(value):
    """The same without fields that are null: to have none is to have null."""
    if isinstance(value, dict):
        return {name: without_nulls(part) for name, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value


def one_difference(ours, theirs):
    ours, theirs = without_nulls(ours), without_nulls(theirs)
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            return f"{name} is {short(ours.get(name))}, Kafka reads {short(theirs.get(name))}"
    return None


def short(value):
    text = repr(value)
    return text if len(text) < 200 else text[:200] + "..."


def where(item):
    return f"{item['kind']} at {item.get('position', item.get('offset', '?'))}"


def differences(ours, theirs):
    """A sentence for each item in which klab's reading of a file differs from Kafka's."""
    ours, theirs = in_order(ours), in_order(theirs)
    found = []
    for one, other in zip(ours, theirs):
        difference = one_difference(one, other)
        if difference:
            found.append(f"{where(one)}: {difference}")
    for item in ours[len(theirs):]:
        found.append(f"{where(item)}: Kafka does not have it: {short(item)}")
    for item in theirs[len(ours):]:
        found.append(f"{where(item)}: only Kafka has it: {short(item)}")
    return found
