// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/dump_records.h"

#include <fmt/format.h>

#include "model/metadata/foreign_records.h"
#include "model/metadata/record_codec.h"
#include "model/storage/byte_io.h"
#include "model/storage/compression.h"
#include "model/storage/control_record.h"
#include "model/storage/record.h"
#include "model/storage/varint.h"
#include "scenarios/run/json_tree.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

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

/// What a control or metadata record says; empty for any other.
std::string meaning_of(const storage::RecordView& record, bool is_control, bool is_metadata) {
    if (is_control) {
        return std::string(
            control_text(record.key ? storage::parse_control_type(*record.key) : std::nullopt));
    }
    if (!is_metadata || !record.value) {
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

std::string problem_text(storage::BatchError error) {
    std::string text(storage::to_text(error));
    if (error == storage::BatchError::kExpandsTooFar) {
        text += fmt::format(": more than {} bytes are not read", storage::kDecompressedMax);
    }
    return text;
}

/// Collects what is shown into pieces of one size, whatever the size of a record is.
class PieceWriter {
  public:
    PieceWriter(const DumpSink& sink, bool json) : sink_(sink), json_(json) {}

    void put(std::string_view piece) {
        buffer_ += piece;
        if (buffer_.size() >= kPieceBytes) {
            flush();
        }
    }

    void put_bytes(std::optional<ByteView> bytes) {
        bytes_json(bytes, [this](std::string_view piece) { put(piece); });
    }

    void flush() {
        DumpItem item;
        (json_ ? item.json : item.text).swap(buffer_);
        goes_on_ = sink_(item) && goes_on_;
        buffer_.clear();
    }

    [[nodiscard]] bool goes_on() const { return goes_on_; }

  private:
    static constexpr std::size_t kPieceBytes = 64U << 10U;

    const DumpSink& sink_;
    bool json_;
    std::string buffer_;
    bool goes_on_ = true;
};

/// {"file":...,"kind":"record","offset":...,"timestamp":...,"key":...,"value":... without its end.
template <typename Record>
void put_json(PieceWriter& out, const Record& record, const std::string& name, bool is_first) {
    JsonLine line(name, "record");
    line.add("offset", record.offset.value())
        .add("timestamp", std::optional<std::int64_t>(record.timestamp));
    out.put(is_first ? "" : ",");
    out.put(line.open_text());
    out.put(",\"key\":");
    out.put_bytes(record.key);
    out.put(",\"value\":");
    out.put_bytes(record.value);
}

/// ,"headers":[["key","value"],...]: one at a time, as a record may have millions.
void put_headers(PieceWriter& out, const storage::RecordView& record) {
    storage::ByteReader reader(record.header_bytes);
    const auto sized = [&]() -> std::optional<ByteView> {
        const std::int32_t length = storage::read_varint(reader);
        return length < 0 ? std::nullopt
                          : std::optional(reader.take(static_cast<std::size_t>(length)));
    };
    out.put(",\"headers\":[");
    for (std::uint32_t i = 0; i < record.headers_count && out.goes_on(); ++i) {
        out.put(i == 0 ? "[" : ",[");
        out.put_bytes(sized());
        out.put(",");
        out.put_bytes(sized());
        out.put("]");
    }
    out.put("]");
}

/// Offsets that no Kafka would have written into such a batch; "" for good ones.
std::string wrong_offset(const storage::RecordBatchView& batch,
                         types::Offset offset,
                         std::optional<types::Offset> before) {
    if (offset < batch.base_offset() || offset > batch.last_offset()) {
        return fmt::format("the record of offset {} lies outside of its batch", offset);
    }
    if (before && offset <= *before) {
        return fmt::format("offset {} follows offset {}", offset, *before);
    }
    return {};
}

}  // namespace

RecordsShown dump_records(const storage::RecordBatchView& batch,
                          const std::string& name,
                          bool is_metadata,
                          const DumpOptions& options,
                          const DumpSink& sink) {
    PieceWriter out(sink, options.json);
    RecordsShown shown;
    storage::RecordIterator it(batch);
    std::optional<types::Offset> before;
    while (out.goes_on()) {
        const auto record = it.next();
        if (!record) {
            break;
        }
        const std::string meaning = meaning_of(*record, batch.is_control(), is_metadata);
        if (options.json) {
            put_json(out, *record, name, !before);
            put_headers(out, *record);
            out.put(meaning.empty()
                        ? "}"
                        : fmt::format(",\"meaning\":{}}}",
                                      scenario::quote_json(viz::to_printable(meaning))));
        } else {
            out.put(fmt::format("              {}  {}  key {}  value {}\n",
                                record->offset,
                                record->timestamp,
                                bytes_text(record->key),
                                meaning.empty() ? bytes_text(record->value) : meaning));
        }
        if (shown.problem.empty()) {
            shown.problem = wrong_offset(batch, record->offset, before);
        }
        before = record->offset;
    }
    out.flush();
    shown.goes_on = out.goes_on();
    if (it.error()) {
        shown.problem = problem_text(*it.error());
    }
    return shown;
}

RecordsShown dump_records(const storage::LegacyMessageView& message,
                          const std::string& name,
                          const DumpOptions& options,
                          const DumpSink& sink) {
    PieceWriter out(sink, options.json);
    storage::LegacyRecordIterator it(message);
    bool is_first = true;
    while (out.goes_on()) {
        const auto record = it.next();
        if (!record) {
            break;
        }
        if (options.json) {
            put_json(out, *record, name, is_first);
            out.put("}");
        } else {
            out.put(fmt::format("              {}  {}  key {}  value {}\n",
                                record->offset,
                                record->timestamp ? fmt::format("{}", *record->timestamp) : "-",
                                bytes_text(record->key),
                                bytes_text(record->value)));
        }
        is_first = false;
    }
    out.flush();
    return {it.error() ? problem_text(*it.error()) : "", out.goes_on()};
}

}  // namespace klab::cli
