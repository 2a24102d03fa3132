// SPDX-License-Identifier: Apache-2.0
//
// The streams of the four codecs: framing, what readers accept and refuse, limits, and the pinned
// bytes of klab's own encoders. The laws are in compression_law_test.cc.
#include "model/storage/compression.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/byte_io.h"
#include "model/storage/lz_matches.h"
#include "tests/storage/hex.h"

namespace klab::storage {
namespace {

constexpr Encoder kEncoders[] = {Encoder::kLab, Encoder::kLibrary};
constexpr Codec kCompressing[] = {Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd};

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

/// Bytes without a pattern that an encoder could find.
Bytes noise(std::size_t size) {
    Bytes out;
    std::uint32_t state = 12345;
    while (out.size() < size) {
        state = state * 1'664'525U + 1'013'904'223U;
        out.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    return out;
}

/// As records of a scenario look: names that count up, and padding.
Bytes record_like(std::size_t size) {
    std::string text;
    for (int i = 0; text.size() < size; ++i) {
        text += fmt::format("p1:{} ..............................", i);
    }
    text.resize(size);
    return bytes_of(text);
}

std::optional<Bytes> read(Codec codec, const Bytes& stream) {
    auto content = decompress(codec, stream);
    return content ? std::optional(*content) : std::nullopt;
}

Bytes joined(std::initializer_list<Bytes> parts) {
    Bytes out;
    for (const Bytes& part : parts) {
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

TEST(Compression, ReadingUndoesWritingForEveryCodecEncoderAndSize) {
    // Sizes around the block sizes of each format: 32 KiB, 64 KiB, 128 KiB.
    for (const std::size_t size : {0U, 1U, 12U, 13U, 1000U, 32'768U, 65'537U, 131'073U, 400'000U}) {
        for (const Bytes& content : {noise(size), record_like(size), Bytes(size, 7)}) {
            for (const Codec codec : kCompressing) {
                for (const Encoder encoder : kEncoders) {
                    const Bytes stream = compress({codec, encoder, std::nullopt}, content);
                    EXPECT_EQ(read(codec, stream), content)
                        << to_text(codec) << ' ' << static_cast<int>(encoder) << ' ' << size;
                }
            }
        }
    }
}

TEST(Compression, NoCodecIsACopyWithTheSameLimit) {
    const Bytes content = bytes_of("as it is");
    EXPECT_EQ(compress({}, content), content);
    EXPECT_EQ(read(Codec::kNone, content), content);
    EXPECT_EQ(decompress(Codec::kNone, content, {.bytes_max = 7}).error(),
              DecompressError::kTooLarge);
}

TEST(Compression, LabEncodersCompressRecords) {
    const Bytes content = record_like(16'384);
    for (const Codec codec : kCompressing) {
        EXPECT_LT(compress({.codec = codec}, content).size(), content.size() / 3) << to_text(codec);
    }
}

TEST(Compression, LabEncodersHardlyGrowWhatDoesNotCompress) {
    const Bytes content = noise(200'000);
    for (const Codec codec : kCompressing) {
        EXPECT_LT(compress({.codec = codec}, content).size(), content.size() + 1'000)
            << to_text(codec);
    }
}

TEST(Compression, LibrariesTakeKafkasLevels) {
    const Bytes content = record_like(50'000);
    const std::pair<Codec, std::vector<std::int32_t>> rows[] = {
        {Codec::kGzip, {-1, 1, 9}}, {Codec::kLz4, {1, 9, 17}}, {Codec::kZstd, {-131'072, 3, 22}}};
    for (const auto& [codec, levels] : rows) {
        for (const std::int32_t level : levels) {
            EXPECT_EQ(read(codec, compress({codec, Encoder::kLibrary, level}, content)), content)
                << to_text(codec) << ' ' << level;
        }
    }
}

TEST(LabEncoder, BytesArePinned) {
    // They are part of every trace hash with compressed batches: a change here changes those.
    const Bytes content = bytes_of("abcdabcdabcdabcdabcdabcdX and abcdabcd");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kGzip}, content)),
              "1f8b08000000000000ff4b4c4a4ec186231412f35214402c100600d0d8638626000000");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kSnappy}, content)),
              "82534e4150505900000000010000000100000014260c616263644e0400145820616e6420010a0104");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kLz4}, content)),
              "04224d18604082170000004f61626364040001e05820616e6420616263646162636400000000");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kZstd}, content)),
              "28b52ffd0038a5000050616263645820616e64200300bb002d41997644");
}

TEST(LzMatches, StepsOfASmallBlock) {
    const LzRules rules{.distance_max = 65'535, .length_max = 65'535};
    EXPECT_EQ(find_matches(bytes_of("abcabcabcX"), rules),
              (std::vector<LzStep>{{3, 6, 3}, {1, 0, 0}}));
    EXPECT_EQ(find_matches(bytes_of(""), rules), (std::vector<LzStep>{{0, 0, 0}}));
    EXPECT_EQ(find_matches(bytes_of("abcd1abcd"), rules),
              (std::vector<LzStep>{{5, 4, 5}, {0, 0, 0}}));
}

TEST(LzMatches, ObeysTheLimitsOfAFormat) {
    const Bytes zeros(100, 0);
    EXPECT_EQ(find_matches(zeros, {.distance_max = 9, .length_max = 50}).front(),
              (LzStep{1, 50, 1}));
    EXPECT_EQ(find_matches(zeros,
                           {.distance_max = 9,
                            .length_max = 500,
                            .tail_without_start = 12,
                            .tail_without_match = 5}),
              (std::vector<LzStep>{{1, 94, 1}, {5, 0, 0}}));
    EXPECT_EQ(find_matches(bytes_of("abcd......abcd"), {.distance_max = 9, .length_max = 50}),
              (std::vector<LzStep>{{5, 5, 1}, {4, 0, 0}}))
        << "too far back";
}

TEST(Gzip, HeaderAsJavaWritesIt) {
    EXPECT_EQ(to_hex(compress({.codec = Codec::kGzip}, {})),
              "1f8b08000000000000ff03000000000000000000");
}

TEST(Gzip, MembersMayFollowOneAnother) {
    const Bytes one = compress({.codec = Codec::kGzip}, bytes_of("one"));
    const Bytes two = compress({.codec = Codec::kGzip}, bytes_of("two"));
    EXPECT_EQ(read(Codec::kGzip, joined({one, two})), bytes_of("onetwo"));
    EXPECT_EQ(read(Codec::kGzip, joined({one, Bytes(18, 1)})), bytes_of("one"));
    EXPECT_EQ(read(Codec::kGzip, joined({one, noise(40)})), bytes_of("one"));
}

TEST(Gzip, ChecksumAndSizeAreChecked) {
    Bytes stream = compress({.codec = Codec::kGzip}, bytes_of("content"));
    stream[stream.size() - 1] ^= 1;
    EXPECT_EQ(read(Codec::kGzip, stream), std::nullopt);
    stream[stream.size() - 1] ^= 1;
    stream[stream.size() - 5] ^= 1;
    EXPECT_EQ(read(Codec::kGzip, stream), std::nullopt);
}

TEST(Snappy, XerialFraming) {
    const Bytes stream = compress({.codec = Codec::kSnappy}, bytes_of("ab"));
    EXPECT_EQ(to_hex(stream),
              "82534e4150505900"
              "00000001"
              "00000001"
              "00000004"
              "02046162");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kSnappy}, {})), "82534e41505059000000000100000001");
}

TEST(Snappy, BlocksHold32KiBEach) {
    const Bytes stream = compress({.codec = Codec::kSnappy}, Bytes(70'000, 9));
    ByteReader reader(stream);
    (void)reader.take(16);
    int blocks = 0;
    for (; reader.remaining() > 0; ++blocks) {
        (void)reader.take(static_cast<std::size_t>(reader.get<std::int32_t>()));
    }
    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(blocks, 3);
}

TEST(Snappy, ABareBlockIsReadToo) {
    EXPECT_EQ(read(Codec::kSnappy, from_hex("02 04 61 62")), bytes_of("ab"));
    EXPECT_EQ(read(Codec::kSnappy, {}), std::nullopt);
}

TEST(Snappy, StreamsMayFollowOneAnotherAndAShortTailIsIgnored) {
    const Bytes one = compress({.codec = Codec::kSnappy}, bytes_of("one"));
    EXPECT_EQ(read(Codec::kSnappy, joined({one, one, {0, 0, 0}})), bytes_of("oneone"));
    EXPECT_EQ(read(Codec::kSnappy, joined({one, {0, 0, 0, 9}})), std::nullopt) << "block cut off";
    EXPECT_EQ(read(Codec::kSnappy, joined({one, {0xFF, 0, 0, 0}})), std::nullopt) << "negative";
}

TEST(Snappy, ALengthThatNoBlockOfThatSizeCanHaveIsRefusedAtOnce) {
    EXPECT_EQ(read(Codec::kSnappy, from_hex("FF FF FF FF 0F 00")), std::nullopt);
}

TEST(Lz4, FrameOfASmallStream) {
    // Too short for a match: stored, with bit 31 of the size.
    EXPECT_EQ(to_hex(compress({.codec = Codec::kLz4}, bytes_of("ab"))),
              "04224d18"
              "604082"
              "02000080"
              "6162"
              "00000000");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kLz4}, {})), "04224d1860408200000000");
}

TEST(Lz4, BothEncodersStoreWhatDoesNotShrink) {
    const Bytes content = noise(70'000);
    EXPECT_EQ(compress({.codec = Codec::kLz4}, content),
              compress({Codec::kLz4, Encoder::kLibrary, std::nullopt}, content));
}

/// A frame with one stored block of "ab" and this descriptor.
Bytes lz4_frame(std::string_view descriptor, std::string_view after_block, std::string_view end) {
    return from_hex(
        fmt::format("04224d18 {} 02000080 6162 {} 00000000 {}", descriptor, after_block, end));
}

TEST(Lz4, OtherFlavoursOfFrame) {
    const Bytes content = bytes_of("ab");
    EXPECT_EQ(read(Codec::kLz4, lz4_frame("64 70 b9", "", "0c3bef92")), content)
        << "content checksum (not looked at), blocks of 4 MiB";
    EXPECT_EQ(read(Codec::kLz4, lz4_frame("64 70 b9", "", "0c3b")), std::nullopt)
        << "checksum cut off";
    EXPECT_EQ(read(Codec::kLz4, joined({lz4_frame("60 40 82", "", ""), noise(9)})), content)
        << "what follows the end mark does not count";
    const auto refused = [](std::string_view descriptor) {
        return read(Codec::kLz4, lz4_frame(descriptor, "", "")) == std::nullopt;
    };
    EXPECT_TRUE(refused("40 40 c0")) << "dependent blocks";
    EXPECT_TRUE(refused("61 40 3a")) << "reserved bit";
    EXPECT_TRUE(refused("60 41 2e")) << "reserved bits of the block descriptor";
    EXPECT_TRUE(refused("60 30 7b")) << "block size code 3";
    EXPECT_TRUE(refused("a0 40 ac")) << "version 2";
    EXPECT_TRUE(refused("60 40 83")) << "wrong header checksum";
}

TEST(Lz4, FormatZeroDoesNotLookAtTheHeaderChecksum) {
    const Bytes stream = lz4_frame("60 40 1c", "", "");
    const auto content = decompress(Codec::kLz4, stream, {.ignores_lz4_header_checksum = true});
    ASSERT_TRUE(content.ok());
    EXPECT_EQ(*content, bytes_of("ab"));
}

TEST(Lz4, BlocksMayNotBeLargerThanTheDescriptorSays) {
    const Bytes large =
        joined({from_hex("04224d18 604082 01000180"), Bytes(65'537, 1), from_hex("00000000")});
    EXPECT_EQ(read(Codec::kLz4, large), std::nullopt);
}

TEST(Zstd, FrameOfASmallStream) {
    EXPECT_EQ(to_hex(compress({.codec = Codec::kZstd}, bytes_of("ab"))),
              "28b52ffd"
              "0038"
              "110000"
              "6162");
    EXPECT_EQ(to_hex(compress({.codec = Codec::kZstd}, {})),
              "28b52ffd"
              "0038"
              "010000");
}

TEST(Zstd, FramesMayFollowOneAnotherButNothingElse) {
    const Bytes one = compress({.codec = Codec::kZstd}, bytes_of("one"));
    EXPECT_EQ(read(Codec::kZstd, joined({one, one})), bytes_of("oneone"));
    EXPECT_EQ(read(Codec::kZstd, joined({one, Bytes(9, 1)})), std::nullopt);
    EXPECT_EQ(read(Codec::kZstd, {}), std::nullopt);
}

TEST(Decompression, StopsAtTheLimit) {
    const Bytes zeros(3'000'000, 0);
    for (const Codec codec : kCompressing) {
        for (const Encoder encoder : kEncoders) {
            const Bytes stream = compress({codec, encoder, std::nullopt}, zeros);
            const auto exact = decompress(codec, stream, {.bytes_max = zeros.size()});
            EXPECT_TRUE(exact.ok()) << to_text(codec);
            const auto over = decompress(codec, stream, {.bytes_max = zeros.size() - 1});
            ASSERT_FALSE(over.ok()) << to_text(codec);
            EXPECT_EQ(over.error(), DecompressError::kTooLarge) << to_text(codec);
        }
    }
}

TEST(Decompression, AStreamThatIsCutOffIsCorrupt) {
    const Bytes content = record_like(5'000);
    for (const Codec codec : kCompressing) {
        Bytes stream = compress({.codec = codec}, content);
        stream.resize(stream.size() - 5);
        ASSERT_FALSE(decompress(codec, stream).ok()) << to_text(codec);
        EXPECT_EQ(decompress(codec, stream).error(), DecompressError::kCorrupt);
    }
}

}  // namespace
}  // namespace klab::storage
