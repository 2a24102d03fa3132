// SPDX-License-Identifier: Apache-2.0
//
// ColdPages: which pages of a file are not in memory. After a power failure none is, and each has
// to come from the device when it is first read; a crash of the process leaves the page cache
// alone.
//
//     a read meets a cold page    it is read with what follows, 128 KiB at a time (read-ahead)
//     the next read goes on there no seek: the device has it in sequence
//     a write                     the page is in memory from then on
//
// Owns: one bit a page (volatile). Called by: Inode.
// Source: Linux, read_ahead_kb (128 by default).
// Simplified: nothing leaves the cache again for want of memory; a write into a cold page does not
// read it first.
#pragma once

#include <cstdint>
#include <vector>

namespace klab::sim {

/// What a read had to fetch from the device.
struct ReadMiss {
    std::uint64_t pages = 0;
    std::uint64_t seeks = 0;

    friend bool operator==(const ReadMiss&, const ReadMiss&) = default;
};

class ColdPages {
  public:
    static constexpr std::uint64_t kReadAheadPages = 32;

    ColdPages() = default;

    /// All of them are cold.
    explicit ColdPages(std::uint64_t pages);

    /// Pages [first, end) are read.
    ReadMiss load(std::uint64_t first, std::uint64_t end);

    /// The page was written.
    void warm(std::uint64_t page);

    /// Everything is in memory.
    [[nodiscard]] bool empty() const { return left_ == 0; }

    friend bool operator==(const ColdPages&, const ColdPages&) = default;

  private:
    std::vector<bool> is_cold_;
    std::uint64_t left_ = 0;
    std::uint64_t next_ = 0;  // page behind the last one fetched: reading on costs no seek
};

}  // namespace klab::sim
