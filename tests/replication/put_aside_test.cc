// SPDX-License-Identifier: Apache-2.0
//
// Logs that do not belong where they lie: of deleted topics, strays, and those on their way to
// another directory. Row L34 is Kafka's own case.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/replication/stray_partitions.h"
#include "model/storage/checkpoint_file.h"
#include "model/storage/checkpoint_store.h"
#include "tests/replication/log_dirs_fixture.h"

namespace klab::replication {
namespace {

class PutAside : public LogDirs {
  protected:
    /// Names below a directory that end so.
    [[nodiscard]] std::vector<std::string> names(const std::string& path,
                                                 const std::string& ending) {
        std::vector<std::string> found;
        const auto all = disk().list(path);
        for (const std::string& name : all.value()) {
            if (name.ends_with(ending)) {
                found.push_back(name);
            }
        }
        return found;
    }
};

TEST(StrayPartitions, L34_WhatTheMetadataPlaceElsewhereIsAStray) {
    metadata::MetadataImage image;
    std::uint64_t next = 1;
    for (const auto& [name, partitions] : std::map<std::string, int>{{"bar", 2}, {"foo", 1}}) {
        metadata::TopicImage topic;
        topic.name = name;
        topic.id = {1, next++};
        for (std::int32_t index = 0; index < partitions; ++index) {
            metadata::PartitionRegistration partition;
            partition.replicas = brokers({0, 1, 2});
            topic.partitions.insert_or_assign(index, metadata::PartitionRef(partition));
        }
        image.topics.insert_or_assign(topic.id, Cow<metadata::TopicImage>(topic));
    }
    const types::Uuid bar{1, 1};
    const types::Uuid foo{1, 2};
    const types::Uuid quux{1, 3};
    const types::BrokerId self(0);
    EXPECT_FALSE(is_stray(image, self, foo, 0));
    EXPECT_TRUE(is_stray(image, self, foo, 1));
    EXPECT_FALSE(is_stray(image, self, bar, 0));
    EXPECT_FALSE(is_stray(image, self, bar, 1));
    EXPECT_TRUE(is_stray(image, self, quux, 0));
    EXPECT_TRUE(is_stray(image, types::BrokerId(3), foo, 0)) << "no replica";
    EXPECT_TRUE(is_stray(image, self, std::nullopt, 0)) << "no partition.metadata";
}

TEST_F(PutAside, AStrayIsRenamedAndLeftAlone) {
    publish(0);
    ASSERT_EQ(produce(0), ErrorCode::kNone);
    crash();
    rig_.boot(1);
    // The topic was deleted while the broker was down: its image knows nothing of it.
    rig_.run_on(1, [](RigNode& node, sim::Context& ctx) {
        Answers out;
        EXPECT_EQ(node.manager.apply_image(ctx, node.view(), out), std::nullopt);
        node.manager.start(ctx);
        node.has_published = true;
    });
    ASSERT_EQ(names("/a", "-stray").size(), 1U);
    EXPECT_FALSE(disk().exists("/a/t-0"));
    EXPECT_EQ(rig_.events(types::events::kLogRenamed).size(), 1U);
    rig_.run(seconds(200));
    EXPECT_EQ(names("/a", "-stray").size(), 1U);
    crash();
    rig_.boot(1);
    ASSERT_EQ(load(), std::nullopt);
    EXPECT_EQ(names("/a", "-stray").size(), 1U) << "nor by the next process";
}

TEST_F(PutAside, ADeletedLogGoesAfterTheDelay) {
    publish(0);
    rig_.run(seconds(40));
    rig_.publish_deletion(1);
    EXPECT_FALSE(disk().exists("/a/t-0"));
    ASSERT_EQ(names("/a", "-delete").size(), 1U);
    rig_.run(seconds(59));
    EXPECT_EQ(names("/a", "-delete").size(), 1U);
    rig_.run(seconds(2));
    EXPECT_TRUE(names("/a", "-delete").empty());
    EXPECT_EQ(rig_.events(types::events::kLogDeleted).size(), 1U);
}

TEST_F(PutAside, NothingIsDeletedBeforeTheTaskFirstRuns) {
    rig_ = ReplicaRig(1,
                      types::rules_of(types::kDefaultVersion),
                      {{"log.dirs", "/a"}, {"log.segment.delete.delay.ms", "1000"}});
    publish(0);
    rig_.publish_deletion(1);
    rig_.run(seconds(28));
    EXPECT_EQ(names("/a", "-delete").size(), 1U);
    rig_.run(seconds(3));
    EXPECT_TRUE(names("/a", "-delete").empty());
}

TEST_F(PutAside, TheNextProcessDeletesWhatTheLastOneLeft) {
    publish(0);
    rig_.publish_deletion(1);
    crash();
    rig_.boot(1);
    ASSERT_EQ(load(), std::nullopt);
    EXPECT_EQ(names("/a", "-delete").size(), 1U);
    EXPECT_TRUE(rig_.events(types::events::kLogRecovered).empty()) << "it is not opened";
    rig_.run(seconds(61));
    EXPECT_TRUE(names("/a", "-delete").empty());
}

TEST_F(PutAside, ADeletedLogLeavesTheCheckpointsAtOnce) {
    publish(0);
    publish(2);
    ASSERT_EQ(produce(0), ErrorCode::kNone);
    rig_.publish_deletion(1);
    const auto content =
        storage::read_file(disk_for_write(), "/a/recovery-point-offset-checkpoint");
    ASSERT_TRUE(content.ok() && content->has_value());
    EXPECT_TRUE(storage::parse_offset_checkpoint(**content)->empty());
}

TEST_F(PutAside, AFutureLogIsLoadedAndNotServed) {
    publish(0);
    crash();
    const std::string unique(32, 'f');
    ASSERT_TRUE(disk_for_write().rename("/a/t-0", "/b/t-0." + unique + "-future", {}).ok());
    rig_.boot(1);
    ASSERT_EQ(load(), std::nullopt);
    EXPECT_TRUE(manager().directories().future.contains({"t", 0}));
    EXPECT_EQ(directory_of(0), "/a/t-0") << "made anew where there are fewer logs";
}

}  // namespace
}  // namespace klab::replication
