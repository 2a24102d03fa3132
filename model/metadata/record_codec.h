// SPDX-License-Identifier: Apache-2.0
//
// Bytes of metadata records: frame version, api key and record version as unsigned varints, then
// the message in Kafka's flexible encoding (compact strings and arrays, tagged fields).
//
// Called by: the controller (encode), record_batches.h (decode), checks and exports.
// Kafka: MetadataRecordSerde, AbstractApiMessageSerde, the generated message classes; KIP-482.
#pragma once

#include "model/metadata/records.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::metadata {

/// The version of a record that a metadata.version (given by its feature level) allows.
[[nodiscard]] std::int16_t record_version(const MetadataRecord& record,
                                          std::int16_t metadata_level);

/// The record's bytes in the version that `metadata_level` allows.
/// Requires: no field is set that the version cannot express (except those Kafka drops silently).
[[nodiscard]] Bytes encode(const MetadataRecord& record, std::int16_t metadata_level);

enum class DecodeError : std::uint8_t {
    kOutOfBytes,           ///< the record ends early, or a length is longer than the rest
    kMalformed,            ///< an impossible length or a null where none may be
    kUnknownFrameVersion,  ///< not 1
    kUnknownRecord,        ///< an api key klab does not model
    kUnknownVersion,       ///< a record version klab does not know
    kUnknownValue,         ///< an enum out of range
    kLeftoverBytes,        ///< bytes after the record
};

[[nodiscard]] std::string_view to_text(DecodeError error);

/// The record in these bytes. Unknown tagged fields are skipped. Never fails otherwise than by a
/// DecodeError, whatever the bytes.
[[nodiscard]] Result<MetadataRecord, DecodeError> decode(ByteView bytes);

}  // namespace klab::metadata
