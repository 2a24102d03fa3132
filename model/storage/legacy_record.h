// SPDX-License-Identifier: Apache-2.0
//
// Message formats 0 and 1, which brokers wrote before 0.11: reading only. A log of that time is a
// row of messages; a compressed one is a message whose value is again a row of messages.
//
//     byte  0 i64 offset        of a compressed message: of the last one inside
//           8 i32 size          of what follows, at least 14
//          12 u32 crc           CRC-32 (not CRC-32C) from the magic byte on
//          16 i8  magic         0 or 1
//          17 i8  attributes    bits 0-2 codec; bit 3 LogAppendTime (format 1)
//         [18 i64 timestamp     format 1 only]
//             i32 key size, key, i32 value size, value        -1: null
//
// Offsets inside a compressed message are the real ones in format 0. In format 1 they count from 0,
// and the outer offset says where the last of them lies (KIP-31).
//
// Called by: scenarios/cli (klab disk dump).
// Kafka: LegacyRecord, AbstractLegacyRecordBatch. KIP-31 (relative offsets), KIP-32 (timestamps).
// Simplified: checksums of messages inside a compressed one are not looked at, as in Kafka's
// iterator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/storage/record_batch.h"

namespace klab::storage {

/// A message as it stands in a log: plain, or the wrapper of compressed ones.
class LegacyMessageView {
  public:
    /// Requires: `bytes` is exactly one message, as frame_legacy_message() found it.
    explicit LegacyMessageView(ByteView bytes);

    [[nodiscard]] ByteView bytes() const { return bytes_; }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    [[nodiscard]] types::Offset offset() const;

    /// 0 or 1.
    [[nodiscard]] std::uint8_t magic() const;

    [[nodiscard]] std::uint32_t stored_crc() const;
    [[nodiscard]] std::uint32_t computed_crc() const;

    [[nodiscard]] bool has_valid_crc() const { return stored_crc() == computed_crc(); }

    /// Nothing for the numbers 5 to 7.
    [[nodiscard]] std::optional<Codec> codec() const;

    [[nodiscard]] TimestampType timestamp_type() const;

    /// In ms. Format 0 has none, and a message without a time has kNoTimestamp.
    [[nodiscard]] std::optional<std::int64_t> timestamp() const;

    struct Content {
        std::optional<ByteView> key;
        std::optional<ByteView> value;
    };

    /// Nothing when a length points behind the end.
    [[nodiscard]] std::optional<Content> content() const;

  private:
    ByteView bytes_;
};

/// The message at the start of `bytes`. Nothing when there is no whole one (the end, or a torn
/// tail). Errors: kSizeFieldTooSmall, kUnsupportedMagic (not 0 or 1).
[[nodiscard]] Result<std::optional<LegacyMessageView>, BatchError> frame_legacy_message(
    ByteView bytes);

/// One record, seen through the bytes of its message, or through those of its iterator if it was
/// compressed: valid while both live.
struct LegacyRecordView {
    types::Offset offset;
    std::optional<std::int64_t> timestamp;  ///< ms; nothing in format 0
    std::optional<ByteView> key;
    std::optional<ByteView> value;
};

/// Reads the record of a plain message, or all records of a compressed one, in order. All of them
/// are looked at first: a message with one bad record has none.
class LegacyRecordIterator {
  public:
    explicit LegacyRecordIterator(const LegacyMessageView& message);

    LegacyRecordIterator(const LegacyRecordIterator&) = delete;
    LegacyRecordIterator& operator=(const LegacyRecordIterator&) = delete;
    ~LegacyRecordIterator() = default;

    /// The next record, or nothing after the last one or when there is an error.
    [[nodiscard]] std::optional<LegacyRecordView> next();

    /// kMalformedRecord (lengths, no records inside, compressed ones inside, offsets that do not
    /// fit), kUnsupportedMagic (of one inside), kSizeFieldTooSmall, kUnknownCodec (also zstd, which
    /// is younger than these formats), kUndecodable, kExpandsTooFar.
    [[nodiscard]] std::optional<BatchError> error() const { return error_; }

  private:
    [[nodiscard]] std::optional<BatchError> open();
    [[nodiscard]] std::optional<BatchError> check_inside();

    LegacyMessageView message_;
    Bytes content_;  // of a compressed message
    ByteView rest_;  // messages to come
    bool is_compressed_ = false;
    std::int64_t base_ = 0;  // to be added to the offsets inside
    std::optional<BatchError> error_;
};

/// One record with bytes of its own.
struct LegacyRecord {
    types::Offset offset;
    std::optional<std::int64_t> timestamp;  ///< ms; nothing in format 0
    std::optional<Bytes> key;
    std::optional<Bytes> value;

    friend bool operator==(const LegacyRecord&, const LegacyRecord&) = default;
};

/// What LegacyRecordIterator gives, copied. Errors: as there.
[[nodiscard]] Result<std::vector<LegacyRecord>, BatchError> read_legacy_records(
    const LegacyMessageView& message);

}  // namespace klab::storage
