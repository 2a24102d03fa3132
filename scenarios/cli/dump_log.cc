// SPDX-License-Identifier: Apache-2.0
//
// See dump_log.h.
#include "scenarios/cli/dump_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "model/metadata/foreign_records.h"
#include "model/metadata/record_codec.h"
#include "model/storage/byte_io.h"
#include "model/storage/control_record.h"
#include "model/storage/legacy_record.h"
#include "model/storage/record.h"
#include "model/storage/record_batch.h"

namespace klab::cli {

namespace {

using storage::BatchField;
using storage::RecordBatchView;

std::string_view codec_text(std::optional<storage::Codec> codec) {
    return codec ? types::to_text(*codec) : "unknown codec";
}

std::string_view type_text(storage::TimestampType type) {
    return type == storage::TimestampType::kCreateTime ? "CreateTime" : "LogAppendTime";
}

std::string_view control_text(std::optional<storage::ControlType> type) {
    switch (type.value_or(storage::ControlType::kUnknown)) {
        case storage::ControlType::kAbort:
            return "ABORT";
        case storage::ControlType::kCommit:
            return "COMMIT";
        case storage::ControlType::kLeaderChange:
            return "LeaderChange";
        case storage::ControlType::kSnapshotHeader:
            return "SnapshotHeader";
        case storage::ControlType::kSnapshotFooter:
            return "SnapshotFooter";
        case storage::ControlType::kKRaftVersion:
            return "KRaftVersion";
        case storage::ControlType::kKRaftVoters:
            return "KRaftVoters";
        case storage::ControlType::kUnknown:
            break;
    }
    return "unknown control record";
}

template <typename T>
std::optional<std::int64_t> number(const std::optional<T>& value) {
    return value ? std::optional<std::int64_t>(value->value()) : std::nullopt;
}

/// [["key","value"],...]; values as JsonLine::add_bytes writes them.
std::string headers_json(const storage::RecordView& record) {
    std::string json;
    for (const storage::RecordHeader& header : record.headers()) {
        json += fmt::format("{}[{},{}]",
                            json.empty() ? "" : ",",
                            bytes_json(storage::view_of(header.key)),
                            bytes_json(header.value));
    }
    return "[" + json + "]";
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
        : file_(path, std::ios::binary),
          name_(std::move(name)),
          is_metadata_(is_metadata),
          options_(options),
          sink_(sink) {}

    bool run() {
        if (!file_) {
            return damage(fmt::format("cannot be read: {}", std::strerror(errno)));
        }
        file_.seekg(0, std::ios::end);
        const std::streamoff end = file_.tellg();
        size_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
        bool goes_on = true;
        while (goes_on && position_ < size_) {
            goes_on = next();
        }
        return goes_on && summary();
    }

  private:
    /// One batch, or the reason why there are no more. False to stop.
    bool next() {
        const std::uint64_t left = size_ - position_;
        Bytes bytes = read(position_, std::min<std::uint64_t>(left, BatchField::kMagic + 1));
        if (bytes.size() <= BatchField::kMagic) {
            return end_at(fmt::format("{} bytes at the end are less than a batch", left));
        }
        const auto length = storage::load_be<std::int32_t>(bytes.data() + BatchField::kLength);
        const auto magic = static_cast<std::int8_t>(bytes[BatchField::kMagic]);
        if (length == 0 && rest_is_zero()) {
            return end_at(
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
            bytes = read(position_, whole);
            goes_on = bytes.size() == whole ? read_entry(bytes, magic)
                                            : damage("the file ended while it was read");
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
        text += "\n";
        bool is_damage = !good;
        if (options_.records && good) {
            const auto records = storage::read_legacy_records(message);
            if (records) {
                json.add_json("records", "[" + legacy_records(*records, text) + "]");
            } else {
                json.add_text("records_error", storage::to_text(records.error()));
                text +=
                    fmt::format("              records: {}\n", storage::to_text(records.error()));
                is_damage = true;
            }
        }
        return sink_({std::move(text), json.text(), is_damage});
    }

    /// The records as JSON array elements; adds their lines to `text`.
    std::string legacy_records(const std::vector<storage::LegacyRecord>& records,
                               std::string& text) const {
        const auto view = [](const std::optional<Bytes>& bytes) {
            return bytes ? std::optional(ByteView(*bytes)) : std::nullopt;
        };
        std::string json;
        for (const storage::LegacyRecord& record : records) {
            text += fmt::format("              {}  {}  key {}  value {}\n",
                                record.offset,
                                or_dash(record.timestamp),
                                bytes_text(view(record.key)),
                                bytes_text(view(record.value)));
            JsonLine line(name_, "record");
            line.add("offset", record.offset.value())
                .add("timestamp", record.timestamp)
                .add_bytes("key", view(record.key))
                .add_bytes("value", view(record.value));
            std::string object = line.text();
            object.pop_back();  // the line end
            json += (json.empty() ? "" : ",") + object;
        }
        return json;
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
        std::string text =
            fmt::format("  {:>10}  offsets {}..{}  {} records  epoch {}  {} bytes  {}",
                        position_,
                        base,
                        batch.last_offset().value(),
                        batch.records_count(),
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
        text += "\n";
        bool is_damage = !good;
        if (options_.records && good) {
            std::optional<storage::BatchError> error;
            json.add_json("records", "[" + read_records(batch, text, error) + "]");
            if (error) {
                json.add_text("records_error", storage::to_text(*error));
                text += fmt::format("              records: {}\n", storage::to_text(*error));
                is_damage = true;
            }
        }
        return sink_({std::move(text), json.text(), is_damage});
    }

    /// The records as JSON array elements, up to an error; adds their lines to `text`.
    std::string read_records(const RecordBatchView& batch,
                             std::string& text,
                             std::optional<storage::BatchError>& error) {
        std::string json;
        storage::RecordIterator it(batch);
        while (const auto record = it.next()) {
            const std::string meaning = meaning_of(batch, *record);
            text += fmt::format("              {}  {}  key {}  value {}\n",
                                record->offset,
                                record->timestamp,
                                bytes_text(record->key),
                                meaning.empty() ? bytes_text(record->value) : meaning);
            JsonLine line(name_, "record");
            line.add("offset", record->offset.value())
                .add("timestamp", record->timestamp)
                .add_bytes("key", record->key)
                .add_bytes("value", record->value)
                .add_json("headers", headers_json(*record));
            if (!meaning.empty()) {
                line.add_text("meaning", meaning);
            }
            std::string object = line.text();
            object.pop_back();  // the line end
            json += (json.empty() ? "" : ",") + object;
        }
        error = it.error();
        return json;
    }

    /// What a control or metadata record says; empty for any other.
    [[nodiscard]] std::string meaning_of(const RecordBatchView& batch,
                                         const storage::RecordView& record) const {
        if (batch.is_control()) {
            return std::string(
                control_text(record.key ? storage::parse_control_type(*record.key) : std::nullopt));
        }
        if (!is_metadata_ || !record.value) {
            return {};
        }
        const auto decoded = metadata::decode(*record.value);
        if (decoded) {
            return std::string(metadata::record_name(*decoded));
        }
        if (const auto name = metadata::foreign_record_name(*record.value)) {
            return std::string(*name);
        }
        return fmt::format("no metadata record: {}", metadata::to_text(decoded.error()));
    }

    bool summary() {
        JsonLine json(name_, "log");
        json.add("bytes", static_cast<std::int64_t>(size_)).add("batches", batches_);
        return sink_(
            {fmt::format("  {} batches, {} bytes\n", batches_, size_), json.text(), false});
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

    Bytes read(std::uint64_t position, std::uint64_t length) {
        Bytes bytes(length);
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(position));
        file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(length));
        bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file_.gcount(), 0)));
        return bytes;
    }

    bool rest_is_zero() {
        constexpr std::uint64_t kChunk = 1U << 16U;
        for (std::uint64_t at = position_; at < size_; at += kChunk) {
            const Bytes bytes = read(at, std::min(kChunk, size_ - at));
            if (!std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; })) {
                return false;
            }
        }
        return true;
    }

    std::ifstream file_;
    std::string name_;
    bool is_metadata_;
    const DumpOptions& options_;
    const DumpSink& sink_;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
    std::int64_t batches_ = 0;
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
