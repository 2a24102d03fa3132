// SPDX-License-Identifier: Apache-2.0
//
// Strong integers. An Id only compares; an Ordinal is a position on a line, so it also steps and
// measures distances. Neither converts by itself, in or out: `.value()` and the explicit
// constructor are the only doors, and they stand at the edges (bytes, JSON, trace). There is no
// sentinel value: absence is std::optional.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

namespace klab {

/// A name in the form of a number: node, connection, broker. Default is 0, which is a valid id.
template <typename Tag, typename Rep>
class Id {
  public:
    using rep = Rep;

    constexpr Id() = default;

    constexpr explicit Id(Rep value) : value_(value) {}

    [[nodiscard]] constexpr Rep value() const { return value_; }

    friend constexpr bool operator==(Id, Id) = default;
    friend constexpr auto operator<=>(Id, Id) = default;

  private:
    Rep value_ = 0;
};

/// A position: offset, epoch, event number. Steps by Rep, and two of them have a distance in Rep.
template <typename Tag, typename Rep>
class Ordinal {
  public:
    using rep = Rep;

    constexpr Ordinal() = default;

    constexpr explicit Ordinal(Rep value) : value_(value) {}

    [[nodiscard]] constexpr Rep value() const { return value_; }

    [[nodiscard]] constexpr Ordinal next() const { return Ordinal(static_cast<Rep>(value_ + 1)); }

    friend constexpr Ordinal operator+(Ordinal a, Rep n) {
        return Ordinal(static_cast<Rep>(a.value_ + n));
    }

    friend constexpr Ordinal operator-(Ordinal a, Rep n) {
        return Ordinal(static_cast<Rep>(a.value_ - n));
    }

    friend constexpr Rep operator-(Ordinal a, Ordinal b) {
        return static_cast<Rep>(a.value_ - b.value_);
    }

    friend constexpr bool operator==(Ordinal, Ordinal) = default;
    friend constexpr auto operator<=>(Ordinal, Ordinal) = default;

  private:
    Rep value_ = 0;
};

/// A bool with a name, so that `foo(kSync)` cannot be written as `foo(true)`.
template <typename Tag>
class Flag {
  public:
    constexpr explicit Flag(bool on) : on_(on) {}

    constexpr explicit operator bool() const { return on_; }

    friend constexpr bool operator==(Flag, Flag) = default;

  private:
    bool on_;
};

}  // namespace klab

template <typename Tag, typename Rep>
struct fmt::formatter<klab::Id<Tag, Rep>> : fmt::formatter<Rep> {
    template <typename Ctx>
    auto format(const klab::Id<Tag, Rep>& id, Ctx& ctx) const {
        return fmt::formatter<Rep>::format(id.value(), ctx);
    }
};

template <typename Tag, typename Rep>
struct fmt::formatter<klab::Ordinal<Tag, Rep>> : fmt::formatter<Rep> {
    template <typename Ctx>
    auto format(const klab::Ordinal<Tag, Rep>& position, Ctx& ctx) const {
        return fmt::formatter<Rep>::format(position.value(), ctx);
    }
};
