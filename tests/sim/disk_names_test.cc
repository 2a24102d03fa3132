// SPDX-License-Identifier: Apache-2.0
//
// Paths: creating, listing, renaming and removing files and directories.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/assert.h"
#include "sim/disk/disk.h"
#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(DiskNames, StartsWithAnEmptyRoot) {
    const Disk disk;
    EXPECT_TRUE(disk.is_directory("/"));
    EXPECT_THAT(disk.list("/").value(), IsEmpty());
    EXPECT_THAT(disk.files(), IsEmpty());
    EXPECT_EQ(disk.calls(), 0U);
}

TEST(DiskNames, CreateMakesAFileOnceAndThenOpensIt) {
    Disk disk;
    const FileId file = disk.create("/f", Time{}).value();
    EXPECT_EQ(disk.create("/f", Time{}).value(), file);
    EXPECT_EQ(disk.open("/f").value(), file);
    EXPECT_EQ(disk.size(file).value(), 0U);
    EXPECT_TRUE(disk.exists("/f"));
    EXPECT_FALSE(disk.is_directory("/f"));
}

TEST(DiskNames, ErrorsSayWhatIsInTheWay) {
    Disk disk;
    must(disk.make_directories("/d", Time{}));
    write_file(disk, "/f", "");
    EXPECT_EQ(disk.open("/none").error(), DiskError::not_found);
    EXPECT_EQ(disk.open("/d").error(), DiskError::not_a_file);
    EXPECT_EQ(disk.open("/f/below").error(), DiskError::not_found);
    EXPECT_EQ(disk.create("/none/f", Time{}).error(), DiskError::not_a_directory);
    EXPECT_EQ(disk.create("/d", Time{}).error(), DiskError::not_a_file);
    EXPECT_EQ(disk.create("/", Time{}).error(), DiskError::not_a_file);
    EXPECT_EQ(disk.make_directories("/f/below", Time{}).error(), DiskError::not_a_directory);
    EXPECT_EQ(disk.list("/f").error(), DiskError::not_a_directory);
    EXPECT_EQ(disk.list("/none").error(), DiskError::not_a_directory);
    EXPECT_EQ(disk.sync_directory("/f", Time{}).error(), DiskError::not_a_directory);
    EXPECT_EQ(disk.remove("/none", Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.remove("/", Time{}).error(), DiskError::not_found);
}

TEST(DiskNames, MakesMissingParents) {
    Disk disk;
    must(disk.make_directories("/a/b/c", Time{}));
    must(disk.make_directories("/a/b/d", Time{}));
    must(disk.make_directories("/a", Time{}));
    EXPECT_THAT(disk.list("/a/b").value(), ElementsAre("c", "d"));
}

TEST(DiskNames, ListsSortedNamesAndFilesSortedByPath) {
    // Recovery walks segments in order of name; export and comparison rely on the order of paths.
    Disk disk;
    must(disk.make_directories("/a", Time{}));
    must(disk.make_directories("/a-b", Time{}));
    const FileId z = write_file(disk, "/a/z", "");
    const FileId b = write_file(disk, "/a/b", "");
    const FileId x = write_file(disk, "/a-b/x", "");
    EXPECT_THAT(disk.list("/").value(), ElementsAre("a", "a-b"));
    EXPECT_THAT(disk.list("/a").value(), ElementsAre("b", "z"));
    EXPECT_THAT(disk.files(), ElementsAre(Pair("/a-b/x", x), Pair("/a/b", b), Pair("/a/z", z)));
}

TEST(DiskNames, RenameReplacesAFileAndKeepsTheInode) {
    // The checkpoint pattern: write a temporary file, then rename it over the old one.
    Disk disk;
    const FileId old = write_file(disk, "/cp", "old");
    const FileId fresh = write_file(disk, "/cp.tmp", "new");
    must(disk.rename("/cp.tmp", "/cp", Time{}));
    EXPECT_EQ(disk.open("/cp").value(), fresh);
    EXPECT_EQ(text_of(disk, "/cp"), "new");
    EXPECT_FALSE(disk.exists("/cp.tmp"));
    EXPECT_EQ(disk.size(old).error(), DiskError::not_found);
    EXPECT_EQ(disk.bytes_total(), 3U);
}

TEST(DiskNames, RenameMovesADirectoryWithAllInIt) {
    // Deleting a partition starts by renaming its directory.
    Disk disk;
    must(disk.make_directories("/data/t-0", Time{}));
    const FileId log = write_file(disk, "/data/t-0/log", "x");
    must(disk.rename("/data/t-0", "/data/t-0.delete", Time{}));
    EXPECT_EQ(disk.open("/data/t-0.delete/log").value(), log);
    EXPECT_FALSE(disk.exists("/data/t-0"));
    must(disk.append(log, bytes_of("y"), Time{}));
    EXPECT_EQ(text_of(disk, "/data/t-0.delete/log"), "xy");
}

TEST(DiskNames, RenameBetweenDirectories) {
    Disk disk;
    must(disk.make_directories("/a", Time{}));
    must(disk.make_directories("/b", Time{}));
    write_file(disk, "/a/f", "x");
    must(disk.rename("/a/f", "/b/g", Time{}));
    EXPECT_EQ(text_of(disk, "/b/g"), "x");
    EXPECT_THAT(disk.list("/a").value(), IsEmpty());
}

TEST(DiskNames, RenameRefusesTargetsItCannotReplace) {
    Disk disk;
    must(disk.make_directories("/d/e", Time{}));
    write_file(disk, "/f", "x");
    EXPECT_EQ(disk.rename("/none", "/g", Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.rename("/f", "/none/g", Time{}).error(), DiskError::not_a_directory);
    EXPECT_EQ(disk.rename("/f", "/d", Time{}).error(), DiskError::already_exists);
    EXPECT_EQ(disk.rename("/d", "/f", Time{}).error(), DiskError::already_exists);
    EXPECT_EQ(disk.rename("/d", "/d/e/d", Time{}).error(), DiskError::already_exists);
    EXPECT_EQ(disk.rename("/f", "/", Time{}).error(), DiskError::already_exists);
    must(disk.rename("/f", "/f", Time{}));
    EXPECT_EQ(text_of(disk, "/f"), "x");
}

TEST(DiskNames, RemovesADirectoryWithAllInIt) {
    Disk disk;
    must(disk.make_directories("/a/b", Time{}));
    const FileId file = write_file(disk, "/a/b/f", "x");
    must(disk.remove("/a", Time{}));
    EXPECT_FALSE(disk.exists("/a"));
    EXPECT_EQ(disk.append(file, bytes_of("y"), Time{}).error(), DiskError::not_found);
    EXPECT_EQ(disk.bytes_total(), 0U);
}

TEST(DiskNames, NumbersOfFilesAreNotUsedAgain) {
    // Whoever kept the id of a removed file must never read another file through it.
    Disk disk;
    const FileId first = disk.create("/f", Time{}).value();
    must(disk.remove("/f", Time{}));
    const FileId second = disk.create("/f", Time{}).value();
    EXPECT_NE(first, second);
    EXPECT_EQ(disk.wipe(), 0U);
    EXPECT_NE(disk.create("/f", Time{}).value(), second);
}

TEST(DiskNames, WipeEmptiesTheDiskForGood) {
    Disk disk;
    must(disk.make_directories("/d", Time{}));
    write_durable_file(disk, "/d/f", "abc");
    EXPECT_EQ(disk.wipe(), 3U);
    EXPECT_THAT(disk.list("/").value(), IsEmpty());
    disk.crash(Time{-1}, std::nullopt, false);
    power_off(disk);
    EXPECT_THAT(disk.list("/").value(), IsEmpty());
    EXPECT_EQ(disk.bytes_total(), 0U);
}

TEST(DiskNames, RelativePathsAreBugs) {
    Disk disk;
    EXPECT_THROW(static_cast<void>(disk.open("f")), AssertionFailure);
    EXPECT_THROW(static_cast<void>(disk.create("f", Time{})), AssertionFailure);
}

}  // namespace
}  // namespace klab::sim::test
