// SPDX-License-Identifier: Apache-2.0
//
// klab's own encoders, one a format: small, greedy, and the same bytes on every host and with every
// compiler, which no compression library promises from one version to the next. They use the plain
// part of each format (fixed Huffman codes, predefined tables, literals as they are), so they
// compress repetition and nothing else.
//
// Changing what one of them writes changes the trace hash of every run with compressed batches.
//
// Called by: gzip_codec.cc, snappy_codec.cc, lz4_codec.cc, zstd_codec.cc.
// Format: RFC 1951 (DEFLATE), snappy format_description.txt, lz4_Block_format.md, RFC 8878 (zstd).
#pragma once

#include "sim/base/bytes.h"

namespace klab::storage {

/// A whole DEFLATE stream, without gzip's header and trailer. lab_deflate.cc
[[nodiscard]] Bytes lab_deflate(ByteView content);

/// One snappy block with its length in front. Requires: at most 64 KiB. lab_snappy.cc
[[nodiscard]] Bytes lab_snappy_block(ByteView content);

/// One lz4 block without its size; may be larger than the content. Requires: at most 64 KiB, not
/// empty. lab_lz4.cc
[[nodiscard]] Bytes lab_lz4_block(ByteView content);

/// The inside of one compressed zstd block; may be larger than the content. Requires: at most 128
/// KiB. lab_zstd.cc
[[nodiscard]] Bytes lab_zstd_block(ByteView content);

}  // namespace klab::storage
