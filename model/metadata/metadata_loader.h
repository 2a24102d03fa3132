// SPDX-License-Identifier: Apache-2.0
//
// MetadataLoader: follows __cluster_metadata from the bytes of its batches and keeps the image of
// its committed prefix. Records inside an open metadata transaction are withheld until it ends.
//
// Owns: the image of one follower of the metadata log.
// Called by: brokers (each fetched batch below the high watermark), the controller (recovery).
// Kafka: MetadataLoader, MetadataBatchLoader; KIP-868 (transactions).
// Simplified: no snapshots; publishing in steps while loading is left to the caller.
#pragma once

#include "model/metadata/image_replay.h"
#include "model/metadata/record_codec.h"
#include "sim/base/bytes.h"

namespace klab::metadata {

/// One record with its place in the log.
struct PlacedRecord {
    types::Offset offset;
    MetadataRecord record;

    friend bool operator==(const PlacedRecord&, const PlacedRecord&) = default;
};

/// The metadata records of whole batches, in order, without control records.
/// Errors: kOutOfBytes or kMalformed for damage of a batch, else those of decode().
[[nodiscard]] Result<std::vector<PlacedRecord>, DecodeError> read_records(ByteView batches);

class MetadataLoader {
  public:
    enum class LoadError : std::uint8_t { kUndecodable, kInconsistent };

    /// The committed image, without an open transaction.
    [[nodiscard]] const MetadataImage& image() const { return image_; }

    /// First offset not seen yet.
    [[nodiscard]] types::Offset next_offset() const { return next_offset_; }

    /// A metadata transaction is open; it began at this offset.
    [[nodiscard]] std::optional<types::Offset> transaction_start() const {
        return transaction_start_;
    }

    /// Applies whole batches (committed ones only). Records below next_offset() are skipped, so the
    /// first batch may overlap. Control batches only move the offset. Returns what changed in
    /// image(). Errors: the bytes are not a metadata log; then the loader is as before.
    [[nodiscard]] Result<MetadataDelta, LoadError> load(ByteView batches);

    friend bool operator==(const MetadataLoader&, const MetadataLoader&) = default;

  private:
    [[nodiscard]] bool take(PlacedRecord placed, MetadataDelta& delta);

    MetadataImage image_;
    std::vector<PlacedRecord> withheld_;  // records of the open transaction
    types::Offset next_offset_;
    std::optional<types::Offset> transaction_start_;
};

}  // namespace klab::metadata
