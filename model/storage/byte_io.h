// SPDX-License-Identifier: Apache-2.0
//
// Big-endian integers in bytes: the one place where file and wire order becomes a number. All of
// Kafka's files are big-endian two's complement.
//
// Owns: nothing; a ByteWriter appends to the caller's Bytes, a ByteReader looks at the caller's.
// Called by: every codec of model/storage and of the layers above it.
// Kafka: java.nio.ByteBuffer, common.utils.ByteUtils.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "sim/base/bytes.h"

namespace klab::storage {

namespace detail {
template <std::integral T>
[[nodiscard]] constexpr T to_big_endian(T value) {
    if constexpr (sizeof(T) == 1 || std::endian::native == std::endian::big) {
        return value;
    } else if constexpr (sizeof(T) == 2) {
        return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
    } else {
        return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
    }
}
}  // namespace detail

/// The integer in the sizeof(T) bytes at `at`. Requires: that many bytes are there.
template <std::integral T>
[[nodiscard]] T load_be(const std::uint8_t* at) {
    T raw;
    std::memcpy(&raw, at, sizeof(T));
    return detail::to_big_endian(raw);
}

/// Writes sizeof(T) bytes at `at`. Requires: that much room.
template <std::integral T>
void store_be(std::uint8_t* at, T value) {
    const T raw = detail::to_big_endian(value);
    std::memcpy(at, &raw, sizeof(T));
}

/// The bytes of a text, for keys and values. Lives as long as the text.
[[nodiscard]] inline ByteView view_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The same bytes seen as text. Lives as long as the bytes.
[[nodiscard]] inline std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends big-endian integers to a byte vector that the caller owns.
class ByteWriter {
  public:
    explicit ByteWriter(Bytes& out) : out_(&out) {}

    template <std::integral T>
    void put(T value) {
        const std::size_t at = out_->size();
        out_->resize(at + sizeof(T));
        store_be(out_->data() + at, value);
    }

    void put_bytes(ByteView bytes) { out_->insert(out_->end(), bytes.begin(), bytes.end()); }

  private:
    Bytes* out_;
};

/// Why a ByteReader stopped.
enum class ReadError : std::uint8_t {
    kOutOfBytes,      ///< fewer bytes left than asked for
    kOverlongVarint,  ///< more than 5 (varint) or 10 (varlong) groups
};

/// Reads big-endian integers with bounds. After the first error every read gives 0 and nothing, and
/// `error()` tells what it was, so a decoder may read a whole struct and look once.
class ByteReader {
  public:
    explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

    [[nodiscard]] bool ok() const { return !error_.has_value(); }

    [[nodiscard]] std::optional<ReadError> error() const { return error_; }

    [[nodiscard]] std::size_t position() const { return position_; }

    [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }

    void fail(ReadError error) {
        if (!error_) {
            error_ = error;
        }
        position_ = bytes_.size();
    }

    template <std::integral T>
    [[nodiscard]] T get() {
        if (remaining() < sizeof(T)) {
            fail(ReadError::kOutOfBytes);
            return 0;
        }
        const T value = load_be<T>(bytes_.data() + position_);
        position_ += sizeof(T);
        return value;
    }

    /// The next `size` bytes as a view; empty and failed when there are fewer.
    [[nodiscard]] ByteView take(std::size_t size) {
        if (remaining() < size) {
            fail(ReadError::kOutOfBytes);
            return {};
        }
        const ByteView view = bytes_.subspan(position_, size);
        position_ += size;
        return view;
    }

  private:
    ByteView bytes_;
    std::size_t position_ = 0;
    std::optional<ReadError> error_;
};

}  // namespace klab::storage
