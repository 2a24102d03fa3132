// SPDX-License-Identifier: Apache-2.0
//
// What the pictures decide by themselves: folding, bursts, crowding, words, widths.
#include <gtest/gtest.h>

#include "tests/viz/sample_pictures.h"
#include "viz/printable.h"

namespace klab::viz {
namespace {

std::int64_t offsets_shown(const std::vector<LogColumn>& columns) {
    std::int64_t sum = 0;
    for (const LogColumn& column : columns) {
        sum += column.count;
    }
    return sum;
}

TEST(LogPicture, ShortLogsAreNotFolded) {
    // Why: folding hides; up to 24 offsets there is no need.
    const std::vector<LogColumn> columns = fold_columns(sample_log(), 24);
    EXPECT_EQ(columns.size(), 11U);
    EXPECT_EQ(offsets_shown(columns), 11);
}

TEST(LogPicture, EqualRunsFoldAndEveryOffsetIsCounted) {
    // Why: "133 equal" must be true, and no offset may vanish between columns.
    const std::vector<LogColumn> columns = fold_columns(sample_long_log(), 24);
    EXPECT_EQ(offsets_shown(columns), 140);
    ASSERT_TRUE(columns[1].is_fold());
    EXPECT_TRUE(columns[1].equal);
    EXPECT_EQ(columns[1].count, 133);
    for (std::size_t i = 1; i < columns.size(); ++i) {
        EXPECT_EQ(columns[i].first, columns[i - 1].first + columns[i - 1].count);
    }
}

TEST(LogPicture, WindowStaysAroundTheWantedOffset) {
    // Why: --around must show that offset even if nothing is equal.
    LogPicture picture = sample_long_log();
    for (LogCell& cell : picture.logs[1].cells) {
        cell.value += "'";
    }
    picture.around = 60;
    const std::vector<LogColumn> columns = fold_columns(picture, 10);
    EXPECT_LE(columns.size(), 10U);
    EXPECT_EQ(offsets_shown(columns), 140);
    bool shown = false;
    for (const LogColumn& column : columns) {
        shown = shown || (!column.is_fold() && column.first == 60);
    }
    EXPECT_TRUE(shown);
    EXPECT_FALSE(columns.front().equal);
}

TEST(LogPicture, FindsTheFirstDivergence) {
    // Why: cut records count: they are where the logs parted.
    EXPECT_EQ(first_divergence(sample_log()), 8);
    LogPicture equal = sample_log();
    equal.logs = {equal.logs[0]};
    EXPECT_EQ(first_divergence(equal), std::nullopt);
}

TEST(LogPicture, EmptyLogsAreAPicture) {
    // Why: drawing before the first produce must not fail.
    LogPicture picture = sample_log();
    for (ReplicaLog& log : picture.logs) {
        log.cells.clear();
        log.cut.clear();
    }
    EXPECT_TRUE(fold_columns(picture, 24).empty());
    EXPECT_GT(log_scene(picture).height, 0);
    EXPECT_FALSE(log_text(picture).empty());
}

TEST(SequencePicture, MergesEqualMessagesIntoABurst) {
    // Why: an idle fetch loop of ten seconds must not push the story off the page.
    const std::vector<SequenceMessage> merged = merge_bursts(sample_sequence());
    std::uint32_t bursts = 0;
    std::uint32_t total = 0;
    for (const SequenceMessage& message : merged) {
        bursts += message.count > 1 ? 1 : 0;
        total += message.count;
    }
    EXPECT_EQ(bursts, 2U);
    EXPECT_EQ(total, sample_sequence().messages.size());
    EXPECT_TRUE(std::is_sorted(
        merged.begin(), merged.end(), [](const SequenceMessage& a, const SequenceMessage& b) {
            return a.sent < b.sent;
        }));
}

TEST(SequencePicture, ABurstNeverSpansAFault) {
    // Why: what happened before and after a fault is the point of the picture.
    SequencePicture picture = sample_sequence();
    picture.faults.insert(picture.faults.begin(), {Time{117'000'000}, "pause b2", {}});
    for (const SequenceMessage& message : merge_bursts(picture)) {
        if (message.count > 1) {
            EXPECT_TRUE(*message.last_sent < Time{117'000'000} || message.sent > Time{117'000'000});
        }
    }
}

TEST(SequencePicture, RepliesToDifferentRequestsAreNoBurst) {
    // Why: three replies drawn as one beside three single requests would hide which came when.
    SequencePicture picture;
    picture.nodes = {{"p1", SequenceRole::kClient}, {"b1", SequenceRole::kBroker}};
    for (std::int64_t i = 0; i < 4; ++i) {
        SequenceMessage request;
        request.from = 0;
        request.to = 1;
        request.api = "Produce";
        request.sent = Time{i * 1'000};
        request.text = "@" + std::to_string(i);
        SequenceMessage reply = request;
        std::swap(reply.from, reply.to);
        reply.is_reply = true;
        reply.text.clear();
        reply.sent = Time{i * 1'000 + 500};
        picture.messages.push_back(request);
        picture.messages.push_back(reply);
    }
    EXPECT_EQ(merge_bursts(picture).size(), 8U);
    for (SequenceMessage& message : picture.messages) {
        message.text.clear();
    }
    EXPECT_EQ(merge_bursts(picture).size(), 2U);
}

TEST(SequencePicture, EmptyPictureHasNothingButItsHead) {
    // Why: a window without messages is a valid question.
    SequencePicture picture;
    picture.head = sample_head("messages");
    EXPECT_GT(sequence_scene(picture).height, 0);
    EXPECT_FALSE(sequence_text(picture).empty());
}

TEST(TopologyPicture, IsCrowdedAboveTwelveBrokersOrFortyPartitions) {
    // Why: the rule of the design, at its borders.
    TopologyPicture picture;
    picture.brokers.resize(12);
    for (std::int32_t i = 0; i < 40; ++i) {
        picture.brokers[0].replicas.push_back({"t-" + std::to_string(i), {}, {}, {}});
    }
    EXPECT_FALSE(is_crowded(picture));
    picture.brokers[1].replicas.push_back({"t-40", {}, {}, {}});
    EXPECT_TRUE(is_crowded(picture));
    picture.brokers[1].replicas.clear();
    picture.brokers.emplace_back();
    EXPECT_TRUE(is_crowded(picture));
}

TEST(TopologyPicture, WordsOfReplicasAndNodes) {
    // Why: these words stand in for the colours.
    EXPECT_EQ(replica_text({"t-0", ReplicaState::kLeader, 8, 10}), "t-0 LEAD 8/10");
    EXPECT_EQ(replica_text({"t-0", ReplicaState::kInSync, 8, 10}), "t-0 ISR 10");
    EXPECT_EQ(replica_text({"t-0", ReplicaState::kOffline, {}, {}}), "t-0 off");
    EXPECT_EQ(broker_text({"b3", "a", 13, NodeState::kFenced, {}}), "b3 rack a e13 FENCED");
    EXPECT_EQ(controller_text({"k1", true, 3, NodeState::kUp}), "k1* term 3");
}

TEST(ElectionPicture, SummaryNamesTheLackOfALeader) {
    // Why: a partition that stays offline is also a result of an election.
    ElectionPicture picture = sample_election();
    picture.new_leader.reset();
    EXPECT_EQ(election_summary(picture), "t-0: epoch 5 \u2192 6, leader b1 \u2192 none");
    EXPECT_EQ(column_index(picture, "b9"), std::nullopt);
}

TEST(TextPictures, KeepWithinTheTerminalWhereTheyCan) {
    // Why: wrapped lines destroy columns. Candidate tables and broker boxes have a least width.
    const TextOptions options{100, Charset::kUnicode};
    for (const auto& lines : {election_text(sample_election(), options),
                              log_text(sample_log(), options),
                              log_text(sample_long_log(), options),
                              sequence_text(sample_sequence(), options),
                              topology_text(sample_topology(), options)}) {
        for (const std::string& line : lines) {
            EXPECT_LE(display_columns(line), 100) << line;
        }
    }
}

TEST(TextPictures, AsciiFormHasOnlyAscii) {
    // Why: --ascii is for terminals and fonts that know nothing else.
    const TextOptions options{100, Charset::kAscii};
    ElectionPicture picture = sample_election();
    picture.head.title = "\u4e2d \u00e9 title";
    const std::string text = write_text(picture.head, election_text(picture, options), options);
    for (const char c : text) {
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
    }
    EXPECT_EQ(to_ascii("\u2500\u25b8\u4e2d"), "->??");
}

TEST(PictureHead, NamesEverythingNeededToRunItAgain) {
    // Why: a picture without seed and version cannot be reproduced.
    PictureHead head = sample_head("logs");
    const std::vector<std::string> lines = head_lines(head);
    EXPECT_NE(lines[1].find("seed 7"), std::string::npos);
    EXPECT_NE(lines[1].find("Kafka 4.1 rules"), std::string::npos);
    EXPECT_NE(lines[2].find("heartbeats (212), metadata"), std::string::npos);
    head.hidden.clear();
    head.to = head.from;
    EXPECT_EQ(head_lines(head)[2], "nothing hidden");
    EXPECT_EQ(head_lines(head)[1].substr(0, 12), "at 00:00.000");
}

}  // namespace
}  // namespace klab::viz
