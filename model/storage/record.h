// SPDX-License-Identifier: Apache-2.0
//
// Single records inside a batch: length, attributes, timestamp delta, offset delta, key, value,
// headers, with all lengths as varints. The records of a compressed batch are one stream, which the
// iterator decompresses once.
//
// Called by: record_batch_builder.cc (writing); log_validator.cc, log_reader.cc, consumers, the
// metadata log (reading).
// Kafka: DefaultRecord, DefaultRecordBatch.iterator.
// Simplified: a compressed batch with a wrong checksum has no records (Kafka may give some of them
// before it notices), so that what a run reads never depends on how a library meets damage.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/storage/record_batch.h"

namespace klab::storage {

/// A header of a record, seen through the record's bytes.
struct RecordHeader {
    std::string_view key;
    std::optional<ByteView> value;
};

/// One record, seen through the batch's bytes, or through those of its iterator if the batch is
/// compressed: valid while both live.
struct RecordView {
    types::Offset offset;
    std::int64_t timestamp = kNoTimestamp;  ///< ms; the batch's maximum under LogAppendTime
    std::optional<std::int32_t> sequence;   ///< nothing without an idempotent producer
    std::optional<ByteView> key;
    std::optional<ByteView> value;  ///< nothing = tombstone
    std::uint32_t headers_count = 0;
    ByteView header_bytes;  ///< encoded headers, already checked

    [[nodiscard]] std::vector<RecordHeader> headers() const;
};

/// Reads the records of one batch in order.
///
///     RecordIterator it(batch);
///     while (const auto record = it.next()) { ... }
///     if (it.error()) { ... }
class RecordIterator {
  public:
    explicit RecordIterator(const RecordBatchView& batch);

    RecordIterator(const RecordIterator&) = delete;
    RecordIterator& operator=(const RecordIterator&) = delete;
    ~RecordIterator() = default;

    /// The next record, or nothing after the last one or at an error.
    [[nodiscard]] std::optional<RecordView> next();

    /// Why it stopped early: kNegativeCount, kTooFewBytes, kLeftoverBytes, kMalformedRecord,
    /// kUnknownCodec; of compressed batches also kBadCrc, kUndecodable, kExpandsTooFar.
    [[nodiscard]] std::optional<BatchError> error() const { return error_; }

  private:
    /// Fills `record` if there is one more. Returns what is wrong.
    [[nodiscard]] std::optional<BatchError> read_next(std::optional<RecordView>& record);
    /// Says whether `body` is one record.
    [[nodiscard]] bool decode(ByteReader& body, RecordView& record) const;

    /// Nothing to do for Codec::kNone.
    [[nodiscard]] std::optional<BatchError> decompress_records();

    RecordBatchView batch_;
    Bytes content_;  // of a compressed batch
    ByteReader reader_;
    std::int32_t left_ = 0;
    std::optional<std::int32_t> base_sequence_;  // of the batch
    std::optional<BatchError> error_;
};

/// What a producer hands over.
struct RecordInput {
    std::int64_t timestamp = kNoTimestamp;  ///< ms; kNoTimestamp or >= 0
    std::optional<ByteView> key;
    std::optional<ByteView> value;
    std::span<const RecordHeader> headers;
};

/// Bytes of the encoded record, its own length field included.
[[nodiscard]] std::size_t encoded_record_size(std::int64_t timestamp_delta,
                                              std::int32_t offset_delta,
                                              const RecordInput& record);

/// Bytes that the encoded record has at most, whatever its deltas are: what a producer reserves
/// before it knows them. Kafka: DefaultRecord.recordSizeUpperBound.
[[nodiscard]] std::size_t encoded_record_size_max(const RecordInput& record);

/// Appends the encoded record.
void encode_record(Bytes& out,
                   std::int64_t timestamp_delta,
                   std::int32_t offset_delta,
                   const RecordInput& record);

}  // namespace klab::storage
