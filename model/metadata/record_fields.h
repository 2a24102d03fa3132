// SPDX-License-Identifier: Apache-2.0
//
// Fields of Kafka's flexible message encoding: big-endian integers, compact strings and arrays
// (length + 1 as unsigned varint, 0 = null), tagged fields (count, then tag, size and bytes each).
//
// Called by: record_codec.cc, record_codec_partition.cc.
// Kafka: ByteBufferAccessor, RawTaggedFieldWriter; KIP-482.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/metadata/record_codec.h"
#include "model/metadata/records.h"
#include "model/storage/byte_io.h"
#include "model/storage/varint.h"

namespace klab::metadata {

/// Appends fields to bytes that it owns.
class FieldWriter {
  public:
    template <std::integral T>
    void put(T value) {
        storage::ByteWriter(bytes_).put(value);
    }

    void put_bool(bool value) { put(static_cast<std::int8_t>(value)); }

    void put_uvarint(std::uint32_t value) { storage::write_unsigned_varint(bytes_, value); }

    void put_uuid(const types::Uuid& id);
    void put_string(std::string_view text);
    void put_nullable_string(const std::optional<std::string>& text);
    void put_brokers(const BrokerIds& brokers);
    void put_uuids(const std::vector<types::Uuid>& ids);

    void put_bytes(ByteView bytes) { storage::ByteWriter(bytes_).put_bytes(bytes); }

    /// The number of elements, before they are written one by one.
    void put_count(std::size_t count) { put_uvarint(static_cast<std::uint32_t>(count) + 1); }

    /// A struct without tagged fields ends so.
    void put_no_tags() { put_uvarint(0); }

    [[nodiscard]] const Bytes& bytes() const { return bytes_; }

    [[nodiscard]] Bytes take() { return std::move(bytes_); }

  private:
    Bytes bytes_;
};

/// Collects the tagged fields of a struct. Requires: added in ascending order of tags.
class TagWriter {
  public:
    void add(std::uint32_t tag, FieldWriter field) { fields_.emplace_back(tag, field.take()); }

    void write_to(FieldWriter& out) const;

  private:
    std::vector<std::pair<std::uint32_t, Bytes>> fields_;
};

/// Reads fields with bounds. After the first error every read gives an empty value.
class FieldReader {
  public:
    explicit FieldReader(ByteView bytes) : reader_(bytes) {}

    [[nodiscard]] bool ok() const { return !error_ && reader_.ok(); }

    /// Requires: !ok().
    [[nodiscard]] DecodeError error() const;

    void fail(DecodeError error);

    template <std::integral T>
    [[nodiscard]] T get() {
        return reader_.get<T>();
    }

    /// Any byte but 0 is true, as in Java.
    [[nodiscard]] bool get_bool() { return reader_.get<std::int8_t>() != 0; }

    [[nodiscard]] std::uint32_t get_uvarint() { return storage::read_unsigned_varint(reader_); }

    [[nodiscard]] types::Uuid get_uuid();

    /// Errors: kMalformed for null.
    [[nodiscard]] std::string get_string();
    [[nodiscard]] std::optional<std::string> get_nullable_string();
    [[nodiscard]] BrokerIds get_brokers();
    [[nodiscard]] std::optional<BrokerIds> get_nullable_brokers();
    [[nodiscard]] std::vector<types::Uuid> get_uuids();
    [[nodiscard]] std::optional<std::vector<types::Uuid>> get_nullable_uuids();

    /// Elements of an array that cannot be null, each at least `element_bytes` long.
    [[nodiscard]] std::size_t get_count(std::size_t element_bytes);

    [[nodiscard]] ByteView get_bytes(std::size_t size) { return reader_.take(size); }

    [[nodiscard]] std::size_t remaining() const { return reader_.remaining(); }

    /// Calls handler(tag, reader of that field) for each tagged field; it says whether it knows the
    /// tag. Errors: kMalformed when a known field is longer than what was read of it.
    template <typename Handler>
    void get_tags(Handler&& handler) {
        const std::uint32_t count = get_uvarint();
        for (std::uint32_t i = 0; i < count && ok(); ++i) {
            const std::uint32_t tag = get_uvarint();
            const std::uint32_t size = get_uvarint();
            FieldReader field(get_bytes(size));
            if (!ok() || !handler(tag, field)) {
                continue;
            }
            if (!field.ok()) {
                fail(field.error());
            } else if (field.remaining() != 0) {
                fail(DecodeError::kMalformed);
            }
        }
    }

    /// Skips the tagged fields of a struct of which none is known.
    void skip_tags() {
        get_tags([](std::uint32_t, FieldReader&) { return false; });
    }

  private:
    /// Nothing for null.
    [[nodiscard]] std::optional<std::size_t> get_nullable_count(std::size_t element_bytes);

    storage::ByteReader reader_;
    std::optional<DecodeError> error_;
};

}  // namespace klab::metadata
