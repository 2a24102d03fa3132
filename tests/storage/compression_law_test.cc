// SPDX-License-Identifier: Apache-2.0
//
// Laws of the codecs: reading undoes writing, whoever wrote; and no bytes make a reader crash, hang
// or take more memory than it may.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/compression.h"

namespace klab::storage {
namespace {

constexpr std::size_t kLimit = 100'000;

/// Runs, repetitions from near and far, and bytes without a pattern.
Bytes arbitrary_content() {
    Bytes out;
    const auto pieces = *rc::gen::inRange(0, 12);
    for (int i = 0; i < pieces; ++i) {
        const auto size = *rc::gen::inRange<std::size_t>(0, 3'000);
        const auto kind = *rc::gen::inRange(0, 3);
        if (kind == 0) {
            out.insert(out.end(), size, *rc::gen::arbitrary<std::uint8_t>());
        } else if (kind == 1 && !out.empty()) {
            const auto distance = *rc::gen::inRange<std::size_t>(1, out.size() + 1);
            for (std::size_t n = 0; n < size; ++n) {
                out.push_back(out[out.size() - distance]);
            }
        } else {
            const auto fresh = *rc::gen::arbitrary<Bytes>();
            out.insert(out.end(), fresh.begin(), fresh.end());
        }
    }
    return out;
}

Codec arbitrary_codec() {
    return *rc::gen::element(Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd);
}

Encoder arbitrary_encoder() { return *rc::gen::element(Encoder::kLab, Encoder::kLibrary); }

/// Either it has content within the limit, or it says why not.
void check_reader(Codec codec, const Bytes& stream) {
    const auto content = decompress(codec, stream, {.bytes_max = kLimit});
    if (content.ok()) {
        RC_ASSERT(content->size() <= kLimit);
    }
    RC_CLASSIFY(content.ok(), "readable");
}

RC_GTEST_PROP(CompressionLaw, ReadingUndoesWriting, ()) {
    const Bytes content = arbitrary_content();
    const Codec codec = arbitrary_codec();
    const Bytes stream = compress({codec, arbitrary_encoder(), std::nullopt}, content);
    const auto read = decompress(codec, stream);
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == content);
}

RC_GTEST_PROP(CompressionLaw, TheLabEncoderIsAFunction, ()) {
    const Bytes content = arbitrary_content();
    const Codec codec = arbitrary_codec();
    RC_ASSERT(compress({.codec = codec}, content) == compress({.codec = codec}, content));
}

RC_GTEST_PROP(HostileStreams, RandomBytes, (const Bytes& junk)) {
    for (const Codec codec : {Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd}) {
        check_reader(codec, junk);
    }
}

RC_GTEST_PROP(HostileStreams, RandomBytesAfterAGoodHeader, (const Bytes& junk)) {
    for (const Codec codec : {Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd}) {
        Bytes stream = compress({.codec = codec}, {});
        stream.resize(stream.size() / 2 + 1);
        stream.insert(stream.end(), junk.begin(), junk.end());
        check_reader(codec, stream);
    }
}

RC_GTEST_PROP(HostileStreams, EveryPrefix, ()) {
    const Codec codec = arbitrary_codec();
    Bytes stream = compress({codec, arbitrary_encoder(), std::nullopt}, arbitrary_content());
    stream.resize(*rc::gen::inRange<std::size_t>(0, stream.size() + 1));
    check_reader(codec, stream);
}

RC_GTEST_PROP(HostileStreams, FlippedBits, ()) {
    const Codec codec = arbitrary_codec();
    Bytes stream = compress({codec, arbitrary_encoder(), std::nullopt}, arbitrary_content());
    const auto flips = *rc::gen::inRange(1, 6);
    for (int i = 0; i < flips && !stream.empty(); ++i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, stream.size());
        stream[at] = static_cast<std::uint8_t>(stream[at] ^ (1U << *rc::gen::inRange(0, 8)));
    }
    check_reader(codec, stream);
}

}  // namespace
}  // namespace klab::storage
