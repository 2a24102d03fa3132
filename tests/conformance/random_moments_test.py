#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A hundred random moments of a run in which brokers crash, lose power with torn pages, stop and are
cut off. At each of them:

- Kafka reads what klab reads on every disk.
- A disk in use is whole. Damage is there only where a machine has lost power and no recovery came
  yet, and then Kafka's dump tool sees it, at the position where klab sees it.
- Kafka's log manager starts on it, as after a kill at that instant. On a disk in use it drops
  nothing; on one that waits for recovery it keeps exactly what klab's own recovery keeps.
"""
import json
import os
import random

import reading
import runs
from conformance_test import ConformanceTest, main
from history import History

SEED = 3
MOMENTS = 100
WALL_MS = 1704067200000  # what klab's clocks show at virtual time 0


class RandomMoments(ConformanceTest):
    def test_a_hundred_of_them(self):
        self.scenario = os.path.join(self.folder("scenario"), "chaos.json")
        with open(self.scenario, "w", encoding="utf-8") as out:
            json.dump(runs.chaos(SEED), out, indent=1)
        head, events = self.klab.events(self.scenario)
        self.history = History(head, events)
        self.origin_ms = WALL_MS + head["origin_ns"] // 10**6
        draw = random.Random(SEED)
        moments = sorted(draw.randrange(self.history.end_ns) for _ in range(MOMENTS))
        self.disks = {}
        for i, at_ns in enumerate(moments):
            for node in draw.sample(self.history.disks, 2):
                folder = os.path.join(self.work, "disks", f"{i}-{node}")
                for path in self.klab.export(self.scenario, node, folder, at_ns):
                    self.disks[f"{i}-{node}"] = (node, at_ns, path)
        self.check_reading()
        self.check_start()

    def check_reading(self):
        paths = {name: path for name, (_, _, path) in self.disks.items()}
        by_kafka = reading.dump_with_kafka(self.kafka, self.work, paths)
        self.metadata_ends = {name: reading.metadata_end(files) for name, files in by_kafka.items()}
        self.damage, wrong, batches = {}, [], 0
        for name, (node, at_ns, path) in self.disks.items():
            findings = reading.examine(self.klab, name, path, by_kafka[name],
                                       self.history.cuts(node, at_ns),
                                       self.history.torn(node, at_ns))
            wrong += findings.wrong()
            batches += findings.batches
            self.damage[name] = findings.damage
            torn = self.history.torn(node, at_ns)
            wrong += [f"{name}: {file} is damaged at {position}, and {node} is in use"
                      for file, position in findings.damage.items()
                      if os.path.dirname(file) not in torn]
        self.assert_nothing(wrong, "reading")
        damaged = [name for name, damage in self.damage.items() if damage]
        self.assertGreater(len(damaged), 3, "a test without torn writes shows little")
        print(f"{MOMENTS} moments, {len(self.disks)} log directories, {batches} batches read by both; "
              f"{len(damaged)} directories after a power failure were damaged at the same place "
              "for both")

    def check_start(self):
        """Kafka starts on copies; `segments` of its logs must be the files, or klab's recovery."""
        copies = {}
        for name, (_, at_ns, path) in self.disks.items():
            copy = os.path.join(self.work, "copies", name)
            reading.copy_tree(path, copy)
            copies[name] = (self.origin_ms + at_ns // 10**6, copy)
        loaded, said = reading.load_with_kafka(self.kafka, self.work, copies)
        wrong, whole, recovered, controllers = [], 0, 0, 0
        for name, items in loaded.items():
            node, at_ns, path = self.disks[name]
            waiting = self.history.opening(node, at_ns)
            wrong += [f"{name}: {i['what']}: {i['error']}" for i in items if i["kind"] == "refused"]
            for item in items:
                if item["kind"] == "loaded_metadata":
                    controllers += 1
                    if item["log_end"] != self.metadata_ends[name]:
                        wrong.append(f"{name}: Kafka keeps metadata up to {item['log_end']}, "
                                     f"the log is good up to {self.metadata_ends[name]}")
                if item["kind"] != "loaded":
                    continue
                wrong += [f"{name}: {item['partition']}: {line}" for line in item["wrong_lookups"]]
                event = waiting.get(item["partition"])
                if event is not None:
                    recovered += 1
                    wrong += self.against_recovery(name, item, event)
                elif (self.history.is_up(node, at_ns)
                      and item["partition"] not in self.history.torn(node, at_ns)):
                    whole += 1
                    wrong += self.against_files(name, item, path)
        self.assert_nothing(wrong, f"starting; Kafka said:\n{said[-2000:]}\n")
        self.assertGreater(whole, 200)
        self.assertGreater(recovered, 50)
        self.assertGreater(controllers, 20)
        print(f"Kafka's log manager started on all of them: {whole} logs in use kept every byte, "
              f"{recovered} waiting ones ended where klab's recovery ends, {controllers} metadata "
              "logs where they are good")

    @staticmethod
    def against_recovery(name, item, event):
        wanted = event["fields"]["log_end_offset"]
        if item["log_end"] == wanted:
            return []
        return [f"{name}: {item['partition']}: Kafka recovers up to {item['log_end']}, klab to "
                f"{wanted} ({event['fields']['bytes_dropped']} bytes dropped)"]

    @staticmethod
    def against_files(name, item, path):
        folder = os.path.join(path, item["directory"])
        sizes = {int(file[:20]): os.path.getsize(os.path.join(folder, file))
                 for file in os.listdir(folder) if file.endswith(".log")}
        kept = {segment["base"]: segment["size"] for segment in item["segments"]}
        return [] if kept == sizes else [f"{name}: {item['partition']}: the files hold {sizes}, "
                                         f"Kafka keeps {kept}"]


if __name__ == "__main__":
    main()
