// SPDX-License-Identifier: Apache-2.0
//
// DiskPort: how storage reaches a disk. Inside a step it is the node's disk through its Context, so
// that calls are logged and take time; outside (tests, export) it is a Disk itself at a fixed time.
// Both convert to a DiskPort, so callers write `log.flush(ctx)` or `log.flush(disk)`.
//
// After a call that a fault of the disk refused, every other call of the step fails too: the first
// IOException takes the log directory offline, and what touches it later gets a
// KafkaStorageException (LogDirFailureChannel.maybeAddOfflineLogDir,
// LocalLog.maybeHandleIOException).
//
// Called by: log.cc, log_loader.cc, checkpoint_store.cc, log_dir.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/disk/disk.h"
#include "sim/kernel/context.h"

namespace klab::storage {

class DiskPort {
  public:
    DiskPort(sim::Context& context) : context_(&context) {}  // NOLINT: conversion wanted

    DiskPort(sim::Disk& disk, Time now = {}) : disk_(&disk), now_(now) {}  // NOLINT: as above

    /// The node's wall clock in ms.
    [[nodiscard]] std::int64_t now_ms() const;

    [[nodiscard]] sim::DiskResult<sim::FileId> open(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::FileId> create(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::Done> append(sim::FileId file, ByteView bytes) const;
    [[nodiscard]] sim::DiskResult<sim::Done> truncate(sim::FileId file, std::uint64_t size) const;
    [[nodiscard]] sim::DiskResult<Bytes> read(sim::FileId file,
                                              std::uint64_t position,
                                              std::uint64_t length) const;
    [[nodiscard]] sim::DiskResult<std::uint64_t> size(sim::FileId file) const;
    [[nodiscard]] sim::DiskResult<sim::Done> sync(sim::FileId file) const;
    [[nodiscard]] sim::DiskResult<sim::Done> sync_directory(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::Done> make_directories(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::Done> rename(std::string_view from,
                                                    std::string_view to) const;
    [[nodiscard]] sim::DiskResult<sim::Done> remove(std::string_view path) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<std::vector<std::string>> list(std::string_view path) const;

  private:
    /// The error that took the log directory offline in this step.
    [[nodiscard]] std::optional<sim::DiskError> offline() const;

    sim::Context* context_ = nullptr;
    sim::Disk* disk_ = nullptr;
    Time now_;
};

}  // namespace klab::storage
