// SPDX-License-Identifier: Apache-2.0
//
// See log_loader.h.
#include "model/storage/log_loader.h"

#include <algorithm>
#include <array>
#include <limits>

#include "model/storage/checkpoint_file.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"
#include "model/storage/producer_rebuild.h"
#include "model/storage/segment_recovery.h"
#include "model/storage/segment_split.h"

namespace klab::storage {

namespace {

constexpr std::array<std::string_view, 3> kIndexKinds = {
    kIndexSuffix, kTimeIndexSuffix, kTxnIndexSuffix};

/// Is this the name of a file that belongs to a segment, but for its suffix?
bool is_segment_file(std::string_view name) {
    return parse_offset_file_name(name, kLogSuffix) ||
           std::any_of(kIndexKinds.begin(), kIndexKinds.end(), [&](std::string_view kind) {
               return parse_offset_file_name(name, kind).has_value();
           });
}

}  // namespace

LogLoader::LogLoader(DiskPort disk, const LogOptions& options) : disk_(disk), options_(options) {
    Log::Identity& identity = log_.identity_.write();
    identity.partition = options.partition;
    identity.directory =
        join_path(options.log_dir,
                  options.directory_name.empty() ? partition_directory_name(options.partition)
                                                 : options.directory_name);
    identity.config = options.config;
    fact_.is_clean = options.was_clean_shutdown;
}

Result<OpenedLog, AppendError> LogLoader::load() {
    using Step = Outcome (LogLoader::*)();
    for (const Step step : {&LogLoader::list_files,
                            &LogLoader::drop_unfinished,
                            &LogLoader::finish_swaps,
                            &LogLoader::load_epochs,
                            &LogLoader::load_segments,
                            &LogLoader::drop_if_below_log_start,
                            &LogLoader::ensure_segment,
                            &LogLoader::place_marks,
                            &LogLoader::load_producers}) {
        if (const auto error = (this->*step)()) {
            return Error{*error};
        }
    }
    log_.check_state();
    return OpenedLog{std::move(log_), fact_};
}

LogLoader::Outcome LogLoader::remove_file(const std::string& name) {
    names_.erase(name);
    return disk_.remove(join_path(log_.directory(), name)) ? std::nullopt
                                                           : std::optional(AppendError::kStorage);
}

LogLoader::Outcome LogLoader::list_files() {
    if (!disk_.make_directories(log_.directory())) {
        return AppendError::kStorage;
    }
    const auto names = disk_.list(log_.directory());
    if (!names) {
        return AppendError::kStorage;
    }
    names_.insert(names->begin(), names->end());
    return log_.snapshots_.find(disk_, log_.directory());
}

LogLoader::Outcome LogLoader::drop_unfinished() {
    const std::set<std::string> all = names_;
    types::Offset first_cleaned{std::numeric_limits<std::int64_t>::max()};
    for (const std::string& name : all) {
        const auto offset = parse_leading_offset(name);
        if (name.ends_with(kCleanedSuffix) && offset) {
            first_cleaned = std::min(first_cleaned, *offset);
        }
    }
    for (const std::string& name : all) {
        const auto offset = parse_leading_offset(name);
        // KAFKA-6264: a .swap behind a .cleaned file is part of a swap that did not get far enough.
        const bool is_lost_swap = name.ends_with(kSwapSuffix) && offset && *offset >= first_cleaned;
        if (name.ends_with(kDeletedSuffix) || name.ends_with(kCleanedSuffix) || is_lost_swap) {
            if (const auto error = remove_file(name)) {
                return error;
            }
        }
    }
    return std::nullopt;
}

/// The segments that are swapped in replace all that lies between their first and last offset.
LogLoader::Outcome LogLoader::finish_swaps() {
    types::Offset low{std::numeric_limits<std::int64_t>::max()};
    types::Offset high{std::numeric_limits<std::int64_t>::min()};
    std::vector<std::string> swaps;
    for (const std::string& name : names_) {
        if (!name.ends_with(kSwapSuffix)) {
            continue;
        }
        swaps.push_back(name);
        const std::string_view plain =
            std::string_view(name).substr(0, name.size() - kSwapSuffix.size());
        const auto base = parse_segment_file_name(plain);
        if (!base) {
            continue;
        }
        const auto segment =
            LogSegment::open(disk_, {log_.directory(), *base, kSwapSuffix}, log_.config());
        const auto next = segment ? find_next_offset(disk_, *segment) : Error{segment.error()};
        if (!next) {
            return next.error();
        }
        low = std::min(low, *base);
        high = std::max(high, *next);
    }
    const std::set<std::string> all = names_;
    for (const std::string& name : all) {
        const auto offset = parse_leading_offset(name);
        // Snapshots of producers too: some of those segments may not be there any more.
        const bool is_replaced = offset && *offset >= low && *offset < high &&
                                 name.starts_with(offset_file_name(*offset, ".")) &&
                                 !name.ends_with(kSwapSuffix);
        if (is_replaced) {
            if (const auto error = remove_file(name)) {
                return error;
            }
        }
    }
    for (const std::string& name : swaps) {
        const std::string plain = name.substr(0, name.size() - kSwapSuffix.size());
        names_.erase(name);
        names_.insert(plain);
        if (!disk_.rename(join_path(log_.directory(), name), join_path(log_.directory(), plain))) {
            return AppendError::kStorage;
        }
    }
    return std::nullopt;
}

LogLoader::Outcome LogLoader::load_epochs() {
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

LogLoader::Outcome LogLoader::load_segments() {
    while (true) {
        segments_.clear();
        auto error = drop_orphans();
        if (!error) {
            error = open_segments();
        }
        if (!error) {
            error = recover_segments();
        }
        if (error != AppendError::kOffsetOverflow) {
            return error;
        }
        error = split_overflowed();
        if (error) {
            return error;
        }
    }
}

/// KAFKA-6264. Each of the new segments fits its indexes, so this ends.
LogLoader::Outcome LogLoader::split_overflowed() {
    const types::Offset base = overflowed_->base_offset();
    const auto bases =
        split_segment(disk_, place(base), *overflowed_, log_.config(), log_.deletions_);
    if (!bases) {
        return bases.error();
    }
    if (std::find(bases->begin(), bases->end(), base) == bases->end()) {
        const std::int64_t delay_ms = log_.config().file_delete_delay_ms;
        if (const auto error = log_.snapshots_.remove_later(
                disk_, log_.directory(), base, delay_ms, log_.deletions_)) {
            return error;
        }
    }
    names_.clear();
    return list_files();
}

LogLoader::Outcome LogLoader::drop_orphans() {
    const std::set<std::string> all = names_;
    for (const std::string& name : all) {
        const auto offset = parse_leading_offset(name);
        if (!offset || parse_segment_file_name(name) || !is_segment_file(name) ||
            all.contains(segment_file_name(*offset))) {
            continue;
        }
        if (const auto error = remove_file(name)) {
            return error;
        }
    }
    return std::nullopt;
}

LogLoader::Outcome LogLoader::open_segments() {
    fact_.is_new = true;
    for (const std::string& name : names_) {
        const auto base = parse_segment_file_name(name);
        if (!base) {
            continue;
        }
        fact_.is_new = false;
        auto segment = LogSegment::open(disk_, place(*base), log_.config());
        if (!segment) {
            return segment.error();
        }
        segments_.push_back(std::move(segment).value());
        if (segments_.back().needs_recovery()) {
            if (const auto error = recover_segment(segments_.back(), segments_.size() - 1)) {
                return error;
            }
        }
    }
    return std::nullopt;
}

/// Checks a segment and empties it if its offsets cannot be. Bytes that were cut are added up.
/// `known`: so many segments are open by now, this one may be among them; the last two of them get
/// snapshots.
LogLoader::Outcome LogLoader::recover_segment(LogSegment& segment, std::size_t known) {
    ++fact_.segments_checked;
    // A state of its own: what all segments together tell comes later.
    ProducerStates producers;
    ProducerSnapshots snapshots;
    if (const auto error = snapshots.find(disk_, log_.directory())) {
        return error;
    }
    const ProducerRebuild rebuild{log_.directory(),
                                  std::span<const LogSegment>(segments_).first(known),
                                  options_.log_start,
                                  segment.base_offset(),
                                  false,
                                  log_.config().producer_id_expiration_ms};
    if (const auto error = rebuild_producers(disk_, rebuild, producers, snapshots)) {
        return error;
    }
    const std::uint32_t size = segment.size();
    const EpochCache epochs_before = epochs_;
    const auto cut = SegmentRecovery(disk_, place(segment.base_offset()), log_.config())
                         .recover(segment, epochs_, producers);
    was_epoch_changed_ |= epochs_ != epochs_before;
    if (!cut && cut.error() != AppendError::kInvalidOffset) {
        if (cut.error() == AppendError::kOffsetOverflow) {
            overflowed_ = segment;
        }
        return cut.error();
    }
    if (!cut) {
        // Nothing in a file whose offsets go back can be trusted.
        fact_.bytes_dropped += size;
        constexpr types::Offset kAll{std::numeric_limits<std::int64_t>::min()};
        return segment.truncate_to(disk_, place(segment.base_offset()), kAll, log_.config());
    }
    fact_.bytes_dropped += *cut;
    // So that the next segment need not read this one again.
    const auto taken = snapshots.take(disk_, log_.directory(), producers);
    return taken ? std::nullopt : std::optional(taken.error());
}

LogLoader::Outcome LogLoader::recover_segments() {
    if (options_.was_clean_shutdown) {
        return std::nullopt;
    }
    // The segment that holds the recovery point is always checked.
    std::size_t first = 0;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        if (segments_[i].base_offset() <= options_.recovery_point) {
            first = i;
        }
    }
    for (std::size_t i = first; i < segments_.size(); ++i) {
        const std::uint64_t dropped = fact_.bytes_dropped;
        if (const auto error = recover_segment(segments_[i], segments_.size())) {
            return error;
        }
        if (fact_.bytes_dropped > dropped) {
            return drop_segments_from(i + 1);
        }
    }
    return std::nullopt;
}

LogLoader::Outcome LogLoader::drop_segments_from(std::size_t first) {
    for (std::size_t i = first; i < segments_.size(); ++i) {
        fact_.bytes_dropped += segments_[i].size();
        if (const auto error = log_.remove_segment(disk_, segments_[i].base_offset())) {
            return error;
        }
    }
    segments_.resize(std::min(first, segments_.size()));
    return std::nullopt;
}

LogLoader::Outcome LogLoader::drop_if_below_log_start() {
    if (segments_.empty()) {
        return std::nullopt;
    }
    const auto end = find_next_offset(disk_, segments_.back());
    if (!end) {
        return end.error();
    }
    log_.log_end_ = *end;
    if (*end >= options_.log_start) {
        return std::nullopt;
    }
    // The log ends below its own start: nothing of it is of use.
    if (const auto error = drop_segments_from(0)) {
        return error;
    }
    was_epoch_changed_ |= epochs_.clear();
    return log_.snapshots_.clear(disk_, log_.directory());
}

LogLoader::Outcome LogLoader::ensure_segment() {
    if (segments_.empty()) {
        auto fresh = LogSegment::create(disk_, place(options_.log_start), log_.config());
        if (!fresh) {
            return fresh.error();
        }
        segments_.push_back(std::move(fresh).value());
        log_.log_end_ = options_.log_start;
        has_rebuilt_ = true;
    }
    LogSegment& active = segments_.back();
    return active.make_active(disk_, place(active.base_offset()), log_.config());
}

LogLoader::Outcome LogLoader::place_marks() {
    const types::Offset first_base = segments_.front().base_offset();
    log_.log_start_ = std::max(options_.log_start, first_base);
    // The file may have been cut below an offset that a checkpoint still remembers.
    log_.log_end_ = std::max(log_.log_end_, log_.log_start_);
    log_.high_watermark_ = std::clamp(options_.high_watermark, log_.log_start_, log_.log_end_);
    const bool is_all_durable = options_.was_clean_shutdown && !has_rebuilt_;
    const types::Offset recovery_point =
        is_all_durable ? log_.log_end_ : std::min(options_.recovery_point, log_.log_end_);
    log_.recovery_point_ = std::max(recovery_point, log_.log_start_);
    was_epoch_changed_ |= epochs_.truncate_from_end(log_.log_end_);
    was_epoch_changed_ |= epochs_.truncate_from_start(options_.log_start);
    log_.epochs_ = Cow<EpochCache>(std::move(epochs_));
    fact_.log_end_offset = log_.log_end_;
    fact_.high_watermark = log_.high_watermark_;
    return std::nullopt;
}

LogLoader::Outcome LogLoader::load_producers() {
    std::vector<types::Offset> bases;
    bases.reserve(segments_.size());
    for (const LogSegment& segment : segments_) {
        bases.push_back(segment.base_offset());
    }
    if (const auto error = log_.snapshots_.remove_stray(disk_, log_.directory(), bases)) {
        return error;
    }
    const ProducerRebuild rebuild{log_.directory(),
                                  segments_,
                                  log_.log_start_,
                                  log_.log_end_,
                                  options_.was_clean_shutdown,
                                  log_.config().producer_id_expiration_ms};
    if (const auto error = rebuild_producers(disk_, rebuild, log_.producers_, log_.snapshots_)) {
        return error;
    }
    log_.producers_.on_high_watermark(log_.high_watermark_);
    log_.active_ = std::move(segments_.back());
    segments_.pop_back();
    log_.closed_ = Cow<std::vector<LogSegment>>(std::move(segments_));
    return was_epoch_changed_ ? log_.write_epochs(disk_) : std::nullopt;
}

}  // namespace klab::storage
