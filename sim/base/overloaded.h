// SPDX-License-Identifier: Apache-2.0
//
// overloaded{...}: several lambdas as one visitor for std::visit.
#pragma once

namespace klab {

template <typename... Fs>
struct overloaded : Fs... {
    using Fs::operator()...;
};

template <typename... Fs>
overloaded(Fs...) -> overloaded<Fs...>;  // clang 14 needs the guide

}  // namespace klab
