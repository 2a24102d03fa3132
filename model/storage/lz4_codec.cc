// SPDX-License-Identifier: Apache-2.0
//
// See lz4_codec.h. Library: lz4 for the blocks, xxHash for the checksums.
#include "model/storage/lz4_codec.h"

#include <algorithm>
#include <array>

#include <lz4.h>
#include <lz4hc.h>
#include <xxhash.h>

#include "model/storage/lab_encoder.h"

namespace klab::storage {

namespace {

constexpr std::array<std::uint8_t, 7> kHeader = {0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82};
constexpr std::size_t kMagicSize = 4;
constexpr std::size_t kBlockContent = 65'536;
constexpr std::uint32_t kStoredBit = 0x80000000U;
/// Kafka's default level is this one and means the fast compressor; other levels mean the thorough
/// one.
constexpr std::int32_t kFastLevel = 9;

void put_le32(Bytes& out, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        out.push_back(static_cast<std::uint8_t>(value >> shift));
    }
}

std::uint32_t get_le32(ByteView bytes, std::size_t at) {
    return bytes[at] | std::uint32_t{bytes[at + 1]} << 8 | std::uint32_t{bytes[at + 2]} << 16 |
           std::uint32_t{bytes[at + 3]} << 24;
}

Bytes library_block(ByteView content, std::int32_t level) {
    const auto size = static_cast<int>(content.size());
    Bytes out(static_cast<std::size_t>(LZ4_compressBound(size)));
    const auto* in = reinterpret_cast<const char*>(content.data());
    auto* to = reinterpret_cast<char*>(out.data());
    const auto room = static_cast<int>(out.size());
    const int written = level == kFastLevel ? LZ4_compress_default(in, to, size, room)
                                            : LZ4_compress_HC(in, to, size, room, level);
    KLAB_ASSERT(written > 0, "lz4 says {}", written);
    out.resize(static_cast<std::size_t>(written));
    return out;
}

/// What the header says of the blocks.
struct Frame {
    std::size_t header_size = 0;
    std::size_t block_max = 0;
    bool has_block_checksums = false;
    bool has_content_checksum = false;
};

std::optional<Frame> read_header(ByteView stream, bool ignores_checksum) {
    if (stream.size() < kHeader.size() ||
        !std::equal(kHeader.begin(), kHeader.begin() + kMagicSize, stream.begin())) {
        return std::nullopt;
    }
    const unsigned flags = stream[kMagicSize];
    const unsigned sizes = stream[kMagicSize + 1];
    const bool is_version_1 = flags >> 6 == 1;
    const bool is_independent = (flags >> 5 & 1U) == 1;
    const bool has_reserved = (flags & 3U) != 0 || (sizes & 0x8FU) != 0;
    const unsigned block_code = sizes >> 4 & 7U;
    if (!is_version_1 || !is_independent || has_reserved || block_code < 4) {
        return std::nullopt;
    }
    Frame frame;
    frame.block_max = std::size_t{1} << (2 * block_code + 8);
    frame.has_block_checksums = (flags >> 4 & 1U) == 1;
    frame.has_content_checksum = (flags >> 2 & 1U) == 1;
    const std::size_t descriptor = (flags >> 3 & 1U) == 1 ? 10 : 2;  // with a content size or not
    frame.header_size = kMagicSize + descriptor + 1;
    if (stream.size() < frame.header_size) {
        return std::nullopt;
    }
    const XXH32_hash_t hash = XXH32(stream.data() + kMagicSize, descriptor, 0);
    const bool is_right = stream[frame.header_size - 1] == (hash >> 8 & 0xFFU);
    return is_right || ignores_checksum ? std::optional(frame) : std::nullopt;
}

/// Appends the content of one compressed block.
bool read_block(ByteView block, const Frame& frame, Bytes& out) {
    const std::size_t before = out.size();
    out.resize(before + frame.block_max);
    const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()),
                                         reinterpret_cast<char*>(out.data() + before),
                                         static_cast<int>(block.size()),
                                         static_cast<int>(frame.block_max));
    out.resize(before + static_cast<std::size_t>(std::max(size, 0)));
    return size >= 0;
}

}  // namespace

Bytes write_lz4(const Compression& how, ByteView content) {
    Bytes out(kHeader.begin(), kHeader.end());
    while (!content.empty()) {
        const ByteView part = content.first(std::min(content.size(), kBlockContent));
        content = content.subspan(part.size());
        const Bytes block = how.encoder == Encoder::kLab
                                ? lab_lz4_block(part)
                                : library_block(part, how.level.value_or(kFastLevel));
        const bool shrinks = block.size() < part.size();
        const ByteView stored = shrinks ? ByteView(block) : part;
        put_le32(out, static_cast<std::uint32_t>(stored.size()) | (shrinks ? 0 : kStoredBit));
        out.insert(out.end(), stored.begin(), stored.end());
    }
    put_le32(out, 0);
    return out;
}

Result<Bytes, DecompressError> read_lz4(ByteView stream, const DecompressOptions& options) {
    const auto frame = read_header(stream, options.ignores_lz4_header_checksum);
    if (!frame) {
        return Error{DecompressError::kCorrupt};
    }
    ByteView rest = stream.subspan(frame->header_size);
    const std::size_t checksum = frame->has_block_checksums ? 4 : 0;
    Bytes out;
    while (rest.size() >= 4) {
        const std::uint32_t word = get_le32(rest, 0);
        const std::size_t size = word & ~kStoredBit;
        rest = rest.subspan(4);
        if (size == 0) {
            const bool is_whole = !frame->has_content_checksum || rest.size() >= 4;
            return is_whole ? Result<Bytes, DecompressError>(std::move(out))
                            : Error{DecompressError::kCorrupt};
        }
        if (size > frame->block_max || rest.size() < size + checksum) {
            break;
        }
        const ByteView block = rest.first(size);
        if (checksum > 0 && XXH32(block.data(), size, 0) != get_le32(rest, size)) {
            break;
        }
        if ((word & kStoredBit) != 0) {
            out.insert(out.end(), block.begin(), block.end());
        } else if (!read_block(block, *frame, out)) {
            break;
        }
        if (out.size() > options.bytes_max) {
            return Error{DecompressError::kTooLarge};
        }
        rest = rest.subspan(size + checksum);
    }
    return Error{DecompressError::kCorrupt};
}

}  // namespace klab::storage
