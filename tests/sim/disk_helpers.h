// SPDX-License-Identifier: Apache-2.0
//
// Shorthand of the disk tests: text in and out of files, and a power failure that follows a script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/assert.h"
#include "sim/disk/disk.h"

namespace klab::sim::test {

/// The call must succeed; its answer does not matter.
template <typename T>
void must(const DiskResult<T>& result) {
    KLAB_ASSERT(result.ok(), "disk call failed: {}", disk_error_name(result.error()));
}

inline Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

inline std::string text_of(const Disk& disk, std::string_view path) {
    const DiskResult<FileId> file = disk.open(path);
    if (!file) {
        return std::string("<") + std::string(disk_error_name(file.error())) + ">";
    }
    const Bytes bytes = disk.read(*file, 0, disk.size(*file).value()).value();
    return std::string(bytes.begin(), bytes.end());
}

/// Path -> content of all files.
inline std::map<std::string, std::string> contents(const Disk& disk) {
    std::map<std::string, std::string> result;
    for (const auto& [path, file] : disk.files()) {
        result[path] = text_of(disk, path);
    }
    return result;
}

/// Makes a file that holds `text`; nothing of it is durable.
inline FileId write_file(Disk& disk, std::string_view path, std::string_view text, Time done = {}) {
    const FileId file = disk.create(path, done).value();
    must(disk.append(file, bytes_of(text), done));
    return file;
}

/// Makes a file that survives a power failure.
inline FileId write_durable_file(Disk& disk, std::string_view path, std::string_view text) {
    const FileId file = write_file(disk, path, text);
    must(disk.sync(file, Time{}));
    const std::string_view parent = path.substr(0, path.rfind('/'));
    must(disk.sync_directory(parent.empty() ? "/" : parent, Time{}));
    return file;
}

/// `keeps` and `sectors` are used up in order; then everything is lost, and no page is torn.
class ScriptedChoices : public PowerOffChoices {
  public:
    explicit ScriptedChoices(std::vector<bool> keeps = {}, std::vector<std::uint32_t> sectors = {})
        : keeps_(std::move(keeps)), sectors_(std::move(sectors)) {}

    bool keep_page() override {
        const std::size_t at = keep_calls++;
        return at < keeps_.size() && keeps_[at];
    }

    std::uint32_t sectors_kept() override {
        const std::size_t at = sector_calls++;
        return at < sectors_.size() ? sectors_[at] : kSectorsPerPage;
    }

    std::size_t keep_calls = 0;
    std::size_t sector_calls = 0;

  private:
    std::vector<bool> keeps_;
    std::vector<std::uint32_t> sectors_;
};

inline DiskLoss power_off(Disk& disk, PowerOffKeep keep = PowerOffKeep::synced) {
    ScriptedChoices none;
    return disk.power_off(keep, false, none);
}

}  // namespace klab::sim::test
