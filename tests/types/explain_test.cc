// SPDX-License-Identifier: Apache-2.0
#include "model/types/explain.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klab::types {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text(std::string_view word) { return explain(word).value_or("(nothing)"); }

TEST(Explain, AnErrorCodeByNameOrNumber) {
    // A user has a number from a packet dump or a name from a log.
    EXPECT_EQ(
        text("NOT_ENOUGH_REPLICAS"),
        "NOT_ENOUGH_REPLICAS: error code 19\n"
        "  Fewer replicas are in sync than min.insync.replicas asks for; nothing was written.\n"
        "  A client may send the same request again.\n");
    EXPECT_EQ(text("19"), text("NOT_ENOUGH_REPLICAS"));
    EXPECT_EQ(text("not_enough_replicas"), text("NOT_ENOUGH_REPLICAS"));
    EXPECT_THAT(text("-1"), HasSubstr("UNKNOWN_SERVER_ERROR"));
    EXPECT_THAT(text("6"), HasSubstr("refreshed its metadata"));
    EXPECT_EQ(explain("134"), std::nullopt);
    EXPECT_EQ(explain("99999999"), std::nullopt);
}

TEST(Explain, ASettingInEveryPlace) {
    // request.timeout.ms belongs to four kinds of nodes.
    EXPECT_EQ(text("acks"),
              "acks: setting of producer, enum\n"
              "  How many replicas must hold a record before it counts as written: none, the "
              "leader, or all in\n"
              "  sync.\n"
              "  Default: all (1 before 3.0). Takes one of all, -1, 0, 1.\n"
              "  klab's model acts on this setting.\n");
    for (const char* place : {"admin", "broker", "consumer", "producer"}) {
        EXPECT_THAT(text("request.timeout.ms"), HasSubstr(std::string("setting of ") + place));
    }
    EXPECT_THAT(text("segment.bytes"), HasSubstr("takes the broker's log.segment.bytes"));
    EXPECT_THAT(text("flush.ms"), HasSubstr("does not act on it"));
    EXPECT_THAT(text("node.id"), HasSubstr("cannot set it"));
    EXPECT_THAT(text("zookeeper.session.timeout.ms"), HasSubstr("No longer in Kafka 4.0"));
}

TEST(Explain, AVersionAndWhatDiffers) {
    // The question of every upgrade.
    EXPECT_THAT(text("3.6"), HasSubstr("metadata.version 3.6-IV2 (level 14)"));
    EXPECT_THAT(text("3.6"), HasSubstr("hw.held-below-min-isr          false"));
    const std::string range = text("3.6..4.1");
    EXPECT_THAT(range, HasSubstr("Kafka 3.6 -> 4.1: what differs"));
    EXPECT_THAT(range, HasSubstr("hw.held-below-min-isr: false -> true  (KAFKA-15583, KIP-966)"));
    EXPECT_THAT(range, HasSubstr("linger.ms (producer)"));
    EXPECT_THAT(range, HasSubstr("retry.backoff.max.ms (admin,"));
    EXPECT_THAT(text("4.0..4.1"), HasSubstr("internal.segment.bytes (topic)"));
    EXPECT_THAT(range, HasSubstr("zookeeper.session.timeout.ms (broker)"));
    EXPECT_THAT(range, Not(HasSubstr("log.truncation:")));
    EXPECT_THAT(text("4.1..3.6"), HasSubstr("hw.held-below-min-isr: true -> false"));
    EXPECT_THAT(text("3.7..3.7"), HasSubstr("nothing that klab knows"));
    EXPECT_EQ(explain("3.6..5.0"), std::nullopt);
    EXPECT_EQ(explain(".."), std::nullopt);
}

TEST(Explain, FeaturesAndMutants) {
    // Words a scenario file uses.
    EXPECT_THAT(text("log.truncation"), HasSubstr("Values: high-watermark, leader-epoch."));
    EXPECT_THAT(text("elr"), HasSubstr("4.0: false, 4.1: true"));
    EXPECT_THAT(text("truncation-skipped"), HasSubstr("mutant, a deliberately wrong rule"));
    EXPECT_THAT(text("hw-gate-skipped"), HasSubstr("P17"));
}

TEST(Explain, EveryWordHasATextThatFitsTheScreen) {
    // One unreadable line among six hundred would be noticed by a user, not by us.
    for (const std::string& word : explainable_words()) {
        const std::string found = text(word);
        EXPECT_TRUE(found.ends_with('\n')) << word;
        std::istringstream lines(found);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), 96U) << line;
        }
    }
}

TEST(Explain, WordsAreSortedAndUnique) {
    // The list behind "did you mean".
    const auto words = explainable_words();
    EXPECT_TRUE(std::ranges::is_sorted(words, std::ranges::less_equal{}));
    EXPECT_GT(words.size(), 400U);
    EXPECT_EQ(explain("no.such.word"), std::nullopt);
    EXPECT_EQ(explain(""), std::nullopt);
}

}  // namespace
}  // namespace klab::types
