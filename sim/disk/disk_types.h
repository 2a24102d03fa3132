// SPDX-License-Identifier: Apache-2.0
//
// Words of the virtual disk: ids, sizes, errors, and what a power failure may do.
//
// Owns: nothing. Called by: everything that names a file or a disk error.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/ids.h"
#include "sim/base/result.h"

namespace klab::sim {

/// An open file (its inode): survives renames, dies with the file. Never given to another file
/// while a process lives that could have seen it.
using FileId = Id<struct FileIdTag, std::uint64_t>;

enum class DiskError : std::uint8_t {
    not_found,        ///< no such path, or the file was removed
    already_exists,   ///< the target of a rename is a directory, or cannot take a directory
    not_a_file,       ///< a directory where a file is needed
    not_a_directory,  ///< a file, or nothing, where a directory is needed
    no_space,         ///< fault: the disk is full (ENOSPC)
    read_only,        ///< fault: the file system takes no changes (EROFS)
    io_error,         ///< fault: the device could not read or write (EIO)
    device_gone       ///< fault: there is no device any more (ENXIO)
};

[[nodiscard]] std::string_view disk_error_name(DiskError error);

/// Empty success value of calls that return nothing.
struct Done {
    friend constexpr bool operator==(Done, Done) = default;
};

template <typename T>
using DiskResult = Result<T, DiskError>;

inline constexpr std::uint32_t kPageBytes = 4096;
inline constexpr std::uint32_t kSectorBytes = 512;
inline constexpr std::uint32_t kSectorsPerPage = kPageBytes / kSectorBytes;

/// What a power failure leaves of the dirty pages and of the directory changes not yet synced.
enum class PowerOffKeep : std::uint8_t { synced, random, all };

/// How much a power failure destroyed.
struct DiskLoss {
    std::uint64_t bytes = 0;  ///< bytes of dirty pages that did not survive
    std::uint64_t files = 0;  ///< files that have no name any more

    friend bool operator==(const DiskLoss&, const DiskLoss&) = default;
};

/// Decides during a power failure; both are keyed choices of the caller.
class PowerOffChoices {
  public:
    virtual ~PowerOffChoices() = default;
    /// keep=random: does this dirty page (or change of a directory, or truncation) survive?
    [[nodiscard]] virtual bool keep_page() = 0;
    /// Sectors (0..8) of a surviving page that reached the platter when torn.
    [[nodiscard]] virtual std::uint32_t sectors_kept() = 0;
};

}  // namespace klab::sim
