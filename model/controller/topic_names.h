// SPDX-License-Identifier: Apache-2.0
//
// Which topic names are allowed. '.' and '_' look the same in the names of metrics, so two topics
// may not differ in these alone.
//
// Called by: topic_creation.cc, controller_state.cc.
// Kafka: Topic.validate, Topic.hasCollisionChars, Topic.unifyCollisionChars.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace klab::controller {

inline constexpr std::size_t kTopicNameLengthMax = 249;

/// Why a name is refused, for people; nothing when it is fine: 1 to 249 characters out of
/// [a-zA-Z0-9._-], not "." and not "..".
[[nodiscard]] std::optional<std::string> check_topic_name(std::string_view name);

[[nodiscard]] bool has_collision_chars(std::string_view name);

/// The name with every '.' turned into '_'.
[[nodiscard]] std::string unify_collision_chars(std::string_view name);

}  // namespace klab::controller
