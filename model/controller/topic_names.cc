// SPDX-License-Identifier: Apache-2.0
//
// See topic_names.h.
#include "model/controller/topic_names.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::controller {

namespace {

bool is_legal(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

}  // namespace

std::optional<std::string> check_topic_name(std::string_view name) {
    if (name.empty()) {
        return "a topic name cannot be empty";
    }
    if (name == "." || name == "..") {
        return fmt::format("a topic name cannot be '{}'", name);
    }
    if (name.size() > kTopicNameLengthMax) {
        return fmt::format("a topic name has at most {} characters", kTopicNameLengthMax);
    }
    if (!std::ranges::all_of(name, is_legal)) {
        return "a topic name consists of letters, digits, '.', '_' and '-'";
    }
    return std::nullopt;
}

bool has_collision_chars(std::string_view name) {
    return name.find_first_of("._") != std::string_view::npos;
}

std::string unify_collision_chars(std::string_view name) {
    std::string unified(name);
    std::ranges::replace(unified, '.', '_');
    return unified;
}

}  // namespace klab::controller
