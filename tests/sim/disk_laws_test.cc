// SPDX-License-Identifier: Apache-2.0
//
// Laws of the disk that need no model of it: a crash is as if the later calls had never been made,
// copies do not see each other, a power failure leaves nothing undecided.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/sim/disk_helpers.h"
#include "tests/sim/disk_ops.h"

namespace klab::sim::test {
namespace {

std::vector<DiskOp> any_calls() {
    return *rc::gen::container<std::vector<DiskOp>>(
        gen_op({"/f", "/a/f", "/a/g", "/a/b/f"}, {"/", "/a", "/a/b", "/c"}));
}

Disk replay(const std::vector<DiskOp>& calls, std::size_t first_calls) {
    Disk disk;
    for (std::size_t i = 0; i < first_calls; ++i) {
        apply(disk, calls[i], Time{static_cast<std::int64_t>(i) + 1});
    }
    return disk;
}

/// Paths of the directory and all directories in it.
std::vector<std::string> directories_below(const Disk& disk, const std::string& directory) {
    std::vector<std::string> paths{directory.empty() ? "/" : directory};
    const std::vector<std::string> names = disk.list(paths.front()).value();
    for (const std::string& name : names) {
        if (disk.is_directory(directory + "/" + name)) {
            const auto below = directories_below(disk, directory + "/" + name);
            paths.insert(paths.end(), below.begin(), below.end());
        }
    }
    return paths;
}

RC_GTEST_PROP(DiskLaws, CrashAfterAnyCallIsAReplayUpToThatCall, ()) {
    const std::vector<DiskOp> calls = any_calls();
    const Disk complete = replay(calls, calls.size());
    const auto settled = *rc::gen::inRange<std::size_t>(0, calls.size() + 1);
    for (std::size_t keep = settled; keep <= calls.size(); ++keep) {
        Disk expected = replay(calls, keep);
        expected.settle(Time{1'000'000});
        Disk by_number = complete;
        by_number.settle(Time{static_cast<std::int64_t>(settled)});
        by_number.crash(Time{0}, keep, false);
        RC_ASSERT(by_number == expected);
        // Calls that failed leave no trace, so that by time they may count as made or not.
        Disk by_time = complete;
        by_time.crash(Time{static_cast<std::int64_t>(keep)}, std::nullopt, false);
        RC_ASSERT(contents(by_time) == contents(expected));
        RC_ASSERT(by_time.bytes_dirty() == expected.bytes_dirty());
    }
}

RC_GTEST_PROP(DiskLaws, ATornWriteIsItsFirstHalf, ()) {
    const std::vector<DiskOp> calls = any_calls();
    const Disk complete = replay(calls, calls.size());
    for (std::size_t keep = 0; keep < calls.size(); ++keep) {
        Disk torn = complete;
        torn.crash(Time{0}, keep, true);
        Disk expected = replay(calls, keep);
        const DiskOp& next = calls[keep];
        if (next.kind == OpKind::append || next.kind == OpKind::write_at) {
            DiskOp half = next;
            half.bytes.resize(half.bytes.size() / 2);
            apply(expected, half, Time{1});
        }
        RC_ASSERT(contents(torn) == contents(expected));
        power_off(torn);
        power_off(expected);
        RC_ASSERT(contents(torn) == contents(expected));
    }
}

RC_GTEST_PROP(DiskLaws, CopiesDoNotSeeEachOther, ()) {
    const std::vector<DiskOp> before = any_calls();
    const std::vector<DiskOp> left_calls = any_calls();
    const std::vector<DiskOp> right_calls = any_calls();
    const Disk original = replay(before, before.size());
    Disk left = original;
    Disk right = original;
    for (std::size_t i = 0; i < std::max(left_calls.size(), right_calls.size()); ++i) {
        const Time done{2000 + static_cast<std::int64_t>(i)};
        if (i < left_calls.size()) {
            apply(left, left_calls[i], done);
        }
        if (i < right_calls.size()) {
            apply(right, right_calls[i], done);
        }
    }
    RC_ASSERT(original == replay(before, before.size()));
    Disk again = replay(before, before.size());
    for (std::size_t i = 0; i < left_calls.size(); ++i) {
        apply(again, left_calls[i], Time{2000 + static_cast<std::int64_t>(i)});
    }
    RC_ASSERT(left == again);
    Disk failed = original;
    power_off(failed, PowerOffKeep::all);
    RC_ASSERT(original == replay(before, before.size()));
}

RC_GTEST_PROP(DiskLaws, WhatSurvivedAPowerFailureIsDurable, ()) {
    const std::vector<DiskOp> calls = any_calls();
    Disk disk = replay(calls, calls.size());
    ScriptedChoices choices = any_power_off_choices();
    const auto keep =
        *rc::gen::element(PowerOffKeep::synced, PowerOffKeep::random, PowerOffKeep::all);
    const bool torn = *rc::gen::arbitrary<bool>();
    disk.power_off(keep, torn, choices);
    const Disk after = disk;
    RC_ASSERT(disk.bytes_dirty() == 0U);
    std::set<FileId> files;
    for (const auto& [path, file] : disk.files()) {
        RC_ASSERT(files.insert(file).second);  // never two names for one file
    }
    for (const PowerOffKeep again :
         {PowerOffKeep::synced, PowerOffKeep::random, PowerOffKeep::all}) {
        ScriptedChoices none;
        RC_ASSERT(disk.power_off(again, true, none) == (DiskLoss{0, 0}));
        RC_ASSERT(none.keep_calls == 0U);
        RC_ASSERT(none.sector_calls == 0U);
        RC_ASSERT(disk == after);
    }
    disk.crash(Time{0}, std::nullopt, true);
    RC_ASSERT(disk == after);
    RC_TAG(keep == PowerOffKeep::random ? "random" : "fixed");
}

RC_GTEST_PROP(DiskLaws, ADiskAfterAPowerFailureIsAsGoodAsNew, ()) {
    // Structure, not only content: later calls behave as on a disk that was built that way.
    const std::vector<DiskOp> calls = any_calls();
    const std::vector<DiskOp> later = any_calls();
    Disk failed = replay(calls, calls.size());
    power_off(failed);
    Disk rebuilt;
    for (const auto& [path, file] : failed.files()) {
        must(rebuilt.make_directories(path.substr(0, path.rfind('/')), Time{}));
        const Bytes bytes = failed.read(file, 0, failed.size(file).value()).value();
        const FileId copy = rebuilt.create(path, Time{}).value();
        must(rebuilt.append(copy, bytes, Time{}));
        must(rebuilt.sync(copy, Time{}));
    }
    for (const std::string& path : directories_below(failed, "")) {
        must(rebuilt.make_directories(path, Time{}));
        must(rebuilt.sync_directory(path, Time{}));
    }
    for (const DiskOp& op : later) {
        const bool a = apply(failed, op, Time{});
        const bool b = apply(rebuilt, op, Time{});
        RC_ASSERT(a == b);
    }
    RC_ASSERT(contents(failed) == contents(rebuilt));
    power_off(failed);
    power_off(rebuilt);
    RC_ASSERT(contents(failed) == contents(rebuilt));
}

}  // namespace
}  // namespace klab::sim::test
