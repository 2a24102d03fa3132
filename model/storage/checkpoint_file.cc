// SPDX-License-Identifier: Apache-2.0
//
// See checkpoint_file.h.
#include "model/storage/checkpoint_file.h"

#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "model/storage/byte_io.h"

namespace klab::storage {

namespace {

constexpr std::string_view kSpace = " \t\r";

/// The lines of a text; a last line without '\n' counts, an empty rest after the last '\n' does
/// not.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : text_(text) {}

    [[nodiscard]] std::optional<std::string_view> next() {
        if (text_.empty()) {
            return std::nullopt;
        }
        const std::size_t end = text_.find('\n');
        const std::string_view line = text_.substr(0, end);
        text_ = end == std::string_view::npos ? std::string_view() : text_.substr(end + 1);
        ++number_;
        return line;
    }

    [[nodiscard]] std::uint32_t number() const { return number_; }

  private:
    std::string_view text_;
    std::uint32_t number_ = 0;
};

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    while (true) {
        const std::size_t start = line.find_first_not_of(kSpace);
        if (start == std::string_view::npos) {
            return fields;
        }
        const std::size_t end = line.find_first_of(kSpace, start);
        fields.push_back(line.substr(start, end == std::string_view::npos ? end : end - start));
        line = end == std::string_view::npos ? std::string_view() : line.substr(end);
    }
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
    T value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<EpochEntry> parse_epoch_entry(std::string_view line) {
    const auto fields = fields_of(line);
    if (fields.size() != 2) {
        return std::nullopt;
    }
    const auto epoch = parse_number<std::int32_t>(fields[0]);
    const auto offset = parse_number<std::int64_t>(fields[1]);
    if (!epoch || !offset || *epoch < 0 || *offset < 0) {
        return std::nullopt;
    }
    return EpochEntry{types::LeaderEpoch(*epoch), types::Offset(*offset)};
}

std::optional<OffsetCheckpointEntry> parse_offset_entry(std::string_view line) {
    const auto fields = fields_of(line);
    if (fields.size() != 3) {
        return std::nullopt;
    }
    const auto partition = parse_number<std::int32_t>(fields[1]);
    const auto offset = parse_number<std::int64_t>(fields[2]);
    if (!partition || !offset) {
        return std::nullopt;
    }
    return OffsetCheckpointEntry{{std::string(fields[0]), *partition}, types::Offset(*offset)};
}

template <typename Entry, typename ParseLine>
Result<std::vector<Entry>, CheckpointError> parse(ByteView bytes, ParseLine parse_line) {
    using Kind = CheckpointErrorKind;
    LineReader lines(text_of(bytes));
    std::vector<Entry> entries;
    const auto version_line = lines.next();
    if (!version_line) {
        return entries;
    }
    const auto version = parse_number<std::int32_t>(*version_line);
    if (!version) {
        return Error{CheckpointError{Kind::kMalformedVersion, 1}};
    }
    if (*version != 0) {
        return Error{CheckpointError{Kind::kUnknownVersion, 1}};
    }
    const auto count_line = lines.next();
    if (!count_line) {
        return entries;
    }
    const auto count = parse_number<std::int32_t>(*count_line);
    if (!count || *count < 0) {
        return Error{CheckpointError{Kind::kMalformedCount, 2}};
    }
    while (const auto line = lines.next()) {
        auto entry = parse_line(*line);
        if (!entry) {
            return Error{CheckpointError{Kind::kMalformedEntry, lines.number()}};
        }
        entries.push_back(std::move(*entry));
    }
    if (entries.size() != static_cast<std::size_t>(*count)) {
        const bool few = entries.size() < static_cast<std::size_t>(*count);
        return Error{CheckpointError{few ? Kind::kTooFewEntries : Kind::kTooManyEntries, 2}};
    }
    return entries;
}

Bytes to_bytes(const fmt::memory_buffer& text) {
    const ByteView view = view_of({text.data(), text.size()});
    return {view.begin(), view.end()};
}

}  // namespace

Bytes encode_epoch_checkpoint(const std::vector<EpochEntry>& entries) {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), "0\n{}\n", entries.size());
    for (const EpochEntry& entry : entries) {
        fmt::format_to(std::back_inserter(text), "{} {}\n", entry.epoch, entry.start_offset);
    }
    return to_bytes(text);
}

Bytes encode_offset_checkpoint(const std::vector<OffsetCheckpointEntry>& entries) {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), "0\n{}\n", entries.size());
    for (const OffsetCheckpointEntry& entry : entries) {
        fmt::format_to(std::back_inserter(text),
                       "{} {} {}\n",
                       entry.partition.topic,
                       entry.partition.partition,
                       entry.offset);
    }
    return to_bytes(text);
}

Result<std::vector<EpochEntry>, CheckpointError> parse_epoch_checkpoint(ByteView bytes) {
    return parse<EpochEntry>(bytes, parse_epoch_entry);
}

Result<std::vector<OffsetCheckpointEntry>, CheckpointError> parse_offset_checkpoint(
    ByteView bytes) {
    return parse<OffsetCheckpointEntry>(bytes, parse_offset_entry);
}

}  // namespace klab::storage
