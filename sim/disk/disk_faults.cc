// SPDX-License-Identifier: Apache-2.0
//
// See disk_faults.h.
#include "sim/disk/disk_faults.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::sim {

namespace {

bool changes(DiskUse use) { return use == DiskUse::kChange || use == DiskUse::kGrow; }

/// Is `path` the named file or directory, or inside it?
bool lies_in(std::string_view path, std::string_view named) {
    return named.empty() || path == named ||
           (path.starts_with(named) && (named.back() == '/' || path[named.size()] == '/'));
}

bool meets(const DiskFault& fault, DiskUse use) {
    switch (fault.kind) {
        case DiskFaultKind::kSlow:
            return !fault.only || *fault.only == use ||
                   (*fault.only == DiskUse::kChange && changes(use));
        case DiskFaultKind::kFull:
            return use == DiskUse::kGrow;
        case DiskFaultKind::kReadOnly:
        case DiskFaultKind::kWriteError:
            return changes(use);
        case DiskFaultKind::kReadError:
            return use == DiskUse::kRead;
        case DiskFaultKind::kGone:
            return true;
    }
    KLAB_ASSERT(false, "unknown disk fault");
}

std::optional<DiskError> error_of(DiskFaultKind kind) {
    switch (kind) {
        case DiskFaultKind::kSlow:
            return std::nullopt;
        case DiskFaultKind::kFull:
            return DiskError::no_space;
        case DiskFaultKind::kReadOnly:
            return DiskError::read_only;
        case DiskFaultKind::kReadError:
        case DiskFaultKind::kWriteError:
            return DiskError::io_error;
        case DiskFaultKind::kGone:
            return DiskError::device_gone;
    }
    KLAB_ASSERT(false, "unknown disk fault");
}

}  // namespace

std::string_view disk_fault_name(DiskFaultKind kind) {
    switch (kind) {
        case DiskFaultKind::kSlow:
            return "slow";
        case DiskFaultKind::kFull:
            return "full";
        case DiskFaultKind::kReadOnly:
            return "read only";
        case DiskFaultKind::kReadError:
            return "read error";
        case DiskFaultKind::kWriteError:
            return "write error";
        case DiskFaultKind::kGone:
            return "gone";
    }
    KLAB_ASSERT(false, "unknown disk fault");
}

bool DiskFaults::names_a_path() const {
    return std::ranges::any_of(faults_, [](const DiskFault& fault) { return !fault.path.empty(); });
}

bool DiskFaults::has_limit() const {
    return std::ranges::any_of(faults_,
                               [](const DiskFault& fault) { return fault.limit.has_value(); });
}

DiskVerdict DiskFaults::meet(DiskUse use, std::string_view path, Time now, std::uint64_t stored) {
    DiskVerdict verdict;
    for (DiskFault& fault : faults_) {
        const bool over = (fault.until && *fault.until <= now) || fault.remaining == 0U;
        const bool has_room = fault.limit && stored < *fault.limit;
        if (over || has_room || verdict.error || !meets(fault, use) || !lies_in(path, fault.path)) {
            continue;
        }
        if (fault.remaining) {
            --*fault.remaining;
        }
        verdict.error = error_of(fault.kind);
        verdict.extra += fault.by;
    }
    std::erase_if(faults_, [&](const DiskFault& fault) {
        return (fault.until && *fault.until <= now) || fault.remaining == 0U;
    });
    return verdict;
}

}  // namespace klab::sim
