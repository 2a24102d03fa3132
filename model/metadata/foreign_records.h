// SPDX-License-Identifier: Apache-2.0
//
// Names of the metadata records that Kafka writes and klab does not model, so that a dump of any
// cluster's metadata log can say what it passes over.
//
// Called by: klab disk dump.
// Kafka: MetadataRecordType.
#pragma once

#include <optional>
#include <string_view>

#include "sim/base/bytes.h"

namespace klab::metadata {

/// "RegisterControllerRecord" for the bytes of such a record; nothing when they begin with no frame
/// version or api key of one. The body is not looked at.
[[nodiscard]] std::optional<std::string_view> foreign_record_name(ByteView bytes);

}  // namespace klab::metadata
