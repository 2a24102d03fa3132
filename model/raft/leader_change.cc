// SPDX-License-Identifier: Apache-2.0
//
// See leader_change.h.
#include "model/raft/leader_change.h"

#include "model/storage/control_record.h"
#include "model/storage/varint.h"

namespace klab::raft {

namespace {

constexpr std::int16_t kMessageVersion = 0;

void put_voters(Bytes& out, const std::vector<types::BrokerId>& voters) {
    storage::write_unsigned_varint(out, static_cast<std::uint32_t>(voters.size()) + 1);
    for (const types::BrokerId voter : voters) {
        storage::ByteWriter(out).put(voter.value());
        storage::write_unsigned_varint(out, 0);  // no tagged fields
    }
}

std::vector<types::BrokerId> get_voters(storage::ByteReader& in) {
    std::vector<types::BrokerId> voters;
    const std::uint32_t raw = storage::read_unsigned_varint(in);
    for (std::uint32_t i = 1; i < raw && in.ok(); ++i) {
        voters.emplace_back(in.get<std::int32_t>());
        if (storage::read_unsigned_varint(in) != 0) {
            in.fail(storage::ReadError::kOutOfBytes);
        }
    }
    return voters;
}

}  // namespace

Bytes build_leader_change(types::Offset offset,
                          types::LeaderEpoch epoch,
                          std::int64_t timestamp_ms,
                          const LeaderChangeMessage& message) {
    Bytes value;
    storage::ByteWriter writer(value);
    writer.put(kMessageVersion);
    writer.put(message.leader.value());
    put_voters(value, message.voters);
    put_voters(value, message.granting_voters);
    storage::write_unsigned_varint(value, 0);
    storage::BatchOptions options;
    options.base_offset = offset;
    options.leader_epoch = epoch;
    options.is_control = true;
    const Bytes key = storage::encode_control_key(storage::ControlType::kLeaderChange);
    storage::RecordInput record;
    record.timestamp = timestamp_ms;
    record.key = ByteView(key);
    record.value = ByteView(value);
    return storage::RecordBatchBuilder(options).append(record).build();
}

std::optional<LeaderChangeMessage> parse_leader_change(const storage::RecordBatchView& batch) {
    if (!batch.is_control()) {
        return std::nullopt;
    }
    storage::RecordIterator records(batch);
    const std::optional<storage::RecordView> record = records.next();
    if (!record || !record->key || !record->value ||
        storage::parse_control_type(*record->key) != storage::ControlType::kLeaderChange) {
        return std::nullopt;
    }
    storage::ByteReader in(*record->value);
    if (in.get<std::int16_t>() != kMessageVersion) {
        return std::nullopt;
    }
    LeaderChangeMessage message;
    message.leader = types::BrokerId(in.get<std::int32_t>());
    message.voters = get_voters(in);
    message.granting_voters = get_voters(in);
    return in.ok() ? std::optional(message) : std::nullopt;
}

}  // namespace klab::raft
