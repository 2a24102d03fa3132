// SPDX-License-Identifier: Apache-2.0
//
// What `klab disk dump` finds, one item at a time, so that a directory of any size takes little
// memory: a line for people and one JSON object for programs.
//
// Called by: dump_log, dump_files, disk_command.
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

  private:
    std::string text_;
};

struct DumpItem {
    std::string text;        ///< with line end; what a person reads
    std::string json;        ///< with line end
    bool is_damage = false;  ///< something that no Kafka would have written so
};

/// Returns false to stop (Ctrl-C).
using DumpSink = std::function<bool(const DumpItem&)>;

struct DumpOptions {
    bool records = false;  ///< each record, not only its batch
};

/// A JSON string if the bytes are printable ASCII, else {"hex":"..."}; null for nothing.
[[nodiscard]] std::string bytes_json(std::optional<ByteView> bytes);

/// Key or value for people: printable, cut after 120 columns; "-" for nothing.
[[nodiscard]] std::string bytes_text(std::optional<ByteView> bytes);

}  // namespace klab::cli
