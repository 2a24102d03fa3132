// SPDX-License-Identifier: Apache-2.0
//
// The whole life of a log against a plain list of values by offset: appends, rolls, cuts, deleted
// records, retention, compaction, clean stops, crashes, power failures, and starts at which index
// and snapshot files are gone. At every moment the same records are readable at the same offsets;
// never one that was not written; never one lost that was synced and not deleted.
//
// log_law_test.cc has crashes inside an operation; here whole operations alternate.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/cleaner/cleaning_pass.h"
#include "model/storage/file_names.h"
#include "tests/storage/generated_choices.h"
#include "tests/storage/log_builder.h"
#include "tests/storage/log_view.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;

using Records = std::map<std::int64_t, std::string>;

class Life {
  public:
    explicit Life(bool power_fails) : power_fails_(power_fails) {
        options_.partition = {"t", 0};
        options_.config.segment_bytes = 400;
        options_.config.index_interval_bytes = 100;
        options_.config.retention_bytes = 900;
        options_.config.retention_ms = std::nullopt;
        open();
    }

    void append() {
        const auto count = *rc::gen::inRange(1, 4);
        std::vector<std::string> added;
        for (int i = 0; i < count; ++i) {
            added.push_back(std::to_string(serial_++));
        }
        RC_ASSERT(log_.append_as_leader(port(), {}, {keyed(added), LeaderEpoch(epoch_)}).ok());
        RC_ASSERT(!log_.run_pending_flush(port()));
        values_.insert(values_.end(), added.begin(), added.end());
        synced_ = std::max(synced_, log_.recovery_point().value());
    }

    void roll() {
        if (log_.active_segment().size() > 0) {
            RC_ASSERT(!log_.roll(port()));
            RC_ASSERT(!log_.run_pending_flush(port()));
            synced_ = end();
        }
    }

    void flush() {
        RC_ASSERT(!log_.flush(port()));
        synced_ = end();
    }

    void new_epoch() {
        ++epoch_;
        RC_ASSERT(!log_.assign_epoch_start(port(), LeaderEpoch(epoch_)));
    }

    /// DeleteRecords.
    void delete_records() {
        log_.set_high_watermark(log_.log_end_offset());
        const auto to = *rc::gen::inRange(start_, end() + 1);
        RC_ASSERT(log_.raise_log_start(port(), Offset(to)).ok());
        start_ = std::max(start_, to);
    }

    /// Retention by size and by log start; its files go at once or later.
    void retain() {
        log_.set_high_watermark(log_.log_end_offset());
        RC_ASSERT(log_.delete_old_segments(port()).ok());
        RC_ASSERT(log_.log_start_offset() >= Offset(start_));
        start_ = log_.log_start_offset().value();
        if (*rc::gen::inRange(0, 2) == 0) {
            now_ms_ += options_.config.file_delete_delay_ms;
            RC_ASSERT(!log_.remove_deleted_files(port()));
        }
    }

    /// Everything below the active segment is cleaned; what has a later record of its key there
    /// goes.
    void clean() {
        log_.set_high_watermark(log_.log_end_offset());
        const Offset below = log_.active_segment().base_offset();
        const Offset from = std::max(log_.log_start_offset(), log_.first_base_offset());
        if (from >= below) {
            return;
        }
        const cleaner::LogToClean target{
            .partition = options_.partition, .first_dirty = from, .first_uncleanable = below};
        cleaner::CleaningPass pass(target, {.map = {1000, 1000}, .io = {}, .rules = {}}, now_ms_);
        while (true) {
            const auto piece = pass.advance(port(), log_);
            RC_ASSERT(piece.ok());
            if (piece->is_done) {
                break;
            }
        }
        std::set<std::int64_t> seen;  // keys
        for (std::int64_t offset = below.value() - 1; offset >= from.value(); --offset) {
            const std::string& value = values_[static_cast<std::size_t>(offset)];
            if (!dropped_.contains(offset) && !seen.insert(key_of(value)).second) {
                dropped_.insert(offset);
            }
        }
        for (std::int64_t offset = 0; offset < from.value(); ++offset) {
            dropped_.insert(offset);  // below the log start: gone or not, nobody asks
        }
    }

    void truncate() {
        const auto to = *rc::gen::inRange(start_, end() + 2);
        cut(to);
        // A batch is cut as a whole, and may reach below the log start: cut again where the last
        // whole one ends.
        const std::vector<BatchSight> batches = list_batches(log_, disk_);
        const std::int64_t whole = batches.empty() ? log_.first_base_offset().value()
                                                   : batches.back().last_offset.value() + 1;
        if (whole < end()) {
            cut(whole);
        }
        if (power_fails_) {
            sync_everything();  // Kafka leaves that to the file system
        }
    }

    /// The periodic checkpoints.
    void checkpoint() {
        options_.recovery_point = log_.recovery_point();
        options_.log_start = log_.log_start_offset();
    }

    void clean_restart() {
        RC_ASSERT(!log_.close(port()));
        synced_ = end();
        checkpoint();
        options_.recovery_point = log_.log_end_offset();
        options_.was_clean_shutdown = true;
        restart();
        options_.was_clean_shutdown = false;
        RC_ASSERT(end() == static_cast<std::int64_t>(values_.size()));
        resume();
    }

    void crash() {
        disk_.crash(now(), std::nullopt, false);
        restart();
        RC_ASSERT(end() == static_cast<std::int64_t>(values_.size()));
        resume();
    }

    void power_failure() {
        disk_.crash(now(), std::nullopt, false);
        GeneratedChoices choices(*rc::gen::arbitrary<std::uint64_t>());
        const auto keep = *rc::gen::element(sim::PowerOffKeep::synced, sim::PowerOffKeep::random);
        const bool is_torn = *rc::gen::inRange(0, 2) == 0;
        disk_.power_off(keep, is_torn, choices);
        restart();
        const Records left = records();
        for (const auto& [offset, value] : left) {
            RC_ASSERT(offset < static_cast<std::int64_t>(values_.size()));
            RC_ASSERT(value == values_[static_cast<std::size_t>(offset)]);
        }
        for (std::int64_t offset = start_; offset < synced_; ++offset) {
            RC_ASSERT(left.contains(offset) || dropped_.contains(offset));
        }
        RC_ASSERT(end() <= static_cast<std::int64_t>(values_.size()));
        values_.resize(static_cast<std::size_t>(end()));
        forget_dropped();
        synced_ = std::min(synced_, end());
        start_ = std::min(start_, end());
        resume();
    }

    void check() const {
        Records expected;
        for (std::int64_t offset = start_; offset < end(); ++offset) {
            if (!dropped_.contains(offset)) {
                expected[offset] = values_[static_cast<std::size_t>(offset)];
            }
        }
        RC_ASSERT(records() == expected);
        RC_ASSERT(log_.log_start_offset() == Offset(start_));
        for (std::int64_t offset = start_; offset < end(); ++offset) {
            const auto info =
                log_.read(DiskView(disk_), {Offset(offset), log_.log_end_offset(), 1, true});
            RC_ASSERT(info.ok());
            if (expected.contains(offset)) {
                RC_ASSERT(value_at(*info->records, Offset(offset)) == expected[offset]);
            }
        }
    }

  private:
    [[nodiscard]] Time now() const { return Time{} + milliseconds(now_ms_); }

    [[nodiscard]] DiskPort port() { return {disk_, now()}; }

    [[nodiscard]] std::int64_t end() const { return log_.log_end_offset().value(); }

    /// One of five keys.
    static std::int64_t key_of(const std::string& value) { return std::stoll(value) % 5; }

    static Bytes keyed(const std::vector<std::string>& values) {
        RecordBatchBuilder builder;
        for (const std::string& value : values) {
            const std::string key = std::to_string(key_of(value));
            RecordInput record;
            record.key = view_of(key);
            record.value = view_of(value);
            builder.append(record);
        }
        return builder.build();
    }

    [[nodiscard]] Records records() const {
        Records out;
        for (const RecordSight& record : list_records(log_, disk_)) {
            RC_ASSERT(out.emplace(record.offset.value(), record.value.value_or("~")).second);
        }
        return out;
    }

    void cut(std::int64_t to) {
        RC_ASSERT(log_.truncate_to(port(), Offset(to)).ok());
        values_.resize(std::min(values_.size(), static_cast<std::size_t>(end())));
        forget_dropped();
        synced_ = std::min(synced_, end());
        start_ = std::min(start_, end());
        options_.recovery_point = std::min(options_.recovery_point, log_.recovery_point());
        // Else a log that ends below the start of the checkpoint would begin anew there.
        options_.log_start = std::min(options_.log_start, log_.log_start_offset());
    }

    /// Offsets at and above the end will be given again.
    void forget_dropped() { dropped_.erase(dropped_.lower_bound(end()), dropped_.end()); }

    void sync_everything() {
        for (const auto& [path, file] : disk_.files()) {
            RC_ASSERT(disk_.sync(file, {}).ok());
        }
        RC_ASSERT(disk_.sync_directory(log_.directory(), {}).ok());
        synced_ = end();
    }

    void open() {
        auto opened = Log::open(port(), options_);
        RC_ASSERT(opened.ok());
        log_ = std::move(opened->log);
    }

    /// Opens what is there; some of the files that can be made anew are gone.
    void restart() {
        if (*rc::gen::inRange(0, 3) == 0) {
            lose_files();
        }
        open();
        const Records once = records();
        open();
        RC_ASSERT(records() == once);  // a second recovery changes nothing
    }

    void lose_files() {
        const auto files = disk_.files();
        for (const auto& [path, file] : files) {
            const bool can_be_lost = path.ends_with(kIndexSuffix) ||
                                     path.ends_with(kTimeIndexSuffix) ||
                                     path.ends_with(kSnapshotSuffix);
            if (can_be_lost && *rc::gen::inRange(0, 2) == 0) {
                RC_ASSERT(disk_.remove(path, {}).ok());
            }
        }
    }

    /// The log start of a checkpoint may be old: deleted records reappear, until a leader says so
    /// again.
    void resume() {
        RC_ASSERT(log_.log_start_offset() <= Offset(end()));
        if (log_.log_start_offset() > Offset(start_)) {
            RC_ASSERT(log_.log_end_offset() == log_.log_start_offset());  // nothing was left
            start_ = log_.log_start_offset().value();
        }
        log_.set_high_watermark(log_.log_end_offset());
        RC_ASSERT(log_.raise_log_start(port(), Offset(start_)).ok());
        options_.recovery_point = std::min(options_.recovery_point, Offset(synced_));
    }

    bool power_fails_;
    sim::Disk disk_;
    LogOptions options_;
    Log log_;
    std::vector<std::string> values_;  // by offset, those below the start too
    std::set<std::int64_t> dropped_;   // offsets that a cleaning took
    std::int64_t start_ = 0;
    std::int64_t synced_ = 0;  // records below are promised to survive a power failure
    std::int64_t now_ms_ = 1'700'000'000'000;
    std::int32_t epoch_ = 0;
    std::uint64_t serial_ = 0;  // makes every value different
};

void live(Life& life, int steps) {
    for (int i = 0; i < steps; ++i) {
        switch (*rc::gen::inRange(0, 16)) {
            case 0:
                life.roll();
                break;
            case 1:
                life.flush();
                break;
            case 2:
                life.new_epoch();
                break;
            case 3:
                life.delete_records();
                break;
            case 4:
                life.retain();
                break;
            case 5:
                life.truncate();
                break;
            case 6:
                life.checkpoint();
                break;
            case 7:
                life.clean_restart();
                break;
            case 8:
                life.clean();
                break;
            default:
                life.append();
                break;
        }
        life.check();
    }
}

RC_GTEST_PROP(LogLifeLaw, CrashesOfTheProcessLoseNothing, ()) {
    Life life(false);
    const auto lives = *rc::gen::inRange(1, 5);
    for (int i = 0; i < lives; ++i) {
        live(life, *rc::gen::inRange(0, 15));
        life.crash();
        life.check();
    }
}

RC_GTEST_PROP(LogLifeLaw, PowerFailuresLoseNothingThatWasSynced, ()) {
    Life life(true);
    const auto lives = *rc::gen::inRange(1, 5);
    for (int i = 0; i < lives; ++i) {
        live(life, *rc::gen::inRange(0, 15));
        life.power_failure();
        life.check();
    }
}

}  // namespace
}  // namespace klab::storage
