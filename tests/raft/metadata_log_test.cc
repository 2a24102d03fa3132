// SPDX-License-Identifier: Apache-2.0
//
// The metadata log on a disk: append, flush, read, and what a power failure leaves of it.
#include "model/raft/metadata_log.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/raft/batch_accumulator.h"

namespace klab::raft {
namespace {

constexpr std::int64_t kSegmentBytes = 1'073'741'824;
const std::string kDirectory = "/kraft";

Bytes batch_of(types::Offset base, std::int32_t epoch, int records, std::size_t value_bytes = 20) {
    BatchAccumulator accumulator(types::LeaderEpoch(epoch), base);
    const std::vector<Bytes> values(static_cast<std::size_t>(records), Bytes(value_bytes, 'x'));
    EXPECT_TRUE(accumulator.append(values, 0).has_value());
    return accumulator.drain();
}

/// A disk and the log on it.
struct LogOnDisk {
    sim::Disk disk;
    MetadataLog log;
    types::Rules rules = types::rules_of(types::KafkaVersion::k4_1);

    LogOnDisk() { open(); }

    void open() {
        auto opened = MetadataLog::open(disk, kDirectory, kSegmentBytes);
        ASSERT_TRUE(opened.ok());
        log = *std::move(opened);
    }

    void append(std::int32_t epoch, int records) {
        const Bytes batch = batch_of(log.end_offset(), epoch, records);
        ASSERT_FALSE(log.append(disk, rules, types::LeaderEpoch(epoch), batch));
    }

    Bytes read(std::int64_t from, std::int64_t below, std::int32_t bytes_max = kBatchBytesMax) {
        auto bytes = log.read(disk, types::Offset(from), types::Offset(below), bytes_max);
        EXPECT_TRUE(bytes.ok());
        return *bytes;
    }
};

std::vector<std::int64_t> bases(const Bytes& bytes) {
    std::vector<std::int64_t> found;
    storage::BatchIterator it(bytes);
    while (const auto batch = it.next()) {
        found.push_back(batch->base_offset().value());
    }
    EXPECT_EQ(it.position(), bytes.size());
    return found;
}

TEST(MetadataLog, ReadsWholeBatchesBelowABound) {
    LogOnDisk l;
    l.append(1, 1);
    l.append(1, 3);
    l.append(1, 2);
    EXPECT_EQ(l.log.end_offset(), types::Offset(6));
    EXPECT_EQ(bases(l.read(0, 6)), (std::vector<std::int64_t>{0, 1, 4}));
    // The batch that holds an offset is returned whole.
    EXPECT_EQ(bases(l.read(2, 6)), (std::vector<std::int64_t>{1, 4}));
    // A batch that reaches over the bound is left out.
    EXPECT_EQ(bases(l.read(0, 4)), (std::vector<std::int64_t>{0, 1}));
    EXPECT_TRUE(l.read(6, 6).empty());
    EXPECT_TRUE(l.read(4, 4).empty());
}

TEST(MetadataLog, GivesOneBatchWhateverTheLimit) {
    LogOnDisk l;
    l.append(1, 3);
    l.append(1, 3);
    EXPECT_EQ(bases(l.read(0, 6, 1)), (std::vector<std::int64_t>{0}));
}

TEST(MetadataLog, KnowsWhereEpochsEnd) {
    LogOnDisk l;
    l.append(1, 2);
    l.append(4, 3);
    EXPECT_EQ(l.log.last_epoch(), types::LeaderEpoch(4));
    EXPECT_EQ(l.log.end_offset_for(types::LeaderEpoch(1)).end_offset, types::Offset(2));
    EXPECT_EQ(l.log.end_offset_for(types::LeaderEpoch(4)).end_offset, types::Offset(5));
}

TEST(MetadataLog, ComesBackFromItsBytes) {
    LogOnDisk l;
    l.append(1, 2);
    l.append(2, 2);
    ASSERT_FALSE(l.log.flush(l.disk));
    const Bytes before = l.read(0, 4);
    l.open();
    EXPECT_EQ(l.log.end_offset(), types::Offset(4));
    EXPECT_EQ(l.log.last_epoch(), types::LeaderEpoch(2));
    EXPECT_EQ(l.log.flushed_offset(), types::Offset(4));
    EXPECT_EQ(l.read(0, 4), before);
}

/// Answers that rapidcheck gives for pages of a power failure.
class RandomPages final : public sim::PowerOffChoices {
  public:
    bool keep_page() override { return *rc::gen::arbitrary<bool>(); }

    std::uint32_t sectors_kept() override { return *rc::gen::inRange<std::uint32_t>(0, 9); }
};

RC_GTEST_PROP(MetadataLog, KeepsWhatWasFlushedThroughAnyPowerFailure, ()) {
    LogOnDisk l;
    std::int64_t flushed = 0;
    const int appends = *rc::gen::inRange(1, 15);
    for (int i = 0; i < appends; ++i) {
        l.append(1, *rc::gen::inRange(1, 60));
        if (*rc::gen::arbitrary<bool>()) {
            RC_ASSERT(!l.log.flush(l.disk));
            flushed = l.log.end_offset().value();
        }
    }
    const std::int64_t end = l.log.end_offset().value();
    const Bytes before = l.read(0, end);
    RandomPages pages;
    l.disk.crash(Time{1}, std::nullopt, false);
    const auto keep = *rc::gen::element(sim::PowerOffKeep::synced, sim::PowerOffKeep::random);
    static_cast<void>(l.disk.power_off(keep, *rc::gen::arbitrary<bool>(), pages));
    l.open();
    RC_ASSERT(l.log.end_offset().value() >= flushed);
    RC_ASSERT(l.log.end_offset().value() <= end);
    // What is left is the beginning of what was there.
    const Bytes after = l.read(0, l.log.end_offset().value());
    RC_ASSERT(after.size() <= before.size());
    RC_ASSERT(std::equal(after.begin(), after.end(), before.begin()));
}

}  // namespace
}  // namespace klab::raft
