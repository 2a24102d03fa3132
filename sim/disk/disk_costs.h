// SPDX-License-Identifier: Apache-2.0
//
// What disk calls cost. A call that stays in the page cache costs its entry into the kernel and its
// pages; a sync costs the device's flush and its pages. A read of what is not in memory (only after
// a power failure) costs the device's seek and its pages.
//
// Owns: nothing. Called by: DiskAccess, before the call (its completion time is an argument).
// Simplified: the page cache forgets nothing by itself, no queue in front of the device, the same
// figures for each sync.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/base/time.h"
#include "sim/disk/cold_pages.h"
#include "sim/disk/disk_types.h"

namespace klab::sim {

/// One device.
struct DeviceCosts {
    Duration call = nanoseconds(300);                 ///< any call that stays in memory
    Duration page_cache_per_page = nanoseconds(200);  ///< copy of one page to or from the cache
    Duration sync = microseconds(100);                ///< fsync of a file or directory with changes
    Duration sync_per_page = microseconds(8);
    Duration read_seek = microseconds(100);  ///< a read that the device did not expect
    Duration read_per_page = microseconds(8);

    friend bool operator==(const DeviceCosts&, const DeviceCosts&) = default;
};

/// A device by the name that scenarios give it.
struct NamedDevice {
    std::string_view name;
    DeviceCosts costs;
};

/// A node without a named device has DeviceCosts{}: a fast server disk in round figures.
///
///   hdd   7200 rpm: a seek of about 10 ms (Kafka's documentation, Design, "Don't fear the
///         filesystem!") and a write of the file system's journal; 150 MB/s in sequence.
///   ssd   SATA without power-loss protection: an fsync flushes the drive's cache, 0.5 to 5 ms;
///         500 MB/s, what the SATA link carries.
///   nvme  with power-loss protection: the drive's cache counts as durable, 12 to 60 us measured
///         for 16 KiB (public measurements of fsync with and without such protection);
///         2 GB/s.
///
/// A read that the device did not expect seeks on an hdd, and takes about 0.1 ms on flash (random
/// reads of 4 KiB at queue depth 1). Entering the kernel and copying a page do not depend on the
/// device.
inline constexpr std::array<NamedDevice, 3> kDevices = {{
    {"hdd",
     {nanoseconds(300),
      nanoseconds(200),
      milliseconds(10),
      nanoseconds(27'300),
      milliseconds(10),
      nanoseconds(27'300)}},
    {"ssd",
     {nanoseconds(300),
      nanoseconds(200),
      milliseconds(1),
      nanoseconds(8'200),
      microseconds(100),
      nanoseconds(8'200)}},
    {"nvme",
     {nanoseconds(300),
      nanoseconds(200),
      microseconds(50),
      nanoseconds(2'000),
      microseconds(80),
      nanoseconds(2'000)}},
}};

[[nodiscard]] constexpr std::optional<DeviceCosts> find_device(std::string_view name) {
    for (const NamedDevice& device : kDevices) {
        if (device.name == name) {
            return device.costs;
        }
    }
    return std::nullopt;
}

/// Pages that `bytes` fill, counted from a page boundary.
[[nodiscard]] constexpr std::int64_t pages_for(std::uint64_t bytes) {
    return static_cast<std::int64_t>(bytes / kPageBytes + (bytes % kPageBytes == 0 ? 0 : 1));
}

/// append or write_at of `bytes`.
[[nodiscard]] constexpr Duration cost_of_append(const DeviceCosts& costs, std::uint64_t bytes) {
    return costs.call + costs.page_cache_per_page * pages_for(bytes);
}

/// read of `bytes` that lie in the page cache.
[[nodiscard]] constexpr Duration cost_of_read(const DeviceCosts& costs, std::uint64_t bytes) {
    return costs.call + costs.page_cache_per_page * pages_for(bytes);
}

/// What of a read had to be fetched.
[[nodiscard]] constexpr Duration cost_of_miss(const DeviceCosts& costs, const ReadMiss& miss) {
    return costs.read_seek * static_cast<std::int64_t>(miss.seeks) +
           costs.read_per_page * static_cast<std::int64_t>(miss.pages);
}

/// sync with `pages` dirty pages (Disk::dirty_pages); a sync of nothing is a call only.
[[nodiscard]] constexpr Duration cost_of_sync(const DeviceCosts& costs, std::uint64_t pages) {
    if (pages == 0) {
        return costs.call;
    }
    return costs.sync + costs.sync_per_page * static_cast<std::int64_t>(pages);
}

/// sync_directory; `changed` says whether an entry differs from what is durable.
[[nodiscard]] constexpr Duration cost_of_sync_directory(const DeviceCosts& costs, bool changed) {
    return changed ? costs.sync : costs.call;
}

}  // namespace klab::sim
