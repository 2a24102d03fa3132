// SPDX-License-Identifier: Apache-2.0
//
// See control_record.h.
#include "model/storage/control_record.h"

namespace klab::storage {

std::optional<ControlType> parse_control_type(ByteView key) {
    ByteReader reader(key);
    const auto version = reader.get<std::int16_t>();
    const auto type = reader.get<std::int16_t>();
    if (!reader.ok() || version < 0) {
        return std::nullopt;
    }
    if (type < 0 || type > static_cast<std::int16_t>(ControlType::kKRaftVoters)) {
        return ControlType::kUnknown;
    }
    return static_cast<ControlType>(type);
}

Bytes encode_control_key(ControlType type) {
    KLAB_ASSERT(type != ControlType::kUnknown, "no key for an unknown type");
    Bytes out;
    ByteWriter writer(out);
    writer.put(std::int16_t{0});
    writer.put(static_cast<std::int16_t>(type));
    return out;
}

std::optional<EndTransactionMarker> parse_end_transaction_marker(const RecordBatchView& batch) {
    if (!batch.is_control()) {
        return std::nullopt;
    }
    RecordIterator records(batch);
    const auto record = records.next();
    if (!record || !record->key || !record->value) {
        return std::nullopt;
    }
    const auto type = parse_control_type(*record->key);
    if (type != ControlType::kAbort && type != ControlType::kCommit) {
        return std::nullopt;
    }
    ByteReader value(*record->value);
    const auto version = value.get<std::int16_t>();
    const auto coordinator_epoch = value.get<std::int32_t>();
    if (!value.ok() || version < 0) {
        return std::nullopt;
    }
    return EndTransactionMarker{*type, coordinator_epoch};
}

Bytes build_end_transaction_marker(const MarkerPlace& place, const EndTransactionMarker& marker) {
    BatchOptions options;
    options.base_offset = place.base_offset;
    options.leader_epoch = place.leader_epoch;
    options.producer = ProducerStamp{place.producer_id, place.producer_epoch, std::nullopt};
    options.is_transactional = true;
    options.is_control = true;
    const Bytes key = encode_control_key(marker.type);
    Bytes value;
    ByteWriter writer(value);
    writer.put(std::int16_t{0});
    writer.put(marker.coordinator_epoch);
    RecordInput record;
    record.timestamp = place.timestamp;
    record.key = key;
    record.value = value;
    return RecordBatchBuilder(options).append(record).build();
}

}  // namespace klab::storage
