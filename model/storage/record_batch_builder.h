// SPDX-License-Identifier: Apache-2.0
//
// RecordBatchBuilder: writes one record batch. A producer keeps one open per partition and appends
// until batch.size or linger.ms; the controller and the tests use it the same way. It is a regular
// value: a world may be copied while a batch is open.
//
// Owns: the bytes of the open batch, uncompressed until close() or build().
// Called by: producers (record accumulator), the metadata log, log_builder.h in tests.
// Kafka: MemoryRecordsBuilder, DefaultRecordBatch.writeHeader.
// Simplified: compression happens at the end, so the size of an open compressed batch is not known
// (a producer estimates it, as in Kafka, where the compressor buffers).
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/compression.h"
#include "model/storage/record.h"

namespace klab::storage {

/// Who wrote a batch, for duplicate detection and transactions.
struct ProducerStamp {
    types::ProducerId id;
    types::ProducerEpoch epoch;
    std::optional<std::int32_t> base_sequence;  ///< nothing in control batches only

    friend bool operator==(const ProducerStamp&, const ProducerStamp&) = default;
};

/// The header fields that the writer chooses.
struct BatchOptions {
    types::Offset base_offset;                       ///< a producer writes 0
    std::optional<types::LeaderEpoch> leader_epoch;  ///< a producer leaves it out
    std::optional<std::int64_t> log_append_time;     ///< ms; set = LogAppendTime batch
    std::optional<std::int64_t> delete_horizon;      ///< ms; set by compaction only
    std::optional<ProducerStamp> producer;
    bool is_transactional = false;
    bool is_control = false;
    Compression compression;

    friend bool operator==(const BatchOptions&, const BatchOptions&) = default;
};

class RecordBatchBuilder {
  public:
    RecordBatchBuilder() : RecordBatchBuilder(BatchOptions{}) {}

    /// Requires: transactional needs a producer; a producer needs a sequence unless control.
    explicit RecordBatchBuilder(const BatchOptions& options);

    /// Adds a record at the next offset. Requires: not closed; its timestamp is >= 0 or
    /// kNoTimestamp.
    RecordBatchBuilder& append(const RecordInput& record);

    /// Adds a record at `offset`, leaving a gap (batches made by compaction have them). Requires:
    /// offsets ascend and stay within 2^31-1 of the base.
    RecordBatchBuilder& append_at(types::Offset offset, const RecordInput& record);

    /// Keeps the last offset of a batch whose last records were removed. Requires: not below the
    /// last record's offset.
    RecordBatchBuilder& extend_to(types::Offset last_offset);

    /// Sets producer id, epoch and sequence late: a producer does so when the batch is sent.
    void set_producer(const ProducerStamp& stamp);

    /// Compresses now; only the producer's stamp may change afterwards. Closing twice is fine.
    void close();

    [[nodiscard]] bool is_closed() const { return is_closed_; }

    [[nodiscard]] const BatchOptions& options() const { return options_; }

    [[nodiscard]] std::int32_t count() const { return count_; }

    [[nodiscard]] bool empty() const { return count_ == 0; }

    /// Bytes of the batch as it stands, header included; before compression unless closed.
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    /// Bytes of the records, before compression.
    [[nodiscard]] std::size_t records_size() const { return records_size_; }

    /// Bytes of the batch with `record` appended, before compression. Requires: not closed.
    [[nodiscard]] std::size_t size_with(const RecordInput& record) const;

    /// The finished batch. The builder stays as it is and may go on.
    [[nodiscard]] Bytes build() const;

    friend bool operator==(const RecordBatchBuilder&, const RecordBatchBuilder&) = default;

  private:
    BatchOptions options_;
    Bytes bytes_;  // 61 bytes of room for the header, then the encoded records or their stream
    std::size_t records_size_ = 0;
    bool is_closed_ = false;
    std::int32_t count_ = 0;
    std::int32_t last_offset_delta_ = -1;         // -1: nothing appended, the next delta is 0
    std::optional<std::int64_t> base_timestamp_;  // known from the first record on
    std::int64_t max_timestamp_ = kNoTimestamp;
};

}  // namespace klab::storage
