// SPDX-License-Identifier: Apache-2.0
//
// Laws of a cleaning: on a disk, a piece at a time and with whatever buffer, it leaves the bytes
// that the rules leave of a log in memory; done again with nothing new it changes nothing more; and
// the last value of each key stays.
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/cleaner/cleaned_log.h"
#include "tests/storage/cleaner/compacted_log.h"

namespace klab::storage::cleaner {
namespace {

using types::Offset;

/// The same log twice: as bytes in memory, and as segments on a disk.
class Twins {
  public:
    Twins() {
        options_.partition = {"t", 0};
        options_.config.is_compacted = true;
        options_.config.segment_ms =
            std::numeric_limits<std::int64_t>::max();  // roll() alone rolls
        options_.config.index_interval_bytes = *rc::gen::element(1, 200, 4096);
        auto opened = Log::open(port(), options_);
        RC_ASSERT(opened.ok());
        log_ = std::move(opened->log);
        plain_.at(kNowMs);
        limits_.io.io_buffer_bytes = *rc::gen::element(2, 200, 524288);
        usable_ = *rc::gen::element<std::uint64_t>(2, 3, 1000);
        plain_.usable(usable_);
        limits_.map = {usable_ + 1, usable_};
    }

    void write() {
        const std::size_t before = plain_.bytes_of_segment(active_).size();
        const auto producer = *rc::gen::inRange(1, 4);
        const Keys keys =
            *rc::gen::container<Keys>(*rc::gen::inRange<std::size_t>(1, 4), rc::gen::inRange(0, 5));
        switch (*rc::gen::inRange(0, 9)) {
            case 0:
                plain_.tombstone(keys.front());
                break;
            case 1:
                plain_.unkeyed();
                break;
            case 2:
                end_transaction(producer);
                break;
            case 3:
            case 4:
                plain_.put(keys.front());
                break;
            default:
                open_.insert(producer);
                plain_.transact(producer, keys);
                break;
        }
        const Bytes& all = plain_.bytes_of_segment(active_);
        const Bytes fresh(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
        if (!fresh.empty()) {
            RC_ASSERT(log_.append_as_follower(port(), {fresh, std::nullopt}).ok());
        }
    }

    void roll() {
        if (plain_.bytes_of_segment(active_).empty()) {
            return;
        }
        plain_.roll();
        ++active_;
        RC_ASSERT(!log_.roll(port()));
        RC_ASSERT(!log_.run_pending_flush(port()));
    }

    /// Cleans both from where the cleaning before ended; nothing when nothing is dirty.
    void clean() {
        roll();
        if (dirty_ >= plain_.active_base()) {
            return;
        }
        const Cleaned plain = plain_.clean(dirty_);
        const LogToClean target{.partition = options_.partition,
                                .first_dirty = Offset(dirty_),
                                .first_uncleanable = log_.active_segment().base_offset()};
        CleaningPass pass(target, limits_, now_ms_);
        while (true) {
            const auto piece = pass.advance(port(), log_);
            RC_ASSERT(piece.ok());
            if (piece->is_done) {
                break;
            }
        }
        active_ = plain_.segment_bases().size() - 1;
        dirty_ = plain.next_dirty;
        expect_same();
        RC_ASSERT(pass.end_offset() == Offset(dirty_));
        RC_ASSERT(pass.stats().records_read == plain.records_read);
        RC_ASSERT(pass.stats().records_written == plain.records_written);
        RC_ASSERT(pass.stats().bytes_written == plain.bytes_written);
        RC_ASSERT(pass.stats().invalid_records == plain.invalid);
    }

    void wait() {
        now_ms_ += CompactedLog::kRetentionMs;
        plain_.at(now_ms_);
    }

    void expect_same() const {
        const std::vector<LogSegment> segments = log_.segments();
        RC_ASSERT(segments.size() == plain_.segment_bases().size());
        std::vector<AbortedTransaction> aborted;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            RC_ASSERT(segments[i].base_offset() == Offset(plain_.segment_bases()[i]));
            const auto bytes = disk_.read(segments[i].file(), 0, segments[i].size());
            RC_ASSERT(*bytes == plain_.bytes_of_segment(i));
            const auto& entries = segments[i].txn_index().entries();
            aborted.insert(aborted.end(), entries.begin(), entries.end());
        }
        RC_ASSERT(aborted == plain_.aborted());
    }

    /// The last committed or plain value of each key, by offset; tombstones too.
    [[nodiscard]] std::map<std::string, std::int64_t> newest() const {
        std::map<std::string, std::int64_t> newest;
        for (const RecordSight& record : list_records(log_, disk_)) {
            if (!record.is_control && record.key) {
                newest[*record.key] = record.offset.value();
            }
        }
        return newest;
    }

    [[nodiscard]] bool is_clean() const { return dirty_ >= plain_.active_base(); }

  private:
    static constexpr std::int64_t kNowMs = 1'700'000'000'000;

    void end_transaction(std::int64_t producer) {
        if (open_.erase(producer) == 0) {
            return;
        }
        if (*rc::gen::inRange(0, 2) == 0) {
            plain_.commit(producer);
        } else {
            plain_.abort(producer);
        }
    }

    [[nodiscard]] DiskPort port() { return {disk_, Time{} + milliseconds(now_ms_)}; }

    sim::Disk disk_;
    LogOptions options_;
    Log log_;
    CompactedLog plain_;
    CleanerLimits limits_;
    std::uint64_t usable_ = 0;
    std::set<std::int64_t> open_;
    std::size_t active_ = 0;  // number of the segment that grows
    std::int64_t dirty_ = 0;
    std::int64_t now_ms_ = kNowMs;
};

RC_GTEST_PROP(CleaningLaw, OnADiskAsInMemory, ()) {
    Twins twins;
    const auto steps = *rc::gen::inRange(0, 60);
    for (int i = 0; i < steps; ++i) {
        switch (*rc::gen::inRange(0, 12)) {
            case 0:
                twins.clean();
                break;
            case 1:
            case 2:
                twins.roll();
                break;
            case 3:
                twins.wait();
                break;
            default:
                twins.write();
                break;
        }
    }
    twins.clean();
    twins.expect_same();
}

/// Keys and values without transactions: what a table needs.
class Table : public CleanedLog {
  public:
    void TestBody() override {}

    void write() {
        const auto key = std::to_string(*rc::gen::inRange(0, 6));
        const auto value = std::to_string(serial_++);
        put(key, value);
        latest_[key] = value;
    }

    void maybe_roll() {
        if (*rc::gen::inRange(0, 5) == 0 && log_.active_segment().size() > 0) {
            roll();
        }
    }

    void clean_it() {
        if (log_.active_segment().size() > 0) {
            roll();
        }
        const std::int64_t before = end();
        if (dirty_ < before) {
            dirty_ = clean(dirty_).next_dirty;
        }
        RC_ASSERT(end() == before);
        check();
    }

    void restart() {
        reopen_unclean();
        check();
    }

    void check() const {
        std::map<std::string, std::string> found;
        std::int64_t last = -1;
        for (const RecordSight& record : list_records(log_, disk_)) {
            RC_ASSERT(record.offset.value() > last);
            last = record.offset.value();
            found[*record.key] = *record.value;
        }
        RC_ASSERT(found == latest_);
    }

    /// Nothing new, no time passed: the second cleaning finds nothing to drop.
    void expect_stable() {
        clean_it();
        const std::vector<std::string> once = pairs();
        const std::vector<std::int64_t> bases_once = bases();
        if (end() > 0 && bases().size() > 1) {
            clean(0);
        }
        RC_ASSERT(pairs() == once);
    }

  private:
    std::map<std::string, std::string> latest_;
    std::uint64_t serial_ = 0;
    std::int64_t dirty_ = 0;
};

RC_GTEST_PROP(CleaningLaw, TheLastValueOfEachKeyStays, ()) {
    Table table;
    const auto steps = *rc::gen::inRange(0, 60);
    for (int i = 0; i < steps; ++i) {
        switch (*rc::gen::inRange(0, 10)) {
            case 0:
                table.clean_it();
                break;
            case 1:
                table.restart();
                break;
            default:
                table.write();
                table.maybe_roll();
                break;
        }
    }
    table.expect_stable();
}

}  // namespace
}  // namespace klab::storage::cleaner
