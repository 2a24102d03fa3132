// SPDX-License-Identifier: Apache-2.0
//
// Bytes of metadata records: vectors written out by hand from Kafka's schemas, versions by
// metadata.version, round trips, and bytes that are no records.
#include "model/metadata/record_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/metadata/metadata_generators.h"
#include "tests/storage/hex.h"

namespace klab::metadata {
namespace {

using storage::from_hex;
using storage::to_hex;

constexpr std::int16_t kNewest = 27;
constexpr std::int16_t kLevel36 = 14;

BrokerIds ids(std::initializer_list<int> values) {
    BrokerIds made;
    for (const int value : values) {
        made.emplace_back(value);
    }
    return made;
}

TEST(RecordCodec, WritesANoOpAsFrameKeyVersionAndNoTags) {
    EXPECT_EQ(to_hex(encode(NoOpRecord{}, kNewest)), "01140000");
}

TEST(RecordCodec, WritesAFeatureLevelWithACompactString) {
    EXPECT_EQ(to_hex(encode(FeatureLevelRecord{"metadata.version", 14}, kNewest)),
              "010c00"
              "11"
              "6d657461646174612e76657273696f6e"
              "000e"
              "00");
}

TEST(RecordCodec, WritesAConfigRemovalAsANullString) {
    const ConfigRecord record{{ConfigResourceKind::kTopic, "t"}, "a", std::nullopt};
    EXPECT_EQ(to_hex(encode(record, kNewest)),
              "010400"
              "02"
              "0274"
              "0261"
              "00"
              "00");
}

TEST(RecordCodec, WritesAPartitionChangeWithOnlyTheTagsThatAreSet) {
    PartitionChangeRecord record;
    record.partition_id = 1;
    record.topic_id = {0x0102030405060708, 0x1112131415161718};
    record.isr = ids({2, 3});
    record.leader = LeaderChange{types::BrokerId(2)};
    // Version 0 of metadata.version 3.6: tag 0 (isr: count 2, two brokers), tag 1 (leader).
    EXPECT_EQ(to_hex(encode(record, kLevel36)),
              "010500"
              "00000001"
              "01020304050607081112131415161718"
              "02"
              "00"
              "09"
              "03"
              "00000002"
              "00000003"
              "01"
              "04"
              "00000002");
}

TEST(RecordCodec, WritesAnUnfencingAsTagZero) {
    BrokerRegistrationChangeRecord record;
    record.broker_id = types::BrokerId(1);
    record.broker_epoch = types::BrokerEpoch(7);
    record.fenced = FenceChange::kUnfence;
    EXPECT_EQ(to_hex(encode(record, kLevel36)),
              "011101"
              "00000001"
              "0000000000000007"
              "01"
              "00"
              "01"
              "ff");
}

TEST(RecordCodec, DistinguishesNoLeaderFromAnUnchangedOne) {
    PartitionChangeRecord record;
    record.partition_id = 0;
    record.leader = LeaderChange{};
    const auto offline = decode(encode(record, kNewest));
    ASSERT_TRUE(offline.ok());
    EXPECT_EQ(std::get<PartitionChangeRecord>(*offline).leader, LeaderChange{});
    record.leader.reset();
    const auto unchanged = decode(encode(record, kNewest));
    ASSERT_TRUE(unchanged.ok());
    EXPECT_EQ(std::get<PartitionChangeRecord>(*unchanged).leader, std::nullopt);
}

TEST(RecordCodec, PicksTheVersionThatTheMetadataVersionAllows) {
    EXPECT_EQ(record_version(RegisterBrokerRecord{}, 7), 1);
    EXPECT_EQ(record_version(RegisterBrokerRecord{}, 14), 2);
    EXPECT_EQ(record_version(RegisterBrokerRecord{}, 17), 3);
    EXPECT_EQ(record_version(PartitionRecord{}, 14), 0);
    EXPECT_EQ(record_version(PartitionRecord{}, 17), 1);
    EXPECT_EQ(record_version(PartitionChangeRecord{}, 23), 2);
    EXPECT_EQ(record_version(BrokerRegistrationChangeRecord{}, 14), 1);
    EXPECT_EQ(record_version(BrokerRegistrationChangeRecord{}, 17), 2);
    EXPECT_EQ(record_version(TopicRecord{}, 27), 0);
}

TEST(RecordCodec, LeavesDirectoriesOutOfOldPartitionRecords) {
    // A partition record of 3.6 has no field for them; the reader fills in "migrating".
    PartitionRecord record;
    record.partition_id = 0;
    record.replicas = ids({1});
    record.isr = ids({1});
    record.directories = {types::Uuid{9, 9}};
    const auto read = decode(encode(record, kLevel36));
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(std::get<PartitionRecord>(*read).directories.empty());
}

struct BadBytes {
    const char* hex;
    DecodeError error;
};

class RecordCodecRefuses : public testing::TestWithParam<BadBytes> {};

TEST_P(RecordCodecRefuses, BytesThatAreNoRecord) {
    const auto record = decode(from_hex(GetParam().hex));
    ASSERT_FALSE(record.ok());
    EXPECT_EQ(record.error(), GetParam().error) << GetParam().hex;
}

INSTANTIATE_TEST_SUITE_P(Vectors,
                         RecordCodecRefuses,
                         testing::Values(BadBytes{"", DecodeError::kOutOfBytes},
                                         BadBytes{"00140000", DecodeError::kUnknownFrameVersion},
                                         BadBytes{"02140000", DecodeError::kUnknownFrameVersion},
                                         BadBytes{"01630000", DecodeError::kUnknownRecord},
                                         BadBytes{"01140100", DecodeError::kUnknownVersion},
                                         BadBytes{"0114000000", DecodeError::kLeftoverBytes},
                                         BadBytes{"011400", DecodeError::kOutOfBytes},
                                         // A topic name of 2^31 bytes.
                                         BadBytes{"010200ffffffff0774", DecodeError::kOutOfBytes},
                                         // A null topic name.
                                         BadBytes{"01020000", DecodeError::kMalformed},
                                         // A varint without end.
                                         BadBytes{"ffffffffffffff", DecodeError::kMalformed},
                                         // Config of resource type 9.
                                         BadBytes{"0104000902740261000000",
                                                  DecodeError::kUnknownValue}));

TEST(RecordCodec, SkipsTaggedFieldsOfALaterVersion) {
    // NoOp with one tagged field, tag 5, two bytes.
    const auto record =
        decode(from_hex("01140001"
                        "05"
                        "02"
                        "abcd"));
    ASSERT_TRUE(record.ok());
    EXPECT_TRUE(std::holds_alternative<NoOpRecord>(*record));
}

RC_GTEST_PROP(RecordCodec, ReadsWhatItWrote, ()) {
    const MetadataRecord record = pick_record();
    const auto read = decode(encode(record, kNewest));
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == record);
}

RC_GTEST_PROP(RecordCodec, NeverFailsOtherwiseThanByAnError, ()) {
    const auto bytes = *rc::gen::arbitrary<Bytes>();
    static_cast<void>(decode(bytes));
}

RC_GTEST_PROP(RecordCodec, SurvivesDamageOfAValidRecord, ()) {
    Bytes bytes = encode(pick_record(), kNewest);
    const int flips = *rc::gen::inRange(1, 4);
    for (int i = 0; i < flips; ++i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
        bytes[at] = *rc::gen::arbitrary<std::uint8_t>();
    }
    bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
    const auto read = decode(bytes);
    if (read.ok()) {
        RC_ASSERT(decode(encode(*read, kNewest)).ok());
    }
}

}  // namespace
}  // namespace klab::metadata
