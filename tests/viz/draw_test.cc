// SPDX-License-Identifier: Apache-2.0
//
// Pictures read from a trace.
#include "viz/draw.h"

#include <gtest/gtest.h>

#include "model/types/api_key.h"
#include "sim/trace/kernel_events.h"
#include "tests/viz/golden_text.h"
#include "tests/viz/sample_pictures.h"
#include "tests/viz/trace_builder.h"
#include "tests/viz/xml_check.h"
#include "viz/cluster_replay.h"
#include "viz/election_from_trace.h"
#include "viz/faults_from_trace.h"
#include "viz/log_from_trace.h"
#include "viz/sequence_from_trace.h"
#include "viz/topology_from_trace.h"

namespace klab::viz {
namespace {

namespace kernel = sim::events;
namespace kafka = types::events;

TEST(Draw, StoryAsTextMatchesTheGoldenFiles) {
    // Why: the whole way from events to the terminal, one file a kind.
    PictureInput input = acks1_story();
    input.segments = sample_segments();
    for (const std::string_view word : picture_kind_words()) {
        DrawOptions options;
        options.format = PictureFormat::kText;
        const auto text = draw(*parse_picture_kind(word), input, options);
        ASSERT_TRUE(text.ok()) << text.error().message;
        expect_golden("story_" + std::string(word) + ".txt", *text);
    }
}

TEST(Draw, EveryKindAndFormatIsDrawnTwiceTheSame) {
    // Why: same input, same bytes.
    PictureInput input = acks1_story();
    input.segments = sample_segments();
    for (const std::string_view kind : picture_kind_words()) {
        for (const std::string_view format : picture_format_words()) {
            DrawOptions options;
            options.format = *parse_picture_format(format);
            const auto first = draw(*parse_picture_kind(kind), input, options);
            const auto second = draw(*parse_picture_kind(kind), input, options);
            ASSERT_TRUE(first.ok());
            EXPECT_EQ(*first, *second);
            EXPECT_EQ(first->back(), '\n');
            if (options.format == PictureFormat::kSvg) {
                EXPECT_EQ(find_xml_error(*first), "");
            }
        }
    }
}

TEST(Draw, ErrorsSayWhatExists) {
    // Why: a typo in --partition is answered with the names that would work.
    const PictureInput input = acks1_story();
    DrawOptions options;
    options.partition = "t-3";
    const auto wrong = draw(PictureKind::kLog, input, options);
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().message, "there is no partition \"t-3\"");
    EXPECT_EQ(wrong.error().hint, "partitions of this run: t-0");
    options.partition = "t-0";
    options.at = Time{-900'000'000};
    const auto early = draw(PictureKind::kElection, input, options);
    ASSERT_FALSE(early.ok());
    EXPECT_EQ(early.error().message, "there was no election of t-0 before -00:00.900");
    options.from = Time{5};
    options.to = Time{4};
    EXPECT_FALSE(draw(PictureKind::kSequence, input, options).ok());
    EXPECT_EQ(parse_picture_kind("electoin"), std::nullopt);
    EXPECT_EQ(parse_picture_format("gif"), std::nullopt);
}

TEST(Draw, AnEmptyRecordingIsNoCrash) {
    // Why: a run that ended at once still may be asked for pictures.
    PictureInput input;
    input.title = "empty";
    EXPECT_FALSE(draw(PictureKind::kLog, input, {}).ok());
    EXPECT_FALSE(draw(PictureKind::kElection, input, {}).ok());
    EXPECT_TRUE(draw(PictureKind::kSequence, input, {}).ok());
    EXPECT_TRUE(draw(PictureKind::kTopology, input, {}).ok());
}

TEST(LogFromTrace, ShowsCutRecordsAndTheirReason) {
    // Why: the three lost records must be visible as what b1 cut away.
    const PictureInput input = acks1_story();
    const TraceView view(input);
    const LogPicture picture = log_from_trace(view, *view.find_partition("t-0"), view.end());
    ASSERT_EQ(picture.logs.size(), 3U);
    EXPECT_EQ(picture.logs[0].node, "b3");
    EXPECT_EQ(picture.logs[0].leader_epoch, 1);
    const ReplicaLog& b1 = picture.logs[1];
    EXPECT_EQ(b1.node, "b1");
    EXPECT_EQ(b1.state, ReplicaState::kOutOfSync);
    ASSERT_EQ(b1.cut.size(), 3U);
    EXPECT_EQ(b1.cut[0].value, "5");
    EXPECT_EQ(b1.cut[2].value, "7");
    EXPECT_EQ(b1.cells.back().value, "8");
    EXPECT_EQ(b1.log_end_before_cut, 8);
    EXPECT_EQ(b1.note, "cut to 5: end of epoch 0 at the leader");
}

TEST(LogFromTrace, AZombieLeaderIsNamed) {
    // Why: between fencing and healing b1 still takes itself for the leader.
    const PictureInput input = acks1_story();
    const TraceView view(input);
    const LogPicture picture =
        log_from_trace(view, *view.find_partition("t-0"), Time{10'000'000'000});
    EXPECT_EQ(picture.logs[1].node, "b1");
    EXPECT_EQ(picture.logs[1].state, ReplicaState::kOffline);
    EXPECT_EQ(picture.logs[1].note, "still takes itself for the leader of epoch 0");
    EXPECT_EQ(first_divergence(picture), 5);
}

TEST(ElectionFromTrace, FindsTheChangeOfLeaderNotTheFirstElection) {
    // Why: the election at topic creation is no story.
    const PictureInput input = acks1_story();
    const TraceView view(input);
    const sim::Event* election = find_election(view, {});
    ASSERT_NE(election, nullptr);
    const ElectionPicture picture = election_from_trace(view, *election);
    EXPECT_EQ(picture.old_leader, "b1");
    EXPECT_EQ(picture.new_leader, "b3");
    EXPECT_EQ(picture.epoch_after, 1);
    std::vector<ElectionStep> steps;
    for (const ElectionRow& row : picture.rows) {
        steps.push_back(row.step);
    }
    EXPECT_EQ(steps,
              (std::vector<ElectionStep>{ElectionStep::kLastHeartbeat,
                                         ElectionStep::kFault,
                                         ElectionStep::kFenced,
                                         ElectionStep::kCandidates,
                                         ElectionStep::kLeaderRecord,
                                         ElectionStep::kFirstAppend,
                                         ElectionStep::kTruncated}));
    EXPECT_EQ(picture.columns.front().name, "k1");
    EXPECT_EQ(picture.columns[1].role, ElectionRole::kOldLeader);
    const sim::Event* early = find_election(view, {{}, Time{0}});
    ASSERT_NE(early, nullptr);
    EXPECT_EQ(view.number(*early, "leader_epoch"), 0);
}

TEST(ElectionFromTrace, AnUncleanElectionAfterALossNamesBoth) {
    // Why: an offline partition gets its leader in two decisions, and the picture must hold both.
    TraceBuilder trace;
    const std::int64_t t0 = trace.partition("t", 0);
    trace.at(0).emit(kafka::kLeaderElected,
                     "k1",
                     {{"partition", t0}, {"leader", 1}, {"leader_epoch", 0}, {"unclean", 0}});
    trace.at(100).emit(kernel::kNodeCrashed, "b1", {});
    trace.at(200).emit(kafka::kLeaderLost,
                       "k1",
                       {{"partition", t0},
                        {"leader_epoch", 1},
                        {"previous", 1},
                        {"isr", std::vector<std::int32_t>{1}}});
    trace.at(300).emit(
        kafka::kBrokerFenced, "k1", {{"broker", 1}, {"reason", std::string("session timeout")}});
    trace.at(400).emit(kafka::kLeaderElected,
                       "k1",
                       {{"partition", t0},
                        {"leader", 2},
                        {"leader_epoch", 2},
                        {"isr", std::vector<std::int32_t>{2}},
                        {"unclean", 1}});
    const PictureInput input = trace.input();
    const TraceView view(input);
    const ElectionPicture picture = election_from_trace(view, *find_election(view, {}));
    EXPECT_EQ(picture.old_leader, "b1");
    EXPECT_EQ(picture.new_leader, "b2");
    std::string all;
    for (const ElectionRow& row : picture.rows) {
        all += row.text + "\n";
    }
    EXPECT_NE(all.find("b1 crashes"), std::string::npos) << all;
    EXPECT_NE(all.find("FENCED b1: session timeout"), std::string::npos) << all;
    EXPECT_NE(all.find("t-0 has no leader: nobody in ISR [b1] is alive"), std::string::npos) << all;
    EXPECT_NE(all.find("(UNCLEAN)"), std::string::npos) << all;
}

TEST(SequenceFromTrace, HidesNoiseAndSaysSo) {
    // Why: hundreds of heartbeats hide three messages that matter; lost ones stay.
    const PictureInput input = acks1_story();
    const TraceView view(input);
    const SequencePicture picture = sequence_from_trace(view, {});
    EXPECT_EQ(picture.head.hidden, (std::vector<std::string>{"heartbeats (1)"}));
    std::size_t lost = 0;
    for (const SequenceMessage& message : picture.messages) {
        lost += message.fate == MessageFate::kLostOnTheWay ? 1U : 0U;
    }
    EXPECT_EQ(lost, 2U);
    const SequencePicture all = sequence_from_trace(view, {{}, {}, true});
    EXPECT_EQ(all.messages.size(), picture.messages.size() + 1);
    EXPECT_TRUE(all.head.hidden.empty());
}

TEST(SequenceFromTrace, MessagesSayWhichRecordsTheyBrought) {
    // Why: a fetch that copies the lost records must not look like an idle one.
    const PictureInput input = acks1_story();
    const TraceView view(input);
    const SequencePicture picture = sequence_from_trace(view, {});
    EXPECT_EQ(message_label(picture.messages[0]), "Produce @0..4");
    std::size_t copies = 0;
    for (const SequenceMessage& message : picture.messages) {
        copies += message_label(message) == "Fetch reply @0..4" ? 1U : 0U;
    }
    EXPECT_EQ(copies, 2U);
}

TEST(SequenceFromTrace, ALongRunStartsBeforeTheFirstFault) {
    // Why: without --from and --to the picture must show the story, not 10,000 fetches.
    TraceBuilder trace;
    for (std::int64_t i = 0; i < 1'000; ++i) {
        trace.at(i * 1'000).message(i % 2 == 0 ? "b2" : "b3",
                                    "b1",
                                    i % 3 == 0 ? types::ApiKey::kProduce : types::ApiKey::kFetch,
                                    false,
                                    100);
        if (i % 5 == 0) {
            trace.emit(kafka::kProduceRefused,
                       "b1",
                       {{"partition", trace.partition("t", 0)}, {"error", 19}});
        }
    }
    trace.at(800'000).emit(kernel::kNodeCrashed, "b1", {});
    const PictureInput input = trace.input();
    const TraceView view(input);
    const SequencePicture picture = sequence_from_trace(view, {});
    EXPECT_LE(merge_bursts(picture).size(), kSequenceMessagesMax);
    EXPECT_EQ(picture.head.from, Time{750'000'000});
    ASSERT_FALSE(picture.head.hidden.empty());
    EXPECT_EQ(picture.head.hidden[0], "750 messages before");
    ASSERT_EQ(picture.faults.size(), 1U);
    EXPECT_EQ(picture.faults[0].text, "b1 crashes");
}

TEST(SequenceFromTrace, StatesFollowTheProcess) {
    // Why: a strip must end when the state ends.
    TraceBuilder trace;
    trace.at(0).emit(kernel::kNodeBooted, "p1", {{"incarnation", 1}});
    trace.at(100).emit(kernel::kNodePaused, "p1", {});
    trace.at(200).emit(kernel::kNodeResumed, "p1", {});
    trace.at(300).emit(kernel::kNodeCrashed, "p1", {});
    trace.at(400).message("p1", "c1", types::ApiKey::kFetch, false, 100);
    const PictureInput input = trace.input();
    const SequencePicture picture = sequence_from_trace(TraceView(input), {{}, {}, true});
    ASSERT_GE(picture.states.size(), 2U);
    EXPECT_EQ(picture.states[0].state, NodeState::kPaused);
    EXPECT_EQ(picture.states[0].from, Time{100'000});
    EXPECT_EQ(picture.states[0].to, Time{200'000});
}

TEST(TopologyFromTrace, ShowsCutsRolesAndLinksAtAnInstant) {
    // Why: --at must show the cluster of that moment, not of the end.
    const PictureInput input = acks1_story();
    const TraceView view(input);
    const TopologyPicture picture = topology_from_trace(view, Time{10'000'000'000});
    ASSERT_EQ(picture.brokers.size(), 3U);
    EXPECT_EQ(picture.brokers[0].state, NodeState::kFenced);
    EXPECT_EQ(picture.brokers[0].replicas[0].state, ReplicaState::kOffline);
    EXPECT_EQ(picture.brokers[2].replicas[0].state, ReplicaState::kLeader);
    EXPECT_EQ(picture.metadata_offset, 19);
    std::size_t cuts = 0;
    for (const TopologyLink& link : picture.links) {
        cuts += link.kind == LinkKind::kCut ? 1U : 0U;
        EXPECT_TRUE(link.kind != LinkKind::kCut || link.text.empty());
    }
    EXPECT_EQ(cuts, 3U);
    const TopologyPicture later = topology_from_trace(view, view.end());
    for (const TopologyLink& link : later.links) {
        EXPECT_NE(link.kind, LinkKind::kCut);
    }
}

TEST(FaultsFromTrace, LinksAreToldInOneSentence) {
    // Why: six link.cut events are one fault for the reader.
    using Links = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(
        links_text(
            Links{{"b1", "b2"}, {"b2", "b1"}, {"b3", "b1"}, {"b1", "b3"}}, "cut", "cut off from"),
        "b1 cut off from b2, b3");
    EXPECT_EQ(links_text(Links{{"b1", "b2"}, {"b3", "k1"}, {"k1", "b3"}}, "cut", "cut off from"),
              "cut b1 to b2, b3-k1");
    EXPECT_EQ(links_text(Links{}, "cut", "cut off from"), "");
    PictureInput input = acks1_story();
    const std::vector<SequenceFault> faults = faults_of(TraceView(input));
    ASSERT_EQ(faults.size(), 2U);
    EXPECT_EQ(faults[0].text, "b1 cut off from b2, b3, k1");
    EXPECT_EQ(faults[1].text, "b1 back in touch with b2, b3, k1");
    input.marks = {{"cut-off", Time{1'200'000'000}, "cut off the leader"}};
    EXPECT_EQ(faults_of(TraceView(input)).at(0).text, "cut off the leader");
    EXPECT_EQ(faults_of(TraceView(input)).size(), 1U);
}

TEST(ClusterReplay, RecordsThatARestartLostAreCut) {
    // Why: power-off loss is the other way to lose records, and must be told apart from truncation.
    TraceBuilder trace;
    const std::int64_t t0 = trace.partition("t", 0);
    trace.at(1).emit(kafka::kLogAppended,
                     "b1",
                     {{"partition", t0},
                      {"base_offset", 0},
                      {"last_offset", 3},
                      {"leader_epoch", 0},
                      {"as_leader", 1}});
    trace.at(2).emit(
        kafka::kLogRecovered,
        "b1",
        {{"partition", t0}, {"log_end_offset", 2}, {"high_watermark", 1}, {"clean", 0}});
    const PictureInput input = trace.input();
    const TraceView view(input);
    ClusterReplay replay(view);
    replay.advance_to(view.end());
    const ReplayReplica& log = replay.partitions().at(t0).logs.at(sim::NodeId(0));
    EXPECT_EQ(log.records.size(), 2U);
    EXPECT_EQ(log.cut.size(), 2U);
    EXPECT_EQ(log.high_watermark, 1);
    EXPECT_EQ(log.note, "records from 2 on were not on disk after the restart");
}

TEST(RecordNames, SeveralProducersAreTold) {
    // Why: "3" says nothing if two producers each have a record 3; unknown records show their CRC.
    TraceBuilder trace;
    const std::int64_t t0 = trace.partition("t", 0);
    trace.at(1).emit(kafka::kLogAppended,
                     "b1",
                     {{"partition", t0},
                      {"base_offset", 0},
                      {"last_offset", 2},
                      {"leader_epoch", 4},
                      {"as_leader", 1},
                      {"crc", 0x1F2E}});
    trace.at(2).emit(kafka::kRecordAcked, "p1", {{"record", 3}, {"partition", t0}, {"offset", 0}});
    trace.at(2).emit(kafka::kRecordAcked, "c1", {{"record", 3}, {"partition", t0}, {"offset", 1}});
    const PictureInput input = trace.input();
    const TraceView view(input);
    const RecordNames names(view);
    EXPECT_EQ(names.name(t0, 0, 4, 0x1F2E), "p1:3");
    EXPECT_EQ(names.name(t0, 1, 4, 0x1F2E), "c1:3");
    EXPECT_EQ(names.name(t0, 2, 4, 0x1F2E), "2e");
    EXPECT_EQ(names.name(t0, 0, 5, 0x1F0F), "0f");
}

TEST(RecordNames, ABatchOfTheNextLeaderTakesThePlaceOfSeveral) {
    // Offsets 7 and 8 were batches of their own in epoch 0, and one batch in epoch 1.
    TraceBuilder trace;
    const std::int64_t t0 = trace.partition("t", 0);
    const auto append = [&](const char* node, int base, int last, int epoch) {
        trace.emit(kafka::kLogAppended,
                   node,
                   {{"partition", t0},
                    {"base_offset", base},
                    {"last_offset", last},
                    {"leader_epoch", epoch},
                    {"as_leader", 1},
                    {"crc", 0}});
    };
    const auto acked = [&](int record, int offset) {
        trace.emit(
            kafka::kRecordAcked, "p1", {{"record", record}, {"partition", t0}, {"offset", offset}});
    };
    trace.at(1);
    append("b1", 7, 7, 0);
    append("b1", 8, 8, 0);
    acked(7, 7);
    acked(8, 8);
    trace.at(2);
    append("b2", 7, 8, 1);
    acked(10, 7);
    acked(11, 8);
    const PictureInput input = trace.input();
    const TraceView view(input);
    const RecordNames names(view);
    EXPECT_EQ(names.name(t0, 8, 0, 0), "8");
    EXPECT_EQ(names.name(t0, 7, 1, 0), "10");
    EXPECT_EQ(names.name(t0, 8, 1, 0), "11");
}

}  // namespace
}  // namespace klab::viz
