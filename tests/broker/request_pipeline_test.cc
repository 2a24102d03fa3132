// SPDX-License-Identifier: Apache-2.0
//
// The path of a request: muting, the bounded queue, handlers, order of answers, connections that
// end. Kafka: SocketServer.Processor, RequestChannel, KafkaRequestHandler.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/protocol/metadata.h"
#include "tests/broker/broker_rig.h"

namespace klab::broker {
namespace {

using protocol::MetadataRequest;
using protocol::MetadataResponse;

MetadataRequest named(const std::string& name) { return {.topics = {{name}}}; }

std::string name_of(const sim::MessageRef& request) {
    return request.as<MetadataRequest>().topics->front();
}

/// A rig whose doors are open.
BrokerRig open_rig(const types::SettingMap& config, Duration service = {}) {
    BrokerRig rig({.config = config});
    rig.with_parts([&](Parts& parts, sim::Context& ctx) {
        parts.service = service;
        parts.pipeline.open(ctx);
    });
    return rig;
}

/// Sends requests "NAME1", "NAME2", ... with correlations 1, 2, ...
void send_many(BrokerRig& rig, const std::string& puppet, sim::ConnectionId line, int count) {
    for (int i = 1; i <= count; ++i) {
        rig.send(puppet, line, i, named(puppet + "." + std::to_string(i)));
    }
}

std::vector<std::string> handled_names(const BrokerRig& rig) {
    std::vector<std::string> names;
    for (const Handled& one : rig.parts().handled) {
        names.push_back(name_of(one.request.message));
    }
    return names;
}

std::vector<std::int32_t> correlations(const std::vector<Heard>& heard) {
    std::vector<std::int32_t> found;
    for (const Heard& one : heard) {
        found.push_back(one.correlation);
    }
    return found;
}

/// Answers the n-th handled request.
void answer(BrokerRig& rig, std::size_t n, bool close = false, bool with_body = true) {
    rig.with_parts([&](Parts& parts, sim::Context& ctx) {
        replication::Answer given{parts.handled[n].request.handle, {}, close, std::nullopt};
        if (with_body) {
            given.response = sim::make_message(MetadataResponse{});
        }
        parts.pipeline.answer(ctx, given);
    });
}

TEST(RequestPipeline, TakesOneRequestOfAConnectionAtATime) {
    // A pipelined client gains overlap on the network only: its connection is muted from the
    // request's way into the queue until its answer is sent.
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId line = rig.connect("c1");
    send_many(rig, "c1", line, 5);
    rig.run(milliseconds(100));
    ASSERT_EQ(handled_names(rig), (std::vector<std::string>{"c1.1"}));
    EXPECT_EQ(rig.parts().pipeline.queued(), 0U);
    answer(rig, 0);
    rig.run(milliseconds(100));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"c1.1", "c1.2"}));
}

TEST(RequestPipeline, ASlowRequestHoldsUpOnlyItsOwnConnection) {
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId slow = rig.connect("c1");
    const sim::ConnectionId other = rig.connect("c2");
    send_many(rig, "c1", slow, 2);
    rig.run(milliseconds(5));
    send_many(rig, "c2", other, 1);
    rig.run(milliseconds(5));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"c1.1", "c2.1"}));
    answer(rig, 1);
    rig.run(milliseconds(5));
    EXPECT_EQ(correlations(rig.heard("c2")), (std::vector<std::int32_t>{1}));
    EXPECT_TRUE(rig.heard("c1").empty());
}

TEST(RequestPipeline, TwoConnectionsOfOneClientAreServedAtTheSameTime) {
    // Muting is by connection, not by client.
    BrokerRig rig = open_rig({}, milliseconds(10));
    const sim::ConnectionId one = rig.connect("c1");
    const sim::ConnectionId two = rig.connect("c1");
    rig.send("c1", one, 1, named("a"));
    rig.send("c1", two, 1, named("b"));
    rig.run(milliseconds(50));
    ASSERT_EQ(rig.parts().handled.size(), 2U);
    EXPECT_LT(rig.parts().handled[1].at - rig.parts().handled[0].at, milliseconds(1));
    EXPECT_NE(rig.parts().handled[0].lane, rig.parts().handled[1].lane);
}

TEST(RequestPipeline, AnswersLeaveInRequestOrder) {
    BrokerRig rig = open_rig({}, milliseconds(3));
    const sim::ConnectionId line = rig.connect("c1");
    send_many(rig, "c1", line, 20);
    rig.run(milliseconds(500));
    std::vector<std::int32_t> expected;
    for (std::int32_t i = 1; i <= 20; ++i) {
        expected.push_back(i);
    }
    EXPECT_EQ(correlations(rig.heard("c1")), expected);
}

TEST(RequestPipeline, AQuickAnswerDoesNotOvertakeASlowOne) {
    // The second request comes in only when the first answer has left, although its handler said
    // so at the beginning of its work and another handler is free.
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) {
        parts.first_services = {milliseconds(20), Duration{}};
    });
    const sim::ConnectionId line = rig.connect("c1");
    send_many(rig, "c1", line, 2);
    rig.run(milliseconds(10));
    EXPECT_EQ(rig.parts().handled.size(), 1U);
    rig.run(milliseconds(100));
    EXPECT_EQ(correlations(rig.heard("c1")), (std::vector<std::int32_t>{1, 2}));
    ASSERT_EQ(rig.parts().handled.size(), 2U);
    EXPECT_GE(rig.parts().handled[1].at - rig.parts().handled[0].at, milliseconds(20));
}

TEST(RequestPipeline, ARequestThatArrivesDuringTheWorkWaitsForItsEnd) {
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) {
        parts.first_services = {milliseconds(20), Duration{}};
    });
    const sim::ConnectionId line = rig.connect("c1");
    rig.send("c1", line, 1, named("slow"));
    rig.run(milliseconds(5));
    rig.send("c1", line, 2, named("quick"));
    rig.run(milliseconds(5));
    EXPECT_EQ(rig.parts().handled.size(), 1U);
    rig.run(milliseconds(100));
    EXPECT_EQ(correlations(rig.heard("c1")), (std::vector<std::int32_t>{1, 2}));
    EXPECT_GE(rig.parts().handled[1].at - rig.parts().handled[0].at, milliseconds(20));
}

TEST(RequestPipeline, OnASlowMachineTheConnectionWaitsLonger) {
    // The same work takes five times as long, and so does what waits for its end.
    BrokerRig rig = open_rig({}, milliseconds(10));
    rig.world().kernel().slow_cpu(rig.id_of("b1"), 5, std::nullopt);
    const sim::ConnectionId line = rig.connect("c1");
    send_many(rig, "c1", line, 2);
    rig.run(milliseconds(200));
    ASSERT_EQ(rig.parts().handled.size(), 2U);
    const Duration apart = rig.parts().handled[1].at - rig.parts().handled[0].at;
    EXPECT_GE(apart, milliseconds(50));
    EXPECT_LE(apart, milliseconds(51));
}

TEST(RequestPipeline, AnAnswerLeavesWhenItsHandlerIsDone) {
    // 1 ms there, 10 ms of work, 1 ms back.
    BrokerRig rig = open_rig({}, milliseconds(10));
    const sim::ConnectionId line = rig.connect("c1");
    const std::int64_t sent = rig.now_ms();
    rig.send("c1", line, 1, named("a"));
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.times_of<MetadataResponse>("c1"), (std::vector<std::int64_t>{sent + 12}));
}

TEST(RequestPipeline, HandlersWorkSideBySideAndTheRestWaitsInTheQueue) {
    BrokerRig rig = open_rig({{"num.io.threads", "2"}}, milliseconds(10));
    std::vector<sim::ConnectionId> lines;
    for (int i = 0; i < 5; ++i) {
        lines.push_back(rig.connect("c1"));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        rig.send("c1", lines[i], 1, named(std::to_string(i)));
    }
    rig.run(milliseconds(5));
    EXPECT_EQ(rig.parts().handled.size(), 2U);
    EXPECT_EQ(rig.parts().pipeline.queued(), 3U);
    rig.run(milliseconds(10));
    EXPECT_EQ(rig.parts().handled.size(), 4U);
    EXPECT_EQ(rig.parts().pipeline.queued(), 1U);
    rig.run(milliseconds(50));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
    EXPECT_EQ(rig.heard("c1").size(), 5U);
}

TEST(RequestPipeline, TheQueueNeverHoldsMoreThanItsMaximum) {
    // One handler at work on the first, two in the queue, the others wait in their sockets.
    BrokerRig rig =
        open_rig({{"num.io.threads", "1"}, {"queued.max.requests", "2"}}, milliseconds(10));
    std::vector<sim::ConnectionId> lines;
    for (int i = 0; i < 9; ++i) {
        lines.push_back(rig.connect("c1"));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        rig.send("c1", lines[i], 1, named(std::to_string(i)));
    }
    std::uint64_t most = 0;
    for (int i = 0; i < 200; ++i) {
        rig.run(milliseconds(1));
        most = std::max(most, rig.parts().pipeline.queued());
    }
    EXPECT_EQ(most, 2U);
    EXPECT_EQ(rig.parts().handled.size(), 9U);
    EXPECT_EQ(rig.heard("c1").size(), 9U);
}

TEST(RequestPipeline, AFullQueueBlocksAllConnectionsOfThatNetworkThread) {
    // Processor.processCompletedReceives blocks in RequestChannel.sendRequest: the thread sends no
    // answers either until a handler makes room.
    BrokerRig rig = open_rig(
        {{"num.network.threads", "1"}, {"num.io.threads", "1"}, {"queued.max.requests", "1"}});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId parked = rig.connect("c1");
    rig.send("c1", parked, 1, named("parked"));
    rig.run(milliseconds(3));
    ASSERT_EQ(handled_names(rig), (std::vector<std::string>{"parked"}));
    rig.with_parts([](Parts& parts, sim::Context&) { parts.service = milliseconds(100); });
    std::vector<sim::ConnectionId> lines;
    for (int i = 0; i < 3; ++i) {
        lines.push_back(rig.connect("c2"));
    }
    for (const sim::ConnectionId line : lines) {
        rig.send("c2", line, 1, named("more"));
    }
    rig.run(milliseconds(10));  // one at work, one queued, one holds the network thread
    ASSERT_EQ(rig.parts().handled.size(), 2U);
    ASSERT_EQ(rig.parts().pipeline.queued(), 1U);
    const std::int64_t answered = rig.now_ms();
    answer(rig, 0);
    rig.run(milliseconds(50));
    EXPECT_TRUE(rig.heard("c1").empty()) << "sent by a blocked thread";
    rig.run(milliseconds(100));
    const std::vector<std::int64_t> at = rig.times_of<MetadataResponse>("c1");
    ASSERT_EQ(at.size(), 1U);
    EXPECT_GT(at.front(), answered + 50);
}

TEST(RequestPipeline, AFullQueueLeavesOtherNetworkThreadsTheirAnswers) {
    BrokerRig rig = open_rig(
        {{"num.network.threads", "2"}, {"num.io.threads", "1"}, {"queued.max.requests", "1"}});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId parked = rig.connect("c1");  // thread 0
    rig.send("c1", parked, 1, named("parked"));
    rig.run(milliseconds(3));
    rig.with_parts([](Parts& parts, sim::Context&) { parts.service = milliseconds(100); });
    std::vector<sim::ConnectionId> busy;
    for (int i = 0; i < 6; ++i) {
        const sim::ConnectionId line = rig.connect("c2");  // threads 1, 0, 1, 0, ...
        if (i % 2 == 0) {
            busy.push_back(line);
        }
    }
    for (const sim::ConnectionId line : busy) {
        rig.send("c2", line, 1, named("more"));
    }
    rig.run(milliseconds(10));
    ASSERT_EQ(rig.parts().pipeline.queued(), 1U);
    answer(rig, 0);
    rig.run(milliseconds(5));
    EXPECT_EQ(rig.heard("c1").size(), 1U);
}

TEST(RequestPipeline, ConnectionsGoToNetworkThreadsInTurn) {
    BrokerRig rig = open_rig({{"num.network.threads", "3"}});
    for (int i = 0; i < 4; ++i) {
        rig.send("c1", rig.connect("c1"), 1, named("x"));
        rig.run(milliseconds(5));
    }
    EXPECT_EQ(rig.parts().arrivals,
              (std::vector<sim::Lane>{BrokerLanes::network(0),
                                      BrokerLanes::network(1),
                                      BrokerLanes::network(2),
                                      BrokerLanes::network(0)}));
}

TEST(RequestPipeline, WithoutAReplyTheNextRequestComesIn) {
    // acks=0: a no-op response unmutes the channel and nothing is sent.
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId line = rig.connect("c1");
    send_many(rig, "c1", line, 2);
    rig.run(milliseconds(5));
    answer(rig, 0, false, false);
    rig.run(milliseconds(5));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"c1.1", "c1.2"}));
    EXPECT_TRUE(rig.heard("c1").empty());
    EXPECT_TRUE(rig.node("c1").puppet.ended.empty());
}

TEST(RequestPipeline, AFailureWithoutReplyClosesTheConnection) {
    // acks=0 and an error: closing is the only way to tell; what was pipelined behind is lost.
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId line = rig.connect("c1");
    const sim::ConnectionId other = rig.connect("c1");
    send_many(rig, "c1", line, 3);
    rig.run(milliseconds(5));
    answer(rig, 0, true, false);
    rig.run(milliseconds(5));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"c1.1"}));
    EXPECT_TRUE(rig.heard("c1").empty());
    ASSERT_EQ(rig.node("c1").puppet.ended.size(), 1U);
    EXPECT_EQ(rig.node("c1").puppet.ended.front().second, line);
    EXPECT_FALSE(rig.parts().pipeline.is_incoming(line));
    rig.send("c1", other, 1, named("b"));
    rig.run(milliseconds(5));
    EXPECT_EQ(rig.parts().handled.size(), 2U);
}

TEST(RequestPipeline, ForgetsWhatADisconnectedClientHadInItsSocket) {
    BrokerRig rig = open_rig({});
    rig.with_parts([](Parts& parts, sim::Context&) { parts.answers_at_once = false; });
    const sim::ConnectionId line = rig.connect("c1");
    send_many(rig, "c1", line, 3);
    rig.run(milliseconds(5));
    rig.hang_up("c1", line);
    rig.run(milliseconds(5));
    EXPECT_FALSE(rig.parts().pipeline.is_incoming(line));
    answer(rig, 0);  // goes nowhere and unmutes nothing
    rig.run(milliseconds(5));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"c1.1"}));
    EXPECT_TRUE(rig.heard("c1").empty());
}

TEST(RequestPipeline, HandlesWhatADisconnectedClientHadInTheQueue) {
    // Only its answer is lost: an append may well happen after its producer is gone.
    BrokerRig rig = open_rig({{"num.io.threads", "1"}}, milliseconds(20));
    const sim::ConnectionId busy = rig.connect("c1");
    const sim::ConnectionId gone = rig.connect("c2");
    rig.send("c1", busy, 1, named("busy"));
    rig.run(milliseconds(2));
    rig.send("c2", gone, 1, named("queued"));
    rig.run(milliseconds(2));
    ASSERT_EQ(rig.parts().pipeline.queued(), 1U);
    rig.hang_up("c2", gone);
    rig.run(milliseconds(100));
    EXPECT_EQ(handled_names(rig), (std::vector<std::string>{"busy", "queued"}));
    EXPECT_TRUE(rig.heard("c2").empty());
}

TEST(RequestPipeline, RequestsWaitUntilTheDoorsAreOpen) {
    BrokerRig rig;
    const sim::ConnectionId one = rig.connect("c1");
    const sim::ConnectionId two = rig.connect("c2");
    send_many(rig, "c1", one, 2);
    send_many(rig, "c2", two, 1);
    rig.run(seconds(1));
    EXPECT_TRUE(rig.parts().handled.empty());
    rig.with_parts([](Parts& parts, sim::Context& ctx) { parts.pipeline.open(ctx); });
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.parts().handled.size(), 3U);
    EXPECT_EQ(correlations(rig.heard("c1")), (std::vector<std::int32_t>{1, 2}));
    EXPECT_EQ(correlations(rig.heard("c2")), (std::vector<std::int32_t>{1}));
}

TEST(RequestPipeline, AnAnswerIsCausedByItsRequest) {
    // A chain of causes leads from the answer back to the arrival of the request.
    BrokerRig rig = open_rig({}, milliseconds(1));
    const sim::ConnectionId line = rig.connect("c1");
    rig.send("c1", line, 1, named("a"));
    rig.run(milliseconds(10));
    ASSERT_EQ(rig.parts().handled.size(), 1U);
    const sim::EventId received = rig.parts().handled.front().request.handle.received;
    bool found = false;
    for (const sim::Event& event : rig.events(sim::events::kMessageSent)) {
        if (event.node == rig.id_of("b1")) {
            found = found || std::ranges::find(event.causes, received) != event.causes.end();
        }
    }
    EXPECT_TRUE(found);
}

RC_GTEST_PROP(RequestPipeline, WhateverIsSentIsAnsweredOnceAndInOrder, ()) {
    // Any threads, any queue, any mix of connections: nothing is lost, doubled or overtaken, and
    // never are two requests of one connection inside.
    const auto network = *rc::gen::inRange(1, 4);
    const auto handlers = *rc::gen::inRange(1, 5);
    const auto queue = *rc::gen::inRange(1, 4);
    const auto service = *rc::gen::inRange(0, 4);
    const auto sends = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 6), rc::gen::inRange(0, 3)));
    BrokerRig rig = open_rig({{"num.network.threads", std::to_string(network)},
                              {"num.io.threads", std::to_string(handlers)},
                              {"queued.max.requests", std::to_string(queue)}},
                             milliseconds(service));
    std::vector<sim::ConnectionId> lines;
    for (int i = 0; i < 6; ++i) {
        lines.push_back(rig.connect("c1"));
    }
    std::map<sim::ConnectionId, std::int32_t> sent;
    for (const auto& [line, pause] : sends) {
        const sim::ConnectionId connection = lines[static_cast<std::size_t>(line)];
        rig.send("c1", connection, ++sent[connection], named("x"));
        rig.run(milliseconds(pause));
        RC_ASSERT(rig.parts().pipeline.queued() <= static_cast<std::uint64_t>(queue));
    }
    rig.run(seconds(2));
    std::map<sim::ConnectionId, std::int32_t> answered;
    for (const Heard& one : rig.heard("c1")) {
        RC_ASSERT(one.correlation == ++answered[one.connection]);
    }
    RC_ASSERT(answered == sent);
    std::map<sim::ConnectionId, Time> last;
    for (const Handled& one : rig.parts().handled) {
        const sim::ConnectionId connection = one.request.handle.connection;
        if (last.contains(connection)) {
            RC_ASSERT(one.at - last[connection] >= milliseconds(service));
        }
        last[connection] = one.at;
    }
}

}  // namespace
}  // namespace klab::broker
