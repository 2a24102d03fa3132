// SPDX-License-Identifier: Apache-2.0
//
// Batches of transactional producers and the markers that end their transactions, for tests.
#pragma once

#include <string>
#include <vector>

#include "model/storage/control_record.h"
#include "model/storage/record_batch_builder.h"

namespace klab::storage {

/// A time that no producer of LogTest's clock has expired at.
inline constexpr std::int64_t kTransactionTime = 1'700'000'000'000;

/// A batch of `count` records inside a transaction, as its producer sends it.
inline Bytes transactional_batch_of(std::int64_t producer_id,
                                    std::int16_t producer_epoch,
                                    std::int32_t sequence,
                                    int count,
                                    std::int64_t timestamp = kTransactionTime) {
    BatchOptions options;
    options.producer = ProducerStamp{
        types::ProducerId(producer_id), types::ProducerEpoch(producer_epoch), sequence};
    options.is_transactional = true;
    RecordBatchBuilder builder(options);
    for (int i = 0; i < count; ++i) {
        RecordInput record;
        record.timestamp = timestamp;
        record.value = view_of(std::string_view("t"));
        builder.append(record);
    }
    return builder.build();
}

/// A marker as the transaction coordinator writes it.
inline Bytes marker_of(ControlType type,
                       std::int64_t producer_id,
                       std::int16_t producer_epoch,
                       std::int32_t coordinator_epoch = 0,
                       std::int64_t timestamp = kTransactionTime) {
    MarkerPlace place;
    place.producer_id = types::ProducerId(producer_id);
    place.producer_epoch = types::ProducerEpoch(producer_epoch);
    place.timestamp = timestamp;
    return build_end_transaction_marker(place, {type, coordinator_epoch});
}

}  // namespace klab::storage
