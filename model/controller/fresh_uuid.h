// SPDX-License-Identifier: Apache-2.0
//
// Random ids as Kafka makes them: UUID version 4, whose text does not begin with a dash.
//
// Called by: request_dispatch.cc (topics), metadata_directory.cc.
// Kafka: Uuid.randomUuid, DirectoryId.random.
#pragma once

#include <cstdint>

#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::controller {

/// Kinds of fresh ids that a controller makes (numbers are keys of Context::fresh_id).
enum class FreshIdKind : std::uint32_t { kTopic = 1, kDirectory = 2 };

[[nodiscard]] types::Uuid fresh_uuid(sim::Context& ctx, FreshIdKind kind);

}  // namespace klab::controller
