# SPDX-License-Identifier: Apache-2.0
"""klab's side: runs scenarios, exports disks, and says what klab itself reads in a directory."""
import json
import os
import re
import subprocess

PARTITION_DIRECTORY = re.compile(r".+-\d+(\.[0-9a-f]{32}-(delete|stray|future))?$")


class Klab:
    def __init__(self, program, source):
        self.program = os.path.abspath(program)
        self.source = os.path.abspath(source)

    def call(self, *arguments, allowed=(0,)):
        done = subprocess.run([self.program, *arguments], cwd=self.source, timeout=240,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode not in allowed:
            raise AssertionError(f"klab {' '.join(arguments)} ended with {done.returncode}:\n"
                                 f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done

    def events(self, scenario, *options):
        """The run's first line and its events."""
        done = self.call("export", scenario, "--to", "jsonl", *options, allowed=(0, 1, 3))
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return lines[0], lines[1:]

    def export(self, scenario, node, folder, at_ns=None, options=()):
        """The log directories of the node at that time (without one: at the end), as paths."""
        time = () if at_ns is None else ("--at", f"{at_ns // 10**9}.{at_ns % 10**9:09d}s")
        self.call("disk", "export", scenario, "--node", node, "-o", folder, *time, *options)
        return log_directories(folder)

    def dump(self, path):
        """file -> what klab finds in it; and whether it found damage."""
        done = self.call("disk", "dump", path, "--format", "json", allowed=(0, 1))
        items = {}
        for line in done.stdout.splitlines():
            item = json.loads(line)
            items.setdefault(item["file"], []).append(item)
        return items, done.returncode == 1


def is_log_directory(files, folders):
    """A directory of log.dirs has partitions, checkpoints or an identity in it."""
    return (any(PARTITION_DIRECTORY.match(name) for name in folders)
            or any(name.endswith("-offset-checkpoint") for name in files)
            or "meta.properties" in files or ".kafka_cleanshutdown" in files)


def log_directories(disk):
    """The log directories below an exported disk, in order."""
    found = []
    for path, folders, files in os.walk(disk):
        if is_log_directory(files, folders):
            found.append(path)
            folders.clear()  # no log directory lies in another
    return sorted(found)
