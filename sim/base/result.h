// SPDX-License-Identifier: Apache-2.0
//
// Result<T, E>: a value or an error, for calls that may fail for a reason the caller must look at.
// Bugs are KLAB_ASSERT, not a Result.
#pragma once

#include <utility>
#include <variant>

#include "sim/base/assert.h"

namespace klab {

/// Wraps an error so that it converts to any Result with that error type: `return Error{code};`
template <typename E>
struct Error {
    E error;
};

template <typename E>
Error(E) -> Error<E>;

template <typename T, typename E>
class [[nodiscard]] Result {
  public:
    Result(T value)
        : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: conversion wanted

    Result(Error<E> error)  // NOLINT: conversion wanted
        : state_(std::in_place_index<1>, std::move(error.error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }

    explicit operator bool() const { return ok(); }

    /// Requires: ok().
    [[nodiscard]] const T& value() const& {
        KLAB_ASSERT(ok(), "value() of a failed Result");
        return std::get<0>(state_);
    }

    [[nodiscard]] T& value() & {
        KLAB_ASSERT(ok(), "value() of a failed Result");
        return std::get<0>(state_);
    }

    /// By value: a loop over `call().value()` keeps what it walks.
    [[nodiscard]] T value() && {
        KLAB_ASSERT(ok(), "value() of a failed Result");
        return std::get<0>(std::move(state_));
    }

    /// Requires: !ok().
    [[nodiscard]] const E& error() const {
        KLAB_ASSERT(!ok(), "error() of a successful Result");
        return std::get<1>(state_);
    }

    const T& operator*() const& { return value(); }

    T& operator*() & { return value(); }

    const T* operator->() const { return &value(); }

    T* operator->() { return &value(); }

    friend bool operator==(const Result&, const Result&) = default;

  private:
    std::variant<T, E> state_;
};

}  // namespace klab
