// SPDX-License-Identifier: Apache-2.0
//
// See snappy_codec.h. Library: snappy.
#include "model/storage/snappy_codec.h"

#include <algorithm>
#include <array>

#include <snappy-c.h>

#include "model/storage/byte_io.h"
#include "model/storage/lab_encoder.h"

namespace klab::storage {

namespace {

constexpr std::array<std::uint8_t, 16> kHeader = {
    0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr std::size_t kMagicSize = 8;
constexpr std::size_t kBlockContent = 32'768;
/// No element of a block gives more than 64 bytes for each of its own.
constexpr std::size_t kExpansionMax = 64;

bool begins_with_magic(ByteView bytes) {
    return bytes.size() >= kHeader.size() &&
           std::equal(kHeader.begin(), kHeader.begin() + kMagicSize, bytes.begin());
}

Bytes library_block(ByteView content) {
    std::size_t size = snappy_max_compressed_length(content.size());
    Bytes out(size);
    const snappy_status status = snappy_compress(reinterpret_cast<const char*>(content.data()),
                                                 content.size(),
                                                 reinterpret_cast<char*>(out.data()),
                                                 &size);
    KLAB_ASSERT(status == SNAPPY_OK, "snappy_compress says {}", static_cast<int>(status));
    out.resize(size);
    return out;
}

/// Appends the content of one block.
std::optional<DecompressError> read_block(ByteView block, std::size_t bytes_max, Bytes& out) {
    const auto* in = reinterpret_cast<const char*>(block.data());
    std::size_t size = 0;
    if (snappy_uncompressed_length(in, block.size(), &size) != SNAPPY_OK ||
        size > block.size() * kExpansionMax) {
        return DecompressError::kCorrupt;
    }
    const std::size_t before = out.size();
    if (size > bytes_max - before) {
        return DecompressError::kTooLarge;
    }
    out.resize(before + size);
    auto* content = reinterpret_cast<char*>(out.data() + before);
    return snappy_uncompress(in, block.size(), content, &size) == SNAPPY_OK
               ? std::nullopt
               : std::optional(DecompressError::kCorrupt);
}

}  // namespace

Bytes write_snappy(const Compression& how, ByteView content) {
    Bytes out(kHeader.begin(), kHeader.end());
    while (!content.empty()) {
        const ByteView part = content.first(std::min(content.size(), kBlockContent));
        content = content.subspan(part.size());
        const Bytes block =
            how.encoder == Encoder::kLab ? lab_snappy_block(part) : library_block(part);
        ByteWriter writer(out);
        writer.put(static_cast<std::int32_t>(block.size()));
        writer.put_bytes(block);
    }
    return out;
}

Result<Bytes, DecompressError> read_snappy(ByteView stream, const DecompressOptions& options) {
    Bytes out;
    if (!begins_with_magic(stream)) {
        const auto error = read_block(stream, options.bytes_max, out);
        return error ? Result<Bytes, DecompressError>(Error{*error}) : std::move(out);
    }
    ByteReader reader(stream);
    // Fewer than four bytes at the end are no block and no damage to SnappyInputStream.
    while (reader.remaining() >= sizeof(std::int32_t)) {
        if (begins_with_magic(stream.subspan(reader.position()))) {
            (void)reader.take(kHeader.size());  // streams may follow one another
            continue;
        }
        const auto size = reader.get<std::int32_t>();
        if (size < 0 || static_cast<std::size_t>(size) > reader.remaining()) {
            return Error{DecompressError::kCorrupt};
        }
        const ByteView block = reader.take(static_cast<std::size_t>(size));
        if (const auto error = read_block(block, options.bytes_max, out)) {
            return Error{*error};
        }
    }
    return out;
}

}  // namespace klab::storage
