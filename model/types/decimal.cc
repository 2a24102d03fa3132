// SPDX-License-Identifier: Apache-2.0
//
// See decimal.h.
#include "model/types/decimal.h"

#include <algorithm>
#include <limits>
#include <string>

namespace klab::types {

namespace {

/// Reads a number from left to right.
class DecimalReader {
  public:
    explicit DecimalReader(std::string_view text) : text_(text) {}

    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

    /// Is `c` next? Then it is passed.
    bool take(char c) {
        if (at_end() || text_[at_] != c) {
            return false;
        }
        ++at_;
        return true;
    }

    /// True for a minus.
    bool take_sign() { return take('-') || (take('+'), false); }

    std::string_view take_digits() {
        const std::size_t start = at_;
        while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9') {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// At most 100,000: far beyond what an int64 or a double holds.
std::int64_t small_number(std::string_view digits) {
    constexpr std::int64_t kMost = 100'000;
    std::int64_t value = 0;
    for (const char digit : digits) {
        value = std::min(value * 10 + (digit - '0'), kMost);
    }
    return value;
}

/// digits * 10^shift, cut off and saturated.
std::int64_t scaled(std::string digits, std::int64_t shift) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.empty()) {
        return 0;
    }
    const std::int64_t length = static_cast<std::int64_t>(digits.size()) + shift;
    if (length <= 0) {
        return 0;
    }
    if (length > std::numeric_limits<std::int64_t>::digits10 + 1) {
        return kMost;
    }
    digits.resize(static_cast<std::size_t>(length), '0');
    std::int64_t value = 0;
    for (const char digit : digits) {
        if (value > (kMost - (digit - '0')) / 10) {
            return kMost;
        }
        value = value * 10 + (digit - '0');
    }
    return value;
}

}  // namespace

std::optional<std::int64_t> billionths_of(std::string_view text) {
    constexpr std::int64_t kDigitsOfBillion = 9;
    DecimalReader reader(text);
    const bool is_negative = reader.take_sign();
    std::string digits(reader.take_digits());
    std::int64_t shift = kDigitsOfBillion;
    if (reader.take('.')) {
        const std::string_view fraction = reader.take_digits();
        digits += fraction;
        shift -= static_cast<std::int64_t>(fraction.size());
    }
    if (digits.empty()) {
        return std::nullopt;
    }
    if (reader.take('e') || reader.take('E')) {
        const bool is_small = reader.take_sign();
        const std::string_view exponent = reader.take_digits();
        if (exponent.empty()) {
            return std::nullopt;
        }
        shift += is_small ? -small_number(exponent) : small_number(exponent);
    }
    if (!reader.at_end()) {
        return std::nullopt;
    }
    const std::int64_t value = scaled(std::move(digits), shift);
    return is_negative ? -value : value;
}

}  // namespace klab::types
