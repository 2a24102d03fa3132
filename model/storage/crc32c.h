// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C (Castagnoli): the checksum of record batches and producer snapshots. Two ways of
// computing it, the processor's own instruction and a table, which always agree; the result never
// depends on the machine.
//
// Called by: record_batch.cc, record_batch_builder.cc.
// Kafka: common.utils.Crc32C. Reflected polynomial 0x82F63B78, initial value and final xor all
// ones.
#pragma once

#include <cstdint>

#include "sim/base/bytes.h"

namespace klab::storage {

/// CRC-32C of `bytes`; 0 for none.
[[nodiscard]] std::uint32_t crc32c(ByteView bytes);

/// Continues: crc32c_extend(crc32c(a), b) == crc32c(a + b).
[[nodiscard]] std::uint32_t crc32c_extend(std::uint32_t crc, ByteView bytes);

/// The portable way, for processors without the instruction and for the test that both agree.
[[nodiscard]] std::uint32_t crc32c_extend_by_table(std::uint32_t crc, ByteView bytes);

}  // namespace klab::storage
