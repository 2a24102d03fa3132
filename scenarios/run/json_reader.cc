// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace klab::scenario {

namespace {

/// Walks over bytes and keeps, in a counter shared by all copies, how many were read.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}

    reference operator*() const { return *at_; }

    CountingIterator& operator++() {
        ++at_;
        ++*count_;
        return *this;
    }

    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
        return a.at_ == b.at_;
    }

  private:
    const char* at_;
    std::size_t* count_;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_number_character(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Receives nlohmann's events, one a token, and builds the tree. The SAX interface gives no
/// positions: a token begins at the first byte after the last one that is no space, comma or colon.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
  public:
    TreeBuilder(const SourceText& text,
                std::uint32_t source,
                const std::size_t& count,
                Findings& findings)
        : text_(text.text()), source_(source), count_(count), findings_(findings) {}

    bool null() override { return scalar(JsonKind::kNull, 4, {}); }

    bool boolean(bool value) override {
        Json json;
        json.boolean = value;
        return scalar(JsonKind::kBoolean, value ? 4 : 5, std::move(json));
    }

    bool number_integer(number_integer_t value) override {
        Json json;
        json.integer = value;
        return scalar(JsonKind::kInteger, number_length(), std::move(json));
    }

    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(INT64_MAX)) {
            return too_large();
        }
        return number_integer(static_cast<number_integer_t>(value));
    }

    bool number_float(number_float_t value, const string_t& written) override {
        constexpr double kExactMax = 9007199254740992.0;  // 2^53: doubles are exact below
        const bool plain = written.find_first_of(".eE") == string_t::npos;
        if (plain || !std::isfinite(value)) {
            return too_large();
        }
        if (value == std::trunc(value) && value > -kExactMax && value < kExactMax) {
            return number_integer(static_cast<number_integer_t>(value));
        }
        return scalar(JsonKind::kNumber, number_length(), {});
    }

    bool string(string_t& value) override {
        Json json;
        json.text = std::move(value);
        return scalar(JsonKind::kText, count_ - token_begin(), std::move(json));
    }

    bool binary(binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*elements*/) override { return open(JsonKind::kObject); }

    bool key(string_t& value) override {
        const std::size_t begin = token_begin();
        JsonMember member;
        member.key = std::move(value);
        member.key_where = span(begin, count_);
        last_end_ = count_;
        open_.back()->members.push_back(std::move(member));
        return true;
    }

    bool end_object() override {
        report_duplicates(*open_.back());
        return close();
    }

    bool start_array(std::size_t /*elements*/) override { return open(JsonKind::kList); }

    bool end_array() override { return close(); }

    bool parse_error(std::size_t position,
                     const std::string& last_token,
                     const nlohmann::json::exception& error) override;

    /// The document, once the pass has succeeded.
    [[nodiscard]] std::optional<Json> take() {
        return root_ == nullptr ? std::nullopt : std::optional<Json>(std::move(*root_));
    }

  private:
    [[nodiscard]] std::size_t token_begin() const {
        std::size_t i = last_end_;
        while (i < text_.size() && (is_space(text_[i]) || text_[i] == ',' || text_[i] == ':' ||
                                    (i < 3 && static_cast<unsigned char>(text_[i]) >= 0x80))) {
            ++i;
        }
        return i;
    }

    [[nodiscard]] std::size_t number_length() const {
        const std::size_t begin = token_begin();
        std::size_t end = begin;
        while (end < text_.size() && is_number_character(text_[end])) {
            ++end;
        }
        return end - begin;
    }

    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
        return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    /// Where the next value goes: the root, the last key's value, or the end of a list.
    Json& place(Json json) {
        if (open_.empty()) {
            root_ = std::make_unique<Json>(std::move(json));
            return *root_;
        }
        Json& parent = *open_.back();
        if (parent.is(JsonKind::kObject)) {
            parent.members.back().value = std::move(json);
            return parent.members.back().value;
        }
        parent.elements.push_back(std::move(json));
        return parent.elements.back();
    }

    bool scalar(JsonKind kind, std::size_t length, Json json) {
        if (too_many()) {
            return false;
        }
        const std::size_t begin = token_begin();
        json.kind = kind;
        json.where = span(begin, begin + length);
        if (kind == JsonKind::kInteger || kind == JsonKind::kNumber) {
            json.text = text_.substr(begin, length);
        }
        last_end_ = begin + length;
        place(std::move(json));
        return true;
    }

    bool open(JsonKind kind) {
        const std::size_t begin = token_begin();
        if (too_many()) {
            return false;
        }
        if (open_.size() == kDepthMax) {
            findings_.add({.code = "S007",
                           .severity = Severity::kError,
                           .message = fmt::format("nested more than {} deep", kDepthMax),
                           .where = span(begin, begin + 1),
                           .label = "one bracket too many",
                           .help = {},
                           .suggestions = {}});
            return false;
        }
        Json json;
        json.kind = kind;
        json.where = span(begin, begin + 1);
        last_end_ = begin + 1;
        open_.push_back(&place(std::move(json)));
        return true;
    }

    bool close() {
        last_end_ = count_;
        open_.back()->where.end = static_cast<std::uint32_t>(count_);
        open_.pop_back();
        return true;
    }

    bool too_many() {
        if (++values_ <= kValuesMax) {
            return false;
        }
        const std::size_t begin = token_begin();
        findings_.add({.code = "S003",
                       .severity = Severity::kError,
                       .message = fmt::format("more than {} values in one file", kValuesMax),
                       .where = span(begin, begin + 1),
                       .label = "reading stops here",
                       .help = {},
                       .suggestions = {}});
        return true;
    }

    bool too_large() {
        const std::size_t begin = token_begin();
        findings_.add({.code = "S009",
                       .severity = Severity::kError,
                       .message = "a number that does not fit",
                       .where = span(begin, begin + number_length()),
                       .label = "whole numbers go up to 9223372036854775807",
                       .help = {},
                       .suggestions = {}});
        return false;
    }

    void report_duplicates(const Json& object);

    const std::string& text_;
    std::uint32_t source_;
    const std::size_t& count_;  // bytes that the iterator has read
    Findings& findings_;
    std::size_t last_end_ = 0;  // byte behind the last token
    std::size_t values_ = 0;
    std::unique_ptr<Json> root_;
    std::vector<Json*>
        open_;  // containers not closed yet, outermost first; they do not move while open
};

void TreeBuilder::report_duplicates(const Json& object) {
    std::vector<const JsonMember*> sorted;
    sorted.reserve(object.members.size());
    for (const JsonMember& member : object.members) {
        sorted.push_back(&member);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const JsonMember* a, const JsonMember* b) {
        return a->key < b->key;
    });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i]->key != sorted[i - 1]->key) {
            continue;
        }
        findings_.add(
            {.code = "S008",
             .severity = Severity::kError,
             .message = fmt::format("the key \"{}\" stands twice in one object", sorted[i]->key),
             .where = sorted[i]->key_where,
             .label = "given before",
             .help = {"JSON readers disagree about which one counts, so klab takes none"},
             .suggestions = {}});
    }
}

/// What nlohmann expected, in plain words, when the mistake is one of the usual ones.
std::string usual_mistake(std::string_view text, std::size_t begin, std::string_view reason) {
    const char c = begin < text.size() ? text[begin] : '\0';
    std::size_t before = begin;
    while (before > 0 && is_space(text[before - 1])) {
        --before;
    }
    const bool comma_before = before > 0 && text[before - 1] == ',';
    if ((c == '}' || c == ']') && comma_before) {
        return "no comma before the closing bracket";
    }
    if (c == ',') {
        return "one comma too many";
    }
    if (c == '/' || c == '#') {
        return "JSON has no comments: use \"note\" or a key that begins with //";
    }
    if (c == '\'') {
        return "a text stands in double quotes";
    }
    const bool after_value = reason.find("expected '}'") != std::string_view::npos ||
                             reason.find("expected ']'") != std::string_view::npos;
    if (after_value && !comma_before &&
        (c == '"' || c == '{' || c == '[' || c == '-' || (c >= '0' && c <= '9'))) {
        return "a comma is missing before this";
    }
    if (after_value) {
        return "expected a comma or the closing bracket";
    }
    if (reason.find("expected string literal") != std::string_view::npos) {
        return "expected a key in double quotes";
    }
    if (reason.find("expected ':'") != std::string_view::npos) {
        return "expected a colon behind the key";
    }
    if (reason.find("; expected end of input") != std::string_view::npos) {
        return "nothing may follow the closing bracket";
    }
    if (reason.find("control character") != std::string_view::npos ||
        reason.find("missing closing quote") != std::string_view::npos) {
        return "a text ends on the line on which it begins";
    }
    return "expected a value: text, number, true, false, null, list or object";
}

bool TreeBuilder::parse_error(std::size_t /*position*/,
                              const std::string& /*last_token*/,
                              const nlohmann::json::exception& error) {
    if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr) {
        return too_large();
    }
    const std::string reason = error.what();
    const bool extra_comma = reason.find("unexpected ','") != std::string::npos && count_ > 0;
    const std::size_t begin = extra_comma ? count_ - 1 : std::min(token_begin(), text_.size());
    const bool at_end =
        count_ >= text_.size() && (reason.find("end of input") != std::string::npos ||
                                   reason.find("missing closing quote") != std::string::npos);
    if (at_end && reason.find("; expected end of input") == std::string::npos) {
        const std::size_t last = text_.empty() ? 0 : text_.size() - 1;
        const bool empty = text_.find_first_not_of(" \t\r\n") == std::string::npos;
        findings_.add({.code = "S006",
                       .severity = Severity::kError,
                       .message = empty ? "the file is empty" : "the file ends too early",
                       .where = span(last, last + 1),
                       .label = open_.empty()
                                    ? "nothing to read"
                                    : fmt::format("brackets still open: {}", open_.size()),
                       .help = {},
                       .suggestions = {}});
        return false;
    }
    const std::size_t end = std::max(begin + 1, std::min(count_, text_.size()));
    findings_.add({.code = "S005",
                   .severity = Severity::kError,
                   .message = "this is not JSON",
                   .where = span(begin, end),
                   .label = usual_mistake(text_, begin, reason),
                   .help = {},
                   .suggestions = {}});
    return false;
}

}  // namespace

std::optional<Json> read_json(const SourceText& text, std::uint32_t source, Findings& findings) {
    const std::string& bytes = text.text();
    if (const auto wrong = find_invalid_utf8(bytes)) {
        const auto at = static_cast<std::uint32_t>(*wrong);
        findings.add(
            {.code = "S004",
             .severity = Severity::kError,
             .message = "the file is not UTF-8",
             .where = {source, at, at + 1},
             .label = fmt::format(
                 "byte 0x{:02x} at offset {}", static_cast<unsigned char>(bytes[*wrong]), at),
             .help = {"JSON is written in UTF-8; save the file with that encoding"},
             .suggestions = {}});
        return std::nullopt;
    }
    std::size_t count = 0;
    TreeBuilder builder(text, source, count, findings);
    const CountingIterator begin(bytes.data(), &count);
    const CountingIterator end(bytes.data() + bytes.size(), &count);
    if (!nlohmann::json::sax_parse(begin, end, &builder)) {
        return std::nullopt;
    }
    return builder.take();
}

namespace {

Diagnostic too_large_file(const std::string& path) {
    return diagnostic_without_place(
        "S003", path, "the file is larger than 16 MB", {"a scenario is a page or two"});
}

}  // namespace

Result<std::string, Diagnostic> read_text_file(const std::string& path) {
    std::error_code problem;
    const std::filesystem::file_status status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) {
        return Error{diagnostic_without_place("S001", path, "there is no such file", {})};
    }
    if (!std::filesystem::is_regular_file(status)) {
        const bool directory = std::filesystem::is_directory(status);
        return Error{diagnostic_without_place(
            "S002", path, directory ? "this is a directory" : "this is not a regular file", {})};
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (file == nullptr) {
        return Error{diagnostic_without_place("S001", path, "the file cannot be opened", {})};
    }
    std::string bytes;
    std::vector<char> buffer(1U << 16U);
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    if (!problem && size > kFileBytesMax) {
        return Error{too_large_file(path)};
    }
    while (bytes.size() <= kFileBytesMax) {
        const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get());
        if (n == 0) {
            break;
        }
        bytes.append(buffer.data(), n);
    }
    if (std::ferror(file.get()) != 0) {
        return Error{diagnostic_without_place("S001", path, "the file cannot be read", {})};
    }
    if (bytes.size() > kFileBytesMax) {
        return Error{too_large_file(path)};
    }
    return bytes;
}

}  // namespace klab::scenario
