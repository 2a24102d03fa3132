// SPDX-License-Identifier: Apache-2.0
//
// Writing and reading small files so that a crash leaves either the old or the new content: to a
// temporary file, fsync, rename over the old one, fsync of the directory.
//
// Called by: log.cc (epoch checkpoint), log_dir.cc.
// Kafka: CheckpointFile.write, Utils.atomicMoveWithFallback.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/storage/append_error.h"
#include "model/storage/disk_port.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::storage {

/// "directory/name".
[[nodiscard]] std::string join_path(std::string_view directory, std::string_view name);

/// "/data" for "/data/orders-7".
[[nodiscard]] std::string_view parent_directory(std::string_view path);

/// Replaces directory/name by `content`, atomically and durably. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> replace_file(DiskPort disk,
                                                      std::string_view directory,
                                                      std::string_view name,
                                                      ByteView content);

/// The whole content; nothing when there is no such file. Errors: kStorage.
[[nodiscard]] Result<std::optional<Bytes>, AppendError> read_file(DiskPort disk,
                                                                  std::string_view path);

}  // namespace klab::storage
