#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kafka's log manager and klab start on the same disk. Whatever happened to it before (orderly stop,
crash, power failure with torn pages), both must end with the same logs: the same offsets, and the
same files: segments, indexes, producer snapshots, leader epochs.
"""
import json
import os

import normal_form
import reading
import runs
from conformance_test import ConformanceTest, main
from history import History

CHAOS_SEEDS = (1, 2, 5)
OWN_RUNS = ("epochs", "recovered", "stopped", "old-rules")
WALL_MS = 1704067200000  # what klab's clocks show at virtual time 0


class Restart(ConformanceTest):
    def test_both_find_the_same_logs(self):
        folder = self.folder("scenarios")
        paths = {name: path for name, path in runs.write_own(folder).items() if name in OWN_RUNS}
        for seed in CHAOS_SEEDS:
            paths[f"chaos-{seed}"] = os.path.join(folder, f"chaos-{seed}.json")
            with open(paths[f"chaos-{seed}"], "w", encoding="utf-8") as out:
                json.dump(runs.chaos(seed), out, indent=1)
        self.starts = {}  # name -> (time in ms, disk before, disk after, events)
        for name, path in paths.items():
            self.add_starts(name, path)
        loaded, said = reading.load_with_kafka(
            self.kafka, self.work,
            {name: (now, before) for name, (now, before, _, _) in self.starts.items()})
        wrong, logs, dropped, controllers = [], 0, 0, 0
        for name, items in loaded.items():
            _, before, after, events = self.starts[name]
            wrong += [f"{name}: {i['what']}: {i['error']}" for i in items if i["kind"] == "refused"]
            if any(item["kind"] == "loaded_metadata" for item in items):
                controllers += 1
                wrong += [f"{name}: {line}" for line in self.different_metadata(before, after)]
            found = {item["partition"]: item for item in items if item["kind"] == "loaded"}
            if set(found) != set(events):
                wrong.append(f"{name}: Kafka opens {sorted(found)}, klab {sorted(events)}")
            for partition in sorted(found.keys() & events.keys()):
                event = events[partition]
                logs += 1
                dropped += event["fields"]["bytes_dropped"] > 0
                wrong += [f"{name}: {partition}: {line}" for line in
                          self.differences(found[partition], event["fields"], before, after)]
        self.assert_nothing(wrong, f"starting; Kafka said:\n{said[-2000:]}\n")
        self.assertGreater(dropped, 2, "a test without torn tails shows little")
        self.assertGreater(controllers, 2)
        clean = sum(os.path.exists(os.path.join(before, "was-clean"))
                    for _, before, _, _ in self.starts.values())
        self.assertGreater(clean, 2, "a test without orderly stops shows little")
        print(f"{len(self.starts)} starts, {controllers} of a controller, {clean} after an orderly "
              f"stop: {logs} logs end alike, {dropped} of them cut")

    def add_starts(self, name, path):
        """Every start of a node after its first: its disk just before, and when its last log was
        open."""
        head, events = self.klab.events(path)
        history = History(head, events)
        for node in history.disks:
            for n, boot_ns in enumerate(history.boots_ns(node)):
                opened = history.opened(node, boot_ns)
                if boot_ns < 0 or not (opened or node.startswith("k")):
                    continue  # it died before it opened a log
                times = [boot_ns] + [event["time_ns"] for event in opened.values()]
                folder = os.path.join(self.work, "disks", f"{name}-{node}-{n}")
                [before] = self.klab.export(path, node, f"{folder}-before", boot_ns - 1)
                [after] = self.klab.export(path, node, f"{folder}-after", max(times) + 1)
                if os.path.exists(os.path.join(before, ".kafka_cleanshutdown")):
                    with open(os.path.join(before, "was-clean"), "w", encoding="utf-8"):
                        pass  # Kafka removes its own mark
                now = WALL_MS + (head["origin_ns"] + boot_ns) // 10**6
                self.starts[f"{name}-{node}-{n}"] = (now, before, after, opened)

    def differences(self, loaded, event, before, after):
        found = list(loaded["wrong_lookups"])
        if loaded["log_end"] != event["log_end_offset"]:
            found.append(f"log end offset {event['log_end_offset']}, "
                         f"Kafka has {loaded['log_end']}")
        by_kafka = os.path.join(before, loaded["directory"])
        by_klab = os.path.join(after, loaded["directory"])
        names = sorted(name for name in set(os.listdir(by_kafka)) | set(os.listdir(by_klab))
                       if not name.endswith(".deleted"))
        for name in names:
            ours, theirs = (self.content(os.path.join(folder, name))
                            for folder in (by_klab, by_kafka))
            if ours is None and theirs == b"" and name == "leader-epoch-checkpoint":
                continue  # Kafka makes the file when it opens a log, klab with the first epoch
            if ours is None or theirs is None:
                found.append(f"only {'Kafka' if ours is None else 'klab'} leaves {name}")
            elif ours != theirs:
                found.append(f"{name} has {len(ours)} bytes, Kafka's has {len(theirs)}, and they "
                             "differ")
        return found

    def content(self, path):
        """What a file holds, in a form in which equal means the same; None if there is no file."""
        if not os.path.exists(path):
            return None
        if path.endswith(".snapshot"):  # producers in any order
            [items] = self.klab.dump(path)[0].values()
            return sorted(json.dumps(item) for item in normal_form.klab_items(items))
        with open(path, "rb") as data:
            content = data.read()
        if path.endswith(("index", "timeindex")):  # an index in use has room for more
            return content.rstrip(b"\0")
        return content

    @staticmethod
    def different_metadata(before, after):
        """A controller writes at once when it has started: what it found is where its log begins."""
        name = "__cluster_metadata-0/00000000000000000000.log"
        contents = []
        for folder in (after, before):
            with open(os.path.join(folder, name), "rb") as data:
                contents.append(data.read())
        ours, theirs = contents
        return [] if ours.startswith(theirs) else [f"{name} is not what Kafka recovers, and more"]


if __name__ == "__main__":
    main()
