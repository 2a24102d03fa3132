// SPDX-License-Identifier: Apache-2.0
//
// See codec.h.
#include "model/types/codec.h"

namespace klab::types {

std::string_view to_text(Codec codec) {
    switch (codec) {
        case Codec::kNone:
            return "none";
        case Codec::kGzip:
            return "gzip";
        case Codec::kSnappy:
            return "snappy";
        case Codec::kLz4:
            return "lz4";
        case Codec::kZstd:
            return "zstd";
    }
    return "";
}

std::optional<Codec> find_codec(std::string_view name) {
    for (const Codec codec : kAllCodecs) {
        if (to_text(codec) == name) {
            return codec;
        }
    }
    return name == "uncompressed" ? std::optional(Codec::kNone) : std::nullopt;
}

}  // namespace klab::types
