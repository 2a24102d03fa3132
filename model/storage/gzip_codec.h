// SPDX-License-Identifier: Apache-2.0
//
// gzip streams (RFC 1952) as java.util.zip writes and reads them.
//
// Called by: compression.cc. Kafka: GzipCompression, GzipOutputStream.
#pragma once

#include "model/storage/compression.h"

namespace klab::storage {

[[nodiscard]] Bytes write_gzip(const Compression& how, ByteView content);

[[nodiscard]] Result<Bytes, DecompressError> read_gzip(ByteView stream,
                                                       const DecompressOptions& options);

}  // namespace klab::storage
