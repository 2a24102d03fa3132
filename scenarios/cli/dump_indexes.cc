// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/dump_indexes.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "model/storage/file_names.h"
#include "model/storage/index_entries.h"
#include "model/storage/record_batch.h"
#include "scenarios/cli/data_file.h"
#include "scenarios/cli/interrupt.h"

namespace klab::cli {

namespace {

namespace fs = std::filesystem;

/// Number before the suffix of "00000000000000000042.index"; 0 if there is none.
types::Offset base_of(const std::string& path) {
    const std::string stem = fs::path(path).stem().string();
    return storage::parse_segment_file_name(stem + std::string(storage::kLogSuffix))
        .value_or(types::Offset(0));
}

/// The .log beside an index: only headers are read.
class LogBeside {
  public:
    explicit LogBeside(const std::string& index_path)
        : file_(fs::path(index_path).replace_extension(".log").string()) {}

    [[nodiscard]] bool exists() const { return file_.problem().empty(); }

    [[nodiscard]] std::uint64_t size() const { return file_.size(); }

    /// Of the batch at this place; nothing if there is no room for one.
    [[nodiscard]] std::optional<std::int64_t> base_offset_at(std::uint64_t position) {
        const Bytes bytes = file_.read(position, sizeof(std::int64_t));
        return bytes.size() < sizeof(std::int64_t)
                   ? std::nullopt
                   : std::optional(storage::load_be<std::int64_t>(bytes.data()));
    }

    /// The last offset of the last batch; nothing when the log is empty or damaged.
    [[nodiscard]] std::optional<std::int64_t> last_offset() {
        constexpr std::uint64_t kHeader = storage::BatchField::kBaseTimestamp;
        std::optional<std::int64_t> last;
        for (std::uint64_t at = 0; at < file_.size() && !interrupted();) {
            const Bytes bytes = file_.read(at, kHeader);
            if (bytes.size() < kHeader) {
                return std::nullopt;
            }
            const auto length =
                storage::load_be<std::int32_t>(bytes.data() + storage::BatchField::kLength);
            if (length < storage::kSizeFieldMin) {
                return std::nullopt;
            }
            const auto base = storage::load_be<std::int64_t>(bytes.data());
            const auto delta = storage::load_be<std::int32_t>(
                bytes.data() + storage::BatchField::kLastOffsetDelta);
            const bool is_new = bytes[storage::BatchField::kMagic] == 2;
            const std::int64_t end = static_cast<std::int64_t>(static_cast<std::uint64_t>(base) +
                                                               static_cast<std::uint64_t>(delta));
            last = is_new ? end : base;  // before format 2 the offset is the last one
            at += storage::kLogOverhead + static_cast<std::uint64_t>(length);
        }
        return last;
    }

  private:
    DataFile file_;
};

/// Reads fixed-size entries; `one` shows an entry and returns false to stop. Holes and entries of
/// zeros are only counted. `zero_first`: the first entry may be all zeros and all the same be one.
template <typename F>
bool for_each_entry(const FileDump& dump, std::size_t entry_bytes, bool zero_first, F&& one) {
    DataFile file(dump.path);
    const std::uint64_t block_bytes = entry_bytes * (std::uint64_t{64} << 10U);
    const std::uint64_t end = file.size() / entry_bytes * entry_bytes;
    std::uint64_t unwritten = 0;
    bool is_told = false;
    for (std::uint64_t at = 0; at < end && file.problem().empty();) {
        if (interrupted()) {
            return false;
        }
        const std::uint64_t hole = (std::min(end, file.next_data(at)) - at) / entry_bytes;
        unwritten += hole;
        at += hole * entry_bytes;
        const Bytes block = file.read(at, std::min(block_bytes, end - at));
        for (std::size_t i = 0; i + entry_bytes <= block.size(); i += entry_bytes) {
            const ByteView entry = ByteView(block).subspan(i, entry_bytes);
            if (storage::is_unwritten(entry)) {
                ++unwritten;
                continue;
            }
            const bool is_first_zero = zero_first && unwritten == 1 && at + i == entry_bytes;
            if (unwritten > 0 && !is_first_zero && !is_told) {
                is_told = true;
                if (!dump.damage("entries lie behind entries of zeros")) {
                    return false;
                }
            }
            if (!one(entry)) {
                return false;
            }
        }
        at += block.size();
    }
    if (!file.problem().empty()) {
        return dump.damage("cannot be read: " + file.problem());
    }
    if (unwritten > 0) {
        JsonLine json(dump.name, "unwritten");
        json.add("entries", static_cast<std::int64_t>(unwritten));
        const std::string what =
            counted(static_cast<std::int64_t>(unwritten), "entry", "entries") + " of zeros";
        if (!dump.line(what + " (preallocated)", json)) {
            return false;
        }
    }
    const std::uint64_t rest = file.size() - end;
    return rest == 0 ||
           dump.damage(fmt::format("{} behind the last entry",
                                   counted(static_cast<std::int64_t>(rest), "byte", "bytes")));
}

/// Where an offset lies that an index names; "" where it should.
std::string wrong_offset(std::int64_t offset,
                         types::Offset base,
                         std::optional<std::int64_t> last) {
    if (offset < base.value()) {
        return fmt::format("offset {} lies below the file's base offset {}", offset, base);
    }
    if (last && offset > *last) {
        return fmt::format("offset {} lies behind the log's last offset {}", offset, *last);
    }
    return {};
}

bool tell(const FileDump& dump, const std::string& problem) {
    return problem.empty() || dump.damage(problem);
}

}  // namespace

bool dump_offset_index(const FileDump& dump) {
    const types::Offset base = base_of(dump.path);
    LogBeside log(dump.path);
    const std::optional<std::int64_t> last = log.exists() ? log.last_offset() : std::nullopt;
    std::optional<storage::OffsetIndexEntry> before;
    const auto wrong = [&](const storage::OffsetIndexEntry& entry) -> std::string {
        if (std::string problem = wrong_offset(entry.offset.value(), base, last);
            !problem.empty()) {
            return problem;
        }
        if (entry.position < 0) {
            return fmt::format("position {}", entry.position);
        }
        if (before && (entry.offset <= before->offset || entry.position <= before->position)) {
            return fmt::format("offset {} at {} follows offset {} at {}",
                               entry.offset,
                               entry.position,
                               before->offset,
                               before->position);
        }
        const auto position = static_cast<std::uint64_t>(entry.position);
        if (log.exists() && position >= log.size()) {
            return fmt::format(
                "position {} lies behind the {} bytes of the log", position, log.size());
        }
        const std::optional<std::int64_t> found =
            log.exists() ? log.base_offset_at(position) : std::nullopt;
        if (found && *found > entry.offset.value()) {
            return fmt::format(
                "offset {} at {}, where offset {} lies", entry.offset, position, *found);
        }
        return {};
    };
    return for_each_entry(
        dump, storage::OffsetIndexEntry::kBytes, /*zero_first=*/false, [&](ByteView bytes) {
            const auto entry = storage::decode_offset_index_entry(bytes, base);
            JsonLine json(dump.name, "offset_index");
            json.add("offset", entry.offset.value()).add("position", std::int64_t{entry.position});
            const std::string problem = wrong(entry);
            before = entry;
            return dump.line(fmt::format("offset {} at {}", entry.offset, entry.position), json) &&
                   tell(dump, problem);
        });
}

bool dump_time_index(const FileDump& dump) {
    const types::Offset base = base_of(dump.path);
    LogBeside log(dump.path);
    const std::optional<std::int64_t> last = log.exists() ? log.last_offset() : std::nullopt;
    std::optional<storage::TimeIndexEntry> before;
    const auto wrong = [&](const storage::TimeIndexEntry& entry) -> std::string {
        if (entry.timestamp < 0) {
            return fmt::format("timestamp {}", entry.timestamp);
        }
        if (before && (entry.timestamp <= before->timestamp || entry.offset < before->offset)) {
            return fmt::format("timestamp {} offset {} follows timestamp {} offset {}",
                               entry.timestamp,
                               entry.offset,
                               before->timestamp,
                               before->offset);
        }
        return wrong_offset(entry.offset.value(), base, last);
    };
    return for_each_entry(
        dump, storage::TimeIndexEntry::kBytes, /*zero_first=*/true, [&](ByteView bytes) {
            const auto entry = storage::decode_time_index_entry(bytes, base);
            JsonLine json(dump.name, "time_index");
            json.add("timestamp", entry.timestamp).add("offset", entry.offset.value());
            const std::string problem = wrong(entry);
            before = entry;
            return dump.line(fmt::format("timestamp {} offset {}", entry.timestamp, entry.offset),
                             json) &&
                   tell(dump, problem);
        });
}

bool dump_transaction_index(const FileDump& dump) {
    const types::Offset base = base_of(dump.path);
    std::optional<types::Offset> before;
    const auto wrong = [&](const storage::AbortedTransaction& entry) -> std::string {
        if (entry.producer_id.value() < 0 || entry.first_offset.value() < 0 ||
            entry.first_offset > entry.last_offset || entry.last_stable_offset.value() < 0) {
            return "that is no transaction";
        }
        if (before && entry.last_offset <= *before) {
            return fmt::format("a transaction that ends at {} follows one that ends at {}",
                               entry.last_offset,
                               *before);
        }
        return wrong_offset(entry.last_offset.value(), base, std::nullopt);
    };
    return for_each_entry(
        dump, storage::AbortedTransaction::kBytes, /*zero_first=*/false, [&](ByteView bytes) {
            const auto entry = storage::decode_aborted_transaction(bytes);
            if (!entry) {
                return dump.damage("an entry of an unknown version");
            }
            JsonLine json(dump.name, "aborted");
            json.add("producer_id", entry->producer_id.value())
                .add("first_offset", entry->first_offset.value())
                .add("last_offset", entry->last_offset.value())
                .add("last_stable_offset", entry->last_stable_offset.value());
            const std::string problem = wrong(*entry);
            before = entry->last_offset;
            return dump.line(fmt::format("producer {} aborted {}..{}  last stable offset {}",
                                         entry->producer_id,
                                         entry->first_offset,
                                         entry->last_offset,
                                         entry->last_stable_offset),
                             json) &&
                   tell(dump, problem);
        });
}

}  // namespace klab::cli
