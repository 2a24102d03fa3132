# SPDX-License-Identifier: Apache-2.0
"""What a run's events say about its nodes: who was up when, and what a log was found to hold."""

DEATHS = ("node.crashed", "node.powered_off", "node.exited")


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
        """partition -> event, of the logs that are opened only after that time: by the process that
        has just started, or by the next one. Their files still are as the process before left them.
        """
        is_up = self.is_up(node, at_ns)
        deaths = [e["time_ns"] for e in self.of(node, *DEATHS) if e["time_ns"] > at_ns]
        end = deaths[0] if is_up and deaths else self.end_ns + 1
        found = {}
        for event in self.of(node, "log.recovered"):
            if at_ns < event["time_ns"] < end:
                found.setdefault(event["fields"]["partition"], event)
        return found

    def truncated(self, node, at_ns):
        """Partitions that were truncated since the process started."""
        since = self.born_ns(node, at_ns)
        return {e["fields"]["partition"] for e in self.of(node, "log.truncated")
                if since <= e["time_ns"] <= at_ns}

    def torn(self, node, at_ns):
        """Partitions whose files wait for a recovery after the machine lost power."""
        if not self.lost_power(node, at_ns):
            return set()
        logs = {e["fields"]["partition"] for e in self.of(node, "log.recovered", "log.appended")}
        opening = set(self.opening(node, at_ns))
        return opening if self.is_up(node, at_ns) else logs | opening | {"__cluster_metadata-0"}

    def lost_power(self, node, at_ns):
        """Did the last process before the one that runs, or the last at all, end by power loss?"""
        last = self.before(node, at_ns, *DEATHS)
        return last is not None and last["kind"] == "node.powered_off"

    def boots_ns(self, node):
        """When the node started again, after its first start."""
        return [e["time_ns"] for e in self.of(node, "node.booted")][1:]

    def metadata(self):
        """partition -> leader, epochs, ISR and replicas as last committed; topics that were deleted
        are there still."""
        fields = ("leader", "leader_epoch", "partition_epoch", "isr", "replicas")
        return {e["fields"]["partition"]: {name: e["fields"][name] for name in fields}
                for e in self.events if e["kind"] == "partition.changed"}
