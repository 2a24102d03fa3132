// SPDX-License-Identifier: Apache-2.0
//
// See zstd_codec.h. Library: zstd.
#include "model/storage/zstd_codec.h"

#include <algorithm>
#include <array>
#include <memory>

#include <zstd.h>

#include "model/storage/bit_writer.h"
#include "model/storage/lab_encoder.h"

namespace klab::storage {

namespace {

/// Magic, no flags (no content size, no checksum), a window of 128 KiB.
constexpr std::array<std::uint8_t, 6> kHeader = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38};
constexpr std::size_t kBlockContent = 131'072;
constexpr std::int32_t kDefaultLevel = 3;

enum class BlockType : std::uint8_t { kRaw = 0, kCompressed = 2 };

void put_block(Bytes& out, BlockType type, ByteView block, bool is_last) {
    BitWriter bits(out);
    bits.put(is_last ? 1 : 0, 1);
    bits.put(static_cast<std::uint32_t>(type), 2);
    bits.put(static_cast<std::uint32_t>(block.size()), 21);
    out.insert(out.end(), block.begin(), block.end());
}

Bytes lab_frame(ByteView content) {
    Bytes out(kHeader.begin(), kHeader.end());
    do {
        const ByteView part = content.first(std::min(content.size(), kBlockContent));
        content = content.subspan(part.size());
        const Bytes block = lab_zstd_block(part);
        if (block.size() < part.size()) {
            put_block(out, BlockType::kCompressed, block, content.empty());
        } else {
            put_block(out, BlockType::kRaw, part, content.empty());
        }
    } while (!content.empty());
    return out;
}

Bytes library_frame(ByteView content, std::int32_t level) {
    Bytes out(ZSTD_compressBound(content.size()));
    const std::size_t size =
        ZSTD_compress(out.data(), out.size(), content.data(), content.size(), level);
    KLAB_ASSERT(ZSTD_isError(size) == 0, "zstd says {}", ZSTD_getErrorName(size));
    out.resize(size);
    return out;
}

struct FreeReader {
    void operator()(ZSTD_DCtx* reader) const { ZSTD_freeDCtx(reader); }
};

}  // namespace

Bytes write_zstd(const Compression& how, ByteView content) {
    return how.encoder == Encoder::kLab ? lab_frame(content)
                                        : library_frame(content, how.level.value_or(kDefaultLevel));
}

Result<Bytes, DecompressError> read_zstd(ByteView stream, const DecompressOptions& options) {
    const std::unique_ptr<ZSTD_DCtx, FreeReader> reader(ZSTD_createDCtx());
    KLAB_ASSERT(reader != nullptr, "no memory for a zstd reader");
    ZSTD_inBuffer in{stream.data(), stream.size(), 0};
    std::array<std::uint8_t, 16'384> piece;
    Bytes out;
    while (true) {
        ZSTD_outBuffer to{piece.data(), piece.size(), 0};
        const std::size_t wanted = ZSTD_decompressStream(reader.get(), &to, &in);
        if (ZSTD_isError(wanted) != 0) {
            return Error{DecompressError::kCorrupt};
        }
        out.insert(out.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(to.pos));
        if (out.size() > options.bytes_max) {
            return Error{DecompressError::kTooLarge};
        }
        if (wanted == 0 && in.pos == in.size) {
            return out;
        }
        if (in.pos == in.size && to.pos < to.size) {
            return Error{DecompressError::kCorrupt};  // cut off: it wants more
        }
    }
}

}  // namespace klab::storage
