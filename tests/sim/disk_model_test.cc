// SPDX-License-Identifier: Apache-2.0
//
// The disk against a plain model of it: a map of paths to bytes, and what was last made durable.
// The model knows nothing of pages, sharing or undo.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/sim/disk_helpers.h"
#include "tests/sim/disk_ops.h"

namespace klab::sim::test {
namespace {

struct ModelFile {
    Bytes now;
    Bytes durable;
    std::optional<std::size_t> cut;  // lowest size since the last sync, if below the durable one
    std::vector<std::set<std::uint8_t>> ever;  // by position: bytes ever written there
    std::vector<bool> stable;                  // by position: synced, and not touched since
};

/// Two directories that are durable from the start; files move only within one of them.
class ModelDisk {
  public:
    std::map<std::string, int> now;      // path -> file
    std::map<std::string, int> durable;  // path -> file, as of the last sync of its directory
    std::map<int, ModelFile> files;
    std::set<std::string> steady;  // paths that always had a file since their directory was synced
    std::set<int> removed;

    void apply(const DiskOp& op) {
        const auto found = now.find(op.path);
        ModelFile* file = found == now.end() ? nullptr : &files[found->second];
        switch (op.kind) {
            case OpKind::create:
                if (file == nullptr) {
                    now[op.path] = next_++;
                    files[now[op.path]] = {};
                }
                break;
            case OpKind::append:
                if (file != nullptr) {
                    write(*file, file->now.size(), op.bytes);
                }
                break;
            case OpKind::write_at:
                if (file != nullptr && !op.bytes.empty()) {
                    write(*file, op.position, op.bytes);
                }
                break;
            case OpKind::truncate:
                if (file != nullptr) {
                    if (op.position < file->durable.size()) {
                        file->cut =
                            std::min<std::size_t>(file->cut.value_or(op.position), op.position);
                    }
                    file->now.resize(op.position);
                    file->stable.resize(std::min(file->stable.size(), file->now.size()));
                }
                break;
            case OpKind::sync:
                if (file != nullptr) {
                    commit_cuts();
                    file->durable = file->now;
                    file->stable.assign(file->now.size(), true);
                }
                break;
            case OpKind::sync_directory:
                sync_directory(op.path);
                commit_cuts();
                break;
            case OpKind::rename:
                if (file != nullptr && op.to != op.path) {
                    take_away(op.to);
                    now[op.to] = found->second;
                    now.erase(op.path);
                    steady.erase(op.path);
                }
                break;
            case OpKind::remove:
                take_away(op.path);
                steady.erase(op.path);
                break;
            case OpKind::make_directories:
                break;
        }
    }

  private:
    /// A journaling file system commits truncations with the next sync of anything.
    void commit_cuts() {
        for (auto& [number, file] : files) {
            if (file.cut) {
                file.durable.resize(*std::exchange(file.cut, std::nullopt));
            }
        }
    }

    void write(ModelFile& file, std::uint64_t position, const Bytes& bytes) {
        const std::size_t end = std::max(file.now.size(), position + bytes.size());
        file.now.resize(end);
        file.ever.resize(std::max(file.ever.size(), end));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            file.now[position + i] = bytes[i];
            file.ever[position + i].insert(bytes[i]);
            if (position + i < file.stable.size()) {
                file.stable[position + i] = false;
            }
        }
    }

    void take_away(const std::string& path) {
        if (now.contains(path)) {
            removed.insert(now[path]);
            now.erase(path);
        }
    }

    void sync_directory(const std::string& directory) {
        const auto inside = [&](const std::string& path) {
            return path.substr(0, path.rfind('/')) == directory;
        };
        std::erase_if(durable, [&](const auto& entry) { return inside(entry.first); });
        for (const auto& [path, file] : now) {
            if (inside(path)) {
                durable[path] = file;
                steady.insert(path);
            }
        }
    }

    int next_ = 0;
};

const std::vector<std::string> kFilesOfA{"/a/x", "/a/y", "/a/z"};
const std::vector<std::string> kFilesOfB{"/b/x", "/b/y"};

rc::Gen<DiskOp> gen_model_op() {
    const auto within = [](const std::vector<std::string>& files, const char* directory) {
        return rc::gen::suchThat(gen_op(files, {directory}), [files](const DiskOp& op) {
            const bool names_file = std::find(files.begin(), files.end(), op.path) != files.end();
            const bool to_file = std::find(files.begin(), files.end(), op.to) != files.end();
            return op.kind == OpKind::sync_directory || op.kind == OpKind::make_directories ||
                   (names_file && (op.kind != OpKind::rename || to_file));
        });
    };
    return rc::gen::oneOf(within(kFilesOfA, "/a"), within(kFilesOfB, "/b"));
}

/// Both after the same random calls.
std::pair<Disk, ModelDisk> run_calls() {
    const auto ops = *rc::gen::container<std::vector<DiskOp>>(gen_model_op());
    std::pair<Disk, ModelDisk> result;
    for (const char* directory : {"/a", "/b"}) {
        must(result.first.make_directories(directory, Time{}));
        must(result.first.sync_directory(directory, Time{}));
    }
    for (const DiskOp& op : ops) {
        apply(result.first, op, Time{});
        result.second.apply(op);
        result.first.settle(Time{});
    }
    return result;
}

std::map<std::string, std::string> model_contents(const ModelDisk& model,
                                                  const std::map<std::string, int>& names,
                                                  Bytes ModelFile::*bytes) {
    std::map<std::string, std::string> result;
    for (const auto& [path, file] : names) {
        const Bytes& content = model.files.at(file).*bytes;
        result[path] = std::string(content.begin(), content.end());
    }
    return result;
}

RC_GTEST_PROP(DiskModel, ReadsAsTheModel, ()) {
    const auto [disk, model] = run_calls();
    RC_ASSERT(contents(disk) == model_contents(model, model.now, &ModelFile::now));
    std::uint64_t total = 0;
    for (const auto& [path, file] : model.now) {
        const Bytes& bytes = model.files.at(file).now;
        total += bytes.size();
        const FileId id = disk.open(path).value();
        const auto position = *rc::gen::inRange<std::uint64_t>(0, bytes.size() + 10);
        const auto length = *rc::gen::inRange<std::uint64_t>(0, 10'000);
        const std::size_t begin = std::min<std::size_t>(position, bytes.size());
        const std::size_t end = std::min<std::size_t>(begin + length, bytes.size());
        const Bytes expected(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                             bytes.begin() + static_cast<std::ptrdiff_t>(end));
        RC_ASSERT(disk.read(id, position, length).value() == expected);
    }
    RC_ASSERT(disk.bytes_total() == total);
}

RC_GTEST_PROP(DiskModel, PowerOffKeepsExactlyTheSyncedState, ()) {
    auto [disk, model] = run_calls();
    power_off(disk);
    RC_ASSERT(contents(disk) == model_contents(model, model.durable, &ModelFile::durable));
}

RC_GTEST_PROP(DiskModel, PowerOffThatKeepsAllLosesNothing, ()) {
    auto [disk, model] = run_calls();
    RC_ASSERT(power_off(disk, PowerOffKeep::all) == (DiskLoss{0, 0}));
    RC_ASSERT(contents(disk) == model_contents(model, model.now, &ModelFile::now));
}

/// Which file of the model each path leads to after the failure: names go by the inode.
std::map<FileId, int> identities(const Disk& disk, const ModelDisk& model) {
    std::map<FileId, int> result;
    Disk before = disk;
    for (const auto& [path, file] : model.now) {
        result[before.open(path).value()] = file;
    }
    power_off(before);
    for (const auto& [path, file] : model.durable) {
        result[before.open(path).value()] = file;
    }
    return result;
}

bool leads_to(const std::map<std::string, int>& names, const std::string& path, int file) {
    const auto it = names.find(path);
    return it != names.end() && it->second == file;
}

void check_content(const Bytes& bytes, const ModelFile& file) {
    RC_ASSERT(bytes.size() <= std::max(file.now.size(), file.durable.size()));
    RC_ASSERT(bytes.size() >= std::min(file.now.size(), file.durable.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        // Never a byte that was not written there; a hole is zero.
        RC_ASSERT(bytes[i] == 0 || (i < file.ever.size() && file.ever[i].contains(bytes[i])));
    }
    for (std::size_t i = 0; i < file.stable.size(); ++i) {
        if (file.stable[i]) {
            RC_ASSERT(i < bytes.size());
            RC_ASSERT(bytes[i] == file.durable[i]);
        }
    }
}

RC_GTEST_PROP(DiskModel, RandomPowerOffNeverLosesSyncedBytesNorInventsOthers, ()) {
    auto [disk, model] = run_calls();
    const std::map<FileId, int> identity = identities(disk, model);
    ScriptedChoices choices = any_power_off_choices();
    const std::uint64_t dirty = disk.bytes_dirty();
    const bool torn = *rc::gen::arbitrary<bool>();
    const DiskLoss loss = disk.power_off(PowerOffKeep::random, torn, choices);
    RC_ASSERT(loss.bytes <= dirty);

    std::set<int> found;
    for (const auto& [path, id] : disk.files()) {
        const int file = identity.at(id);
        RC_ASSERT(found.insert(file).second);  // never two names for one file
        RC_ASSERT(leads_to(model.now, path, file) || leads_to(model.durable, path, file));
        check_content(disk.read(id, 0, disk.size(id).value()).value(), model.files.at(file));
    }
    for (const auto& [path, file] : model.durable) {
        RC_ASSERT(found.contains(file) || model.removed.contains(file));
    }
    for (const std::string& path : model.steady) {
        RC_ASSERT(disk.exists(path));  // replaced by a rename, but never without a file
    }
    RC_CLASSIFY(loss.bytes > 0 && loss.bytes < dirty, "some pages kept, some lost");
    RC_CLASSIFY(loss.files > 0, "files lost");
    RC_CLASSIFY(!model.steady.empty() && !found.empty(), "durable names");
}

}  // namespace
}  // namespace klab::sim::test
