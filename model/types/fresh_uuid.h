// SPDX-License-Identifier: Apache-2.0
//
// Random ids as Kafka makes them: UUID version 4, whose text does not begin with a dash; and how
// their texts are read and written.
//
// Called by: request_dispatch.cc (topics), metadata_directory.cc and model/replication (log
// directories, names of deleted and stray logs).
// Kafka: Uuid.randomUuid, Uuid.fromString, DirectoryId.random.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::types {

/// Kinds of fresh ids that a node makes (numbers are keys of Context::fresh_id). A broker's
/// incarnation has 1 too: no node is broker and controller.
enum class FreshIdKind : std::uint32_t { kTopic = 1, kDirectory = 2, kLogName = 3 };

[[nodiscard]] Uuid fresh_uuid(sim::Context& ctx, FreshIdKind kind);

/// The id of 22 characters of URL-safe base64; nothing for any other text.
[[nodiscard]] std::optional<Uuid> parse_uuid(std::string_view text);

/// 32 hex digits, as names of deleted and stray logs have them.
[[nodiscard]] std::string hex_text(const Uuid& id);

}  // namespace klab::types
