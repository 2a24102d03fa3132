// SPDX-License-Identifier: Apache-2.0
//
// Following the metadata log from its bytes: batches, control batches, transactions, overlap.
#include "model/metadata/metadata_loader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/control_record.h"
#include "model/storage/record_batch_builder.h"
#include "tests/metadata/metadata_generators.h"

namespace klab::metadata {
namespace {

constexpr std::int16_t kLevel = 27;

Bytes batch_of(std::int64_t base, const std::vector<MetadataRecord>& records) {
    storage::BatchOptions options;
    options.base_offset = types::Offset(base);
    options.leader_epoch = types::LeaderEpoch(1);
    storage::RecordBatchBuilder builder(options);
    for (const MetadataRecord& record : records) {
        const Bytes value = encode(record, kLevel);
        storage::RecordInput input;
        input.timestamp = 0;
        input.value = ByteView(value);
        builder.append(input);
    }
    return builder.build();
}

Bytes control_batch(std::int64_t base) {
    storage::BatchOptions options;
    options.base_offset = types::Offset(base);
    options.leader_epoch = types::LeaderEpoch(1);
    options.is_control = true;
    const Bytes key = storage::encode_control_key(storage::ControlType::kLeaderChange);
    storage::RecordInput input;
    input.timestamp = 0;
    input.key = ByteView(key);
    input.value = ByteView(key);
    return storage::RecordBatchBuilder(options).append(input).build();
}

Bytes join(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const Bytes& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

TEST(MetadataLoader, CountsControlBatchesButDoesNotReadThem) {
    MetadataLoader loader;
    const auto delta =
        loader.load(join({control_batch(0), batch_of(1, {TopicRecord{"t", {1, 1}}})}));
    ASSERT_TRUE(delta.ok());
    EXPECT_EQ(delta->created_topics.size(), 1U);
    EXPECT_EQ(loader.next_offset(), types::Offset(2));
    EXPECT_EQ(loader.image().offset, types::Offset(1));
}

TEST(MetadataLoader, SkipsWhatItHasSeen) {
    // A fetch returns whole batches, so the first may begin below the asked offset.
    MetadataLoader loader;
    const Bytes first = batch_of(0, {TopicRecord{"a", {1, 1}}, TopicRecord{"b", {2, 2}}});
    ASSERT_TRUE(loader.load(first).ok());
    const auto again = loader.load(join({first, batch_of(2, {TopicRecord{"c", {3, 3}}})}));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->created_topics.size(), 1U);
    EXPECT_EQ(loader.image().topics.size(), 3U);
}

TEST(MetadataLoader, WithholdsAnOpenTransactionAndPublishesItAtItsEnd) {
    MetadataLoader loader;
    const auto begun = loader.load(
        batch_of(0, {NoOpRecord{}, BeginTransactionRecord{"x"}, TopicRecord{"t", {1, 1}}}));
    ASSERT_TRUE(begun.ok());
    EXPECT_TRUE(begun->empty());
    EXPECT_EQ(loader.transaction_start(), types::Offset(1));
    EXPECT_EQ(loader.image().topic("t"), nullptr);
    const auto ended = loader.load(batch_of(3, {EndTransactionRecord{}}));
    ASSERT_TRUE(ended.ok());
    EXPECT_EQ(ended->created_topics.size(), 1U);
    EXPECT_NE(loader.image().topic("t"), nullptr);
    EXPECT_EQ(loader.transaction_start(), std::nullopt);
}

TEST(MetadataLoader, DropsAnAbortedTransaction) {
    MetadataLoader loader;
    ASSERT_TRUE(
        loader.load(batch_of(0, {BeginTransactionRecord{}, TopicRecord{"t", {1, 1}}})).ok());
    const auto aborted = loader.load(batch_of(2, {AbortTransactionRecord{"failover"}}));
    ASSERT_TRUE(aborted.ok());
    EXPECT_TRUE(aborted->empty());
    EXPECT_EQ(loader.image().topic("t"), nullptr);
    EXPECT_EQ(loader.image().offset, types::Offset(2));
}

TEST(MetadataLoader, RefusesWhatIsNoMetadataAndStaysAsItWas) {
    MetadataLoader loader;
    ASSERT_TRUE(loader.load(batch_of(0, {TopicRecord{"t", {1, 1}}})).ok());
    const MetadataLoader before = loader;
    const auto unknown = loader.load(batch_of(1, {RemoveTopicRecord{{9, 9}}}));
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error(), MetadataLoader::LoadError::kInconsistent);
    const auto end = loader.load(batch_of(1, {EndTransactionRecord{}}));
    ASSERT_FALSE(end.ok());
    Bytes garbled = batch_of(1, {NoOpRecord{}});
    garbled[16] = 9;  // magic
    ASSERT_FALSE(loader.load(garbled).ok());
    EXPECT_EQ(loader, before);
}

RC_GTEST_PROP(MetadataLoader, GivesTheSameImageWhereverTheBytesAreCut, ()) {
    HistoryMaker history;
    const int records = *rc::gen::inRange(1, 40);
    MetadataLoader one_by_one;
    Bytes all;
    for (int i = 0; i < records; ++i) {
        const MetadataRecord record = history.next();
        history.apply_next(record, types::Offset(i));
        const Bytes batch = batch_of(i, {record});
        RC_ASSERT(one_by_one.load(batch).ok());
        all.insert(all.end(), batch.begin(), batch.end());
    }
    MetadataLoader at_once;
    RC_ASSERT(at_once.load(all).ok());
    RC_ASSERT(at_once == one_by_one);
    RC_ASSERT(at_once.image() == history.image());
}

}  // namespace
}  // namespace klab::metadata
