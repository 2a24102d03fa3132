// SPDX-License-Identifier: Apache-2.0
//
// One log on a disk of its own, driven by hand: what the tests of the log share.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/file_names.h"
#include "model/storage/log.h"
#include "model/storage/log_reader.h"
#include "tests/storage/log_builder.h"

namespace klab::storage {

class LogTest : public testing::Test {
  protected:
    /// "m" of the case tables: one single-record batch has this size.
    static constexpr std::int32_t kOne = 72;

    LogTest() {
        options_.partition = {"t", 0};
        options_.config.timestamp_after_max_ms = std::nullopt;
    }

    void open() {
        auto opened = Log::open(port(), options_);
        ASSERT_TRUE(opened.ok());
        log_ = std::move(opened->log);
        fact_ = opened->fact;
    }

    /// As after a crash of the process: the checkpoints know nothing newer than `options_`.
    void reopen_unclean() {
        options_.was_clean_shutdown = false;
        open();
    }

    void reopen_clean() {
        ASSERT_FALSE(log_.close(port()));
        options_.was_clean_shutdown = true;
        open();
    }

    [[nodiscard]] DiskPort port() { return {disk_, milliseconds_since_epoch(now_ms_)}; }

    static Time milliseconds_since_epoch(std::int64_t ms) { return Time{} + milliseconds(ms); }

    Result<LeaderAppendInfo, ValidationFailure> lead(const Bytes& bytes, std::int32_t epoch = 0) {
        return log_.append_as_leader(port(), rules_, {bytes, types::LeaderEpoch(epoch)});
    }

    /// One record of 4 bytes: a batch of kOne bytes.
    void append_one(std::int32_t epoch = 0) {
        const auto done = lead(batch_of({"test"}), epoch);
        ASSERT_TRUE(done.ok());
        ASSERT_EQ(done->batch.size, static_cast<std::uint32_t>(kOne));
    }

    void append_many(int count, std::int32_t epoch = 0) {
        for (int i = 0; i < count; ++i) {
            append_one(epoch);
        }
    }

    Result<FollowerAppendInfo, FollowerAppendFailure> follow(const Bytes& bytes) {
        return log_.append_as_follower(port(), {bytes, std::nullopt});
    }

    void truncate(std::int64_t offset) {
        ASSERT_TRUE(log_.truncate_to(port(), types::Offset(offset)).ok());
    }

    Result<LogReadInfo, types::ErrorCode> read(std::int64_t start,
                                               std::int32_t max_bytes = 1 << 20,
                                               bool min_one = true) {
        return log_.read(port(), {types::Offset(start), log_.log_end_offset(), max_bytes, min_one});
    }

    [[nodiscard]] std::int64_t end() const { return log_.log_end_offset().value(); }

    [[nodiscard]] std::vector<std::int64_t> bases() const {
        std::vector<std::int64_t> out;
        for (const LogSegment& segment : log_.segments()) {
            out.push_back(segment.base_offset().value());
        }
        return out;
    }

    [[nodiscard]] std::vector<std::pair<std::int32_t, std::int64_t>> epochs() const {
        std::vector<std::pair<std::int32_t, std::int64_t>> out;
        for (const EpochEntry& entry : log_.epochs().entries()) {
            out.emplace_back(entry.epoch.value(), entry.start_offset.value());
        }
        return out;
    }

    [[nodiscard]] std::vector<std::string> values() const {
        std::vector<std::string> out;
        for (const RecordSight& record : list_records(log_, disk_)) {
            out.push_back(record.value.value_or("~"));
        }
        return out;
    }

    /// The file of the segment with this base.
    [[nodiscard]] sim::FileId file(std::int64_t base) const {
        return disk_.open(SegmentPlace{log_.directory(), types::Offset(base)}.path(kLogSuffix))
            .value();
    }

    sim::Disk disk_;
    LogOptions options_;
    types::Rules rules_;
    std::int64_t now_ms_ = 1'700'000'000'000;
    Log log_;
    RecoveryFact fact_;
};

}  // namespace klab::storage
