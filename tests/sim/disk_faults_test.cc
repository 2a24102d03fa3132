// SPDX-License-Identifier: Apache-2.0
//
// Faults of a device: which calls they meet, where and how long; and damage to what lies on a disk.
#include "sim/disk/disk_faults.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {
namespace {

using Refusal = std::optional<DiskError>;

/// What one fault says to the four uses, in the order look, read, change, grow.
std::vector<Refusal> refusals(DiskFaultKind kind) {
    std::vector<Refusal> out;
    for (const DiskUse use : {DiskUse::kLook, DiskUse::kRead, DiskUse::kChange, DiskUse::kGrow}) {
        Disk disk;
        disk.add_fault({.kind = kind, .path = ""});
        out.push_back(disk.meet_faults(use, "/f", Time{}).error);
    }
    return out;
}

TEST(DiskFaults, EachKindRefusesItsOwnCalls) {
    const Refusal none;
    const Refusal space = DiskError::no_space;
    const Refusal fixed = DiskError::read_only;
    const Refusal io = DiskError::io_error;
    const Refusal gone = DiskError::device_gone;
    EXPECT_EQ(refusals(DiskFaultKind::kSlow), (std::vector{none, none, none, none}));
    EXPECT_EQ(refusals(DiskFaultKind::kFull), (std::vector{none, none, none, space}))
        << "a full disk still takes removals, cuts and syncs";
    EXPECT_EQ(refusals(DiskFaultKind::kReadOnly), (std::vector{none, none, fixed, fixed}));
    EXPECT_EQ(refusals(DiskFaultKind::kReadError), (std::vector{none, io, none, none}));
    EXPECT_EQ(refusals(DiskFaultKind::kWriteError), (std::vector{none, none, io, io}));
    EXPECT_EQ(refusals(DiskFaultKind::kGone), (std::vector{gone, gone, gone, gone}));
}

TEST(DiskFaults, APathMeansTheFileOrAllBelowTheDirectory) {
    Disk disk;
    disk.add_fault({.kind = DiskFaultKind::kReadError, .path = "/data/t-0"});
    const auto meets = [&](std::string_view path) {
        return disk.meet_faults(DiskUse::kRead, path, Time{}).error.has_value();
    };
    EXPECT_TRUE(meets("/data/t-0"));
    EXPECT_TRUE(meets("/data/t-0/a.log"));
    EXPECT_FALSE(meets("/data/t-01/a.log")) << "a prefix of a name is not a directory";
    EXPECT_FALSE(meets("/data"));
}

TEST(DiskFaults, AnOpenFileIsMetWhereItIsNow) {
    Disk disk;
    const FileId file = write_file(disk, "/f", "x");
    disk.add_fault({.kind = DiskFaultKind::kReadError, .path = "/g"});
    EXPECT_FALSE(disk.meet_faults(DiskUse::kRead, file, Time{}).error);
    must(disk.rename("/f", "/g", Time{}));
    EXPECT_EQ(disk.meet_faults(DiskUse::kRead, file, Time{}).error, DiskError::io_error);
}

TEST(DiskFaults, CallsAndTimeRunOut) {
    Disk disk;
    disk.add_fault({.kind = DiskFaultKind::kWriteError, .path = "", .remaining = 2});
    EXPECT_FALSE(disk.meet_faults(DiskUse::kRead, "/f", Time{}).error) << "not met, not counted";
    EXPECT_TRUE(disk.meet_faults(DiskUse::kGrow, "/f", Time{}).error);
    EXPECT_TRUE(disk.meet_faults(DiskUse::kChange, "/f", Time{}).error);
    EXPECT_FALSE(disk.meet_faults(DiskUse::kGrow, "/f", Time{}).error);
    EXPECT_FALSE(disk.has_faults()) << "what is over is forgotten";

    disk.add_fault({.kind = DiskFaultKind::kFull, .path = "", .until = Time{100}});
    EXPECT_TRUE(disk.meet_faults(DiskUse::kGrow, "/f", Time{99}).error);
    EXPECT_FALSE(disk.meet_faults(DiskUse::kGrow, "/f", Time{100}).error);
    EXPECT_FALSE(disk.has_faults());
}

TEST(DiskFaults, SlownessAddsUpAndMayMeanOneDirection) {
    Disk disk;
    disk.add_fault({.kind = DiskFaultKind::kSlow, .path = "", .by = milliseconds(2)});
    disk.add_fault({.kind = DiskFaultKind::kSlow,
                    .path = "",
                    .by = milliseconds(3),
                    .only = DiskUse::kChange});
    EXPECT_EQ(disk.meet_faults(DiskUse::kRead, "/f", Time{}).extra, milliseconds(2));
    EXPECT_EQ(disk.meet_faults(DiskUse::kGrow, "/f", Time{}).extra, milliseconds(5));
    EXPECT_EQ(disk.meet_faults(DiskUse::kChange, "/f", Time{}).extra, milliseconds(5));
}

TEST(DiskFaults, ALimitIsMetWhileFilesTakeAsMuchRoom) {
    // Room is taken by whole pages; a hole takes none, and what is removed gives its own back.
    Disk disk;
    disk.add_fault({.kind = DiskFaultKind::kFull, .path = "", .limit = 2 * kPageBytes});
    const auto refuses = [&] {
        return disk.meet_faults(DiskUse::kGrow, "/f", Time{}).error == DiskError::no_space;
    };
    const FileId file = write_durable_file(disk, "/f", "abc");
    EXPECT_EQ(disk.bytes_stored(), kPageBytes);
    EXPECT_FALSE(refuses());
    must(disk.truncate(file, 100 * kPageBytes, Time{}));
    EXPECT_FALSE(refuses()) << "a hole";
    must(disk.write_at(file, 50 * kPageBytes, ByteView(Bytes{1}), Time{}));
    EXPECT_TRUE(refuses());
    EXPECT_FALSE(disk.meet_faults(DiskUse::kChange, "/f", Time{}).error) << "removing is allowed";
    must(disk.remove("/f", Time{}));
    EXPECT_FALSE(refuses());
}

TEST(DiskFaults, FaultsArePartOfTheValueAndGoWithTheDevice) {
    Disk disk;
    const Disk healthy = disk;
    disk.add_fault({.kind = DiskFaultKind::kGone, .path = ""});
    EXPECT_NE(disk, healthy);
    static_cast<void>(disk.wipe());
    EXPECT_FALSE(disk.has_faults()) << "an empty device takes the place of the old";
}

TEST(DiskDamage, ARottenBitIsThereForGood) {
    Disk disk;
    const FileId file = write_durable_file(disk, "/f", "abc");
    disk.flip_bit(file, 1, 0);
    EXPECT_EQ(text_of(disk, "/f"), "acc");
    ScriptedChoices none;
    static_cast<void>(disk.power_off(PowerOffKeep::synced, false, none));
    EXPECT_EQ(text_of(disk, "/f"), "acc") << "not in the page cache only";
    disk.flip_bit(file, 1, 0);
    EXPECT_EQ(text_of(disk, "/f"), "abc") << "one bit, and no other";
}

TEST(DiskDamage, AHoleRotsToo) {
    Disk disk;
    const FileId file = disk.create("/f", Time{}).value();
    must(disk.truncate(file, 3 * kPageBytes, Time{}));
    disk.flip_bit(file, kPageBytes + 5, 7);
    const Bytes bytes = disk.read(file, kPageBytes, kPageBytes).value();
    EXPECT_EQ(bytes.size(), kPageBytes);
    EXPECT_EQ(bytes[5], 0x80);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), kPageBytes - 1);
}

TEST(DiskDamage, ALostEntryDoesNotComeBack) {
    Disk disk;
    must(disk.make_directories("/d/e", Time{}));
    static_cast<void>(write_durable_file(disk, "/d/e/f", "x"));
    static_cast<void>(write_durable_file(disk, "/d/g", "y"));
    must(disk.lose_entry("/d/e"));
    EXPECT_EQ(disk.lose_entry("/d/e").error(), DiskError::not_found);
    ScriptedChoices none;
    static_cast<void>(disk.power_off(PowerOffKeep::synced, false, none));
    EXPECT_EQ(contents(disk), (std::map<std::string, std::string>{{"/d/g", "y"}}))
        << "a removal that was never synced would have been undone";
}

}  // namespace
}  // namespace klab::sim::test
