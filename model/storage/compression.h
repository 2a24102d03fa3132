// SPDX-License-Identifier: Apache-2.0
//
// Compression of the records of a batch: the bytes after its header are one stream of one codec.
//
//     gzip    RFC 1952 member                         gzip_codec.cc
//     snappy  xerial framing of snappy blocks         snappy_codec.cc
//     lz4     frame of independent 64 KiB blocks      lz4_codec.cc
//     zstd    frame (RFC 8878)                        zstd_codec.cc
//
// Reading always goes through the real libraries. Writing has two ways: klab's own encoder, whose
// bytes are the same on every host and for ever, and the library, whose bytes change with its
// version. A run may only use the first, because the size of a batch decides when it arrives, when
// a segment rolls and what its checksum is (docs/adr/0005-compressed-bytes.md). Both are read by
// every Kafka client.
//
// Called by: record_batch_builder.cc (writing), record.cc, legacy_record.cc (reading).
// Kafka: common.compress (Compression and its subclasses). KIP-110, KIP-390.
// Simplified: a stream is decompressed as a whole, up to a limit, not record by record.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/types/codec.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::storage {

using types::Codec;

/// Who compresses.
enum class Encoder : std::uint8_t {
    kLab,      ///< lab_encoder.h: the same bytes everywhere; the only one allowed inside a run
    kLibrary,  ///< zlib, snappy, lz4, zstd: for tests of reading and for tools outside of runs
};

struct Compression {
    Codec codec = Codec::kNone;
    Encoder encoder = Encoder::kLab;
    /// compression.<codec>.level, for the library only. Nothing: Kafka's default.
    std::optional<std::int32_t> level = std::nullopt;

    friend bool operator==(const Compression&, const Compression&) = default;
};

/// Why a stream has no content.
enum class DecompressError : std::uint8_t {
    kCorrupt,   ///< not a stream of this codec, damaged, or cut off
    kTooLarge,  ///< its content is larger than the limit
};

[[nodiscard]] std::string_view to_text(DecompressError error);

/// No batch that Kafka's default limits let in is larger, unless it is made to expand.
inline constexpr std::size_t kDecompressedMax = std::size_t{128} * 1024U * 1024U;

struct DecompressOptions {
    std::size_t bytes_max = kDecompressedMax;  ///< of the content
    /// Message format 0: writers of that time computed the checksum of lz4's header over the wrong
    /// bytes, so it is not looked at.
    bool ignores_lz4_header_checksum = false;
};

/// The stream. With Codec::kNone a copy. Requires: the level is in the codec's range.
[[nodiscard]] Bytes compress(const Compression& how, ByteView content);

/// The content. Memory stays below a small multiple of bytes_max and of the stream, whatever the
/// stream says. Bytes after the end of the stream are ignored where Kafka's readers ignore them.
[[nodiscard]] Result<Bytes, DecompressError> decompress(Codec codec,
                                                        ByteView stream,
                                                        const DecompressOptions& options = {});

}  // namespace klab::storage
