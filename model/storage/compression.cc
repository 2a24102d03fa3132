// SPDX-License-Identifier: Apache-2.0
//
// See compression.h.
#include "model/storage/compression.h"

#include "model/storage/gzip_codec.h"
#include "model/storage/lz4_codec.h"
#include "model/storage/snappy_codec.h"
#include "model/storage/zstd_codec.h"

namespace klab::storage {

std::string_view to_text(DecompressError error) {
    switch (error) {
        case DecompressError::kCorrupt:
            return "corrupt compressed stream";
        case DecompressError::kTooLarge:
            return "compressed stream expands too far";
    }
    return "";
}

Bytes compress(const Compression& how, ByteView content) {
    switch (how.codec) {
        case Codec::kNone:
            break;
        case Codec::kGzip:
            return write_gzip(how, content);
        case Codec::kSnappy:
            return write_snappy(how, content);
        case Codec::kLz4:
            return write_lz4(how, content);
        case Codec::kZstd:
            return write_zstd(how, content);
    }
    return {content.begin(), content.end()};
}

Result<Bytes, DecompressError> decompress(Codec codec,
                                          ByteView stream,
                                          const DecompressOptions& options) {
    switch (codec) {
        case Codec::kNone:
            break;
        case Codec::kGzip:
            return read_gzip(stream, options);
        case Codec::kSnappy:
            return read_snappy(stream, options);
        case Codec::kLz4:
            return read_lz4(stream, options);
        case Codec::kZstd:
            return read_zstd(stream, options);
    }
    if (stream.size() > options.bytes_max) {
        return Error{DecompressError::kTooLarge};
    }
    return Bytes(stream.begin(), stream.end());
}

}  // namespace klab::storage
