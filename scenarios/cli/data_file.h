// SPDX-License-Identifier: Apache-2.0
//
// A file of a data directory, read at any place. Knows its holes: a preallocated file of many
// gigabytes has few bytes that anybody wrote.
//
// Owns: a file descriptor. Called by: dump_log, dump_indexes, dump_checkpoints.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/bytes.h"

namespace klab::cli {

class DataFile {
  public:
    /// Opens a regular file for reading. Links are followed; a pipe is not waited for.
    explicit DataFile(const std::string& path);

    DataFile(const DataFile&) = delete;
    DataFile& operator=(const DataFile&) = delete;
    ~DataFile();

    /// Why it cannot be read, "" if it can. A read that fails sets it too.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    /// In bytes, when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Up to `length` bytes from `position`; fewer at the end or at an error.
    [[nodiscard]] Bytes read(std::uint64_t position, std::uint64_t length);

    /// Where the next bytes lie that are no hole, from `position` on; size() when only a hole
    /// follows, `position` where the file system knows of no holes.
    [[nodiscard]] std::uint64_t next_data(std::uint64_t position) const;

  private:
    std::int32_t descriptor_ = -1;
    std::uint64_t size_ = 0;
    std::string problem_;
};

}  // namespace klab::cli
