// SPDX-License-Identifier: Apache-2.0
//
// lz4 frames, byte for byte as Kafka's own stream classes frame them:
//
//     04 22 4D 18      magic
//     60 40            version 1, independent blocks; blocks of at most 64 KiB
//     82               header checksum: second byte of xxh32 over the two
//     u32 size, block  again and again, low byte first; bit 31 of the size: stored as it is
//     00 00 00 00      end mark
//
// The reader also takes larger blocks, block checksums (checked), a content checksum and a content
// size (both skipped, as Kafka does), and refuses what Kafka's reader refuses: dependent blocks,
// reserved bits, other versions.
//
// Called by: compression.cc. Kafka: Lz4BlockOutputStream, Lz4BlockInputStream.
#pragma once

#include "model/storage/compression.h"

namespace klab::storage {

[[nodiscard]] Bytes write_lz4(const Compression& how, ByteView content);

[[nodiscard]] Result<Bytes, DecompressError> read_lz4(ByteView stream,
                                                      const DecompressOptions& options);

}  // namespace klab::storage
