// SPDX-License-Identifier: Apache-2.0
//
// What `klab disk dump` finds, one item at a time, so that a directory of any size takes little
// memory: a line for people and one JSON object for programs. Long items come in pieces.
//
// Called by: dump_log, dump_records, dump_indexes, dump_checkpoints, dump_files, disk_command.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/bytes.h"

namespace klab::cli {

/// An object of one line, built member by member.
class JsonLine {
  public:
    /// Begins with the file and the kind of item: {"file":"t-0/...","kind":"batch"
    JsonLine(std::string_view file, std::string_view kind);

    JsonLine& add(std::string_view name, std::int64_t value);
    JsonLine& add(std::string_view name, std::optional<std::int64_t> value);
    JsonLine& add(std::string_view name, bool value);
    JsonLine& add_text(std::string_view name, std::string_view value);
    /// See bytes_json.
    JsonLine& add_bytes(std::string_view name, std::optional<ByteView> value);
    /// `json` is a value already.
    JsonLine& add_json(std::string_view name, std::string_view json);

    [[nodiscard]] std::string text() const { return text_ + "}\n"; }

    /// As far as it is built: more members, or the end, follow.
    [[nodiscard]] const std::string& open_text() const { return text_; }

  private:
    std::string text_;
};

/// An item or a piece of one. An empty text is nothing to show.
struct DumpItem {
    std::string text;        ///< what a person reads; the last piece has the line end
    std::string json;        ///< the same for programs
    bool is_damage = false;  ///< something that no Kafka would have written so
};

/// Returns false to stop (Ctrl-C).
using DumpSink = std::function<bool(const DumpItem&)>;

struct DumpOptions {
    bool records = false;  ///< each record, not only its batch
    bool json = false;     ///< which of the two forms is shown: only that one is built of records
};

/// One file on its way to the sink.
struct FileDump {
    const std::string& path;
    const std::string& name;  ///< as it is shown
    const DumpSink& sink;

    [[nodiscard]] bool line(const std::string& text, const JsonLine& json) const;
    [[nodiscard]] bool damage(const std::string& what) const;
};

/// A JSON string if the bytes are printable ASCII, else {"hex":"..."}; null for nothing.
[[nodiscard]] std::string bytes_json(std::optional<ByteView> bytes);

/// The same in pieces of some KiB, one after the other.
void bytes_json(std::optional<ByteView> bytes,
                const std::function<void(std::string_view piece)>& put);

/// Key or value for people: printable, cut after 120 columns; "-" for nothing.
[[nodiscard]] std::string bytes_text(std::optional<ByteView> bytes);

/// "1 record", "2 records".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view one, std::string_view many);

}  // namespace klab::cli
