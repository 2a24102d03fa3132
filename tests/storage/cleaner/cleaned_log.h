// SPDX-License-Identifier: Apache-2.0
//
// CleanedLog: a compacted log on a disk of its own and cleanings of it, driven by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/storage/cleaner/cleaning_pass.h"
#include "tests/storage/log_fixture.h"

namespace klab::storage::cleaner {

class CleanedLog : public LogTest {
  protected:
    /// What a cleaning did.
    struct Cleaned {
        std::int64_t next_dirty = 0;
        CleaningStats stats;
    };

    CleanedLog() {
        options_.config.is_compacted = true;
        options_.config.deletes_old = false;
        limits_.map = offset_map_size({});
        open();
    }

    /// One record as a batch of its own.
    void put(std::string_view key, std::string_view value) {
        put_at(log_.log_end_offset().value(), key, value);
    }

    /// As fetched from a leader, so that offsets may jump.
    void put_at(std::int64_t offset, std::string_view key, std::string_view value) {
        RecordInput record;
        record.timestamp = now_ms_;
        record.key = view_of(key);
        record.value = view_of(value);
        const Bytes batch = RecordBatchBuilder().append(record).build();
        ASSERT_TRUE(follow(placed(batch, offset, 0)).ok());
    }

    void roll() {
        ASSERT_FALSE(log_.roll(port()));
        ASSERT_FALSE(log_.run_pending_flush(port()));
    }

    void begin(std::int64_t first_dirty) {
        LogToClean target{.partition = options_.partition,
                          .first_dirty = types::Offset(first_dirty),
                          .first_uncleanable = log_.active_segment().base_offset()};
        pass_ = CleaningPass(std::move(target), limits_, now_ms_);
    }

    /// False when the pass is over.
    bool piece() {
        const auto done = pass_.advance(port(), log_);
        EXPECT_TRUE(done.ok());
        return done.ok() && !done->is_done;
    }

    Cleaned finish() {
        while (piece()) {
        }
        return {pass_.end_offset().value(), pass_.stats()};
    }

    /// All closed segments.
    Cleaned clean(std::int64_t first_dirty) {
        begin(first_dirty);
        return finish();
    }

    std::optional<CleaningError> failure_of(std::int64_t first_dirty) {
        begin(first_dirty);
        while (true) {
            const auto done = pass_.advance(port(), log_);
            if (!done) {
                return done.error();
            }
            if (done->is_done) {
                return std::nullopt;
            }
        }
    }

    /// "offset key=value" of each record.
    [[nodiscard]] std::vector<std::string> pairs() const {
        std::vector<std::string> out;
        for (const RecordSight& record : list_records(log_, disk_)) {
            out.push_back(std::to_string(record.offset.value()) + " " + record.key.value_or("~") +
                          "=" + record.value.value_or("~"));
        }
        return out;
    }

    CleanerLimits limits_;
    CleaningPass pass_;
};

}  // namespace klab::storage::cleaner
