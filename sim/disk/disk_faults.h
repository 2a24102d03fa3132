// SPDX-License-Identifier: Apache-2.0
//
// Faults of a device: which calls it refuses, which it makes slow, where and how long.
//
// Owns: the faults of one disk. Called by: Disk (meet_faults), which DiskAccess asks before a call.
// Simplified: a fault meets the call, not the write-back or the cache miss behind it: a write to a
// failing disk fails at once, not at the next sync; a read fails although its page is cached; a
// refused write leaves no part of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/time.h"
#include "sim/disk/disk_types.h"

namespace klab::sim {

/// What a call needs of the device.
enum class DiskUse : std::uint8_t {
    kLook,    ///< names and sizes: open, exists, list, size
    kRead,    ///< content
    kChange,  ///< needs no new space: sync, cut, rename, remove
    kGrow     ///< needs new space: write, a new file or directory
};

enum class DiskFaultKind : std::uint8_t {
    kSlow,        ///< calls take `by` longer
    kFull,        ///< kGrow fails with no_space
    kReadOnly,    ///< kChange and kGrow fail with read_only
    kReadError,   ///< kRead fails with io_error
    kWriteError,  ///< kChange and kGrow fail with io_error
    kGone         ///< every call fails with device_gone
};

/// The word that the trace has for it.
[[nodiscard]] std::string_view disk_fault_name(DiskFaultKind kind);

struct DiskFault {
    DiskFaultKind kind = DiskFaultKind::kSlow;
    std::string path{};           ///< a file, or a directory with all in it; empty: any
    std::optional<Time> until{};  ///< over then
    std::optional<std::uint64_t> remaining{};  ///< calls it still meets; nothing: all
    Duration by{};                             ///< kSlow
    std::optional<DiskUse> only{};             ///< kSlow: kRead or kChange (then kGrow too)
    std::optional<std::uint64_t> limit{};      ///< kFull: only while the files take as much room

    friend bool operator==(const DiskFault&, const DiskFault&) = default;
};

/// What the faults say to one call.
struct DiskVerdict {
    std::optional<DiskError> error;
    Duration extra;  ///< time it takes more
};

class DiskFaults {
  public:
    void add(DiskFault fault) { faults_.push_back(std::move(fault)); }

    [[nodiscard]] bool empty() const { return faults_.empty(); }

    /// Does a fault ask which path a call is for?
    [[nodiscard]] bool names_a_path() const;

    /// Does a fault ask how much room the files take?
    [[nodiscard]] bool has_limit() const;

    /// Asks all faults in the order of their coming; the first refusal counts. Counts the call
    /// against those that it meets, and forgets those that are over.
    /// @param stored bytes that the files take; asked for only if has_limit()
    [[nodiscard]] DiskVerdict meet(DiskUse use,
                                   std::string_view path,
                                   Time now,
                                   std::uint64_t stored);

    friend bool operator==(const DiskFaults&, const DiskFaults&) = default;

  private:
    std::vector<DiskFault> faults_;
};

}  // namespace klab::sim
