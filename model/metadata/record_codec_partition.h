// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the two partition records, apart because of their many tagged fields.
//
// Called by: record_codec.cc only.
// Kafka: PartitionRecord.json, PartitionChangeRecord.json.
#pragma once

#include "model/metadata/record_fields.h"

namespace klab::metadata {

void write_partition(FieldWriter& out, const PartitionRecord& record, std::int16_t version);
[[nodiscard]] PartitionRecord read_partition(FieldReader& in, std::int16_t version);

void write_partition_change(FieldWriter& out,
                            const PartitionChangeRecord& record,
                            std::int16_t version);
[[nodiscard]] PartitionChangeRecord read_partition_change(FieldReader& in, std::int16_t version);

}  // namespace klab::metadata
