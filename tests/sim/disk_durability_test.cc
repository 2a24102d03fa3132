// SPDX-License-Identifier: Apache-2.0
//
// What a power failure leaves: rules for names, pages and sizes, one test each.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/disk/disk.h"
#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kSector = kSectorBytes;

std::string page_of(char letter) { return std::string(kPageBytes, letter); }

// --- keep = synced

TEST(PowerOffSynced, LosesWhatWasNotSynced) {
    // Kafka acknowledges before any fsync: this is the loss that replication must cover.
    Disk disk;
    const FileId file = write_durable_file(disk, "/log", "synced,");
    must(disk.append(file, bytes_of("not synced"), Time{}));
    const DiskLoss loss = power_off(disk);
    EXPECT_EQ(text_of(disk, "/log"), "synced,");
    EXPECT_EQ(loss, (DiskLoss{17, 0}));
    EXPECT_EQ(disk.bytes_dirty(), 0U);
}

TEST(PowerOffSynced, ASyncedFileWithoutASyncedNameIsGone) {
    // A new segment needs its directory synced too.
    Disk disk;
    const FileId file = write_file(disk, "/log", "abc");
    must(disk.sync(file, Time{}));
    const DiskLoss loss = power_off(disk);
    EXPECT_THAT(disk.files(), IsEmpty());
    EXPECT_EQ(loss, (DiskLoss{0, 1}));
    EXPECT_EQ(disk.size(file).error(), DiskError::not_found);
}

TEST(PowerOffSynced, ASyncedNameWithoutSyncedContentIsEmpty) {
    // The checkpoint that was renamed without an fsync of its content: the classic empty file.
    Disk disk;
    write_file(disk, "/cp", "abc");
    must(disk.sync_directory("/", Time{}));
    const DiskLoss loss = power_off(disk);
    EXPECT_EQ(text_of(disk, "/cp"), "");
    EXPECT_EQ(loss, (DiskLoss{3, 0}));
}

TEST(PowerOffSynced, TakesBackOverwritesAndTruncations) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + page_of('b') + "cc");
    must(disk.write_at(file, 0, bytes_of("X"), Time{}));
    must(disk.write_at(file, 4000, bytes_of(std::string(200, 'Y')), Time{}));
    must(disk.truncate(file, 5, Time{}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), page_of('a') + page_of('b') + "cc");
}

TEST(PowerOffSynced, TakesBackATruncationThatWasWrittenOver) {
    // A follower truncated and fetched other records, and lost power before any of it was synced.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + page_of('b') + "cc");
    must(disk.truncate(file, 100, Time{}));
    must(disk.append(file, bytes_of(std::string(9000, 'n')), Time{}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), page_of('a') + page_of('b') + "cc");
}

TEST(PowerOffSynced, ALaterSyncOfAnyFileCommitsATruncation) {
    // The leader-epoch checkpoint is synced after the log was cut: without this a follower would
    // come back with the old records under the new epochs.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + page_of('b') + "cc");
    const FileId other = write_durable_file(disk, "/g", "g");
    must(disk.truncate(file, 100, Time{}));
    must(disk.append(file, bytes_of(std::string(9000, 'n')), Time{}));
    must(disk.append(other, bytes_of("h"), Time{}));
    must(disk.sync(other, Time{}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), std::string(100, 'a'));
    EXPECT_EQ(text_of(disk, "/g"), "gh");
}

TEST(PowerOffSynced, ASyncedDirectoryCommitsATruncation) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "abcdef");
    must(disk.truncate(file, 2, Time{}));
    must(disk.sync_directory("/", Time{}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), "ab");
}

TEST(Crash, TakesBackASyncWithTheTruncationThatItCommitted) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "abcdef");
    const FileId other = write_durable_file(disk, "/g", "g");
    disk.settle(Time{});
    must(disk.truncate(file, 2, Time{1}));
    must(disk.append(other, bytes_of("h"), Time{2}));
    must(disk.sync(other, Time{3}));
    disk.crash(Time{2}, std::nullopt, false);
    EXPECT_EQ(text_of(disk, "/f"), "ab");
    Disk unsynced = disk;
    power_off(unsynced);
    EXPECT_EQ(text_of(unsynced, "/f"), "abcdef");
    must(disk.sync(other, Time{4}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), "ab");
}

TEST(PowerOffSynced, KeepsASyncedTruncation) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + "bb");
    must(disk.truncate(file, 3, Time{}));
    EXPECT_EQ(disk.sync(file, Time{}).value(), 2U);
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), "aaa");
}

TEST(PowerOffSynced, KeepsASyncedHole) {
    // A preallocated and synced file has its length, all zeros.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "a");
    must(disk.truncate(file, 9000, Time{}));
    must(disk.sync(file, Time{}));
    must(disk.write_at(file, 8000, bytes_of("x"), Time{}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/f"), "a" + std::string(8999, '\0'));
}

TEST(PowerOffSynced, RemovalsAndRenamesNeedTheDirectorySynced) {
    Disk disk;
    write_durable_file(disk, "/a", "A");
    write_durable_file(disk, "/b", "B");
    write_durable_file(disk, "/c", "C");
    must(disk.remove("/a", Time{}));
    must(disk.rename("/b", "/c", Time{}));
    Disk synced = disk;
    must(synced.sync_directory("/", Time{}));
    power_off(disk);
    EXPECT_THAT(contents(disk),
                ElementsAre(std::pair("/a", "A"), std::pair("/b", "B"), std::pair("/c", "C")));
    power_off(synced);
    EXPECT_THAT(contents(synced), ElementsAre(std::pair("/c", "B")));
}

TEST(PowerOffSynced, ARemovedDirectoryComesBackWithItsSyncedContent) {
    Disk disk;
    must(disk.make_directories("/d/e", Time{}));
    const FileId kept = write_durable_file(disk, "/d/e/f", "kept");
    write_file(disk, "/d/e/g", "never synced");
    must(disk.append(kept, bytes_of(", lost"), Time{}));
    must(disk.remove("/d", Time{}));
    power_off(disk);
    EXPECT_THAT(contents(disk), ElementsAre(std::pair("/d/e/f", "kept")));
    must(disk.append(kept, bytes_of("!"), Time{}));
    EXPECT_EQ(text_of(disk, "/d/e/f"), "kept!");
}

TEST(PowerOffSynced, ARemovalThatWasSyncedIsFinal) {
    Disk disk;
    must(disk.make_directories("/d/e", Time{}));
    write_durable_file(disk, "/d/e/f", "x");
    must(disk.remove("/d", Time{}));
    must(disk.sync_directory("/", Time{}));
    power_off(disk);
    EXPECT_THAT(disk.list("/").value(), IsEmpty());
}

TEST(PowerOffSynced, SyncOfADirectoryMakesTheWayToItDurable) {
    // Kafka syncs the partition directory but never the log directory above it; on journaling file
    // systems the new directory itself is then found again. Its neighbours are not.
    Disk disk;
    must(disk.make_directories("/data/t-0", Time{}));
    must(disk.make_directories("/data/t-1", Time{}));
    const FileId file = write_file(disk, "/data/t-0/log", "x");
    must(disk.sync(file, Time{}));
    EXPECT_TRUE(disk.has_unsynced_names("/data/t-0"));
    must(disk.sync_directory("/data/t-0", Time{}));
    EXPECT_FALSE(disk.has_unsynced_names("/data/t-0"));
    EXPECT_TRUE(disk.has_unsynced_names("/data"));
    EXPECT_FALSE(disk.has_unsynced_names("/none"));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/data/t-0/log"), "x");
    EXPECT_FALSE(disk.exists("/data/t-1"));
}

TEST(PowerOffSynced, ARenamedDirectoryOnTheWayIsMadeDurableWithItsOldName) {
    // Both halves of the rename: the old name must not come back beside the new one.
    Disk disk;
    must(disk.make_directories("/data/t-0", Time{}));
    write_durable_file(disk, "/data/t-0/log", "x");
    must(disk.rename("/data/t-0", "/data/t-0.delete", Time{}));
    must(disk.sync_directory("/data/t-0.delete", Time{}));
    power_off(disk);
    EXPECT_THAT(contents(disk), ElementsAre(std::pair("/data/t-0.delete/log", "x")));
    EXPECT_THAT(disk.list("/data").value(), ElementsAre("t-0.delete"));
}

TEST(PowerOffSynced, ARenameBetweenDirectoriesIsDurableAtOnce) {
    // Never two names for one file, never none.
    Disk disk;
    must(disk.make_directories("/a", Time{}));
    must(disk.make_directories("/new/deep", Time{}));
    write_durable_file(disk, "/a/f", "x");
    must(disk.rename("/a/f", "/new/deep/g", Time{}));
    power_off(disk);
    EXPECT_THAT(contents(disk), ElementsAre(std::pair("/new/deep/g", "x")));
}

TEST(PowerOffSynced, AReplacedFileIsFreedOnceTheNewNameIsDurable) {
    Disk disk;
    const FileId old = write_durable_file(disk, "/cp", "old");
    const FileId fresh = write_file(disk, "/cp.tmp", "new");
    must(disk.sync(fresh, Time{}));
    must(disk.rename("/cp.tmp", "/cp", Time{}));
    Disk unsynced = disk;
    power_off(unsynced);
    EXPECT_EQ(text_of(unsynced, "/cp"), "old");
    EXPECT_EQ(unsynced.open("/cp").value(), old);
    must(disk.sync_directory("/", Time{}));
    power_off(disk);
    EXPECT_EQ(text_of(disk, "/cp"), "new");
    EXPECT_THAT(disk.list("/").value(), ElementsAre("cp"));
}

// --- keep = all

TEST(PowerOffAll, KeepsEverythingAndLosesNothing) {
    Disk disk;
    must(disk.make_directories("/d", Time{}));
    const FileId file = write_durable_file(disk, "/d/f", page_of('a') + "b");
    must(disk.truncate(file, 10, Time{}));
    must(disk.append(file, bytes_of("new"), Time{}));
    write_file(disk, "/d/g", "g");
    const FileId hole = write_file(disk, "/d/h", "");
    must(disk.truncate(hole, 5000, Time{}));
    const auto before = contents(disk);
    EXPECT_EQ(power_off(disk, PowerOffKeep::all), (DiskLoss{0, 0}));
    EXPECT_EQ(contents(disk), before);
    EXPECT_EQ(power_off(disk), (DiskLoss{0, 0}));  // and now it is durable
    EXPECT_EQ(contents(disk), before);
}

TEST(PowerOffAll, TornPagesKeepTheirFirstSectors) {
    // The rest of a torn page is what was there before: zeros where nothing was.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a'));
    must(disk.write_at(file, 0, bytes_of(page_of('A')), Time{}));
    must(disk.append(file, bytes_of(page_of('B') + page_of('C')), Time{}));
    ScriptedChoices choices({}, {3, 8, 1});
    const DiskLoss loss = disk.power_off(PowerOffKeep::all, true, choices);
    EXPECT_EQ(choices.sector_calls, 3U);
    EXPECT_EQ(text_of(disk, "/f"),
              std::string(3 * kSector, 'A') + std::string(5 * kSector, 'a') + page_of('B') +
                  std::string(kSector, 'C') + std::string(7 * kSector, '\0'));
    EXPECT_EQ(loss.bytes, 5 * kSector + 7 * kSector);
}

TEST(PowerOffAll, ATornPageCountsOnlyTheBytesItHad) {
    Disk disk;
    write_file(disk, "/f", std::string(700, 'a'));
    must(disk.sync_directory("/", Time{}));
    Disk short_tear = disk;
    ScriptedChoices one({}, {1});
    EXPECT_EQ(short_tear.power_off(PowerOffKeep::all, true, one).bytes, 188U);
    EXPECT_EQ(text_of(short_tear, "/f"), std::string(512, 'a') + std::string(188, '\0'));
    ScriptedChoices two({}, {2});
    EXPECT_EQ(disk.power_off(PowerOffKeep::all, true, two).bytes, 0U);
    EXPECT_EQ(text_of(disk, "/f"), std::string(700, 'a'));
}

// --- keep = random

TEST(PowerOffRandom, AsksOncePerDirtyPageInOrder) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + page_of('b') + page_of('c'));
    must(disk.write_at(file, kPageBytes, bytes_of("B"), Time{}));
    must(disk.append(file, bytes_of("d"), Time{}));
    ScriptedChoices choices({true, false});
    const DiskLoss loss = disk.power_off(PowerOffKeep::random, false, choices);
    EXPECT_EQ(choices.keep_calls, 2U);
    EXPECT_EQ(choices.sector_calls, 0U);
    EXPECT_EQ(text_of(disk, "/f"),
              page_of('a') + "B" + std::string(kPageBytes - 1, 'b') + page_of('c'));
    EXPECT_EQ(loss, (DiskLoss{1, 0}));
}

TEST(PowerOffRandom, AFileThatGrewEndsWithItsLastKeptPage) {
    // The lost page inside reads as zeros: the "nonsense block" of Kafka's documentation.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "ab");
    must(disk.append(file, bytes_of(page_of('x') + page_of('y') + page_of('z')), Time{}));
    Disk middle = disk;
    ScriptedChoices keep_third({false, false, true, false});
    middle.power_off(PowerOffKeep::random, false, keep_third);
    EXPECT_EQ(text_of(middle, "/f"),
              "ab" + std::string(2 * kPageBytes - 2, '\0') + "yy" + page_of('z').substr(2));
    ScriptedChoices keep_first({true, false, false, false});
    disk.power_off(PowerOffKeep::random, false, keep_first);
    EXPECT_EQ(text_of(disk, "/f"), "ab" + page_of('x').substr(2));
}

TEST(PowerOffRandom, KeepsTheLastPageAtTheLengthOfTheFile) {
    Disk disk;
    write_file(disk, "/f", page_of('a') + "tail");
    must(disk.sync_directory("/", Time{}));
    ScriptedChoices keep_last({false, true});
    disk.power_off(PowerOffKeep::random, false, keep_last);
    EXPECT_EQ(text_of(disk, "/f"), std::string(kPageBytes, '\0') + "tail");
}

TEST(PowerOffRandom, ATruncationStaysOrGoesAsOne) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + page_of('b') + "cc");
    must(disk.truncate(file, 10, Time{}));
    Disk cut = disk;
    ScriptedChoices keep_cut({true, false});
    cut.power_off(PowerOffKeep::random, false, keep_cut);
    EXPECT_EQ(text_of(cut, "/f"), std::string(10, 'a'));
    EXPECT_EQ(keep_cut.keep_calls, 2U);  // the cut, and its last page
    ScriptedChoices lose_cut({false, false});
    disk.power_off(PowerOffKeep::random, false, lose_cut);
    EXPECT_EQ(text_of(disk, "/f"), page_of('a') + page_of('b') + "cc");
}

TEST(PowerOffRandom, ALostTruncationMayHaveZeroedItsLastPage) {
    // Truncation zeroes the rest of the last page in the cache, and that page may reach the platter
    // without the new size.
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + "bb");
    must(disk.truncate(file, 10, Time{}));
    ScriptedChoices choices({false, true});
    disk.power_off(PowerOffKeep::random, false, choices);
    EXPECT_EQ(text_of(disk, "/f"),
              std::string(10, 'a') + std::string(kPageBytes - 10, '\0') + "bb");
}

TEST(PowerOffRandom, APageCutAndNotWrittenAgainEndsAsZerosOrAsBefore) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", page_of('a') + page_of('b'));
    must(disk.truncate(file, 0, Time{}));
    must(disk.truncate(file, std::uint64_t{2} * kPageBytes, Time{}));
    ScriptedChoices choices({true, false});
    disk.power_off(PowerOffKeep::random, false, choices);
    EXPECT_EQ(text_of(disk, "/f"), std::string(kPageBytes, '\0') + page_of('b'));
}

TEST(PowerOffRandom, IndependentNamesSurviveIndependently) {
    Disk disk;
    for (const char* path : {"/a", "/b", "/c"}) {
        must(disk.sync(write_file(disk, path, path), Time{}));
    }
    ScriptedChoices choices({false, true, false});
    const DiskLoss loss = disk.power_off(PowerOffKeep::random, false, choices);
    EXPECT_THAT(contents(disk), ElementsAre(std::pair("/b", "/b")));
    EXPECT_EQ(choices.keep_calls, 3U);
    EXPECT_EQ(loss.files, 2U);
}

TEST(PowerOffRandom, NamesJoinedByRenamesStayOrGoTogether) {
    // The swap of the log cleaner: .cleaned -> .swap -> .log, with the old segment moved away.
    Disk disk;
    write_durable_file(disk, "/s.log", "old");
    write_durable_file(disk, "/s.cleaned", "clean");
    must(disk.rename("/s.cleaned", "/s.swap", Time{}));
    must(disk.rename("/s.log", "/s.deleted", Time{}));
    must(disk.rename("/s.swap", "/s.log", Time{}));
    Disk kept = disk;
    ScriptedChoices yes({true});
    kept.power_off(PowerOffKeep::random, false, yes);
    EXPECT_EQ(yes.keep_calls, 1U);
    EXPECT_THAT(contents(kept),
                ElementsAre(std::pair("/s.deleted", "old"), std::pair("/s.log", "clean")));
    ScriptedChoices no({false});
    disk.power_off(PowerOffKeep::random, false, no);
    EXPECT_THAT(contents(disk),
                ElementsAre(std::pair("/s.cleaned", "clean"), std::pair("/s.log", "old")));
}

TEST(PowerOffRandom, ANameReusedAfterARenameCannotLoseBothFiles) {
    // a -> b, a new a, a -> b again: either the first file is at a, or the second at b.
    Disk disk;
    write_durable_file(disk, "/a", "first");
    must(disk.rename("/a", "/b", Time{}));
    must(disk.sync(write_file(disk, "/a", "second"), Time{}));
    must(disk.rename("/a", "/b", Time{}));
    Disk kept = disk;
    ScriptedChoices yes({true, true});
    kept.power_off(PowerOffKeep::random, false, yes);
    EXPECT_THAT(contents(kept), ElementsAre(std::pair("/b", "second")));
    ScriptedChoices no({false, false});
    disk.power_off(PowerOffKeep::random, false, no);
    EXPECT_THAT(contents(disk), ElementsAre(std::pair("/a", "first")));
}

TEST(PowerOffRandom, WhatLiesInALostDirectoryIsNotAskedAbout) {
    Disk disk;
    must(disk.make_directories("/d", Time{}));
    write_file(disk, "/d/f", "x");
    ScriptedChoices choices({false});
    const DiskLoss loss = disk.power_off(PowerOffKeep::random, false, choices);
    EXPECT_EQ(choices.keep_calls, 1U);
    EXPECT_FALSE(disk.exists("/d"));
    EXPECT_EQ(loss, (DiskLoss{1, 1}));
}

TEST(PowerOffRandom, ATornPageOfNoSectorsIsLost) {
    Disk disk;
    write_file(disk, "/f", "abc");
    must(disk.sync_directory("/", Time{}));
    ScriptedChoices choices({true}, {0});
    EXPECT_EQ(disk.power_off(PowerOffKeep::random, true, choices).bytes, 3U);
    EXPECT_EQ(text_of(disk, "/f"), "");
}

}  // namespace
}  // namespace klab::sim::test
