// SPDX-License-Identifier: Apache-2.0
//
// Producer states with their snapshot files on a disk of their own, driven by hand.
#pragma once

#include <set>

#include <gtest/gtest.h>

#include "model/storage/file_names.h"
#include "model/storage/producer_rebuild.h"
#include "model/storage/producer_snapshots.h"
#include "model/storage/producer_state.h"

namespace klab::storage {

class ProducerDriver : public testing::Test {
  protected:
    static constexpr std::int64_t kExpirationMs = 86'400'000;
    static constexpr std::string_view kDirectory = "/t-0";

    using Refusal = std::optional<AppendError>;

    ProducerDriver() { EXPECT_TRUE(disk_.make_directories(kDirectory, {}).ok()); }

    [[nodiscard]] DiskPort port() { return {disk_, Time{} + milliseconds(now_ms_)}; }

    /// One record of a client at `offset`.
    Refusal data(std::int64_t offset,
                 std::int32_t sequence,
                 bool is_transactional = false,
                 std::int64_t producer = 1,
                 std::int16_t epoch = 0) {
        ProducerAppend append = states_.prepare(types::ProducerId(producer), AppendOrigin::kClient);
        const Refusal refusal = append.add_batch({types::ProducerEpoch(epoch),
                                                  sequence,
                                                  sequence,
                                                  types::Offset(offset),
                                                  types::Offset(offset),
                                                  now_ms_,
                                                  is_transactional});
        if (!refusal) {
            states_.apply(append);
            states_.set_map_end_offset(types::Offset(offset + 1));
        }
        return refusal;
    }

    /// A marker of the coordinator at `offset`.
    Refusal marker(ControlType type,
                   std::int64_t offset,
                   std::int64_t producer = 1,
                   std::int16_t epoch = 0,
                   std::int32_t coordinator_epoch = 0) {
        ProducerAppend append =
            states_.prepare(types::ProducerId(producer), AppendOrigin::kCoordinator);
        const Refusal refusal = append.add_marker({types::ProducerEpoch(epoch),
                                                   {type, coordinator_epoch},
                                                   types::Offset(offset),
                                                   now_ms_});
        if (!refusal) {
            states_.apply(append);
            if (append.completed()) {
                states_.complete(*append.completed());
            }
            states_.set_map_end_offset(types::Offset(offset + 1));
        }
        return refusal;
    }

    void snapshot() { ASSERT_TRUE(snapshots_.take(port(), kDirectory, states_).ok()); }

    /// Kafka: ProducerStateManager.truncateAndReload.
    void reload(std::int64_t log_start, std::int64_t end) {
        const ProducerRebuild rebuild{
            kDirectory, {}, types::Offset(log_start), types::Offset(end), false, kExpirationMs};
        ASSERT_FALSE(reload_producers(port(), rebuild, states_, snapshots_));
    }

    /// What a process knows that starts with these files.
    void restart() {
        states_ = {};
        snapshots_ = {};
        ASSERT_FALSE(snapshots_.find(port(), kDirectory));
    }

    void make_file(std::int64_t offset) {
        const std::string path = std::string(kDirectory) + "/" +
                                 offset_file_name(types::Offset(offset), kSnapshotSuffix);
        ASSERT_TRUE(disk_.create(path, {}).ok());
    }

    [[nodiscard]] sim::FileId file(std::int64_t offset) const {
        return disk_
            .open(std::string(kDirectory) + "/" +
                  offset_file_name(types::Offset(offset), kSnapshotSuffix))
            .value();
    }

    /// Offsets of the files that are there.
    [[nodiscard]] std::set<std::int64_t> files() const {
        std::set<std::int64_t> out;
        const auto names = disk_.list(kDirectory);
        for (const std::string& name : *names) {
            if (const auto offset = parse_offset_file_name(name, kSnapshotSuffix)) {
                out.insert(offset->value());
            }
        }
        return out;
    }

    [[nodiscard]] const ProducerEntry& entry(std::int64_t producer = 1) const {
        return *states_.find(types::ProducerId(producer));
    }

    [[nodiscard]] std::int64_t unstable() const {
        const auto first = states_.first_unstable_offset();
        return first ? first->value() : -1;
    }

    [[nodiscard]] std::int64_t undecided() const {
        const auto first = states_.first_undecided_offset();
        return first ? first->value() : -1;
    }

    void high_watermark(std::int64_t offset) { states_.on_high_watermark(types::Offset(offset)); }

    sim::Disk disk_;
    std::int64_t now_ms_ = 1'700'000'000'000;
    ProducerStates states_;
    ProducerSnapshots snapshots_;
};

}  // namespace klab::storage
