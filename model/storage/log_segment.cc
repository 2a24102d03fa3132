// SPDX-License-Identifier: Apache-2.0
//
// See log_segment.h.
#include "model/storage/log_segment.h"

#include <limits>

#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"
#include "model/storage/segment_lookup.h"
#include "sim/base/assert.h"

namespace klab::storage {

namespace {

/// Part of segment.jitter.ms by which a segment rolls earlier, at 32 levels. Calm answer: none.
constexpr sim::ChoiceSite kRollJitter{80, "log.roll_jitter"};
constexpr std::uint32_t kJitterLevels = 32;

/// Kafka: LogConfig.randomSegmentJitter.
std::int64_t draw_jitter(DiskPort disk, const LogConfig& config) {
    if (config.segment_jitter_ms <= 0) {
        return 0;
    }
    const std::int64_t range = std::min(config.segment_jitter_ms, config.segment_ms);
    return range / kJitterLevels * disk.pick(kRollJitter, kJitterLevels);
}

}  // namespace

std::string SegmentPlace::path(std::string_view kind) const {
    std::string name = join_path(directory, offset_file_name(base_offset, kind));
    name += suffix;
    return name;
}

Result<LogSegment, AppendError> LogSegment::create(DiskPort disk,
                                                   const SegmentPlace& place,
                                                   const LogConfig& config) {
    if (const auto error = remove_now(disk, place)) {
        return Error{*error};
    }
    const auto file = disk.create(place.path(kLogSuffix));
    if (!file) {
        return Error{AppendError::kStorage};
    }
    LogSegment segment;
    segment.base_offset_ = place.base_offset;
    segment.file_ = *file;
    const auto index_bytes = static_cast<std::uint32_t>(config.segment_index_bytes);
    segment.index_ = OffsetIndex(place.base_offset, index_bytes);
    segment.time_index_ = TimeIndex(place.base_offset, index_bytes);
    segment.newest_ = {kNoTimestamp, place.base_offset};
    segment.created_ms_ = disk.now_ms();
    segment.modified_ms_ = segment.created_ms_;
    segment.roll_jitter_ms_ = draw_jitter(disk, config);
    if (config.preallocate) {
        segment.is_preallocated_ = true;
        if (!disk.truncate(*file, static_cast<std::uint64_t>(config.segment_bytes))) {
            return Error{AppendError::kStorage};
        }
    }
    return segment;
}

Result<LogSegment, AppendError> LogSegment::open(DiskPort disk,
                                                 const SegmentPlace& place,
                                                 const LogConfig& config) {
    const auto file = disk.open(place.path(kLogSuffix));
    const auto size = file ? disk.size(*file) : Error{file.error()};
    if (!size || *size > std::numeric_limits<std::int32_t>::max()) {
        return Error{AppendError::kStorage};
    }
    LogSegment segment;
    segment.base_offset_ = place.base_offset;
    segment.file_ = *file;
    segment.size_ = static_cast<std::uint32_t>(*size);
    const auto index_bytes = static_cast<std::uint32_t>(config.segment_index_bytes);
    segment.index_ = OffsetIndex(place.base_offset, index_bytes);
    segment.time_index_ = TimeIndex(place.base_offset, index_bytes);
    segment.newest_ = {kNoTimestamp, place.base_offset};
    segment.created_ms_ = disk.now_ms();
    segment.modified_ms_ = segment.created_ms_;
    segment.roll_jitter_ms_ = draw_jitter(disk, config);
    if (const auto error = segment.index_.open_existing(disk, place.path(kIndexSuffix))) {
        return Error{*error};
    }
    if (const auto error = segment.time_index_.open_existing(disk, place.path(kTimeIndexSuffix))) {
        return Error{*error};
    }
    const auto txn_error =
        segment.txn_index_.open_existing(disk, place.path(kTxnIndexSuffix), place.base_offset);
    if (txn_error == AppendError::kStorage) {
        return Error{AppendError::kStorage};
    }
    segment.needs_recovery_ = !segment.index_.file().is_open() || txn_error.has_value();
    if (!segment.time_index_.file().is_open()) {
        // A time index that is not there is made with nothing in it.
        if (const auto error = segment.time_index_.open(disk, place.path(kTimeIndexSuffix))) {
            return Error{*error};
        }
        if (const auto error = segment.time_index_.trim(disk)) {
            return Error{*error};
        }
    }
    if (const auto error = segment.load_timestamps(disk)) {
        return Error{*error};
    }
    return segment;
}

std::optional<AppendError> LogSegment::load_timestamps(DiskPort disk) {
    newest_ = time_index_.last_entry();
    const auto first = SegmentBatches(disk, *this, 0).next();
    if (!first) {
        return first.error() == AppendError::kCorruptRecord ? std::nullopt
                                                            : std::optional(first.error());
    }
    if (*first && (*first)->max_timestamp >= 0) {
        first_timestamp_ = (*first)->max_timestamp;
    }
    return std::nullopt;
}

bool LogSegment::can_hold(types::Offset last_offset) const {
    const std::int64_t delta = last_offset - base_offset_;
    return delta >= 0 && delta <= std::numeric_limits<std::int32_t>::max();
}

bool LogSegment::should_roll(const IncomingBatches& incoming,
                             const LogConfig& config,
                             std::int64_t now_ms) const {
    const auto more = static_cast<std::int64_t>(incoming.bytes.size());
    if (std::int64_t{size_} > config.segment_bytes - more) {
        return true;
    }
    // Message time where the first batch has one, else the clock since the segment was made.
    const std::int64_t waited =
        first_timestamp_ ? incoming.max_timestamp - *first_timestamp_ : now_ms - created_ms_;
    if (size_ > 0 && waited > config.segment_ms_max() - roll_jitter_ms_) {
        return true;
    }
    return index_.is_full() || time_index_.is_full() || !can_hold(incoming.last_offset);
}

std::optional<AppendError> LogSegment::open_indexes(DiskPort disk, const SegmentPlace& place) {
    if (!index_.file().is_open()) {
        if (const auto error = index_.open(disk, place.path(kIndexSuffix))) {
            return error;
        }
    }
    return time_index_.file().is_open() ? std::nullopt
                                        : time_index_.open(disk, place.path(kTimeIndexSuffix));
}

std::optional<AppendError> LogSegment::append(DiskPort disk,
                                              const IncomingBatches& incoming,
                                              const LogConfig& config) {
    KLAB_ASSERT(can_hold(incoming.last_offset), "offset {}", incoming.last_offset);
    if (size_ == 0) {
        // KAFKA-806: until 4.0.0 the whole append counted as the first batch.
        const std::int64_t first = config.indexes_each_batch
                                       ? incoming.batches.front().max_timestamp()
                                       : incoming.max_timestamp;
        first_timestamp_ = first >= 0 ? std::optional(first) : std::nullopt;
    }
    const auto written = is_preallocated_ ? disk.write_at(file_, size_, incoming.bytes)
                                          : disk.append(file_, incoming.bytes);
    if (!written) {
        return AppendError::kStorage;
    }
    modified_ms_ = disk.now_ms();
    if (!config.indexes_each_batch) {
        const std::uint32_t position = size_;
        for (const RecordBatchView& batch : incoming.batches) {
            note(batch);
        }
        size_ += static_cast<std::uint32_t>(incoming.bytes.size());
        const auto error = index_if_due(disk, incoming.last_offset, position, config);
        bytes_since_entry_ += static_cast<std::uint32_t>(incoming.bytes.size());
        return error;
    }
    std::uint32_t position = size_;
    size_ += static_cast<std::uint32_t>(incoming.bytes.size());
    for (const RecordBatchView& batch : incoming.batches) {
        note(batch);
        if (const auto error = index_if_due(disk, batch.last_offset(), position, config)) {
            return error;
        }
        const auto bytes = static_cast<std::uint32_t>(batch.size());
        bytes_since_entry_ += bytes;
        position += bytes;
    }
    return std::nullopt;
}

void LogSegment::note(const RecordBatchView& batch) {
    if (batch.max_timestamp() > newest_.timestamp) {
        newest_ = {batch.max_timestamp(), batch.last_offset()};
    }
}

std::optional<AppendError> LogSegment::index_if_due(DiskPort disk,
                                                    types::Offset last_offset,
                                                    std::uint32_t position,
                                                    const LogConfig& config) {
    if (std::int64_t{bytes_since_entry_} <= config.index_interval_bytes) {
        return std::nullopt;
    }
    bytes_since_entry_ = 0;
    const OffsetIndexEntry entry{last_offset, static_cast<std::int32_t>(position)};
    if (const auto error = index_.append(disk, entry)) {
        return error;
    }
    return time_index_.maybe_append(disk, newest_);
}

std::optional<AppendError> LogSegment::add_aborted(DiskPort disk,
                                                   const SegmentPlace& place,
                                                   const AbortedTransaction& aborted) {
    return txn_index_.append(disk, place.path(kTxnIndexSuffix), aborted);
}

std::optional<AppendError> LogSegment::truncate_to(DiskPort disk,
                                                   const SegmentPlace& place,
                                                   types::Offset offset,
                                                   const LogConfig& config) {
    const auto cut = find_batch(disk, *this, offset);
    if (!cut) {
        return cut.error();
    }
    if (const auto error = index_.truncate_to(disk, offset)) {
        return error;
    }
    if (const auto error = time_index_.truncate_to(disk, offset)) {
        return error;
    }
    if (const auto error = txn_index_.truncate_to(disk, offset)) {
        return error;
    }
    if (const auto error = make_active(disk, place, config)) {
        return error;
    }
    if (*cut) {
        if (const auto error = cut_file(disk, (*cut)->position)) {
            return error;
        }
    }
    if (size_ == 0) {
        created_ms_ = disk.now_ms();
        first_timestamp_.reset();
    }
    bytes_since_entry_ = 0;
    const auto newest = find_newest(disk, *this);
    if (!newest) {
        return newest.error();
    }
    newest_ = *newest;
    return std::nullopt;
}

std::optional<AppendError> LogSegment::make_active(DiskPort disk,
                                                   const SegmentPlace& place,
                                                   const LogConfig& config) {
    if (const auto error = open_indexes(disk, place)) {
        return error;
    }
    const auto index_bytes = static_cast<std::uint32_t>(config.segment_index_bytes);
    const auto offsets = index_.resize(disk, index_bytes);
    if (!offsets) {
        return offsets.error();
    }
    const auto times = time_index_.resize(disk, index_bytes);
    return times ? std::nullopt : std::optional(times.error());
}

std::optional<AppendError> LogSegment::become_inactive(DiskPort disk, const SegmentPlace& place) {
    if (const auto error = open_indexes(disk, place)) {
        return error;
    }
    if (const auto error = time_index_.maybe_append(disk, newest_, LastSlot::kUsable)) {
        return error;
    }
    if (const auto error = index_.trim(disk)) {
        return error;
    }
    if (const auto error = time_index_.trim(disk)) {
        return error;
    }
    return is_preallocated_ ? cut_file(disk, size_) : std::nullopt;
}

std::optional<AppendError> LogSegment::cut_file(DiskPort disk, std::uint32_t size) {
    if (!is_preallocated_ && size == size_) {
        return std::nullopt;
    }
    if (!disk.truncate(file_, size)) {
        return AppendError::kStorage;
    }
    size_ = size;
    is_preallocated_ = false;
    return std::nullopt;
}

std::optional<AppendError> LogSegment::flush(DiskPort disk, const SegmentPlace& place) {
    if (!disk.sync(file_)) {
        return AppendError::kStorage;
    }
    if (const auto error = open_indexes(disk, place)) {
        return error;
    }
    if (const auto error = index_.sync(disk)) {
        return error;
    }
    if (const auto error = time_index_.sync(disk)) {
        return error;
    }
    return txn_index_.sync(disk);
}

std::optional<AppendError> LogSegment::remove_now(DiskPort disk, const SegmentPlace& place) {
    for (const std::string_view kind : kSegmentKinds) {
        const std::string path = place.path(kind);
        if (disk.exists(path) && !disk.remove(path)) {
            return AppendError::kStorage;
        }
    }
    return std::nullopt;
}

std::optional<AppendError> LogSegment::remove(DiskPort disk,
                                              const SegmentPlace& place,
                                              std::int64_t delay_ms,
                                              DeferredDeletion& deletions) {
    for (const std::string_view kind : kSegmentKinds) {
        if (const auto error = deletions.rename(disk, place.path(kind), delay_ms)) {
            return error;
        }
    }
    return std::nullopt;
}

}  // namespace klab::storage
