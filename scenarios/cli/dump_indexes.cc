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

/// Calls `one(entry, number, zeros)` for each entry that is not all zeros; `zeros`: how many of
/// those lay before it. Holes are only counted. False when `one` said so or Ctrl-C was pressed.
template <typename F>
bool walk_entries(DataFile& file, std::size_t entry_bytes, std::uint64_t& zeros, F&& one) {
    const std::uint64_t block_bytes = entry_bytes * (std::uint64_t{64} << 10U);
    const std::uint64_t end = file.size() / entry_bytes * entry_bytes;
    zeros = 0;
    for (std::uint64_t at = 0; at < end && file.problem().empty();) {
        if (interrupted()) {
            return false;
        }
        const std::uint64_t hole = (std::min(end, file.next_data(at)) - at) / entry_bytes;
        zeros += hole;
        at += hole * entry_bytes;
        const Bytes block = file.read(at, std::min(block_bytes, end - at));
        for (std::size_t i = 0; i + entry_bytes <= block.size(); i += entry_bytes) {
            const ByteView entry = ByteView(block).subspan(i, entry_bytes);
            if (storage::is_unwritten(entry)) {
                ++zeros;
            } else if (!one(entry, (at + i) / entry_bytes)) {
                return false;
            }
        }
        at += block.size();
    }
    return true;
}

/// What may be told of a file before its entries are shown.
struct Survey {
    std::uint64_t last_fit = 0;    ///< number behind the last entry that fits to the log
    bool is_preallocated = false;  ///< its end was never written: it is, or was, in use
};

template <typename Fits>
Survey survey_of(const FileDump& dump, std::size_t entry_bytes, Fits&& fits) {
    DataFile file(dump.path);
    Survey survey;
    std::uint64_t zeros = 0;
    walk_entries(file, entry_bytes, zeros, [&](ByteView entry, std::uint64_t number) {
        survey.last_fit = fits(entry) ? number + 1 : survey.last_fit;
        return true;
    });
    const std::uint64_t entries = file.size() / entry_bytes;
    survey.is_preallocated =
        entries > 0 && storage::is_unwritten(file.read((entries - 1) * entry_bytes, entry_bytes));
    return survey;
}

/// Reads fixed-size entries; `one` shows an entry and returns false to stop. Entries of zeros are
/// only counted. `zero_first`: the first entry may be all zeros and all the same be one.
template <typename F>
bool for_each_entry(const FileDump& dump, std::size_t entry_bytes, bool zero_first, F&& one) {
    DataFile file(dump.path);
    std::uint64_t zeros = 0;
    bool is_told = false;
    const auto show = [&](ByteView entry, std::uint64_t number) {
        const bool is_first_zero = zero_first && zeros == 1 && number == 1;
        if (zeros > 0 && !is_first_zero && !is_told) {
            is_told = true;
            if (!dump.damage("entries lie behind entries of zeros")) {
                return false;
            }
        }
        return one(entry, number);
    };
    if (!walk_entries(file, entry_bytes, zeros, show)) {
        return false;
    }
    if (!file.problem().empty()) {
        return dump.damage("cannot be read: " + file.problem());
    }
    if (zeros > 0) {
        JsonLine json(dump.name, "unwritten");
        json.add("entries", static_cast<std::int64_t>(zeros));
        const std::string what =
            counted(static_cast<std::int64_t>(zeros), "entry", "entries") + " of zeros";
        if (!dump.line(what + " (preallocated)", json)) {
            return false;
        }
    }
    const auto rest = static_cast<std::int64_t>(file.size() % entry_bytes);
    return rest == 0 || dump.damage(counted(rest, "byte", "bytes") + " behind the last entry");
}

/// What is wrong with an entry; "" for a good one.
struct Problem {
    std::string what;
    bool is_never_right = false;  ///< not even an entry from before a cut looks so
};

Problem wrong_offset(std::int64_t offset, types::Offset base, std::optional<std::int64_t> last) {
    if (offset < base.value()) {
        return {fmt::format("offset {} lies below the file's base offset {}", offset, base), true};
    }
    if (last && offset > *last) {
        return {fmt::format("offset {} lies behind the log's last offset {}", offset, *last)};
    }
    return {};
}

/// When a log is cut, its index goes on at an earlier entry, and what was written behind that stays
/// in the file until it is trimmed. So behind the last entry that fits there may be old ones.
bool tell(const FileDump& dump,
          const Problem& problem,
          std::uint64_t number,
          const Survey& survey) {
    if (problem.what.empty()) {
        return true;
    }
    const bool may_be_old = survey.is_preallocated && number >= survey.last_fit;
    if (problem.is_never_right || !may_be_old) {
        return dump.damage(problem.what);
    }
    JsonLine json(dump.name, "note");
    json.add_text("what", problem.what);
    return dump.line("note: perhaps from before the log was cut: " + problem.what, json);
}

}  // namespace

bool dump_offset_index(const FileDump& dump) {
    using Entry = storage::OffsetIndexEntry;
    const types::Offset base = base_of(dump.path);
    LogBeside log(dump.path);
    const std::optional<std::int64_t> last = log.exists() ? log.last_offset() : std::nullopt;
    const auto against_log = [&](const Entry& entry) -> Problem {
        const auto position = static_cast<std::uint64_t>(entry.position);
        if (Problem problem = wrong_offset(entry.offset.value(), base, std::nullopt);
            problem.is_never_right) {
            return problem;
        }
        if (entry.position < 0) {
            return {fmt::format("position {}", entry.position), true};
        }
        if (log.exists() && position >= log.size()) {
            return {fmt::format(
                "position {} lies behind the {} bytes of the log", position, log.size())};
        }
        const auto found = log.exists() ? log.base_offset_at(position) : std::nullopt;
        if (found && *found > entry.offset.value()) {
            return {fmt::format(
                "offset {} at {}, where offset {} lies", entry.offset, position, *found)};
        }
        return wrong_offset(entry.offset.value(), base, last);
    };
    const Survey survey = survey_of(dump, Entry::kBytes, [&](ByteView bytes) {
        return against_log(storage::decode_offset_index_entry(bytes, base)).what.empty();
    });
    std::optional<Entry> before;
    const auto show = [&](ByteView bytes, std::uint64_t number) {
        const Entry entry = storage::decode_offset_index_entry(bytes, base);
        JsonLine json(dump.name, "offset_index");
        json.add("offset", entry.offset.value()).add("position", std::int64_t{entry.position});
        Problem problem = against_log(entry);
        if (problem.what.empty() && before &&
            (entry.offset <= before->offset || entry.position <= before->position)) {
            problem.what = fmt::format("offset {} at {} follows offset {} at {}",
                                       entry.offset,
                                       entry.position,
                                       before->offset,
                                       before->position);
        }
        before = entry;
        return dump.line(fmt::format("offset {} at {}", entry.offset, entry.position), json) &&
               tell(dump, problem, number, survey);
    };
    return for_each_entry(dump, Entry::kBytes, /*zero_first=*/false, show);
}

bool dump_time_index(const FileDump& dump) {
    using Entry = storage::TimeIndexEntry;
    const types::Offset base = base_of(dump.path);
    LogBeside log(dump.path);
    const std::optional<std::int64_t> last = log.exists() ? log.last_offset() : std::nullopt;
    const auto against_log = [&](const Entry& entry) -> Problem {
        return entry.timestamp < 0 ? Problem{fmt::format("timestamp {}", entry.timestamp), true}
                                   : wrong_offset(entry.offset.value(), base, last);
    };
    const Survey survey = survey_of(dump, Entry::kBytes, [&](ByteView bytes) {
        return against_log(storage::decode_time_index_entry(bytes, base)).what.empty();
    });
    std::optional<Entry> before;
    const auto show = [&](ByteView bytes, std::uint64_t number) {
        const Entry entry = storage::decode_time_index_entry(bytes, base);
        JsonLine json(dump.name, "time_index");
        json.add("timestamp", entry.timestamp).add("offset", entry.offset.value());
        Problem problem = against_log(entry);
        if (problem.what.empty() && before &&
            (entry.timestamp <= before->timestamp || entry.offset < before->offset)) {
            problem.what = fmt::format("timestamp {} offset {} follows timestamp {} offset {}",
                                       entry.timestamp,
                                       entry.offset,
                                       before->timestamp,
                                       before->offset);
        }
        before = entry;
        return dump.line(fmt::format("timestamp {} offset {}", entry.timestamp, entry.offset),
                         json) &&
               tell(dump, problem, number, survey);
    };
    return for_each_entry(dump, Entry::kBytes, /*zero_first=*/true, show);
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
        return wrong_offset(entry.last_offset.value(), base, std::nullopt).what;
    };
    return for_each_entry(
        dump,
        storage::AbortedTransaction::kBytes,
        /*zero_first=*/false,
        [&](ByteView bytes, std::uint64_t) {
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
                   (problem.empty() || dump.damage(problem));
        });
}

}  // namespace klab::cli
