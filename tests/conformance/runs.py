# SPDX-License-Identifier: Apache-2.0
"""The runs whose disks Kafka is shown: the scenarios of the library, and some that exist to write
what these do not."""
import json
import os
import random

# Room for index entries of a size that thousands of files can have; the default is 10 MiB.
INDEX_BYTES_MAX = 24000
SEGMENT = {"internal.segment.bytes": 600, "index.interval.bytes": 150}


def producer(name="p1", topic="t", count=60, every="20ms", keys=None, to=None, **config):
    send = {"count": count, "every": every}
    if keys is not None:
        send["keys"] = keys
    if to is not None:
        send["to"] = to
    return {"producer": name, "topic": topic, "config": config, "send": send}


def scenario(title, topics=None, clients=None, steps=(), end="4s", brokers=3, kafka="4.1",
             seed=11, brokers_config=None):
    topic = {"name": "t", "partitions": 2, "replicas": min(3, brokers)}
    timeline = [{"id": f"step-{i}", "when": when, "do": do} for i, (when, do) in enumerate(steps)]
    timeline.append({"id": "done", "when": {"at": end}, "do": {"end": True}})
    return {"klab": 1, "title": title, "seed": seed, "limit": "10min", "kafka": kafka,
            "cluster": {"brokers": brokers, "config": {
                "log.index.size.max.bytes": INDEX_BYTES_MAX, **(brokers_config or {})}},
            "topics": topics or [topic],
            "clients": clients or [producer(keys=["a", "b", None])],
            "timeline": timeline}


def at(time):
    return {"at": time}


def topic(**config):
    return [{"name": "t", "partitions": 2, "replicas": 3, "config": config}]


def power_off(*nodes, keep="random", torn=True):
    return {"power_off": {"nodes": list(nodes), "keep": keep, "torn": torn}}


def busy():
    """Batches of all sizes, so that pages and sectors end inside them."""
    return [producer(count=300, every="5ms", keys=["a", "b"], **{"linger.ms": 20})]


def compressed(codec):
    """One producer compresses, for the other the leader does."""
    clients = [producer(count=150, every="5ms", keys=["a", "b"],
                        **{"linger.ms": 40, "compression.type": codec}),
               producer("p2", count=150, every="5ms", **{"linger.ms": 40})]
    for client in clients:
        client["send"]["value_bytes"] = 300
    return scenario(f"batches compressed with {codec}",
                    topic(**{"internal.segment.bytes": 3000, "compression.type": codec}), clients)


def powerless(seed):
    return scenario("all brokers lose power, torn pages", clients=busy(), end="3s", seed=seed,
                    steps=[(at("900ms"), power_off("b1", "b2", "b3"))])


def own_scenarios():
    """name -> scenario, of the runs made for this test."""
    runs = {
        "batched": scenario("large batches", clients=[
            producer(count=300, every="1ms", keys=["a", "b", "c"], **{"linger.ms": 40}),
            producer("p2", count=300, every="1ms", **{"linger.ms": 15, "acks": "1"})]),
        "segments": scenario("many segments", topic(**SEGMENT), [producer(count=150, to="t-0")]),
        "retained": scenario("old segments are deleted", topic(**SEGMENT, **{
            "retention.bytes": 1500, "file.delete.delay.ms": 1000}), [
            producer(count=300, to="t-0")], end="12s",
            brokers_config={"log.retention.check.interval.ms": 2000,
                            "log.initial.task.delay.ms": 500}),
        "preallocated": scenario("segments have their size at once",
                                 topic(**SEGMENT, preallocate=True)),
        "compacted": scenario("the cleaner takes away old values and tombstones", topic(**{
            "internal.segment.bytes": 2000, "index.interval.bytes": 150,
            "cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0,
            "delete.retention.ms": 2000, "file.delete.delay.ms": 1000}), [
            producer(count=400, keys=["a", "b", "c"], to="t-0", **{"linger.ms": 40}),
            producer("p2", count=400, keys=["c", "d", None], to="t-1", acks="1"),
            producer("p3", count=100, keys=["e"], to="t-0", **{"compression.type": "zstd"})],
            end="20s", brokers_config={"log.cleaner.backoff.ms": 500}),
        "full-index": scenario("an index is full", topic(**{
            "internal.segment.bytes": 100000, "index.interval.bytes": 50,
            "segment.index.bytes": 120}), [producer(count=200, to="t-0")]),
        "large-index": scenario("indexes have their default size", end="2s", brokers_config={
            "log.index.size.max.bytes": 10485760}),
        "stamped": scenario("the broker's timestamps",
                            topic(**SEGMENT, **{"message.timestamp.type": "LogAppendTime"})),
        "no-acks": scenario("nobody waits", clients=[
            producer(acks="0", **{"enable.idempotence": False})]),
        "flushed": scenario("every append is synced", topic(**{"flush.messages": 1})),
        "resent": scenario("answers are lost, batches are sent again", steps=[
            (at("200ms"), {"reset": {"from": "leader(t-0)", "to": "p1", "api": "Produce",
                                     "reply": True}}),
            (at("600ms"), {"reset": {"from": "leader(t-1)", "to": "p1", "api": "Produce",
                                     "reply": True}})]),
        "epochs": scenario("one leader after another", topic(**{"internal.segment.bytes": 600}), [
            producer(count=400, every="200ms")], end="90s", steps=[
            (at("1s"), {"stop": "leader(t-0)"}), (at("8s"), {"restart": "b1"}),
            (at("20s"), {"crash": "leader(t-0)"}), (at("34s"), {"restart": "b1"}),
            (at("35s"), {"restart": "b2"}), (at("36s"), {"restart": "b3"}),
            (at("50s"), {"stop": "leader(t-0)"}), (at("60s"), {"restart": "b1"}),
            (at("61s"), {"restart": "b2"}), (at("62s"), {"restart": "b3"})]),
        "stopped": scenario("an orderly stop of all", topic(**SEGMENT), end="30s", steps=[
            (at("2s"), [{"stop": "b1"}, {"stop": "b2"}, {"stop": "b3"}])]),
        "powerless-1": powerless(seed=1),
        "powerless-2": powerless(seed=2),
        "powerless-3": powerless(seed=3),
        "synced-only": scenario("what was not synced is gone", topic(**SEGMENT), end="3s", steps=[
            (at("900ms"), power_off("b1", "b2", "b3", keep="synced", torn=False))]),
        "recovered": scenario("recovery after torn writes", clients=busy(), end="40s", steps=[
            (at("900ms"), power_off("b1", "b2", "b3")), (at("4s"), {"restart": "b1"}),
            (at("5s"), {"restart": "b2"}), (at("6s"), {"restart": "b3"})], seed=2),
        "controller-down": scenario("the controller crashes and loses power", end="25s", steps=[
            (at("500ms"), {"crash": "k1"}), (at("3s"), {"restart": "k1"}),
            (at("9s"), power_off("k1")), (at("12s"), {"restart": "k1"})]),
        "topics": scenario("topics come and go", topics=[
            {"name": "t", "partitions": 2, "replicas": 3},
            {"name": "gone", "partitions": 2, "replicas": 2}], clients=[
            producer(count=200), producer("p2", "gone"), {"admin": "a1"}], end="8s", steps=[
            (at("1s"), {"create_topic": {"name": "fresh", "partitions": 3, "replicas": 2}}),
            (at("3s"), {"alter_config": {"topic": "t", "config": {"flush.messages": 2}}}),
            (at("4s"), {"delete_topic": "gone"})]),
        "wide": scenario("many partitions", topics=[
            {"name": f"topic.{i}_{'x' * i}", "partitions": 5, "replicas": 3} for i in range(1, 6)],
            clients=[producer(f"p{i}", f"topic.{i}_{'x' * i}") for i in range(1, 6)], brokers=5),
        "old-rules": scenario("the rules of 3.6", topic(**{"segment.bytes": 600}), kafka="3.6",
                              steps=[(at("500ms"), {"crash": "b2"}), (at("2s"), {"restart": "b2"})]),
        "full": scenario("a disk fills up", steps=[
            (at("500ms"), {"disk_full": {"node": "b2", "for": "1s"}})], end="20s"),
        "rotten": scenario("one bit turns", topic(**SEGMENT), [producer(count=150, to="t-0")],
                           steps=[(at("2500ms"), {"stop": "b2"}), (at("12s"), {"bit_rot": {
                               "node": "b2", "path": "/data/t-0/00000000000000000000.log"}})],
                           end="13s"),
        "cut-off": scenario("a leader apart keeps writing, and cuts",
                            topic(**{"index.interval.bytes": 150}), clients=[
            producer(acks="1", count=300, every="100ms", **{"enable.idempotence": False})],
            end="60s", steps=[
            (at("2s"), {"partition": [["b1"], ["b2", "b3", "k1"]]}), (at("20s"), {"heal": "all"})]),
    }
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        runs[f"compressed-{codec}"] = compressed(codec)
    return runs


def write_own(folder):
    """The scenarios as files; name -> path."""
    paths = {}
    for name, content in own_scenarios().items():
        paths[name] = os.path.join(folder, f"{name}.json")
        with open(paths[name], "w", encoding="utf-8") as out:
            json.dump(content, out, indent=1)
    return paths


# Scenarios whose variants leave disks of another kind.
WITH_VARIANTS = ("compressed-topic", "batch-grows-at-the-broker", "f44-bit-rot", "f48-cleaner-death",
                 "f42-jbod-dir-failure-unnoticed")


def library(source):
    """(name, file, options) of the scenarios in the library, and of variants that matter here."""
    found = []
    small = ("--set", f"/cluster/config/log.index.size.max.bytes={INDEX_BYTES_MAX}")
    for path, folders, files in os.walk(os.path.join(source, "scenarios")):
        folders[:] = sorted(set(folders) - {"cli", "run", "schema"})
        for name in sorted(file for file in files if file.endswith(".json")):
            file = os.path.join(path, name)
            with open(file, encoding="utf-8") as text:
                variants = json.load(text).get("variants", {})
            stem = name[:-len(".json")]
            found.append((stem, file, small))
            found += [(f"{stem}-{variant}", file, ("--variant", variant, *small))
                      for variant in variants if stem in WITH_VARIANTS]
    return found


# ---- a run in which anything may fail

def chaos(seed, lasts_s=60):
    """Crashes, power failures with torn pages, stops and cuts, drawn from the seed."""
    draw = random.Random(seed)
    steps = []
    others = {node: [b for b in ("b1", "b2", "b3") if b != node] for node in ("b1", "b2", "b3", "k1")}
    for node in others:
        now = draw.randrange(500, 6000)
        while now < lasts_s * 1000 - 20000:
            fault = draw.choice(("crash", "power", "torn", "torn", "torn", "stop", "cut"))
            down = draw.randrange(1500, 9000)
            do = {"crash": {"crash": node},
                  "power": power_off(node, keep="random", torn=False),
                  "torn": power_off(node, keep="random", torn=True),
                  "stop": {"stop": node},
                  "cut": {"partition": [[node], others[node]]}}[fault]
            steps.append((at(f"{now}ms"), do))
            back = now + down + (12000 if fault == "stop" else 0)
            steps.append((at(f"{back}ms"),
                          {"heal": "all"} if fault == "cut" else {"restart": node}))
            now = back + draw.randrange(3000, 9000) * (4 if node == "k1" else 1)
    topics = [{"name": "t", "partitions": 3, "replicas": 3,
               "config": {"internal.segment.bytes": 8000, "unclean.leader.election.enable": True}},
              {"name": "f", "partitions": 1, "replicas": 3, "config": {"flush.messages": 1}}]
    clients = [producer("p1", count=lasts_s * 50, every="20ms", keys=["a", "b", "c", None],
                        **{"linger.ms": 60}),
               producer("p2", "f", count=lasts_s * 10, every="100ms",
                        **{"acks": "1", "enable.idempotence": False})]
    return scenario(f"chaos {seed}", topics, clients, steps, end=f"{lasts_s}s")
