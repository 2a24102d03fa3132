// SPDX-License-Identifier: Apache-2.0
//
// Content of files: append, overwrite, truncate, read, sync, and their errors.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/disk/disk.h"
#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {
namespace {

TEST(DiskPages, ReadsBackWhatWasAppendedAcrossPages) {
    // Appends rarely end at a page boundary; the pieces must still join.
    Disk disk;
    const FileId file = disk.create("/f", Time{}).value();
    std::string expected;
    for (int i = 0; i < 100; ++i) {
        const std::string piece(std::size_t{100} + static_cast<std::size_t>(i),
                                static_cast<char>('a' + i % 26));
        must(disk.append(file, bytes_of(piece), Time{}));
        expected += piece;
    }
    EXPECT_EQ(text_of(disk, "/f"), expected);
    EXPECT_EQ(disk.size(file).value(), expected.size());
    EXPECT_EQ(disk.bytes_total(), expected.size());
}

TEST(DiskPages, ReadsAnyRangeAndStopsAtTheEnd) {
    // A log reader asks for a fixed length wherever it stands.
    Disk disk;
    std::string text(5000, 'a');
    text += "tail";
    const FileId file = write_file(disk, "/f", text);
    EXPECT_EQ(disk.read(file, 4998, 4).value(), bytes_of("aata"));
    EXPECT_EQ(disk.read(file, 5002, 100).value(), bytes_of("il"));
    EXPECT_TRUE(disk.read(file, 5004, 1).value().empty());
    EXPECT_TRUE(disk.read(file, 9000, 1).value().empty());
    EXPECT_TRUE(disk.read(file, 0, 0).value().empty());
}

TEST(DiskPages, OverwritesInPlaceAndGrowsAtTheEnd) {
    // Index files are mapped: entries are written at a position.
    Disk disk;
    const FileId file = write_file(disk, "/f", "0123456789");
    must(disk.write_at(file, 2, bytes_of("ab"), Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "01ab456789");
    must(disk.write_at(file, 8, bytes_of("xyz"), Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "01ab4567xyz");
    must(disk.write_at(file, 11, bytes_of("!"), Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "01ab4567xyz!");
}

TEST(DiskPages, OverwritesAcrossPages) {
    // The 17th byte and the page border take other paths than a small overwrite.
    Disk disk;
    const FileId file = write_file(disk, "/f", std::string(10'000, '.'));
    const std::string wide(6000, 'w');
    must(disk.write_at(file, 3000, bytes_of(wide), Time{}));
    must(disk.write_at(file, 4094, bytes_of("1234"), Time{}));
    std::string expected(10'000, '.');
    expected.replace(3000, wide.size(), wide);
    expected.replace(4094, 4, "1234");
    EXPECT_EQ(text_of(disk, "/f"), expected);
}

TEST(DiskPages, GapsReadAsZeros) {
    // A preallocated index is a hole until entries are written.
    Disk disk;
    const FileId file = write_file(disk, "/f", "ab");
    must(disk.write_at(file, 5000, bytes_of("z"), Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "ab" + std::string(4998, '\0') + "z");
    must(disk.truncate(file, 100'000'000'000, Time{}));
    EXPECT_EQ(disk.size(file).value(), 100'000'000'000U);
    EXPECT_EQ(disk.read(file, 99'999'999'998, 5).value(), Bytes(2, 0));
}

TEST(DiskPages, CutBytesDoNotComeBackWhenTheFileGrowsAgain) {
    // A follower truncates and then appends other records over the same offsets.
    Disk disk;
    const FileId file = write_file(disk, "/f", "abcdef" + std::string(9000, 'x'));
    must(disk.truncate(file, 3, Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "abc");
    must(disk.truncate(file, 6, Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "abc" + std::string(3, '\0'));
    must(disk.append(file, bytes_of("!"), Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "abc" + std::string(3, '\0') + "!");
    must(disk.truncate(file, 0, Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "");
    EXPECT_EQ(disk.bytes_dirty(), 0U);
}

TEST(DiskPages, SyncWritesDirtyPagesOnceAndSaysHowMany) {
    // The cost of a sync depends on the dirty pages; a second sync has none.
    Disk disk;
    const FileId file = write_file(disk, "/f", std::string(kPageBytes * 3 + 1, 'x'));
    EXPECT_EQ(disk.dirty_pages(file).value(), 4U);
    EXPECT_EQ(disk.bytes_dirty(), kPageBytes * 3 + 1U);
    EXPECT_EQ(disk.sync(file, Time{}).value(), 4U);
    EXPECT_EQ(disk.sync(file, Time{}).value(), 0U);
    EXPECT_EQ(disk.bytes_dirty(), 0U);
    must(disk.append(file, bytes_of("y"), Time{}));
    EXPECT_EQ(disk.bytes_dirty(), 2U);  // the whole last page is written again
    must(disk.write_at(file, 10, bytes_of("z"), Time{}));
    EXPECT_EQ(disk.sync(file, Time{}).value(), 2U);
}

TEST(DiskPages, EmptyWritesChangeNothing) {
    // Zero bytes are a call like any other, and must be undone like any other.
    Disk disk;
    const FileId file = write_file(disk, "/f", "ab");
    disk.settle(Time{});
    must(disk.append(file, {}, Time{5}));
    must(disk.write_at(file, 100, {}, Time{5}));
    must(disk.truncate(file, 2, Time{5}));
    EXPECT_EQ(text_of(disk, "/f"), "ab");
    disk.crash(Time{1}, std::nullopt, true);
    EXPECT_EQ(text_of(disk, "/f"), "ab");
}

TEST(DiskPages, CallsOnARemovedFileFail) {
    // A segment that retention deleted while a reader held it must not come back to life.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "ab");
    must(disk.remove("/f", Time{}));
    EXPECT_EQ(disk.append(file, bytes_of("c"), Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.write_at(file, 0, bytes_of("c"), Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.truncate(file, 0, Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.read(file, 0, 1).error(), DiskError::not_found);
    EXPECT_EQ(disk.size(file).error(), DiskError::not_found);
    EXPECT_EQ(disk.sync(file, Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.dirty_pages(file).error(), DiskError::not_found);
    EXPECT_EQ(disk.size(FileId(999)).error(), DiskError::not_found);
}

TEST(DiskPages, CountsEveryCallThatMayChangeTheDisk) {
    // Events remember this number, so that a crash can fall right after them.
    Disk disk;
    const FileId file = disk.create("/f", Time{}).value();               // 1
    must(disk.append(file, bytes_of("ab"), Time{}));                     // 2
    must(disk.write_at(file, 0, bytes_of("c"), Time{}));                 // 3
    must(disk.truncate(file, 1, Time{}));                                // 4
    must(disk.append(file, bytes_of("d"), Time{}));                      // 5
    must(disk.sync(file, Time{}));                                       // 6
    must(disk.truncate(file, 0, Time{}));                                // 7
    must(disk.append(file, bytes_of("d"), Time{}));                      // 8, below the durable end
    must(disk.sync_directory("/", Time{}));                              // 9
    must(disk.make_directories("/a/b", Time{}));                         // 10
    must(disk.rename("/f", "/g", Time{}));                               // 11
    EXPECT_EQ(disk.remove("/f", Time{}).error(), DiskError::not_found);  // 12
    must(disk.remove("/g", Time{}));                                     // 13
    EXPECT_EQ(disk.calls(), 13U);
    static_cast<void>(disk.list("/"));
    static_cast<void>(disk.exists("/a"));
    static_cast<void>(disk.open("/a"));
    EXPECT_EQ(disk.calls(), 13U);
}

TEST(DiskPages, NamesOfErrors) {
    EXPECT_EQ(disk_error_name(DiskError::not_found), "not found");
    EXPECT_EQ(disk_error_name(DiskError::already_exists), "already exists");
    EXPECT_EQ(disk_error_name(DiskError::not_a_file), "not a file");
    EXPECT_EQ(disk_error_name(DiskError::not_a_directory), "not a directory");
    EXPECT_EQ(disk_error_name(DiskError::no_space), "no space");
    EXPECT_EQ(disk_error_name(DiskError::read_only), "read only");
    EXPECT_EQ(disk_error_name(DiskError::io_error), "input/output error");
    EXPECT_EQ(disk_error_name(DiskError::device_gone), "device gone");
}

}  // namespace
}  // namespace klab::sim::test
