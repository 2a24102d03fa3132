// SPDX-License-Identifier: Apache-2.0
//
// Record batch v2 (magic 2): the unit of appending, replication and reading. A batch is a header of
// 61 bytes and its records. Base offset, length, leader epoch and magic lie outside the checksum,
// so a leader places a batch in its log without computing the checksum again.
//
//     byte  0 i64 baseOffset       17 u32 crc (of 21..end)      43 i64 producerId
//           8 i32 batchLength      21 i16 attributes            51 i16 producerEpoch
//          12 i32 leaderEpoch      23 i32 lastOffsetDelta       53 i32 baseSequence
//          16 i8  magic            27 i64 baseTimestamp         57 i32 recordsCount
//                                  35 i64 maxTimestamp          61     records
//
// Here: looking at a batch, framing batches in a byte range, and the few in-place changes a leader
// makes. Writing new ones is record_batch_builder.h, single records are record.h.
//
// Called by: log.cc, log_loader.cc, log_validator.cc, producers, consumers, checks.
// Kafka: DefaultRecordBatch, ByteBufferLogInputStream. KIP-98 (format), KIP-534 (delete horizon).
// Simplified: message formats 0 and 1 are refused here; legacy_record.h reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/storage/byte_io.h"
#include "model/types/codec.h"
#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::storage {

inline constexpr std::size_t kRecordBatchOverhead =
    61;                                            ///< header size; also the least valid batch
inline constexpr std::size_t kLogOverhead = 12;    ///< baseOffset and batchLength
inline constexpr std::int32_t kSizeFieldMin = 14;  ///< any smaller batchLength is damage
inline constexpr std::int32_t kSequenceMax = 2147483647;

/// A record without a timestamp carries this ordinary value; deltas are computed from it as from
/// any other, so it is not an absence.
inline constexpr std::int64_t kNoTimestamp = -1;

/// Byte positions of the header fields.
struct BatchField {
    static constexpr std::size_t kBaseOffset = 0;
    static constexpr std::size_t kLength = 8;
    static constexpr std::size_t kLeaderEpoch = 12;
    static constexpr std::size_t kMagic = 16;
    static constexpr std::size_t kCrc = 17;
    static constexpr std::size_t kAttributes = 21;
    static constexpr std::size_t kLastOffsetDelta = 23;
    static constexpr std::size_t kBaseTimestamp = 27;
    static constexpr std::size_t kMaxTimestamp = 35;
    static constexpr std::size_t kProducerId = 43;
    static constexpr std::size_t kProducerEpoch = 51;
    static constexpr std::size_t kBaseSequence = 53;
    static constexpr std::size_t kRecordsCount = 57;
    static constexpr std::size_t kRecords = 61;
};

/// Bits of the attributes field.
struct BatchAttribute {
    static constexpr std::uint16_t kCodecMask = 0x07;
    static constexpr std::uint16_t kLogAppendTime = 0x08;
    static constexpr std::uint16_t kTransactional = 0x10;
    static constexpr std::uint16_t kControl = 0x20;
    static constexpr std::uint16_t kDeleteHorizon = 0x40;
};

using types::Codec;

enum class TimestampType : std::uint8_t { kCreateTime = 0, kLogAppendTime = 1 };

/// What can be wrong with the bytes of a batch.
enum class BatchError : std::uint8_t {
    kSizeFieldTooSmall,  ///< batchLength cannot hold a batch (also a zero-filled tail)
    kUnsupportedMagic,   ///< not format 2
    kBadCrc,             ///< stored and computed checksum differ
    kNegativeCount,      ///< recordsCount < 0
    kTooFewBytes,        ///< the records end before recordsCount of them were read
    kLeftoverBytes,      ///< bytes remain after recordsCount records
    kMalformedRecord,    ///< a record's body is not exactly as long as it says, or a bad length
    kUndecodable,        ///< not a stream of its codec, or damaged
    kExpandsTooFar,      ///< a stream that grows beyond kDecompressedMax
    kUnknownCodec,       ///< codec number 5, 6 or 7
};

/// CorruptRecordException (true) or InvalidRecordException (false) in Kafka's terms.
[[nodiscard]] bool is_corruption(BatchError error);

/// "bad crc" and the like, for messages to people.
[[nodiscard]] std::string_view to_text(BatchError error);

/// Sequence numbers run from 0 to 2^31-1 and start again at 0.
[[nodiscard]] std::int32_t increment_sequence(std::int32_t sequence, std::int32_t by);
[[nodiscard]] std::int32_t decrement_sequence(std::int32_t sequence, std::int32_t by);

/// One whole batch seen through its bytes; a view, so it dies with them. Reading a field costs one
/// load. Nothing is checked but the frame: see has_valid_crc() and RecordIterator.
class RecordBatchView {
  public:
    /// Requires: `bytes` is exactly one batch, as frame_batch() found it.
    explicit RecordBatchView(ByteView bytes);

    [[nodiscard]] ByteView bytes() const { return bytes_; }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    [[nodiscard]] types::Offset base_offset() const {
        return types::Offset(get<std::int64_t>(BatchField::kBaseOffset));
    }

    [[nodiscard]] types::Offset last_offset() const { return base_offset() + last_offset_delta(); }

    [[nodiscard]] types::Offset next_offset() const { return last_offset().next(); }

    [[nodiscard]] std::int32_t last_offset_delta() const {
        return get<std::int32_t>(BatchField::kLastOffsetDelta);
    }

    /// Nothing until a leader has stamped it.
    [[nodiscard]] std::optional<types::LeaderEpoch> leader_epoch() const;

    [[nodiscard]] std::uint32_t stored_crc() const { return get<std::uint32_t>(BatchField::kCrc); }

    [[nodiscard]] std::uint32_t computed_crc() const;

    [[nodiscard]] bool has_valid_crc() const { return stored_crc() == computed_crc(); }

    [[nodiscard]] std::uint16_t attributes() const {
        return get<std::uint16_t>(BatchField::kAttributes);
    }

    /// Nothing for the numbers 5 to 7.
    [[nodiscard]] std::optional<Codec> codec() const;

    [[nodiscard]] TimestampType timestamp_type() const;

    [[nodiscard]] bool is_transactional() const { return has(BatchAttribute::kTransactional); }

    [[nodiscard]] bool is_control() const { return has(BatchAttribute::kControl); }

    /// The timestamp that record deltas refer to, in ms; the delete horizon when that bit is set.
    [[nodiscard]] std::int64_t base_timestamp() const {
        return get<std::int64_t>(BatchField::kBaseTimestamp);
    }

    [[nodiscard]] std::int64_t max_timestamp() const {
        return get<std::int64_t>(BatchField::kMaxTimestamp);
    }

    /// When tombstones of this batch may go (KIP-534), in ms.
    [[nodiscard]] std::optional<std::int64_t> delete_horizon() const;

    [[nodiscard]] std::optional<types::ProducerId> producer_id() const;
    [[nodiscard]] std::optional<types::ProducerEpoch> producer_epoch() const;
    [[nodiscard]] std::optional<std::int32_t> base_sequence() const;
    [[nodiscard]] std::optional<std::int32_t> last_sequence() const;

    [[nodiscard]] std::int32_t records_count() const {
        return get<std::int32_t>(BatchField::kRecordsCount);
    }

    /// The bytes after the header, compressed if the codec says so.
    [[nodiscard]] ByteView records() const { return bytes_.subspan(BatchField::kRecords); }

  private:
    template <std::integral T>
    [[nodiscard]] T get(std::size_t at) const {
        return load_be<T>(bytes_.data() + at);
    }

    [[nodiscard]] bool has(std::uint16_t bit) const { return (attributes() & bit) != 0; }

    ByteView bytes_;
};

/// The batch at the start of `bytes`. Nothing when there is no whole batch (the end, or a torn
/// tail). Errors: kSizeFieldTooSmall, kUnsupportedMagic.
[[nodiscard]] Result<std::optional<RecordBatchView>, BatchError> frame_batch(ByteView bytes);

/// Walks the batches in a byte range, headers only.
///
///     BatchIterator it(bytes);
///     while (const auto batch = it.next()) { ... }
///     if (it.error()) { ... }                // stopped at damage; it.position() is where
class BatchIterator {
  public:
    explicit BatchIterator(ByteView bytes) : bytes_(bytes) {}

    /// The next batch, or nothing at the end, at a torn tail or at damage.
    [[nodiscard]] std::optional<RecordBatchView> next();

    /// Bytes consumed so far: everything before is whole batches.
    [[nodiscard]] std::size_t position() const { return position_; }

    [[nodiscard]] std::optional<BatchError> error() const { return error_; }

  private:
    ByteView bytes_;
    std::size_t position_ = 0;
    std::optional<BatchError> error_;
};

/// Places the batch so that its last offset is `last_offset`. The checksum stays valid.
void set_last_offset(std::span<std::uint8_t> batch, types::Offset last_offset);

/// Stamps the epoch of the leader that appends it. The checksum stays valid.
void set_leader_epoch(std::span<std::uint8_t> batch, types::LeaderEpoch epoch);

/// Sets timestamp type and maximum; rewrites the checksum only if one of them changes.
void set_max_timestamp(std::span<std::uint8_t> batch, TimestampType type, std::int64_t timestamp);

}  // namespace klab::storage
