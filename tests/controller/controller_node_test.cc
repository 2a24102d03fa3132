// SPDX-License-Identifier: Apache-2.0
//
// A whole controller against brokers that only live: start, unfencing, topics, fencing by silence,
// controlled shutdown, restart from the bytes on disk, and the order of decision, commit and
// answer.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/protocol/produce.h"
#include "model/protocol/topic_admin.h"
#include "tests/controller/toy_broker.h"

namespace klab::controller {
namespace {

namespace events = types::events;
using types::ErrorCode;

constexpr std::int32_t kBrokers = 3;
constexpr sim::NodeId kController{kBrokers};

const ControllerNode& controller(const ToyWorld& world) {
    return *world.node(kController).controller;
}

const ToyBroker& toy(const ToyWorld& world, std::uint32_t node) {
    return *world.node(sim::NodeId(node)).broker;
}

void run(ToyWorld& world, Duration length) { world.run_until(world.time() + length); }

void create_topic(ToyWorld& world, const std::string& name, std::int32_t partitions = 1) {
    protocol::NewTopic topic;
    topic.name = name;
    topic.partitions = partitions;
    topic.replication_factor = kBrokers;
    protocol::CreateTopicsRequest request;
    request.topics.push_back(topic);
    protocol::AdminCall call;
    call.request = sim::make_message(request);
    ASSERT_TRUE(world.kernel().call(sim::NodeId(0), sim::make_message(call)));
}

/// Everything up, one topic, all events so far thrown away.
ToyWorld settled_world(std::uint64_t seed = 1) {
    ToyWorld world = make_toy_world(seed, kBrokers);
    sim::KindSet all;
    all.add_all();
    world.kernel().subscribe(all);
    run(world, seconds(1));
    create_topic(world, "t");
    run(world, seconds(1));
    std::vector<sim::Event> dropped;
    world.kernel().take_events(dropped);
    return world;
}

std::vector<sim::Event> events_of(ToyWorld& world, std::initializer_list<sim::EventKind> kinds) {
    std::vector<sim::Event> taken;
    world.kernel().take_events(taken);
    std::erase_if(taken, [&](const sim::Event& event) {
        return std::ranges::find(kinds, event.kind) == kinds.end();
    });
    return taken;
}

const metadata::PartitionRegistration& partition(const ToyWorld& world) {
    return *controller(world).committed_image().partition(types::TopicPartition{"t", 0});
}

TEST(ControllerNode, BecomesActiveWithItsBootstrapRecords) {
    ToyWorld world = make_toy_world(1, kBrokers);
    run(world, milliseconds(200));
    EXPECT_TRUE(controller(world).is_active());
    EXPECT_EQ(controller(world).epoch(), types::QuorumEpoch(1));
    EXPECT_EQ(controller(world).committed_image().metadata_level(), 27);
    EXPECT_EQ(controller(world).quorum().epoch_start(), types::Offset(0));
}

TEST(ControllerNode, UnfencesBrokersThatAreCaughtUp) {
    ToyWorld world = make_toy_world(1, kBrokers);
    run(world, seconds(1));
    for (std::uint32_t node = 0; node < kBrokers; ++node) {
        EXPECT_FALSE(toy(world, node).fenced);
    }
    EXPECT_EQ(controller(world).committed_image().brokers.size(), 3U);
}

TEST(ControllerNode, GivesEveryBrokerTheSameImage) {
    // M1: whoever has replayed the log to an offset has the image of that offset.
    ToyWorld world = settled_world();
    ASSERT_EQ(toy(world, 0).answers.size(), 1U);
    const auto& answer = toy(world, 0).answers[0].as<protocol::CreateTopicsResponse>();
    EXPECT_EQ(answer.topics[0].error, ErrorCode::kNone);
    EXPECT_EQ(partition(world).leader, types::BrokerId(partition(world).replicas.front()));
    for (int i = 0; i < 200; ++i) {
        run(world, milliseconds(7));
        for (std::uint32_t node = 0; node < kBrokers; ++node) {
            const metadata::MetadataImage& image = toy(world, node).loader.image();
            if (image.offset == controller(world).committed_image().offset) {
                EXPECT_EQ(image, controller(world).committed_image());
            }
        }
    }
}

TEST(ControllerNode, AnswersOnlyWhatIsCommitted) {
    ToyWorld world = settled_world();
    create_topic(world, "later");
    run(world, seconds(1));
    const auto taken = events_of(world,
                                 {events::kMetadataAppended,
                                  events::kMetadataCommitted,
                                  events::kTopicCreated,
                                  sim::events::kMessageSent});
    const auto created = std::ranges::find(taken, events::kTopicCreated, &sim::Event::kind);
    ASSERT_NE(created, taken.end());
    const auto answer = std::ranges::find_if(taken, [](const sim::Event& event) {
        return event.kind == sim::events::kMessageSent && event.node == kController &&
               event.fields[2] == static_cast<int>(types::ApiKey::kCreateTopics);
    });
    ASSERT_NE(answer, taken.end());
    EXPECT_LT(created->id, answer->id);
    // Appended, flushed, and only then committed and told: never at one instant.
    const auto committed = std::find_if(taken.begin(), created, [&](const sim::Event& event) {
        return event.kind == events::kMetadataCommitted && event.time == created->time;
    });
    ASSERT_NE(committed, created);
    const auto appended = std::find_if(taken.begin(), committed, [&](const sim::Event& event) {
        return event.kind == events::kMetadataAppended && event.fields[1] == committed->fields[0];
    });
    ASSERT_NE(appended, committed);
    EXPECT_LT(appended->time, committed->time);
    EXPECT_LT(committed->time, answer->time + nanoseconds(1));
}

TEST(ControllerNode, FencesASilentBrokerAndMovesItsLeadership) {
    ToyWorld world = settled_world();
    const types::BrokerId leader = *partition(world).leader;
    const sim::NodeId node(static_cast<std::uint32_t>(leader.value() - 1));
    world.kernel().crash(node, nullptr, false);
    const Time crashed = world.time();
    run(world, seconds(6));
    EXPECT_EQ(partition(world).leader, leader);
    run(world, seconds(5));
    EXPECT_NE(partition(world).leader, leader);
    EXPECT_EQ(partition(world).leader_epoch, types::LeaderEpoch(1));
    EXPECT_EQ(partition(world).isr.size(), 2U);

    const auto taken = events_of(world,
                                 {events::kCandidateJudged,
                                  events::kLeaderElected,
                                  events::kPartitionChanged,
                                  events::kBrokerFenced});
    ASSERT_EQ(taken.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(taken[i].kind, events::kCandidateJudged);
    }
    EXPECT_EQ(taken[3].kind, events::kLeaderElected);
    EXPECT_EQ(taken[4].kind, events::kPartitionChanged);
    EXPECT_EQ(taken[5].kind, events::kBrokerFenced);
    // The change is caused by the election, which came before the commit.
    const auto causes = taken[4].causes_used();
    EXPECT_NE(std::ranges::find(causes, taken[3].id), causes.end());
    EXPECT_LT(taken[3].time, taken[4].time);
    // Silence of more than 9 s, found at most 1125 ms later (and at the next check).
    const Duration silence{taken[5].fields[3]};
    EXPECT_GT(silence, seconds(9));
    EXPECT_LT(silence, seconds(9) + milliseconds(1'126));
    EXPECT_LT(taken[5].time - crashed, seconds(11));
}

TEST(ControllerNode, RefusesARestartedBrokerUntilItsOldSessionIsOver) {
    ToyWorld world = settled_world();
    world.kernel().crash(sim::NodeId(1), nullptr, false);
    world.boot(sim::NodeId(1));
    run(world, seconds(4));
    ASSERT_FALSE(toy(world, 1).registration_errors.empty());
    EXPECT_EQ(toy(world, 1).registration_errors.front(), ErrorCode::kDuplicateBrokerRegistration);
    run(world, seconds(10));
    EXPECT_EQ(toy(world, 1).registration_errors.back(), ErrorCode::kNone);
    EXPECT_FALSE(toy(world, 1).fenced);
}

TEST(ControllerNode, ShutsABrokerDownInOrder) {
    ToyWorld world = settled_world();
    const types::BrokerId leader = *partition(world).leader;
    const sim::NodeId node(static_cast<std::uint32_t>(leader.value() - 1));
    ASSERT_TRUE(world.kernel().call(node, sim::make_message(protocol::StopNode{})));
    run(world, seconds(1));
    EXPECT_NE(partition(world).leader, leader);
    run(world, seconds(5));
    EXPECT_TRUE(toy(world, node.value()).may_shut_down);
    const auto taken = events_of(
        world, {events::kBrokerShuttingDown, events::kLeaderElected, events::kBrokerFenced});
    ASSERT_EQ(taken.size(), 3U);
    EXPECT_EQ(taken[0].kind, events::kLeaderElected);  // decided, then committed
    EXPECT_EQ(taken[1].kind, events::kBrokerShuttingDown);
    EXPECT_EQ(taken[2].kind, events::kBrokerFenced);
    EXPECT_EQ(world.kernel().interner().text_of(taken[2].fields[2]), "shutdown");
}

TEST(ControllerNode, ComesBackFromItsBytesWithANewEpoch) {
    ToyWorld world = settled_world();
    const metadata::MetadataImage before = controller(world).committed_image();
    world.kernel().power_off(kController, {}, nullptr);
    run(world, seconds(20));
    EXPECT_FALSE(toy(world, 0).fenced);  // nobody there to fence it
    world.boot(kController);
    run(world, milliseconds(100));
    ASSERT_TRUE(controller(world).is_active());
    EXPECT_EQ(controller(world).epoch(), types::QuorumEpoch(2));
    metadata::MetadataImage after = controller(world).decided_image();
    after.offset = before.offset;
    EXPECT_EQ(after, before);
    // Unfenced brokers get their time afresh: nobody is fenced for the controller's own absence.
    run(world, seconds(15));
    EXPECT_TRUE(events_of(world, {events::kBrokerFenced}).empty());
    for (std::uint32_t node = 0; node < kBrokers; ++node) {
        EXPECT_FALSE(toy(world, node).fenced);
    }
}

TEST(ControllerNode, AnnouncesTheLastBatchAgainAfterARestart) {
    ToyWorld world = settled_world();
    create_topic(world, "late");
    // Right after the append and fsync of its records, before their commit is told.
    std::optional<sim::Event> flushed;
    while (!flushed) {
        ASSERT_TRUE(world.step());
        const auto appended = events_of(world, {events::kMetadataAppended});
        const ControllerNode& node = controller(world);
        if (!appended.empty() && node.decided_image().topic("late") != nullptr &&
            node.quorum().log().flushed_offset() == node.state().next_write_offset) {
            flushed = appended.back();
        }
    }
    ASSERT_EQ(controller(world).committed_image().topic("late"), nullptr);
    world.kernel().crash(kController, &*flushed, false);
    world.boot(kController);
    run(world, seconds(1));
    EXPECT_NE(controller(world).committed_image().topic("late"), nullptr);
    const auto told = events_of(world, {events::kTopicCreated, events::kPartitionChanged});
    EXPECT_EQ(told.size(), 2U);
}

TEST(ControllerNode, ClosesTheConnectionOfAStrangeRequest) {
    ToyWorld world = settled_world();
    protocol::AdminCall call;
    call.request = sim::make_message(protocol::ProduceRequest{});
    ASSERT_TRUE(world.kernel().call(sim::NodeId(0), sim::make_message(call)));
    run(world, seconds(1));
    EXPECT_EQ(events_of(world, {sim::events::kConnectionClosed}).size(), 1U);
    EXPECT_TRUE(controller(world).is_active());
    EXPECT_FALSE(toy(world, 0).fenced);
}

TEST(ControllerNode, ParksFetchesInsteadOfAnsweringWithNothing) {
    ToyWorld world = settled_world();
    const std::uint64_t before = toy(world, 0).fetches;
    run(world, seconds(10));
    // A NoOp record each 500 ms wakes a long poll of 500 ms: some twenty to forty answers.
    const std::uint64_t fetches = toy(world, 0).fetches - before;
    EXPECT_GE(fetches, 19U);
    EXPECT_LE(fetches, 45U);
}

TEST(ControllerNode, IsAFunctionOfItsSeed) {
    ToyWorld a = settled_world(7);
    ToyWorld b = settled_world(7);
    run(a, seconds(12));
    ToyWorld fork = b;
    run(b, seconds(12));
    EXPECT_EQ(a.kernel().trace_hash(), b.kernel().trace_hash());
    EXPECT_TRUE(a == b);
    EXPECT_FALSE(fork == b);
    run(fork, seconds(12));
    EXPECT_TRUE(fork == b);
}

RC_GTEST_PROP(ControllerNode, KeepsWhatItAnsweredThroughAPowerFailure, ()) {
    ToyWorld world = settled_world(*rc::gen::inRange<std::uint64_t>(1, 1'000));
    std::vector<std::string> names;
    const int topics = *rc::gen::inRange(1, 6);
    for (int i = 0; i < topics; ++i) {
        names.push_back("p" + std::to_string(i));
        create_topic(world, names.back());
        run(world, microseconds(*rc::gen::inRange(0, 60'000)));
    }
    world.kernel().power_off(
        kController,
        {*rc::gen::element(sim::PowerOffKeep::synced, sim::PowerOffKeep::random),
         *rc::gen::arbitrary<bool>()},
        nullptr);
    // One answer belongs to the first topic, made when the world settled.
    const std::size_t answered = toy(world, 0).answers.size() - 1;
    world.boot(kController);
    run(world, seconds(1));
    RC_ASSERT(controller(world).is_active());
    for (std::size_t i = 0; i < answered && i < names.size(); ++i) {
        RC_ASSERT(controller(world).committed_image().topic(names[i]) != nullptr);
    }
}

}  // namespace
}  // namespace klab::controller
