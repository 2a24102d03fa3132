// SPDX-License-Identifier: Apache-2.0
//
// A broker with several log directories: placement, start and stop, failure of one. Rows L27 to L32
// and L35 are Kafka's own cases (LogManagerTest).
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/replication/log_dir_placement.h"
#include "model/storage/checkpoint_file.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/log_dir.h"
#include "model/storage/meta_properties.h"
#include "tests/replication/log_dirs_fixture.h"

namespace klab::replication {
namespace {

constexpr const char* kMarker = "/.kafka_cleanshutdown";

// --- placement

TEST(LogDirPlacement, TheFewestLogsFirstAndElseTheOrderOfLogDirs) {
    EXPECT_EQ(by_fewest_logs({{"/a", 2}, {"/b", 1}, {"/c", 2}, {"/d", 1}}),
              (std::vector<std::string>{"/b", "/d", "/a", "/c"}));
    EXPECT_TRUE(by_fewest_logs({}).empty());
}

TEST_F(LogDirs, L35_PartitionsAreSpreadEvenly) {
    rig_ = ReplicaRig(1, types::rules_of(types::kDefaultVersion), dirs("/a,/b,/c"));
    std::map<std::string, int> counts;
    for (std::int32_t index = 0; index < 20; ++index) {
        publish(index);
        ++counts[directory_of(index).substr(0, 2)];
    }
    ASSERT_EQ(counts.size(), 3U);
    for (const auto& [directory, count] : counts) {
        EXPECT_GE(count, 6) << directory;
        EXPECT_LE(count, 7) << directory;
    }
}

TEST_F(LogDirs, TheMetadataSayWhere) {
    publish(0, {id_of("/b")});
    publish(1, {id_of("/b")});
    EXPECT_EQ(directory_of(0), "/b/t-0");
    EXPECT_EQ(directory_of(1), "/b/t-1");
    publish(2, {metadata::kDirectoryUnassigned});
    EXPECT_EQ(directory_of(2), "/a/t-2");
}

TEST_F(LogDirs, ADirectoryThatRefusesANewLogIsPassedOver) {
    // LogManager.createLogDirectory: the next one in the order of nextLogDirs.
    publish(0);
    break_disk("/b");
    publish(1, {metadata::kDirectoryUnassigned});
    EXPECT_EQ(directory_of(1), "/a/t-1");
    EXPECT_EQ(rig_.node(1).failures.failed.size(), 1U);
}

TEST_F(LogDirs, TheControllerHearsOfReplicasItDoesNotKnow) {
    rig_.set_metadata_level(1, 27);
    publish(0, {id_of("/a")});
    EXPECT_TRUE(rig_.node(1).misplaced.empty()) << "it is where it shall be";
    publish(1, {metadata::kDirectoryUnassigned});
    ASSERT_EQ(rig_.node(1).misplaced.size(), 1U);
    EXPECT_EQ(rig_.node(1).misplaced[0],
              (protocol::DirectoryAssignment{id_of("/b"), kRigTopic, 1}));
}

TEST_F(LogDirs, BeforeMetadataVersion37ThereIsNothingToTell) {
    rig_.set_metadata_level(1, 14);
    publish(0);
    EXPECT_TRUE(rig_.node(1).misplaced.empty());
}

// --- start and stop

TEST_F(LogDirs, EachDirectoryHasAnIdentityThatStays) {
    const types::Uuid a = id_of("/a");
    EXPECT_NE(a, id_of("/b"));
    for (const char* path : {"/a", "/b", "/meta"}) {
        const auto properties = storage::read_meta_properties(disk_for_write(), path);
        ASSERT_TRUE(properties.ok() && properties->has_value()) << path;
        EXPECT_EQ((*properties)->node_id, 1);
    }
    EXPECT_TRUE(disk().exists("/a/.lock"));
    crash();
    rig_.boot(1);
    EXPECT_EQ(id_of("/a"), a);
    EXPECT_EQ(manager().directories().online_ids().size(), 2U);
}

TEST_F(LogDirs, ADirectoryWithoutIdentityAmongOthersStopsTheStart) {
    // KafkaRaftServer.initializeLogDirs: a new disk has to be formatted first.
    ASSERT_TRUE(disk_for_write().remove("/b/meta.properties", {}).ok());
    EXPECT_EQ(open_again().error(), StartError::kUnformatted);
}

TEST_F(LogDirs, ADirectoryOfAnotherNodeStopsTheStart) {
    auto properties = **storage::read_meta_properties(disk_for_write(), "/b");
    properties.node_id = 2;
    ASSERT_FALSE(storage::write_meta_properties(disk_for_write(), "/b", properties));
    EXPECT_EQ(open_again().error(), StartError::kForeignDirectory);
    properties.node_id = 1;
    properties.directory_id =
        (*storage::read_meta_properties(disk_for_write(), "/a"))->directory_id;
    ASSERT_FALSE(storage::write_meta_properties(disk_for_write(), "/b", properties));
    EXPECT_EQ(open_again().error(), StartError::kForeignDirectory) << "two with one id";
}

TEST_F(LogDirs, ADirectoryFromBeforeKip858GetsItsId) {
    auto properties = **storage::read_meta_properties(disk_for_write(), "/b");
    properties.directory_id.reset();
    ASSERT_FALSE(storage::write_meta_properties(disk_for_write(), "/b", properties));
    ASSERT_TRUE(open_again().ok());
    EXPECT_TRUE(manager().directories().find("/b")->id.has_value());
    EXPECT_EQ((*storage::read_meta_properties(disk_for_write(), "/b"))->directory_id,
              manager().directories().find("/b")->id);
}

TEST_F(LogDirs, ADirectoryThatCannotBeReadIsOfflineFromTheStart) {
    publish(0);
    publish(1);
    crash();
    break_disk("/b", sim::DiskFaultKind::kReadError);
    rig_.boot(1);
    EXPECT_EQ(manager().directories().online_count(), 1U);
    EXPECT_EQ(manager().directories().online_ids().size(), 1U);
    EXPECT_TRUE(rig_.node(1).failures.failed.empty()) << "the registration leaves it out";
    EXPECT_EQ(rig_.events(types::events::kLogDirFailed).size(), 1U);
}

TEST_F(LogDirs, WithoutTheDirectoryOfTheMetadataLogThereIsNoStart) {
    break_disk("/meta", sim::DiskFaultKind::kGone);
    EXPECT_EQ(open_again().error(), StartError::kMetadataDirectory);
}

TEST_F(LogDirs, L27_MarkersAreNotedAndGoneAfterTheLoad) {
    publish(0);
    publish(1);
    stop(3);
    ASSERT_TRUE(disk().exists(std::string("/a") + kMarker));
    ASSERT_TRUE(disk_for_write().remove(std::string("/b") + kMarker, {}).ok());
    rig_.boot(1);
    ASSERT_EQ(load(), std::nullopt);
    EXPECT_TRUE(manager().directories().find("/a")->had_clean_shutdown);
    EXPECT_FALSE(manager().directories().find("/b")->had_clean_shutdown);
    EXPECT_FALSE(disk().exists(std::string("/a") + kMarker));
    std::vector<std::int64_t> clean;
    for (const sim::Event& event : rig_.events(types::events::kLogRecovered)) {
        clean.push_back(event.fields[4]);
    }
    EXPECT_EQ(clean, (std::vector<std::int64_t>{1, 0}));
}

TEST_F(LogDirs, L28_ADirectoryOfAnotherNameStopsTheStart) {
    ASSERT_TRUE(disk_for_write().make_directories("/b/nonsense", {}).ok());
    ASSERT_TRUE(open_again().ok());
    EXPECT_EQ(load(), StartError::kForeignLog);
}

TEST_F(LogDirs, L28_AnErrorOfTheDiskCostsOnlyTheDirectory) {
    publish(0);  // /a/t-0
    publish(1);  // /b/t-1
    crash();
    break_disk("/b/t-1", sim::DiskFaultKind::kReadError);
    rig_.boot(1);
    ASSERT_EQ(load(), std::nullopt);
    EXPECT_FALSE(manager().directories().find("/b")->online);
    EXPECT_EQ(directory_of(0), "/a/t-0");
    EXPECT_TRUE(manager().is_offline({kRigTopic, 1}));
    EXPECT_EQ(rig_.node(1).failures.failed, std::vector<types::Uuid>{id_of("/b")})
        << "it is registered, so the controller must hear of it";
    EXPECT_EQ(rig_.events(types::events::kLogDirFailed).size(), 1U);
}

TEST_F(LogDirs, L28_OnePartitionInTwoDirectoriesStopsTheStart) {
    publish(0);
    ASSERT_TRUE(disk_for_write().make_directories("/b/t-0", {}).ok());
    copy_file("/a/t-0/partition.metadata", "/b/t-0/partition.metadata");  // else it is a stray
    ASSERT_TRUE(open_again().ok());
    EXPECT_EQ(load(), StartError::kDuplicateLog);
}

TEST_F(LogDirs, L29_ADirectoryWhoseLogsDoNotCloseGetsNoMarker) {
    publish(0);  // /a/t-0
    publish(1);  // /b/t-1
    ASSERT_EQ(produce(0), ErrorCode::kNone);
    ASSERT_EQ(produce(1), ErrorCode::kNone);
    break_disk("/b/t-1");
    stop(3);
    EXPECT_TRUE(disk().exists(std::string("/a") + kMarker));
    EXPECT_FALSE(disk().exists(std::string("/b") + kMarker));
}

TEST_F(LogDirs, L29_WithoutOneOfTheMarkersThereIsNoEpoch) {
    stop(3);
    rig_.boot(1);  // takes the markers away
    for (const char* path : {"/a", "/b"}) {
        ASSERT_FALSE(
            storage::write_clean_shutdown_marker(disk_for_write(), path, types::BrokerEpoch(3)));
    }
    EXPECT_EQ(open_again()->previous_broker_epoch, types::BrokerEpoch(3));
    ASSERT_TRUE(disk_for_write().remove(std::string("/b") + kMarker, {}).ok());
    EXPECT_EQ(open_again()->previous_broker_epoch, std::nullopt);
    ASSERT_FALSE(
        storage::write_clean_shutdown_marker(disk_for_write(), "/b", types::BrokerEpoch(4)));
    EXPECT_EQ(open_again()->previous_broker_epoch, std::nullopt) << "they must agree";
}

TEST_F(LogDirs, L30_AnOrderlyStopMarksAllOfThem) {
    publish(0);
    publish(1);
    stop(3);
    for (const char* path : {"/a", "/b"}) {
        EXPECT_EQ(storage::read_clean_shutdown_epoch(disk_for_write(), path), types::BrokerEpoch(3))
            << path;
    }
}

TEST_F(LogDirs, L31_WhoHasNotLoadedItsLogsLeavesNoMarker) {
    publish(0);
    rig_.run_on(1, [](RigNode& node, sim::Context& ctx) {
        node.manager = ReplicaManager(node.manager.options());
        ASSERT_TRUE(node.manager.open_log_dirs(ctx).ok());
        node.manager.shutdown(ctx, types::BrokerEpoch(3));
    });
    EXPECT_FALSE(disk().exists(std::string("/a") + kMarker));
    EXPECT_FALSE(disk().exists(std::string("/b") + kMarker));
}

TEST_F(LogDirs, CheckpointsNameOnlyTheLogsOfTheirDirectory) {
    publish(0);  // /a/t-0
    publish(1);  // /b/t-1
    ASSERT_EQ(produce(1), ErrorCode::kNone);
    rig_.run(seconds(40));
    for (const char* name : {"replication-offset-checkpoint", "recovery-point-offset-checkpoint"}) {
        const auto content = storage::read_file(disk_for_write(), std::string("/b/") + name);
        ASSERT_TRUE(content.ok() && content->has_value()) << name;
        const auto entries = storage::parse_offset_checkpoint(**content);
        ASSERT_TRUE(entries.ok() && entries->size() == 1) << name;
        EXPECT_EQ(entries->front().partition, (types::TopicPartition{"t", 1})) << name;
    }
}

TEST_F(LogDirs, L32_OnlyAStartThatNoSegmentTellsIsCheckpointed) {
    publish(0);
    for (int i = 0; i < 50; ++i) {
        rig_.produce(1, {"x"});  // of today, so that only the log start makes segments old
        rig_.run_on(1, [](RigNode& node, sim::Context& ctx) {
            auto& partition = const_cast<Partition&>(*node.manager.find(kRigPartition));
            ASSERT_FALSE(partition.log.roll(ctx));
        });
    }
    rig_.run_on(1, [](RigNode& node, sim::Context& ctx) {
        auto& partition = const_cast<Partition&>(*node.manager.find(kRigPartition));
        ASSERT_TRUE(partition.log.raise_log_start(ctx, types::Offset(31)).ok());
    });
    const auto checkpointed = [&] {
        const auto content = storage::read_file(disk_for_write(), "/a/log-start-offset-checkpoint");
        return storage::parse_offset_checkpoint(content.value().value()).value();
    };
    rig_.run(seconds(31));  // the checkpoint is written first, then retention runs
    ASSERT_EQ(checkpointed().size(), 1U);
    EXPECT_EQ(checkpointed().front().offset, types::Offset(31));
    EXPECT_EQ(rig_.partition(1).log.first_base_offset(), types::Offset(31));
    rig_.run(seconds(60));
    EXPECT_TRUE(checkpointed().empty());
}

// --- failure

TEST_F(LogDirs, AFailedDirectoryTakesOnlyItsPartitionsAway) {
    publish(0);  // /a/t-0
    publish(1);  // /b/t-1
    const types::Uuid failed = id_of("/a");
    break_disk("/a");
    EXPECT_EQ(produce(0), ErrorCode::kKafkaStorageError);
    EXPECT_EQ(produce(1), ErrorCode::kNone);
    EXPECT_EQ(directory_of(0), "") << "not hosted any more";
    EXPECT_TRUE(manager().is_offline({kRigTopic, 0}));
    EXPECT_EQ(rig_.node(1).failures, (LogDirFailures{false, {failed}}));
    ASSERT_EQ(rig_.events(types::events::kReplicaWentOffline).size(), 1U);
    EXPECT_EQ(produce(0), ErrorCode::kKafkaStorageError) << "and so for ever";
    EXPECT_EQ(rig_.events(types::events::kLogDirFailed).size(), 1U) << "it fails once";
    rig_.run(seconds(100));
    EXPECT_TRUE(disk().exists("/b/recovery-point-offset-checkpoint"))
        << "the other is looked after";
}

TEST_F(LogDirs, WithinOneStepTheOtherDirectoryIsWrittenTo) {
    // Both in one request: the refusal of the first must not spill over.
    publish(0);
    publish(1);
    break_disk("/a");
    protocol::ProduceRequest request;
    request.acks = 1;
    const Bytes batch = storage::batch_of({"x"}, rig_.world().time().to_ms());
    request.partitions = {{{"t", 0}, SharedBytes(batch)}, {{"t", 1}, SharedBytes(batch)}};
    Answers out;
    rig_.run_on(1, [&](RigNode& node, sim::Context& ctx) {
        node.manager.produce(ctx, node.view(), {}, request, out);
    });
    const auto& answers = out.at(0).response.as<protocol::ProduceResponse>().partitions;
    EXPECT_EQ(answers.at(0).error, ErrorCode::kKafkaStorageError);
    EXPECT_EQ(answers.at(1).error, ErrorCode::kNone);
}

TEST_F(LogDirs, TheLastDirectoryTakesTheProcessWithIt) {
    publish(0);
    publish(1);
    break_disk("/a");
    EXPECT_EQ(produce(0), ErrorCode::kKafkaStorageError);
    EXPECT_FALSE(rig_.node(1).failures.must_halt);
    break_disk("/b");
    EXPECT_EQ(produce(1), ErrorCode::kKafkaStorageError);
    EXPECT_TRUE(rig_.node(1).failures.must_halt);
    const auto failed = rig_.events(types::events::kLogDirFailed);
    ASSERT_EQ(failed.size(), 2U);
    EXPECT_EQ(failed[0].fields[2], 1);
    EXPECT_EQ(failed[1].fields[2], 0);
}

TEST_F(LogDirs, TheDirectoryOfTheMetadataLogTakesTheProcessWithIt) {
    // By default the first one.
    rig_ = ReplicaRig(1, types::rules_of(types::kDefaultVersion), {{"log.dirs", "/a,/b"}});
    publish(0);
    break_disk("/a");
    EXPECT_EQ(produce(0), ErrorCode::kKafkaStorageError);
    EXPECT_TRUE(rig_.node(1).failures.must_halt);
}

TEST_F(LogDirs, ALogThatMayLieOfflineIsNotMadeAnew) {
    // Partition.createLogInAssignedDirectoryId: a second one would be a replica without its past.
    publish(0, {id_of("/a")});
    const types::Uuid a = id_of("/a");
    crash();
    break_disk("/a", sim::DiskFaultKind::kReadError);
    rig_.boot(1);
    publish(0, {a});
    EXPECT_EQ(directory_of(0), "");
    EXPECT_EQ(produce(0), ErrorCode::kKafkaStorageError);
    publish(1, {metadata::kDirectoryUnassigned});
    EXPECT_EQ(directory_of(1), "/b/t-1") << "a new one goes to what is left";
}

TEST_F(LogDirs, AFollowerStopsFetchingIntoAFailedDirectory) {
    rig_ = ReplicaRig(2, types::rules_of(types::kDefaultVersion), dirs("/a,/b"));
    rig_.publish({1, 2}, partition_of({1, 2}, {1, 2}, 1));
    rig_.run(milliseconds(50));
    ASSERT_TRUE(rig_.fetch_state(2).has_value());
    rig_.world()
        .kernel()
        .slot_for_write(ReplicaRig::node_id(2))
        .disk.add_fault({.kind = sim::DiskFaultKind::kWriteError, .path = "/a"});
    rig_.produce(1, {"x"});
    rig_.run(milliseconds(50));
    EXPECT_FALSE(rig_.hosts(2));
    EXPECT_FALSE(rig_.fetch_state(2).has_value());
    EXPECT_EQ(rig_.node(2).failures.failed.size(), 1U);
}

}  // namespace
}  // namespace klab::replication
