// SPDX-License-Identifier: Apache-2.0
//
// log.dirs: the directories in which a broker keeps its logs, and which of them a path lies in.
//
// Called by: broker_config.cc, model/storage/disk_port.cc, model/replication.
// Kafka: AbstractKafkaConfig.logDirs, KafkaConfig.metadataLogDir.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab::types {

/// Where a broker keeps its logs that sets neither log.dirs nor anything else (Kafka:
/// /tmp/kafka-logs).
inline constexpr std::string_view kDefaultLogDir = "/data";

/// The directories that a value of log.dirs names, in its order.
[[nodiscard]] std::vector<std::string> split_log_dirs(std::string_view text);

/// Those of a broker with these settings.
[[nodiscard]] std::vector<std::string> log_dirs_of(
    const std::map<std::string, std::string>& settings);

/// Does `path` name the directory or something in it?
[[nodiscard]] bool lies_in(std::string_view path, std::string_view directory);

/// Why they cannot be the directories of one broker; nothing when they can.
[[nodiscard]] std::optional<std::string_view> problem_with(
    const std::vector<std::string>& log_dirs);

}  // namespace klab::types
