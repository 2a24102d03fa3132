// SPDX-License-Identifier: Apache-2.0
//
// See metadata_log.h.
#include "model/raft/metadata_log.h"

#include <algorithm>
#include <limits>

#include "model/storage/record_batch.h"

namespace klab::raft {

namespace {

storage::LogOptions options_of(const std::string& log_directory, std::int64_t segment_bytes) {
    storage::LogOptions options;
    options.partition = {std::string(kMetadataTopic), 0};
    options.log_dir = log_directory;
    options.was_clean_shutdown = false;  // never trusted: all of it is checked at each start
    options.config.segment_bytes = static_cast<std::int32_t>(
        std::min<std::int64_t>(segment_bytes, std::numeric_limits<std::int32_t>::max()));
    options.config.max_message_bytes = kBatchBytesMax;
    options.config.timestamp_after_max_ms.reset();
    return options;
}

/// The leading batches that end at or below `below`, without a torn one.
std::size_t whole_batches(ByteView bytes, types::Offset below) {
    storage::BatchIterator it(bytes);
    std::size_t size = 0;
    while (const auto batch = it.next()) {
        if (batch->next_offset() > below) {
            break;
        }
        size = it.position();
    }
    return size;
}

}  // namespace

Result<MetadataLog, storage::AppendError> MetadataLog::open(storage::DiskPort disk,
                                                            const std::string& log_directory,
                                                            std::int64_t segment_bytes) {
    auto opened = storage::Log::open(disk, options_of(log_directory, segment_bytes));
    if (!opened) {
        return Error{opened.error()};
    }
    MetadataLog log;
    log.log_ = std::move(opened->log);
    log.recovered_ = opened->fact;
    // After a crash of the process some of it may be in the page cache only.
    if (const auto error = log.flush(disk)) {
        return Error{*error};
    }
    return log;
}

std::optional<storage::AppendError> MetadataLog::append(storage::DiskPort disk,
                                                        const types::Rules& rules,
                                                        types::LeaderEpoch epoch,
                                                        ByteView batches) {
    storage::BatchIterator it(batches);
    while (const auto batch = it.next()) {
        storage::LeaderAppend append;
        append.records = batch->bytes();
        append.leader_epoch = epoch;
        append.origin = storage::AppendOrigin::kRaftLeader;
        const auto appended = log_.append_as_leader(disk, rules, append);
        if (!appended) {
            return appended.error().error;
        }
    }
    return it.error() ? std::optional(storage::AppendError::kCorruptRecord) : std::nullopt;
}

Result<Bytes, types::ErrorCode> MetadataLog::read(storage::DiskPort disk,
                                                  types::Offset from,
                                                  types::Offset below,
                                                  std::int32_t bytes_max) const {
    if (from >= below) {
        return Bytes{};
    }
    storage::LogRead request;
    request.start = from;
    request.upper_bound = below;
    request.max_bytes = bytes_max;
    request.min_one_message = true;
    auto read = log_.read(disk, request);
    if (!read) {
        return Error{read.error()};
    }
    const Bytes& bytes = *read->records;
    const std::size_t size = whole_batches(bytes, below);
    return Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
}

}  // namespace klab::raft
