// SPDX-License-Identifier: Apache-2.0
//
// Looking at a whole log from outside, for checks, pictures and exports: every batch and record
// that lies on the disk, without effects, without cost in virtual time, without limits of
// visibility.
//
// Called by: model/check, viz, tests. Never by the model itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/storage/log.h"
#include "model/types/kafka_ids.h"
#include "sim/disk/disk.h"

namespace klab::storage {

/// One batch in a log.
struct BatchSight {
    types::Offset segment_base;
    std::uint32_t position = 0;  ///< in the segment's file
    types::Offset base_offset;
    types::Offset last_offset;
    std::optional<types::LeaderEpoch> leader_epoch;
    std::uint32_t crc = 0;  ///< as stored
    bool is_crc_valid = false;
    std::optional<types::ProducerId> producer_id;
    std::optional<types::ProducerEpoch> producer_epoch;
    std::optional<std::int32_t> base_sequence;
    bool is_control = false;
    std::int32_t records_count = 0;
    std::uint32_t size = 0;  ///< bytes

    friend bool operator==(const BatchSight&, const BatchSight&) = default;
};

/// One record in a log, with bytes of its own.
struct RecordSight {
    types::Offset offset;
    std::optional<types::LeaderEpoch> leader_epoch;
    std::optional<types::ProducerId> producer_id;
    std::optional<types::ProducerEpoch> producer_epoch;
    std::optional<std::int32_t> sequence;
    std::int64_t timestamp = 0;  ///< ms
    bool is_control = false;
    std::optional<std::string> key;
    std::optional<std::string> value;
    std::vector<std::pair<std::string, std::optional<std::string>>> headers;

    friend bool operator==(const RecordSight&, const RecordSight&) = default;
};

/// Batches in log order. Stops at damage (which only bit rot behind the log's back can cause).
[[nodiscard]] std::vector<BatchSight> list_batches(const Log& log, const sim::Disk& disk);

/// Records in log order; a compressed batch that is damaged has none.
[[nodiscard]] std::vector<RecordSight> list_records(const Log& log, const sim::Disk& disk);

/// Records with offsets in [from, to).
[[nodiscard]] std::vector<RecordSight> list_records(const Log& log,
                                                    const sim::Disk& disk,
                                                    types::Offset from,
                                                    types::Offset to);

}  // namespace klab::storage
