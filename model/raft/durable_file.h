// SPDX-License-Identifier: Apache-2.0
//
// Replacing a small file so that after any crash either the old or the new content is there:
// temporary file, fsync, rename, fsync of the directory.
//
// Called by: quorum_state_file.cc, model/controller/metadata_directory.cc.
// Kafka: Utils.atomicMoveWithFallback, FileQuorumStateStore, PropertiesUtils.writePropertiesFile.
#pragma once

#include <string>
#include <string_view>

#include "sim/disk/disk.h"
#include "sim/kernel/context.h"

namespace klab::raft {

/// Requires: the directory exists. Errors: those of the disk.
[[nodiscard]] sim::DiskResult<sim::Done> replace_file(sim::DiskAccess disk,
                                                      const std::string& directory,
                                                      std::string_view name,
                                                      std::string_view text);

/// Makes a directory and its missing parents, so that all their entries survive a power failure.
/// Requires: an absolute path.
[[nodiscard]] sim::DiskResult<sim::Done> make_durable_directories(sim::DiskAccess disk,
                                                                  const std::string& path);

/// The whole text of a file. Errors: those of the disk.
[[nodiscard]] sim::DiskResult<std::string> read_file(sim::DiskAccess disk, const std::string& path);

}  // namespace klab::raft
