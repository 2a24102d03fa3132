// SPDX-License-Identifier: Apache-2.0
//
// DiskPort: how storage reaches a disk. Inside a step it is the node's disk through its Context, so
// that calls are logged and take time; outside (tests, export) it is a Disk itself at a fixed time.
// Both convert to a DiskPort, so callers write `log.flush(ctx)` or `log.flush(disk)`. DiskView is
// the part of it that only looks.
//
// After a call that a fault of the disk refused, every other call of the step in the same log
// directory fails too: the first IOException takes the directory offline, and what touches it later
// gets a KafkaStorageException (LogDirFailureChannel.maybeAddOfflineLogDir,
// LocalLog.maybeHandleIOException). Directories of log.dirs fail each by itself (KIP-112); on a
// node without log.dirs all of the disk is one.
//
// Called by: log.cc, log_loader.cc, checkpoint_store.cc, log_dir.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/disk/disk.h"
#include "sim/kernel/context.h"

namespace klab::storage {

class DiskView {
  public:
    DiskView(sim::Context& context) : context_(&context) {}  // NOLINT: conversion wanted

    DiskView(const sim::Disk& disk, Time now = {}) : disk_(&disk), now_(now) {}  // NOLINT: as above

    /// The node's wall clock in ms.
    [[nodiscard]] std::int64_t now_ms() const;

    /// The node's monotonic clock in ms; outside a step the same as now_ms().
    [[nodiscard]] std::int64_t monotonic_ms() const;

    /// The same bytes without cost in virtual time and without faults: for what Kafka keeps in
    /// memory and klab looks up.
    [[nodiscard]] DiskView without_cost() const;

    [[nodiscard]] sim::DiskResult<sim::FileId> open(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<Bytes> read(sim::FileId file,
                                              std::uint64_t position,
                                              std::uint64_t length) const;
    /// Fills `out` as far as the file reaches. Returns how many bytes there were.
    [[nodiscard]] sim::DiskResult<std::uint64_t> read_into(sim::FileId file,
                                                           std::uint64_t position,
                                                           std::span<std::uint8_t> out) const;
    /// The same from a file that is mapped into memory: takes no time.
    [[nodiscard]] sim::DiskResult<std::uint64_t> read_mapped(sim::FileId file,
                                                             std::uint64_t position,
                                                             std::span<std::uint8_t> out) const;
    [[nodiscard]] sim::DiskResult<std::uint64_t> size(sim::FileId file) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<std::vector<std::string>> list(std::string_view path) const;

  protected:
    /// The error that took the log directory of a path or file offline in this step.
    [[nodiscard]] std::optional<sim::DiskError> offline(std::string_view path) const;
    [[nodiscard]] std::optional<sim::DiskError> offline(sim::FileId file) const;

    sim::Context* context_ = nullptr;
    const sim::Disk* disk_ = nullptr;
    Time now_;
};

class DiskPort : public DiskView {
  public:
    DiskPort(sim::Context& context) : DiskView(context) {}  // NOLINT: conversion wanted

    DiskPort(sim::Disk& disk, Time now = {})
        : DiskView(disk, now), writable_(&disk) {}  // NOLINT: as above

    [[nodiscard]] sim::DiskResult<sim::FileId> create(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::Done> append(sim::FileId file, ByteView bytes) const;
    [[nodiscard]] sim::DiskResult<sim::Done> write_at(sim::FileId file,
                                                      std::uint64_t position,
                                                      ByteView bytes) const;
    /// A store into a file that is mapped into memory: takes no time.
    [[nodiscard]] sim::DiskResult<sim::Done> write_mapped(sim::FileId file,
                                                          std::uint64_t position,
                                                          ByteView bytes) const;
    [[nodiscard]] sim::DiskResult<sim::Done> truncate(sim::FileId file, std::uint64_t size) const;
    [[nodiscard]] sim::DiskResult<sim::Done> sync(sim::FileId file) const;
    [[nodiscard]] sim::DiskResult<sim::Done> sync_directory(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::Done> make_directories(std::string_view path) const;
    [[nodiscard]] sim::DiskResult<sim::Done> rename(std::string_view from,
                                                    std::string_view to) const;
    [[nodiscard]] sim::DiskResult<sim::Done> remove(std::string_view path) const;

    /// A number in [0, bound), a keyed choice of the node; 0 outside a step.
    [[nodiscard]] std::uint32_t pick(sim::ChoiceSite site, std::uint32_t bound) const;

  private:
    sim::Disk* writable_ = nullptr;
};

}  // namespace klab::storage
