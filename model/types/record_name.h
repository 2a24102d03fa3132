// SPDX-License-Identifier: Apache-2.0
//
// The name of a record: which client sent it as its how-manieth. It is the record's value in the
// log ("p1:7"), or a header of a tombstone, so that checks and pictures can tell records apart by
// what is on the disk, as the public history checkers do.
//
// Called by: the producer (make), the consumer, checks, pictures (parse).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace klab::types {

struct RecordName {
    std::string client;
    std::int64_t number = 0;  ///< from 0

    friend bool operator==(const RecordName&, const RecordName&) = default;
    friend auto operator<=>(const RecordName&, const RecordName&) = default;
};

/// Key of the header in which a tombstone carries its name.
inline constexpr std::string_view kRecordNameHeader = "record";

/// "p1:7", followed by " ...." up to `value_bytes` when that is longer.
[[nodiscard]] std::string make_record_value(std::string_view client,
                                            std::int64_t number,
                                            std::int64_t value_bytes);

/// Nothing when the value is not one of make_record_value.
[[nodiscard]] std::optional<RecordName> parse_record_value(std::string_view value);

}  // namespace klab::types
