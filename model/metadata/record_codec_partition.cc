// SPDX-License-Identifier: Apache-2.0
//
// See record_codec_partition.h. Absent values: leader -1 = nobody, -2 = unchanged.
#include "model/metadata/record_codec_partition.h"

#include "sim/base/assert.h"

namespace klab::metadata {

namespace {

constexpr std::int32_t kNoLeader = -1;
constexpr std::int32_t kLeaderUnchanged = -2;

std::int32_t leader_to_wire(const std::optional<types::BrokerId>& leader) {
    return leader ? leader->value() : kNoLeader;
}

std::optional<types::BrokerId> leader_from_wire(FieldReader& in) {
    const auto leader = in.get<std::int32_t>();
    if (leader < kNoLeader) {
        in.fail(DecodeError::kUnknownValue);
    }
    return leader < 0 ? std::nullopt : std::optional(types::BrokerId(leader));
}

LeaderRecoveryState recovery_from_wire(FieldReader& in) {
    const auto state = in.get<std::int8_t>();
    if (state != 0 && state != 1) {
        in.fail(DecodeError::kUnknownValue);
        return LeaderRecoveryState::kRecovered;
    }
    return static_cast<LeaderRecoveryState>(state);
}

void tag_brokers(TagWriter& tags, std::uint32_t tag, const std::optional<BrokerIds>& brokers) {
    if (brokers) {
        FieldWriter field;
        field.put_brokers(*brokers);
        tags.add(tag, std::move(field));
    }
}

void tag_recovery(TagWriter& tags, std::uint32_t tag, LeaderRecoveryState state) {
    FieldWriter field;
    field.put(static_cast<std::int8_t>(state));
    tags.add(tag, std::move(field));
}

}  // namespace

void write_partition(FieldWriter& out, const PartitionRecord& record, std::int16_t version) {
    out.put(record.partition_id);
    out.put_uuid(record.topic_id);
    out.put_brokers(record.replicas);
    out.put_brokers(record.isr);
    out.put_brokers(record.removing_replicas);
    out.put_brokers(record.adding_replicas);
    out.put(leader_to_wire(record.leader));
    out.put(record.leader_epoch.value());
    out.put(record.partition_epoch.value());
    if (version >= 1) {
        out.put_uuids(record.directories);
    }
    TagWriter tags;
    if (record.recovery != LeaderRecoveryState::kRecovered) {
        tag_recovery(tags, 0, record.recovery);
    }
    if (record.eligible_leader_replicas || record.last_known_elr) {
        KLAB_ASSERT(version >= 2, "eligible leader replicas need version 2 of PartitionRecord");
    }
    tag_brokers(tags, 1, record.eligible_leader_replicas);
    tag_brokers(tags, 2, record.last_known_elr);
    tags.write_to(out);
}

PartitionRecord read_partition(FieldReader& in, std::int16_t version) {
    PartitionRecord record;
    record.partition_id = in.get<std::int32_t>();
    record.topic_id = in.get_uuid();
    record.replicas = in.get_brokers();
    record.isr = in.get_brokers();
    record.removing_replicas = in.get_brokers();
    record.adding_replicas = in.get_brokers();
    record.leader = leader_from_wire(in);
    record.leader_epoch = types::LeaderEpoch(in.get<std::int32_t>());
    record.partition_epoch = types::PartitionEpoch(in.get<std::int32_t>());
    if (version >= 1) {
        record.directories = in.get_uuids();
    }
    in.get_tags([&](std::uint32_t tag, FieldReader& field) {
        if (tag == 0) {
            record.recovery = recovery_from_wire(field);
            return true;
        }
        if (tag == 1 && version >= 2) {
            record.eligible_leader_replicas = field.get_nullable_brokers();
            return true;
        }
        if (tag == 2 && version >= 2) {
            record.last_known_elr = field.get_nullable_brokers();
            return true;
        }
        return false;
    });
    return record;
}

void write_partition_change(FieldWriter& out,
                            const PartitionChangeRecord& record,
                            std::int16_t version) {
    out.put(record.partition_id);
    out.put_uuid(record.topic_id);
    TagWriter tags;
    tag_brokers(tags, 0, record.isr);
    if (record.leader) {
        FieldWriter field;
        field.put(leader_to_wire(record.leader->leader));
        tags.add(1, std::move(field));
    }
    tag_brokers(tags, 2, record.replicas);
    tag_brokers(tags, 3, record.removing_replicas);
    tag_brokers(tags, 4, record.adding_replicas);
    if (record.recovery) {
        tag_recovery(tags, 5, *record.recovery);
    }
    if (record.eligible_leader_replicas || record.last_known_elr) {
        KLAB_ASSERT(version >= 2, "eligible leader replicas need version 2 of PartitionChange");
    }
    tag_brokers(tags, 6, record.eligible_leader_replicas);
    tag_brokers(tags, 7, record.last_known_elr);
    if (record.directories) {
        KLAB_ASSERT(version >= 1, "directories need version 1 of PartitionChange");
        FieldWriter field;
        field.put_uuids(*record.directories);
        tags.add(8, std::move(field));
    }
    tags.write_to(out);
}

PartitionChangeRecord read_partition_change(FieldReader& in, std::int16_t version) {
    PartitionChangeRecord record;
    record.partition_id = in.get<std::int32_t>();
    record.topic_id = in.get_uuid();
    const auto read_tag = [&](std::uint32_t tag, FieldReader& field) {
        switch (tag) {
            case 0:
                record.isr = field.get_nullable_brokers();
                return true;
            case 1: {
                const auto leader = field.get<std::int32_t>();
                if (leader < kLeaderUnchanged) {
                    field.fail(DecodeError::kUnknownValue);
                } else if (leader == kNoLeader) {
                    record.leader = LeaderChange{};
                } else if (leader >= 0) {
                    record.leader = LeaderChange{types::BrokerId(leader)};
                }
                return true;
            }
            case 2:
                record.replicas = field.get_nullable_brokers();
                return true;
            case 3:
                record.removing_replicas = field.get_nullable_brokers();
                return true;
            case 4:
                record.adding_replicas = field.get_nullable_brokers();
                return true;
            case 5:
                record.recovery = recovery_from_wire(field);
                return true;
            default:
                return false;
        }
    };
    in.get_tags([&](std::uint32_t tag, FieldReader& field) {
        if (tag == 6 && version >= 2) {
            record.eligible_leader_replicas = field.get_nullable_brokers();
            return true;
        }
        if (tag == 7 && version >= 2) {
            record.last_known_elr = field.get_nullable_brokers();
            return true;
        }
        if (tag == 8 && version >= 1) {
            record.directories = field.get_nullable_uuids();
            return true;
        }
        return read_tag(tag, field);
    });
    return record;
}

}  // namespace klab::metadata
