// SPDX-License-Identifier: Apache-2.0
//
// A process dies inside a step: which of its disk calls had happened.
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/disk/disk.h"
#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DiskCrash, KeepsThePageCache) {
    // kill -9: every completed write survives, synced or not.
    Disk disk;
    write_file(disk, "/f", "abc", Time{10});
    disk.crash(Time{10}, std::nullopt, false);
    EXPECT_EQ(text_of(disk, "/f"), "abc");
    EXPECT_EQ(disk.bytes_dirty(), 3U);
}

TEST(DiskCrash, UndoesCallsNotCompletedYet) {
    Disk disk;
    const FileId file = disk.create("/f", Time{1}).value();
    must(disk.append(file, bytes_of("a"), Time{2}));
    must(disk.append(file, bytes_of("b"), Time{3}));
    must(disk.append(file, bytes_of("c"), Time{4}));
    for (const auto& [time, text] : {std::pair(4, "abc"), {3, "ab"}, {2, "a"}, {1, ""}}) {
        Disk crashed = disk;
        crashed.crash(Time{time}, std::nullopt, false);
        EXPECT_EQ(text_of(crashed, "/f"), text);
        EXPECT_EQ(crashed.calls(), static_cast<std::uint64_t>(time));
    }
    disk.crash(Time{0}, std::nullopt, false);
    EXPECT_THAT(disk.files(), IsEmpty());
}

TEST(DiskCrash, CutsByCallNumberWhateverTheTime) {
    // Right after an event: the event remembers how many calls had been made.
    Disk disk;
    const FileId file = disk.create("/f", Time{5}).value();
    must(disk.append(file, bytes_of("a"), Time{5}));
    const std::uint64_t at_event = disk.calls();
    must(disk.append(file, bytes_of("b"), Time{5}));
    Disk other = disk;
    other.crash(Time{0}, at_event, false);
    EXPECT_EQ(text_of(other, "/f"), "a");
    disk.crash(Time{100}, at_event, false);
    EXPECT_EQ(text_of(disk, "/f"), "a");
}

TEST(DiskCrash, ASettledCallIsNotUndone) {
    Disk disk;
    const FileId file = disk.create("/f", Time{1}).value();
    must(disk.append(file, bytes_of("a"), Time{2}));
    must(disk.append(file, bytes_of("b"), Time{3}));
    disk.settle(Time{2});
    disk.crash(Time{0}, std::nullopt, false);
    EXPECT_EQ(text_of(disk, "/f"), "a");
}

TEST(DiskCrash, KeepsAPrefixOfTheCallsWhenLanesOverlap) {
    // One lane's slow call is followed by another lane's quick one on the same file. The quick one
    // may have been acknowledged, so it stays, and with it what it was appended to.
    Disk disk;
    const FileId file = disk.create("/f", Time{1}).value();
    must(disk.append(file, bytes_of("slow"), Time{50}));
    must(disk.append(file, bytes_of("quick"), Time{8}));
    must(disk.append(file, bytes_of("later"), Time{60}));
    Disk settled = disk;
    settled.settle(Time{9});
    disk.crash(Time{9}, std::nullopt, false);
    EXPECT_EQ(text_of(disk, "/f"), "slowquick");
    settled.crash(Time{9}, std::nullopt, false);
    EXPECT_EQ(text_of(settled, "/f"), "slowquick");
}

TEST(DiskCrash, TornKeepsTheFirstHalfOfTheFirstUndoneWrite) {
    Disk disk;
    const FileId file = write_file(disk, "/f", "....", Time{1});
    must(disk.append(file, bytes_of("abcd"), Time{2}));
    must(disk.append(file, bytes_of("efgh"), Time{3}));
    disk.crash(Time{1}, std::nullopt, true);
    EXPECT_EQ(text_of(disk, "/f"), "....ab");
}

TEST(DiskCrash, TornOverwritesKeepTheOldSecondHalf) {
    Disk disk;
    const FileId file = write_file(disk, "/f", std::string(100, '.'), Time{1});
    Disk wide = disk;
    must(disk.write_at(file, 10, bytes_of("abcdef"), Time{2}));
    disk.crash(Time{1}, std::nullopt, true);
    EXPECT_EQ(text_of(disk, "/f"), std::string(10, '.') + "abc" + std::string(87, '.'));
    must(wide.write_at(file, 90, bytes_of(std::string(40, 'w')), Time{2}));
    wide.crash(Time{1}, std::nullopt, true);
    EXPECT_EQ(text_of(wide, "/f"), std::string(90, '.') + std::string(20, 'w'));
}

TEST(DiskCrash, OnlyTheCallInProgressCanBeTorn) {
    // The append could not begin before the truncation was done.
    Disk disk;
    const FileId file = write_file(disk, "/f", "abcd", Time{1});
    must(disk.truncate(file, 2, Time{2}));
    must(disk.append(file, bytes_of("xyzw"), Time{3}));
    disk.crash(Time{1}, std::nullopt, true);
    EXPECT_EQ(text_of(disk, "/f"), "abcd");
}

TEST(DiskCrash, AWriteOfOneByteCannotBeTorn) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "ab");
    disk.settle(Time{0});
    const Disk before = disk;
    must(disk.append(file, bytes_of("x"), Time{2}));
    disk.crash(Time{1}, std::nullopt, true);
    EXPECT_EQ(disk, before);
}

TEST(DiskCrash, AnUndoneSyncIsNotDurable) {
    // Power fails while fsync runs: the call never returned, so nothing was promised.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "a");
    must(disk.append(file, bytes_of("b"), Time{1}));
    must(disk.sync(file, Time{100}));
    must(disk.append(file, bytes_of("c"), Time{101}));
    Disk complete = disk;
    disk.crash(Time{50}, std::nullopt, false);
    EXPECT_EQ(text_of(disk, "/f"), "ab");
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), "a");
    complete.crash(Time{100}, std::nullopt, false);
    power_off(complete);
    EXPECT_EQ(text_of(complete, "/f"), "ab");
}

TEST(DiskCrash, UndoesChangesOfNames) {
    Disk disk;
    must(disk.make_directories("/d", Time{1}));
    write_file(disk, "/d/a", "A", Time{1});
    write_file(disk, "/d/b", "B", Time{1});
    disk.settle(Time{1});
    const Disk before = disk;
    must(disk.rename("/d/a", "/d/b", Time{2}));
    must(disk.remove("/d/b", Time{2}));
    must(disk.make_directories("/e/f", Time{2}));
    must(disk.rename("/d", "/e/f/d", Time{2}));
    write_file(disk, "/e/f/d/c", "C", Time{2});
    must(disk.sync_directory("/e/f", Time{2}));
    must(disk.remove("/e", Time{2}));
    EXPECT_THAT(disk.files(), IsEmpty());
    disk.crash(Time{1}, std::nullopt, false);
    EXPECT_EQ(disk, before);
    EXPECT_THAT(contents(disk), ElementsAre(std::pair("/d/a", "A"), std::pair("/d/b", "B")));
}

TEST(DiskCrash, ACrashForgetsHowToUndo) {
    // The next process starts from what is there; a second crash cannot take back the first life.
    Disk disk;
    write_file(disk, "/f", "abc", Time{10});
    disk.crash(Time{10}, std::nullopt, false);
    disk.crash(Time{0}, std::nullopt, false);
    EXPECT_EQ(text_of(disk, "/f"), "abc");
}

TEST(DiskCrash, FailedCallsAreCountedButLeaveNothingToUndo) {
    Disk disk;
    const FileId file = disk.create("/f", Time{1}).value();  // 1
    EXPECT_FALSE(disk.remove("/none", Time{1}).ok());        // 2
    must(disk.append(file, bytes_of("x"), Time{1}));         // 3
    EXPECT_FALSE(disk.remove("/none", Time{1}).ok());        // 4
    Disk cut = disk;
    cut.crash(Time{0}, 2, false);
    EXPECT_EQ(cut.calls(), 2U);
    EXPECT_EQ(text_of(cut, "/f"), "");
    disk.crash(Time{0}, 3, false);
    EXPECT_EQ(disk.calls(), 3U);
    EXPECT_EQ(text_of(disk, "/f"), "x");
}

}  // namespace
}  // namespace klab::sim::test
