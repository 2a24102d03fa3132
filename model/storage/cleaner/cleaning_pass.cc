// SPDX-License-Identifier: Apache-2.0
//
// See cleaning_pass.h.
#include "model/storage/cleaner/cleaning_pass.h"

#include <algorithm>
#include <utility>

#include "model/storage/cleaner/segment_grouping.h"
#include "model/storage/file_names.h"
#include "model/storage/segment_lookup.h"

namespace klab::storage::cleaner {

namespace {

CleaningError cleaning_error_of(AppendError error) {
    switch (error) {
        case AppendError::kStorage:
            return CleaningError::kStorage;
        case AppendError::kCorruptRecord:
            return CleaningError::kCorruptRecord;
        default:
            return CleaningError::kInvalidRecord;  // an index that takes no more entries
    }
}

std::optional<CleaningError> failed(const std::optional<AppendError>& error) {
    return error ? std::optional(cleaning_error_of(*error)) : std::nullopt;
}

/// Segments based below `end`, from the one that holds `from` on. None if from == end.
std::vector<LogSegment> segments_between(const Log& log, types::Offset from, types::Offset end) {
    std::vector<LogSegment> all = log.segments();
    std::erase_if(all, [&](const LogSegment& s) { return s.base_offset() >= end; });
    std::size_t first = 0;
    while (first + 1 < all.size() && all[first + 1].base_offset() <= from) {
        ++first;
    }
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    return from < end ? all : std::vector<LogSegment>();
}

SegmentExtent extent_of(const LogSegment& segment) {
    return {segment.base_offset(),
            segment.size(),
            segment.index().file().bytes_used(),
            segment.time_index().file().bytes_used()};
}

}  // namespace

CleaningPass::CleaningPass(LogToClean target, const CleanerLimits& limits, std::int64_t now_ms)
    : target_(std::move(target)),
      rules_(limits.rules),
      now_ms_(now_ms),
      map_size_(limits.map),
      buffer_(limits.io) {}

CleaningPass::Piece CleaningPass::advance(DiskPort disk, Log& log) {
    if (phase_ == Phase::kBegin) {
        begin(log);
    }
    if (phase_ == Phase::kIndex) {
        return index_piece(disk, log);
    }
    return copy_piece(disk, log);
}

void CleaningPass::begin(const Log& log) {
    const types::Offset from = target_.first_dirty;
    const types::Offset end = target_.first_uncleanable;
    segments_ = segments_between(log, from, end);
    builder_ = OffsetMapBuilder(map_size_, from, log.aborted_between(from, end));
    phase_ = Phase::kIndex;
}

// --- index

CleaningPass::Piece CleaningPass::index_piece(DiskPort disk, const Log& log) {
    if (at_ == segments_.size()) {
        begin_copying(log);
        return CleaningPiece{};
    }
    const LogSegment& segment = segments_[at_];
    if (position_ == 0) {
        const auto floor =
            segment.index().lookup(disk, std::max(target_.first_dirty, segment.base_offset()));
        if (!floor) {
            return Error{cleaning_error_of(floor.error())};
        }
        position_ = static_cast<std::uint32_t>(floor->position);
    }
    CleaningPiece piece;
    bool is_full = false;
    if (position_ < segment.size()) {
        const auto chunk = read_chunk(disk, segment);
        if (!chunk) {
            return Error{chunk.error()};
        }
        const auto read = builder_.add(*chunk);
        if (!read) {
            return Error{read.error()};
        }
        piece.bytes_read = chunk->size();
        stats_.map_bytes_read += read->bytes_read;
        stats_.map_records_read = builder_.records_read();
        position_ += static_cast<std::uint32_t>(read->bytes_read);
        is_full = read->is_full;
        if (!is_full && read->bytes_read == 0) {
            const std::uint64_t left = segment.size() - position_;
            const IoShortage shortage{*chunk, left, log.config().max_message_bytes};
            if (const auto error = buffer_.grow(shortage)) {
                return Error{*error};
            }
        }
    }
    if (is_full) {
        begin_copying(log);
    } else if (position_ >= segment.size()) {
        ++at_;
        position_ = 0;
        buffer_.restore();
        builder_.end_segment(at_ < segments_.size() ? segments_[at_].base_offset()
                                                    : target_.first_uncleanable);
    }
    return piece;
}

// --- copy

void CleaningPass::begin_copying(const Log& log) {
    segments_ = segments_between(log, types::Offset(0), builder_.end_offset());
    std::vector<SegmentExtent> extents;
    for (const LogSegment& segment : segments_) {
        extents.push_back(extent_of(segment));
    }
    const LogConfig& config = log.config();
    const GroupLimits limits{static_cast<std::uint64_t>(config.segment_bytes),
                             static_cast<std::uint64_t>(config.segment_index_bytes),
                             target_.first_uncleanable};
    std::size_t end = 0;
    for (const auto& group : group_segments(extents, limits)) {
        end += group.size();
        groups_.push_back(end);
    }
    at_ = 0;
    position_ = 0;
    buffer_.restore();
    phase_ = Phase::kCopy;
}

CleaningPass::Piece CleaningPass::copy_piece(DiskPort disk, Log& log) {
    if (group_ == groups_.size()) {
        phase_ = Phase::kDone;
        return CleaningPiece{.is_done = true, .swapped = {}};
    }
    if (!output_) {
        if (const auto error = begin_group(disk, log)) {
            return Error{*error};
        }
    }
    const LogSegment& segment = segments_[at_];
    if (position_ == 0) {
        if (const auto error = begin_source(disk, log)) {
            return Error{*error};
        }
    }
    CleaningPiece piece;
    if (position_ < segment.size()) {
        const auto chunk = read_chunk(disk, segment);
        if (!chunk) {
            return Error{chunk.error()};
        }
        const std::uint64_t written = stats_.bytes_written;
        const auto used = filter_chunk(disk, log, *chunk);
        if (!used) {
            return Error{used.error()};
        }
        piece.bytes_read = chunk->size();
        piece.bytes_written = stats_.bytes_written - written;
        position_ += static_cast<std::uint32_t>(*used);
    }
    if (position_ >= segment.size()) {
        ++at_;
        position_ = 0;
        buffer_.restore();
    }
    if (at_ == group_end()) {
        const auto swapped = finish_group(disk, log);
        if (!swapped) {
            return Error{swapped.error()};
        }
        piece.swapped = *swapped;
    }
    return piece;
}

SegmentPlace CleaningPass::output_place(const Log& log) const {
    return {log.directory(), output_->base_offset(), kCleanedSuffix};
}

std::optional<CleaningError> CleaningPass::begin_group(DiskPort disk, const Log& log) {
    const types::Offset base = segments_[at_].base_offset();
    auto output = LogSegment::create(disk, {log.directory(), base, kCleanedSuffix}, log.config());
    if (!output) {
        return cleaning_error_of(output.error());
    }
    output_ = std::move(output).value();
    producers_ = active_producers(log.producers());
    return failed(output_->open_indexes(disk, output_place(log)));
}

std::optional<CleaningError> CleaningPass::begin_source(DiskPort disk, const Log& log) {
    const LogSegment& segment = segments_[at_];
    types::Offset below;
    if (at_ + 1 < group_end()) {
        below = segments_[at_ + 1].base_offset();
    } else {
        const auto next = find_next_offset(disk, segment);
        if (!next) {
            return cleaning_error_of(next.error());
        }
        below = *next;
    }
    transactions_.add_aborted(log.aborted_between(segment.base_offset(), below));
    return std::nullopt;
}

/// Returns how many bytes of the chunk are done with; grows the buffer when it was too small.
Result<std::uint64_t, CleaningError> CleaningPass::filter_chunk(DiskPort disk,
                                                                Log& log,
                                                                ByteView chunk) {
    const FilterTime time{now_ms_, log.config().delete_retention_ms};
    CleanerFilter filter({builder_.map(), producers_, target_.first_uncleanable, time, rules_},
                         transactions_);
    const auto result = filter_records(chunk, filter, time);
    if (!result) {
        return Error{cleaner::cleaning_error_of(result.error())};
    }
    stats_.bytes_read += result->bytes_read;
    stats_.bytes_written += result->records.size();
    stats_.records_read += result->records_read;
    stats_.records_written += result->records_retained;
    stats_.invalid_records += filter.invalid_records();
    for (const AbortedTransaction& kept : transactions_.take_kept()) {
        if (const auto error = failed(output_->add_aborted(disk, output_place(log), kept))) {
            return Error{*error};
        }
    }
    if (!result->records.empty()) {
        if (const auto error = append(disk, log, *result)) {
            return Error{*error};
        }
    }
    if (result->bytes_read == 0) {
        const std::uint64_t left = segments_[at_].size() - position_;
        if (const auto error = buffer_.grow({chunk, left, log.config().max_message_bytes})) {
            return Error{*error};
        }
    }
    return result->bytes_read;
}

std::optional<CleaningError> CleaningPass::append(DiskPort disk,
                                                  Log& log,
                                                  const FilterResult& result) {
    std::vector<RecordBatchView> batches;
    BatchIterator it(result.records);
    while (const auto batch = it.next()) {
        batches.push_back(*batch);
    }
    const IncomingBatches incoming{.bytes = result.records,
                                   .batches = batches,
                                   .first_offset = batches.front().base_offset(),
                                   .last_offset = *result.max_offset,
                                   .max_timestamp = result.max_timestamp};
    if (output_->can_hold(incoming.last_offset)) {
        return failed(output_->append(disk, incoming, log.config()));
    }
    // A segment that Kafka before 1.1 wrote: its offsets span more than an index can tell.
    if (const auto error = give_up(disk, log)) {
        return cleaning_error_of(*error);
    }
    if (const auto error = log.split_segment(disk, segments_[at_].base_offset())) {
        return cleaning_error_of(*error);
    }
    return CleaningError::kOffsetOverflow;
}

Result<SwappedGroup, CleaningError> CleaningPass::finish_group(DiskPort disk, Log& log) {
    if (const auto error = output_->become_inactive(disk, output_place(log))) {
        return Error{cleaning_error_of(*error)};
    }
    if (const auto error = output_->flush(disk, output_place(log))) {
        return Error{cleaning_error_of(*error)};
    }
    output_->set_modified_ms(segments_[group_end() - 1].modified_ms());
    std::vector<types::Offset> sources;
    SwappedGroup swapped{.base_offset = output_->base_offset(),
                         .end = group_end() < segments_.size()
                                    ? segments_[group_end()].base_offset()
                                    : target_.first_uncleanable,
                         .bytes_after = output_->size()};
    for (std::size_t i = group_ == 0 ? 0 : groups_[group_ - 1]; i < group_end(); ++i) {
        sources.push_back(segments_[i].base_offset());
        swapped.bytes_before += segments_[i].size();
        ++swapped.segments;
    }
    if (const auto error = log.replace_segments(disk, *output_, sources)) {
        return Error{cleaning_error_of(*error)};
    }
    output_.reset();
    ++group_;
    return swapped;
}

std::optional<AppendError> CleaningPass::give_up(DiskPort disk, const Log& log) const {
    return output_ ? LogSegment::remove_now(disk, output_place(log)) : std::nullopt;
}

Result<Bytes, CleaningError> CleaningPass::read_chunk(DiskPort disk,
                                                      const LogSegment& segment) const {
    const std::uint64_t left = segment.size() - position_;
    auto bytes = disk.read(segment.file(), position_, std::min(buffer_.size(), left));
    if (!bytes) {
        return Error{CleaningError::kStorage};
    }
    return std::move(bytes).value();
}

// --- what a log tells

ActiveProducers active_producers(const ProducerStates& producers) {
    ActiveProducers active;
    producers.for_each([&](types::ProducerId id, const ProducerEntry& entry) {
        active[id] = {entry.last_offset(), entry.epoch()};
    });
    return active;
}

LogSight sight_of(const Log& log) {
    const LogConfig& config = log.config();
    LogSight sight{.partition = log.partition(),
                   .log_start = log.log_start_offset(),
                   .log_end = log.log_end_offset(),
                   .last_stable = log.last_stable_offset(),
                   .segments = {},
                   .policy = {config.min_cleanable_dirty_ratio,
                              config.min_compaction_lag_ms,
                              config.max_compaction_lag_ms}};
    for (const LogSegment& segment : log.segments()) {
        sight.segments.push_back({segment.base_offset(),
                                  segment.size(),
                                  segment.largest_timestamp(),
                                  segment.first_timestamp()});
    }
    return sight;
}

}  // namespace klab::storage::cleaner
