// SPDX-License-Identifier: Apache-2.0
//
// Disk faults of a scenario, from the file to what Kafka's brokers make of them.
#include <gtest/gtest.h>

#include "tests/scenario/played_scenario.h"

namespace klab::scenario {
namespace {

/// Plays `fault` after five records and ends when all twelve are acknowledged.
RunResult with_fault(const std::string& fault, const std::string& expect) {
    const std::string parts = R"j("timeline": [
        {"id": "fault", "when": {"client": "p1", "acked": 5}, "do": FAULT},
        {"id": "done", "when": {"client": "p1", "acked": 12}, "within": "25s",
         "do": {"end": true}}],
        "expect": [EXPECT])j";
    return played(cluster_file(replaced(replaced(parts, "FAULT", fault), "EXPECT", expect)));
}

/// The leader halts, another takes over, nothing acknowledged is lost.
constexpr const char* kFailsOver = R"j({"that": "count(log_dir.failed) == 1"},
    {"that": "count(node.exited) == 1"}, {"that": "leader(t-0) != b1"},
    {"that": "lost_acked(p1) == 0"})j";

/// The device did no harm.
constexpr const char* kGoesOn = R"j({"that": "count(log_dir.failed) == 0"},
    {"that": "count(node.exited) == 0"}, {"that": "leader(t-0) == b1"},
    {"that": "lost_acked(p1) == 0"})j";

void expect_pass(const RunResult& result) {
    EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
}

TEST(EngineDisk, AFailedLogDirectoryHaltsTheBroker) {
    // One log directory a broker: LogManager.handleLogDirFailure halts when the last one is gone.
    for (const char* fault :
         {R"j({"disk_full": {"node": "leader(t-0)"}})j",
          R"j({"disk_read_only": {"node": "leader(t-0)"}})j",
          R"j({"disk_gone": {"node": "leader(t-0)"}})j",
          R"j({"disk_error": {"node": "leader(t-0)", "on": "write"}})j",
          R"j({"disk_error": {"node": "leader(t-0)", "on": "write", "next": 1}})j",
          R"j({"disk_error": {"node": "leader(t-0)", "on": "read"}})j"}) {
        SCOPED_TRACE(fault);
        expect_pass(with_fault(fault, kFailsOver));
    }
}

TEST(EngineDisk, ADiskWithRoomIsNotFull) {
    expect_pass(
        with_fault(R"j({"disk_full": {"node": "leader(t-0)", "above": 100000000}})j", kGoesOn));
    expect_pass(with_fault(R"j({"disk_full": {"node": "leader(t-0)", "above": 1}})j", kFailsOver));
}

TEST(EngineDisk, ATornCrashKeepsHalfOfTheWriteUnderWay) {
    // b2 dies with an answer that brings a record (the second to ninth do): half of the batch is in
    // its file, and the next start cuts it off.
    const std::string parts = R"j("timeline": [
        {"id": "torn", "when": {"event": "message.received", "from": "b1", "to": "b2",
            "where": {"api": "Fetch", "reply": true}, "nth": 6},
         "do": {"crash": HOW}},
        {"id": "back", "when": {"after": "torn", "delay": "1s"}, "do": {"restart": "b2"}},
        {"id": "done", "when": {"event": "log.recovered", "where": {"node": "b2",
            "partition": "t-0"}}, "do": {"end": true}}],
        "expect": [EXPECT])j";
    const auto with = [&](const std::string& how, const std::string& expect) {
        return played(cluster_file(replaced(replaced(parts, "HOW", how), "EXPECT", expect)));
    };
    const std::string half =
        R"j({"that": "count(log.recovered, partition=t-0, bytes_dropped=0) == 0"},
        {"that": "count(log.recovered, partition=t-0) == 1"})j";
    const std::string nothing =
        R"j({"that": "count(log.recovered, partition=t-0, bytes_dropped=0) == 1"})j";
    expect_pass(with(R"j({"node": "b2", "torn": true})j", half));
    expect_pass(with(R"j({"node": "b2"})j", nothing));
    expect_pass(with(R"j("b2")j", nothing));
}

TEST(EngineDisk, AFaultElsewhereOnTheDiskIsNotMet) {
    const char* fault =
        R"j({"disk_error": {"node": "leader(t-0)", "on": "write", "path": "/data/u-0"}})j";
    expect_pass(with_fault(fault, kGoesOn));
}

TEST(EngineDisk, ASlowDiskIsOnlySlow) {
    expect_pass(with_fault(R"j({"disk_slow": {"node": "leader(t-0)", "by": "5ms"}})j", kGoesOn));
}

TEST(EngineDisk, TheRefusedProducerHearsAStorageError) {
    // The answer of the failed append gets out before the process ends.
    expect_pass(with_fault(R"j({"disk_full": {"node": "leader(t-0)"}})j",
                           R"j({"that": "errors(p1, KAFKA_STORAGE_ERROR) == 1"})j"));
}

TEST(EngineDisk, AControllerWithoutItsLogHalts) {
    // The directory of the metadata log: the process ends. Leaders go on without it.
    const char* fault =
        R"j([{"disk_full": {"node": "controller()"}}, {"create_topic": {"name": "w"}}])j";
    expect_pass(with_fault(fault, R"j({"that": "count(log_dir.failed) == 1"},
        {"that": "acked(p1) == 12"}, {"that": "leader(t-0) == b1"})j"));
}

TEST(EngineDisk, AWipedDiskIsANewDevice) {
    expect_pass(played(cluster_file(R"j("timeline": [
        {"id": "gone", "when": {"client": "p1", "acked": 5}, "do": {"disk_gone": {"node": "b1"}}},
        {"id": "replaced", "when": {"event": "node.exited"},
         "do": [{"wipe": "b1"}, {"restart": "b1"}]},
        {"id": "back", "when": {"all": [{"after": "replaced", "delay": "12s"},
                                        {"client": "p1", "acked": 12},
                                        {"partition": "t-0", "isr_size": 3}]},
         "within": "25s", "do": {"end": true}}],
        "expect": [{"that": "lost_acked(p1) == 0"}, {"that": "logs_equal(t-0)"}])j")));
}

TEST(EngineDisk, TheLossOfAPartitionIsMendedByItsLeader) {
    expect_pass(played(cluster_file(R"j("timeline": [
        {"id": "down", "when": {"client": "p1", "acked": 5}, "do": {"crash": "b2"}},
        {"id": "lost", "when": {"after": "down", "delay": "1s"},
         "do": [{"lose_entry": {"node": "b2", "path": "/data/t-0"}}, {"restart": "b2"}]},
        {"id": "back", "when": {"all": [{"after": "lost", "delay": "12s"},
                                        {"client": "p1", "acked": 12},
                                        {"partition": "t-0", "isr_size": 3}]},
         "within": "25s", "do": {"end": true}}],
        "expect": [{"that": "lost_acked(p1) == 0"}, {"that": "logs_equal(t-0)"},
                   {"that": "count(disk.entry_lost) == 1"}])j")));
}

TEST(EngineDisk, ALogThatDoesNotSayItsTopicIsPutAsideAndCopiedAnew) {
    // No check takes the empty log that follows for the one that was put aside.
    const RunResult result = played(cluster_file(R"j("timeline": [
        {"id": "down", "when": {"client": "p1", "acked": 5}, "do": {"crash": "b2"}},
        {"id": "lost", "when": {"after": "down", "delay": "1s"},
         "do": [{"lose_entry": {"node": "b2", "path": "/data/t-0/partition.metadata"}},
                {"restart": "b2"}]},
        {"id": "back", "when": {"all": [{"after": "lost", "delay": "12s"},
                                        {"client": "p1", "acked": 12},
                                        {"partition": "t-0", "isr_size": 3}]},
         "within": "25s", "do": {"end": true}}],
        "expect": [{"that": "lost_acked(p1) == 0"}, {"that": "logs_equal(t-0)"},
                   {"that": "count(log.renamed, partition=t-0) == 1"}])j"));
    expect_pass(result);
    EXPECT_TRUE(result.violations.empty()) << to_json(result);
}

TEST(EngineDisk, ABitRotsAtRestAndTheBrokerStartsAgain) {
    // Recovery checks each batch: it cuts the log there, or the damage lies in a checkpoint.
    const RunResult result = played(cluster_file(R"j("timeline": [
        {"id": "down", "when": {"client": "p1", "acked": 5}, "do": {"crash": "b2"}},
        {"id": "rotten", "when": {"after": "down", "delay": "1s"},
         "do": [{"bit_rot": {"node": "b2", "path": "/data/t-0"}}, {"restart": "b2"}]},
        {"id": "back", "when": {"all": [{"after": "rotten", "delay": "12s"},
                                        {"client": "p1", "acked": 12}]},
         "within": "25s", "do": {"end": true}}],
        "expect": [{"that": "count(disk.bit_rotted) == 1"}, {"that": "acked(p1) == 12"}])j"));
    expect_pass(result);
}

TEST(EngineDisk, ARunningNodeKeepsItsFilesOpen) {
    const RunResult result = with_fault(R"j({"lose_entry": {"node": "b2", "path": "/data/t-0"}})j",
                                        R"j({"that": "lost_acked(p1) == 0"})j");
    EXPECT_NE(result.verdict, Verdict::kPass);
}

TEST(EngineDisk, ADeviceOfItsOwnChangesTheTimesOfTheRun) {
    const auto with = [](const std::string& disk) {
        const std::string file = cluster_file(R"j("timeline": [{"id": "done",
            "when": {"client": "p1", "acked": 12}, "within": "25s", "do": {"end": true}}])j");
        const std::string mark = R"j("controllers": 1,)j";
        return played(replaced(file, mark, mark + disk));
    };
    const RunResult usual = with("");
    const RunResult slow = with(R"j("disk": {"kind": "hdd"},)j");
    const RunResult mixed = with(R"j("nodes": {"b1": {"disk": "nvme"}},)j");
    for (const RunResult& result : {usual, slow, mixed}) {
        EXPECT_EQ(result.verdict, Verdict::kPass) << to_json(result);
    }
    EXPECT_NE(slow.trace_hash, usual.trace_hash);
    EXPECT_NE(mixed.trace_hash, usual.trace_hash);
    EXPECT_NE(mixed.trace_hash, slow.trace_hash);
}

}  // namespace
}  // namespace klab::scenario
