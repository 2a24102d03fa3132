// SPDX-License-Identifier: Apache-2.0
//
// See gzip_codec.h. Library: zlib.
#include "model/storage/gzip_codec.h"

#include <algorithm>
#include <array>

#include <zlib.h>

#include "model/storage/lab_encoder.h"

namespace klab::storage {

namespace {

constexpr int kWindowBits = 15;
constexpr int kWithGzipHeader = 16;
constexpr int kMemoryLevel = 8;
/// Magic, DEFLATE, no flags, no time, no hint, unknown system.
constexpr std::array<std::uint8_t, 10> kHeader = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF};
constexpr std::size_t kTrailerSize = 8;  // CRC-32 and size of the content
/// GZIPInputStream looks for a further member only if more than this follows the trailer.
constexpr std::size_t kTailIgnored = 18;

void store_le32(std::uint8_t* at, std::uint32_t value) {
    for (unsigned byte = 0; byte < 4; ++byte) {
        at[byte] = static_cast<std::uint8_t>(value >> (8 * byte));
    }
}

/// zlib never writes through it.
Bytef* readable(ByteView bytes) { return const_cast<Bytef*>(bytes.data()); }

Bytes library_deflate(ByteView content, int level) {
    z_stream stream{};
    int status =
        deflateInit2(&stream, level, Z_DEFLATED, -kWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY);
    KLAB_ASSERT(status == Z_OK, "deflateInit2 says {}", status);
    Bytes out(deflateBound(&stream, static_cast<uLong>(content.size())));
    stream.next_in = readable(content);
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    status = deflate(&stream, Z_FINISH);
    KLAB_ASSERT(status == Z_STREAM_END, "deflate says {}", status);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// A zlib reader that is freed in every case.
class Inflater {
  public:
    explicit Inflater(ByteView stream) {
        state_.next_in = readable(stream);
        state_.avail_in = static_cast<uInt>(stream.size());
        const int status = inflateInit2(&state_, kWindowBits + kWithGzipHeader);
        KLAB_ASSERT(status == Z_OK, "inflateInit2 says {}", status);
    }

    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    ~Inflater() { inflateEnd(&state_); }

    /// Appends the next piece of content. Z_OK, Z_STREAM_END, or an error.
    int step(Bytes& out) {
        std::array<std::uint8_t, 16'384> piece;
        state_.next_out = piece.data();
        state_.avail_out = static_cast<uInt>(piece.size());
        const int status = inflate(&state_, Z_NO_FLUSH);
        const auto size = static_cast<std::ptrdiff_t>(piece.size() - state_.avail_out);
        out.insert(out.end(), piece.begin(), piece.begin() + size);
        return status;
    }

    /// Another member begins.
    void restart() { inflateReset(&state_); }

    [[nodiscard]] std::size_t left() const { return state_.avail_in; }

  private:
    z_stream state_{};
};

}  // namespace

Bytes write_gzip(const Compression& how, ByteView content) {
    const int level = how.level.value_or(Z_DEFAULT_COMPRESSION);
    const Bytes body =
        how.encoder == Encoder::kLab ? lab_deflate(content) : library_deflate(content, level);
    Bytes out(kHeader.size() + body.size() + kTrailerSize);
    std::copy(kHeader.begin(), kHeader.end(), out.begin());
    std::copy(body.begin(), body.end(), out.begin() + kHeader.size());
    std::uint8_t* trailer = out.data() + kHeader.size() + body.size();
    const uLong crc = crc32(0, content.data(), static_cast<uInt>(content.size()));
    store_le32(trailer, static_cast<std::uint32_t>(crc));
    store_le32(trailer + 4, static_cast<std::uint32_t>(content.size()));
    return out;
}

Result<Bytes, DecompressError> read_gzip(ByteView stream, const DecompressOptions& options) {
    Inflater inflater(stream);
    Bytes out;
    bool is_first_member = true;
    std::size_t members_end = 0;  // content of whole members
    while (true) {
        const int status = inflater.step(out);
        if (out.size() > options.bytes_max) {
            return Error{DecompressError::kTooLarge};
        }
        if (status == Z_STREAM_END) {
            if (inflater.left() <= kTailIgnored) {
                return out;
            }
            is_first_member = false;
            members_end = out.size();
            inflater.restart();
        } else if (status != Z_OK) {
            // What follows a whole member and is no member itself does not count.
            if (!is_first_member && out.size() == members_end) {
                return out;
            }
            return Error{DecompressError::kCorrupt};
        }
    }
}

}  // namespace klab::storage
