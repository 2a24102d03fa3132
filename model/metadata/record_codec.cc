// SPDX-License-Identifier: Apache-2.0
//
// See record_codec.h. Each record has a write and a read below, field by field in the order of
// Kafka's schema; the two of partitions are in record_codec_partition.cc.
#include "model/metadata/record_codec.h"

#include "model/metadata/record_codec_partition.h"
#include "model/metadata/record_fields.h"
#include "sim/base/assert.h"
#include "sim/base/overloaded.h"

namespace klab::metadata {

namespace {

constexpr std::uint32_t kFrameVersion = 1;

// Metadata levels from which on a record has a newer version.
constexpr std::int16_t kLevelZkMigration = 8;           // 3.4-IV0
constexpr std::int16_t kLevelDirectoryAssignment = 17;  // 3.7-IV2
constexpr std::int16_t kLevelElr = 23;                  // 4.0-IV1

void write_empty(FieldWriter& out) { out.put_no_tags(); }

void write(FieldWriter& out, const RegisterBrokerRecord& record, std::int16_t version) {
    out.put(record.broker_id.value());
    if (version >= 2) {
        out.put_bool(record.is_migrating_zk_broker);
    }
    out.put_uuid(record.incarnation_id);
    out.put(record.broker_epoch.value());
    out.put_count(record.endpoints.size());
    for (const BrokerEndpoint& endpoint : record.endpoints) {
        out.put_string(endpoint.name);
        out.put_string(endpoint.host);
        out.put(endpoint.port);
        out.put(endpoint.security_protocol);
        out.put_no_tags();
    }
    out.put_count(record.features.size());
    for (const BrokerFeature& feature : record.features) {
        out.put_string(feature.name);
        out.put(feature.min_supported);
        out.put(feature.max_supported);
        out.put_no_tags();
    }
    out.put_nullable_string(record.rack);
    out.put_bool(record.fenced);
    if (version >= 1) {
        out.put_bool(record.in_controlled_shutdown);
    }
    TagWriter tags;
    if (!record.log_dirs.empty()) {
        KLAB_ASSERT(version >= 3, "log directories need version 3 of RegisterBroker");
        FieldWriter field;
        field.put_uuids(record.log_dirs);
        tags.add(0, std::move(field));
    }
    tags.write_to(out);
}

RegisterBrokerRecord read_register_broker(FieldReader& in, std::int16_t version) {
    RegisterBrokerRecord record;
    record.broker_id = types::BrokerId(in.get<std::int32_t>());
    record.is_migrating_zk_broker = version >= 2 && in.get_bool();
    record.incarnation_id = in.get_uuid();
    record.broker_epoch = types::BrokerEpoch(in.get<std::int64_t>());
    const std::size_t endpoints = in.get_count(7);
    for (std::size_t i = 0; i < endpoints && in.ok(); ++i) {
        BrokerEndpoint& endpoint = record.endpoints.emplace_back();
        endpoint.name = in.get_string();
        endpoint.host = in.get_string();
        endpoint.port = in.get<std::uint16_t>();
        endpoint.security_protocol = in.get<std::int16_t>();
        in.skip_tags();
    }
    const std::size_t features = in.get_count(6);
    for (std::size_t i = 0; i < features && in.ok(); ++i) {
        BrokerFeature& feature = record.features.emplace_back();
        feature.name = in.get_string();
        feature.min_supported = in.get<std::int16_t>();
        feature.max_supported = in.get<std::int16_t>();
        in.skip_tags();
    }
    record.rack = in.get_nullable_string();
    record.fenced = in.get_bool();
    record.in_controlled_shutdown = version >= 1 && in.get_bool();
    in.get_tags([&](std::uint32_t tag, FieldReader& field) {
        if (tag != 0 || version < 3) {
            return false;
        }
        record.log_dirs = field.get_uuids();
        return true;
    });
    return record;
}

void write(FieldWriter& out, const UnregisterBrokerRecord& record) {
    out.put(record.broker_id.value());
    out.put(record.broker_epoch.value());
    out.put_no_tags();
}

UnregisterBrokerRecord read_unregister_broker(FieldReader& in) {
    UnregisterBrokerRecord record;
    record.broker_id = types::BrokerId(in.get<std::int32_t>());
    record.broker_epoch = types::BrokerEpoch(in.get<std::int64_t>());
    in.skip_tags();
    return record;
}

void write(FieldWriter& out, const TopicRecord& record) {
    out.put_string(record.name);
    out.put_uuid(record.topic_id);
    out.put_no_tags();
}

TopicRecord read_topic(FieldReader& in) {
    TopicRecord record;
    record.name = in.get_string();
    record.topic_id = in.get_uuid();
    in.skip_tags();
    return record;
}

void write(FieldWriter& out, const ConfigRecord& record) {
    out.put(static_cast<std::int8_t>(record.resource.kind));
    out.put_string(record.resource.name);
    out.put_string(record.name);
    out.put_nullable_string(record.value);
    out.put_no_tags();
}

ConfigRecord read_config(FieldReader& in) {
    ConfigRecord record;
    const auto kind = in.get<std::int8_t>();
    if (kind != static_cast<std::int8_t>(ConfigResourceKind::kTopic) &&
        kind != static_cast<std::int8_t>(ConfigResourceKind::kBroker)) {
        in.fail(DecodeError::kUnknownValue);
        return record;
    }
    record.resource.kind = static_cast<ConfigResourceKind>(kind);
    record.resource.name = in.get_string();
    record.name = in.get_string();
    record.value = in.get_nullable_string();
    in.skip_tags();
    return record;
}

RemoveTopicRecord read_remove_topic(FieldReader& in) {
    RemoveTopicRecord record;
    record.topic_id = in.get_uuid();
    in.skip_tags();
    return record;
}

ClearElrRecord read_clear_elr(FieldReader& in) {
    ClearElrRecord record;
    record.topic = in.get_string();
    in.skip_tags();
    return record;
}

void write(FieldWriter& out, const FeatureLevelRecord& record) {
    out.put_string(record.name);
    out.put(record.level);
    out.put_no_tags();
}

FeatureLevelRecord read_feature_level(FieldReader& in) {
    FeatureLevelRecord record;
    record.name = in.get_string();
    record.level = in.get<std::int16_t>();
    in.skip_tags();
    return record;
}

void write(FieldWriter& out, const ProducerIdsRecord& record) {
    out.put(record.broker_id.value());
    out.put(record.broker_epoch.value());
    out.put(record.next_producer_id.value());
    out.put_no_tags();
}

ProducerIdsRecord read_producer_ids(FieldReader& in) {
    ProducerIdsRecord record;
    record.broker_id = types::BrokerId(in.get<std::int32_t>());
    record.broker_epoch = types::BrokerEpoch(in.get<std::int64_t>());
    record.next_producer_id = types::ProducerId(in.get<std::int64_t>());
    in.skip_tags();
    return record;
}

void write(FieldWriter& out, const BrokerRegistrationChangeRecord& record, std::int16_t version) {
    out.put(record.broker_id.value());
    out.put(record.broker_epoch.value());
    TagWriter tags;
    if (record.fenced != FenceChange::kNone) {
        FieldWriter field;
        field.put(static_cast<std::int8_t>(record.fenced));
        tags.add(0, std::move(field));
    }
    if (record.enters_controlled_shutdown) {
        KLAB_ASSERT(version >= 1, "controlled shutdown needs version 1");
        FieldWriter field;
        field.put(std::int8_t{1});
        tags.add(1, std::move(field));
    }
    if (!record.log_dirs.empty()) {
        KLAB_ASSERT(version >= 2, "log directories need version 2");
        FieldWriter field;
        field.put_uuids(record.log_dirs);
        tags.add(2, std::move(field));
    }
    tags.write_to(out);
}

BrokerRegistrationChangeRecord read_registration_change(FieldReader& in, std::int16_t version) {
    BrokerRegistrationChangeRecord record;
    record.broker_id = types::BrokerId(in.get<std::int32_t>());
    record.broker_epoch = types::BrokerEpoch(in.get<std::int64_t>());
    in.get_tags([&](std::uint32_t tag, FieldReader& field) {
        if (tag == 0) {
            const auto value = field.get<std::int8_t>();
            if (value < -1 || value > 1) {
                field.fail(DecodeError::kUnknownValue);
            } else {
                record.fenced = static_cast<FenceChange>(value);
            }
            return true;
        }
        if (tag == 1 && version >= 1) {
            const auto value = field.get<std::int8_t>();
            if (value < 0 || value > 1) {
                field.fail(DecodeError::kUnknownValue);
            }
            record.enters_controlled_shutdown = value == 1;
            return true;
        }
        if (tag == 2 && version >= 2) {
            record.log_dirs = field.get_uuids();
            return true;
        }
        return false;
    });
    return record;
}

/// The one optional text of a transaction record, under tag 0.
void write_optional_text(FieldWriter& out, const std::optional<std::string>& text) {
    TagWriter tags;
    if (text) {
        FieldWriter field;
        field.put_string(*text);
        tags.add(0, std::move(field));
    }
    tags.write_to(out);
}

std::optional<std::string> read_optional_text(FieldReader& in) {
    std::optional<std::string> text;
    in.get_tags([&](std::uint32_t tag, FieldReader& field) {
        if (tag != 0) {
            return false;
        }
        text = field.get_nullable_string();
        return true;
    });
    return text;
}

std::int16_t api_key_of(const MetadataRecord& record) {
    return std::visit([](const auto& body) { return body.kApiKey; }, record);
}

/// Newest version klab knows of an api key; nothing for an unknown key.
std::optional<std::int16_t> newest_version(std::uint32_t api_key) {
    switch (api_key) {
        case RegisterBrokerRecord::kApiKey:
            return 3;
        case PartitionRecord::kApiKey:
        case PartitionChangeRecord::kApiKey:
        case BrokerRegistrationChangeRecord::kApiKey:
            return 2;
        case UnregisterBrokerRecord::kApiKey:
        case TopicRecord::kApiKey:
        case ConfigRecord::kApiKey:
        case RemoveTopicRecord::kApiKey:
        case FeatureLevelRecord::kApiKey:
        case ProducerIdsRecord::kApiKey:
        case NoOpRecord::kApiKey:
        case BeginTransactionRecord::kApiKey:
        case EndTransactionRecord::kApiKey:
        case AbortTransactionRecord::kApiKey:
        case ClearElrRecord::kApiKey:
            return 0;
        default:
            return std::nullopt;
    }
}

MetadataRecord read_body(FieldReader& in, std::uint32_t api_key, std::int16_t version) {
    switch (api_key) {
        case RegisterBrokerRecord::kApiKey:
            return read_register_broker(in, version);
        case UnregisterBrokerRecord::kApiKey:
            return read_unregister_broker(in);
        case TopicRecord::kApiKey:
            return read_topic(in);
        case PartitionRecord::kApiKey:
            return read_partition(in, version);
        case ConfigRecord::kApiKey:
            return read_config(in);
        case PartitionChangeRecord::kApiKey:
            return read_partition_change(in, version);
        case RemoveTopicRecord::kApiKey:
            return read_remove_topic(in);
        case FeatureLevelRecord::kApiKey:
            return read_feature_level(in);
        case ProducerIdsRecord::kApiKey:
            return read_producer_ids(in);
        case BrokerRegistrationChangeRecord::kApiKey:
            return read_registration_change(in, version);
        case BeginTransactionRecord::kApiKey:
            return BeginTransactionRecord{read_optional_text(in)};
        case AbortTransactionRecord::kApiKey:
            return AbortTransactionRecord{read_optional_text(in)};
        case EndTransactionRecord::kApiKey:
            in.skip_tags();
            return EndTransactionRecord{};
        case ClearElrRecord::kApiKey:
            return read_clear_elr(in);
        default:
            in.skip_tags();
            return NoOpRecord{};
    }
}

}  // namespace

std::int16_t record_version(const MetadataRecord& record, std::int16_t metadata_level) {
    const bool directories = metadata_level >= kLevelDirectoryAssignment;
    switch (api_key_of(record)) {
        case RegisterBrokerRecord::kApiKey:
            return directories ? 3 : metadata_level >= kLevelZkMigration ? 2 : 1;
        case PartitionRecord::kApiKey:
        case PartitionChangeRecord::kApiKey:
            return metadata_level >= kLevelElr ? 2 : directories ? 1 : 0;
        case BrokerRegistrationChangeRecord::kApiKey:
            return directories ? 2 : 1;
        default:
            return 0;
    }
}

Bytes encode(const MetadataRecord& record, std::int16_t metadata_level) {
    const std::int16_t version = record_version(record, metadata_level);
    FieldWriter out;
    out.put_uvarint(kFrameVersion);
    out.put_uvarint(static_cast<std::uint32_t>(api_key_of(record)));
    out.put_uvarint(static_cast<std::uint32_t>(version));
    std::visit(
        overloaded{
            [&](const RegisterBrokerRecord& body) { write(out, body, version); },
            [&](const UnregisterBrokerRecord& body) { write(out, body); },
            [&](const TopicRecord& body) { write(out, body); },
            [&](const PartitionRecord& body) { write_partition(out, body, version); },
            [&](const ConfigRecord& body) { write(out, body); },
            [&](const PartitionChangeRecord& body) { write_partition_change(out, body, version); },
            [&](const RemoveTopicRecord& body) {
                out.put_uuid(body.topic_id);
                out.put_no_tags();
            },
            [&](const FeatureLevelRecord& body) { write(out, body); },
            [&](const ProducerIdsRecord& body) { write(out, body); },
            [&](const BrokerRegistrationChangeRecord& body) { write(out, body, version); },
            [&](const NoOpRecord&) { write_empty(out); },
            [&](const BeginTransactionRecord& body) { write_optional_text(out, body.name); },
            [&](const EndTransactionRecord&) { write_empty(out); },
            [&](const AbortTransactionRecord& body) { write_optional_text(out, body.reason); },
            [&](const ClearElrRecord& body) {
                out.put_string(body.topic);
                out.put_no_tags();
            },
        },
        record);
    return out.take();
}

std::string_view to_text(DecodeError error) {
    switch (error) {
        case DecodeError::kOutOfBytes:
            return "out of bytes";
        case DecodeError::kMalformed:
            return "malformed";
        case DecodeError::kUnknownFrameVersion:
            return "unknown frame version";
        case DecodeError::kUnknownRecord:
            return "unknown record";
        case DecodeError::kUnknownVersion:
            return "unknown record version";
        case DecodeError::kUnknownValue:
            return "unknown value";
        case DecodeError::kLeftoverBytes:
            return "leftover bytes";
    }
    return "?";
}

Result<MetadataRecord, DecodeError> decode(ByteView bytes) {
    FieldReader in(bytes);
    const std::uint32_t frame = in.get_uvarint();
    const std::uint32_t api_key = in.get_uvarint();
    const std::uint32_t version = in.get_uvarint();
    if (!in.ok()) {
        return Error{in.error()};
    }
    if (frame != kFrameVersion) {
        return Error{DecodeError::kUnknownFrameVersion};
    }
    const std::optional<std::int16_t> newest = newest_version(api_key);
    if (!newest) {
        return Error{DecodeError::kUnknownRecord};
    }
    if (version > static_cast<std::uint32_t>(*newest)) {
        return Error{DecodeError::kUnknownVersion};
    }
    MetadataRecord record = read_body(in, api_key, static_cast<std::int16_t>(version));
    if (!in.ok()) {
        return Error{in.error()};
    }
    if (in.remaining() != 0) {
        return Error{DecodeError::kLeftoverBytes};
    }
    return record;
}

}  // namespace klab::metadata
