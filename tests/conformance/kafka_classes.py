# SPDX-License-Identifier: Apache-2.0
"""Apache Kafka's own classes, ready to run: the jars of pom.xml, checked against jars.sha256, and
the small Java programs of java/, compiled.

Without a JDK and Maven there is nothing to do here: the test says so and counts as skipped. With
them, whatever goes wrong is a failure.
"""
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
HERE = os.path.dirname(os.path.abspath(__file__))
POM = os.path.join(HERE, "pom.xml")
HASHES = os.path.join(HERE, "jars.sha256")
SOURCES = os.path.join(HERE, "java")
JVM = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx600m",
       "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"]


class NotToBeHad(Exception):
    """Kafka's classes cannot be used, and that is not for want of Java."""


def skip_without_java():
    """Ends the program, with one line about why, where no Java or no Maven is installed."""
    missing = [tool for tool in ("java", "javac", "mvn") if shutil.which(tool) is None]
    if missing:
        print(f"conformance: SKIPPED, no {' and no '.join(missing)} on the PATH "
              "(Debian: default-jdk-headless, maven); klab's bytes were not shown to Kafka")
        sys.exit(SKIPPED)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def expected_jars():
    """name -> sha256."""
    with open(HASHES, encoding="utf-8") as lines:
        pairs = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {name: digest for digest, name in pairs}


def wrong_jars(folder):
    """What is wrong with the jars of the folder, a sentence each."""
    expected = expected_jars()
    present = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    wrong = [f"{name} is absent" for name in sorted(expected.keys() - present)]
    wrong += [f"{name} is not listed in jars.sha256" for name in sorted(present - expected.keys())]
    for name in sorted(expected.keys() & present):
        digest = sha256(os.path.join(folder, name))
        if digest != expected[name]:
            wrong.append(f"{name} has sha256 {digest}, jars.sha256 says {expected[name]}")
    return wrong


def fetch_jars(folder):
    """The jars of pom.xml, from Maven's own cache or from where it downloads."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(
        ["mvn", "-B", "-q", "-f", POM, "dependency:copy-dependencies",
         f"-DoutputDirectory={folder}"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise NotToBeHad("Maven did not bring the jars of tests/conformance/pom.xml (is there a "
                         "network?):\n  " + "\n  ".join(said[:15]))


def class_path(jars):
    return os.pathsep.join(os.path.join(jars, name) for name in sorted(os.listdir(jars)))


def compile_sources(jars, classes):
    """Compiles java/ unless that was done already."""
    sources = sorted(os.path.join(SOURCES, name) for name in os.listdir(SOURCES))
    state = "\n".join(f"{sha256(path)} {path}" for path in [HASHES] + sources)
    stamp = os.path.join(classes, "compiled.txt")
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as text:
            if text.read() == state:
                return
    shutil.rmtree(classes, ignore_errors=True)
    os.makedirs(classes)
    done = subprocess.run(["javac", "-nowarn", "-cp", class_path(jars), "-d", classes, *sources],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotToBeHad("javac refuses tests/conformance/java:\n" + done.stderr)
    with open(stamp, "w", encoding="utf-8") as text:
        text.write(state)


@contextlib.contextmanager
def only_one(path):
    """Tests run side by side; the first one prepares for all."""
    with open(path, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Kafka:
    """Runs the programs of java/."""

    def __init__(self, folder):
        self.folder = folder
        self.jars = os.path.join(folder, "jars")
        self.classes = os.path.join(folder, "classes")
        os.makedirs(folder, exist_ok=True)
        with only_one(os.path.join(folder, "lock")):
            if wrong_jars(self.jars):
                fetch_jars(self.jars)
            wrong = wrong_jars(self.jars)
            if wrong:
                raise NotToBeHad("these are not the pinned jars, nothing of them was run:\n  "
                                 + "\n  ".join(wrong))
            compile_sources(self.jars, self.classes)

    def run(self, program, *arguments):
        """Runs a program to its end; returns what Kafka logged meanwhile."""
        path = self.classes + os.pathsep + class_path(self.jars)
        done = subprocess.run(["java", *JVM, "-cp", path, program, *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=500, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{program} ended with {done.returncode}:\n{done.stderr[-4000:]}")
        return done.stderr
