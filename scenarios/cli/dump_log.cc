// SPDX-License-Identifier: Apache-2.0
//
// See dump_log.h.
#include "scenarios/cli/dump_log.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "model/storage/file_names.h"
#include "model/storage/legacy_record.h"
#include "model/storage/record_batch.h"
#include "scenarios/cli/data_file.h"
#include "scenarios/cli/dump_records.h"
#include "scenarios/cli/interrupt.h"

namespace klab::cli {

namespace {

namespace fs = std::filesystem;
using storage::BatchField;
using storage::RecordBatchView;

std::string_view codec_text(std::optional<storage::Codec> codec) {
    return codec ? types::to_text(*codec) : "unknown codec";
}

std::string_view type_text(storage::TimestampType type) {
    return type == storage::TimestampType::kCreateTime ? "CreateTime" : "LogAppendTime";
}

template <typename T>
std::optional<std::int64_t> number(const std::optional<T>& value) {
    return value ? std::optional<std::int64_t>(value->value()) : std::nullopt;
}

std::string or_dash(std::optional<std::int64_t> value) {
    return value ? fmt::format("{}", *value) : "-";
}

class LogDump {
  public:
    LogDump(const std::string& path,
            std::string name,
            bool is_metadata,
            const DumpOptions& options,
            const DumpSink& sink)
        : file_(path),
          file_base_(storage::parse_segment_file_name(fs::path(path).filename().string())),
          name_(std::move(name)),
          is_metadata_(is_metadata),
          options_(options),
          sink_(sink) {}

    bool run() {
        if (!file_.problem().empty()) {
            return damage("cannot be read: " + file_.problem());
        }
        size_ = file_.size();
        bool goes_on = true;
        while (goes_on && position_ < size_) {
            goes_on = next() && !interrupted();
        }
        return goes_on && summary();
    }

  private:
    /// One batch, or the reason why there are no more. False to stop.
    bool next() {
        const std::uint64_t left = size_ - position_;
        Bytes bytes = file_.read(position_, BatchField::kMagic + 1);
        if (bytes.size() <= BatchField::kMagic) {
            return end_at(fmt::format("{} bytes at the end are less than a batch", left));
        }
        const auto length = storage::load_be<std::int32_t>(bytes.data() + BatchField::kLength);
        const auto magic = static_cast<std::int8_t>(bytes[BatchField::kMagic]);
        if (length == 0 && rest_is_zero()) {
            return !interrupted() &&
                   end_at(
                       fmt::format("{} zero bytes to the end: preallocated, or a lost tail", left));
        }
        if (length < storage::kSizeFieldMin) {
            return end_at(
                fmt::format("the size field holds {}: nothing behind it can be read", length));
        }
        const std::uint64_t whole = storage::kLogOverhead + static_cast<std::uint64_t>(length);
        if (whole > left) {
            return end_at(fmt::format("a batch of {} bytes is cut after {}", whole, left));
        }
        bool goes_on = true;
        if (magic < 0 || magic > 2) {
            goes_on = damage(fmt::format("unknown batch format {}", magic));
        } else if (magic == 2 && whole < storage::kRecordBatchOverhead) {
            goes_on = damage(fmt::format("{} bytes cannot hold a batch header", whole));
        } else if (whole > kBatchBytesMax) {
            goes_on = damage(fmt::format("a batch of {} bytes is not read", whole));
        } else {
            bytes = file_.read(position_, whole);
            goes_on = bytes.size() == whole ? read_entry(bytes, magic)
                                            : damage("cannot be read: " + file_.problem());
        }
        position_ += whole;
        return goes_on;
    }

    bool read_entry(const Bytes& bytes, std::int8_t magic) {
        if (magic == 2) {
            return batch(RecordBatchView(bytes));
        }
        const auto message = storage::frame_legacy_message(bytes);
        return message.ok() && *message
                   ? legacy_message(**message)
                   : damage(fmt::format(
                         "{} bytes cannot hold a message of format {}", bytes.size(), magic));
    }

    /// A message of format 0 or 1, or the wrapper of compressed ones.
    bool legacy_message(const storage::LegacyMessageView& message) {
        ++batches_;
        const bool good = message.has_valid_crc();
        JsonLine json(name_, "message");
        json.add("position", static_cast<std::int64_t>(position_))
            .add("size", static_cast<std::int64_t>(message.size()))
            .add("magic", std::int64_t{message.magic()})
            .add("offset", message.offset().value())
            .add("crc", std::int64_t{message.stored_crc()})
            .add("crc_valid", good)
            .add_text("codec", codec_text(message.codec()))
            .add_text("timestamp_type",
                      message.magic() == 0 ? "NoTimestampType"  // format 0 has no timestamps
                                           : type_text(message.timestamp_type()))
            .add("timestamp", message.timestamp());
        std::string text = fmt::format("  {:>10}  offset {}  format {}  {} bytes  {}",
                                       position_,
                                       message.offset(),
                                       message.magic(),
                                       message.size(),
                                       good ? "crc ok" : "CRC WRONG");
        text += message.codec() == storage::Codec::kNone
                    ? ""
                    : fmt::format("  {}", codec_text(message.codec()));
        const bool is_plain = message.codec() == storage::Codec::kNone;
        return follow({is_plain ? std::optional(message.offset()) : std::nullopt,
                       message.offset(),
                       std::nullopt},
                      good) &&
               show(std::move(text), json, good, [&] {
                   return dump_records(message, name_, options_, sink_);
               });
    }

    bool batch(const RecordBatchView& batch) {
        constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
        const std::int64_t base = batch.base_offset().value();
        if (batch.last_offset_delta() < 0 || base < 0 || base > kMax - batch.last_offset_delta()) {
            return damage(fmt::format(
                "base offset {} and last offset delta {}", base, batch.last_offset_delta()));
        }
        ++batches_;
        const bool good = batch.has_valid_crc();
        const auto epoch = number(batch.leader_epoch());
        JsonLine json(name_, "batch");
        json.add("position", static_cast<std::int64_t>(position_))
            .add("size", static_cast<std::int64_t>(batch.size()))
            .add("magic", std::int64_t{2})
            .add("base_offset", base)
            .add("last_offset", batch.last_offset().value())
            .add("leader_epoch", epoch)
            .add("crc", std::int64_t{batch.stored_crc()})
            .add("crc_valid", good)
            .add_text("codec", codec_text(batch.codec()))
            .add_text("timestamp_type", type_text(batch.timestamp_type()))
            .add("max_timestamp", batch.max_timestamp())
            .add("producer_id", number(batch.producer_id()))
            .add("producer_epoch", number(batch.producer_epoch()))
            .add("base_sequence",
                 batch.base_sequence() ? std::optional<std::int64_t>(*batch.base_sequence())
                                       : std::nullopt)
            .add("transactional", batch.is_transactional())
            .add("control", batch.is_control())
            .add("delete_horizon", batch.delete_horizon())
            .add("count", std::int64_t{batch.records_count()});
        std::string text = fmt::format("  {:>10}  offsets {}..{}  {}  epoch {}  {} bytes  {}",
                                       position_,
                                       base,
                                       batch.last_offset().value(),
                                       counted(batch.records_count(), "record", "records"),
                                       or_dash(epoch),
                                       batch.size(),
                                       good ? "crc ok" : "CRC WRONG");
        text += batch.codec() == storage::Codec::kNone
                    ? ""
                    : fmt::format("  {}", codec_text(batch.codec()));
        if (batch.producer_id()) {
            text += fmt::format("  producer {} epoch {} sequence {}",
                                or_dash(number(batch.producer_id())),
                                or_dash(number(batch.producer_epoch())),
                                batch.base_sequence().value_or(-1));
        }
        text += batch.is_transactional() ? "  transactional" : "";
        text += batch.is_control() ? "  control" : "";
        if (const auto horizon = batch.delete_horizon()) {
            text += fmt::format("  delete horizon {}", *horizon);
        }
        return follow({batch.base_offset(), batch.last_offset(), raw_epoch(batch)}, good) &&
               show(std::move(text),
                    json,
                    good,
                    [&] { return dump_records(batch, name_, is_metadata_, options_, sink_); }) &&
               (batch.records_count() <= batch.last_offset_delta() + std::int64_t{1} ||
                damage(fmt::format("{} records have no room in offsets {}..{}",
                                   batch.records_count(),
                                   base,
                                   batch.last_offset())));
    }

    /// The line of a batch and, if they are asked for and it is whole, its records.
    template <typename F>
    bool show(std::string text, const JsonLine& json, bool is_good, F&& records) {
        text += "\n";
        if (!options_.records || !is_good) {
            return sink_({std::move(text), json.text(), !is_good});
        }
        bool goes_on = sink_({std::move(text), json.open_text() + ",\"records\":[", false});
        RecordsShown shown{"", false};
        if (goes_on) {
            shown = records();
            goes_on = shown.goes_on;
        }
        DumpItem end{"", "]}\n", !shown.problem.empty()};
        if (!shown.problem.empty()) {
            end.text = fmt::format("              records: {}\n", shown.problem);
            end.json = fmt::format("],\"records_error\":\"{}\"}}\n", shown.problem);
        }
        return sink_(end) && goes_on;
    }

    /// A leader stamps its epoch on what it appends; -1 is on batches that no leader has appended.
    static std::int32_t raw_epoch(const RecordBatchView& batch) {
        return storage::load_be<std::int32_t>(batch.bytes().data() + BatchField::kLeaderEpoch);
    }

    /// Where a batch says that it belongs.
    struct Place {
        std::optional<types::Offset> base;  ///< nothing where only the last offset is known
        types::Offset last;
        std::optional<std::int32_t> epoch;  ///< nothing before format 2
    };

    /// Offsets rise from the name of the file on, epochs do not fall. What is missing between two
    /// batches was compacted, or written by a leader that lost it: that is no damage. A batch with
    /// a wrong checksum is damage enough.
    bool follow(const Place& place, bool is_good) {
        if (!is_good) {
            after_damage_ = true;
            return true;
        }
        const types::Offset base = place.base.value_or(place.last);
        bool goes_on = true;
        if (file_base_ && base < *file_base_) {
            goes_on = damage(
                fmt::format("offset {} lies below the file's base offset {}", base, *file_base_));
        }
        if (goes_on && last_ && base <= *last_) {
            goes_on = damage(fmt::format("offset {} follows offset {}", base, *last_));
        }
        const std::int64_t before = last_        ? last_->value()
                                    : file_base_ ? file_base_->value() - 1
                                                 : base.value() - 1;
        if (goes_on && place.base && base.value() - 1 > before && !after_damage_) {
            goes_on = gap(types::Offset(before + 1), base);
        }
        if (goes_on && place.epoch && *place.epoch < -1) {
            goes_on = damage(fmt::format("leader epoch {}", *place.epoch));
        }
        if (goes_on && place.epoch && *place.epoch < epoch_) {
            goes_on = damage(fmt::format("leader epoch {} follows {}", *place.epoch, epoch_));
        }
        last_ = std::max(place.last, last_.value_or(place.last));
        epoch_ = std::max(epoch_, place.epoch.value_or(epoch_));
        after_damage_ = false;
        return goes_on;
    }

    /// A note, not damage.
    bool gap(types::Offset from, types::Offset to) {
        JsonLine json(name_, "gap");
        json.add("position", static_cast<std::int64_t>(position_))
            .add("first", from.value())
            .add("last", to.value() - 1);
        return sink_({fmt::format("  {:>10}  note: offsets {}..{} are missing before it\n",
                                  position_,
                                  from,
                                  to.value() - 1),
                      json.text(),
                      false});
    }

    bool summary() {
        JsonLine json(name_, "log");
        json.add("bytes", static_cast<std::int64_t>(size_)).add("batches", batches_);
        return sink_({fmt::format("  {}, {} bytes\n", counted(batches_, "batch", "batches"), size_),
                      json.text(),
                      false});
    }

    bool damage(const std::string& what) {
        JsonLine json(name_, "damage");
        json.add("position", static_cast<std::int64_t>(position_)).add_text("what", what);
        return sink_({fmt::format("  {:>10}  DAMAGE: {}\n", position_, what), json.text(), true});
    }

    /// Damage after which nothing of the file can be told.
    bool end_at(const std::string& what) {
        const bool goes_on = damage(what);
        position_ = size_;
        return goes_on;
    }

    /// Holes are passed over. True as well when Ctrl-C cuts it short.
    bool rest_is_zero() {
        constexpr std::uint64_t kChunk = 1U << 20U;
        for (std::uint64_t at = position_; at < size_ && !interrupted();) {
            at = file_.next_data(at);
            const Bytes bytes = file_.read(at, kChunk);
            if (std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; })) {
                return false;
            }
            at += kChunk;
        }
        return true;
    }

    DataFile file_;
    std::optional<types::Offset> file_base_;
    std::string name_;
    bool is_metadata_;
    const DumpOptions& options_;
    const DumpSink& sink_;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
    std::int64_t batches_ = 0;
    std::optional<types::Offset> last_;  ///< largest offset so far
    std::int32_t epoch_ = -1;            ///< largest leader epoch so far
    bool after_damage_ = false;          ///< what is missing may be what was damaged
};

}  // namespace

bool dump_log(const std::string& path,
              const std::string& name,
              bool is_metadata,
              const DumpOptions& options,
              const DumpSink& sink) {
    return LogDump(path, name, is_metadata, options, sink).run();
}

}  // namespace klab::cli
