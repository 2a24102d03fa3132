// SPDX-License-Identifier: Apache-2.0
//
// The log against a plain list of values, under appends, rolls, cuts, crashes between any two disk
// calls, power failures and restarts:
//
//   1. what was read before a restart is what the list holds;
//   2. a crash of the process keeps everything up to the interrupted operation, and of that one
//      either nothing, all, or a part that is still a prefix;
//   3. a power failure keeps everything that was synced, and what comes back is a prefix;
//   4. a second recovery changes nothing.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/generated_choices.h"
#include "tests/storage/log_builder.h"
#include "tests/storage/log_view.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;

using Values = std::vector<std::string>;

bool is_prefix(const Values& part, const Values& whole) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/// A log, the list it must equal, and what is promised to survive.
class Machine {
  public:
    Machine() {
        options_.partition = {"t", 0};
        options_.config.segment_bytes = 400;
        open();
    }

    void append() {
        const auto count = *rc::gen::inRange(1, 4);
        Values added;
        for (int i = 0; i < count; ++i) {
            added.push_back(fmt::format("{}", serial_++));
        }
        step([&](Log& log, DiskPort disk) {
            const auto done =
                log.append_as_leader(disk, {}, {batch_of(added), LeaderEpoch(epoch_)});
            RC_ASSERT(done.ok());
            // In the background, at once: see PowerFailureBetweenRollAndFlushLeavesAHole.
            RC_ASSERT(!log.run_pending_flush(disk));
        });
        list_.insert(list_.end(), added.begin(), added.end());
    }

    void truncate() {
        const auto offset = *rc::gen::inRange<std::size_t>(0, list_.size() + 2);
        cut_to(offset);
    }

    /// Batches are cut whole, so the list loses what the log says it lost; then the hole is filled
    /// by cutting again at the end of the last whole batch.
    void cut_to(std::size_t offset) {
        step([&](Log& log, DiskPort disk) {
            auto at = Offset(static_cast<std::int64_t>(offset));
            RC_ASSERT(log.truncate_to(disk, at).ok());
            const auto whole = view_of_log(log, disk_).size();
            if (static_cast<std::int64_t>(whole) < log.log_end_offset().value()) {
                at = Offset(static_cast<std::int64_t>(whole));
                RC_ASSERT(log.truncate_to(disk, at).ok());
            }
        });
        list_.resize(std::min(list_.size(), static_cast<std::size_t>(end())));
        synced_ = std::min(synced_, list_.size());
        checkpoint_ = std::min(checkpoint_, list_.size());
    }

    void flush() {
        step([](Log& log, DiskPort disk) { RC_ASSERT(!log.flush(disk)); });
        synced_ = list_.size();
        RC_ASSERT(log_.recovery_point() == log_.log_end_offset());
    }

    void new_epoch() {
        ++epoch_;
        step([this](Log& log, DiskPort disk) {
            RC_ASSERT(!log.assign_epoch_start(disk, LeaderEpoch(epoch_)));
        });
    }

    /// The recovery point reaches its checkpoint.
    void checkpoint() { checkpoint_ = static_cast<std::size_t>(log_.recovery_point().value()); }

    void clean_restart() {
        flush();
        step([](Log& log, DiskPort disk) { RC_ASSERT(!log.close(disk)); });
        options_.was_clean_shutdown = true;
        checkpoint();
        open();
        options_.was_clean_shutdown = false;
        check();
    }

    /// The process dies between two disk calls of one more operation.
    void crash_inside_an_operation() {
        const Values before = list_;
        const std::size_t checkpoint_before = checkpoint_;
        disk_.settle({});
        const std::uint64_t first = disk_.calls();
        if (*rc::gen::inRange(0, 2) == 0) {
            append();
        } else {
            truncate();
        }
        const std::uint64_t last = disk_.calls();
        const std::uint64_t keep = *rc::gen::inRange<std::uint64_t>(first, last + 1);
        disk_.crash({}, keep, *rc::gen::inRange(0, 2) == 0);
        checkpoint_ = std::min(checkpoint_, checkpoint_before);
        open();
        const Values& longer = list_.size() > before.size() ? list_ : before;
        const Values& shorter = list_.size() > before.size() ? before : list_;
        const Values recovered = view_of_log(log_, disk_);
        RC_ASSERT(is_prefix(shorter, recovered));
        RC_ASSERT(is_prefix(recovered, longer));
        adopt(recovered);
    }

    /// Makes a cut durable, which Kafka leaves to the file system: see UnsyncedCutMayComeBack.
    void sync_everything() {
        for (const auto& [path, file] : disk_.files()) {
            RC_ASSERT(disk_.sync(file, {}).ok());
        }
        RC_ASSERT(disk_.sync_directory(log_.directory(), {}).ok());
        synced_ = list_.size();
    }

    void power_failure() {
        disk_.crash({}, std::nullopt, false);
        GeneratedChoices choices(*rc::gen::arbitrary<std::uint64_t>());
        const auto keep = *rc::gen::element(sim::PowerOffKeep::synced, sim::PowerOffKeep::random);
        const bool is_torn = *rc::gen::inRange(0, 2) == 0;
        disk_.power_off(keep, is_torn, choices);
        open();
        const Values recovered = view_of_log(log_, disk_);
        RC_ASSERT(recovered.size() >= synced_);
        RC_ASSERT(is_prefix(recovered, list_));
        adopt(recovered);
    }

    /// Law 1, through both ways of reading, and the epochs.
    void check() const {
        RC_ASSERT(view_of_log(log_, disk_) == list_);
        RC_ASSERT(end() == static_cast<std::int64_t>(list_.size()));
        for (std::int64_t start = 0; start < end(); ++start) {
            const auto info = log_.read(DiskPort(const_cast<sim::Disk&>(disk_)),
                                        {Offset(start), log_.log_end_offset(), 1, true});
            RC_ASSERT(info.ok());
            RC_ASSERT(value_at(*info->records, Offset(start)) ==
                      list_[static_cast<std::size_t>(start)]);
        }
    }

    void recover_twice() {
        disk_.crash({}, std::nullopt, false);
        open();
        const Log once = log_;
        open();
        RC_ASSERT(log_ == once);
        check();
    }

    [[nodiscard]] std::int64_t end() const { return log_.log_end_offset().value(); }

  private:
    template <typename Operation>
    void step(Operation&& operation) {
        operation(log_, DiskPort(disk_));
    }

    void open() {
        options_.recovery_point = Offset(static_cast<std::int64_t>(checkpoint_));
        auto opened = Log::open(disk_, options_);
        RC_ASSERT(opened.ok());
        log_ = std::move(opened->log);
    }

    /// After a crash the list is what came back.
    void adopt(const Values& recovered) {
        list_ = recovered;
        synced_ = std::min(synced_, list_.size());
        checkpoint_ = std::min(checkpoint_, synced_);
        RC_ASSERT(end() == static_cast<std::int64_t>(list_.size()));
    }

    sim::Disk disk_;
    LogOptions options_;
    Log log_;
    Values list_;
    std::size_t synced_ = 0;      // records below are promised to survive a power failure
    std::size_t checkpoint_ = 0;  // the recovery point that a restart will know
    std::int32_t epoch_ = 0;
    std::uint64_t serial_ = 0;  // makes every value different
};

enum class Cuts : std::uint8_t { none, plain, durable };

void random_work(Machine& machine, int steps, Cuts cuts) {
    for (int i = 0; i < steps; ++i) {
        switch (*rc::gen::inRange(0, 9)) {
            case 0:
                machine.flush();
                break;
            case 1:
                machine.new_epoch();
                break;
            case 2:
                if (cuts != Cuts::none) {
                    machine.truncate();
                }
                if (cuts == Cuts::durable) {
                    machine.sync_everything();
                }
                break;
            case 3:
                machine.checkpoint();
                break;
            case 4:
                machine.clean_restart();
                break;
            default:
                machine.append();
                break;
        }
        machine.check();
    }
}

RC_GTEST_PROP(LogLaw, EqualsAPlainListWithoutFaults, ()) {
    Machine machine;
    random_work(machine, *rc::gen::inRange(1, 40), Cuts::plain);
    machine.recover_twice();
}

RC_GTEST_PROP(LogLaw, CrashBetweenAnyTwoDiskCallsKeepsAPrefix, ()) {
    Machine machine;
    const auto lives = *rc::gen::inRange(1, 5);
    for (int life = 0; life < lives; ++life) {
        random_work(machine, *rc::gen::inRange(0, 10), Cuts::plain);
        machine.crash_inside_an_operation();
        machine.recover_twice();
    }
}

RC_GTEST_PROP(LogLaw, PowerFailureNeverTakesWhatWasSynced, (bool with_cuts)) {
    Machine machine;
    const auto lives = *rc::gen::inRange(1, 5);
    for (int life = 0; life < lives; ++life) {
        random_work(machine, *rc::gen::inRange(0, 12), with_cuts ? Cuts::durable : Cuts::none);
        machine.power_failure();
        machine.recover_twice();
    }
}

TEST(LogLaw, PowerFailureDoesTakeWhatWasNotSynced) {
    // Without this the laws above could hold because nothing is ever lost.
    sim::Disk disk;
    Log log = LogBuilder(disk).append({"a"}).flushed().append({"b"}).build();
    ASSERT_FALSE(log.flush(disk));
    ASSERT_TRUE(log.append_as_leader(disk, {}, {batch_of({"c"}), LeaderEpoch(0)}).ok());
    disk.crash({}, std::nullopt, false);
    GeneratedChoices choices(0);
    disk.power_off(sim::PowerOffKeep::synced, false, choices);
    const auto opened = Log::open(disk, {{"t", 0}, "/data", {}, {}, false, {}, {}, {}});
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(view_of_log(opened->log, disk), (Values{"a", "b"}));
}

TEST(LogLaw, PowerFailureBetweenRollAndFlushLeavesAHole) {
    // Kafka flushes a closed segment in the background. If the names of the directory become
    // durable before that (here by a new leader epoch) and the power fails, the closed segment
    // loses its tail while the empty one behind it is there, and nothing in recovery compares the
    // two: the log ends where the lost records ended.
    sim::Disk disk;
    Log log = LogBuilder(disk).segment_bytes(150).append({"a"}).append({"b"}).append({"c"}).build();
    ASSERT_EQ(log.active_segment().base_offset(), Offset(2));
    ASSERT_FALSE(log.assign_epoch_start(disk, LeaderEpoch(7)));
    disk.crash({}, std::nullopt, false);
    GeneratedChoices choices(0);
    disk.power_off(sim::PowerOffKeep::synced, false, choices);
    const auto opened = Log::open(disk, {{"t", 0}, "/data", {}, {}, false, {}, {}, {}});
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(opened->log.log_end_offset(), Offset(2));
    EXPECT_EQ(view_of_log(opened->log, disk), Values{});
}

TEST(LogLaw, UnsyncedCutMayComeBack) {
    // Kafka does not sync a cut: until the next sync of any file (soon: that of the snapshot of its
    // producers) a power failure may bring the old end of the log back, under the epochs of its
    // batches. The next fetch by epoch finds that out (KIP-101).
    sim::Disk disk;
    Log log = LogBuilder(disk).epoch(1).append({"a"}).append({"b"}).flushed().build();
    disk.settle({});
    const std::uint64_t before = disk.calls();
    sim::Disk whole = disk;
    Log cut = log;
    ASSERT_TRUE(cut.truncate_to(whole, Offset(1)).ok());
    std::set<Values> seen;
    for (std::uint64_t keep = before; keep <= whole.calls(); ++keep) {
        sim::Disk one = disk;
        Log again = log;
        ASSERT_TRUE(again.truncate_to(one, Offset(1)).ok());
        one.crash({}, keep, false);
        GeneratedChoices choices(0);
        one.power_off(sim::PowerOffKeep::synced, false, choices);
        const auto opened = Log::open(one, {{"t", 0}, "/data", {}, {}, false, {}, {}, {}});
        ASSERT_TRUE(opened.ok());
        seen.insert(view_of_log(opened->log, one));
    }
    EXPECT_EQ(seen, (std::set<Values>{{"a"}, {"a", "b"}}));
}

}  // namespace
}  // namespace klab::storage
