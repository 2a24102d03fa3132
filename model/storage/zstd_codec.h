// SPDX-License-Identifier: Apache-2.0
//
// zstd frames (RFC 8878). Several may follow one another.
//
// Called by: compression.cc. Kafka: ZstdCompression. KIP-110.
#pragma once

#include "model/storage/compression.h"

namespace klab::storage {

[[nodiscard]] Bytes write_zstd(const Compression& how, ByteView content);

[[nodiscard]] Result<Bytes, DecompressError> read_zstd(ByteView stream,
                                                       const DecompressOptions& options);

}  // namespace klab::storage
