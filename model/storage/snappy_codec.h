// SPDX-License-Identifier: Apache-2.0
//
// Snappy blocks in the framing of xerial's snappy-java, which Kafka's Java clients write:
//
//     82 53 4E 41 50 50 59 00   magic
//     i32 1, i32 1              version, lowest compatible version
//     i32 size, block           again and again, 32 KiB of content each
//
// Other clients write one bare block; readers take both.
//
// Called by: compression.cc. Kafka: SnappyCompression (SnappyOutputStream, SnappyInputStream).
#pragma once

#include "model/storage/compression.h"

namespace klab::storage {

[[nodiscard]] Bytes write_snappy(const Compression& how, ByteView content);

[[nodiscard]] Result<Bytes, DecompressError> read_snappy(ByteView stream,
                                                         const DecompressOptions& options);

}  // namespace klab::storage
