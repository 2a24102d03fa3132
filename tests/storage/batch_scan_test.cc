// SPDX-License-Identifier: Apache-2.0
//
// A scan of a file must give what framing the whole file at once gives, wherever its windows end.
#include "model/storage/batch_scan.h"

#include <gtest/gtest.h>

#include "tests/storage/log_builder.h"

namespace klab::storage {
namespace {

class BatchScanTest : public testing::Test {
  protected:
    /// Adds a batch of one record.
    void add(std::size_t value_bytes) {
        const Bytes batch = batch_of({std::string(value_bytes, 'v')});
        content_.insert(content_.end(), batch.begin(), batch.end());
    }

    /// Where each batch ends, by a scan of bytes `from` and on of a file with the content.
    std::vector<std::size_t> scan(std::uint32_t from = 0) {
        sim::Disk disk;
        const sim::FileId file = disk.create("/f", {}).value();
        EXPECT_TRUE(disk.append(file, content_, {}).ok());
        std::vector<std::size_t> ends;
        BatchScan scan(disk, file, from, static_cast<std::uint32_t>(content_.size()));
        while (true) {
            const std::uint32_t begin = scan.position();
            const auto batch = scan.next();
            EXPECT_TRUE(batch.ok());
            if (!batch.ok() || !*batch) {
                EXPECT_EQ(scan.position(), begin);
                return ends;
            }
            EXPECT_TRUE((*batch)->has_valid_crc());
            EXPECT_EQ(scan.position(), begin + (*batch)->size());
            ends.push_back(scan.position());
        }
    }

    /// The same by framing all bytes at once.
    [[nodiscard]] std::vector<std::size_t> expected(std::size_t from = 0) const {
        std::vector<std::size_t> ends;
        BatchIterator batches(ByteView(content_).subspan(from));
        while (batches.next()) {
            ends.push_back(from + batches.position());
        }
        return ends;
    }

    Bytes content_;
};

TEST_F(BatchScanTest, NothingInAnEmptyFile) { EXPECT_TRUE(scan().empty()); }

TEST_F(BatchScanTest, WindowsEndInsideBatchesAndHeaders) {
    // The first batch moves the others, so that a window ends at each place of a header.
    for (std::size_t shift = 0; shift < 70; shift += 3) {
        content_.clear();
        add(1000 + shift);
        while (content_.size() < 3 * std::size_t{BatchScan::kWindowBytes}) {
            add(59'000);
        }
        EXPECT_EQ(scan(), expected());
        EXPECT_GT(expected().size(), 50U);
    }
}

TEST_F(BatchScanTest, WindowEndsWithABatch) {
    add(BatchScan::kWindowBytes / 2);
    const std::size_t around = content_.size() - BatchScan::kWindowBytes / 2;
    add(BatchScan::kWindowBytes - content_.size() - around);
    ASSERT_EQ(content_.size(), BatchScan::kWindowBytes);
    add(10);
    EXPECT_EQ(scan().size(), 3U);
    EXPECT_EQ(scan(), expected());
}

TEST_F(BatchScanTest, BatchLargerThanTheWindow) {
    add(100);
    add(3 * std::size_t{BatchScan::kWindowBytes});
    add(100);
    EXPECT_EQ(scan().size(), 3U);
    EXPECT_EQ(scan(), expected());
}

TEST_F(BatchScanTest, BeginsWhereItIsTold) {
    add(100);
    const auto from = static_cast<std::uint32_t>(content_.size());
    add(200);
    EXPECT_EQ(scan(from), expected(from));
    EXPECT_EQ(scan(from).size(), 1U);
}

TEST_F(BatchScanTest, StopsAtATornTail) {
    add(BatchScan::kWindowBytes);
    const std::size_t whole = content_.size();
    for (const std::size_t left : {1U, 11U, 12U, 16U, 17U, 60U, 61U, 500U}) {
        content_.resize(whole);
        add(5000);
        content_.resize(whole + left);
        EXPECT_EQ(scan(), std::vector<std::size_t>{whole}) << left;
    }
}

TEST_F(BatchScanTest, StopsAtDamage) {
    add(100);
    const std::size_t whole = content_.size();
    content_.resize(whole + 2 * std::size_t{BatchScan::kWindowBytes});  // zeros
    EXPECT_EQ(scan(), std::vector<std::size_t>{whole});
}

TEST_F(BatchScanTest, FileMayBeShorterThanItsSegment) {
    add(100);
    sim::Disk disk;
    const sim::FileId file = disk.create("/f", {}).value();
    ASSERT_TRUE(disk.append(file, content_, {}).ok());
    BatchScan scan(disk, file, 0, 1'000'000);
    EXPECT_TRUE(scan.next().value().has_value());
    EXPECT_FALSE(scan.next().value().has_value());
}

TEST_F(BatchScanTest, DiskThatRefusesIsAnError) {
    const sim::Disk disk;
    BatchScan scan(disk, sim::FileId(7), 0, 100);
    EXPECT_EQ(scan.next().error(), AppendError::kStorage);
}

}  // namespace
}  // namespace klab::storage
