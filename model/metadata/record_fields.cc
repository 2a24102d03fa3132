// SPDX-License-Identifier: Apache-2.0
//
// See record_fields.h.
#include "model/metadata/record_fields.h"

namespace klab::metadata {

void FieldWriter::put_uuid(const types::Uuid& id) {
    put(id.high);
    put(id.low);
}

void FieldWriter::put_string(std::string_view text) {
    put_count(text.size());
    put_bytes(storage::view_of(text));
}

void FieldWriter::put_nullable_string(const std::optional<std::string>& text) {
    if (text) {
        put_string(*text);
    } else {
        put_uvarint(0);
    }
}

void FieldWriter::put_brokers(const BrokerIds& brokers) {
    put_count(brokers.size());
    for (const types::BrokerId broker : brokers) {
        put(broker.value());
    }
}

void FieldWriter::put_uuids(const std::vector<types::Uuid>& ids) {
    put_count(ids.size());
    for (const types::Uuid& id : ids) {
        put_uuid(id);
    }
}

void TagWriter::write_to(FieldWriter& out) const {
    out.put_uvarint(static_cast<std::uint32_t>(fields_.size()));
    for (const auto& [tag, bytes] : fields_) {
        out.put_uvarint(tag);
        out.put_uvarint(static_cast<std::uint32_t>(bytes.size()));
        out.put_bytes(bytes);
    }
}

DecodeError FieldReader::error() const {
    if (error_) {
        return *error_;
    }
    return reader_.error() == storage::ReadError::kOverlongVarint ? DecodeError::kMalformed
                                                                  : DecodeError::kOutOfBytes;
}

void FieldReader::fail(DecodeError error) {
    if (ok()) {
        error_ = error;
    }
    reader_.fail(storage::ReadError::kOutOfBytes);
}

types::Uuid FieldReader::get_uuid() {
    types::Uuid id;
    id.high = get<std::uint64_t>();
    id.low = get<std::uint64_t>();
    return id;
}

std::optional<std::size_t> FieldReader::get_nullable_count(std::size_t element_bytes) {
    const std::uint32_t raw = get_uvarint();
    if (!ok() || raw == 0) {
        return std::nullopt;
    }
    const std::size_t count = raw - 1;
    // Before anything is allocated: so many elements must fit into what is left.
    if (count > remaining() / element_bytes) {
        fail(DecodeError::kOutOfBytes);
        return std::nullopt;
    }
    return count;
}

std::size_t FieldReader::get_count(std::size_t element_bytes) {
    const std::optional<std::size_t> count = get_nullable_count(element_bytes);
    if (!count) {
        fail(DecodeError::kMalformed);
        return 0;
    }
    return *count;
}

std::string FieldReader::get_string() {
    const std::size_t size = get_count(1);
    return std::string(storage::text_of(get_bytes(size)));
}

std::optional<std::string> FieldReader::get_nullable_string() {
    const std::optional<std::size_t> size = get_nullable_count(1);
    if (!size) {
        return std::nullopt;
    }
    return std::string(storage::text_of(get_bytes(*size)));
}

BrokerIds FieldReader::get_brokers() {
    std::optional<BrokerIds> brokers = get_nullable_brokers();
    if (!brokers) {
        fail(DecodeError::kMalformed);
        return {};
    }
    return *std::move(brokers);
}

std::optional<BrokerIds> FieldReader::get_nullable_brokers() {
    const std::optional<std::size_t> count = get_nullable_count(sizeof(std::int32_t));
    if (!count) {
        return std::nullopt;
    }
    BrokerIds brokers;
    brokers.reserve(*count);
    for (std::size_t i = 0; i < *count; ++i) {
        brokers.emplace_back(get<std::int32_t>());
    }
    return brokers;
}

std::vector<types::Uuid> FieldReader::get_uuids() {
    std::optional<std::vector<types::Uuid>> ids = get_nullable_uuids();
    if (!ids) {
        fail(DecodeError::kMalformed);
        return {};
    }
    return *std::move(ids);
}

std::optional<std::vector<types::Uuid>> FieldReader::get_nullable_uuids() {
    const std::optional<std::size_t> count = get_nullable_count(2 * sizeof(std::uint64_t));
    if (!count) {
        return std::nullopt;
    }
    std::vector<types::Uuid> ids;
    ids.reserve(*count);
    for (std::size_t i = 0; i < *count; ++i) {
        ids.push_back(get_uuid());
    }
    return ids;
}

}  // namespace klab::metadata
