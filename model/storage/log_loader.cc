// SPDX-License-Identifier: Apache-2.0
//
// See log_loader.h.
#include "model/storage/log_loader.h"

#include <algorithm>
#include <limits>

#include "model/storage/checkpoint_file.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"

namespace klab::storage {

namespace {

/// Can this batch follow in a segment? Offsets lie outside the checksum.
bool fits(const RecordBatchView& batch, const LogSegment& segment) {
    const std::int64_t base = batch.base_offset().value();
    const std::int64_t delta = batch.last_offset_delta();
    constexpr std::int64_t kReach = std::numeric_limits<std::int32_t>::max();
    if (base < segment.base_offset.value() || delta < 0 ||
        base - segment.base_offset.value() > kReach - delta) {
        return false;
    }
    const std::size_t count = segment.batches.size();
    return count == 0 || batch.last_offset() > segment.batches.at(count - 1).last_offset;
}

types::Offset next_offset(const LogSegment& segment) {
    const std::size_t count = segment.batches.size();
    return count == 0 ? segment.base_offset : segment.batches.at(count - 1).last_offset.next();
}

}  // namespace

LogLoader::LogLoader(DiskPort disk, const LogOptions& options) : disk_(disk), options_(options) {
    Log::Identity& identity = log_.identity_.write();
    identity.partition = options.partition;
    identity.directory = join_path(options.log_dir, partition_directory_name(options.partition));
    identity.config = options.config;
    fact_.is_clean = options.was_clean_shutdown;
}

Result<OpenedLog, AppendError> LogLoader::load() {
    using Step = std::optional<AppendError> (LogLoader::*)();
    for (const Step step : {&LogLoader::list_segments,
                            &LogLoader::load_epochs,
                            &LogLoader::load_segments,
                            &LogLoader::ensure_segment,
                            &LogLoader::finish}) {
        if (const auto error = (this->*step)()) {
            return Error{*error};
        }
    }
    log_.check_state();
    return OpenedLog{std::move(log_), fact_};
}

std::optional<AppendError> LogLoader::list_segments() {
    const std::string& directory = log_.directory();
    if (!disk_.make_directories(directory)) {
        return AppendError::kStorage;
    }
    const auto names = disk_.list(directory);
    if (!names) {
        return AppendError::kStorage;
    }
    for (const std::string& name : *names) {
        if (name.ends_with(kDeletedSuffix)) {
            if (!disk_.remove(join_path(directory, name))) {
                return AppendError::kStorage;
            }
        } else if (const auto base = parse_segment_file_name(name)) {
            bases_.push_back(*base);
        }
    }
    std::sort(bases_.begin(), bases_.end());
    fact_.is_new = bases_.empty();
    return std::nullopt;
}

std::optional<AppendError> LogLoader::load_epochs() {
    const auto content = read_file(disk_, join_path(log_.directory(), kLeaderEpochCheckpoint));
    if (!content) {
        return content.error();
    }
    if (!*content) {
        return std::nullopt;
    }
    const auto entries = parse_epoch_checkpoint(**content);
    if (!entries) {
        return AppendError::kStorage;
    }
    epochs_ = EpochCache(*entries);
    return std::nullopt;
}

std::size_t LogLoader::first_to_check() const {
    if (options_.was_clean_shutdown) {
        return bases_.size();
    }
    // The segment that holds the recovery point is always checked.
    const auto after = std::upper_bound(bases_.begin(), bases_.end(), options_.recovery_point);
    const auto index = static_cast<std::size_t>(after - bases_.begin());
    return index == 0 ? 0 : index - 1;
}

std::optional<AppendError> LogLoader::load_segments() {
    const std::size_t first_checked = first_to_check();
    for (std::size_t i = 0; i < bases_.size() && !is_cut_; ++i) {
        if (const auto error = load_segment(bases_[i], i >= first_checked)) {
            return error;
        }
    }
    return is_cut_ ? drop_segments_from(segments_.size()) : std::nullopt;
}

std::optional<AppendError> LogLoader::load_segment(types::Offset base_offset, bool is_checked) {
    const auto file = disk_.open(segment_path(log_.directory(), base_offset));
    if (!file) {
        return AppendError::kStorage;
    }
    const auto bytes = disk_.read(*file, 0, std::numeric_limits<std::uint32_t>::max());
    if (!bytes) {
        return AppendError::kStorage;
    }
    LogSegment segment;
    segment.base_offset = base_offset;
    segment.file = *file;
    segment.created_ms = disk_.now_ms();
    bool is_emptied = false;
    BatchIterator batches(*bytes);
    while (const auto batch = batches.next()) {
        if (is_checked && !batch->has_valid_crc()) {
            break;
        }
        if (!fits(*batch, segment)) {
            is_emptied = true;  // InvalidOffset: nothing in this file can be trusted
            break;
        }
        const auto epoch = batch->leader_epoch();
        if (is_checked && epoch && epoch > epochs_.latest_epoch()) {
            epochs_.assign(*epoch, batch->base_offset());
        }
        segment.note(*batch);
    }
    if (is_emptied) {
        segment.batches.truncate(0);
        segment.first_timestamp.reset();
        segment.size = 0;
    }
    if (segment.size < bytes->size()) {
        fact_.bytes_dropped += bytes->size() - segment.size;
        is_cut_ = true;
        if (!disk_.truncate(*file, segment.size)) {
            return AppendError::kStorage;
        }
    }
    BatchIterator kept(ByteView(*bytes).first(segment.size));
    while (const auto batch = kept.next()) {
        log_.producers_.replay(*batch);
    }
    segments_.push_back(std::move(segment));
    return std::nullopt;
}

std::optional<AppendError> LogLoader::drop_segments_from(std::size_t first) {
    for (std::size_t i = first; i < bases_.size(); ++i) {
        const std::string path = segment_path(log_.directory(), bases_[i]);
        const auto file = disk_.open(path);
        const auto size = file ? disk_.size(*file) : Error{file.error()};
        if (!size || !disk_.remove(path)) {
            return AppendError::kStorage;
        }
        fact_.bytes_dropped += *size;
    }
    bases_.resize(std::min(first, bases_.size()));
    return std::nullopt;
}

std::optional<AppendError> LogLoader::ensure_segment() {
    if (!segments_.empty() && next_offset(segments_.back()) < options_.log_start) {
        // The log ends below its own start: nothing of it is of use.
        if (const auto error = drop_segments_from(0)) {
            return error;
        }
        segments_.clear();
        epochs_.clear();
        log_.producers_.clear();
    }
    if (segments_.empty()) {
        auto fresh = create_segment(disk_, log_.directory(), options_.log_start);
        if (!fresh) {
            return fresh.error();
        }
        segments_.push_back(std::move(fresh).value());
        has_rebuilt_ = true;
    }
    return std::nullopt;
}

std::optional<AppendError> LogLoader::finish() {
    log_.active_ = std::move(segments_.back());
    segments_.pop_back();
    const types::Offset first_base =
        segments_.empty() ? log_.active_.base_offset : segments_.front().base_offset;
    log_.closed_ = Cow<std::vector<LogSegment>>(std::move(segments_));
    log_.log_end_ = next_offset(log_.active_);
    log_.log_start_ = std::max(options_.log_start, first_base);
    log_.high_watermark_ = std::clamp(options_.high_watermark, log_.log_start_, log_.log_end_);
    const bool is_all_durable = options_.was_clean_shutdown && !has_rebuilt_;
    const types::Offset recovery_point =
        is_all_durable ? log_.log_end_ : std::min(options_.recovery_point, log_.log_end_);
    log_.recovery_point_ = std::max(recovery_point, log_.log_start_);
    epochs_.truncate_from_end(log_.log_end_);
    epochs_.truncate_from_start(options_.log_start);
    log_.epochs_ = Cow<EpochCache>(std::move(epochs_));
    fact_.log_end_offset = log_.log_end_;
    fact_.high_watermark = log_.high_watermark_;
    return std::nullopt;
}

}  // namespace klab::storage
