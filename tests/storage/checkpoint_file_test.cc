// SPDX-License-Identifier: Apache-2.0
//
// Checkpoint files: exact bytes, tolerated forms, and every parse error with its line.
#include "model/storage/checkpoint_file.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/byte_io.h"
#include "model/storage/file_names.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;
using Kind = CheckpointErrorKind;

TEST(CheckpointFile, OffsetsAsKafkaWritesThem) {
    const std::vector<OffsetCheckpointEntry> entries{{{"orders", 0}, Offset(1203)},
                                                     {{"orders", 1}, Offset(88)}};
    const Bytes bytes = encode_offset_checkpoint(entries);
    EXPECT_EQ(text_of(bytes), "0\n2\norders 0 1203\norders 1 88\n");
    EXPECT_EQ(parse_offset_checkpoint(bytes).value(), entries);
}

TEST(CheckpointFile, EpochsAsKafkaWritesThem) {
    const std::vector<EpochEntry> entries{
        {LeaderEpoch(0), Offset(0)}, {LeaderEpoch(2), Offset(500)}, {LeaderEpoch(3), Offset(741)}};
    const Bytes bytes = encode_epoch_checkpoint(entries);
    EXPECT_EQ(text_of(bytes), "0\n3\n0 0\n2 500\n3 741\n");
    EXPECT_EQ(parse_epoch_checkpoint(bytes).value(), entries);
}

TEST(CheckpointFile, EmptyFileOrVersionOnlyHasNoEntries) {
    EXPECT_TRUE(parse_epoch_checkpoint({}).value().empty());
    EXPECT_TRUE(parse_epoch_checkpoint(view_of("0\n")).value().empty());
    EXPECT_TRUE(parse_offset_checkpoint(view_of("0")).value().empty());
}

TEST(CheckpointFile, AnyWhitespaceSeparatesFields) {
    const auto parsed = parse_epoch_checkpoint(view_of("0\n2\n1 \t 5\r\n  2 7"));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed->size(), 2U);
    EXPECT_EQ(parsed->back(), (EpochEntry{LeaderEpoch(2), Offset(7)}));
}

struct BadFile {
    const char* text;
    CheckpointError error;
};

class CheckpointErrors : public testing::TestWithParam<BadFile> {};

TEST_P(CheckpointErrors, NamesTheLine) {
    const auto parsed = parse_epoch_checkpoint(view_of(GetParam().text));
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Table,
                         CheckpointErrors,
                         testing::Values(BadFile{"1\n0\n", {Kind::kUnknownVersion, 1}},
                                         BadFile{"x\n0\n", {Kind::kMalformedVersion, 1}},
                                         BadFile{"\n", {Kind::kMalformedVersion, 1}},
                                         BadFile{"0\nmany\n", {Kind::kMalformedCount, 2}},
                                         BadFile{"0\n-1\n", {Kind::kMalformedCount, 2}},
                                         BadFile{"0\n1\n1\n", {Kind::kMalformedEntry, 3}},
                                         BadFile{"0\n1\n1 2 3\n", {Kind::kMalformedEntry, 3}},
                                         BadFile{"0\n2\n1 2\n2 z\n", {Kind::kMalformedEntry, 4}},
                                         BadFile{"0\n1\n-1 2\n", {Kind::kMalformedEntry, 3}},
                                         BadFile{"0\n1\n99999999999 2\n",
                                                 {Kind::kMalformedEntry, 3}},
                                         BadFile{"0\n2\n1 2\n", {Kind::kTooFewEntries, 2}},
                                         BadFile{"0\n1\n1 2\n2 3\n", {Kind::kTooManyEntries, 2}}));

TEST(CheckpointFile, OffsetEntryNeedsThreeFields) {
    EXPECT_EQ(parse_offset_checkpoint(view_of("0\n1\norders 1\n")).error(),
              (CheckpointError{Kind::kMalformedEntry, 3}));
}

RC_GTEST_PROP(CheckpointLaw, ACutFileIsRefusedUnlessEveryLineIsThere, (std::uint32_t raw)) {
    // Kafka never leaves a torn checkpoint (temporary file, fsync, rename). Should one appear, the
    // count line gives it away; only the digits of the last line are beyond its reach.
    std::vector<EpochEntry> entries;
    for (std::int32_t i = 0; i < 5; ++i) {
        entries.push_back({LeaderEpoch(i * 3), Offset(std::int64_t{i} * 1000)});
    }
    Bytes bytes = encode_epoch_checkpoint(entries);
    bytes.resize(raw % (bytes.size() + 1));
    const auto parsed = parse_epoch_checkpoint(bytes);
    if (parsed.ok() && !parsed->empty()) {
        RC_ASSERT(parsed->size() == entries.size());
        RC_ASSERT(std::equal(entries.begin(), entries.end() - 1, parsed->begin()));
    }
}

TEST(FileNames, SegmentName) {
    EXPECT_EQ(segment_file_name(Offset(368796)), "00000000000000368796.log");
    EXPECT_EQ(parse_segment_file_name("00000000000000368796.log"), Offset(368796));
    EXPECT_EQ(parse_segment_file_name("00000000000000368796.log.deleted"), std::nullopt);
    EXPECT_EQ(parse_segment_file_name("00000000000000368796.index"), std::nullopt);
    EXPECT_EQ(parse_segment_file_name("0000000000000036879x.log"), std::nullopt);
    EXPECT_EQ(parse_segment_file_name("-0000000000000368796.log"), std::nullopt);
    EXPECT_EQ(parse_segment_file_name("99999999999999999999.log"), std::nullopt);
}

TEST(FileNames, L36_PartitionDirectories) {
    const auto parse = parse_partition_directory_name;
    EXPECT_EQ(parse("test_topic-143"), (types::TopicPartition{"test_topic", 143}));
    EXPECT_EQ(parse("a-b-0"), (types::TopicPartition{"a-b", 0}));
    for (const char* name : {"",
                             "test_topic1999",
                             "-1999",
                             "test_topic-",
                             "test_topic-1999a",
                             "non_kafka_dir",
                             "non_kafka_dir-delete",
                             "test_topic-99999999999"}) {
        EXPECT_EQ(parse(name), std::nullopt) << name;
    }
    EXPECT_EQ(partition_directory_name({"orders", 7}), "orders-7");
}

}  // namespace
}  // namespace klab::storage
