# SPDX-License-Identifier: Apache-2.0
"""What a run's events say about its nodes: who was up when, and what a log was found to hold."""

DEATHS = ("node.crashed", "node.powered_off", "node.exited")
LOG_KINDS = ("log.recovered", "log.appended", "log.truncated")  # the log was open


class History:
    def __init__(self, head, events):
        self.end_ns = head["end_ns"]
        self.disks = [node["name"] for node in head["nodes"] if node["kind"] != "client"]
        self.events = events

    def of(self, node, *kinds):
        return [e for e in self.events if e["node"] == node and e["kind"] in kinds]

    def before(self, node, at_ns, *kinds):
        """The last event of these kinds at or before the time; None if there is none."""
        found = [e for e in self.of(node, *kinds) if e["time_ns"] <= at_ns]
        return found[-1] if found else None

    def is_up(self, node, at_ns):
        last = self.before(node, at_ns, "node.booted", *DEATHS)
        return last is None or last["kind"] == "node.booted"

    def born_ns(self, node, at_ns):
        """When the process that runs, or ran last, was started."""
        booted = self.before(node, at_ns, "node.booted")
        return booted["time_ns"] if booted else -10**18

    def opening(self, node, at_ns):
        """partition -> event, of the logs that no process has opened since the last one died: their
        files still are as that one left them, up to the event that opens them. None where there is
        no such event, or where the machine loses power before it."""
        born = self.born_ns(node, at_ns) if self.is_up(node, at_ns) else at_ns
        known = {e["fields"]["partition"] for e in self.of(node, *LOG_KINDS)
                 if e["time_ns"] < born}
        found = dict.fromkeys(known - {e["fields"]["partition"] for e in self.of(node, *LOG_KINDS)
                                       if born <= e["time_ns"] <= at_ns})
        for event in self.of(node, "log.recovered", "node.powered_off"):
            if event["time_ns"] <= at_ns:
                continue
            if event["kind"] == "node.powered_off":
                break
            partition = event["fields"]["partition"]
            if partition in found and found[partition] is None:
                found[partition] = event
        return found

    def opened(self, node, boot_ns):
        """partition -> event, of the logs that the process opens that starts at that time."""
        deaths = [e["time_ns"] for e in self.of(node, *DEATHS) if e["time_ns"] >= boot_ns]
        end = min(deaths, default=self.end_ns + 1)
        return {e["fields"]["partition"]: e for e in self.of(node, "log.recovered")
                if boot_ns <= e["time_ns"] < end}

    def cuts(self, node, at_ns):
        """partition -> the lowest offset to which it was truncated since it was last opened."""
        lowest = {}
        for event in self.of(node, "log.recovered", "log.truncated"):
            if event["time_ns"] > at_ns:
                break
            partition = event["fields"]["partition"]
            if event["kind"] == "log.recovered":
                lowest.pop(partition, None)
            else:
                to = event["fields"]["to"]
                lowest[partition] = min(to, lowest.get(partition, to))
        return lowest

    def torn(self, node, at_ns):
        """Partitions whose files wait for a recovery after the machine lost power."""
        if not self.lost_power(node, at_ns):
            return set()
        opening = set(self.opening(node, at_ns))
        return opening if self.is_up(node, at_ns) else opening | {"__cluster_metadata-0"}

    def lost_power(self, node, at_ns):
        """Has the machine lost power since a process last opened its logs? A broker opens them with
        its first metadata, and may end before that."""
        lost = self.before(node, at_ns, "node.powered_off")
        if lost is None or lost is self.before(node, at_ns, *DEATHS):
            return lost is not None
        return node.startswith("b") and not any(
            lost["time_ns"] < e["time_ns"] <= at_ns for e in self.of(node, "log.recovered"))

    def boots_ns(self, node):
        """When the node started again, after its first start."""
        return [e["time_ns"] for e in self.of(node, "node.booted")][1:]

    def metadata(self):
        """partition -> leader, epochs, ISR and replicas as last committed; topics that were deleted
        are there still."""
        fields = ("leader", "leader_epoch", "partition_epoch", "isr", "replicas")
        return {e["fields"]["partition"]: {name: e["fields"][name] for name in fields}
                for e in self.events if e["kind"] == "partition.changed"}
